public import OpenDataCore

/// A ZIP archive (APPNOTE 6.3.10, ZIP64 too) whose members are read without being unpacked into files of their names.
///
/// Members are stored or deflated; others can be listed but not opened. Names are labels: where they are not in UTF-8
/// they are read as the Big5 of Windows (code page 950). Archives within archives are not followed.
public struct ZipArchive: Sendable {
    /// A file or folder in an archive.
    public struct Member: Sendable, Hashable {
        /// The name with its folders, as the archive has it; no path on this machine.
        public let name: String
        /// The number of bytes.
        public let size: Int
        /// The number of bytes that they take in the archive.
        public let compressedSize: Int
        let method: Int
        let flags: Int
        let checksum: UInt32
        let headerOffset: Int
        var dataOffset = 0

        init(
            name: String, size: Int, compressedSize: Int, method: Int, flags: Int, checksum: UInt32, headerOffset: Int
        ) {
            self.name = name
            self.size = size
            self.compressedSize = compressedSize
            self.method = method
            self.flags = flags
            self.checksum = checksum
            self.headerOffset = headerOffset
        }

        /// Whether the member is a folder.
        public var isFolder: Bool { name.utf8.last == UInt8(ascii: "/") || name.utf8.last == UInt8(ascii: "\\") }

        /// Whether sizes and checksum stand behind the data.
        var hasDescriptor: Bool { flags & 8 != 0 }
        /// The name as messages have it.
        var shownName: String { ArchiveName.visible(name) }
        /// The last part of the name.
        var lastName: String { name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? name }
    }

    /// The members, folders too, in the order of the archive's directory.
    public let members: [Member]
    private let payload: Payload
    let limit: InflationLimit

    /// Reads the directory of an archive, whose members may have so many bytes at most, each and those selected
    /// together.
    ///
    /// Throws ``OpenDataError/Code/malformed`` for an archive that is broken or whose members overlap,
    /// ``OpenDataError/Code/truncated`` for one without an end, ``OpenDataError/Code/tooLarge`` for one of more than
    /// 100,000 members, ``OpenDataError/Code/unexpectedContent`` for a part of one, and
    /// ``OpenDataError/Code/unreadable``.
    /// - Parameter payload: The archive, which has to be a file or bytes in memory.
    public init(_ payload: Payload, maximumBytes: Int) throws(OpenDataError) {
        self.payload = payload
        limit = InflationLimit(maximumBytes: maximumBytes)
        members = try ZipDirectory(payload).members()
    }

    /// The bytes of a member, decompressed as they are read; size and checksum are checked at the end.
    ///
    /// Throws ``OpenDataError/Code/unexpectedContent`` for a member that is encrypted or compressed in a way that is
    /// not supported, and ``OpenDataError/Code/tooLarge`` for one that has too many bytes. Reading throws
    /// ``OpenDataError/Code/malformed`` where the data are not what the directory says.
    public func open(_ member: Member) throws(OpenDataError) -> any ByteSource {
        if member.flags & 0x2041 != 0 {
            throw OpenDataError(.unexpectedContent, "the member '\(member.shownName)' is encrypted")
        }
        guard [0, 8].contains(member.method), member.flags & 0x20 == 0 else {
            throw OpenDataError(
                .unexpectedContent,
                "the member '\(member.shownName)' is compressed by method \(member.method); "
                    + "only 0 (stored) and 8 (deflate) are read"
            )
        }
        try limit.check(member.size, from: member.compressedSize)
        return try ZipMemberSource(try payload.open(at: member.dataOffset), member, limit)
    }

    /// A member as a payload of its own, decompressed into a temporary file and checked to its end.
    ///
    /// Throws what ``open(_:)`` and reading throw, and ``OpenDataError/Code/unwritable``.
    public func payload(of member: Member) throws(OpenDataError) -> Payload {
        var copy = payload
        copy.body = .temporary(try TemporaryFile(holding: try open(member)))
        let answer = Response(fileName: member.lastName, url: "")
        copy.response.headers.removeAll { ["content-disposition", "content-type"].contains($0.name.lowercased()) }
        copy.response.headers += answer.headers
        return copy
    }
}

extension TemporaryFile {
    /// A file with all bytes of a source.
    ///
    /// Throws what reading and writing throw, and ``OpenDataError/Code/cancelled``.
    convenience init(holding source: any ByteSource) throws(OpenDataError) {
        try self.init()
        var source = source
        var buffer: [UInt8] = []
        while try source.read(1 << 17, into: &buffer) > 0 {
            if Task.isCancelled { throw OpenDataError(.cancelled, "the decompression was called off") }
            try append(buffer)
            buffer.removeAll(keepingCapacity: true)
        }
    }
}
