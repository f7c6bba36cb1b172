import OpenDataCore

/// One record of delimited text as a finder sees it.
struct CSVShape: Sendable {
    /// The physical line that it begins on, from 1.
    var line: Int
    /// The texts of its cells, without what lies beyond a few hundred bytes.
    var cells: [String]
    /// Whether a blank line stands before it.
    var followsBlank = false
    /// Whether a line end stands behind it.
    var isEnded = true

    /// The number of cells.
    var width: Int { cells.count }

    /// The number of cells up to the last that has a byte; 0 where all are blank.
    var used: Int

    /// The cells that are not blank.
    var filled: [String] { cells.filter { !$0.isEmpty } }
    /// Whether all cells are blank.
    var isEmpty: Bool { used == 0 }
}

/// How a cell's text looks, whatever it means.
enum CSVCellLook: Hashable {
    /// Nothing, or what publishers write where there is nothing.
    case missing
    /// Digits, with what numbers have beside them.
    case number
    /// Digits, with what days and times have between them.
    case time
    /// Anything else.
    case text

    /// Looks at a text without white space at its ends.
    init(_ text: String) {
        var (digits, separators, marks) = (0, 0, 0)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "0"..."9", "\u{FF10}"..."\u{FF19}": digits += 1
            // A sign in front is a number's, one between digits a day's.
            case "-" where digits > 0, "T" where digits > 0, "Z" where digits > 0: separators += 1
            case "/", ":", "年", "月", "日", "時", "分", "秒", "~": separators += 1
            case "+", "-", ".", ",", "%", "$", " ", "(", ")", "\u{2212}", "\u{FF0C}", "\u{FF0E}": marks += 1
            case "—", "…", "－", "*", "＊": marks += 1
            default:
                self = ["N/A", "n/a", "NA", "NULL", "null", "nan", "NaN"].contains(text) ? .missing : .text
                return
            }
        }
        if digits == 0 {
            self = separators == 0 ? .missing : .text
        } else {
            self = separators > 0 ? .time : .number
        }
    }
}
