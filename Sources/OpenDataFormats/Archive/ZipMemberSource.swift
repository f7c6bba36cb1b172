import OpenDataCore

/// The bytes of a member of a ZIP archive, decompressed as they are read.
struct ZipMemberSource: ByteSource {
    private var source: any ByteSource
    private let member: ZipArchive.Member
    private let limit: InflationLimit
    // `nil` for a stored member.
    private let inflater: Inflater?
    private var input: [UInt8] = []
    private var index = 0
    // How many compressed bytes have been read from the source, and how many bytes have been made of those used.
    private var fetched = 0
    private var consumed = 0
    private var produced = 0
    private var checksum: UInt32 = 0
    private var hasEnded = false
    private var isChecked = false

    /// Reads a member from a source that stands at its data.
    init(_ source: any ByteSource, _ member: ZipArchive.Member, _ limit: InflationLimit) throws(OpenDataError) {
        self.source = source
        self.member = member
        self.limit = limit
        // Checksums are zlib's too, so a stored member needs it as well.
        let inflater = try Inflater(.raw)
        self.inflater = member.method == 8 ? inflater : nil
        hasEnded = inflater !== self.inflater && member.compressedSize == 0
    }

    mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int {
        guard count > 0 else { return 0 }
        while !hasEnded {
            let start = buffer.count
            if let inflater { try inflate(inflater, count, into: &buffer) } else { try copy(count, into: &buffer) }
            let added = buffer.count - start
            produced += added
            guard produced <= member.size else { throw broken("has more bytes than the directory says") }
            try limit.check(produced, from: max(consumed, 1))
            if added > 0 {
                checksum = Inflater.checksum(checksum, buffer, from: start)
                return added
            }
        }
        if !isChecked { try checkEnd() }
        return 0
    }

    private mutating func copy(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) {
        let received = try source.read(min(count, member.compressedSize - fetched), into: &buffer)
        guard received > 0 else { throw broken("is cut off") }
        fetched += received
        consumed += received
        hasEnded = fetched == member.compressedSize
    }

    private mutating func inflate(_ inflater: Inflater, _ count: Int, into buffer: inout [UInt8]) throws(OpenDataError)
    {
        if index == input.count, fetched < member.compressedSize {
            input.removeAll(keepingCapacity: true)
            index = 0
            let received = try source.read(min(1 << 16, member.compressedSize - fetched), into: &input)
            guard received > 0 else { throw broken("is cut off") }
            fetched += received
        }
        let step = inflater.step(input, from: index, into: &buffer, count: count)
        index += step.consumed
        consumed += step.consumed
        if step.isBroken { throw broken("is not what deflate makes") }
        hasEnded = step.hasEnded
        if !hasEnded, step.produced == 0, step.consumed == 0, fetched == member.compressedSize, index == input.count {
            throw broken("ends in the middle")
        }
    }

    /// Compares what was read with what the directory says, and with what stands behind the data.
    private mutating func checkEnd() throws(OpenDataError) {
        guard consumed == member.compressedSize, produced == member.size else {
            throw broken("has fewer bytes than the directory says")
        }
        guard checksum == member.checksum else { throw broken("does not have the checksum that the directory says") }
        if member.hasDescriptor {
            var bytes: [UInt8] = []
            while bytes.count < 24, try source.read(24 - bytes.count, into: &bytes) > 0 {}
            // With a signature or without, of four bytes a size or of eight.
            let agrees = [(4, 4), (0, 4), (4, 8), (0, 8)].contains { start, width in
                let fields = ByteFields(bytes[...])
                return (start == 0 || fields.number(0, 4) == 0x0807_4B50)
                    && fields.number(start, 4) == Int(member.checksum)
                    && fields.number(start + 4, width) == member.compressedSize
                    && fields.number(start + 4 + width, width) == member.size
            }
            if !agrees { throw broken("does not have the sizes and checksum that stand behind it") }
        }
        isChecked = true
    }

    private func broken(_ what: String) -> OpenDataError {
        OpenDataError(
            .malformed, "the ZIP archive is broken: the member '\(member.shownName)' \(what)",
            position: Position(byte: member.headerOffset))
    }
}
