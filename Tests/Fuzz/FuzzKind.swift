import OpenDataCore
import TestSupport

/// What is tried with one input.
struct Trial {
    /// The input.
    var bytes: [UInt8] = []
    /// What it is read as, in words; asked for only where they are told, since they take longer than the reading.
    var reading: () -> String = { "" }
    /// What was found wrong; `nil` if nothing was.
    private(set) var fault: String?

    /// Notes what is wrong; the first such note counts.
    mutating func fail(_ fault: @autoclosure () -> String) {
        if self.fault == nil { self.fault = fault() }
    }
}

/// A way to make inputs and to try the package with them.
protocol FuzzKind: Sendable {
    /// The name on the command line.
    var name: String { get }
    /// How many of 100 inputs are of this kind.
    var share: Int { get }
    /// Makes an input and tries it; whether it was accepted.
    ///
    /// All that is random comes from `random`, so that a number names an input for ever.
    func run(_ random: inout SeededGenerator, _ trial: inout Trial) -> Bool
}

/// All kinds, in the order in which they are run.
enum FuzzKinds {
    static func all(_ real: [RealPayload]) -> [any FuzzKind] {
        [
            CSVKind(seeds: mixed(CSVSeeds.all, RealPayload.seeds(of: real, "csv"))),
            JSONKind(seeds: mixed(JSONSeeds.all, RealPayload.seeds(of: real, "json"))),
            XMLKind(seeds: mixed(XMLSeeds.all, RealPayload.seeds(of: real, "xml"))),
            FinderKind(
                seeds: mixed((CSVSeeds.all + JSONSeeds.all + XMLSeeds.all).map(\.bytes), real.map(\.bytes))),
            TextKind(seeds: mixed(TextSeeds.all, real.map(\.bytes))),
            ArchiveKind(),
            SchemaKind(sources: SampleSource.all),
            ThreadsKind(seeds: CSVSeeds.all + JSONSeeds.all),
            ValuesKind(),
        ]
    }

    /// Own seeds and those of real payloads, of which there are many, such that three of four are own.
    private static func mixed<Seed>(_ own: [Seed], _ real: [Seed]) -> [Seed] {
        let times = max((real.count * 3 + own.count - 1) / own.count, 1)
        return Array(repeatElement(own, count: times).joined()) + real
    }

    /// The generator of an input, by the run's seed, its kind and its number.
    static func generator(seed: UInt64, kind: String, number: Int) -> SeededGenerator {
        var state = seed
        for byte in kind.utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        var mixer = SeededGenerator(seed: state &+ UInt64(truncatingIfNeeded: number) &* 0xD134_2543_DE82_EF95)
        return SeededGenerator(seed: mixer.next())
    }
}
