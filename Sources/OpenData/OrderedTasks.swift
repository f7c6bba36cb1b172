import OpenDataCore

/// Work done at the same time whose results are taken in order.
enum OrderedTasks {
    /// Makes pieces of work until there are no more, has up to `limit` of them done at the same time, and takes their
    /// results in the order in which they were made.
    ///
    /// Throws what `next` and `emit` throw; work under way is then waited for and dropped.
    static func run<Result: Sendable>(
        limit: Int, next: () throws(OpenDataError) -> (@Sendable () -> Result)?,
        emit: (Result) throws(OpenDataError) -> Void
    ) async throws(OpenDataError) {
        let failure: OpenDataError? = await withTaskGroup(of: (Int, Result).self) { group in
            var (made, taken) = (0, 0)
            var hasMore = true
            var waiting: [Int: Result] = [:]
            do throws(OpenDataError) {
                while true {
                    if Task.isCancelled { throw OpenDataError(.cancelled, "the fetch was called off") }
                    while hasMore, made - taken < limit {
                        guard let work = try next() else {
                            hasMore = false
                            break
                        }
                        let number = made
                        group.addTask { (number, work()) }
                        made += 1
                    }
                    if taken == made { return nil }
                    while waiting[taken] == nil, let (number, result) = await group.next() { waiting[number] = result }
                    if let result = waiting.removeValue(forKey: taken) { try emit(result) }
                    taken += 1
                }
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
