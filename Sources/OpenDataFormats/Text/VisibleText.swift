/// Makes text fit to be shown: what would steer a terminal or reorder a line is written as an escape.
enum VisibleText {
    /// Whether a scalar acts instead of showing.
    ///
    /// These are the controls C0, DEL and C1, the separators of lines and paragraphs, and the controls of writing
    /// direction, which make a line read in another order than it is written in.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Adds the escape of a control and returns the number of its bytes: `\n`, `\t`, `\r`, or `\u{1B}`.
    static func appendEscape(of scalar: Unicode.Scalar, to output: inout [UInt8]) -> Int {
        let start = output.count
        switch scalar {
        case "\n": output.append(contentsOf: #"\n"#.utf8)
        case "\t": output.append(contentsOf: #"\t"#.utf8)
        case "\r": output.append(contentsOf: #"\r"#.utf8)
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            output.append(contentsOf: (digits.utf8.count < 2 ? #"\u{0"# : #"\u{"#).utf8)
            output.append(contentsOf: digits.utf8)
            output.append(UInt8(ascii: "}"))
        }
        return output.count - start
    }

    /// What stands for a byte that is not part of any scalar: U+FFFD.
    static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// Adds text with its controls escaped, and returns the terminal columns that it takes.
    ///
    /// Backslashes stay as they are, so an escape can not be told from text that looks like one: this is for eyes.
    static func append(_ text: [UInt8], _ range: Range<Int>, to output: inout [UInt8]) -> Int {
        let slice = text[...]
        let bytes = slice.span
        var (columns, index, copied) = (0, range.lowerBound, range.lowerBound)
        while index < range.upperBound {
            if bytes[index] &- 0x20 < 0x5F {
                index += 1
                columns += 1
                continue
            }
            let decoded = UTF8Scalar.decode(bytes, at: index, end: range.upperBound)
            if let (scalar, length) = decoded, !isControl(scalar) {
                index += length
                columns += DisplayWidth.columns(of: scalar)
                continue
            }
            output.append(contentsOf: text[copied..<index])
            if let (scalar, length) = decoded {
                columns += appendEscape(of: scalar, to: &output)
                index += length
            } else {
                output.append(contentsOf: replacement)
                columns += 1
                index += 1
            }
            copied = index
        }
        output.append(contentsOf: text[copied..<range.upperBound])
        return columns
    }
}
