import OpenDataCore

/// The limits of hosts that all processes of the user keep together, by files in a cache directory.
final class SharedBudgets: Sendable {
    /// A request that has been let through.
    struct Ticket: Sendable {
        fileprivate let place: HostLedger.Place
        fileprivate let ledger: HostLedger
        fileprivate let policy: HostPolicy
    }

    private static let all = Locked<[CacheDirectory: SharedBudgets]>([:])

    /// The object of a directory, one in a process.
    static func of(_ cache: CacheDirectory) -> SharedBudgets {
        all.withLock { all in
            let budgets = all[cache] ?? SharedBudgets(cache)
            all[cache] = budgets
            return budgets
        }
    }

    /// Who has nothing else to wait for asks again after this time.
    private static let shortest = Duration.milliseconds(20)
    /// Who waits shows that it is there at least this often.
    private static let longest = Duration.seconds(1)

    private let cache: CacheDirectory
    private let hasComplained = Locked(false)

    private init(_ cache: CacheDirectory) { self.cache = cache }

    /// Waits until the limit of all processes together allows a request; `nil` if the files cannot be used.
    ///
    /// That is told once in a process. Throws ``OpenDataError/Code/cancelled``, and what the host is left alone for.
    func acquire(
        _ policy: HostPolicy, _ time: TimeSource, _ onNotice: Notice.Handler
    ) async throws(OpenDataError) -> Ticket? {
        let host = policy.host.lowercased()
        let id = UInt64.random(in: 1 ... .max)
        var begun: Duration?
        var isTold = false
        do throws(OpenDataError) {
            let ledger = HostLedger(host, folder: try cache.folder("hosts"), time)
            while true {
                if Task.isCancelled { throw given(up: host, id, ledger, policy) }
                let wait: Duration?
                switch try ledger.ask(id, policy) {
                case .granted(let place): return Ticket(place: place, ledger: ledger, policy: policy)
                case .resting(let rest):
                    wait = rest.until - time.now()
                    if rest.until - time.now() > HostRest.bearable { throw rest.error(host, time) }
                case .wait(let length): wait = length
                case .busy: wait = nil
                }
                let now = time.now()
                let since = begun ?? now
                begun = since
                if !isTold, let wait, wait > .milliseconds(500) {
                    isTold = true
                    onNotice(Notice("waiting \(wait.inSeconds) for \(host)"))
                } else if !isTold, now - since > .milliseconds(500) {
                    isTold = true
                    onNotice(Notice("waiting for \(host), which other programs are asking"))
                }
                let length = min(max(wait ?? SharedBudgets.shortest, .milliseconds(1)), SharedBudgets.longest)
                do { try await time.sleep(length) } catch { throw given(up: host, id, ledger, policy) }
            }
        } catch {
            guard error.code == .unwritable else { throw error }
            complain(error, onNotice)
            return nil
        }
    }

    /// Books the end of a request, and the rest that the host gets from now on.
    func release(_ ticket: Ticket, _ rest: HostRest?, _ onNotice: Notice.Handler) {
        do throws(OpenDataError) { try ticket.ledger.finish(ticket.place, ticket.policy, rest) } catch {
            complain(error, onNotice)
        }
    }

    private func given(
        up host: String, _ id: UInt64, _ ledger: HostLedger, _ policy: HostPolicy
    ) -> OpenDataError {
        try? ledger.leave(id, policy)
        return OpenDataError(.cancelled, "the wait for \(host) was called off")
    }

    private func complain(_ error: OpenDataError, _ onNotice: Notice.Handler) {
        let isFirst = hasComplained.withLock { hasComplained in
            defer { hasComplained = true }
            return !hasComplained
        }
        guard isFirst else { return }
        onNotice(
            Notice("limits of hosts are kept by this process alone, not together with others: \(error.message)"))
    }
}
