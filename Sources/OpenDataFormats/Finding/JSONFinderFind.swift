import OpenDataCore

/// An array, or an object that may be records, in a document that is looked through.
struct JSONFinderFind {
    /// What the elements are; the first decides.
    enum Kind { case undecided, objects, rows, scalars, keyed, object }

    /// The path, as in ``JSONLayout`` but without braces.
    let path: String
    /// The path of the object that it is a member of, and the name of the member.
    let container: String
    let name: String
    var kind = Kind.undecided
    /// The number of elements, and of those that are not like the first.
    var count = 0
    var others = 0
    /// The keys of all records.
    var keys = JSONFinderNames()
    /// Of few objects, the texts of each member.
    var values: [String: [String]] = [:]
    /// Of few scalars that are all texts, those.
    var strings: [String]? = []
    /// The first rows, as texts; `nil` is no text but a number or something else.
    var rows: [[Sample]] = []
    /// The members of the records that hold arrays of objects or of rows.
    var nestedArrays = JSONFinderNames()
    /// Whether elements are objects around tables rather than records.
    var containsTables = false
    /// Of an object of records, the members that repeat the record's name in each of them.
    var repeating: [String] = []
    /// Of an object, whether it is an object of records, going by what it holds.
    var isKeyed = false
    /// Whether the document states the number of elements.
    var isCounted = false
    /// What the object around it says its title is.
    var title: String?
    /// Whether it is at the path that is wanted.
    var isWanted = false

    init(_ path: String, in container: String, _ name: String) {
        (self.path, self.container, self.name) = (path, container, name)
    }

    /// A cell of a row.
    struct Sample: Equatable {
        var text: String
        var isText: Bool

        var isBlank: Bool { text.utf8.allSatisfy { $0 <= 0x20 } }
        /// Whether it is a number or looks like one, like a date or like a time.
        var isFigure: Bool {
            guard isText else { return true }
            let bytes = text.utf8
            return bytes.contains { $0 &- 0x30 < 10 }
                && bytes.allSatisfy { $0 &- 0x30 < 10 || "+-.,/%: ".utf8.contains($0) }
        }
    }

    /// The number of cells of the rows.
    var width: Int { rows.first?.count ?? 0 }
    /// Whether there are records here, whatever else there is; of an object that may be one of records, whether it
    /// looks like it.
    var hasRecords: Bool {
        switch kind {
        case .objects: count > 0 && !keys.names.isEmpty
        case .keyed: isKeyed
        case .rows: count > 0 && width > 0
        case .undecided, .scalars, .object: false
        }
    }
    /// The path as it is named to people and in layouts.
    var label: String { kind == .keyed ? path + "{}" : path }
}
