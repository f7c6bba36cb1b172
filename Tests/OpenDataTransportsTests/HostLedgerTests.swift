import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataTransports

/// The files by which processes keep a limit together.
///
/// Two ledgers of one folder stand for two processes.
@Suite("The ledger of a host") struct HostLedgerTests {
    private static let policy = HostPolicy(host: "e.tw", requests: 3, per: .seconds(5))
    private let time = Clocks()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Clocks that a test sets.
    final class Clocks: Sendable {
        private let state = Guarded((now: Duration.seconds(1000), wall: 1.8e9, boot: "first"))

        var source: TimeSource {
            TimeSource(
                now: { self.state.current.now }, sleep: { _ in throw CancellationError() },
                wall: { self.state.current.wall }, boot: { self.state.current.boot })
        }
        var now: Duration { state.current.now }

        func advance(_ seconds: Double) {
            state.with { $0 = ($0.now + .seconds(seconds), $0.wall + seconds, $0.boot) }
        }
        func setWall(by seconds: Double) { state.with { $0.wall += seconds } }
        /// Another start of the machine, whose clock begins anew.
        func restart() { state.with { $0 = (.seconds(3), $0.wall, $0.boot + "'") } }
    }

    private func ledger(_ host: String = "e.tw") -> HostLedger {
        HostLedger(host, folder: folder.url.path, time.source)
    }

    private var record: URL { folder.url.appendingPathComponent("e.tw.host") }

    /// Makes requests one after the other, each of no length.
    private func use(_ count: Int, _ policy: HostPolicy = policy) throws {
        for _ in 0..<count {
            let place = try #require(try ledger().place(1, policy))
            try ledger().finish(place, policy, nil)
        }
    }

    // MARK: Limits

    @Test("two processes share a window, and wait as long as it asks and no longer") func window() throws {
        try use(2)
        time.advance(2)
        try use(1)
        let wait = try #require(try ledger().wait(1, HostLedgerTests.policy))
        #expect(wait > .milliseconds(3099) && wait <= .milliseconds(3101))
        time.advance(3.09)
        #expect(try ledger().place(1, HostLedgerTests.policy) == nil)
        time.advance(0.011)
        #expect(try ledger().place(1, HostLedgerTests.policy) != nil)
        #expect(try ledger("other.tw").place(1, HostLedgerTests.policy) != nil)
    }

    @Test("a request under way keeps others out; one whose process has gone counts as ended when that is seen")
    func places() throws {
        var place = try ledger().place(1, HostLedgerTests.policy)
        #expect(place?.number == 0)
        time.advance(100)
        #expect(try ledger().ask(2, HostLedgerTests.policy).isOpen)
        place = nil
        // Nobody has heard of the waiter for long; it asks again.
        time.advance(100)
        let after = try #require(try ledger().place(2, HostLedgerTests.policy))
        try ledger().finish(after, HostLedgerTests.policy, nil)
        try use(1)
        let wait = try #require(try ledger().wait(1, HostLedgerTests.policy))
        #expect(wait > .milliseconds(5099) && wait <= .milliseconds(5101))
    }

    @Test("as many at once as the policy says, and no more") func concurrent() throws {
        let policy = HostPolicy(host: "e.tw", requests: 100, per: .seconds(1), concurrent: 3)
        let places = try (1...3).map { try #require(try ledger().place(UInt64($0), policy)) }
        #expect(places.map(\.number) == [0, 1, 2])
        #expect(try ledger().ask(4, policy).isOpen)
        try ledger().finish(places[1], policy, nil)
        let again = try #require(try ledger().place(4, policy))
        #expect(again.number == 1)
        // Who knows of a lower limit waits for all of them.
        #expect(try ledger().ask(5, HostLedgerTests.policy).isOpen)
        for place in [places[0], again] { try ledger().finish(place, policy, nil) }
        #expect(try ledger().ask(5, HostLedgerTests.policy).isOpen)
        try ledger().finish(places[2], policy, nil)
        #expect(try ledger().wait(5, HostLedgerTests.policy) != nil)
    }

    @Test("a process that has been stopped with a request under way does not keep others out for ever")
    func stopped() throws {
        let place = try #require(try ledger().place(1, HostLedgerTests.policy))
        time.advance(3599)
        #expect(try ledger().ask(2, HostLedgerTests.policy).isOpen)
        time.advance(2)
        let other = try #require(try ledger().place(2, HostLedgerTests.policy))
        #expect(other.number == 1)
        try ledger().finish(place, HostLedgerTests.policy, nil)
    }

    @Test("first come, first served; who is not heard of any more has gone") func queue() throws {
        let policy = HostPolicy(host: "e.tw", requests: 100, per: .seconds(1))
        let place = try #require(try ledger().place(1, policy))
        for id: UInt64 in 2...4 { #expect(try ledger().ask(id, policy).isOpen) }
        try ledger().finish(place, policy, nil)
        #expect(try ledger().ask(4, policy).isOpen)
        #expect(try ledger().ask(3, policy).isOpen)
        let second = try #require(try ledger().place(2, policy))
        try ledger().finish(second, policy, nil)
        try ledger().leave(3, policy)
        let fourth = try #require(try ledger().place(4, policy))
        try ledger().finish(fourth, policy, nil)
        #expect(try ledger().ask(5, HostPolicy(host: "e.tw", requests: 1, per: .seconds(9))).isOpen == false)
        #expect(try ledger().ask(6, policy).isOpen)
        time.advance(2.9)
        #expect(try ledger().ask(6, policy).isOpen)
        time.advance(0.2)
        #expect(try ledger().place(6, policy) != nil)
    }

    // MARK: Clocks

    @Test("a time of day that is set back or forward changes nothing", arguments: [-1e6, -3, 3, 1e6])
    func wallSet(by seconds: Double) throws {
        try use(3)
        time.setWall(by: seconds)
        let wait = try #require(try ledger().wait(1, HostLedgerTests.policy))
        #expect(wait > .milliseconds(5099) && wait <= .milliseconds(5101))
    }

    @Test(
        "after another start of the machine the time of day decides; if it was set back, nothing has passed",
        arguments: [(0, 5.1), (2, 3.1), (4.9, 0.2), (6, nil), (-1, 5.1), (-1e7, 5.1)] as [(Double, Double?)])
    func restarted(passed: Double, left: Double?) throws {
        try use(3)
        time.setWall(by: passed)
        time.restart()
        guard let left else { return #expect(try ledger().place(1, HostLedgerTests.policy) != nil) }
        let wait = try #require(try ledger().wait(1, HostLedgerTests.policy)).seconds
        #expect(abs(wait - left) < 0.01)
        // From now on this start's clock counts, whatever happens to the time of day.
        time.setWall(by: -1e5)
        time.advance(wait + 0.001)
        #expect(try ledger().place(1, HostLedgerTests.policy) != nil)
    }

    // MARK: Rests

    @Test("a rest is remembered by others until it ends, through another start too, and is never made longer")
    func rest() throws {
        let place = try #require(try ledger().place(1, HostLedgerTests.policy))
        let error = OpenDataError(.blocked, "shut\nout", status: 428)
        try ledger().finish(place, HostLedgerTests.policy, HostRest(.seconds(600), after: error, now: time.now))
        let rest = try #require(try ledger().ask(2, HostLedgerTests.policy).rest)
        #expect(rest.code == .blocked && rest.status == 428 && rest.reason == "shut out")
        #expect(rest.error("e.tw", time.source).message.hasPrefix("e.tw is left alone, blocked until "))
        time.advance(100)
        time.restart()
        time.setWall(by: -5000)
        let later = try #require(try ledger().ask(2, HostLedgerTests.policy).rest)
        #expect(later.until - time.now > .seconds(499) && later.until - time.now < .seconds(601))
        time.advance(601)
        #expect(try ledger().place(2, HostLedgerTests.policy) != nil)
    }

    @Test("the later of two rests counts") func later() throws {
        let policy = HostPolicy(host: "e.tw", requests: 100, per: .seconds(1), concurrent: 2)
        let places = try (1...2).map { try #require(try ledger().place(UInt64($0), policy)) }
        for (place, seconds) in zip(places, [50, 20]) {
            let rest = HostRest(until: time.now + .seconds(seconds), code: .rateLimited, status: 429, reason: "x")
            try ledger().finish(place, policy, rest)
        }
        #expect(try ledger().ask(3, policy).rest?.until == time.now + .seconds(50))
    }

    // MARK: Files

    @Test(
        "a record that cannot be read counts as a limit just used up, and is written anew",
        arguments: ["", "opendata-host 2\nsum 0\n", "\0\0\0", String(repeating: "x", count: 1 << 20), "cut", "changed"])
    func damaged(_ text: String) throws {
        try use(1)
        var bytes = [UInt8](try Data(contentsOf: record))
        switch text {
        case "cut": bytes.removeLast(bytes.count / 2)
        case "changed": bytes[bytes.count / 2] ^= 1
        default: bytes = Array(text.utf8)
        }
        try Data(bytes).write(to: record)
        let wait = try #require(try ledger().wait(1, HostLedgerTests.policy))
        #expect(wait > .milliseconds(5099) && wait <= .milliseconds(5101))
        let repaired = [UInt8](try Data(contentsOf: record))
        #expect(LedgerRecord(repaired, time.source)?.ended.count == 3 && repaired.count < 500)
        time.advance(5.11)
        #expect(try ledger().place(1, HostLedgerTests.policy) != nil)
    }

    @Test("a record is itself again; with any byte changed, left out or cut off it is none") func mutations() throws {
        var record = LedgerRecord(usedUp: HostLedgerTests.policy, now: time.now)
        record.places = [0: time.now, 5: time.now - .seconds(3)]
        record.waiters = [.init(id: .max, seen: time.now), .init(id: 1, seen: .zero)]
        record.rest = HostRest(until: time.now + .seconds(9), code: .blocked, status: nil, reason: "不 可  以")
        let text = record.text("e.tw", time.source)
        #expect(LedgerRecord(text, time.source) == record)
        for index in text.indices {
            var changed = text
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(LedgerRecord(changed, time.source) ?? record == record)
            #expect(LedgerRecord(Array(text[..<index]), time.source) == nil)
            changed = text
            changed.remove(at: index)
            #expect(LedgerRecord(changed, time.source) ?? record == record)
        }
    }

    @Test("what a text claims of the future is of this moment") func future() throws {
        let early = HostLedgerTests.Clocks()
        early.advance(-500)
        var record = LedgerRecord(usedUp: HostLedgerTests.policy, now: time.now)
        record.rest = HostRest(until: time.now + .seconds(1e7), code: .blocked, status: 1, reason: "")
        let read = try #require(LedgerRecord(record.text("e.tw", time.source), early.source))
        #expect(read.ended == [early.now, early.now, early.now])
        #expect(read.rest?.until == early.now + HostRest.longest)
    }

    @Test(
        "a host's files have its name, and lie nowhere else",
        arguments: [
            ("www.twse.com.tw", "www.twse.com.tw"), ("WWW.TWSE.com.tw", "www.twse.com.tw"), ("..", "%2e."),
            ("../x", "%2e.%2fx"), ("/etc/passwd", "%2fetc%2fpasswd"), ("[::1]", "%5b%3a%3a1%5d"), ("", "%"),
            ("a%2fb", "a%252fb"), ("a\0b", "a%00b"), ("臺", "%e8%87%ba"), ("a b", "a%20b"),
        ])
    func names(_ host: String, _ name: String) throws {
        #expect(HostLedger.fileName(host) == name)
        #expect(try ledger(host).place(1, HostLedgerTests.policy) != nil)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(files == ["\(name).0", "\(name).host", "\(name).lock"])
    }

    @Test("long names stay apart, and fit") func longNames() {
        let hosts = (0..<3).map { String(repeating: "a", count: 200) + "\($0).tw" }
        let names = Set(hosts.map(HostLedger.fileName))
        #expect(names.count == 3 && names.allSatisfy { $0.utf8.count < 100 })
    }

    @Test("the folder may be emptied at any time") func emptied() throws {
        let place = try #require(try ledger().place(1, HostLedgerTests.policy))
        for file in try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil) {
            try FileManager.default.removeItem(at: file)
        }
        try ledger().finish(place, HostLedgerTests.policy, nil)
        try use(2)
        #expect(try ledger().wait(1, HostLedgerTests.policy) != nil)
    }

    @Test("a symbolic link in the place of a file is not followed") func link() throws {
        let target = try folder.file("target", Data("precious".utf8))
        try FileManager.default.createSymbolicLink(at: record, withDestinationURL: target)
        #expect { try ledger().ask(1, HostLedgerTests.policy) } throws: { ($0 as? OpenDataError)?.code == .unwritable }
        #expect(try Data(contentsOf: target) == Data("precious".utf8))
    }
}

extension HostLedger {
    /// The place, if it was granted.
    fileprivate func place(_ id: UInt64, _ policy: HostPolicy) throws -> Place? {
        if case .granted(let place) = try ask(id, policy) { place } else { nil }
    }

    /// The wait, if there is one of known length.
    fileprivate func wait(_ id: UInt64, _ policy: HostPolicy) throws -> Duration? {
        if case .wait(let length) = try ask(id, policy) { length } else { nil }
    }
}

extension HostLedger.Answer {
    /// Whether there is a wait of unknown length.
    fileprivate var isOpen: Bool { if case .wait(nil) = self { true } else { false } }

    /// The rest, if there is one.
    fileprivate var rest: HostRest? { if case .resting(let rest) = self { rest } else { nil } }
}
