/// What hears of numbers that the kernel has read.
private protocol NumberHearer {
    /// Hears that the bytes in front of an offset are a number of so many digits, `behindPoint` of them behind the
    /// point.
    ///
    /// - Parameters:
    ///   - behindPoint: 16 where there is no point.
    ///   - sign: 1 below zero, else 0.
    func hear(_ record: Int, before end: UInt, digits: UInt, behindPoint: UInt, sign: UInt64)
}

/// Nobody.
private struct NoHearer: NumberHearer {
    @inline(__always)
    func hear(_ record: Int, before end: UInt, digits: UInt, behindPoint: UInt, sign: UInt64) {}
}

/// Notes what the numbers are.
@safe private struct NumberNoter: NumberHearer {
    let digits: DigitBlock
    let base: UnsafeRawPointer
    let notes: UnsafeMutablePointer<NumberNote>
    let step: Int

    @inline(__always)
    func hear(_ record: Int, before end: UInt, digits count: UInt, behindPoint: UInt, sign: UInt64) {
        // In bounds: what comes before the number is of the batch as well, or there is no note.
        guard end >= 17 else { return }
        let (count, behind) = (Int(bitPattern: count), Int(bitPattern: behindPoint))
        let magnitude = unsafe digits.number(before: base + Int(bitPattern: end), digits: count, behindPoint: behind)
        unsafe notes[record &* step] = NumberNote(magnitude, fraction: UInt64(behindPoint & 15), sign: sign)
    }
}

extension ConformKernel {
    /// Reads numbers; returns a bit for each cell not taken.
    ///
    /// - Parameter notes: Where it is noted what they are, as far apart as the cells that go out; `nil` if nobody asks.
    func numbers(_ notes: UnsafeMutablePointer<NumberNote>?) -> UInt64 {
        guard let notes = unsafe notes else { return numbers(heardBy: NoHearer()) }
        return DigitBlock.with { digits in
            unsafe numbers(heardBy: NumberNoter(digits: digits, base: base, notes: notes, step: outputStep))
        }
    }

    /// Reads whole numbers; else the same.
    func wholeNumbers(_ notes: UnsafeMutablePointer<NumberNote>?) -> UInt64 {
        guard let notes = unsafe notes else { return wholeNumbers(heardBy: NoHearer()) }
        return DigitBlock.with { digits in
            unsafe wholeNumbers(heardBy: NumberNoter(digits: digits, base: base, notes: notes, step: outputStep))
        }
    }

    @inline(__always)
    private func numbers(heardBy hearer: some NumberHearer) -> UInt64 {
        let (base, last, none) = unsafe (base, last, isRequired ? Cell.absent : .null)
        return taking(.number) { cell, length, record in
            guard length &- 1 < 16, cell.offset <= last else { return length == 0 ? none : .absent }
            let text = unsafe base + cell.offset
            let block = unsafe ByteBlock(text)
            let others = block.otherThanDigits & (1 &<< UInt64(truncatingIfNeeded: length) &- 1)
            if others == 0 { return ConformKernel.whole(block, cell, length, record, hearer) }
            // All without a branch, for signs come and go: a bit for a sign, which is none of the point's.
            let sign = others & 1
            let point = others ^ sign
            guard point != 0 else { return ConformKernel.negative(block, cell, length, record, hearer) }
            let (first, second) = (block.start & 0xFF, block.start >> 8 & 0xFF)
            let leading = sign == 0 ? first : second
            // Where the point has to be if the leading digit is a zero, and where it must not be: before the leading
            // digit and behind the last.
            let afterLeading = 2 &+ sign &* 2
            let isLate = leading == UInt64(UInt8(ascii: "0")) && point & afterLeading == 0
            let place = point.trailingZeroBitCount
            let letter = unsafe text.load(fromByteOffset: place, as: UInt8.self)
            let all = 1 &<< UInt64(truncatingIfNeeded: length) &- 1 as UInt64
            var faults = point & (point &- 1) | point & (sign &* 2 | ~(all &>> 1))
            faults |= UInt64(letter ^ UInt8(ascii: ".")) | sign &* (first ^ UInt64(UInt8(ascii: "-")))
            guard faults == 0, !isLate else { return .absent }
            let behindPoint = length &- 1 &- UInt(bitPattern: place)
            hearer.hear(
                record, before: UInt(bitPattern: cell.offset) &+ length, digits: length &- 1 &- UInt(sign),
                behindPoint: behindPoint, sign: sign)
            return cell.textAsNumber
        }
    }

    @inline(__always)
    private func wholeNumbers(heardBy hearer: some NumberHearer) -> UInt64 {
        let (base, last, none) = unsafe (base, last, isRequired ? Cell.absent : .null)
        return taking(.text) { cell, length, record in
            guard length &- 1 < 16, cell.offset <= last else { return length == 0 ? none : .absent }
            let block = unsafe ByteBlock(base + cell.offset)
            guard block.otherThanDigits & (1 &<< UInt64(truncatingIfNeeded: length) &- 1) == 0 else { return .absent }
            return ConformKernel.whole(block, cell, length, record, hearer)
        }
    }

    /// The number that a text of digits is: `0|[1-9]\d*`.
    @inline(__always)
    private static func whole(
        _ text: ByteBlock, _ cell: Cell, _ length: UInt, _ record: Int, _ hearer: some NumberHearer
    ) -> Cell {
        if text.start & 0xFF == UInt64(UInt8(ascii: "0")), length > 1 { return .absent }
        hearer.hear(
            record, before: UInt(bitPattern: cell.offset) &+ length, digits: length, behindPoint: 16, sign: 0)
        return cell.textAsNumber
    }

    /// The number that a text of digits behind some other byte is: `-(0|[1-9]\d*)`.
    @inline(__always)
    private static func negative(
        _ text: ByteBlock, _ cell: Cell, _ length: UInt, _ record: Int, _ hearer: some NumberHearer
    ) -> Cell {
        guard length > 1, text.start & 0xFF == UInt64(UInt8(ascii: "-")) else { return .absent }
        if text.start >> 8 & 0xFF == UInt64(UInt8(ascii: "0")), length > 2 { return .absent }
        hearer.hear(
            record, before: UInt(bitPattern: cell.offset) &+ length, digits: length &- 1, behindPoint: 16, sign: 1)
        return cell.textAsNumber
    }
}

extension ByteBlock {
    /// A bit for each byte that is no digit.
    @inline(__always)
    fileprivate var otherThanDigits: UInt64 { ~between(UInt8(ascii: "0"), UInt8(ascii: "9")).bits }
}
