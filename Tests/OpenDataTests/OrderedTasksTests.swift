@testable import OpenData
import OpenDataCore
import TestSupport
import Testing

/// Work done at the same time has results in order.
@Suite struct OrderedTasksTests {
    private let failure = OpenDataError(.malformed, "no more")

    @Test("results come in order, whichever is late", arguments: [1, 2, 4, 9], [0, 1, 12])
    func order(_ limit: Int, _ ahead: Int) async throws {
        var (next, results) = (0, [Int]())
        let begun = Guarded(0)
        try await OrderedTasks.run(limit: limit, ahead: ahead) { () throws(OpenDataError) in
            guard next < 200 else { return nil }
            next += 1
            // No more are made than may be done or wait.
            begun.with { $0 += 1 }
            #expect(begun.current - results.count <= limit + ahead)
            return { @Sendable [next] in
                var sum = 0
                for step in 0..<(next % 7 == 0 ? 20_000 : 1) { sum &+= step }
                return sum < 0 ? 0 : next
            }
        } emit: { (result: Int) throws(OpenDataError) in
            results.append(result)
        }
        #expect(results == Array(1...200))
    }

    @Test(
        "while a result is late, as many pieces are begun as may be kept behind it",
        .enabled(if: Processors.count > 1, "needs a thread beside the one that is late"))
    func late() async throws {
        var next = 0
        let begun = Guarded(0)
        let seen = Guarded(0)
        try await OrderedTasks.run(limit: 2, ahead: 3) { () throws(OpenDataError) in
            guard next < 20 else { return nil }
            next += 1
            begun.with { $0 += 1 }
            return { @Sendable [next] in
                // The first one waits for those that may be begun meanwhile, or gives up.
                let end = ContinuousClock.now + .seconds(300)
                while next == 1, begun.current < 5, ContinuousClock.now < end {}
                if next == 1 { seen.with { $0 = begun.current } }
                return next
            }
        } emit: { (_: Int) throws(OpenDataError) in
        }
        #expect(seen.current == 5)
    }

    @Test("an error in making more comes after what was made before", arguments: [1, 4], [0, 12])
    func failures(_ limit: Int, _ ahead: Int) async {
        var (next, results) = (0, [Int]())
        let error = await #expect(throws: OpenDataError.self) {
            try await OrderedTasks.run(limit: limit, ahead: ahead) { () throws(OpenDataError) in
                if next == 20 { throw failure }
                next += 1
                return { @Sendable [next] in next }
            } emit: { (result: Int) throws(OpenDataError) in
                results.append(result)
            }
        }
        #expect(error?.message == failure.message && results == Array(1...20))
    }

    @Test("an error in taking a result ends it") func emitting() async {
        var (next, results) = (0, [Int]())
        let error = await #expect(throws: OpenDataError.self) {
            try await OrderedTasks.run(limit: 4, ahead: 4) { () throws(OpenDataError) in
                if next == 12 { throw OpenDataError(.tooLarge, "later") }
                next += 1
                return { @Sendable [next] in next }
            } emit: { (result: Int) throws(OpenDataError) in
                if result == 10 { throw failure }
                results.append(result)
            }
        }
        #expect(error?.message == failure.message && results == Array(1...9))
    }
}
