import OpenDataCore

/// Makes a record that conforms to a schema without any decoder.
func handmadeRecord(_ values: KeyValuePairs<String, Value>) -> Record {
    var batch = RecordBatch(columns: Columns(values.map(\.key)))
    for (_, value) in values {
        let cell: Cell =
            switch value {
            case .absent: .absent
            case .null: .null
            case .boolean(let truth): .boolean(truth)
            case .date(let day): .date(day)
            case .dateTime(let time): .dateTime(time)
            case .text(let text): batch.append(text: text)
            case .number(let text): pointer(.number, batch.append(text: text))
            case .json(let text): pointer(.json, batch.append(text: text))
            }
        batch.cells.append(cell)
    }
    batch.origins.append(RecordOrigin(record: 1, line: 2, byte: 0))
    return Record(batch, 0)
}

private func pointer(_ kind: Cell.Kind, _ cell: Cell) -> Cell { Cell(kind, offset: cell.offset, length: cell.length) }

/// The error of a piece of work, or `nil` if there was none.
func failure(_ work: () throws -> Void) -> OpenDataError? {
    do {
        try work()
        return nil
    } catch { return error as? OpenDataError }
}
