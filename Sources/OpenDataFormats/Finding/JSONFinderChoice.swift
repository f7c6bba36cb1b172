import OpenDataCore

/// Which of the arrays and objects that were found in a document are the records.
struct JSONFinderChoice {
    /// The layout, and what is to be told of it.
    var layout = JSONLayout()
    private(set) var findings: [String] = []

    private let survey: JSONFinderSurvey
    private let hints: FormatHints
    private var finds: [JSONFinderFind] { survey.finds }

    init(_ survey: JSONFinderSurvey, _ hints: FormatHints) {
        (self.survey, self.hints) = (survey, hints)
    }

    /// Chooses, or throws: see ``JSONFinder/find(in:_:nested:)``.
    mutating func choose() throws(OpenDataError) {
        guard let document = survey.document else { return }
        if survey.isSequence {
            guard hints.records == nil || hints.records == "$" else {
                throw notThere("the records are objects, one after the other")
            }
            layout.columns = known(document.keys)
            return
        }
        if hints.records != nil { return try takeWanted() }
        if document.isArray, let array = finds.last, array.path == "$" {
            // Beside objects there may be arrays of some in a document that is an array.
            let candidates = finds.filter(\.hasRecords)
            guard array.others == 0 || candidates.count < 2 else { throw ambiguous(candidates) }
            return try take(array, isTold: false)
        }
        let (candidates, notes) = candidates()
        defer { findings += notes }
        if let only = candidates.first {
            guard candidates.count == 1 else { throw ambiguous(candidates) }
            return try take(only, isTold: true)
        }
        try takeWithoutArrays(document)
    }

    // MARK: Candidates

    /// The candidates that are left, and what is to be told of the others.
    private func candidates() -> (left: [JSONFinderFind], notes: [String]) {
        var left = finds.filter(\.hasRecords)
        var notes: [String] = []
        func drop(_ note: String, _ isDropped: (JSONFinderFind) -> Bool) {
            let dropped = left.filter(isDropped)
            if dropped.isEmpty || dropped.count == left.count { return }
            // (The condition looks at the others that are left.)
            let kept = left.filter { !isDropped($0) }
            left = kept
            notes += dropped.map { "\(describe($0)) \(note)" }
        }
        drop("is taken for totals beside the records") { find in
            JSONFinderChoice.isSummary(find.name)
                && left.contains { $0.container == find.container && !JSONFinderChoice.isSummary($0.name) }
        }
        let arrays = left.filter { $0.kind != .keyed || $0.count >= JSONFinderFrame.fewMembers }
        drop("is taken for metadata beside the records") { find in
            find.kind == .keyed && find.count < JSONFinderFrame.fewMembers && !arrays.isEmpty
        }
        let tables = left.filter { $0.kind == .rows && names(beside: $0) != nil }
        drop("is taken for a description of the table's columns") { find in
            find.kind == .objects && tables.contains { $0.container == find.container && find.count <= $0.width }
        }
        let described = left.filter { find in left.contains { JSONFinderChoice.describes($0, find) } }
        drop("describes the columns of the records") { find in left.contains { JSONFinderChoice.describes(find, $0) } }
        // One that the document describes or counts is what it is about.
        for evident in [described, left.filter(\.isCounted)] where left.count > 1 {
            guard let only = evident.first, evident.count == 1, left.contains(where: { $0.path == only.path }) else {
                continue
            }
            drop("is not taken: \(only.label) is what the document describes") { $0.path != only.path }
        }
        return (left, notes)
    }

    private static func isSummary(_ name: String) -> Bool {
        ["summary", "total", "totals", "subtotal", "subtotals", "sum", "footer"].contains(name.lowercased())
    }

    /// Whether objects describe the columns of records: one of their members is the name of a column in each of them,
    /// and half of the columns are named at least.
    private static func describes(_ find: JSONFinderFind, _ records: JSONFinderFind) -> Bool {
        guard find.kind == .objects, find.path != records.path, find.count > 0,
            records.kind == .objects || records.kind == .keyed, find.count * 2 >= records.keys.names.count
        else { return false }
        return find.values.values.contains { texts in
            texts.count == find.count && Set(texts).count == texts.count
                && texts.allSatisfy { records.keys.contains($0.droppingByteOrderMark) }
        }
    }

    /// The array of texts beside rows that names their columns, if there is just one.
    private func names(beside rows: JSONFinderFind) -> JSONFinderFind? {
        let all = finds.filter {
            $0.container == rows.container && $0.kind == .scalars && $0.strings?.isEmpty == false
                && $0.path != rows.path
        }
        let fitting = all.filter { $0.count == rows.width }
        return fitting.first { JSONFinderSurvey.isFields($0.name) } ?? (fitting.count == 1 ? fitting[0] : nil)
            ?? all.first { JSONFinderSurvey.isFields($0.name) }
    }

    // MARK: Taking

    private mutating func takeWanted() throws(OpenDataError) {
        guard let find = finds.last(where: \.isWanted) else {
            // An answer without records has nothing at any path.
            if !finds.contains(where: \.hasRecords), let reason = emptiness { throw noData(reason) }
            throw notThere(nil)
        }
        guard find.count > 0 else { throw noData("\(find.label) is empty") }
        try take(find, isTold: false)
    }

    /// Takes an array or object as the records.
    private mutating func take(_ find: JSONFinderFind, isTold: Bool) throws(OpenDataError) {
        layout.records = [find.label]
        if isTold { findings.append("the records are at \(find.label), \(count(find))") }
        switch find.kind {
        case .objects: takeObjects(find, isTold)
        case .keyed: takeKeyed(find)
        case .rows: try takeRows(find)
        case .scalars: findings.append("the elements of \(find.label) are single values: one column, 'value'")
        case .object: takeObject(find)
        case .undecided: throw noData(find.path == "$" ? "it is an empty array" : "\(find.label) is empty")
        }
        if find.others > 0 {
            findings.append("\(find.others) of the elements are not like the first, and are no records")
        }
    }

    private mutating func takeObjects(_ find: JSONFinderFind, _ isTold: Bool) {
        layout.columns = known(find.keys)
        if find.keys.contains("properties"), find.keys.contains("geometry") { lift() }
        if isTold, layout.lifted == nil, !find.nestedArrays.names.isEmpty {
            let names = find.nestedArrays.names.prefix(8).map { "\($0)[]" }.joined(separator: ", ")
            findings.append("within the records, these arrays stay JSON: \(names)")
        }
    }

    private mutating func lift() {
        layout.lifted = "properties"
        findings.append("the properties of the features are columns; their geometry stays JSON")
    }

    private mutating func takeKeyed(_ find: JSONFinderFind) {
        var key = "key"
        var number = 1
        while find.keys.contains(key) {
            number += 1
            key = "key_\(number)"
        }
        layout.keyColumn = find.repeating.isEmpty ? key : nil
        layout.columns = known(find.keys).map { (find.repeating.isEmpty ? [key] : []) + $0 }
        findings.append(
            find.repeating.first.map { "each record's name is repeated in its '\($0)', and is no column of its own" }
                ?? "each record's name is the column '\(key)'")
    }

    private mutating func takeRows(_ find: JSONFinderFind) throws(OpenDataError) {
        if let names = names(beside: find) {
            layout.fields = names.name
            return tellNames(names.strings ?? [], "\(names.path)")
        }
        let header = find.rows.first ?? []
        switch hints.headerRows {
        case 0: layout.columns = JSONLayout.uniqueNames(header.map { _ in "" })
        case nil where hasHeader(find), 1:
            layout.hasHeaderRow = true
            findings.append("the first row of \(find.label) names the columns")
            tellNames(header.map(\.text), "the first row")
        default:
            throw OpenDataError(
                .badArgument,
                "the records at \(find.label) are rows of \(find.width) cells, and nothing tells whether the first row names "
                    + "the columns: --header-rows 1 if it does, --header-rows 0 if it is a record")
        }
    }

    /// Whether the first row of rows names the columns: all texts, of which no other row of figures has the like.
    private func hasHeader(_ find: JSONFinderFind) -> Bool {
        guard let header = find.rows.first, find.rows.count > 1,
            header.allSatisfy({ !$0.isBlank && !$0.isFigure }),
            Set(header.map { Array($0.text.utf8) }).count == header.count
        else { return false }
        return header.indices.contains { column in
            let cells = find.rows.dropFirst().compactMap { column < $0.count ? $0[column] : nil }.filter { !$0.isBlank }
            return !cells.isEmpty && cells.allSatisfy(\.isFigure)
        }
    }

    private mutating func tellNames(_ names: [String], _ place: String) {
        let unique = JSONLayout.uniqueNames(names)
        let changed = zip(names, unique).filter { !$0.utf8.elementsEqual($1.utf8) }
        guard let (name, renamed) = changed.first else { return }
        layout.hasUniqueNames = true
        findings.append(
            "\(changed.count) of the \(names.count) column names in \(place) "
                + (changed.count == 1 ? "is" : "are") + " used before or blank; the first of them, '\(name)', becomes "
                + "'\(renamed)'")
    }

    /// Takes an object as the only record, or its members as columns.
    private mutating func takeObject(_ find: JSONFinderFind) {
        if let columns = columns(of: find.path == "$" ? "" : find.path) {
            layout.form = .columns
            layout.columns = columns.map(\.name)
            findings.append("the arrays of \(find.label) are columns of \(columns[0].count) values")
            return
        }
        layout.form = .record
        layout.columns = known(find.keys)
        if find.keys.contains("properties"), find.keys.contains("geometry") { lift() }
    }

    /// The arrays of scalars in an object, if there are several, all of one length, and no other arrays.
    private func columns(of container: String) -> [JSONFinderFind]? {
        let arrays = finds.filter { $0.container == container && $0.path != "$" }
        guard arrays.count > 1,
            arrays.allSatisfy({ $0.kind == .scalars && $0.others == 0 && $0.count > 1 && $0.count == arrays[0].count }),
            Set(arrays.map { Array($0.name.utf8) }).count == arrays.count
        else { return nil }
        return arrays
    }

    /// The names, unless there are more than can be columns.
    private func known(_ keys: JSONFinderNames) -> [String]? {
        1...JSONColumns.maximumCount ~= keys.names.count ? keys.names : nil
    }

    // MARK: Nothing to take

    /// Takes a document without arrays of records: for columns, or for one record.
    private mutating func takeWithoutArrays(_ document: JSONFinderFrame) throws(OpenDataError) {
        if document.isArray { throw noData("it is an array without records") }
        let keys = document.keys
        if let emptiness { throw noData(emptiness) }
        let containers = Set(finds.filter { $0.kind == .scalars }.map(\.container))
        if containers.count == 1, let container = containers.first, let columns = columns(of: container) {
            layout.records = [container.isEmpty ? "$" : container]
            layout.form = .columns
            layout.columns = columns.map(\.name)
            findings.append(
                "the arrays of \(layout.records[0]) are columns: \(columns.count) columns, \(columns[0].count) records")
            return
        }
        guard finds.isEmpty else { throw ambiguous(finds) }
        (layout.form, layout.columns) = (.record, known(keys))
        findings.append("the document is one object, and is taken for one record")
        if keys.contains("properties"), keys.contains("geometry") { lift() }
    }

    /// Why a document in which no records were found has none, if it says so.
    private var emptiness: String? {
        guard let document = survey.document, !document.isArray else { return nil }
        if document.keys.names.isEmpty { return "it is an empty object" }
        let empty = finds.first { ($0.count == 0 || $0.kind == .objects) && !$0.hasRecords }
        if let empty { return "\(empty.path)[] has no records\(sentence.map { "; \($0)" } ?? "")" }
        let absent = document.texts.first { text in
            text.text.isEmpty && ["data", "records", "rows", "items", "result", "results"].contains(text.name)
        }
        return sentence ?? absent.map { "\($0.name) has no value" }
    }

    /// What the document says in place of records, if it does.
    private var sentence: String? {
        let names = [
            "stat", "status", "message", "msg", "error", "errors", "errmsg", "errormessage", "error_message",
            "rtmessage",
            "retmsg", "returnmessage", "reason", "detail", "success", "statuscode",
        ]
        guard let document = survey.document else { return nil }
        for name in names {
            if let text = document.texts.first(where: { $0.name.lowercased() == name })?.text {
                return "\(name) says '\(text)'"
            }
            if let key = document.keys.names.first(where: { $0.lowercased() == name && name.hasPrefix("error") }) {
                return "it has a member '\(key)'"
            }
        }
        return nil
    }

    private func noData(_ reason: String) -> OpenDataError {
        OpenDataError(.noData, "the document has no records: \(reason)")
    }

    private func ambiguous(_ candidates: [JSONFinderFind]) -> OpenDataError {
        let list = candidates.prefix(20).map { "\($0.label) (\(summary($0)))" }.joined(separator: ", ")
        let more = candidates.count > 20 ? " and \(candidates.count - 20) more" : ""
        return OpenDataError(
            .badArgument,
            "the records may be at \(list)\(more); name one with --records PATH, or the document as one record with "
                + "--records $")
    }

    private func notThere(_ reason: String?) -> OpenDataError {
        let path = hints.records ?? ""
        let others = finds.filter { $0.count > 0 }.prefix(20).map { "\($0.label) (\(summary($0)))" }
        let found = others.isEmpty ? "there are no arrays" : "there are \(others.joined(separator: ", "))"
        return OpenDataError(
            .badArgument, "there are no records at '\(path)' (--records): \(reason ?? found)")
    }

    private func describe(_ find: JSONFinderFind) -> String { "\(find.label) (\(summary(find)))" }

    private func count(_ find: JSONFinderFind) -> String {
        switch find.kind {
        case .objects, .keyed: find.count == 1 ? "an object" : "\(find.count) objects"
        case .rows: "\(find.count) \(find.count == 1 ? "row" : "rows") of \(find.width)"
        case .scalars: find.count == 1 ? "a value" : "\(find.count) values"
        case .object: "an object"
        case .undecided: "empty"
        }
    }

    /// How many elements there are, and what they are about.
    private func summary(_ find: JSONFinderFind) -> String {
        let about = find.title.flatMap { $0.isEmpty ? nil : $0 } ?? find.keys.names.prefix(3).joined(separator: ", ")
        return count(find) + (about.isEmpty ? "" : ": \(about)")
    }
}
