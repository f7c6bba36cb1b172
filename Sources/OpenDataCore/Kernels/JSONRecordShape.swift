/// How the records of a text of JSON are written, down to the byte: everything but the values.
///
/// Programs write all records alike: the same keys in the same order, with the same white space. What stands between two
/// values, such as `,"name":`, is a joint; a record is its joints and its values in turn.
package struct JSONRecordShape: Sendable {
    /// What stands in front of a value.
    struct Joint {
        /// Where its bytes begin among those of the shape.
        var offset: Int
        /// How many they are.
        var count: Int
        /// The column of the value.
        var column: Int
    }

    /// The joints, in order: the first begins with the bracket.
    private(set) var joints: [Joint] = []
    /// What stands behind the last value, up to the bracket, and what stands between two records.
    private(set) var closing = Joint(offset: 0, count: 0, column: -1)
    private(set) var between = Joint(offset: 0, count: 0, column: -1)
    /// The bytes of them all, with a block to spare.
    private(set) var bytes: [UInt8]
    /// The number of line ends from one record's beginning to the next one's.
    package let lines: Int
    /// The number of bytes of the line that the next record begins on in front of it, if there are line ends at all.
    package let indentation: Int

    /// Makes a shape of the pieces of one record, which has one value at least.
    ///
    /// `nil` if a piece is very long, if line ends are neither LF nor CRLF, and if there are any but none behind the last
    /// value: it would take a look at the values to tell where the last line begins.
    package init?(joints: [(text: [UInt8], column: Int)], closing: [UInt8], between: [UInt8]) {
        var all: [UInt8] = []
        func joint(_ text: [UInt8], _ column: Int) -> Joint? {
            guard text.count <= 4096 else { return nil }
            for (index, byte) in text.enumerated() where byte == UInt8(ascii: "\r") {
                guard index + 1 < text.count, text[index + 1] == UInt8(ascii: "\n") else { return nil }
            }
            defer { all += text }
            return Joint(offset: all.count, count: text.count, column: column)
        }
        guard !joints.isEmpty else { return nil }
        for (text, column) in joints {
            guard let joint = joint(text, column) else { return nil }
            self.joints.append(joint)
        }
        guard let last = joint(closing, -1), let gap = joint(between, -1) else { return nil }
        lines = all.count { $0 == UInt8(ascii: "\n") }
        let tail = all[last.offset...]
        indentation = tail.count - (tail.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 - last.offset } ?? 0)
        guard lines == 0 || tail.contains(UInt8(ascii: "\n")) else { return nil }
        (self.closing, self.between) = (last, gap)
        bytes = all + [UInt8](repeating: 0, count: 16)
    }
}
