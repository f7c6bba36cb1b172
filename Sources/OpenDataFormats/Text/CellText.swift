import OpenDataCore

/// Writes the values that a cell holds in itself, digit by digit: no string is made on the way.
enum CellText {
    /// Adds a day in ISO 8601, `2026-07-08`.
    static func append(_ day: CalendarDate, to output: inout [UInt8]) {
        appendTwoDigits(day.year / 100, to: &output)
        appendTwoDigits(day.year % 100, to: &output)
        output.append(UInt8(ascii: "-"))
        appendTwoDigits(day.month, to: &output)
        output.append(UInt8(ascii: "-"))
        appendTwoDigits(day.day, to: &output)
    }

    /// Adds a time in ISO 8601 with its offset, `2026-07-08T13:00:00+08:00`; milliseconds only where they are not zero.
    static func append(_ time: DateTime, to output: inout [UInt8]) {
        append(time.day, to: &output)
        output.append(UInt8(ascii: "T"))
        appendTwoDigits(time.hour, to: &output)
        output.append(UInt8(ascii: ":"))
        appendTwoDigits(time.minute, to: &output)
        output.append(UInt8(ascii: ":"))
        appendTwoDigits(time.second, to: &output)
        if time.millisecond > 0 {
            output.append(UInt8(ascii: "."))
            output.append(UInt8(ascii: "0") + UInt8(time.millisecond / 100))
            appendTwoDigits(time.millisecond % 100, to: &output)
        }
        output.append(time.offsetMinutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        let offset = abs(time.offsetMinutes)
        appendTwoDigits(offset / 60, to: &output)
        output.append(UInt8(ascii: ":"))
        appendTwoDigits(offset % 60, to: &output)
    }

    /// Adds `true` or `false`.
    static func append(_ truth: Bool, to output: inout [UInt8]) {
        output.append(contentsOf: truth ? "true".utf8 : "false".utf8)
    }

    /// Adds a cell as its bare text: nothing for no value, the bytes of what points into the batch.
    static func append(_ cell: Cell, of batch: RecordBatch, to output: inout [UInt8]) {
        switch cell.kind {
        case .absent, .null: break
        case .text, .number, .json: output.append(contentsOf: batch.bytes[cell.range])
        case .boolean: append(cell.boolean, to: &output)
        case .date: append(cell.date, to: &output)
        case .dateTime: append(cell.dateTime, to: &output)
        }
    }

    /// Adds a number below 100 in two digits.
    @inline(__always)
    private static func appendTwoDigits(_ number: Int, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10))
        output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }
}
