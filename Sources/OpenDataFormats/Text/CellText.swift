import OpenDataCore

/// The text of a value that a cell holds in itself: up to 32 bytes of ASCII, made digit by digit without a string.
struct CellText {
    /// The bytes, the first in the lowest bits of the first word.
    private(set) var words: SIMD4<UInt64>
    /// The number of bytes.
    private(set) var count: Int

    /// No bytes.
    private static let none = CellText(words: [0, 0, 0, 0], count: 0)

    private init(words: SIMD4<UInt64>, count: Int) {
        self.words = words
        self.count = count
    }

    /// `true` or `false`.
    init(_ truth: Bool) {
        words = [truth ? 0x6575_7274 : 0x65_736C_6166, 0, 0, 0]
        count = truth ? 4 : 5
    }

    /// A day in ISO 8601, `2026-07-08`.
    init(_ day: CalendarDate) {
        words = [CellText.yearAndMonth(day), CellText.twoDigits(day.day), 0, 0]
        count = 10
    }

    /// A time in ISO 8601 with its offset, `2026-07-08T13:00:00+08:00`; milliseconds only where they are not zero.
    init(_ time: DateTime) {
        let day = time.day
        let (dash, colon) = (UInt64(UInt8(ascii: "-")), UInt64(UInt8(ascii: ":")))
        let minutes = abs(time.offsetMinutes)
        let sign = time.offsetMinutes < 0 ? dash : UInt64(UInt8(ascii: "+"))
        let zone = CellText.twoDigits(minutes / 60) | colon << 16 | CellText.twoDigits(minutes % 60) << 24
        let clock =
            CellText.twoDigits(day.day) | UInt64(UInt8(ascii: "T")) << 16 | CellText.twoDigits(time.hour) << 24
            | colon << 40 | CellText.twoDigits(time.minute) << 48
        let second = colon | CellText.twoDigits(time.second) << 8
        words = [CellText.yearAndMonth(day), clock, 0, 0]
        if time.millisecond == 0 {
            words[2] = second | sign << 24 | zone << 32
            words[3] = zone >> 32
            count = 25
        } else {
            let hundreds = UInt64(UInt8(ascii: "0")) + UInt64(time.millisecond / 100)
            let fraction = UInt64(UInt8(ascii: ".")) | hundreds << 8 | CellText.twoDigits(time.millisecond % 100) << 16
            words[2] = second | fraction << 24 | sign << 56
            words[3] = zone
            count = 29
        }
    }

    /// The text of a cell that is true or false, a day or a time; no bytes for any other.
    init(_ cell: Cell) {
        switch cell.kind {
        case .boolean: self.init(cell.boolean)
        case .date: self.init(cell.date)
        case .dateTime: self.init(cell.dateTime)
        case .absent, .null, .text, .number, .json: self = .none
        }
    }

    /// Adds a cell as its bare text: nothing for no value, the bytes of what points into the batch.
    static func append(_ cell: Cell, of batch: RecordBatch, to output: inout [UInt8]) {
        switch cell.kind {
        case .absent, .null: break
        case .text, .number, .json: output.append(contentsOf: batch.bytes[cell.range])
        case .boolean, .date, .dateTime:
            let text = CellText(cell)
            for index in 0..<text.count {
                output.append(UInt8(truncatingIfNeeded: text.words[index >> 3] >> UInt64((index & 7) * 8)))
            }
        }
    }

    /// Four digits, a dash, two digits, a dash.
    private static func yearAndMonth(_ day: CalendarDate) -> UInt64 {
        let dash = UInt64(UInt8(ascii: "-"))
        return twoDigits(day.year / 100) | twoDigits(day.year % 100) << 16 | dash << 32 | twoDigits(day.month) << 40
            | dash << 56
    }

    /// The two digits of a number below 100.
    @inline(__always)
    private static func twoDigits(_ number: Int) -> UInt64 {
        0x3030 + UInt64(truncatingIfNeeded: number / 10 | (number % 10) << 8)
    }
}
