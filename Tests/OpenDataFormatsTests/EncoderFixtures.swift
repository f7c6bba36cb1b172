import OpenDataCore
import Testing

/// Makes batches from values, and runs encoders over them.
enum EncoderFixtures {
    /// One field for each kind of cell.
    static let fields: [Field] = [
        .date("date"), .text("code"), .text("name"), .number("close"), .boolean("halted"), .dateTime("seen_at"),
        Field("more", sourceNames: [], type: .any),
    ]

    /// Records with each kind of cell in each column that can have it.
    static let records: [[Value]] = [
        [
            .date(day(2026, 7, 8)), .text("0050"), .text("元大台灣50"), .number("198.10"), .boolean(true),
            .dateTime(time(day(2026, 7, 8), 13, 5)), .json(#"{"a":[1,"x, y"]}"#),
        ],
        [.null, .text("006208"), .text(""), .null, .null, .null, .null],
        [.absent, .text("1E10"), .text(#"say "hi", | \ ok"#), .number("-0.50"), .absent, .absent, .absent],
        [
            .date(day(999, 1, 31)), .text("00632R"), .text("two\nlines"), .number("9007199254740993"), .boolean(false),
            .dateTime(time(day(2026, 7, 8), 0, 0, 7, 25, -570)), .number("1e300"),
        ],
    ]

    static func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate {
        guard let day = CalendarDate(year: year, month: month, day: day) else { preconditionFailure("no such day") }
        return day
    }

    static func time(
        _ day: CalendarDate, _ hour: Int, _ minute: Int, _ second: Int = 0, _ millisecond: Int = 0,
        _ offsetMinutes: Int = 480
    ) -> DateTime {
        let time = DateTime(
            day, hour: hour, minute: minute, second: second, millisecond: millisecond, offsetMinutes: offsetMinutes)
        guard let time else { preconditionFailure("no such time") }
        return time
    }

    /// A batch of the records, whose bytes hold more than their cells.
    static func batch(_ fields: [Field], _ records: some Sequence<[Value]>, filler: String = "\"|") -> RecordBatch {
        var batch = RecordBatch(bytes: Array(filler.utf8), columns: Columns(fields.map(\.name)))
        for (index, record) in records.enumerated() {
            for value in record { batch.cells.append(cell(value, in: &batch)) }
            batch.origins.append(RecordOrigin(record: index + 1, line: index + 2, byte: 0))
        }
        batch.bytes += Array(filler.utf8)
        return batch
    }

    private static func cell(_ value: Value, in batch: inout RecordBatch) -> Cell {
        func pointing(_ kind: Cell.Kind, _ text: String) -> Cell {
            let cell = batch.append(text: text)
            return Cell(kind, offset: cell.offset, length: cell.length)
        }
        return switch value {
        case .absent: .absent
        case .null: .null
        case .text(let text): pointing(.text, text)
        case .number(let literal): pointing(.number, literal)
        case .json(let json): pointing(.json, json)
        case .boolean(let truth): .boolean(truth)
        case .date(let day): .date(day)
        case .dateTime(let time): .dateTime(time)
        }
    }

    /// What an encoder writes for batches.
    static func bytes(_ encoder: some RecordEncoder, _ fields: [Field], _ batches: [RecordBatch]) -> [UInt8] {
        var (encoder, output) = (encoder, [UInt8]())
        encoder.begin(fields, into: &output)
        for batch in batches { encoder.write(batch, into: &output) }
        encoder.finish(into: &output)
        return output
    }

    /// What an encoder writes for records in one batch.
    static func text(_ encoder: some RecordEncoder, _ fields: [Field], _ records: [[Value]]) -> String {
        String(decoding: bytes(encoder, fields, [batch(fields, records)]), as: UTF8.self)
    }

    /// What an encoder writes for one cell of text in a column `a`, beside a column that shows where the cell ends.
    static func line(_ encoder: some RecordEncoder, _ value: Value) -> String {
        let fields: [Field] = [.text("a"), .text("b")]
        let empty = text(encoder, fields, [])
        return String(
            text(encoder, fields, [[value, .text("z")]]).unicodeScalars.dropFirst(empty.unicodeScalars.count))
    }

    /// Every way to cut records into batches, with an empty batch among them.
    static func cuts(of records: [[Value]]) -> [[RecordBatch]] {
        (0..<(1 << (records.count - 1))).map { pattern in
            var batches = [batch(fields, [])]
            var start = 0
            for end in 1...records.count where end == records.count || pattern >> (end - 1) & 1 == 1 {
                batches.append(batch(fields, records[start..<end], filler: String(repeating: "x", count: end)))
                start = end
            }
            return batches
        }
    }
}
