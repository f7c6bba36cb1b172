import Foundation
import OpenDataCore
import TestSupport

/// The work of a child process: inputs of one kind, shared out to threads.
struct Worker {
    let kind: any FuzzKind
    let seed: UInt64
    let numbers: Range<Int>
    /// Inputs that are left out, since they are known to end the process.
    let skipped: Set<Int>
    let threads: Int
    let progress: Progress.Writer
    /// The inputs that were made and tried; they are not told again.
    let isVerbose: Bool

    /// So long may an input take.
    static let patience: Double = 2
    /// So many findings are told in full.
    static let told = 5
    /// The status of a process that has found an input that takes too long.
    static let slowStatus: Int32 = 1
    /// The status of a process that has found something else.
    static let faultStatus: Int32 = 2

    /// Runs to the end and returns the exit status.
    func run() -> Int32 {
        // The input of each thread and when it was begun.
        let under = (0..<threads).map { _ in Guarded((number: -1, begun: 0.0)) }
        let faults = Guarded(0)
        let group = DispatchGroup()
        for index in 0..<threads {
            group.enter()
            let (kind, seed, numbers, skipped, progress) = (kind, seed, numbers, skipped, progress)
            let (threads, isVerbose) = (threads, isVerbose)
            let started = SystemThread.start {
                var slot = Progress.Slot()
                for number in stride(from: numbers.lowerBound + index, to: numbers.upperBound, by: threads)
                where !skipped.contains(number) {
                    slot.number = number
                    progress.write(slot, index)
                    under[index].with { $0 = (number, Self.now) }
                    var trial = Trial()
                    var random = FuzzKinds.generator(seed: seed, kind: kind.name, number: number)
                    if kind.run(&random, &trial) { slot.accepted += 1 } else { slot.refused += 1 }
                    if let fault = trial.fault {
                        slot.faults += 1
                        if faults.increment() <= Self.told {
                            Self.tell(kind.name, seed, number, trial, fault, isWhole: isVerbose)
                        }
                    } else if isVerbose {
                        Self.tell(kind.name, seed, number, trial, "nothing is wrong", isWhole: true)
                    }
                    if index == 0, number - numbers.lowerBound <= numbers.count / 10 {
                        progress.write(early: peakMemory())
                    }
                }
                slot.number = numbers.upperBound
                progress.write(slot, index)
                under[index].with { $0 = (-1, 0) }
                group.leave()
            }
            if !started { group.leave() }
        }
        while group.wait(timeout: .now() + .milliseconds(200)) == .timedOut {
            for item in under {
                let (number, begun) = item.current
                guard number >= 0, Self.now - begun > Self.patience else { continue }
                Self.say("\(kind.name): input \(number) of seed \(seed) takes more than \(Self.patience) s")
                return Self.slowStatus
            }
        }
        progress.write(late: peakMemory())
        return faults.current > 0 ? Self.faultStatus : 0
    }

    private static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    private static func tell(
        _ kind: String, _ seed: UInt64, _ number: Int, _ trial: Trial, _ fault: String, isWhole: Bool
    ) {
        let bytes = String(reflecting: String(decoding: trial.bytes, as: UTF8.self))
        say(
            """
            \(kind): input \(number) of seed \(seed): \(fault)
              read as \(trial.reading())
              \(trial.bytes.count) bytes: \(isWhole ? bytes[...] : bytes.prefix(600))
            """)
        if isWhole { say("  in base 64: \(Data(trial.bytes).base64EncodedString())") }
    }

    static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
