import OpenData

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension Odctl {
    /// Runs the command line of the process and ends it with the exit status.
    public static func main() -> Never {
        openStandardDescriptors()
        // A reader that has gone is an error of the write, which is handled where the write is.
        _ = signal(SIGPIPE, SIG_IGN)
        let beginning = begin(
            arguments: Array(CommandLine.arguments.dropFirst()), environment: .process, console: .standard,
            registry: .standard, transport: nil)
        // Nothing is buffered, so the process can end as it is, whatever other threads still do.
        switch beginning {
        case .ended(let status): _exit(status)
        case .left(let work):
            let signals = Interruption.signals()
            Task.detached { _exit(await finish(work, unless: signals)) }
            while true { pause() }
        }
    }

    /// Does the work to its end, or until a signal comes.
    private static func finish(_ work: @escaping @Sendable () async -> Int32, unless signals: AsyncStream<Int32>)
        async -> Int32
    {
        await withTaskGroup(of: Int32?.self) { group in
            group.addTask { await work() }
            group.addTask {
                for await number in signals { return 128 + number }
                return nil
            }
            // After a signal the work is cancelled and waited for, so that it can tidy up.
            var status: Int32?
            for await ended in group {
                guard let ended else { continue }
                status = status ?? ended
                group.cancelAll()
            }
            return status ?? ExitStatus.software.number
        }
    }

    /// Descriptors 0 to 2 that the parent has closed are opened, or the next file opened would take their numbers and
    /// get what is meant for the person.
    private static func openStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
            // The wrong way round on purpose: reading and writing fail, as they did before.
            _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
