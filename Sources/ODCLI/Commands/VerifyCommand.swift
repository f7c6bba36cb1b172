import OpenData
import OpenDataCore
import OpenDataStore

/// `odctl verify`: whether the kept bytes are still those that were downloaded.
struct VerifyCommand: AnswerCommand {
    static let help = Help(
        name: "verify", summary: "Check that kept downloads are what was downloaded", usage: ["odctl verify [ID]"],
        details: [
            """
            Every copy, or those of one data set, is read and compared with its SHA-256. Damaged ones are told
            on standard error and make the exit status 65.
            """
        ],
        flags: [.cache], examples: ["odctl verify", "odctl verify twse.stock_day_all"])

    private let id: String?
    private let cache: CacheDirectory

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        let parsed = try ParsedArguments(words, flags: VerifyCommand.help.flags)
        cache = context.cache(parsed)
        id = parsed.operands.isEmpty ? nil : try parsed.operand("the id of a data set")
        if let id { _ = try context.registry.source(id) }
    }

    func answer(_ context: Context) throws(OpenDataError) -> String {
        let store = context.store(cache)
        let snapshots = try store.snapshots(of: id)
        var damaged = 0
        // Copies with the same bytes are read once.
        var outcomes: [String: String] = [:]
        for snapshot in snapshots {
            let sha256 = snapshot.provenance.sha256
            if outcomes[sha256] == nil {
                do throws(OpenDataError) {
                    try store.verify(snapshot)
                    outcomes[sha256] = ""
                } catch {
                    guard error.code == .damaged else { throw error }
                    outcomes[sha256] = error.message
                }
            }
            guard let message = outcomes[sha256], !message.isEmpty else { continue }
            damaged += 1
            context.console.tell("damaged: \(snapshot.provenance.dataset ?? "?"): \(message)")
        }
        guard damaged == 0 else {
            throw OpenDataError(.damaged, "\(damaged) of \(SnapshotText.count(snapshots.count)) damaged", dataset: id)
        }
        return "\(SnapshotText.count(snapshots.count)) checked: all are what was downloaded\n"
    }
}
