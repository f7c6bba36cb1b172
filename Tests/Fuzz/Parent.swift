import Foundation
import OpenDataCore
import TestSupport

/// Runs the kinds in child processes, so that a trap ends one of them and not the run.
struct Parent {
    let options: Options
    let kinds: [any FuzzKind]

    /// From a tenth of a child's inputs to its end, its peak of memory may grow by so much.
    static let growth = 16 << 20
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
    }

    /// Runs everything and prints the table; whether nothing was found.
    func run() -> Bool {
        let shares = kinds.reduce(0) { $0 + $1.share }
        var (rows, faults): ([String], [String]) = ([], [])
        var sum = Tally()
        for kind in kinds {
            let tally = run(kind, options.inputs * kind.share / shares)
            rows.append(row(kind.name, tally))
            Worker.say(row(kind.name, tally))
            faults += tally.faults
            sum.inputs += tally.inputs
            sum.accepted += tally.accepted
            sum.refused += tally.refused
            sum.seconds += tally.seconds
            sum.peak = max(sum.peak, tally.peak)
            sum.growth = max(sum.growth, tally.growth)
        }
        print("| kind | inputs | accepted | refused | seconds | peak MB | growth MB |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for line in rows + [row("all", sum)] { print(line) }
        print("\nseed \(options.seed), \(options.threads) threads; \(faults.count) findings")
        for fault in faults { print("* \(fault)") }
        return faults.isEmpty
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

    /// Runs the inputs of a kind, a child after the other.
    private func run(_ kind: any FuzzKind, _ count: Int) -> Tally {
        var tally = Tally()
        let begun = DispatchTime.now()
        var (first, crashes) = (0, 0)
        var skipped: Set<Int> = []
        while first < count {
            let end = min(first + options.perChild, count)
            let (status, progress) = child(kind, first..<end, skipped)
            for slot in progress.slots {
                tally.accepted += slot.accepted
                tally.refused += slot.refused
            }
            let isWhole = status == 0 || status == Worker.faultStatus
            let found = progress.slots.reduce(0) { $0 + $1.faults }
            if found > 0 {
                tally.faults.append("\(kind.name): \(found) of the inputs \(first)..<\(end) are read wrongly")
            }
            if isWhole {
                tally.peak = max(tally.peak, progress.late)
                tally.growth = max(tally.growth, progress.late - progress.early)
                if progress.late - progress.early > Self.growth {
                    tally.faults.append(
                        "\(kind.name): memory grew from \(progress.early >> 20) to \(progress.late >> 20) MB in "
                            + "\(first)..<\(end)")
                }
                first = end
                continue
            }
            // The threads' inputs one by one: which of them ends a process of its own?
            let suspects = progress.slots.map(\.number).filter { first..<end ~= $0 && !skipped.contains($0) }
            var culprits: [Int] = []
            for number in suspects {
                let (alone, _) = child(kind, number..<(number + 1), [])
                guard alone != 0, alone != Worker.faultStatus else { continue }
                culprits.append(number)
                tally.faults.append(
                    "\(kind.name): input \(number) of seed \(options.seed) "
                        + (alone == Worker.slowStatus ? "takes too long" : "ends the process with status \(alone)"))
            }
            if culprits.isEmpty, status != Worker.slowStatus {
                tally.faults.append("\(kind.name): status \(status) in \(first)..<\(end), by none of \(suspects) alone")
            } else if culprits.isEmpty {
                Worker.say("\(kind.name): \(suspects) are not slow by themselves; the machine was busy")
            }
            crashes += 1
            if crashes >= Self.mostCrashes {
                tally.faults.append("\(kind.name): given up at input \(suspects.min() ?? first) of \(count)")
                first = suspects.min() ?? first
                break
            }
            skipped.formUnion(culprits.isEmpty ? suspects : culprits)
            first = suspects.min() ?? end
        }
        tally.inputs = first
        tally.seconds = Double(DispatchTime.now().uptimeNanoseconds - begun.uptimeNanoseconds) / 1e9
        return tally
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
