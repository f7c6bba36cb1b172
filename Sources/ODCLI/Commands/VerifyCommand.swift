import OpenData
import OpenDataCore
import OpenDataStore
import OpenDataTransports

/// `odctl verify`: whether the kept bytes are still those that were downloaded.
struct VerifyCommand: Command {
    static let help = Help(
        name: "verify", summary: "Check that kept downloads are what was downloaded", usage: ["odctl verify [ID]"],
        details: [
            """
            Every copy, or those of one data set, is read, compared with its SHA-256 and decoded again; there
            have to be as many records as there were. Damaged ones are told on standard error and make the
            exit status 65.
            """
        ],
        flags: [.cache], examples: ["odctl verify", "odctl verify twse.stock_day_all"])

    private let id: String?
    private let cache: CacheDirectory

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        let parsed = try ParsedArguments(words, flags: VerifyCommand.help.flags)
        cache = context.cache(parsed)
        id = parsed.operands.isEmpty ? nil : try parsed.operand("the id of a data set")
        if let id { _ = try SourceReference(id, context.registry) }
    }

    func run(_ context: Context) async throws(OpenDataError) {
        let store = context.store(cache)
        let snapshots = try store.snapshots(of: id)
        var damaged = 0
        // Copies of a data set with the same bytes are read once.
        var outcomes: [String: String] = [:]
        for snapshot in snapshots {
            let dataset = snapshot.provenance.dataset ?? "?"
            let key = "\(dataset) \(snapshot.provenance.sha256)"
            if outcomes[key] == nil { outcomes[key] = try await fault(of: snapshot, store, context) ?? "" }
            guard let message = outcomes[key], !message.isEmpty else { continue }
            damaged += 1
            context.console.tell("damaged: \(dataset): \(message)")
        }
        guard damaged == 0 else {
            throw OpenDataError(.damaged, "\(damaged) of \(SnapshotText.count(snapshots.count)) damaged", dataset: id)
        }
        try context.console.write("\(SnapshotText.count(snapshots.count)) checked: all are what was downloaded\n")
    }

    /// What is wrong with a copy: its bytes, or the number of records that are now decoded from them.
    private func fault(
        of snapshot: Snapshot, _ store: SnapshotStore, _ context: Context
    ) async throws(OpenDataError) -> String? {
        let payload: Payload
        do throws(OpenDataError) {
            payload = try store.payload(of: snapshot)
        } catch {
            guard error.code == .damaged else { throw error }
            return error.message
        }
        guard let noted = snapshot.provenance.records, let dataset = snapshot.provenance.dataset,
            let source = try? context.registry.source(dataset)
        else { return nil }
        var options = FetchOptions()
        options.rejects = .report
        options.payload = payload
        // A client without a cache: what is looked at is not noted anew.
        var batches = Client(transport: context.transport ?? StandardTransport()).batches(of: source, options: options)
            .makeAsyncIterator()
        let name = "the copy \(snapshot.name)"
        do throws(OpenDataError) {
            while try await batches.next() != nil {}
        } catch {
            if error.code == .cancelled { throw error }
            return "\(name) had \(noted.read) records and cannot be decoded now: \(error.message)"
        }
        guard batches.summary.read != noted.read else { return nil }
        return "\(name) had \(noted.read) records; now \(batches.summary.read) are decoded from the same bytes"
    }
}
