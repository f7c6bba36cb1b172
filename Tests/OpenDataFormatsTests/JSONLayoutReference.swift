import OpenDataCore
import OpenDataFormats

/// What a document is expected to decode to in a layout, from its tree.
struct JSONLayoutReference {
    var columns: [String] = []
    /// The values of each record, in the order of the columns, without those that are absent at its end.
    var records: [[Value]] = []
    var rejects: [Reject.Code] = []
    /// Whether the document is sound, but has nothing that the layout can read.
    var isRefused = false
    private let layout: JSONLayout

    /// `nil` for a document with several values at the path; throws for one that breaks the grammar.
    init?(_ text: String, _ layout: JSONLayout) throws {
        self.layout = layout
        let values = try JSONReference.values(text)
        guard values.count == 1 else { throw JSONReference.Refused() }
        let path = layout.records[0]
        let isKeyed = path.hasSuffix("{}")
        let found = JSONLayoutReference.values(at: isKeyed ? String(path.dropLast(2)) : path, of: values[0])
        guard found.count < 2 else { return nil }
        switch (found.first, layout.form) {
        case (.object(let members), _) where isKeyed:
            if let key = layout.keyColumn { add(key) }
            for (key, value) in members { takeKeyed(key.0, value) }
        case (.object(let members), .record): take(members, key: nil)
        case (.object(let members), .columns): takeColumns(members)
        case (.array(let elements), .records) where !isKeyed: take(elements)
        default: isRefused = true
        }
        for number in records.indices {
            while records[number].last == .absent { records[number].removeLast() }
        }
    }

    /// The values at a path of names and indexes.
    private static func values(at path: String, of tree: JSONReference.Tree) -> [JSONReference.Tree] {
        var trees = [tree]
        for step in path.split(whereSeparator: { ".[]".contains($0) }).map(String.init) where step != "$" {
            trees = trees.flatMap { tree -> [JSONReference.Tree] in
                switch tree {
                case .object(let members): members.filter { $0.key.0 == step }.map(\.value)
                case .array(let elements): Int(step).map { $0 < elements.count ? [elements[$0]] : [] } ?? []
                default: []
                }
            }
        }
        return trees
    }

    private mutating func add(_ name: String) {
        if !columns.contains(name) { columns.append(name) }
    }

    private mutating func takeKeyed(_ key: String, _ value: JSONReference.Tree) {
        if case .object(let members) = value { take(members, key: key) } else { rejects.append(.notARecord) }
    }

    private mutating func take(_ members: [(key: (String, String), value: JSONReference.Tree)], key: String?) {
        var values: [(String, Value)] = []
        if let key, let column = layout.keyColumn { values.append((column, .text(key))) }
        flatten(members, behind: "", into: &values)
        for (name, _) in values { add(name) }
        if Set(values.map(\.0)).count < values.count { return rejects.append(.duplicateKey) }
        records.append(columns.map { name in values.first { $0.0 == name }?.1 ?? .absent })
    }

    private func flatten(
        _ members: [(key: (String, String), value: JSONReference.Tree)], behind path: String,
        into values: inout [(String, Value)]
    ) {
        for (key, value) in members {
            if case .object(let inner) = value, layout.nested == .columns {
                flatten(inner, behind: path + key.0 + ".", into: &values)
            } else {
                values.append((path + key.0, value.value))
            }
        }
    }

    private mutating func takeColumns(_ members: [(key: (String, String), value: JSONReference.Tree)]) {
        var arrays: [[Value]] = []
        for (key, value) in members {
            guard case .array(let elements) = value else { continue }
            if columns.contains(key.0) || arrays.first.map({ $0.count != elements.count }) == true { isRefused = true }
            columns.append(key.0)
            arrays.append(elements.map(\.value))
        }
        if isRefused { return }
        records = (0..<(arrays.first?.count ?? 0)).map { row in arrays.map { $0[row] } }
    }

    private mutating func take(_ elements: [JSONReference.Tree]) {
        var kind = ""
        for element in elements {
            switch element {
            case .object(let members) where kind == "" || kind == "object":
                kind = "object"
                take(members, key: nil)
            case .array(let cells) where layout.hasHeaderRow && kind == "":
                kind = "row"
                columns = cells.map {
                    if case .string(let text, _) = $0 { text } else { $0.value == .null ? "" : $0.minified }
                }
            case .array(let cells) where kind == "row":
                if cells.count == columns.count {
                    records.append(cells.map(\.value))
                } else {
                    rejects.append(.fieldCount)
                }
            case .null, .boolean, .number, .string:
                guard kind == "scalar" || kind == "" && !layout.hasHeaderRow else { fallthrough }
                kind = "scalar"
                columns = ["value"]
                records.append([element.value])
            default: rejects.append(.notARecord)
            }
        }
    }
}
