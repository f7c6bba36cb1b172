import OpenDataFormats

/// Columns of text, aligned by the width that characters take in a terminal.
enum TextTable {
    /// The lines, without spaces at their ends.
    static func lines(_ rows: [[String]]) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? DisplayWidth.columns(of: $0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            var blanks = 0
            for (column, cell) in row.enumerated() {
                let width = DisplayWidth.columns(of: cell)
                if !cell.isEmpty {
                    line += String(repeating: " ", count: blanks) + cell
                    blanks = 0
                }
                blanks += widths[column] - width + 2
            }
            return line
        }
    }
}
