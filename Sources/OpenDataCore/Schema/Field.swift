/// One column of a data set: its name here, its names at the publisher, its type and its rules.
public struct Field: Sendable, Hashable {
    /// The name in every output: ASCII `snake_case`.
    public var name: String
    /// The publisher's names of the column, any of which may occur; `name` itself is always one more.
    public var sourceNames: [String]
    /// The logical type.
    public var type: FieldType
    /// The title in Chinese.
    public var title: String
    /// The title in English.
    public var english: String
    /// The unit of the numbers.
    public var unit: Unit?
    /// The whole-cell texts that mean "no value", compared after white space is trimmed.
    public var missingValues: [String]
    /// Whether a record without a value here is rejected.
    public var isRequired: Bool
    /// Whether the publisher may leave the whole column out.
    public var isOptionalColumn: Bool
    /// Signs that may stand beside a value.
    public var marks: [Mark]
    /// The zone of times that do not say theirs.
    public var zone: TimeZoneOffset

    /// What publishers in Taiwan write where there is no value.
    public static let commonMissingValues = ["", "-", "--", "---", "----", "N/A", "n/a", "NA", "ND", "－", "…"]

    /// Makes a field.
    ///
    /// Titles not given are the first published name and the words of `name`.
    public init(
        _ name: String, sourceNames: [String], type: FieldType, title: String? = nil, english: String? = nil,
        unit: Unit? = nil, missing: [String]? = nil, required: Bool = false, optionalColumn: Bool = false,
        marks: [Mark] = [], zone: TimeZoneOffset = .taipei
    ) {
        self.name = name
        self.sourceNames = sourceNames
        self.type = type
        self.title = title ?? sourceNames.first ?? name
        self.english = english ?? Field.words(of: name)
        self.unit = unit
        self.missingValues = missing ?? (type == .string || type == .any ? [""] : Field.commonMissingValues)
        self.isRequired = required
        self.isOptionalColumn = optionalColumn
        self.marks = marks
        self.zone = zone
    }

    /// The words of a name in `snake_case`.
    private static func words(of name: String) -> String {
        let underscore = UInt8(ascii: "_")
        guard name.utf8.contains(underscore) else { return name }
        return String(decoding: name.utf8.map { $0 == underscore ? 0x20 : $0 }, as: UTF8.self)
    }

    /// The name of the companion that holds the marks found, or `nil` for a field without marks.
    public var markName: String? { marks.isEmpty ? nil : name + "_mark" }
}

extension Field {
    /// A text field.
    ///
    /// Only an empty cell is missing; pass `missing: []` to tell `""` from null.
    public static func text(
        _ name: String, _ sourceNames: String..., title: String? = nil, english: String? = nil,
        missing: [String]? = nil, required: Bool = false, optionalColumn: Bool = false
    ) -> Field {
        Field(
            name, sourceNames: sourceNames, type: .string, title: title, english: english, missing: missing,
            required: required, optionalColumn: optionalColumn)
    }

    /// A field of whole numbers; separators of thousands are allowed.
    public static func integer(
        _ name: String, _ sourceNames: String..., title: String? = nil, english: String? = nil, unit: Unit? = nil,
        missing: [String]? = nil, required: Bool = false, optionalColumn: Bool = false, marks: [Mark] = []
    ) -> Field {
        Field(
            name, sourceNames: sourceNames, type: .integer, title: title, english: english, unit: unit,
            missing: missing, required: required, optionalColumn: optionalColumn, marks: marks)
    }

    /// A field of decimal numbers; separators of thousands are allowed, digits are kept.
    public static func number(
        _ name: String, _ sourceNames: String..., title: String? = nil, english: String? = nil, unit: Unit? = nil,
        missing: [String]? = nil, required: Bool = false, optionalColumn: Bool = false, marks: [Mark] = []
    ) -> Field {
        Field(
            name, sourceNames: sourceNames, type: .number, title: title, english: english, unit: unit,
            missing: missing, required: required, optionalColumn: optionalColumn, marks: marks)
    }

    /// A field of true and false.
    public static func boolean(
        _ name: String, _ sourceNames: String..., title: String? = nil, english: String? = nil,
        required: Bool = false, optionalColumn: Bool = false
    ) -> Field {
        Field(
            name, sourceNames: sourceNames, type: .boolean, title: title, english: english, required: required,
            optionalColumn: optionalColumn)
    }

    /// A field of days, in any form that ``CalendarDate`` reads.
    public static func date(
        _ name: String, _ sourceNames: String..., title: String? = nil, english: String? = nil,
        missing: [String]? = nil, required: Bool = false, optionalColumn: Bool = false, marks: [Mark] = []
    ) -> Field {
        Field(
            name, sourceNames: sourceNames, type: .date, title: title, english: english, missing: missing,
            required: required, optionalColumn: optionalColumn, marks: marks)
    }

    /// A field of times, in any form that ``DateTime`` reads; times without an offset are of `zone`.
    public static func dateTime(
        _ name: String, _ sourceNames: String..., zone: TimeZoneOffset = .taipei, title: String? = nil,
        english: String? = nil, missing: [String]? = nil, required: Bool = false, optionalColumn: Bool = false
    ) -> Field {
        Field(
            name, sourceNames: sourceNames, type: .datetime, title: title, english: english, missing: missing,
            required: required, optionalColumn: optionalColumn, zone: zone)
    }
}
