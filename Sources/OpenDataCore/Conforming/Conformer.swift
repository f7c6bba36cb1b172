/// Brings decoded records into the shape that a schema declares.
///
/// Columns are matched by published name, never by place. Each cell is read by its field's type: white space around it
/// is dropped, what means "missing" becomes null, separators, signs and calendars are made uniform. A record with a
/// cell that does not fit is rejected with the reason; nothing is repaired or guessed. Where ``nullsMisfits`` is set, a
/// cell that does not fit becomes null instead, if the field needs no value, and is told.
///
/// The cells are rewritten over the batch's own bytes, so that conforming allocates nothing for a record that fits.
public struct Conformer: Sendable {
    /// The fields of every batch that comes out, in order.
    public let fields: [Field]
    /// Columns that the payload has and the schema does not, by name.
    public private(set) var unknownColumns: [String] = []
    /// Fields whose columns the payload does not have, and need not have, by name.
    public var missingFields: [String] { mapping?.missing ?? [] }
    /// How many marks were taken off and are in no field of the output.
    public private(set) var droppedMarks = 0

    /// Whether cells that do not fit become null, and their records stay; false unless set.
    public var nullsMisfits = false
    /// Whether rejects carry all cells of their records as published, which takes a copy of each batch; false unless
    /// set.
    public var keepsRawRecords = false

    /// Whether batches say what their numbers are, for rows; false unless set.
    package var notesNumbers = false

    let schema: Schema
    private let constants: [String: String]
    let keepsMarks: Bool
    let plans: [FieldPlan]
    let filters: [RecordFilter]
    private(set) var mapping: ColumnMapping?
    private(set) var lastDays: [LastDay]

    /// Makes a conformer.
    ///
    /// - Parameters:
    ///   - constants: Texts, by field name, for columns that the payload does not have.
    ///   - marks: Whether fields with marks are followed by their companions, `NAME_mark`.
    ///   - filters: Which records to keep; all of them have to choose a record.
    public init(
        _ schema: Schema, constants: [String: String] = [:], marks: Bool = false, filters: [RecordFilter] = []
    ) {
        self.schema = schema
        self.constants = constants
        keepsMarks = marks
        plans = schema.fields.map(FieldPlan.init)
        lastDays = Array(repeating: LastDay(), count: plans.count)
        fields = Conformer.fields(of: schema, marks: marks)
        self.filters = filters
    }

    /// The fields that records of a schema come out with.
    public static func fields(of schema: Schema, marks: Bool) -> [Field] {
        schema.fields.flatMap { field in
            guard marks, let name = field.markName else { return [field] }
            let companion = Field(
                name, sourceNames: [], type: .string, title: "\(field.title)註記", english: "\(field.english) mark")
            return [field, companion]
        }
    }

    /// The batch with its columns, cells and rejects conforming to the schema.
    ///
    /// Throws ``OpenDataError/Code/schemaChanged`` if a declared column is missing or stands twice, and
    /// ``OpenDataError/Code/unexpectedContent`` if a sentence stands in place of the header.
    /// - Complexity: O(bytes of the batch).
    public mutating func conform(_ batch: consuming RecordBatch) throws(OpenDataError) -> RecordBatch {
        guard !schema.isAsPublished else { return asPublished(batch) }
        let mapping = try mapping(of: batch.columns)
        let input = ConformInput(
            cells: batch.cells, width: batch.columns.count, sources: mapping.sources,
            markSources: mapping.markSources,
            sharesColumns: mapping.sharesColumns, constants: constantOutcomes(mapping, in: &batch))

        let published = keepsRawRecords ? Published(bytes: batch.bytes, columns: batch.columns) : nil
        // Local and unique: cells are read from and rewritten over the same bytes.
        var bytes = batch.bytes
        batch.bytes = []
        let origins = batch.origins
        var (rejects, nulled): ([Reject], [Reject]) = ([], [])
        var kept: [RecordOrigin]?
        // Room for one cell at least: an array without any writes its count to storage that all empty arrays share.
        let room = max(origins.count * fields.count, 1)
        var numbers: [NumberNote] = notesNumbers ? Array(repeating: .none, count: room) : []
        batch.cells = unsafe [Cell](unsafeUninitializedCapacity: room) { output, count in
            for first in stride(from: 0, to: origins.count, by: ConformKernel.block) {
                let records = first..<min(first + ConformKernel.block, origins.count)
                // In bounds: there is room for every record that is not yet written.
                let row = unsafe UnsafeMutableBufferPointer(rebasing: output[count...])
                let faults = unsafe read(records, of: input, &bytes, into: row, noting: &numbers, from: count)
                if faults.isEmpty {
                    count += records.count * fields.count
                    kept?.append(contentsOf: origins[records])
                    continue
                }
                if kept == nil { kept = Array(origins[..<first]) }
                for record in records {
                    let found = faults.filter { $0.record == record }
                    if let fault = found.first(where: { !$0.isNulled }) {
                        rejects.append(reject(fault, origins[record], bytes, input, published))
                        continue
                    }
                    nulled += found.map { reject($0, origins[record], bytes, input, published) }
                    for number in 0..<fields.count {
                        unsafe output[count + number] = row[(record - first) * fields.count + number]
                    }
                    count += fields.count
                    kept?.append(origins[record])
                }
            }
        }
        batch.bytes = bytes
        // Notes stand where their cells do, as long as none has moved up.
        if kept == nil { batch.numbers = numbers }
        if let kept { batch.origins = kept }
        batch.rejects += rejects
        batch.nulled += nulled
        // Those of the decoder and these, in the order of the payload.
        if !rejects.isEmpty { batch.rejects.sort { $0.origin.record < $1.origin.record } }
        batch.columns = Columns(fields.map(\.name))
        for filter in filters { filter.apply(to: &batch) }
        return batch
    }

    /// Reads a few records, field by field, and returns the first fault of each record that has one, and the cells that
    /// have become null.
    ///
    /// What is written of a record with a fault means nothing.
    ///
    /// - Parameters:
    ///   - numbers: Where it is noted what numbers are, unless it is empty.
    ///   - noted: The number of cells before these.
    private mutating func read(
        _ records: Range<Int>, of input: ConformInput, _ bytes: inout [UInt8],
        into output: UnsafeMutableBufferPointer<Cell>, noting numbers: inout [NumberNote], from noted: Int
    ) -> [Fault] {
        var faults: [Fault] = []
        // A bit for each record that has no fault yet.
        let all = ~0 as UInt64 >> UInt64(ConformKernel.block - records.count)
        var sound = all
        var place = 0
        for number in plans.indices {
            // Those that the kernel leaves to the plan.
            var rest = all
            if let column = input.sources[number] {
                let first = records.lowerBound * input.width + column
                rest = unsafe readByKernel(
                    number, input, first, records.count, bytes, output, at: place, noting: &numbers, from: noted)
            }
            var left = rest & sound
            while left != 0 {
                let offset = left.trailingZeroBitCount
                left &= left &- 1
                let row = place + offset * fields.count
                let fault = unsafe readByPlan(number, records.lowerBound + offset, input, &bytes, output, at: row)
                if let fault {
                    faults.append(fault)
                    if !fault.isNulled { sound &= ~(1 << UInt64(offset)) }
                }
            }
            if plans[number].hasMarks {
                unsafe takeMarks(number, records, ~rest & sound, input, output, at: place)
                if keepsMarks { place += 1 }
            }
            place += 1
        }
        return faults
    }

    /// Reads one column of a few records by the kernel; returns a bit for each record that it does not take.
    private func readByKernel(
        _ number: Int, _ input: ConformInput, _ first: Int, _ count: Int, _ bytes: [UInt8],
        _ output: UnsafeMutableBufferPointer<Cell>, at place: Int, noting numbers: inout [NumberNote], from noted: Int
    ) -> UInt64 {
        // In bounds: the cells of a column, `width` apart, and the places of a field, as many as fields apart; there
        // are notes for all cells that go out, or none.
        unsafe numbers.withUnsafeMutableBufferPointer { notes in
            let notes = unsafe notes.isEmpty ? nil : notes.baseAddress.map { unsafe $0 + noted + place }
            return unsafe readByKernel(number, input, first, count, bytes, output, at: place, notes)
        }
    }

    private func readByKernel(
        _ number: Int, _ input: ConformInput, _ first: Int, _ count: Int, _ bytes: [UInt8],
        _ output: UnsafeMutableBufferPointer<Cell>, at place: Int, _ notes: UnsafeMutablePointer<NumberNote>?
    ) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe input.cells.withUnsafeBufferPointer { cells in
                guard let base = bytes.baseAddress, let from = cells.baseAddress, let to = output.baseAddress else {
                    return ~0 >> UInt64(ConformKernel.block - count)
                }
                let kernel = unsafe ConformKernel(
                    bytes, base: base, from + first, inputStep: input.width, to + place, outputStep: fields.count,
                    count: count, isRequired: plans[number].isRequired)
                switch plans[number].fast {
                case .texts(let emptyIsNull): return kernel.texts(emptyIsNull: emptyIsNull)
                case .numbers: return unsafe kernel.numbers(notes)
                case .wholeNumbers: return unsafe kernel.wholeNumbers(notes)
                case .days: return kernel.days(lastDays[number])
                case .none: return ~0 >> UInt64(ConformKernel.block - count)
                }
            }
        }
    }

    /// Reads one cell by the plan of its field.
    private mutating func readByPlan(
        _ number: Int, _ record: Int, _ input: ConformInput, _ bytes: inout [UInt8],
        _ output: UnsafeMutableBufferPointer<Cell>, at place: Int
    ) -> Fault? {
        let plan = plans[number]
        var mark = Cell.null
        let cell = input.sources[number].map { input.cells[record * input.width + $0] }
        let outcome =
            cell.map {
                plan.read($0, in: &bytes, overwrites: !input.sharesColumns, &lastDays[number], mark: &mark)
            } ?? input.constants[number]
        guard case .cell(let value) = outcome else {
            var fault = Fault(record: record, field: number, code: .type, cell: cell ?? .null)
            guard nullsMisfits, !plan.isRequired else { return fault }
            unsafe output[place] = .null
            if plan.hasMarks { unsafe take(mark, number, record, input, output, at: place) }
            fault.isNulled = true
            return fault
        }
        if value.isEmpty, plan.isRequired {
            return Fault(record: record, field: number, code: .required, cell: cell ?? .null)
        }
        unsafe output[place] = value
        if plan.hasMarks { unsafe take(mark, number, record, input, output, at: place) }
        return nil
    }

    /// Looks after the marks of records whose values the kernel has read, which have none of their own.
    private mutating func takeMarks(
        _ number: Int, _ records: Range<Int>, _ taken: UInt64, _ input: ConformInput,
        _ output: UnsafeMutableBufferPointer<Cell>, at place: Int
    ) {
        guard keepsMarks || input.markSources[number] != nil else { return }
        for record in records where taken >> UInt64(record - records.lowerBound) & 1 == 1 {
            let row = place + (record - records.lowerBound) * fields.count
            unsafe take(.null, number, record, input, output, at: row)
        }
    }

    /// Puts a mark, or the one that an earlier export has, behind its value, or counts it.
    private mutating func take(
        _ mark: Cell, _ number: Int, _ record: Int, _ input: ConformInput,
        _ output: UnsafeMutableBufferPointer<Cell>, at place: Int
    ) {
        var mark = mark
        if mark.kind != .text, let column = input.markSources[number] {
            let kept = input.cells[record * input.width + column]
            if kept.kind == .text, kept.length > 0 { mark = kept }
        }
        if keepsMarks {
            unsafe output[place + 1] = mark
        } else if mark.kind == .text {
            droppedMarks += 1
        }
    }

    /// The constants of fields without a column, read once for all records of a batch.
    private mutating func constantOutcomes(
        _ mapping: ColumnMapping, in batch: inout RecordBatch
    ) -> [FieldPlan.Outcome] {
        plans.indices.map { number in
            guard let text = mapping.constants[number] else { return .cell(.null) }
            let cell = batch.append(text: text)
            var mark = Cell.null
            return plans[number].read(cell, in: &batch.bytes, &lastDays[number], mark: &mark)
        }
    }

    /// Throws ``OpenDataError/Code/schemaChanged`` if the columns of a payload, even of one without records, are not
    /// the declared ones.
    public mutating func check(_ columns: Columns) throws(OpenDataError) {
        if !schema.isAsPublished { _ = try mapping(of: columns) }
    }

    /// Where each field comes from, found anew where columns have changed.
    private mutating func mapping(of columns: Columns) throws(OpenDataError) -> ColumnMapping {
        if let mapping, mapping.isFor(columns) { return mapping }
        let found = try ColumnMapping(schema, columns, constants: constants)
        mapping = found
        let known = Set(unknownColumns)
        unknownColumns += found.unknown.filter { !known.contains($0) }
        return found
    }

    /// The cells of a batch and where each field's are.
    private struct ConformInput {
        var cells: [Cell]
        var width: Int
        /// The column of each field, or `nil`.
        var sources: [Int?]
        /// The column of each field's marks, or `nil`.
        var markSources: [Int?]
        /// Whether a column is read by several fields.
        var sharesColumns: Bool
        /// What each field without a column is in every record.
        var constants: [FieldPlan.Outcome]
    }

    /// A cell at fault.
    private struct Fault {
        var record: Int
        var field: Int
        var code: Reject.Code
        var cell: Cell
        /// Whether the cell has become null and the record stays.
        var isNulled = false
    }

    /// A batch as it was before cells were rewritten.
    private struct Published {
        var bytes: [UInt8]
        var columns: Columns
    }

    private func reject(
        _ fault: Fault, _ origin: RecordOrigin, _ bytes: [UInt8], _ input: ConformInput, _ published: Published?
    ) -> Reject {
        let field = schema.fields[fault.field]
        let raw = Conformer.text(of: fault.cell, in: bytes) ?? ""
        let message =
            fault.code == .required
            ? "\(field.name) must have a value and has '\(raw)'"
            : "'\(raw.prefix(80))' is no \(plans[fault.field].noun)"
        var reject = Reject(origin: origin, code: fault.code, field: field.name, raw: raw, message: message)
        reject.isKept = fault.isNulled
        if let published {
            let cells = input.cells[fault.record * input.width..<(fault.record + 1) * input.width]
            reject.record = zip(published.columns.names, cells).map { name, cell in
                Reject.RawCell(column: name, text: Conformer.text(of: cell, in: published.bytes))
            }
        }
        return reject
    }

    /// A cell as text, `nil` for no value.
    private static func text(of cell: Cell, in bytes: [UInt8]) -> String? {
        switch cell.kind {
        case .text, .number, .json: String(decoding: bytes[cell.range].prefix(1 << 14), as: UTF8.self)
        case .boolean: String(cell.boolean)
        case .date: cell.date.description
        case .dateTime: cell.dateTime.description
        case .absent, .null: nil
        }
    }

    /// Every column under its own name; only bare empty cells, which say nothing, become null.
    private func asPublished(_ batch: consuming RecordBatch) -> RecordBatch {
        for index in batch.cells.indices {
            let cell = batch.cells[index]
            if cell.kind == .text, cell.length == 0, !cell.isQuoted { batch.cells[index] = .null }
        }
        return batch
    }
}
