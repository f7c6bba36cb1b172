/// The number of columns that text takes in a terminal.
///
/// The width of a text is the sum of its scalars' widths, after the properties East_Asian_Width and General_Category of
/// Unicode 16:
///
/// * Wide and Fullwidth are 2: Chinese characters, kana, Hangul, full-width forms, emoji.
/// * Combining marks without a width of their own, zero-width and format characters, variation selectors, and the
///   medial vowels and final consonants of Hangul that join the syllable before them are 0. So are controls, which must
///   not reach a terminal at all.
/// * Everything else is 1. That includes the spacing marks of Indic scripts, and all that is Ambiguous (`±`, `①`, `—`,
///   Greek, box drawing): terminals show it narrow unless set to a legacy East Asian mode.
///
/// Scalars are not joined: a sequence of emoji with U+200D counts every emoji in it, as terminals that do not draw the
/// sequence show it; a sign made colourful by U+FE0F keeps its width of 1; a flag is two regional indicators of 1 each.
package enum DisplayWidth {
    /// The columns of one scalar: 0, 1 or 2.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        switch value {
        case 0x20..<0x7F, 0xA0..<0x300: return 1
        case 0..<0xA0: return 0
        case 0x3400...0x9FFF, 0xAC00...0xD7A3: return 2
        case 0x1160...0x11FF, 0x302E...0x302F, 0xD7B0...0xD7FF: return 0
        // Signs of Arabic, Syriac and Kaithi that enclose digits are format characters, but visible ones.
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x1_10BD, 0x1_10CD: return 1
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
        default: return isWide(value) ? 2 : 1
        }
    }

    /// The columns of a text.
    package static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        var (low, high) = (0, wideRanges.count)
        while low < high {
            let middle = (low + high) / 2
            if wideRanges[middle].last < value { low = middle + 1 } else { high = middle }
        }
        return low < wideRanges.count && wideRanges[low].first <= value
    }
}
