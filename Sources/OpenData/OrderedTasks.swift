import OpenDataCore

/// Work done at the same time whose results are taken in order.
enum OrderedTasks {
    /// Makes pieces of work until there are no more, has up to `limit` of them done at the same time, and takes their
    /// results in the order in which they were made.
    ///
    /// While a result is late, up to `ahead` of those behind it are kept for their turn, and as many more pieces are
    /// begun.
    ///
    /// Throws what `next` throws, once the results of what it made before are taken, and what `emit` throws; work under
    /// way is then waited for and dropped.
    static func run<Result: Sendable>(
        limit: Int, ahead: Int, next: () throws(OpenDataError) -> (@Sendable () -> Result)?,
        emit: (Result) throws(OpenDataError) -> Void
    ) async throws(OpenDataError) {
        let failure: OpenDataError? = await withTaskGroup(of: (Int, Result).self) { group in
            var (made, taken) = (0, 0)
            var hasMore = true
            // Why there are no more, which is told after what was begun before.
            var failure: OpenDataError?
            var waiting: [Int: Result] = [:]
            do throws(OpenDataError) {
                while true {
                    if Task.isCancelled { throw OpenDataError(.cancelled, "the fetch was called off") }
                    while hasMore, made - taken < limit + min(waiting.count, ahead) {
                        var work: (@Sendable () -> Result)?
                        do throws(OpenDataError) { work = try next() } catch { failure = error }
                        guard let work else {
                            hasMore = false
                            break
                        }
                        let number = made
                        group.addTask { (number, work()) }
                        made += 1
                    }
                    if taken == made { return failure }
                    if let result = waiting.removeValue(forKey: taken) {
                        try emit(result)
                        taken += 1
                    } else if let (number, result) = await group.next() {
                        waiting[number] = result
                    }
                }
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
