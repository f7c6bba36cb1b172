import OpenDataCore

/// The elements and attributes that records have had so far, told apart by where they stand, and the columns of some.
///
/// The record itself is path 0. A path that has come after another is tried first when that one is met again, so that
/// records of like structure cost one comparison an element.
struct XMLPaths: Sendable {
    /// What a path leads to.
    enum Kind: UInt8, Sendable {
        case element, attribute
        /// A value around the record, whose name is all of its path.
        case surrounding
    }

    private struct Path: Sendable {
        var parent: Int32
        var kind: Kind
        var name: Range<Int>
        // The column, below 0 where there is none.
        var column: Int32 = -1
        // The path that was met after this one when it was last met.
        var successor: Int32 = -1
    }

    private struct Key: Hashable {
        var parent: Int32
        var kind: Kind
        var name: [UInt8]
    }

    /// The most columns that records may have together.
    static let maximumColumns = 2048
    /// The most paths.
    static let maximumPaths = 1 << 16

    private var paths: [Path] = [Path(parent: -1, kind: .element, name: 0..<0)]
    private var names: [UInt8] = []
    private var table: [Key: Int32] = [:]
    // The column of each name, and whether it is a path's or still waits for one.
    private var claimed: [[UInt8]: Bool] = [:]
    private var numbers: [[UInt8]: Int] = [:]
    // The column of the record's own text, if it has one.
    private(set) var textColumn: Int?
    /// The columns' names.
    private(set) var columns: [String] = []

    /// Starts with columns that are known beforehand.
    init(columns names: [String]) {
        for name in names {
            let bytes = Array(name.utf8)
            guard claimed[bytes] == nil else { continue }
            claimed[bytes] = false
            numbers[bytes] = columns.count
            columns.append(name)
        }
    }

    /// The path of a name below another, given the path that was met before it.
    ///
    /// - Complexity: O(bytes of the name).
    mutating func child(
        of parent: Int, _ kind: Kind, _ bytes: Span<UInt8>, _ range: Range<Int>, after previous: Int
    ) throws(XMLStop) -> Int {
        let guess = Int(paths[previous].successor)
        if guess >= 0 {
            let path = paths[guess]
            if path.parent == parent, path.kind == kind, XMLText.areEqual(names[path.name], bytes, range) {
                return guess
            }
        }
        let found: Int
        let key = Key(parent: Int32(parent), kind: kind, name: XMLText.copy(bytes, range))
        if let number = table[key] {
            found = Int(number)
        } else {
            guard paths.count < XMLPaths.maximumPaths else {
                throw .tooMany(
                    at: range.lowerBound, "the records have more than \(XMLPaths.maximumPaths) different elements")
            }
            found = paths.count
            let start = names.count
            names += key.name
            paths.append(Path(parent: Int32(parent), kind: kind, name: start..<names.count))
            table[key] = Int32(found)
        }
        paths[previous].successor = Int32(found)
        return found
    }

    /// The bytes of a path's last name.
    func name(of path: Int) -> ArraySlice<UInt8> { names[paths[path].name] }

    /// The column of a path; `nil` if it has none yet.
    @inline(__always)
    func column(of path: Int) -> Int? {
        let column = paths[path].column
        return column < 0 ? nil : Int(column)
    }

    /// Gives a path a column: one that is known and waits for it, or a new one.
    ///
    /// `nil` if it would have to be new and must not be.
    mutating func makeColumn(of path: Int, mayAdd: Bool, at index: Int) throws(XMLStop) -> Int? {
        guard let column = try makeColumn(fullName(of: path), mayAdd: mayAdd, at: index) else { return nil }
        paths[path].column = Int32(column)
        return column
    }

    /// Gives the record's own text a column.
    mutating func makeTextColumn(mayAdd: Bool, at index: Int) throws(XMLStop) -> Int? {
        textColumn = try makeColumn(Array("#text".utf8), mayAdd: mayAdd, at: index)
        return textColumn
    }

    private mutating func makeColumn(_ wanted: [UInt8], mayAdd: Bool, at index: Int) throws(XMLStop) -> Int? {
        // Two paths can have one name, as a.b has that of b in a: the second is told apart by a number.
        var name = wanted
        var number = 2
        while claimed[name] == true {
            name = wanted + Array("_\(number)".utf8)
            number += 1
        }
        if let column = numbers[name] {
            claimed[name] = true
            return column
        }
        guard mayAdd else { return nil }
        guard columns.count < XMLPaths.maximumColumns else {
            throw .tooMany(
                at: index,
                "the records have more than \(XMLPaths.maximumColumns) columns; is each a list rather than a record?")
        }
        claimed[name] = true
        numbers[name] = columns.count
        columns.append(String(decoding: name, as: UTF8.self))
        return columns.count - 1
    }

    private func fullName(of path: Int) -> [UInt8] {
        var parts: [ArraySlice<UInt8>] = []
        var number = path
        while number > 0 {
            parts.append(names[paths[number].name])
            number = Int(paths[number].parent)
        }
        if paths[path].kind == .attribute { parts[0] = [UInt8(ascii: "@")] + parts[0] }
        return Array(parts.reversed().joined(separator: [UInt8(ascii: ".")]))
    }
}
