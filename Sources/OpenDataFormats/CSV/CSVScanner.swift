import OpenDataCore

/// Finds the cells of one record of delimited text.
struct CSVScanner {
    /// How a scan ended.
    enum Outcome: Equatable {
        /// The cells of a record were added.
        case record
        /// A line without a byte: no record.
        case blank
        /// The window ends before the record does.
        case needsMore
        /// The payload ends inside quotes.
        case unclosedQuote
    }

    private let delimiter: UInt8
    private let keepsTextFormulas: Bool
    private let isLast: Bool

    /// Where the next record begins.
    private(set) var end = 0
    /// The number of line ends passed, those in quotes included.
    private(set) var lineBreaks = 0
    /// Whether a cell holds doubled quotes, to be undone once the record is whole.
    private(set) var hasEscapes = false
    /// The place of the last opening quote, for errors: its offset and the number of line ends before it.
    private(set) var quoteOffset = 0
    private(set) var quoteLine = 0

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    init(delimiter: UInt8, keepsTextFormulas: Bool = false, isLast: Bool) {
        self.delimiter = delimiter
        self.keepsTextFormulas = keepsTextFormulas
        self.isLast = isLast
    }

    /// Adds the cells of the record that begins at `start`.
    ///
    /// - Complexity: O(bytes of the record), each looked at once.
    mutating func scanRecord(of bytes: Span<UInt8>, from start: Int, into cells: inout [Cell]) -> Outcome {
        if let next = lineEnd(in: bytes, at: start) {
            if next == start { return .needsMore }
            end = next
            lineBreaks = 1
            return .blank
        }
        var index = start
        while true {
            // A cell begins at `index`.
            let opening = openingQuote(in: bytes, at: index)
            if let opening {
                (quoteOffset, quoteLine) = (opening, lineBreaks)
                guard let closing = closingQuote(in: bytes, from: opening + 1) else {
                    return isLast ? .unclosedQuote : .needsMore
                }
                if keepsTextFormulas, opening > index {
                    cells.append(Cell(.text, offset: index, length: closing + 1 - index))
                } else {
                    let isEscaped = cellHasEscapes
                    hasEscapes = hasEscapes || isEscaped
                    cells.append(
                        Cell(
                            .text, offset: opening + 1, length: closing - opening - 1, quoted: true, escaped: isEscaped)
                    )
                }
                index = closing + 1
                while index < bytes.count, isBlank(bytes[index]) { index += 1 }
            } else {
                let first = index
                while index < bytes.count, bytes[index] != delimiter, bytes[index] != CSVScanner.lineFeed,
                    bytes[index] != CSVScanner.carriageReturn
                { index += 1 }
                if index == bytes.count, !isLast { return .needsMore }
                cells.append(Cell(.text, offset: first, length: index - first))
            }
            if index == bytes.count {
                guard isLast else { return .needsMore }
                end = index
                return .record
            }
            if bytes[index] == delimiter {
                index += 1
                if index == bytes.count, !isLast { return .needsMore }
                continue
            }
            guard let next = lineEnd(in: bytes, at: index), next > index else { return .needsMore }
            end = next
            lineBreaks += 1
            return .record
        }
    }

    /// The index after the line end that stands at `index`, or `nil` if none does; `index` itself if the window has to
    /// grow to tell CR from CRLF.
    private func lineEnd(in bytes: Span<UInt8>, at index: Int) -> Int? {
        guard index < bytes.count else { return nil }
        if bytes[index] == CSVScanner.lineFeed { return index + 1 }
        guard bytes[index] == CSVScanner.carriageReturn else { return nil }
        if index + 1 == bytes.count { return isLast ? index + 1 : index }
        return bytes[index + 1] == CSVScanner.lineFeed ? index + 2 : index + 1
    }

    /// The place of the quote that opens a cell: its first byte, or the second of `="`.
    private func openingQuote(in bytes: Span<UInt8>, at index: Int) -> Int? {
        guard index < bytes.count else { return nil }
        if bytes[index] == CSVScanner.quote { return index }
        let isMarked =
            bytes[index] == UInt8(ascii: "=") && index + 1 < bytes.count
            && bytes[index + 1] == CSVScanner.quote
        return isMarked ? index + 1 : nil
    }

    private var cellHasEscapes = false

    /// The quote that closes the cell whose text begins at `start`; `nil` if the window ends before that is certain.
    private mutating func closingQuote(in bytes: Span<UInt8>, from start: Int) -> Int? {
        cellHasEscapes = false
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == CSVScanner.quote {
                var next = index + 1
                if next < bytes.count, bytes[next] == CSVScanner.quote {
                    cellHasEscapes = true
                    index += 2
                    continue
                }
                while next < bytes.count, isBlank(bytes[next]) { next += 1 }
                if next == bytes.count { return isLast ? index : nil }
                if bytes[next] == delimiter || bytes[next] == CSVScanner.lineFeed
                    || bytes[next] == CSVScanner.carriageReturn
                {
                    return index
                }
                // Not followed by the end of a cell: a quote that the publisher did not double.
                cellHasEscapes = true
            } else if byte == CSVScanner.lineFeed {
                lineBreaks += 1
            } else if byte == CSVScanner.carriageReturn,
                index + 1 == bytes.count || bytes[index + 1] != CSVScanner.lineFeed
            {
                lineBreaks += 1
            }
            index += 1
        }
        return nil
    }

    /// Whether a byte is a space or tab that does not separate cells.
    private func isBlank(_ byte: UInt8) -> Bool {
        (byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")) && byte != delimiter
    }

    /// Undoes doubled quotes in place in the cells from `first` on, and takes the wrapping of `="0050"` off, unless
    /// that is to be kept.
    static func unescape(
        _ cells: inout [Cell], from first: Int, in bytes: inout [UInt8], keepsTextFormulas: Bool = false
    ) {
        for number in first..<cells.count where cells[number].isEscaped {
            let cell = cells[number]
            var (from, to) = (cell.offset, cell.offset)
            let end = cell.offset + cell.length
            while from < end {
                let byte = bytes[from]
                bytes[to] = byte
                to += 1
                from += byte == quote && from + 1 < end && bytes[from + 1] == quote ? 2 : 1
            }
            var range = cell.offset..<to
            if !keepsTextFormulas, range.count >= 3, bytes[range.lowerBound] == UInt8(ascii: "="),
                bytes[range.lowerBound + 1] == quote, bytes[range.upperBound - 1] == quote
            {
                range = (range.lowerBound + 2)..<(range.upperBound - 1)
            }
            cells[number] = Cell(.text, offset: range.lowerBound, length: range.count, quoted: true)
        }
    }
}
