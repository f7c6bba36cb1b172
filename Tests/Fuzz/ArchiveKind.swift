import OpenDataCore
import OpenDataFormats
import TestSupport

/// ZIP archives and gzip files: built of members that are sound or not, and then broken or not.
struct ArchiveKind: FuzzKind {
    let name = "archive"
    let share = 8

    /// The most bytes that an archive may become here.
    private static let maximumBytes = 1 << 20

    private static let names: [[UInt8]] =
        [
            "data.csv", "dir/data.csv", "資料.json", "../x.csv", "readme.txt", "a.xml", "__MACOSX/._data.csv", "dir/",
            "[Content_Types].xml",
        ]
        .map { Array($0.utf8) } + [
            [0xB8, 0xEA, 0xAE, 0xC6, 0x2E, 0x63, 0x73, 0x76], [0xFF, 0x2E, 0x63, 0x73, 0x76], [],
        ]

    private static let contents = (CSVSeeds.all.prefix(4) + JSONSeeds.all.prefix(2) + XMLSeeds.all.prefix(2)).map(
        \.bytes)

    /// Fourteen records, by dynamic codes.
    private static let dynamic: [UInt8] = [
        0x3D, 0xCE, 0x2B, 0x0E, 0x02, 0x61, 0x0C, 0x85, 0x51, 0x3F, 0x6B, 0xA9, 0xE8, 0x6D, 0xFB, 0xBF, 0x16, 0x48,
        0x50, 0x64,
        0x30, 0x08, 0x14, 0x02, 0x83, 0xC0, 0xE0, 0x26, 0x61, 0x3B, 0x0C, 0x8F, 0x5D, 0x0C, 0x4D, 0x9A, 0xCA, 0x7B,
        0xCC, 0x77,
        0x5F, 0xCF, 0xEB, 0xF7, 0x7C, 0xA1, 0xF5, 0x78, 0xF8, 0xDC, 0x1E, 0xF4, 0x3E, 0x2D, 0xBF, 0xFD, 0x3C, 0x81,
        0x99, 0x69,
        0xDD, 0xDD, 0xD7, 0x79, 0x61, 0x62, 0x9F, 0x88, 0x09, 0xD2, 0xE6, 0x5B, 0x62, 0x0B, 0x35, 0xF3, 0xAD, 0xB1,
        0x95, 0x00,
        0x38, 0x58, 0x80, 0x11, 0xAC, 0x3B, 0x94, 0x80, 0x42, 0xE8, 0xC5, 0xA1, 0x06, 0x54, 0x12, 0x11, 0x87, 0x96,
        0x49, 0x29,
        0xC3, 0xA1, 0x67, 0x54, 0x46, 0x75, 0x18, 0x59, 0x55, 0xD5, 0x3F, 0x80, 0x33, 0xAB, 0xCD, 0x7F, 0x02, 0x99,
        0x35, 0xF6,
        0xA3, 0x90, 0xCC, 0x9A, 0xF9, 0x53, 0x68, 0x66, 0xAD, 0x63, 0xDA, 0x00,
    ]

    private static let words: [[UInt8]] = [
        [0x50, 0x4B, 0x01, 0x02], [0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06], [0x50, 0x4B, 0x07, 0x08],
        [0x50, 0x4B, 0x06, 0x06], [0x50, 0x4B, 0x06, 0x07], [0x1F, 0x8B, 8, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF],
        [0, 0],
        [0, 0, 0, 0], [1, 0, 24, 0], [0xFF, 0xFF, 0xFF, 0x7F], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
        [0x75, 0x70],
    ]

    func run(_ random: inout SeededGenerator, _ trial: inout Trial) -> Bool {
        trial.bytes = Self.archive(&random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: break
        case 1: Self.overwrite(&trial.bytes, &random)
        default: trial.bytes = Mutator.input(trial.bytes, words: Self.words, using: &random)
        }
        let pattern = [nil, nil, "*", "*.csv", "dir/?ata.csv"].randomElement(using: &random) ?? nil
        let pieces = Mutator.window(for: trial.bytes.count, &random)
        trial.reading = { "members \(pattern ?? "unnamed") in pieces of \(pieces)" }
        let payload = Payload(trial.bytes)
        let one = Self.contents(of: payload, pattern)
        let other = Self.contents(of: payload, pattern, pieces: pieces)
        if let other, other != one { trial.fail("\(one)\n  in pieces: \(other)") }
        guard case .contents(let contents, let failure) = one else { return false }
        for content in contents where content.count < 1 << 14 { Self.decode(content, &trial) }
        return failure == nil
    }

    private static func archive(_ random: inout SeededGenerator) -> [UInt8] {
        func content() -> [UInt8] {
            var content = contents.randomElement(using: &random) ?? []
            if Bool.random(using: &random) { content = Mutator.input(content, words: CSVSeeds.words, using: &random) }
            return content
        }
        if Mutator.chance(1, of: 12, &random) {
            // A member by dynamic codes, or a run that becomes a thousand times as much.
            let checksum = ZipWriter.number(3_554_583_173, 4) + ZipWriter.number(255, 4)
            return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + dynamic + checksum
        }
        if Mutator.chance(1, of: 3, &random) {
            return (0..<Int.random(in: 1...3, using: &random)).flatMap { _ in
                Compression.gzipped(
                    content(), name: Bool.random(using: &random) ? names.randomElement(using: &random) : nil)
            } + [UInt8](repeating: 0, count: Int.random(in: 0...3, using: &random))
        }
        let members = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            var member = ZipWriter.Member(names.randomElement(using: &random) ?? [], content())
            if Bool.random(using: &random) { member.method = 0 }
            member.hasDescriptor = Bool.random(using: &random)
            if Mutator.chance(1, of: 4, &random) { member.flags = 0x800 }
            return member
        }
        return ZipWriter(members: members, comment: Bool.random(using: &random) ? [] : Array("a comment".utf8)).bytes
    }

    /// Puts words over bytes, so that nothing moves.
    private static func overwrite(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0...Int.random(in: 0...2, using: &random) {
            let word = words.randomElement(using: &random) ?? []
            guard bytes.count > word.count else { return }
            // The directory stands at the end.
            let isLate = Bool.random(using: &random)
            let first = isLate ? max(bytes.count - 120, 0) : 0
            let index = Int.random(
                in: min(first, bytes.count - word.count)...(bytes.count - word.count), using: &random)
            bytes.replaceSubrange(index..<(index + word.count), with: word)
        }
    }

    private enum Outcome: Equatable {
        case none
        case refused(OpenDataError.Code)
        case contents([[UInt8]], OpenDataError.Code?)
    }

    /// The payloads of an archive as the package hands them out.
    private static func contents(of payload: Payload, _ pattern: String?) -> Outcome {
        let archive: ArchivedPayloads
        do throws(OpenDataError) {
            guard let opened = try ArchivedPayloads(payload, member: pattern, maximumBytes: maximumBytes) else {
                return .none
            }
            archive = opened
        } catch {
            return .refused(error.code)
        }
        var contents: [[UInt8]] = []
        do throws(OpenDataError) {
            for number in 0..<archive.count {
                var bytes: [UInt8] = []
                try archive.payload(number).forEachPiece { piece in bytes += piece }
                contents.append(bytes)
            }
            return .contents(contents, nil)
        } catch {
            return .contents(contents, error.code)
        }
    }

    /// The same, read in pieces without a file between; `nil` where that is not to be compared.
    private static func contents(of payload: Payload, _ pattern: String?, pieces: Int) -> Outcome? {
        let kind = ContentKind(head: payload.bytes)
        guard kind == .zip || kind == .gzip && pattern == nil else { return nil }
        var archive: ZipArchive?
        var members: [ZipArchive.Member?] = [nil]
        do throws(OpenDataError) {
            if kind == .zip {
                let opened = try ZipArchive(payload, maximumBytes: maximumBytes)
                members = try opened.select(pattern)
                archive = opened
            }
        } catch {
            return .refused(error.code)
        }
        var contents: [[UInt8]] = []
        do throws(OpenDataError) {
            for member in members {
                contents.append(try bytes(of: payload, archive, member, pieces: pieces))
            }
            return .contents(contents, nil)
        } catch {
            return .contents(contents, error.code)
        }
    }

    /// A member of an archive, or all of a gzip file.
    private static func bytes(
        of payload: Payload, _ archive: ZipArchive?, _ member: ZipArchive.Member?, pieces: Int
    ) throws(OpenDataError) -> [UInt8] {
        var bytes: [UInt8] = []
        if let archive, let member {
            var source = try archive.open(member)
            while try source.read(pieces, into: &bytes) > 0 {}
        } else {
            var source = try GzipSource(ByteArraySource(payload.bytes), maximumBytes: maximumBytes)
            while try source.read(pieces, into: &bytes) > 0 {}
        }
        return bytes
    }

    /// Decodes a member as one that nobody has described.
    private static func decode(_ bytes: [UInt8], _ trial: inout Trial) {
        let payload = Payload(bytes)
        guard let found = try? FormatFinder.find(in: payload, FormatHints()) else { return }
        if let fault = Reading(payload, found.format).fault { trial.fail(fault) }
    }
}

extension Payload {
    /// The bytes of a payload in memory.
    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }
}
