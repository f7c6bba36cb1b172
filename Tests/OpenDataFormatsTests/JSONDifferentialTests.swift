import OpenDataCore
import OpenDataFormats
import TestSupport
import Testing

/// The decoder against ``JSONReference`` on random documents, sound ones and broken ones.
@Suite("JSON: against a second implementation")
struct JSONDifferentialTests {
    @Test("Random documents decode to what the reference makes of them", arguments: 0..<8)
    func randomDocuments(seed: Int) {
        var random = JSONGenerator(seed: UInt64(seed))
        for _ in 0..<60 {
            let (text, layout) = random.document()
            compare(text, layout, windows: [random.number(1...40), 1 << 20])
        }
    }

    @Test("Broken documents are refused by both or read the same by both", arguments: 0..<8)
    func brokenDocuments(seed: Int) {
        var random = JSONGenerator(seed: UInt64(seed + 1000))
        var refused = 0
        for _ in 0..<200 {
            let (text, layout) = random.document()
            let broken = random.breaking(Array(text.utf8))
            guard let text = String(validating: broken, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
                continue
            }
            if !compare(text, layout, windows: [random.number(1...40), 1 << 20]) { refused += 1 }
        }
        #expect(refused > 20)
    }

    /// Compares the outcome at each window size with the reference; false if both refuse the text.
    @discardableResult
    private func compare(_ text: String, _ layout: JSONLayout, windows: [Int]) -> Bool {
        let outcomes = windows.map { DocumentOutcome.decode(text.utf8, layout, window: $0) }
        #expect(outcomes[0] == outcomes[1], "\(text) at \(windows[0])")
        let outcome = outcomes[1]
        guard let expected = try? JSONExpected(text, layout) else {
            #expect(outcome.failure != nil, "\(text)")
            return false
        }
        if expected.isWithoutRecords {
            #expect(outcome.failure == .schemaChanged, "\(text) \(outcome)")
            return true
        }
        #expect(outcome.failure == nil, "\(text) \(outcome)")
        #expect(outcome.records == expected.records, "\(text)")
        #expect(outcome.columns.last == expected.columns, "\(text)")
        #expect(outcome.rejects.map(\.code) == expected.rejects, "\(text)")
        return true
    }
}

/// What a document is expected to decode to, from its tree.
private struct JSONExpected {
    var columns: [String]?
    var records: [[Value]] = []
    var rejects: [Reject.Code] = []
    var isWithoutRecords = false
    private var keys: [String] = []
    private let layout: JSONLayout

    init(_ text: String, _ layout: JSONLayout) throws {
        self.layout = layout
        let values = try JSONReference.values(text)
        guard let first = values.first else { throw JSONReference.Refused() }
        let isWhole = layout.records.contains("$")
        if case .object(let members) = first {
            let data = members.filter { $0.key.0 == "data" }.map(\.value)
            let holdsPath =
                layout.records.contains("data")
                && data.contains { if case .array = $0 { true } else { $0.value == .null } }
            if isWhole, !holdsPath {
                take(values, names: nil)
                return
            }
            guard values.count == 1 else { throw JSONReference.Refused() }
            let arrays = data.compactMap { if case .array(let elements) = $0 { elements } else { nil } }
            let filled = arrays.filter { !$0.isEmpty }
            guard !arrays.isEmpty, filled.count < 2 else {
                isWithoutRecords = true
                return
            }
            take(filled.first ?? [], names: names(members))
        } else if isWhole, case .array(let elements) = first {
            guard values.count == 1 else { throw JSONReference.Refused() }
            take(elements, names: nil)
        } else {
            isWithoutRecords = true
        }
    }

    /// The names of the last member of that name whose elements are all strings.
    private func names(_ members: [(key: (String, String), value: JSONReference.Tree)]) -> [String]? {
        for (key, value) in members.reversed() where key.0 == layout.fields {
            guard case .array(let elements) = value, !elements.isEmpty else { continue }
            let names: [String] = elements.compactMap { if case .string(let text, _) = $0 { text } else { nil } }
            if names.count == elements.count { return names }
        }
        return nil
    }

    private mutating func take(_ elements: [JSONReference.Tree], names: [String]?) {
        if layout.fields != nil, names == nil, let first = elements.first {
            guard case .object = first else {
                isWithoutRecords = true
                return
            }
        }
        var kind = ""
        for element in elements {
            switch element {
            case .object(let members) where kind == "" || kind == "object":
                kind = "object"
                take(members)
            case .array(let cells) where layout.fields != nil && (kind == "" || kind == "row"):
                kind = "row"
                if cells.count == names?.count {
                    records.append(cells.map(\.value))
                    columns = names
                } else {
                    rejects.append(.fieldCount)
                }
            case .null, .boolean, .number, .string:
                guard kind == "scalar" || kind == "" && layout.fields == nil else { fallthrough }
                kind = "scalar"
                records.append([element.value])
                columns = ["value"]
            default:
                rejects.append(.notARecord)
            }
        }
    }

    private mutating func take(_ members: [(key: (String, String), value: JSONReference.Tree)]) {
        var seen: [String: Value] = [:]
        var isRejected = false
        for (key, value) in members {
            if !keys.contains(key.0) { keys.append(key.0) }
            if seen.updateValue(value.value, forKey: key.0) != nil { isRejected = true }
        }
        if isRejected {
            rejects.append(.duplicateKey)
        } else {
            records.append(keys.map { seen[$0] ?? .absent })
            columns = keys
        }
    }
}
