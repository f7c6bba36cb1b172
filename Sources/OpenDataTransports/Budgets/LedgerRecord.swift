import OpenDataCore

/// What all processes of the user together have asked of a host, and who waits.
///
/// As text it is a few lines, of which the first names the version and the last has a checksum. Times are microseconds
/// by the clock that counts from the start of the machine, rounded up. The line `written` has that clock's name, its
/// time and the time of day when the text was written, by which a later start of the machine can place the others.
struct LedgerRecord: Sendable, Hashable {
    /// One of those that wait for their turn, over all processes.
    struct Waiter: Sendable, Hashable {
        let id: UInt64
        /// When it was last heard of.
        var seen: Duration
    }

    /// The ends of the latest requests.
    var ended: [Duration] = []
    /// When the requests under way were begun, by the place that each has taken.
    var places: [Int: Duration] = [:]
    /// Those that wait, in the order in which they came.
    var waiters: [Waiter] = []
    /// The time during which the host is left alone.
    var rest: HostRest?
    /// Whether the text was written since this machine was started; if not, it is to be written anew, so that from then
    /// on nobody depends on the time of day.
    var isOfThisStart = true

    /// Nothing asked yet.
    init() {}

    /// A limit that has just been used up: what has to be thought of a host whose record is lost.
    init(usedUp policy: HostPolicy, now: Duration) {
        ended = Array(repeating: now.roundedUp, count: max(policy.requests, 1))
    }
}

extension LedgerRecord {
    private static let version = "opendata-host 1"
    private static let mostWaiters = 1024

    /// The record as text.
    func text(_ host: String, _ time: TimeSource) -> [UInt8] {
        var lines = [LedgerRecord.version, "host \(host)"]
        let wall = max(0, min(time.wall(), 1e11)) * 1e6
        lines.append("written \(time.boot() ?? "-") \(time.now().microseconds) \(Int(wall))")
        lines.append((["ended"] + ended.sorted().map { "\($0.microseconds)" }).joined(separator: " "))
        lines += places.sorted { $0.key < $1.key }.map { "place \($0) \($1.microseconds)" }
        lines += waiters.prefix(LedgerRecord.mostWaiters).map { waiter in
            "waiter \(String(waiter.id, radix: 16)) \(waiter.seen.microseconds)"
        }
        if let rest {
            let reason = String(
                String.UnicodeScalarView(rest.reason.unicodeScalars.prefix(400).map { $0 < " " ? " " : $0 }))
            lines.append("rest \(rest.until.microseconds) \(rest.code.rawValue) \(rest.status ?? 0) \(reason)")
        }
        let text = lines.joined(separator: "\n") + "\n"
        return Array((text + "sum \(String(Checksum.of(text.utf8), radix: 16))\n").utf8)
    }

    /// Reads a record; `nil` unless the text is whole and of this version.
    ///
    /// Times that lie in the future are those of this moment, and no rest is longer than ``HostRest/longest``.
    init?(_ bytes: [UInt8], _ time: TimeSource) {
        let now = time.now()
        var shift: Duration?
        var sum = Checksum()
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        // What is behind the last line break is no line.
        _ = lines.popLast()
        guard lines.first.map({ String(decoding: $0, as: UTF8.self) }) == LedgerRecord.version else { return nil }
        for line in lines {
            let text = String(decoding: line, as: UTF8.self)
            let words = text.split(separator: " ", maxSplits: 4)
            if words.first == "sum" {
                guard words.count == 2, UInt64(words[1], radix: 16) == sum.value, shift != nil else { return nil }
                return
            }
            sum.add(line)
            sum.add([UInt8(ascii: "\n")])
            if words.first == "written" {
                isOfThisStart = words.count > 1 && time.boot().map { $0 == words[1] } ?? false
                shift = LedgerRecord.shift(words, isOfThisStart, now, time)
            } else if let shift {
                guard add(text, words, shift, now) else { return nil }
            }
        }
        return nil
    }

    /// What has to be added to the times of a text to have them by this machine's clock as it is now.
    private static func shift(
        _ words: [Substring], _ isOfThisStart: Bool, _ now: Duration, _ time: TimeSource
    ) -> Duration? {
        guard words.count == 4, let written = Duration(words[2]), let wall = Int(words[3]) else { return nil }
        // The clock of one start only goes forward; if it does not seem so, the text is of this moment.
        if isOfThisStart { return min(.zero, now - written) }
        let passed = max(0, min(time.wall() - Double(wall) / 1e6, 1e11))
        return now - .seconds(passed) - written
    }

    /// Takes a line in; `false` if it is none that this version writes.
    private mutating func add(_ text: String, _ words: [Substring], _ shift: Duration, _ now: Duration) -> Bool {
        func moment(_ word: Substring) -> Duration? { Duration(word).map { min($0 + shift, now.roundedUp) } }
        switch words.first {
        case "ended":
            let times = text.split(separator: " ").dropFirst().map(moment)
            ended += times.compactMap { $0 }
            return !times.contains(nil)
        case "place":
            guard words.count == 3, let place = Int(words[1]), let begun = moment(words[2]) else { return false }
            places[place] = begun
        case "waiter":
            guard words.count == 3, let id = UInt64(words[1], radix: 16), let seen = moment(words[2]) else {
                return false
            }
            waiters.append(Waiter(id: id, seen: seen))
        case "rest":
            guard words.count >= 4, let until = Duration(words[1]), let status = Int(words[3]) else { return false }
            rest = HostRest(
                until: min(until + shift, now.roundedUp + HostRest.longest), code: .init(rawValue: String(words[2])),
                status: status == 0 ? nil : status, reason: words.count > 4 ? String(words[4]) : "")
        default: return false
        }
        return true
    }
}

extension Duration {
    /// The time in microseconds, rounded up.
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + (attoseconds + 999_999_999_999) / 1_000_000_000_000
    }

    /// The time as a record has it.
    fileprivate var roundedUp: Duration { .microseconds(microseconds) }

    /// Reads microseconds.
    fileprivate init?(_ word: Substring) {
        guard let number = Int64(word), number.magnitude < 1 << 60 else { return nil }
        self = .microseconds(number)
    }
}
