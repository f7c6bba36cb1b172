/// Passes UTF-8 on and stops at what is not: for those who want it replaced.
struct UTF8Converter: TextConverter {
    func convert(_ input: [UInt8], from start: Int, into output: inout [UInt8]) -> TextConversion {
        var validator = UTF8Validator()
        let rest = input[start...]
        let bad = validator.firstInvalid(in: rest.span)
        let end = start + (bad ?? rest.count)
        // Bytes before it that begin a letter and do not end it.
        let letter = bad == nil && validator.isComplete ? end : beginning(of: input[start..<end])
        output += input[start..<letter]
        var conversion = TextConversion(consumed: letter - start)
        if bad != nil {
            conversion.stop = .bad(max(end - letter, 1))
        } else if letter < end {
            conversion.stop = .cut
        }
        return conversion
    }

    /// Where the letter begins that the bytes end in the middle of, or their end.
    private func beginning(of bytes: ArraySlice<UInt8>) -> Int {
        for index in bytes.indices.suffix(3).reversed() where bytes[index] & 0xC0 != 0x80 {
            let lead = bytes[index]
            let length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            return bytes.endIndex - index < length ? index : bytes.endIndex
        }
        return bytes.endIndex
    }
}
