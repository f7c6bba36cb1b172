import Foundation
import TestSupport

@testable import OpenDataTransports

/// Runs tasks on one thread by a clock that jumps to the next sleeper as soon as no task can go on.
///
/// So an hour of waiting takes no time, and the same run comes out each time.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
final class VirtualTime: TaskExecutor {
    private struct Sleeper {
        let id: Int
        let end: Duration
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = Duration.zero
        var jobs: [UnownedJob] = []
        var sleepers: [Sleeper] = []
        var lastID = 0
    }

    /// No task could go on, and none slept.
    struct Stuck: Error {}

    private let state = Guarded(State())

    /// The time since the start.
    var now: Duration { state.current.now }

    /// The clock and the sleep that take no time.
    var source: TimeSource {
        TimeSource(
            now: { self.now }, sleep: { try await self.sleep($0) }, wall: { 1.8e9 + self.now.seconds },
            boot: { "virtual" })
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.with { $0.jobs.append(job) }
    }

    /// Runs the work and all its tasks to their end, on the calling thread.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) throws -> Value {
        let result = Guarded<Value?>(nil)
        Task(executorPreference: self) {
            let value = await work()
            result.with { $0 = value }
        }
        while true {
            let jobs = state.with { state in
                defer { state.jobs = [] }
                return state.jobs
            }
            for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
            if let value = result.current { return value }
            if jobs.isEmpty { try advance() }
        }
    }

    private func advance() throws {
        let sleeper = state.with { state -> Sleeper? in
            guard let first = state.sleepers.indices.min(by: { state.sleepers[$0].end < state.sleepers[$1].end }) else {
                return nil
            }
            let sleeper = state.sleepers.remove(at: first)
            state.now = max(state.now, sleeper.end)
            return sleeper
        }
        guard let sleeper else { throw Stuck() }
        sleeper.continuation.resume(returning: true)
    }

    private func sleep(_ length: Duration) async throws {
        let id = state.with { state in
            state.lastID += 1
            return state.lastID
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = Task.isCancelled
                if !isCancelled {
                    state.with { $0.sleepers.append(Sleeper(id: id, end: $0.now + length, continuation: continuation)) }
                } else {
                    continuation.resume(returning: false)
                }
            }
        } onCancel: {
            let sleeper = state.with { state in
                state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(returning: false)
        }
        if !isOver { throw CancellationError() }
    }
}
