import Foundation

/// What was asked for on the command line.
struct Options {
    var inputs = 100_000
    var seed: UInt64 = 1
    var only: String?
    var real: String?
    var perChild = 100_000
    /// So long the run may take before it is cut short.
    var minutes: Int?
    /// A single input, to be shown.
    var show: Int?
    // Of a child process: its inputs, those to leave out, its threads and its file.
    var first = 0
    var skipped: Set<Int> = []
    var threads = max(ProcessInfo.processInfo.activeProcessorCount, 1)
    var progress: String?

    static let usage = """
        usage: Fuzz [--inputs N] [--seed S] [--only KIND] [--real FOLDER] [--per-child N] [--threads N]
                    [--minutes N]
               Fuzz --only KIND --seed S --show NUMBER
        """

    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let flag = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            let number = Int(value.filter { $0 != "_" && $0 != "," })
            switch flag {
            case "--only": only = value
            case "--real": real = value
            case "--progress": progress = value
            case "--skip": skipped = Set(value.split(separator: ",").compactMap { Int($0) })
            case "--inputs", "--seed", "--per-child", "--threads", "--first", "--show", "--minutes":
                guard let number, number >= 0 else { return nil }
                switch flag {
                case "--inputs": inputs = number
                case "--seed": seed = UInt64(number)
                case "--per-child": perChild = max(number, 1)
                case "--threads": threads = max(number, 1)
                case "--first": first = number
                case "--minutes": minutes = number
                default: show = number
                }
            default: return nil
            }
        }
    }
}
