import OpenDataCore

/// Reads the central directory of a ZIP archive (APPNOTE 6.3.10), and what each local header says beside it.
struct ZipDirectory {
    /// The most members.
    static let maximumCount = 100_000
    /// The most bytes of the directory.
    static let maximumBytes = 64 << 20

    private static let saturated32 = 0xFFFF_FFFF
    private static let saturated16 = 0xFFFF

    private let payload: Payload
    private let size: Int

    init(_ payload: Payload) throws(OpenDataError) {
        guard payload.isRepeatable, let size = payload.size else {
            throw OpenDataError(.unreadable, "a ZIP archive has to be a file; save it first")
        }
        self.payload = payload
        self.size = size
    }

    /// The members in the order of the directory, checked against their local headers and one another.
    func members() throws(OpenDataError) -> [ZipArchive.Member] {
        let end = try end()
        guard end.count <= ZipDirectory.maximumCount, end.size <= ZipDirectory.maximumBytes else {
            throw OpenDataError(.tooLarge, "the ZIP archive says that it has \(end.count) members, which are too many")
        }
        // Each member takes 46 bytes and more.
        guard end.offset <= end.place, end.size <= end.place - end.offset, end.size >= end.count * 46 else {
            throw broken("the directory does not lie within the file", end.place)
        }
        let directory = try bytes(at: end.offset, end.size)
        var members: [ZipArchive.Member] = []
        members.reserveCapacity(end.count)
        var rest = ByteFields(directory[...])
        for _ in 0..<end.count {
            let offset = end.offset + rest.bytes.startIndex
            guard let (member, length) = try entry(rest, at: offset) else {
                throw broken("the directory is cut off or broken", offset)
            }
            members.append(member)
            rest = ByteFields(rest.bytes.dropFirst(length))
        }
        guard rest.bytes.isEmpty || rest.number(0, 4) == 0x0505_4B50 else {
            throw broken("the directory has more members than it says", end.offset + rest.bytes.startIndex)
        }
        try checkPlaces(members, before: end.offset)
        return members
    }

    // MARK: The end of the archive

    private struct End {
        // Where it stands, and how many members the directory has, how many bytes, and where it begins.
        var place: Int
        var count: Int
        var size: Int
        var offset: Int
    }

    private func end() throws(OpenDataError) -> End {
        let tailStart = max(size - 22 - 0xFFFF, 0)
        let tail = try bytes(at: tailStart, size - tailStart)
        var start = tail.count - 22
        while start >= 0 {
            let fields = ByteFields(tail[start...])
            if fields.number(0, 4) == 0x0605_4B50, fields.number(20, 2) == tail.count - start - 22 { break }
            start -= 1
        }
        guard start >= 0 else {
            throw OpenDataError(
                .truncated, "the ZIP archive has no directory at its end: it is cut off, or something follows it")
        }
        let fields = ByteFields(tail[start...])
        guard let disk = fields.number(4, 2), let directoryDisk = fields.number(6, 2), let count = fields.number(10, 2),
            let length = fields.number(12, 4), let offset = fields.number(16, 4)
        else { throw broken("its end is broken", tailStart + start) }
        var end = End(place: tailStart + start, count: count, size: length, offset: offset)
        let isLarge =
            [disk, directoryDisk, count].contains(ZipDirectory.saturated16)
            || [length, offset].contains(ZipDirectory.saturated32)
        if isLarge, let large = try largeEnd(before: end.place) {
            end = large
        } else if disk != 0 || directoryDisk != 0 || fields.number(8, 2) != count {
            throw OpenDataError(.unexpectedContent, "the ZIP archive is one of several parts")
        }
        return end
    }

    /// The end of an archive of ZIP64, which stands before the other; `nil` if there is none.
    private func largeEnd(before place: Int) throws(OpenDataError) -> End? {
        guard place >= 20 else { return nil }
        let locator = ByteFields(try bytes(at: place - 20, 20)[...])
        guard locator.number(0, 4) == 0x0706_4B50 else { return nil }
        guard let start = locator.number(8, 8), start <= place - 76 else {
            throw broken("the end of ZIP64 is not where it should be", place - 20)
        }
        let fields = ByteFields(try bytes(at: start, 56)[...])
        guard fields.number(0, 4) == 0x0606_4B50, let count = fields.number(32, 8), let length = fields.number(40, 8),
            let offset = fields.number(48, 8)
        else { throw broken("the end of ZIP64 is broken", start) }
        guard fields.number(16, 4) == 0, fields.number(20, 4) == 0, fields.number(24, 8) == count else {
            throw OpenDataError(.unexpectedContent, "the ZIP archive is one of several parts")
        }
        return End(place: start, count: count, size: length, offset: offset)
    }

    // MARK: Members

    /// The member of an entry, and the entry's length; `nil` if the entry is not whole.
    private func entry(_ fields: ByteFields, at offset: Int) throws(OpenDataError) -> (ZipArchive.Member, Int)? {
        guard fields.number(0, 4) == 0x0201_4B50, let flags = fields.number(8, 2), let method = fields.number(10, 2),
            let checksum = fields.number(16, 4), var compressedSize = fields.number(20, 4),
            var size = fields.number(24, 4), let nameLength = fields.number(28, 2),
            let extraLength = fields.number(30, 2),
            let commentLength = fields.number(32, 2), var headerOffset = fields.number(42, 4),
            let name = fields.slice(46, nameLength), let extra = fields.slice(46 + nameLength, extraLength),
            fields.slice(46 + nameLength + extraLength, commentLength) != nil
        else { return nil }
        var large = ByteFields(ZipDirectory.extra(1, in: extra) ?? [])
        func widen(_ number: inout Int) -> Bool {
            guard number == ZipDirectory.saturated32 else { return true }
            guard let wide = large.number(0, 8) else { return false }
            number = wide
            large = ByteFields(large.bytes.dropFirst(8))
            return true
        }
        guard widen(&size), widen(&compressedSize), widen(&headerOffset) else {
            throw broken("a member's sizes of ZIP64 are missing", offset)
        }
        let label = ZipDirectory.label(name, extra, isUTF8: flags & 0x800 != 0)
        var member = ZipArchive.Member(
            name: label, size: size, compressedSize: compressedSize, method: method, flags: flags,
            checksum: UInt32(checksum), headerOffset: headerOffset)
        try readHeader(of: &member, name)
        return (member, 46 + nameLength + extraLength + commentLength)
    }

    /// Reads a member's local header, which must say the same as the directory.
    private func readHeader(of member: inout ZipArchive.Member, _ name: ArraySlice<UInt8>) throws(OpenDataError) {
        let start = member.headerOffset
        guard start < size else { throw broken("'\(member.shownName)' does not lie within the file", start) }
        let header = try bytes(at: start, min(30 + name.count, size - start))
        let fields = ByteFields(header[...])
        guard fields.number(0, 4) == 0x0403_4B50, let flags = fields.number(6, 2), let method = fields.number(8, 2),
            let checksum = fields.number(14, 4), let compressed = fields.number(18, 4),
            let whole = fields.number(22, 4),
            let nameLength = fields.number(26, 2), let extraLength = fields.number(28, 2)
        else { throw broken("there is no member '\(member.shownName)' where the directory says", start) }
        func agrees(_ local: Int, _ central: Int) -> Bool {
            local == central || local == ZipDirectory.saturated32 || member.hasDescriptor && local == 0
        }
        guard nameLength == name.count, fields.slice(30, nameLength) == name, method == member.method,
            (flags ^ member.flags) & 0x2049 == 0, agrees(checksum, Int(member.checksum)),
            agrees(compressed, member.compressedSize), agrees(whole, member.size)
        else { throw broken("the directory and the member '\(member.shownName)' itself do not agree", start) }
        member.dataOffset = start + 30 + nameLength + extraLength
    }

    /// Throws unless each member ends before the next begins, and the last before the directory does.
    private func checkPlaces(_ members: [ZipArchive.Member], before end: Int) throws(OpenDataError) {
        let order = members.indices.sorted { members[$0].headerOffset < members[$1].headerOffset }
        for (place, index) in order.enumerated() {
            let member = members[index]
            let limit = place + 1 < order.count ? members[order[place + 1]].headerOffset : end
            guard member.dataOffset <= limit, member.compressedSize <= limit - member.dataOffset else {
                throw broken("the member '\(member.shownName)' overlaps what follows it", member.headerOffset)
            }
        }
    }

    // MARK: Names

    /// The data of an extra field.
    private static func extra(_ wanted: Int, in extra: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var fields = ByteFields(extra)
        while let id = fields.number(0, 2), let length = fields.number(2, 2), let data = fields.slice(4, length) {
            if id == wanted { return data }
            fields = ByteFields(fields.bytes.dropFirst(4 + length))
        }
        return nil
    }

    /// A member's name: UTF-8 where the archive says so or it is that, else the Big5 of Windows.
    private static func label(_ name: ArraySlice<UInt8>, _ extra: ArraySlice<UInt8>, isUTF8: Bool) -> String {
        func utf8(_ bytes: ArraySlice<UInt8>) -> String? {
            var validator = UTF8Validator()
            guard validator.firstInvalid(in: bytes.span) == nil, validator.isComplete else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
        if isUTF8, let name = utf8(name) { return name }
        if let unicode = ZipDirectory.extra(0x7075, in: extra), unicode.first == 1 {
            let fields = ByteFields(unicode)
            let isCurrent = fields.number(1, 4) == Int(Inflater.checksum(0, Array(name), from: 0))
            if isCurrent, let name = utf8(unicode.dropFirst(5)) { return name }
        }
        if let name = utf8(name) { return name }
        let payload = Payload(response: Response(url: "name:"), body: .bytes(Array(name)))
        if var text = try? TextSource.open(payload, encodings: [.cp950]).source {
            var bytes: [UInt8] = []
            while let count = try? text.read(1 << 12, into: &bytes) {
                if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            }
        }
        return ArchiveName.escaped(Array(name))
    }

    // MARK: Bytes

    private func bytes(at offset: Int, _ count: Int) throws(OpenDataError) -> [UInt8] {
        var source = try payload.open(at: offset)
        var bytes: [UInt8] = []
        while bytes.count < count, try source.read(count - bytes.count, into: &bytes) > 0 {}
        guard bytes.count == count else { throw broken("the file ends too early", offset + bytes.count) }
        return bytes
    }

    private func broken(_ sentence: String, _ offset: Int) -> OpenDataError {
        OpenDataError(.malformed, "the ZIP archive is broken: \(sentence)", position: Position(byte: offset))
    }
}
