import OpenDataCore

/// The fast path of the JSON encoder: whole records of texts, numbers, nulls and days.
///
/// It takes a record only if there is room for it. At any other record it stops, and
/// the encoder writes that one cell by cell. Bytes are copied sixteen at a time, of which the next copy overwrites what
/// does not count.
enum JSONEncoderKernel {
    /// The name of a member as it is written, `,"name":` and the quote of a text, in a block of all names.
    struct Key {
        /// The first byte.
        var offset: Int
        /// The number of bytes without the quote.
        var length: Int
    }

    /// The bytes that go in one copy.
    ///
    /// Behind every cell there are two blocks to spare, behind every key one.
    static let block = 16

    /// Writes records from `first` on, until one is not for the kernel or the output may be too small for the next
    /// cell.
    ///
    /// - Parameters:
    ///   - bytes: The batch's bytes. A cell is taken only if thirty-two bytes more lie behind it.
    ///   - cells: `count` records of `keys.count` cells.
    ///   - keys: Places in `keyBytes`, each with sixteen bytes more behind it. What goes before a record is part of the
    ///     first.
    ///   - closing: What goes after a record: up to eight bytes, the first in the lowest bits.
    ///   - escapes: ``JSONTextKernel/escapes``.
    ///   - output: The bytes written count only up to the end of the last whole record.
    @inline(__always)
    static func write(
        _ bytes: UnsafeRawBufferPointer, _ cells: UnsafeBufferPointer<Cell>, from first: Int, count: Int,
        keys: UnsafeBufferPointer<Key>, _ keyBytes: UnsafeRawBufferPointer, closing: (word: UInt64, count: Int),
        escapes: UnsafePointer<UInt64>, into output: UnsafeMutableRawBufferPointer
    ) -> EncoderProgress {
        // What is kept of a record that is not whole: nothing.
        var progress = EncoderProgress(record: first, written: 0)
        // The last place at which a key, a block and the few bytes around a value can be stored.
        var longest = 0
        for number in 0..<keys.count { longest = max(longest, unsafe keys[number].length) }
        guard let base = bytes.baseAddress,
            var cell = unsafe cells.baseAddress.map({ unsafe $0 + first &* keys.count }),
            let keyBase = keyBytes.baseAddress, let firstKey = keys.baseAddress, let start = output.baseAddress,
            count &* keys.count <= cells.count, output.count > longest + 4 * block
        else { return progress }
        let limit = unsafe start + (output.count &- longest &- 4 &* block)
        let lastKey = unsafe firstKey + keys.count
        let last = bytes.count &- 2 &* block
        var (lastDay, lastDayText) = (Cell.null, SIMD16<UInt8>())
        var place = unsafe start
        while progress.record < count {
            var key = unsafe firstKey
            while unsafe key < lastKey {
                if unsafe place > limit { return progress }
                let (name, value) = unsafe (key.pointee, cell.pointee)
                unsafe place.copyBlock(from: keyBase + name.offset)
                if name.length >= block {
                    unsafe place.copyBlocksBehindFirst(from: keyBase + name.offset, count: name.length &+ 1)
                }
                unsafe place += name.length
                if value.isTextOrNumber {
                    let (offset, length) = (value.offset, value.length)
                    if offset &+ length > last { return progress }
                    if !value.isPlain {
                        // In bounds: sixteen bytes more can be read behind the cell, and there is room up to the limit.
                        unsafe place.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
                        let written = unsafe JSONTextKernel.write(
                            base + offset, count: length, readable: bytes.count &- offset, to: place + 1,
                            room: limit - place, escapes)
                        if written < 0 { return progress }
                        unsafe place += written &+ 1
                        unsafe place.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
                        unsafe place += 1
                        unsafe key += 1
                        unsafe cell += 1
                        continue
                    }
                    let quote = value.kind == .text ? 1 : 0
                    unsafe place += quote
                    // Two blocks whether or not the second is needed: names are now shorter than one, now longer.
                    unsafe place.copyBlock(from: base + offset)
                    unsafe (place + block).copyBlock(from: base + offset + block)
                    if length > 2 &* block {
                        if unsafe limit - place < length { return progress }
                        unsafe place.copyBlocksBehindFirst(from: base + offset, count: length)
                    }
                    unsafe place += length
                    // Where there is no quote, the byte is the next name's.
                    unsafe place.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
                    unsafe place += quote
                } else if value.kind == .null {
                    unsafe place.storeBytes(of: (0x6C6C_756E as UInt32).littleEndian, as: UInt32.self)
                    unsafe place += 4
                } else if value.kind == .date {
                    if value != lastDay { (lastDay, lastDayText) = (value, quoted(CellText(value))) }
                    unsafe place.storeBytes(of: lastDayText, as: SIMD16<UInt8>.self)
                    unsafe place += 12
                } else {
                    return progress
                }
                unsafe key += 1
                unsafe cell += 1
            }
            unsafe place.storeBytes(of: closing.word.littleEndian, as: UInt64.self)
            unsafe place += closing.count
            progress.record &+= 1
            unsafe progress.written = place - start
        }
        return progress
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
