/// The fast path of the CSV encoder: records whose cells are copied as they lie.
///
/// Bytes are copied sixteen at a time, of which the next copy overwrites what does not count, and are looked at on the
/// way for what would have to be quoted. It stops at a cell that lies too near the end of its batch for that, and where
/// the output may be too small; the encoder writes the record that it stopped at.
package enum CSVEncoderKernel {
    /// The bytes that must lie behind a place in the output for a value of 32 bytes, or two blocks, to be written
    /// there.
    private static let spare = 48

    /// Writes records from `first` on, until one is not for the kernel or the output may be too small for the next
    /// cell.
    ///
    /// - Parameters:
    ///   - bytes: The batch's bytes. A cell is taken only if sixteen bytes more lie behind it.
    ///   - cells: `count` records of `width` cells, one at least.
    ///   - output: The bytes written count only up to the end of the last whole record.
    ///   - text: The text of a truth, a day or a time, which the cell itself holds: 32 bytes at most.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, _ cells: UnsafeBufferPointer<Cell>, from first: Int, count: Int, width: Int,
        delimiter: UInt8, into output: UnsafeMutableRawBufferPointer, text: (Cell) -> (SIMD4<UInt64>, count: Int)
    ) -> EncoderProgress {
        var progress = EncoderProgress(record: first, written: 0)
        guard let base = bytes.baseAddress, let input = cells.baseAddress, let start = output.baseAddress,
            output.count > spare, width > 0, count &* width <= cells.count
        else { return progress }
        // The last place at which a value may begin, and the last offset at which a cell may end.
        let room = output.count &- spare
        let last = bytes.count &- 16
        var (lastDay, dayText) = (Cell.null, SIMD4<UInt64>())
        var dayCount = 0
        while progress.record < count {
            let row = unsafe input + progress.record &* width
            var place = progress.written
            for column in 0..<width {
                if place > room { return progress }
                let cell = unsafe row[column]
                switch cell.kind {
                case .text, .json:
                    let (from, length) = (cell.offset, cell.length)
                    // A quoted text has two quotes around it, and as many more as it has bytes at the worst.
                    if from &+ length > last || place &+ 2 &* length > room { return progress }
                    let end = unsafe copyText(base + from, to: start + place, length, delimiter: delimiter)
                    place &+= end
                case .number:
                    let (from, length) = (cell.offset, cell.length)
                    if from &+ length > last || place &+ length > room { return progress }
                    var done = 0
                    while done < length {
                        unsafe (start + place + done).copyBlock(from: base + from + done)
                        done &+= 16
                    }
                    place &+= length
                case .absent, .null:
                    // A line must not be blank.
                    if width == 1 {
                        unsafe start.storeBytes(of: 0x2222, toByteOffset: place, as: UInt16.self)
                        place &+= 2
                    }
                case .date:
                    if cell != lastDay {
                        lastDay = cell
                        (dayText, dayCount) = text(cell)
                    }
                    unsafe store(dayText, to: start + place)
                    place &+= dayCount
                case .boolean, .dateTime:
                    let (words, length) = text(cell)
                    unsafe store(words, to: start + place)
                    place &+= length
                }
                unsafe start.storeBytes(
                    of: column &+ 1 < width ? delimiter : UInt8(ascii: "\n"), toByteOffset: place, as: UInt8.self)
                place &+= 1
            }
            progress.record &+= 1
            progress.written = place
        }
        return progress
    }

    /// Writes a text, in quotes if it needs them, and returns the number of bytes written.
    ///
    /// In bounds: both sides have a block to spare behind them, the target behind twice the text and two quotes.
    @inline(__always)
    private static func copyText(
        _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ length: Int, delimiter: UInt8
    ) -> Int {
        if length == 0 {
            unsafe target.storeBytes(of: 0x2222, as: UInt16.self)
            return 2
        }
        var special = isBlank(unsafe source.load(as: UInt8.self)) ? 1 as UInt64 : 0
        if isBlank(unsafe source.load(fromByteOffset: length &- 1, as: UInt8.self)) { special = 1 }
        var done = 0
        while true {
            unsafe (target + done).copyBlock(from: source + done)
            let block = unsafe ByteBlock(source + done)
            let matches =
                block.equal(to: delimiter) | block.equal(to: UInt8(ascii: "\"")) | block.equal(to: UInt8(ascii: "\n"))
                | block.equal(to: UInt8(ascii: "\r"))
            let found = matches.bits
            let left = length &- done
            if left <= 16 {
                special |= found & mask(left)
                break
            }
            special |= found
            done &+= 16
        }
        return special == 0 ? length : unsafe copyQuoted(source, to: target, length)
    }

    /// Writes a text in quotes, with its own doubled, and returns the number of bytes written.
    ///
    /// In bounds: as ``copyText(_:to:_:delimiter:)``.
    @inline(never)
    private static func copyQuoted(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ length: Int) -> Int
    {
        unsafe target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        var (done, place) = (0, 1)
        while done < length {
            unsafe (target + place).copyBlock(from: source + done)
            let count = min(16, length &- done)
            let quotes = unsafe ByteBlock(source + done).equal(to: UInt8(ascii: "\"")).bits & mask(count)
            if quotes == 0 {
                (done, place) = (done &+ count, place &+ count)
            } else {
                // Up to the quote and with it; then the quote once more.
                let count = quotes.trailingZeroBitCount &+ 1
                (done, place) = (done &+ count, place &+ count)
                unsafe target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: place, as: UInt8.self)
                place &+= 1
            }
        }
        unsafe target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: place, as: UInt8.self)
        return place &+ 1
    }

    /// The lowest bits, as many as given: one to sixteen.
    @inline(__always)
    private static func mask(_ count: Int) -> UInt64 { (1 &<< UInt64(truncatingIfNeeded: count)) &- 1 }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    @inline(__always)
    private static func store(_ words: SIMD4<UInt64>, to target: UnsafeMutableRawPointer) {
        for index in 0..<4 {
            unsafe target.storeBytes(of: words[index].littleEndian, toByteOffset: index * 8, as: UInt64.self)
        }
    }
}
