/// Chooses records by the value of a field.
///
/// Values are compared as text. The two forms of a letter that names of places are written with, 臺 and 台, count as one,
/// as do capitals and small letters of ASCII; the records themselves stay as they are.
public struct RecordFilter: Sendable, Hashable {
    /// The name of the field.
    public let field: String
    /// The value of the records to keep.
    public let value: String

    private let folded: [UInt8]

    /// Makes a filter.
    public init(field: String, value: String) {
        self.field = field
        self.value = value
        folded = RecordFilter.fold(value.utf8)
    }

    /// The filters that arguments stand for: those of parameters of the kind ``Parameter/Kind/filter(field:)``.
    public static func filters(_ parameters: [Parameter], _ arguments: Arguments) -> [RecordFilter] {
        parameters.compactMap { parameter in
            guard case .filter(let field) = parameter.kind, let value = arguments[parameter.name] else { return nil }
            return RecordFilter(field: field, value: value)
        }
    }

    /// Takes the other records out of a batch, and counts them as left out.
    ///
    /// - Complexity: O(records of the batch).
    func apply(to batch: inout RecordBatch) {
        let width = batch.columns.count
        guard let column = batch.columns.names.firstIndex(of: field) else { return }
        var kept = 0
        for record in 0..<batch.count where isChosen(batch[record, column], of: batch.bytes) {
            if kept < record {
                for number in 0..<width { batch.cells[kept * width + number] = batch.cells[record * width + number] }
                batch.origins[kept] = batch.origins[record]
            }
            kept += 1
        }
        // Notes stand where their cells do, as long as none has moved up.
        if kept < batch.count { batch.numbers = [] }
        batch.leftOut += batch.count - kept
        batch.cells.removeLast(batch.cells.count - kept * width)
        batch.origins.removeLast(batch.origins.count - kept)
    }

    private func isChosen(_ cell: Cell, of bytes: [UInt8]) -> Bool {
        switch cell.kind {
        case .text, .number: RecordFilter.fold(bytes[cell.range]) == folded
        case .date: cell.date.description == value
        case .boolean: String(cell.boolean) == value
        case .dateTime: cell.dateTime.description == value
        case .absent, .null, .json: false
        }
    }

    private static func fold(_ text: some Collection<UInt8>) -> [UInt8] {
        var bytes = Array(text)
        PlaceName.fold(&bytes)
        return bytes
    }
}
