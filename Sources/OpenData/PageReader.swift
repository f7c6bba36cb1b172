import OpenDataCore
import OpenDataFormats

/// Reads the conforming records of one payload.
struct PageReader: Sendable {
    private let source: any DataSource
    private let arguments: Arguments
    private let request: Request
    private let response: Response
    private let options: FetchOptions
    private var reader: RecordReader
    private let size: Int?
    private var conformer: Conformer?
    private var recordCheck: (@Sendable (Record) throws(OpenDataError) -> Void)?
    // The first batch, conformed when the page was opened to see whether the format fits.
    private var first: RecordBatch?
    // Whether the last error is the data source's word about the payload, and no decoder's.
    private var isVerdict = false
    private let tally: TextTally
    let encoding: TextEncoding
    let format: String
    /// What was found out about a payload that nobody has described.
    private(set) var findings: [String] = []
    // Whether it has been asked for that records are written while they are decoded.
    private var isTranscribing = false
    private(set) var readCount = 0

    /// Opens a payload in the first of the candidate formats that its first records fit.
    ///
    /// Throws what decoding the first batch throws, for the first candidate if none fits.
    static func open(
        _ payload: Payload, of source: any DataSource, _ arguments: Arguments, _ request: Request,
        _ options: FetchOptions, formats: FormatRegistry
    ) throws(OpenDataError) -> PageReader {
        if let source = source as? UndescribedSource {
            return try open(payload, of: source, arguments, request, options, formats: formats)
        }
        let candidates = try candidates(for: payload, of: source, arguments, options)
        let payload =
            candidates.count > 1 || candidates[0].encodings.count > 1
            ? try payload.repeatable(maximumBytes: source.mostHandedOver) : payload
        var failure: OpenDataError?
        for format in candidates {
            var isVerdict = false
            do throws(OpenDataError) {
                var page = try PageReader(payload, of: source, arguments, request, options, format, formats)
                defer { isVerdict = page.isVerdict }
                page.first = try page.decode()
                return page
            } catch {
                if isVerdict { throw error }
                // What the publisher says about the records settles it; what a decoder says may be the wrong decoder's.
                let mayBeAnother: Set<OpenDataError.Code> = [
                    .schemaChanged, .unexpectedContent, .malformed, .invalidText, .emptyBody,
                ]
                guard mayBeAnother.contains(error.code) else { throw error }
                if failure.map({ rank(error) > rank($0) }) ?? true { failure = error }
            }
        }
        throw failure ?? OpenDataError(.unexpectedContent, "there is no format to read the payload in")
    }

    /// Opens a payload that nobody has described, in the format that the evidence settles.
    private static func open(
        _ payload: Payload, of source: UndescribedSource, _ arguments: Arguments, _ request: Request,
        _ options: FetchOptions, formats: FormatRegistry
    ) throws(OpenDataError) -> PageReader {
        let payload = try payload.repeatable(maximumBytes: source.mostHandedOver)
        let found = try FormatFinder.find(in: payload, source.hints(arguments), invalid: options.invalidText)
        var page = try PageReader(payload, of: source, arguments, request, options, found.format, formats)
        page.findings = found.findings
        page.first = try page.decode()
        return page
    }

    /// How much an error says about a payload: one about its columns comes from the format that fits best.
    private static func rank(_ error: OpenDataError) -> Int {
        switch error.code {
        case .schemaChanged: error.field != nil || error.position == nil ? 3 : 1
        case .malformed, .invalidText: 2
        default: 0
        }
    }

    private init(
        _ payload: Payload, of source: any DataSource, _ arguments: Arguments, _ request: Request,
        _ options: FetchOptions, _ format: Format, _ formats: FormatRegistry
    ) throws(OpenDataError) {
        self.source = source
        self.arguments = arguments
        self.request = request
        self.options = options
        response = payload.response
        size = payload.size
        // A document of XML says itself what it is in; where nobody has described it, that has been taken into account.
        let isDescribed = !(source is UndescribedSource)
        let declared =
            isDescribed && format.name == "xml"
            ? XMLEncoding.declared(in: try payload.head(XMLEncoding.headLength)) : nil
        let text = try TextSource.open(
            payload, encodings: declared.map { [$0] } ?? format.encodings, invalid: options.invalidText)
        tally = text.tally
        encoding = text.encoding
        self.format = format.name
        reader = RecordReader(text.source, decoder: try formats.decoder(for: format), windowSize: options.windowSize)
    }

    /// What surrounds the records, as far as it has been read; without a count where that is not yet known.
    func preamble(_ recordCount: Int? = nil) -> Preamble {
        Preamble(response: response, members: reader.members, recordCount: recordCount)
    }
    /// Columns that the schema does not have.
    var unknownColumns: [String] { conformer?.unknownColumns ?? [] }
    /// Fields that have no column.
    var missingFields: [String] { conformer?.missingFields ?? [] }
    /// What was noticed in the text, once it is read to its end.
    var textFindings: [String] { tally.findings }

    /// Marks that were taken off and not handed on.
    var droppedMarks: Int { conformer?.droppedMarks ?? 0 }

    /// The part of the payload that is read, where its size is known.
    var shareRead: Double? { size.map { min(Double(reader.consumedBytes) / Double(max($0, 1)), 1) } }

    /// The next batch, or `nil` at the end.
    mutating func next() throws(OpenDataError) -> RecordBatch? {
        if let batch = first {
            first = nil
            return batch
        }
        return try decode()
    }

    private mutating func decode() throws(OpenDataError) -> RecordBatch? {
        let decoded: RecordBatch?
        do {
            decoded = try reader.next()
        } catch {
            // A sentence in place of records explains more than the decoder's complaint about it.
            if !reader.members.isEmpty { try check(nil) }
            throw error
        }
        readCount += decoded?.readCount ?? 0
        if conformer == nil {
            try check(readCount > 0 ? readCount : nil)
            conformer = try makeConformer()
        }
        guard let decoded else {
            // A header without records must be the right header all the same.
            if readCount == 0, reader.columns.count > 0 { try conformer?.check(reader.columns) }
            try check(readCount)
            return nil
        }
        guard let batch = try conformer?.conform(decoded) else { return nil }
        if let recordCheck {
            do throws(OpenDataError) {
                for record in batch.records { try recordCheck(record) }
            } catch {
                isVerdict = true
                throw error
            }
        }
        return batch
    }

    /// Has plain records written while they are decoded, as far as nobody asks for their cells.
    mutating func transcribe(_ layout: RecordLayout) {
        guard !isTranscribing, first == nil, recordCheck == nil, let conformer else { return }
        isTranscribing = true
        reader.transcriber = conformer.transcriber(of: reader.columns, layout)
    }

    /// Has batches say what their numbers are, for rows.
    mutating func noteNumbers() { conformer?.notesNumbers = true }

    /// What is left of the payload, to be read by several threads, or `nil` if it has to be read in order.
    func parallel<Product>(_ make: @escaping @Sendable (RecordBatch, Int) -> Product) -> ParallelPage<Product>? {
        guard first == nil, recordCheck == nil, let conformer else { return nil }
        // Without a schema, columns may join at any batch, unless all are known beforehand.
        guard !source.dataset.schema.isAsPublished || reader.chunkDecoder?.hasAllColumns == true else { return nil }
        return ParallelPage(reader: reader, conformer: conformer, make: make) {
            [source, request, arguments, response] (members: [String: String]) throws(OpenDataError) in
            if members.isEmpty { return }
            try source.check(Preamble(response: response, members: members, recordCount: nil), request, arguments)
        }
    }

    /// Takes note of what has been read in parallel.
    mutating func resume<Product>(after page: ParallelPage<Product>, _ readCount: Int) {
        reader = page.reader
        self.readCount += readCount
    }

    /// Asks the data source whether these are the records asked for.
    private mutating func check(_ recordCount: Int?) throws(OpenDataError) {
        do throws(OpenDataError) {
            try source.check(preamble(recordCount), request, arguments)
        } catch {
            isVerdict = true
            throw error
        }
    }

    private mutating func makeConformer() throws(OpenDataError) -> Conformer {
        recordCheck = source.recordCheck(request, arguments)
        let constants = try source.constants(preamble(readCount), request, arguments)
        var conformer = Conformer(
            source.dataset.schema, constants: constants, marks: options.marks,
            filters: RecordFilter.filters(source.dataset.parameters, arguments))
        conformer.nullsMisfits = options.rejects == .null
        conformer.keepsRawRecords = options.keepsRawRecords
        return conformer
    }

    /// The formats that a payload may be in, going by what its first bytes are.
    private static func candidates(
        for payload: Payload, of source: any DataSource, _ arguments: Arguments, _ options: FetchOptions
    ) throws(OpenDataError) -> [Format] {
        var formats = source.formats(arguments)
        if options.payload != nil {
            for export in [Format.csv, .json] where !formats.contains(where: { $0.covers(export) }) {
                formats.append(export)
            }
        }
        var head = try payload.head(1 << 12)
        // White space in front of the data may be long.
        while head.count >= 1 << 12, head.count < 1 << 24, ContentKind(head: head) == .blank {
            let more = try payload.head(head.count * 8)
            if more.count == head.count { break }
            head = more
        }
        let kind = ContentKind(head: head)
        let expected = formats.first?.name.uppercased() ?? "data"
        switch kind {
        case .blank:
            throw OpenDataError(
                source.blankPayloadMeans,
                source.blankPayloadMeans == .noData
                    ? "the publisher has no records for this: the payload is blank" : "the payload is blank")
        case .json, .text, .xml:
            let names = ["json": ContentKind.json, "xml": .xml]
            let fitting = formats.filter { (names[$0.name] ?? .text) == kind }
            if !fitting.isEmpty { return fitting }
            fallthrough
        default:
            let type = payload.response.mediaType.map { ", media type \($0)" } ?? ""
            throw OpenDataError(
                .unexpectedContent,
                "\(expected) was due and \(kind.rawValue) came"
                    + (kind.isText ? "\(type): \(ContentKind.excerpt(of: head))" : type))
        }
    }
}
