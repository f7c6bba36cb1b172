/// Writes ZIP archives, sound ones and others.
public struct ZipWriter: Sendable {
    /// A member, and how it departs from what it should be.
    public struct Member: Sendable {
        /// The name.
        public var name: [UInt8]
        /// The bytes.
        public var content: [UInt8]
        /// How it is compressed: 8 is deflated, 0 as it is.
        public var method = 8
        /// The flags of its headers.
        public var flags = 0
        /// Extra fields of the directory.
        public var extra: [UInt8] = []
        /// Whether sizes and checksum stand behind the data.
        public var hasDescriptor = false
        /// Whether the directory has its sizes as ZIP64 has them.
        public var isLarge = false
        /// What the archive says in place of the truth.
        public var checksum: UInt32?
        /// The same.
        public var size: Int?
        /// The same, in the header before the data.
        public var localName: [UInt8]?
        /// The same.
        public var headerOffset: Int?
        /// The same.
        public var descriptorSize: Int?
        /// The same: the data as they stand in the archive.
        public var data: [UInt8]?

        /// Makes a deflated member.
        public init(_ name: String, _ content: String) { self.init(Array(name.utf8), Array(content.utf8)) }

        /// Makes a deflated member.
        public init(_ name: [UInt8], _ content: [UInt8]) {
            self.name = name
            self.content = content
        }

        /// The member with a change.
        public func with(_ change: (inout Member) -> Void) -> Member {
            var copy = self
            change(&copy)
            return copy
        }
    }

    /// The members, in order.
    public var members: [Member]
    /// What stands at the end.
    public var comment: [UInt8]
    /// Whether the directory is found as in ZIP64.
    public var isLarge: Bool

    /// Makes a writer.
    public init(members: [Member], comment: [UInt8] = [], isLarge: Bool = false) {
        self.members = members
        self.comment = comment
        self.isLarge = isLarge
    }

    /// A number, the low byte first.
    public static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// The archive.
    public var bytes: [UInt8] {
        var output: [UInt8] = []
        var directory: [UInt8] = []
        let number = ZipWriter.number
        for member in members {
            let data = member.data ?? (member.method == 8 ? Compression.deflated(member.content) : member.content)
            let checksum = Int(member.checksum ?? Compression.checksum(member.content))
            let size = member.size ?? member.content.count
            let flags = member.flags | (member.hasDescriptor ? 8 : 0)
            let offset = member.headerOffset ?? output.count
            let told = member.hasDescriptor ? (0, 0, 0) : (checksum, data.count, size)
            let localName = member.localName ?? member.name
            output +=
                number(0x0403_4B50, 4) + number(20, 2) + number(flags, 2) + number(member.method, 2) + number(0, 4)
            output +=
                number(told.0, 4) + number(told.1, 4) + number(told.2, 4) + number(localName.count, 2) + number(0, 2)
                + localName
            output += data
            if member.hasDescriptor {
                output += number(0x0807_4B50, 4) + number(checksum, 4) + number(data.count, 4)
                output += number(member.descriptorSize ?? size, 4)
            }
            let large =
                member.isLarge
                ? number(1, 2) + number(24, 2) + number(size, 8) + number(data.count, 8) + number(offset, 8) : []
            directory +=
                number(0x0201_4B50, 4) + number(20, 2) + number(20, 2) + number(flags, 2) + number(member.method, 2)
                + number(0, 4)
            directory += number(checksum, 4) + number(member.isLarge ? 0xFFFF_FFFF : data.count, 4)
            directory += number(member.isLarge ? 0xFFFF_FFFF : size, 4) + number(member.name.count, 2)
            directory += number(member.extra.count + large.count, 2) + number(0, 10)
            directory += number(member.isLarge ? 0xFFFF_FFFF : offset, 4) + member.name + member.extra + large
        }
        let start = output.count
        output += directory
        if isLarge {
            let place = output.count
            output += number(0x0606_4B50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8)
            output +=
                number(members.count, 8) + number(members.count, 8) + number(directory.count, 8) + number(start, 8)
            output += number(0x0706_4B50, 4) + number(0, 4) + number(place, 8) + number(1, 4)
        }
        output +=
            number(0x0605_4B50, 4) + number(0, 4) + number(isLarge ? 0xFFFF : members.count, 2)
            + number(isLarge ? 0xFFFF : members.count, 2)
        output += number(isLarge ? 0xFFFF_FFFF : directory.count, 4) + number(isLarge ? 0xFFFF_FFFF : start, 4)
        return output + number(comment.count, 2) + comment
    }
}
