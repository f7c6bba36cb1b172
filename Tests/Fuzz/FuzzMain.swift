import Foundation
import OpenDataCore
import TestSupport

/// Tries the decoders with inputs made from a seed, and tells what a decoder must not do: trap, hang, grow, or read the
/// same bytes in two ways.
@main
enum FuzzMain {
    static func main() {
        guard let options = Options(Array(CommandLine.arguments.dropFirst())) else { end(Options.usage) }
        let kinds = FuzzKinds.all(options.real.map(RealPayload.all) ?? [])
        if let only = options.only, !kinds.contains(where: { $0.name == only }) {
            end("there is no kind \(only); there are \(kinds.map(\.name).joined(separator: ", "))")
        }
        let chosen = kinds.filter { options.only == nil || $0.name == options.only }
        if options.progress != nil || options.show != nil {
            let numbers = options.show.map { $0..<($0 + 1) } ?? options.first..<(options.first + options.inputs)
            let worker = Worker(
                kind: chosen[0], seed: options.seed, numbers: numbers, skipped: options.skipped,
                threads: options.show == nil ? options.threads : 1,
                progress: Progress.Writer(path: options.progress ?? "/dev/null"), isVerbose: options.show != nil)
            exit(worker.run())
        }
        exit(Parent(options: options, kinds: chosen).run() ? 0 : 1)
    }

    private static func end(_ message: String) -> Never {
        Worker.say(message)
        exit(64)
    }
}
