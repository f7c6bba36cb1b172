import OpenDataFormats

/// Columns of text, aligned by the width that characters take in a terminal.
enum TextTable {
    /// The lines, without spaces at their ends.
    static func lines(_ rows: [[String]]) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let cells = rows.map { $0.map(DisplayWidth.columns(of:)) }
        let widths = (0..<count).map { column in cells.map { column < $0.count ? $0[column] : 0 }.max() ?? 0 }
        return zip(rows, cells).map { row, cells in
            var line = ""
            var blanks = 0
            for (column, cell) in row.enumerated() {
                let width = cells[column]
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
