/// How the records of a text of JSON are written, down to the byte: everything but the values.
///
/// Programs write all records alike: the same keys in the same order, with the same white space. What stands between
/// two values, such as `,"name":`, is a joint; a record is its joints and its values in turn. Some of them may be
/// missing.
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
    /// Whether a record may be without some of the values: whether all line ends stand behind the last one.
    let maySkip: Bool

    /// Makes a shape of the pieces of one record, which has one value at least.
    ///
    /// `nil` if a piece is very long, if line ends are neither LF nor CRLF, and if there are any but none behind the
    /// last value: it would take a look at the values to tell where the last line begins.
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
        maySkip = !all[..<last.offset].contains(UInt8(ascii: "\n"))
        let tail = all[last.offset...]
        indentation = tail.count - (tail.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 - last.offset } ?? 0)
        guard lines == 0 || tail.contains(UInt8(ascii: "\n")) else { return nil }
        (self.closing, self.between) = (last, gap)
        bytes = all + [UInt8](repeating: 0, count: 16)
    }

    /// The shape with the values of another that this one does not have, each at its place.
    ///
    /// The shape as it is, if the columns of either are not in order or they do not begin with the same, or if records
    /// are not written in the same style.
    package func adding(_ other: JSONRecordShape) -> JSONRecordShape {
        func isOrdered(_ joints: [Joint]) -> Bool {
            zip(joints, joints.dropFirst()).allSatisfy { $0.column < $1.column }
        }
        guard maySkip, other.maySkip, isOrdered(joints), isOrdered(other.joints),
            joints.first?.column == other.joints.first?.column, text(closing) == other.text(other.closing),
            text(between) == other.text(other.between)
        else { return self }
        let known = Set(joints.map(\.column))
        var all = joints.map { (text: text($0), column: $0.column) }
        all += other.joints.filter { !known.contains($0.column) }.map { (other.text($0), $0.column) }
        all.sort { $0.column < $1.column }
        return JSONRecordShape(joints: all, closing: text(closing), between: text(between)) ?? self
    }

    private func text(_ joint: Joint) -> [UInt8] { Array(bytes[joint.offset..<(joint.offset + joint.count)]) }
}
