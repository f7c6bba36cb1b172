@testable import OpenDataCore
import TestSupport
import Testing

@Suite struct RowTests {
    /// A row that takes its record as types always have.
    struct Plain: Row, Hashable {
        var name: String
        var count: Int?
        init(_ record: Record) throws {
            name = try record["name"]
            count = try record["count"]
        }
    }

    /// A row that has its record lent.
    struct Lent: Row, Hashable {
        var name: String
        var count: Int?
        init(_ record: borrowing Record) throws(OpenDataError) {
            name = try record["name"]
            count = try record["count"]
        }
    }

    private func batch(_ rows: [(String, String?)]) -> RecordBatch {
        var batch = RecordBatch(columns: Columns(["name", "count"]))
        for (index, row) in rows.enumerated() {
            batch.cells.append(batch.append(text: row.0))
            batch.cells.append(row.1.map { batch.append(text: $0).with(kind: .number) } ?? .null)
            batch.origins.append(RecordOrigin(record: index + 1, line: index + 1, byte: 0))
        }
        return batch
    }

    private func rows<R: Row>(_ type: R.Type, _ records: RecordBatch.Records) -> (rows: [R], error: (any Error)?) {
        let room = UnsafeMutableBufferPointer<R>.allocate(capacity: records.count)
        var rows = unsafe OutputSpan(buffer: room, initializedCount: 0)
        var failure: (any Error)?
        do { try R.append(records, to: &rows) } catch { failure = error }
        let count = unsafe rows.finalize(for: room)
        let made = unsafe Array(UnsafeBufferPointer(rebasing: room[..<count]))
        unsafe room[..<count].deinitialize()
        unsafe room.deallocate()
        return (made, failure)
    }

    @Test("each record becomes a row, however the type takes it")
    func all() throws {
        let records = batch([("first", "1"), ("more than fifteen letters", nil), ("", "-30"), ("中文", "12345678901")])
            .records
        let (plain, lent) = (rows(Plain.self, records), rows(Lent.self, records))
        #expect(plain.error == nil && lent.error == nil)
        #expect(plain.rows == (try records.map { try Plain($0) }))
        #expect(lent.rows == (try records.map { try Lent($0) }))
        #expect(lent.rows.map(\.name) == ["first", "more than fifteen letters", "", "中文"])
        #expect(plain.rows.map(\.count) == [1, nil, -30, 12_345_678_901])
        #expect(rows(Record.self, records).rows.map { $0.value("name").description } == lent.rows.map(\.name))
    }

    @Test("no records, no rows")
    func none() { #expect(rows(Plain.self, batch([]).records).rows.isEmpty) }

    @Test("the rows in front of a record that does not fit stay, and the error tells which it is")
    func failing() throws {
        let records = batch([("a", "1"), ("b", "2"), ("c", "3.5"), ("d", "4")]).records
        for (count, error) in [
            (rows(Plain.self, records).rows.count, rows(Plain.self, records).error),
            (rows(Lent.self, records).rows.count, rows(Lent.self, records).error),
        ] {
            #expect(count == 2)
            let error = try #require(error as? OpenDataError)
            #expect(error.code == .valueNotFound && error.field == "count" && error.position?.record == 3)
        }
    }

    @Test("records stay as they were when their batch is changed, and outlive it")
    func independent() throws {
        var original: RecordBatch? = batch([("before", "1")])
        let record = try #require(original?.records.first)
        original?.bytes[0] = UInt8(ascii: "B")
        original?.cells[1] = .null
        original = nil
        #expect(try Plain(record) == Plain(Record(batch([("before", "1")]), 0)))
    }
}
