import OpenDataCore

/// Names in order of first appearance, told apart by their UTF-8.
struct JSONFinderNames {
    /// The names; one more than a table may have columns if there were more.
    private(set) var names: [String] = []
    private var numbers: [[UInt8]: Int] = [:]

    /// Adds a name, if it is new.
    mutating func add(_ name: String) {
        if names.count > JSONColumns.maximumCount { return }
        let bytes = Array(name.utf8)
        if numbers[bytes] != nil { return }
        numbers[bytes] = names.count
        names.append(name)
    }

    /// Adds names, as far as they are new.
    mutating func add(_ others: [String]) {
        // Records mostly have the keys of the one before.
        if others.count <= names.count, zip(others, names).allSatisfy({ $0.utf8.elementsEqual($1.utf8) }) { return }
        for name in others { add(name) }
    }

    func contains(_ name: String) -> Bool { numbers[Array(name.utf8)] != nil }

    /// Whether both have the same names, in any order.
    func isSame(as other: JSONFinderNames) -> Bool {
        names.count == other.names.count && names.allSatisfy { other.contains($0) }
    }
}
