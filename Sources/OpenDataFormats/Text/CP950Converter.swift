import OpenDataCore

/// Turns code page 950 into UTF-8 as Windows does, user-defined letters included.
///
/// The system's converter says what each pair of bytes is, once; only the user-defined ones, most of which it refuses,
/// are computed by the published ranges. NULs, 80 and FF are no letters.
struct CP950Converter: TextConverter {
    private let letters: [UInt16]

    /// Throws ``OpenDataError/Code/badArgument`` where the system knows no such encoding.
    init() throws(OpenDataError) {
        letters = try CP950Converter.table.get()
    }

    /// The scalar of a user-defined letter, or `nil` for any other pair of bytes.
    static func userDefined(_ lead: UInt8, _ trail: UInt8) -> UInt16? {
        guard 0x40...0x7E ~= trail || 0xA1...0xFE ~= trail else { return nil }
        let place = UInt16(trail) - (trail < 0x80 ? 0x40 : 0x62)
        func scalar(_ first: UInt16, from row: UInt8) -> UInt16 { first + UInt16(lead - row) * 157 + place }
        switch lead {
        case 0xFA...0xFE: return scalar(0xE000, from: 0xFA)
        case 0x8E...0xA0: return scalar(0xE311, from: 0x8E)
        case 0x81...0x8D: return scalar(0xEEB8, from: 0x81)
        // The first row is half a row: C6A1 is U+F6B1.
        case 0xC6 where trail >= 0xA1: return 0xF6B1 + place - 63
        case 0xC7, 0xC8: return scalar(0xF70F, from: 0xC7)
        default: return nil
        }
    }

    /// The scalar of every pair of bytes, 0 for none: rows of 256 from the lead byte 81 on.
    private static let table = Result<[UInt16], OpenDataError> { () throws(OpenDataError) in
        let system = try SystemConverter(from: .cp950)
        var table = [UInt16](repeating: 0, count: 126 * 256)
        var text: [UInt8] = []
        for lead in 0x81...0xFE as ClosedRange<UInt8> {
            for trail in 0x40...0xFE as ClosedRange<UInt8> where !(0x7F...0xA0 ~= trail) {
                let place = Int(lead - 0x81) << 8 | Int(trail)
                if let scalar = userDefined(lead, trail) {
                    table[place] = scalar
                    continue
                }
                text.removeAll(keepingCapacity: true)
                let conversion = system.convert([lead, trail], from: 0, into: &text)
                let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
                guard conversion.consumed == 2, let scalar = scalars.first, scalars.count == 1 else { continue }
                table[place] = UInt16(exactly: scalar.value) ?? 0
            }
        }
        return table
    }

    func convert(_ input: [UInt8], from start: Int, into output: inout [UInt8]) -> TextConversion {
        unsafe append(input, from: start, to: &output) { bytes, text, conversion in
            unsafe letters.withUnsafeBufferPointer { letters in
                unsafe CP950Converter.convert(bytes, into: text, letters, &conversion)
            }
        }
    }

    /// Returns the number of bytes written.
    ///
    /// - Parameters:
    ///   - text: Has three bytes for every two of the input, and sixteen more: two bytes make three at most.
    ///   - letters: The table, in which there is a place for every pair from 81 00 on.
    private static func convert(
        _ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer,
        _ letters: UnsafeBufferPointer<UInt16>, _ conversion: inout TextConversion
    ) -> Int {
        guard let from = bytes.baseAddress, let to = text.baseAddress else { return 0 }
        let count = bytes.count
        var (index, written) = (0, 0)
        while index < count {
            let byte = unsafe from.load(fromByteOffset: index, as: UInt8.self)
            if byte < 0x80 {
                if byte == 0 {
                    conversion.stop = .bad(1)
                    break
                }
                if index &+ 8 <= count {
                    let word = unsafe from.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    // Neither a high bit nor a NUL in any of the eight.
                    if ((word &- 0x0101_0101_0101_0101) | word) & 0x8080_8080_8080_8080 == 0 {
                        unsafe to.storeBytes(of: word, toByteOffset: written, as: UInt64.self)
                        index &+= 8
                        written &+= 8
                        continue
                    }
                }
                unsafe to.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
                index &+= 1
                written &+= 1
                continue
            }
            guard 0x81...0xFE ~= byte else {
                conversion.stop = .bad(1)
                break
            }
            if index &+ 1 == count {
                conversion.stop = .cut
                break
            }
            let trail = unsafe from.load(fromByteOffset: index &+ 1, as: UInt8.self)
            let scalar = unsafe UInt32(letters[Int(byte &- 0x81) << 8 | Int(trail)])
            if scalar == 0 {
                // A byte of ASCII is more likely to stand for itself than to be half of the wreck.
                conversion.stop = .bad(trail < 0x80 ? 1 : 2)
                break
            }
            conversion.doubleBytes &+= 1
            if trail < 0x80 { conversion.lowTrails &+= 1 }
            if 0xE000...0xF8FF ~= scalar { conversion.userDefined &+= 1 }
            index &+= 2
            if scalar >= 0x800 {
                unsafe to.storeBytes(
                    of: UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12), toByteOffset: written, as: UInt8.self)
                unsafe to.storeBytes(
                    of: UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F), toByteOffset: written &+ 1, as: UInt8.self
                )
                unsafe to.storeBytes(
                    of: UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F), toByteOffset: written &+ 2, as: UInt8.self)
                written &+= 3
            } else {
                unsafe to.storeBytes(
                    of: UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6), toByteOffset: written, as: UInt8.self)
                unsafe to.storeBytes(
                    of: UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F), toByteOffset: written &+ 1, as: UInt8.self)
                written &+= 2
            }
        }
        conversion.consumed = index
        return written
    }
}
