/// A second reading of delimited text: letter by letter, whole in memory, with no care for speed.
enum ReferenceCSV {
    /// The cells of every record that is not a blank line; `nil` if a quote is never closed.
    static func records(_ text: String, delimiter: Unicode.Scalar = ",") -> [[String]]? {
        let scalars = Array(text.unicodeScalars)
        var records: [[String]] = []
        var record: [String] = []
        var index = 0
        func at(_ place: Int) -> Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }
        func isEnd(_ place: Int) -> Bool {
            let next = at(place)
            return next == nil || next == delimiter || next == "\n" || next == "\r"
        }
        while index < scalars.count {
            if record.isEmpty, at(index) == "\n" || at(index) == "\r" {
                index += at(index) == "\r" && at(index + 1) == "\n" ? 2 : 1
                continue
            }
            var cell = String.UnicodeScalarView()
            let isMarked = at(index) == "=" && at(index + 1) == "\""
            if isMarked || at(index) == "\"" {
                index += isMarked ? 2 : 1
                while true {
                    guard let scalar = at(index) else { return nil }
                    if scalar == "\"" {
                        if at(index + 1) == "\"" {
                            cell.append(scalar)
                            index += 2
                            continue
                        }
                        var next = index + 1
                        while let blank = at(next), blank == " " || blank == "\t", blank != delimiter { next += 1 }
                        if isEnd(next) {
                            index = next
                            break
                        }
                    }
                    cell.append(scalar)
                    index += 1
                }
                let text = String(cell)
                if cell.count >= 3, text.hasPrefix("=\""), text.hasSuffix("\"") {
                    cell = String.UnicodeScalarView(cell.dropFirst(2).dropLast())
                }
            } else {
                while let scalar = at(index), !isEnd(index) {
                    cell.append(scalar)
                    index += 1
                }
            }
            record.append(String(cell))
            if at(index) == delimiter {
                index += 1
                if index < scalars.count { continue }
                record.append("")
            }
            records.append(record)
            record = []
            if at(index) == "\r", at(index + 1) == "\n" { index += 1 }
            index += 1
        }
        return records
    }
}
