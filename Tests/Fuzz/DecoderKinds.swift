import OpenDataCore
import OpenDataFormats
import TestSupport

/// The decoder of delimited text, by dialects declared and at random.
struct CSVKind: FuzzKind {
    let name = "csv"
    let share = 20
    let seeds: [FuzzSeed]

    func run(_ random: inout SeededGenerator, _ trial: inout Trial) -> Bool {
        guard let seed = seeds.randomElement(using: &random), let other = seeds.randomElement(using: &random),
            var format = seed.formats.randomElement(using: &random)
        else { return false }
        trial.bytes = Mutator.input(seed.bytes, others: other.bytes, words: CSVSeeds.words, using: &random)
        if !Mutator.chance(1, of: 6, &random), seed.isUTF8 { trial.bytes = Mutator.repaired(trial.bytes) }
        if Mutator.chance(1, of: 4, &random) {
            format = .csv(Self.dialect(&random), encodings: format.encodings)
        }
        trial.reading = { "\(format)" }
        return trial.read(format, window: Mutator.window(for: trial.bytes.count, &random)).isAccepted
    }

    private static func dialect(_ random: inout SeededGenerator) -> CSVDialect {
        var dialect = CSVDialect(delimiter: [",", "\t", ";", "|"].randomElement(using: &random) ?? ",")
        dialect.titleRows = Int.random(in: 0...2, using: &random)
        dialect.headerRows = Int.random(in: 0...2, using: &random)
        dialect.namesRow = Int.random(in: 1...2, using: &random)
        if Bool.random(using: &random) { dialect.columnCount = Int.random(in: 1...6, using: &random) }
        dialect.distinctNames = Bool.random(using: &random)
        dialect.missingCells = Int.random(in: 0...2, using: &random)
        dialect.skipsEmptyRecords = Bool.random(using: &random)
        dialect.keepsTextFormulas = Bool.random(using: &random)
        if Mutator.chance(1, of: 3, &random) { dialect.footnotes = ["註", "合計"] }
        if Mutator.chance(1, of: 4, &random) { dialect.recordCount = Int.random(in: 0...4, using: &random) }
        return dialect
    }
}

extension Trial {
    /// Takes an input made of the seeds, and returns the format to read it in: nearly always one that its seed is declared
    /// in; `nil` without seeds.
    fileprivate mutating func take(
        _ seeds: [FuzzSeed], _ words: [[UInt8]], _ random: inout SeededGenerator
    ) -> Format? {
        guard let seed = seeds.randomElement(using: &random), let other = seeds.randomElement(using: &random) else {
            return nil
        }
        bytes = Mutator.input(seed.bytes, others: other.bytes, words: words, using: &random)
        if !Mutator.chance(1, of: 6, &random), seed.isUTF8 { bytes = Mutator.repaired(bytes) }
        let formats = Mutator.chance(1, of: 8, &random) ? other.formats : seed.formats
        guard let format = formats.randomElement(using: &random) else { return nil }
        reading = { "\(format)" }
        return format
    }
}

/// The decoder of JSON, by layouts declared.
struct JSONKind: FuzzKind {
    let name = "json"
    let share = 20
    let seeds: [FuzzSeed]

    func run(_ random: inout SeededGenerator, _ trial: inout Trial) -> Bool {
        guard let format = trial.take(seeds, JSONSeeds.words, &random) else { return false }
        let reading = trial.read(format, window: Mutator.window(for: trial.bytes.count, &random))
        judge(reading, format, &trial)
        return reading.isAccepted
    }

    /// Asks another reader whether a document is JSON at all.
    private func judge(_ reading: Reading, _ format: Format, _ trial: inout Trial) {
        let layout = format.dialect as? JSONLayout
        if reading.isAccepted {
            guard !JSONJudge.isJSON(trial.bytes, orSequence: layout?.records.contains("$") == true) else { return }
            trial.fail("accepted, and no JSON: \(reading.summary)")
        } else if reading.failure == .malformed || reading.failure == .truncated {
            // (Columns of several lengths are malformed as records, and JSON.)
            guard layout?.form != .columns, JSONJudge.isJSON(trial.bytes, orSequence: false) else { return }
            trial.fail("refused, and JSON: \(reading.summary)")
        }
    }
}

/// The decoder of XML, by layouts declared.
struct XMLKind: FuzzKind {
    let name = "xml"
    let share = 20
    let seeds: [FuzzSeed]

    func run(_ random: inout SeededGenerator, _ trial: inout Trial) -> Bool {
        guard let format = trial.take(seeds, XMLSeeds.words, &random) else { return false }
        return trial.read(format, window: Mutator.window(for: trial.bytes.count, &random)).isAccepted
    }
}

/// Formats found by evidence, and decoding by what was found.
struct FinderKind: FuzzKind {
    let name = "find"
    let share = 10
    let seeds: [[UInt8]]

    private static let words = CSVSeeds.words + JSONSeeds.words + XMLSeeds.words

    func run(_ random: inout SeededGenerator, _ trial: inout Trial) -> Bool {
        guard let seed = seeds.randomElement(using: &random), let second = seeds.randomElement(using: &random) else {
            return false
        }
        trial.bytes = Mutator.input(seed, others: second, words: Self.words, using: &random)
        if Bool.random(using: &random) { trial.bytes = Mutator.repaired(trial.bytes) }
        let hints = Self.hints(&random)
        let invalid: TextSource.InvalidText = Mutator.chance(1, of: 4, &random) ? .replaced : .refused
        let window = Mutator.window(for: trial.bytes.count, &random)
        trial.reading = { "\(hints), \(invalid)" }
        let one = find(trial.bytes, hints, invalid)
        let other = find(trial.bytes, hints, invalid, window)
        switch (one, other) {
        case (.success(let found), .success(let again)):
            if found.format != again.format || found.findings != again.findings {
                trial.fail("found \(found), and with windows of \(window) \(again)")
            }
            let hinted = trial.reading
            trial.reading = { "\(hinted()) -> \(found.format)" }
            let payload = Payload(trial.bytes)
            let reading = Reading(payload, found.format, invalid: invalid)
            let narrow = Reading(payload, found.format, window: window, invalid: invalid)
            if let fault = reading.fault ?? narrow.fault { trial.fail(fault) }
            if !reading.agrees(with: narrow) {
                trial.fail("with windows of \(window): \(narrow.summary)\n  with one window: \(reading.summary)")
            }
            // The whole payload was looked at, so that what was found has to hold.
            if !reading.isAccepted { trial.fail("found, and then refused: \(reading.summary)") }
            return reading.isAccepted
        case (.failure(let error), .failure(let again)):
            // (Text is checked ahead of what looks at it: see `Reading`.)
            if error.description != again.description, ![error.code, again.code].contains(.invalidText) {
                trial.fail("refused by \(error), and with windows of \(window) by \(again)")
            }
            return false
        default:
            trial.fail("found \(one), and with windows of \(window) \(other)")
            return false
        }
    }

    private func find(
        _ bytes: [UInt8], _ hints: FormatHints, _ invalid: TextSource.InvalidText,
        _ window: Int = RecordReader.defaultWindowSize
    ) -> Result<FoundFormat, OpenDataError> {
        Result { () throws(OpenDataError) in
            try FormatFinder.find(in: Payload(bytes), hints, invalid: invalid, windowSize: window)
        }
    }

    private static func hints(_ random: inout SeededGenerator) -> FormatHints {
        var hints = FormatHints()
        // Most payloads come without a word.
        guard Mutator.chance(1, of: 4, &random) else { return hints }
        if Bool.random(using: &random) { hints.titleRows = Int.random(in: 0...2, using: &random) }
        if Bool.random(using: &random) { hints.headerRows = Int.random(in: 0...2, using: &random) }
        if Mutator.chance(1, of: 4, &random) {
            hints.format = ["csv", "tsv", "json", "xml"].randomElement(using: &random)
        }
        if Mutator.chance(1, of: 4, &random) {
            hints.encoding = [.utf8, .cp950, .utf16le].randomElement(using: &random)
        }
        if Mutator.chance(1, of: 4, &random) {
            hints.delimiter = [0x2C, 0x09, 0x3B, 0x7C].randomElement(using: &random)
        }
        if Mutator.chance(1, of: 4, &random) {
            hints.records = ["$", "data", "result.records", "a", "table/row"].randomElement(using: &random)
        }
        if Bool.random(using: &random) { hints.nested = .columns }
        return hints
    }
}
