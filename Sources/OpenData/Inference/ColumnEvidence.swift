import OpenDataCore

/// What the values of one column have in common.
struct ColumnEvidence: Sendable {
    private let name: String
    /// Whether there was any value.
    private var hasValues = false
    // What each value so far could be.
    private var mayBeInteger = true
    private var mayBeNumber = true
    private var mayBeBoolean = true
    private var mayBeDate = true
    private var mayBeDateTime = true
    private var mayBeText = true
    /// What stood in the place of a value, if the values are no texts.
    private var missing: Set<String> = []
    /// Whether a day was written without anything between its numbers.
    private var hasBareDays = false
    private var lastDay: [UInt8] = []

    private static let missingValues = Field.commonMissingValues.filter { !$0.isEmpty }

    init(name: String) { self.name = name }

    /// Takes a cell into account.
    mutating func see(_ cell: Cell, of bytes: [UInt8]) {
        switch cell.kind {
        case .absent, .null: return
        case .boolean:
            (mayBeInteger, mayBeNumber, mayBeDate, mayBeDateTime, mayBeText) = (false, false, false, false, false)
        case .json:
            (mayBeInteger, mayBeNumber, mayBeDate, mayBeDateTime, mayBeText) = (false, false, false, false, false)
            mayBeBoolean = false
        case .date, .dateTime: mayBeBoolean = false
        case .text, .number:
            let range = ColumnEvidence.trimmed(cell.range, in: bytes)
            if range.isEmpty { return }
            let couldBeTyped = mayBeInteger || mayBeNumber || mayBeDate || mayBeDateTime
            if cell.kind == .text, range.count <= 4, couldBeTyped {
                let text = String(decoding: bytes[range], as: UTF8.self)
                if ColumnEvidence.missingValues.contains(text) {
                    missing.insert(text)
                    return
                }
            }
            mayBeBoolean = false
            guard couldBeTyped else { break }
            if cell.kind == .number { (mayBeDate, mayBeDateTime) = (hasBareDayName && mayBeDate, false) }
            seeText(bytes[range])
        }
        hasValues = true
    }

    private mutating func seeText(_ text: ArraySlice<UInt8>) {
        if mayBeInteger || mayBeNumber {
            let number = NumberShape(text)
            mayBeInteger = mayBeInteger && number == .integer
            mayBeNumber = mayBeNumber && number != .none
        }
        guard mayBeDate || mayBeDateTime else { return }
        // Columns of days repeat them.
        if text.elementsEqual(lastDay) { return }
        let characters = String(decoding: text, as: UTF8.self)
        if mayBeDate {
            let day = CalendarDate(parsing: characters)
            mayBeDate = day.map { 1900...2100 ~= $0.year } ?? false
            if text.allSatisfy({ $0 &- 48 < 10 }) { hasBareDays = true }
        }
        if mayBeDateTime { mayBeDateTime = DateTime(parsing: characters, zone: .taipei) != nil }
        lastDay = mayBeDate || mayBeDateTime ? Array(text) : []
    }

    /// The field that fits all of it.
    var field: Field {
        let type = type
        switch type {
        case .string, .any: return Field(name, sourceNames: [name], type: type, missing: [])
        default: return Field(name, sourceNames: [name], type: type, missing: [""] + missing.sorted())
        }
    }

    private var type: FieldType {
        guard hasValues else { return missing.isEmpty ? .any : .string }
        if mayBeBoolean { return .boolean }
        if mayBeDate, !hasBareDays || hasBareDayName { return .date }
        if mayBeDateTime { return .datetime }
        if mayBeInteger || mayBeNumber, !isCode { return mayBeInteger ? .integer : .number }
        return mayBeText ? .string : .any
    }

    /// Whether the name says that the values are days.
    private var hasBareDayName: Bool {
        let words = name.lowercased()
        return ["日期", "年月日", "date", "日"].contains { words.holds($0) }
    }

    /// Whether the name says that the values are no quantities.
    private var isCode: Bool {
        let words = name.lowercased()
        let signs = ["代號", "代碼", "編號", "統編", "統一編號", "電話", "傳真", "郵遞區號", "序號", "帳號", "code", "phone", "zip"]
        return signs.contains { words.holds($0) } || words == "id" || words.hasSuffix("_id") || words.hasSuffix("id號")
    }

    private static func trimmed(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
        var range = range
        while !range.isEmpty, bytes[range.lowerBound] <= 0x20 { range = (range.lowerBound + 1)..<range.upperBound }
        while !range.isEmpty, bytes[range.upperBound - 1] <= 0x20 { range = range.lowerBound..<(range.upperBound - 1) }
        return range
    }
}

/// Whether a text is a number that loses nothing by being read as one.
private enum NumberShape {
    case none, integer, decimal

    /// Looks at `-?(0|[1-9]\d{0,37})(\.\d+)?`, the whole part with or without commas between groups of three.
    init(_ text: ArraySlice<UInt8>) {
        self = .none
        var index = text.startIndex
        if text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+") { index += 1 }
        let start = index
        var digits = 0
        // The digits since the last comma.
        var group = 0
        var hasCommas = false
        while index < text.endIndex, text[index] &- 48 < 10 || text[index] == UInt8(ascii: ",") {
            if text[index] == UInt8(ascii: ",") {
                guard hasCommas ? group == 3 : 1...3 ~= group else { return }
                (hasCommas, group) = (true, 0)
            } else {
                digits += 1
                group += 1
            }
            index += 1
        }
        guard digits > 0, !hasCommas || group == 3 else { return }
        // A leading zero says that the value is a code.
        if text[start] == UInt8(ascii: "0"), digits > 1 { return }
        if index == text.endIndex {
            if digits <= 38 { self = .integer }
            return
        }
        guard text[index] == UInt8(ascii: ".") else { return }
        let fraction = text[(index + 1)...]
        guard !fraction.isEmpty, fraction.allSatisfy({ $0 &- 48 < 10 }), digits + fraction.count <= 38 else { return }
        self = .decimal
    }
}
