import OpenDataCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What all processes of the user together have asked of a host, in files that they share.
///
/// `NAME.host` is the ``LedgerRecord``. `NAME.lock` is locked for the instant in which the record is read and written;
/// nobody waits for anything meanwhile. `NAME.0`, `NAME.1`, … are the places of requests under way: a place is locked
/// as long as its request lasts, so that it is free again when the process is killed. The end of such a request is not
/// known; it counts as ended when somebody finds the place unlocked.
///
/// The files are opened anew for each step, so that the folder may be emptied at any time.
struct HostLedger: Sendable {
    /// The place of a request under way.
    struct Place: Sendable {
        let number: Int
        let lock: FileLock
    }

    /// What comes of asking for a place.
    enum Answer: Sendable {
        /// The request may be made.
        case granted(Place)
        /// It may be asked again after that time; `nil` if requests of others have to end, nobody knows when.
        case wait(Duration?)
        /// The host is left alone.
        case resting(HostRest)
        /// Somebody else has the record locked.
        case busy
    }

    /// One that waits and is not heard of for so long has gone.
    static let patience = Duration.seconds(3)
    /// A request that lasts longer than this is no longer waited for: its process may be stopped.
    static let longestRequest = Duration.seconds(3600)
    /// The record says how recently a waiter was heard of only so exactly.
    private static let heartbeat = Duration.milliseconds(500)
    private static let mostPlaces = 64
    private static let mostBytes = 1 << 18

    private let host: String
    private let stem: String
    private let time: TimeSource

    /// Names the files of a host in a folder.
    init(_ host: String, folder: String, _ time: TimeSource) {
        self.host = host
        self.time = time
        stem = folder + "/" + HostLedger.fileName(host)
    }

    /// A name for files that is the host's own and leads nowhere else.
    ///
    /// Letters, digits, dots, dashes and underscores stay, other bytes and a dot in front are written as in addresses;
    /// of a long name the beginning and a checksum are left.
    static func fileName(_ host: String) -> String {
        var name = ""
        for (index, byte) in host.lowercased().utf8.enumerated() {
            let isPlain =
                byte &- 48 < 10 || byte &- 97 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: ".") && index > 0
            name +=
                isPlain
                ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        if name.isEmpty { return "%" }
        return name.utf8.count <= 100 ? name : name.prefix(60) + "%%" + String(Checksum.of(name.utf8), radix: 16)
    }

    /// Asks for a place, for whoever has that number.
    ///
    /// Who has to wait is remembered in the order of coming, and is to ask again within ``patience``.
    /// Throws ``OpenDataError/Code/unwritable`` if the files cannot be used.
    func ask(_ id: UInt64, _ policy: HostPolicy) throws(OpenDataError) -> Answer {
        try update(policy, milliseconds: 5) { (record, now) throws(OpenDataError) in
            if let rest = record.rest {
                record.waiters.removeAll { $0.id == id }
                return .resting(rest)
            }
            if let index = record.waiters.firstIndex(where: { $0.id == id }) {
                if record.waiters[index].seen + HostLedger.heartbeat < now { record.waiters[index].seen = now }
            } else {
                record.waiters.append(LedgerRecord.Waiter(id: id, seen: now))
            }
            let ahead = record.waiters.firstIndex { $0.id == id } ?? 0
            guard ahead == 0 else {
                let window = RequestWindow(ended: record.ended, underWay: record.places.count)
                let wait = window.shortestWait(policy, now: now, ahead: ahead)
                return .wait(wait == .zero ? nil : wait)
            }
            let (underWay, free) = try look(&record, max(policy.concurrent, 1), now)
            let wait = RequestWindow(ended: record.ended, underWay: underWay).wait(policy, now: now)
            guard wait == .zero, let free else { return .wait(wait == .zero ? nil : wait) }
            record.waiters.removeFirst()
            record.places[free.number] = now
            return .granted(free)
        } ?? .busy
    }

    /// Takes a waiter who has given up off the record.
    func leave(_ id: UInt64, _ policy: HostPolicy) throws(OpenDataError) {
        _ = try update(policy, milliseconds: 5) { record, _ in record.waiters.removeAll { $0.id == id } }
    }

    /// Books the end of a request and gives its place back; the host is left alone from now on if a rest is given.
    func finish(_ place: Place, _ policy: HostPolicy, _ rest: HostRest?) throws(OpenDataError) {
        // Without the record the place is free all the same, and the request counts as ended when that is found.
        defer { place.lock.unlock() }
        _ = try update(policy, milliseconds: rest == nil ? 100 : 1000) { record, now in
            record.places[place.number] = nil
            record.ended.append(now)
            record.rest = HostRest.later(record.rest, rest)
        }
    }

    // MARK: Places

    /// Finds out which requests are under way, whatever the record says, and takes the first place that is free.
    private func look(
        _ record: inout LedgerRecord, _ concurrent: Int, _ now: Duration
    ) throws(OpenDataError) -> (underWay: Int, free: Place?) {
        var free: Place?
        var (underWay, number) = (0, 0)
        var end = min(concurrent, HostLedger.mostPlaces)
        while number < max(end, (record.places.keys.max() ?? 0) + 1) {
            defer { number += 1 }
            if let lock = try FileLock.attempt("\(stem).\(number)") {
                // Its process has ended without a word.
                if record.places.removeValue(forKey: number) != nil { record.ended.append(now) }
                if free == nil { free = Place(number: number, lock: lock) }
            } else if let begun = record.places[number], begun + HostLedger.longestRequest < now {
                end = min(end + 1, HostLedger.mostPlaces)
            } else {
                underWay += 1
                record.places[number] = record.places[number] ?? now
            }
        }
        return (underWay, free)
    }

    // MARK: The record

    /// Reads the record, changes it and writes it; `nil` if somebody else has it locked for that long.
    private func update<Result>(
        _ policy: HostPolicy, milliseconds: Int,
        _ change: (inout LedgerRecord, Duration) throws(OpenDataError) -> Result
    ) throws(OpenDataError) -> Result? {
        guard let lock = try FileLock.attempt(stem + ".lock", milliseconds: milliseconds) else { return nil }
        defer { lock.unlock() }
        let now = time.now()
        let (file, bytes) = try read()
        let old = bytes.isEmpty && file == nil ? LedgerRecord() : LedgerRecord(bytes, time)
        var record = old ?? LedgerRecord(usedUp: policy, now: now)
        record.isOfThisStart = true
        tidy(&record, policy, now)
        let result = try change(&record, now)
        if record != old { try write(record, file) }
        return result
    }

    private func tidy(_ record: inout LedgerRecord, _ policy: HostPolicy, _ now: Duration) {
        var window = RequestWindow(ended: record.ended)
        window.forget(policy, now: now)
        record.ended = window.ended
        record.waiters.removeAll { $0.seen + HostLedger.patience < now }
        record.places = record.places.filter { 0..<HostLedger.mostPlaces ~= $0.key }
        if let rest = record.rest, rest.until <= now { record.rest = nil }
    }

    private func read() throws(OpenDataError) -> (SystemFile?, [UInt8]) {
        let file: SystemFile
        do throws(OpenDataError) {
            file = try FileLock.opened(stem + ".host", creating: false)
        } catch {
            if (error.underlying as? SystemError)?.number == ENOENT { return (nil, []) }
            throw error
        }
        var bytes: [UInt8] = []
        while bytes.count < HostLedger.mostBytes, try file.read(1 << 12, at: bytes.count, into: &bytes) > 0 {}
        return (file, bytes)
    }

    private func write(_ record: LedgerRecord, _ file: SystemFile?) throws(OpenDataError) {
        let path = stem + ".host"
        let file = if let file { file } else { try FileLock.opened(path, creating: true) }
        let bytes = record.text(HostLedger.fileName(host), time)
        // In bounds: all of the array.
        let written = unsafe bytes.withUnsafeBytes { unsafe pwrite(file.descriptor, $0.baseAddress, $0.count, 0) }
        guard written == bytes.count, ftruncate(file.descriptor, off_t(bytes.count)) == 0 else {
            // Half a write has no number of a failure: the disk is full.
            if written >= 0, written < bytes.count { errno = ENOSPC }
            throw SystemFile.error(.unwritable, "cannot be written", path)
        }
    }
}
