import OpenDataCore

#if canImport(Darwin)
    import SQLite3
#else
    import CSQLite
#endif

/// A connection to an SQLite file: for one thread at a time, which its owner sees to by a lock.
@safe final class Database: @unchecked Sendable {
    /// A value of a statement or of a row.
    enum Value: Sendable, Hashable {
        case null
        case integer(Int)
        case text(String)

        init(_ text: String?) { self = text.map { .text($0) } ?? .null }
        init(_ number: Int?) { self = number.map { .integer($0) } ?? .null }

        var number: Int? { if case .integer(let number) = self { number } else { nil } }
        var text: String? { if case .text(let text) = self { text } else { nil } }
    }

    /// What SQLite says, by its number.
    struct Failure: Error, Sendable {
        let code: Int32
        let sentence: String

        /// The file is no database, or a broken one.
        var isCorrupt: Bool { [11, 26].contains(code & 0xFF) }  // SQLITE_CORRUPT, SQLITE_NOTADB
        /// Another process has not let go within the time that is waited.
        var isBusy: Bool { [5, 6].contains(code & 0xFF) }  // SQLITE_BUSY, SQLITE_LOCKED
    }

    /// How a file is opened.
    enum Access { case create, readOnly, immutable }

    private let handle: OpaquePointer

    #if canImport(Darwin)
        private static let isThere = true
    #else
        private static let isThere = csqlite_load()
    #endif

    /// Whether this machine has SQLite.
    static var isAvailable: Bool { isThere }

    /// Opens a file; SQLite must be available.
    ///
    /// `wait` is how long a statement waits for another process, in milliseconds.
    init(_ path: String, _ access: Access, wait: Int32) throws(Failure) {
        let flags: Int32 =
            switch access {
            case .create: 0x2 | 0x4  // SQLITE_OPEN_READWRITE, SQLITE_OPEN_CREATE
            case .readOnly: 0x1
            case .immutable: 0x1 | 0x40  // SQLITE_OPEN_URI
            }
        let name = access == .immutable ? "file:\(Database.escaped(path))?immutable=1" : path
        var handle: OpaquePointer?
        // 0x8000 is SQLITE_OPEN_NOMUTEX: the owner's lock is enough.
        let code = unsafe sqlite3_open_v2(name, &handle, flags | 0x8000, nil)
        guard code == 0, let opened = unsafe handle else {
            let sentence = unsafe handle.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "no memory"
            _ = unsafe sqlite3_close_v2(handle)
            throw Failure(code: code, sentence: sentence)
        }
        unsafe self.handle = opened
        _ = unsafe sqlite3_busy_timeout(opened, wait)
        #if !canImport(Darwin)
            // Copying it waits for the disk.
            _ = unsafe csqlite_keep_journal(opened)
        #endif
    }

    deinit { _ = unsafe sqlite3_close_v2(handle) }

    /// How many rows the last statement has changed.
    var changes: Int { Int(unsafe sqlite3_changes(handle)) }

    /// Runs one statement and returns its rows.
    @discardableResult
    func run(_ sql: String, _ values: [Value] = []) throws(Failure) -> [[Value]] {
        var prepared: OpaquePointer?
        try check(unsafe sqlite3_prepare_v2(handle, sql, -1, &prepared, nil))
        guard let statement = unsafe prepared else { return [] }
        defer { _ = unsafe sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() { try unsafe bind(value, Int32(index + 1), statement) }
        var rows: [[Value]] = []
        while true {
            switch unsafe sqlite3_step(statement) {
            case 100: unsafe rows.append(row(of: statement))  // SQLITE_ROW
            case 101: return rows  // SQLITE_DONE
            case let code: throw failure(code)
            }
        }
    }

    private func bind(_ value: Value, _ index: Int32, _ statement: OpaquePointer) throws(Failure) {
        switch value {
        case .null: try check(unsafe sqlite3_bind_null(statement, index))
        case .integer(let number): try check(unsafe sqlite3_bind_int64(statement, index, Int64(number)))
        case .text(let text):
            // SQLITE_TRANSIENT: SQLite makes a copy.
            typealias Destructor = @convention(c) (UnsafeMutableRawPointer?) -> Void
            let copies = unsafe unsafeBitCast(-1, to: Destructor.self)
            try check(unsafe sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), copies))
        }
    }

    private func row(of statement: OpaquePointer) -> [Value] {
        var row: [Value] = []
        while true {
            let column = Int32(row.count)
            guard unsafe column < sqlite3_column_count(statement) else { return row }
            switch unsafe sqlite3_column_type(statement, column) {
            case 1: row.append(.integer(Int(unsafe sqlite3_column_int64(statement, column))))
            case 3:
                let text = unsafe sqlite3_column_text(statement, column)
                row.append(unsafe text.map { unsafe .text(String(cString: $0)) } ?? .null)
            default: row.append(.null)
            }
        }
    }

    private func check(_ code: Int32) throws(Failure) {
        if code != 0 { throw failure(code) }
    }

    private func failure(_ code: Int32) -> Failure {
        Failure(code: code, sentence: unsafe String(cString: sqlite3_errmsg(handle)))
    }

    private static func escaped(_ path: String) -> String {
        var result = ""
        for letter in path.unicodeScalars {
            switch letter {
            case "%": result += "%25"
            case "?": result += "%3f"
            case "#": result += "%23"
            default: result.unicodeScalars.append(letter)
            }
        }
        return result
    }
}

extension Database {
    /// Runs `body` in a transaction that holds the right to write from its start, alone among all processes.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            _ = try? run("ROLLBACK")
            throw error
        }
    }
}
