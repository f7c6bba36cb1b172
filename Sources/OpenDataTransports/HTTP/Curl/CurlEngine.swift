#if !canImport(Darwin)
    import CCurl
    import OpenDataCore

    /// Asks hosts through libcurl, on one thread for all transfers of the process.
    ///
    /// The thread starts with the first transfer and stays; without transfers it sleeps. Whoever starts or gives up a
    /// transfer leaves word in a list and wakes the thread; nobody waits for it.
    @safe final class HTTPEngine: Sendable {
        private struct State: Sendable {
            var begun: [(transfer: Transfer, order: HTTPOrder)] = []
            var givenUp: [Transfer] = []
        }

        private static let shared = Result { () throws(OpenDataError) in try HTTPEngine() }

        // libcurl's set of transfers: for the thread alone, but for `ccurl_wake_up`. Never freed.
        private nonisolated(unsafe) let multi: UnsafeMutableRawPointer
        private let state = Locked(State())

        /// Starts a transfer.
        ///
        /// Throws ``OpenDataError/Code/unreadable`` where there is no libcurl, or none that is new enough.
        static func start(_ transfer: Transfer, _ order: HTTPOrder) throws(OpenDataError) {
            let engine = try shared.get()
            transfer.attach { engine.tell { $0.givenUp.append(transfer) } }
            engine.tell { $0.begun.append((transfer, order)) }
        }

        private init() throws(OpenDataError) {
            switch ccurl_load() {
            case ccurl_loaded: break
            case ccurl_absent:
                throw OpenDataError(
                    .unreadable,
                    "http needs the library libcurl.so.4, which is not here; install it (Debian, Ubuntu: libcurl4;"
                        + " Fedora, Red Hat, Alpine: libcurl)")
            default:
                throw OpenDataError(.unreadable, "http needs libcurl 7.68 or later; the one here is older")
            }
            guard let multi = unsafe ccurl_multi_make() else {
                throw OpenDataError(.unreadable, "libcurl cannot be started: there is no memory")
            }
            unsafe self.multi = multi
            let isRunning = SystemThread.start(withoutSignals: true) { [self] in run() }
            if !isRunning { throw OpenDataError(.unreadable, "no thread can be started for http") }
        }

        private func tell(_ change: (inout State) -> Void) {
            state.withLock { change(&$0) }
            _ = unsafe ccurl_wake_up(multi)
        }

        // MARK: The thread

        private func run() -> Never {
            var exchanges: [ObjectIdentifier: CurlExchange] = [:]
            while true {
                let news = state.withLock { state in
                    defer { state = State() }
                    return state
                }
                for (transfer, order) in news.begun where !transfer.isOver {
                    guard let exchange = CurlExchange(transfer, order),
                        unsafe ccurl_multi_add(multi, exchange.easy) == 0
                    else {
                        transfer.completed(TransferFailure(.unreached, "libcurl does not take the request"))
                        continue
                    }
                    exchanges[ObjectIdentifier(transfer)] = exchange
                }
                for transfer in news.givenUp { end(ObjectIdentifier(transfer), &exchanges) }
                _ = unsafe ccurl_multi_perform(multi)
                endCompleted(&exchanges)
                // Nothing is missed meanwhile: news end the wait, even if they came before it.
                let longest: Int32 = exchanges.isEmpty ? .max : 10_000
                if unsafe ccurl_multi_wait(multi, longest) != 0 { SystemThread.sleep(milliseconds: 20) }
            }
        }

        private func endCompleted(_ exchanges: inout [ObjectIdentifier: CurlExchange]) {
            var code: Int32 = 0
            while let easy = unsafe ccurl_multi_next_ended(multi, &code) {
                guard let (number, exchange) = exchanges.first(where: { unsafe $0.value.easy == easy }) else {
                    continue
                }
                exchange.completed(code)
                end(number, &exchanges)
            }
        }

        private func end(_ number: ObjectIdentifier, _ exchanges: inout [ObjectIdentifier: CurlExchange]) {
            guard let exchange = exchanges[number] else { return }
            _ = unsafe ccurl_multi_remove(multi, exchange.easy)
            exchanges[number] = nil
        }
    }
#endif
