import Foundation
import OpenDataCore
import TestSupport

/// Runs the kinds in child processes, so that a trap ends one of them and not the run.
struct Parent {
    let options: Options
    let kinds: [any FuzzKind]

    /// From a tenth of a child's inputs to its end, its peak of memory may grow by so much.
    static let growth = 4 << 20
    /// So many inputs of a kind may end their process before the kind is given up.
    private static let mostCrashes = 5

    private struct Tally {
        var inputs = 0
        var accepted = 0
        var refused = 0
        var seconds = 0.0
        var peak = 0
        var growth = 0
        var faults: [String] = []
        // Inputs that are left out, since they end their process, and how often a process has ended so.
        var skipped: Set<Int> = []
        var crashes = 0
        var isGivenUp = false
    }

    /// Runs everything and prints the table; whether nothing was found.
    ///
    /// Kinds take turns, so that a run that is cut short has some of all.
    func run() -> Bool {
        let shares = kinds.reduce(0) { $0 + $1.share }
        let counts = kinds.map { options.inputs * $0.share / shares }
        let rounds = max(((counts.max() ?? 0) + options.perChild - 1) / options.perChild, 1)
        var tallies = kinds.map { _ in Tally() }
        let begun = DispatchTime.now()
        var isCutShort = false
        for round in 1...rounds {
            for (index, kind) in kinds.enumerated() where !tallies[index].isGivenUp {
                isCutShort = isCutShort || options.minutes.map { seconds(since: begun) > Double($0 * 60) } ?? false
                if isCutShort { break }
                run(kind, upTo: counts[index] * round / rounds, &tallies[index])
            }
            Worker.say("round \(round) of \(rounds): \(Int(seconds(since: begun))) s")
            if isCutShort { break }
        }
        var sum = Tally()
        print("| kind | inputs | accepted | refused | seconds | peak MB | growth MB |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for (kind, tally) in zip(kinds, tallies) {
            print(row(kind.name, tally))
            sum.faults += tally.faults
            sum.inputs += tally.inputs
            sum.accepted += tally.accepted
            sum.refused += tally.refused
            sum.seconds += tally.seconds
            sum.peak = max(sum.peak, tally.peak)
            sum.growth = max(sum.growth, tally.growth)
        }
        print(row("all", sum))
        print("\nseed \(options.seed), \(options.threads) threads; \(sum.faults.count) findings")
        if isCutShort { print("cut short after \(options.minutes ?? 0) minutes, of \(options.inputs) inputs") }
        for fault in sum.faults { print("* \(fault)") }
        return sum.faults.isEmpty
    }

    private func seconds(since begun: DispatchTime) -> Double {
        Double(DispatchTime.now().uptimeNanoseconds - begun.uptimeNanoseconds) / 1e9
    }

    private func row(_ name: String, _ tally: Tally) -> String {
        let numbers = [tally.inputs, tally.accepted, tally.refused].map { number in
            String(
                String(number).reversed().enumerated().flatMap { $0 > 0 && $0 % 3 == 0 ? [",", $1] : [$1] }.reversed())
        }
        let memory = [tally.peak, tally.growth].map { String(format: "%.1f", Double($0) / 1_048_576) }
        let cells = [name] + numbers + [String(format: "%.1f", tally.seconds)] + memory
        return "| \(cells.joined(separator: " | ")) |"
    }

    /// Runs inputs of a kind from where it stands, in a child, and in more of them where one ends too early.
    private func run(_ kind: any FuzzKind, upTo end: Int, _ tally: inout Tally) {
        let begun = DispatchTime.now()
        while tally.inputs < end, !tally.isGivenUp {
            let first = tally.inputs
            let (status, progress) = child(kind, first..<end, tally.skipped)
            for slot in progress.slots {
                tally.accepted += slot.accepted
                tally.refused += slot.refused
            }
            let found = progress.slots.reduce(0) { $0 + $1.faults }
            if found > 0 {
                tally.faults.append("\(kind.name): \(found) of the inputs \(first)..<\(end) are read wrongly")
            }
            if status == 0 || status == Worker.faultStatus {
                note(progress, kind.name, first..<end, &tally)
                tally.inputs = end
            } else {
                look(kind, first..<end, status, progress.slots.map(\.number), &tally)
            }
        }
        tally.seconds += seconds(since: begun)
    }

    private func note(_ progress: Progress, _ name: String, _ numbers: Range<Int>, _ tally: inout Tally) {
        tally.peak = max(tally.peak, progress.late)
        tally.growth = max(tally.growth, progress.late - progress.early)
        if progress.late - progress.early > Self.growth {
            tally.faults.append(
                "\(name): memory grew from \(progress.early >> 20) to \(progress.late >> 20) MB in \(numbers)")
        }
    }

    /// Finds out which of the threads' inputs has ended a child, by giving each a child of its own, and leaves it out.
    private func look(
        _ kind: any FuzzKind, _ numbers: Range<Int>, _ status: Int32, _ under: [Int], _ tally: inout Tally
    ) {
        let suspects = under.filter { numbers ~= $0 && !tally.skipped.contains($0) }
        var culprits: [Int] = []
        for number in suspects {
            let (alone, _) = child(kind, number..<(number + 1), [])
            guard alone != 0, alone != Worker.faultStatus else { continue }
            culprits.append(number)
            tally.faults.append(
                "\(kind.name): input \(number) of seed \(options.seed) "
                    + (alone == Worker.slowStatus ? "takes too long" : "ends the process with status \(alone)"))
        }
        if culprits.isEmpty, status == Worker.slowStatus, !suspects.isEmpty {
            Worker.say("\(kind.name): \(suspects) are not slow by themselves; the machine was busy")
        } else {
            tally.crashes += 1
            if culprits.isEmpty {
                tally.faults.append("\(kind.name): status \(status) in \(numbers), by none of \(suspects) alone")
            }
        }
        tally.skipped.formUnion(culprits.isEmpty ? suspects : culprits)
        tally.inputs = suspects.min() ?? numbers.upperBound
        if tally.crashes >= Self.mostCrashes {
            tally.isGivenUp = true
            tally.faults.append("\(kind.name): given up at input \(tally.inputs)")
        }
    }

    /// Runs a child to its end; its status, 128 and more for a signal.
    private func child(_ kind: any FuzzKind, _ numbers: Range<Int>, _ skipped: Set<Int>) -> (Int32, Progress) {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var arguments = [
            "--only", kind.name, "--seed", String(options.seed), "--first", String(numbers.lowerBound), "--inputs",
            String(numbers.count), "--threads", String(min(options.threads, numbers.count)), "--progress", path,
        ]
        if let real = options.real { arguments += ["--real", real] }
        if !skipped.isEmpty { arguments += ["--skip", skipped.map(String.init).joined(separator: ",")] }
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        // The numbers say where it was; a backtrace takes long.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        do { try process.run() } catch {
            Worker.say("no child process: \(error)")
            return (-1, Progress(path: path))
        }
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        return (status, Progress(path: path))
    }
}
