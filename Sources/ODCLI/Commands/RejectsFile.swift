import OpenData
import OpenDataCore

/// The file of `--rejects`: a line of JSON for each record or cell that does not fit.
///
/// It takes the place of an earlier one when all records have been read, whether or not there was anything to write.
final class RejectsFile: Sendable {
    private let state: Locked<State>

    private struct State: ~Copyable, Sendable {
        var file: AtomicFile
        var pending: [UInt8] = []
        var failure: OpenDataError?

        /// Writes what has come together.
        mutating func flush() {
            guard failure == nil, !pending.isEmpty else { return }
            do throws(OpenDataError) {
                try file.append(pending)
            } catch {
                failure = error
            }
            pending.removeAll(keepingCapacity: true)
        }
    }

    /// Opens a file beside the path.
    ///
    /// Throws ``OpenDataError/Code/unwritable``.
    init(_ path: String) throws(OpenDataError) { state = Locked(State(file: try AtomicFile(path))) }

    /// Adds a line; a failure to write is told by ``commit()``.
    func append(_ reject: Reject) {
        let line = RejectsFile.line(reject)
        state.withLock { state in
            state.pending += line.utf8
            if state.pending.count >= 1 << 16 { state.flush() }
        }
    }

    /// Puts the file in its place.
    ///
    /// Throws ``OpenDataError/Code/unwritable``.
    func commit() throws(OpenDataError) {
        let failure = state.withLock { state -> OpenDataError? in
            state.flush()
            guard state.failure == nil else { return state.failure }
            do throws(OpenDataError) {
                try state.file.commit()
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    private static func line(_ reject: Reject) -> String {
        let cells = reject.record.map { (name: $0.column, value: JSONText.optional($0.text)) }
        return JSONText.object([
            ("record", .integer(reject.origin.record)), ("line", .integer(reject.origin.line)),
            ("byte", .integer(reject.origin.byte)), ("field", .optional(reject.field)),
            ("code", .string(reject.code.rawValue)), ("message", .string(reject.message)),
            ("outcome", .string(reject.isKept ? "null" : "left out")), ("raw", .string(reject.raw)),
            ("cells", cells.isEmpty ? .null : .object(cells)),
        ]).line
    }
}
