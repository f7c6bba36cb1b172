import Foundation
import OpenDataCore

/// Where each thread of a child process stands, in a file, so that it is known when the process is gone.
struct Progress {
    /// What a thread has done.
    struct Slot: Sendable {
        /// The input under way, or the one after the last.
        var number = 0
        var accepted = 0
        var refused = 0
        var faults = 0
    }

    /// The thread slots, and the peaks of memory at a tenth of the inputs and at the end.
    var slots: [Slot] = []
    var early = 0
    var late = 0

    /// A file that a child writes to.
    final class Writer: Sendable {
        private let descriptor: Int32

        init(path: String) { descriptor = unsafe open(path, O_RDWR | O_CREAT, 0o600) }

        deinit { close(descriptor) }

        func write(_ slot: Slot, _ index: Int) {
            write([slot.number, slot.accepted, slot.refused, slot.faults], at: 2 + index * 4)
        }

        func write(early: Int) { write([early], at: 0) }
        func write(late: Int) { write([late], at: 1) }

        private func write(_ numbers: [Int], at place: Int) {
            // In bounds: as many bytes as the array has.
            _ = unsafe numbers.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(place * 8)) }
        }
    }

    /// Reads what a child has written.
    init(path: String) {
        let data = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
        let numbers = stride(from: 0, to: data.count / 8 * 8, by: 8).map { start in
            (0..<8).reduce(0) { $0 | Int(data[start + $1]) << ($1 * 8) }
        }
        guard numbers.count >= 2 else { return }
        (early, late) = (numbers[0], numbers[1])
        slots = stride(from: 2, to: numbers.count - 3, by: 4).map {
            Slot(number: numbers[$0], accepted: numbers[$0 + 1], refused: numbers[$0 + 2], faults: numbers[$0 + 3])
        }
    }
}

/// The highest resident memory of this process so far, in bytes.
func peakMemory() -> Int {
    var usage = rusage()
    #if canImport(Glibc)
        _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
        _ = unsafe getrusage(RUSAGE_SELF, &usage)
    #endif
    #if os(Linux)
        return usage.ru_maxrss * 1024
    #else
        return usage.ru_maxrss
    #endif
}
