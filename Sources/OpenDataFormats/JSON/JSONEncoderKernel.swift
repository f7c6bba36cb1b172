import OpenDataCore

/// The fast path of the JSON encoder: whole records that need no escapes.
///
/// It takes a record only if each of its cells is plain text, a number, null or a day. At any other record it stops, and
/// the encoder writes that one cell by cell. Bytes are copied sixteen at a time, of which the next copy overwrites what
/// does not count.
enum JSONEncoderKernel {
    /// Where the kernel stopped.
    struct Progress {
        /// The number of the first record not taken.
        var record: Int
        /// The number of bytes written.
        var written: Int
    }

    /// The most bytes that go in one copy, and so the room to spare behind every cell and in the output.
    static let block = 16

    /// Writes records from `first` on, until one is not for the kernel or the output may be too small for the next cell.
    ///
    /// - Parameters:
    ///   - bytes: The batch's bytes. A cell is taken only if sixteen bytes more lie behind it.
    ///   - cells: `count` records of `keys.count` cells.
    ///   - keyBytes: `,"name":` for each field, with sixteen bytes more behind the last.
    ///   - opening: What goes before a record: up to eight bytes, the first in the lowest bits.
    ///   - closing: What goes after it.
    ///   - output: The bytes written count only up to the end of the last whole record.
    @inline(__always)
    static func write(
        _ bytes: UnsafeRawBufferPointer, _ cells: UnsafeBufferPointer<Cell>, from first: Int, count: Int,
        keys: UnsafeBufferPointer<Range<Int>>, _ keyBytes: UnsafeRawBufferPointer, opening: (word: UInt64, count: Int),
        closing: (word: UInt64, count: Int), into output: UnsafeMutableRawBufferPointer
    ) -> Progress {
        guard let base = bytes.baseAddress, let input = cells.baseAddress, let keyBase = keyBytes.baseAddress,
            let key = keys.baseAddress, let start = output.baseAddress, output.count >= 64,
            count &* keys.count <= cells.count
        else { return Progress(record: first, written: 0) }
        // The last place at which a block can be stored, less the few bytes that stand around a value.
        let room = output.count &- 2 &* block &- 16
        let last = bytes.count &- block
        var (lastDay, lastDayText) = (Cell.null, SIMD16<UInt8>())
        var (record, whole) = (first, 0)
        while record < count {
            let row = unsafe input + record &* keys.count
            var place = whole
            if place > room { break }
            unsafe start.storeBytes(of: opening.word.littleEndian, toByteOffset: place, as: UInt64.self)
            place &+= opening.count
            var skipped = 1
            for number in 0..<keys.count {
                let range = unsafe key[number]
                let cell = unsafe row[number]
                // The key, without the comma in front of the first.
                let from = range.lowerBound &+ skipped
                let keyEnd = place &+ (range.upperBound &- from)
                if keyEnd > room { return Progress(record: record, written: whole) }
                unsafe copy(keyBase + from, to: start + place, range.upperBound &- from)
                place = keyEnd
                skipped = 0
                switch cell.kind {
                case .number, .text:
                    let isText = cell.kind == .text
                    if isText, !cell.isPlain { return Progress(record: record, written: whole) }
                    let from = cell.offset
                    let length = cell.length
                    let end = place &+ length &+ (isText ? 1 : 0)
                    if from &+ length > last || end > room { return Progress(record: record, written: whole) }
                    if isText {
                        unsafe start.storeBytes(of: UInt8(ascii: "\""), toByteOffset: place, as: UInt8.self)
                        place &+= 1
                    }
                    unsafe copy(base + from, to: start + place, length)
                    place = end
                    if isText {
                        unsafe start.storeBytes(of: UInt8(ascii: "\""), toByteOffset: place, as: UInt8.self)
                        place &+= 1
                    }
                case .null:
                    unsafe start.storeBytes(
                        of: (0x6C6C_756E as UInt32).littleEndian, toByteOffset: place, as: UInt32.self)
                    place &+= 4
                case .date:
                    if cell != lastDay {
                        (lastDay, lastDayText) = (cell, quoted(CellText(cell)))
                    }
                    unsafe start.storeBytes(of: lastDayText, toByteOffset: place, as: SIMD16<UInt8>.self)
                    place &+= 12
                case .absent, .boolean, .dateTime, .json: return Progress(record: record, written: whole)
                }
            }
            if place > room { break }
            unsafe start.storeBytes(of: closing.word.littleEndian, toByteOffset: place, as: UInt64.self)
            whole = place &+ closing.count
            record &+= 1
        }
        return Progress(record: record, written: whole)
    }

    /// Copies whole blocks until `count` bytes are copied; both sides have a block to spare behind them.
    @inline(__always)
    private static func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int) {
        var done = 0
        while done < count {
            let text = unsafe source.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self)
            unsafe target.storeBytes(of: text, toByteOffset: done, as: SIMD16<UInt8>.self)
            done &+= block
        }
    }

    /// The ten letters of a day between quotes.
    private static func quoted(_ text: CellText) -> SIMD16<UInt8> {
        var result = SIMD16<UInt8>(repeating: UInt8(ascii: "\""))
        for index in 0..<10 {
            result[index + 1] = UInt8(truncatingIfNeeded: text.words[index / 8] >> UInt64(index % 8 * 8))
        }
        return result
    }
}
