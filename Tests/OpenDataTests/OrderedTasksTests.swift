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
