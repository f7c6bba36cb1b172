/// How the cells of one field are read: its rules, prepared once.
struct FieldPlan: Sendable {
    /// What reading a cell gives.
    enum Outcome {
        /// The conforming cell.
        case cell(Cell)
        /// The cell is no value of the type.
        case misfit
    }

    /// What the kernel can do for a field.
    enum Fast {
        /// Read text whose only missing value is the empty one, or none.
        case texts(emptyIsNull: Bool)
        /// Read numbers.
        case numbers
        /// Read whole numbers.
        case wholeNumbers
        /// Know the last day again.
        case days
        /// Nothing.
        case none
    }

    let isRequired: Bool
    /// How the kernel reads the field.
    let fast: Fast
    var hasMarks: Bool { !marks.isEmpty }
    /// Whether the field takes whatever comes as it is.
    var takesAnything: Bool { type == .any }

    private let type: FieldType
    private let zone: TimeZoneOffset
    private let missing: [[UInt8]]
    private let longestMissing: Int
    private let emptyIsMissing: Bool
    private var marks: [(text: [UInt8], keepsValue: Bool)]

    init(_ field: Field) {
        isRequired = field.isRequired
        type = field.type
        zone = field.zone
        missing = field.missingValues.map { Array($0.utf8) }
        longestMissing = missing.map(\.count).max() ?? -1
        emptyIsMissing = missing.contains([])
        marks = field.marks.map { (Array($0.text.utf8), $0.keepsValue) }
        fast = FieldPlan.fast(for: field)
    }

    /// What a value of the type is called in a message.
    var noun: String {
        switch type {
        case .string, .any: "text"
        case .integer: "whole number"
        case .number: "number"
        case .boolean: "true or false"
        case .date: "day of the calendar"
        case .datetime: "time"
        }
    }

    /// Reads a cell and returns it in the field's type.
    ///
    /// - Parameters:
    ///   - overwrites: Whether a number may be rewritten where it stands: whether no other field reads the cell.
    ///   - last: The last day of the field and its text.
    ///   - mark: Set to the mark found, if one was.
    func read(
        _ cell: Cell, in bytes: inout [UInt8], overwrites: Bool = true, _ last: inout LastDay,
        mark: inout Cell
    ) -> Outcome {
        switch cell.kind {
        case .absent, .null: return .cell(cell)
        case .number where type == .number: return .cell(cell)
        case .boolean:
            if type == .boolean || type == .any { return .cell(cell) }
            return .misfit
        case .date: return type == .date || type == .any ? .cell(cell) : .misfit
        case .dateTime: return type == .datetime || type == .any ? .cell(cell) : .misfit
        case .json: return type == .any ? .cell(cell) : .misfit
        case .text, .number: break
        }
        if type == .any { return .cell(cell.length == 0 && !cell.isQuoted ? .null : cell) }

        var range = TextTrimming.trimmed(cell.range, in: bytes)
        if range.isEmpty {
            // A bare empty cell never says more than "nothing"; a quoted one does where the field tells them apart.
            if emptyIsMissing || !cell.isQuoted { return .cell(.null) }
        } else if range.count <= longestMissing, isMissing(range, in: bytes) {
            return .cell(.null)
        }
        if hasMarks, let found = findMark(range, in: bytes) {
            mark = Cell(.text, offset: found.mark.lowerBound, length: found.mark.count)
            range = TextTrimming.trimmed(found.rest, in: bytes)
            if range.isEmpty { return .cell(.null) }
            if !found.keepsValue {
                // The value means nothing, but it has to be one.
                var plain = self
                plain.marks = []
                var none = Cell.null
                let text = Cell(.text, offset: range.lowerBound, length: range.count, quoted: true)
                guard case .cell = plain.read(text, in: &bytes, overwrites: false, &last, mark: &none) else {
                    return .misfit
                }
                return .cell(.null)
            }
        }
        switch type {
        case .string, .any:
            let (isQuoted, isPlain) = (cell.isQuoted, cell.isPlain)
            return .cell(
                Cell(.text, offset: range.lowerBound, length: range.count, quoted: isQuoted, plain: isPlain))
        case .integer, .number:
            let isInteger = type == .integer
            guard let number = NumberText.canonical(range, in: &bytes, integer: isInteger, overwrites: overwrites)
            else {
                return .misfit
            }
            return .cell(Cell(.number, offset: number.lowerBound, length: number.count))
        case .boolean:
            return switch String(decoding: bytes[range], as: UTF8.self).lowercased() {
            case "true": .cell(.boolean(true))
            case "false": .cell(.boolean(false))
            default: .misfit
            }
        case .date, .datetime:
            if range.count == last.text.count, bytes[range].elementsEqual(last.text) { return .cell(last.cell) }
            let value: Cell? =
                type == .date
                ? CalendarDate(parsing: bytes[range].span).map(Cell.date)
                : DateTime(parsing: bytes[range].span, zone: zone).map(Cell.dateTime)
            guard let value else { return .misfit }
            last = LastDay(bytes[range], value)
            return .cell(value)
        }
    }

    private static func fast(for field: Field) -> Fast {
        // What means "missing" or is a mark must not look like a value to the kernel.
        let isEmptyMissing = field.missingValues.contains("")
        switch field.type {
        case .string:
            return field.missingValues.allSatisfy(\.isEmpty) && field.marks.isEmpty
                ? .texts(emptyIsNull: isEmptyMissing) : .none
        case .integer, .number:
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            let isTold =
                isEmptyMissing && field.missingValues.allSatisfy { !$0.utf8.contains { digits ~= $0 } }
                && field.marks.allSatisfy { !$0.text.utf8.contains { digits ~= $0 || $0 == UInt8(ascii: "-") } }
            return !isTold ? .none : field.type == .integer ? .wholeNumbers : .numbers
        case .date: return isEmptyMissing && field.marks.isEmpty ? .days : .none
        case .boolean, .datetime, .any: return .none
        }
    }

    private func isMissing(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        missing.contains { $0.count == range.count && bytes[range].elementsEqual($0) }
    }

    /// The first mark that stands at the start or the end of a cell, and what it leaves.
    private func findMark(
        _ range: Range<Int>, in bytes: [UInt8]
    ) -> (mark: Range<Int>, rest: Range<Int>, keepsValue: Bool)? {
        for (text, keepsValue) in marks where range.count >= text.count {
            let start = range.lowerBound + text.count
            let end = range.upperBound - text.count
            if bytes[range.lowerBound..<start].elementsEqual(text) {
                return (range.lowerBound..<start, start..<range.upperBound, keepsValue)
            }
            if bytes[end..<range.upperBound].elementsEqual(text) {
                return (end..<range.upperBound, range.lowerBound..<end, keepsValue)
            }
        }
        return nil
    }
}
