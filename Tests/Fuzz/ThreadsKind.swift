import Foundation
import OpenData
import OpenDataCore
import OpenDataFormats
import TestSupport

/// Whole fetches of a saved payload: in order, and shared out to several threads in small chunks.
struct ThreadsKind: FuzzKind {
    let name = "threads"
    let share = 4
    let seeds: [FuzzSeed]

    private struct Source: DataSource {
        let dataset = Dataset(
            id: "fuzz.payload", title: "題", english: "Payload", publisher: "示例", licence: .ogdl1,
            page: "https://example.tw/", schema: .asPublished)
        let format: Format
        func request(_ arguments: Arguments) throws(OpenDataError) -> Request { try Request("https://example.tw/data") }
    }

    private struct Nowhere: Transport {
        func send(_ request: Request) async throws(OpenDataError) -> Payload {
            throw OpenDataError(.unreachable, "nothing is asked of a network")
        }
    }

    /// What a fetch comes to.
    private struct Outcome: Equatable {
        var hash = 0
        var count = 0
        var failure: String?

        /// Of a fetch that fails, the rows so far are not handed out; see `Reading` for text that is none.
        func agrees(with other: Outcome) -> Bool {
            guard let failure, let second = other.failure else { return self == other }
            return failure == second || failure.hasPrefix("invalidText") || second.hasPrefix("invalidText")
        }
    }

    func run(_ random: inout SeededGenerator, _ trial: inout Trial) -> Bool {
        guard let seed = seeds.randomElement(using: &random), let other = seeds.randomElement(using: &random),
            let format = seed.formats.randomElement(using: &random)
        else { return false }
        let words = format.name == "csv" ? CSVSeeds.words : JSONSeeds.words
        trial.bytes = Mutator.input(seed.bytes, others: other.bytes, words: words, using: &random)
        if format.encodings == [.utf8] { trial.bytes = Mutator.repaired(trial.bytes) }
        var options = FetchOptions()
        options.payload = Payload(trial.bytes)
        options.rejects = Bool.random(using: &random) ? .report : .fail
        let window = Mutator.window(for: trial.bytes.count / 2, &random)
        trial.reading = { "\(format), windows of \(window), rejects \(options.rejects)" }
        let source = Source(format: format)
        let client = Client(transport: Nowhere())
        let (inOrder, small) = (
            options,
            {
                options.windowSize = window; return options
            }()
        )
        let outcomes = Guarded<[Outcome]>([])
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let one = await Self.rows(client, source, inOrder)
            let two = await Self.fetch(client, source, small)
            _ = outcomes.replace(with: [one, two])
            done.signal()
        }
        done.wait()
        let both = outcomes.current
        if both.count == 2, !both[0].agrees(with: both[1]) {
            trial.fail("by threads: \(both[1])\n  in order: \(both[0])")
        }
        return both.first?.failure == nil
    }

    private static func rows(_ client: Client, _ source: Source, _ options: FetchOptions) async -> Outcome {
        var outcome = Outcome()
        var hasher = Hasher()
        do {
            for try await record in client.records(of: source, options: options) {
                outcome.count += 1
                combine(record, &hasher)
            }
        } catch { outcome.failure = "\(error)" }
        outcome.hash = hasher.finalize()
        return outcome
    }

    /// The rows all at once, by as many threads as there are processors.
    private static func fetch(_ client: Client, _ source: Source, _ options: FetchOptions) async -> Outcome {
        var outcome = Outcome()
        var hasher = Hasher()
        do {
            for record in try await client.fetch(source, options: options) {
                outcome.count += 1
                combine(record, &hasher)
            }
        } catch { outcome.failure = "\(error)" }
        outcome.hash = hasher.finalize()
        return outcome
    }

    private static func combine(_ record: Record, _ hasher: inout Hasher) {
        // (Lines and numbers of records are counted from the start of a thread's chunk.)
        hasher.combine(record.position.byte)
        for (column, name) in record.names.enumerated() {
            let value = record.value(at: column)
            // Records of later windows know more columns.
            if value == .absent { continue }
            hasher.combine(name)
            hasher.combine(value)
        }
    }
}
