import OpenDataCore

/// An object or array that is open while a document is looked through.
struct JSONFinderFrame {
    let isArray: Bool
    // Whether nothing of it has been read yet.
    var isFirst = true
    /// What it is if it is records: of an object, if its members are.
    var find: JSONFinderFind
    /// The number of finds before it.
    let firstFind: Int

    // MARK: Of an object

    /// The member under way, and all so far.
    var key = ""
    var keys = JSONFinderNames()
    /// Short scalars, in order.
    var texts: [(name: String, text: String)] = []
    /// The members whose text is the object's own name.
    var repeating: [String] = []
    /// Whether what was found in its members has been dropped, since they look like records.
    var hasDropped = false
    /// Whether members were read that are no objects.
    var hasOthers = false
    // The keys that all members which are objects have; whether they all have the same.
    private var common: [String]?
    private var firstKeys = JSONFinderNames()
    private var isAlike = true

    /// The most scalars that are kept of an object, and the most bytes of one.
    static let maximumTexts = 256
    static let maximumText = 200

    init(_ find: JSONFinderFind, isArray: Bool, firstFind: Int) {
        (self.find, self.isArray, self.firstFind) = (find, isArray, firstFind)
    }

    /// Whether the members may be records with their names as keys: all are objects, and share keys.
    var mayBeKeyed: Bool { !hasOthers && find.count > 1 && common?.isEmpty == false }

    /// Whether they look like it: few of them have to have the very same keys and hold no arrays that may be the
    /// records.
    func isKeyed(holdsArrays: Bool) -> Bool {
        mayBeKeyed && (find.count >= JSONFinderFrame.fewMembers || isAlike && !holdsArrays)
    }

    /// Below so many members, an object of objects may be something else than records.
    static let fewMembers = 5

    /// Takes note of a scalar among the members.
    mutating func take(_ text: String?) {
        keys.add(key)
        hasOthers = true
        guard let text, texts.count < JSONFinderFrame.maximumTexts else { return }
        texts.append((key, text))
        if text.utf8.elementsEqual(find.name.utf8), !find.name.isEmpty { repeating.append(key) }
    }

    /// Takes note of an object among the members.
    mutating func takeMember(_ member: JSONFinderFrame) {
        keys.add(key)
        find.count += 1
        find.keys.add(member.keys.names)
        if let common {
            if !common.isEmpty { self.common = common.filter { member.keys.contains($0) } }
            if isAlike { isAlike = firstKeys.isSame(as: member.keys) }
            find.repeating = find.repeating.filter { name in
                member.repeating.contains { $0.utf8.elementsEqual(name.utf8) }
            }
        } else {
            common = member.keys.names
            firstKeys = member.keys
            find.repeating = member.repeating
        }
    }

    /// Takes note of an object among the elements.
    mutating func takeElement(_ element: JSONFinderFrame) {
        find.keys.add(element.keys.names)
        for (name, text) in element.texts where find.values.count <= JSONFinderFrame.maximumTexts {
            find.values[name, default: []].append(text)
        }
    }

    /// Takes note of a row among the elements.
    mutating func takeRow(_ cells: [Cell], _ bytes: Span<UInt8>) {
        find.kind = .rows
        find.count += 1
        if find.rows.count < (cells.count > 100 ? 4 : 32), cells.count <= JSONColumns.maximumCount {
            find.rows.append(
                cells.map { cell in
                    let text = JSONFinderFrame.text(cell, bytes) ?? "…"
                    return JSONFinderFind.Sample(text: text, isText: cell.kind == .text)
                })
        }
    }

    /// Takes note of a scalar among the elements.
    mutating func takeScalar(_ cell: Cell, _ bytes: Span<UInt8>) {
        find.kind = .scalars
        find.count += 1
        guard cell.kind == .text, find.count <= JSONColumns.maximumCount, cell.length <= 2000 else {
            find.strings = nil
            return
        }
        find.strings?.append(JSONStrings.text(bytes, cell.range).droppingByteOrderMark)
    }

    /// The text of a short scalar, as it is written if it is none.
    static func text(_ cell: Cell, _ bytes: Span<UInt8>) -> String? {
        switch cell.kind {
        case .text, .number: cell.length <= maximumText ? JSONStrings.text(bytes, cell.range) : nil
        case .boolean: cell.boolean ? "true" : "false"
        case .null: ""
        default: nil
        }
    }
}
