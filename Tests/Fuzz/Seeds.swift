import Foundation
import OpenDataCore

/// A payload to start from, and what it is to be read as.
struct FuzzSeed: Sendable {
    var bytes: [UInt8]
    var formats: [Format]

    /// Whether it is to be read as UTF-8.
    var isUTF8: Bool { formats.allSatisfy { $0.encodings == [.utf8] } }

    init(_ bytes: [UInt8], _ formats: [Format]) {
        self.bytes = bytes
        self.formats = formats
    }

    init(_ text: String, _ formats: Format...) { self.init(Array(text.utf8), formats) }
}

/// A published payload from a folder, cut to what its first kilobytes hold.
struct RealPayload: Sendable {
    var name: String
    var bytes: [UInt8]

    /// So many bytes of a payload are used: some records of nearly all.
    private static let length = 1536

    /// The payloads in a folder and those within.
    static func all(in folder: String) -> [RealPayload] {
        let root = URL(fileURLWithPath: folder)
        let names = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).sorted()
        return names.compactMap { name in
            guard ["csv", "json", "xml", "html"].contains((name as NSString).pathExtension),
                let file = try? FileHandle(forReadingFrom: root.appendingPathComponent(name)),
                let data = try? file.read(upToCount: length), !data.isEmpty
            else { return nil }
            return RealPayload(name: name, bytes: Array(data))
        }
    }

    /// Those of a kind, to be read in every way that the kind's own seeds are.
    static func seeds(of payloads: [RealPayload], _ ending: String) -> [FuzzSeed] {
        payloads.filter { $0.name.hasSuffix("." + ending) }.map { payload in
            switch ending {
            case "csv": FuzzSeed(payload.bytes, [.csv, .csv(CSVDialect(), encodings: [.utf8, .cp950])])
            case "json":
                FuzzSeed(payload.bytes, [.json, .json(records: "data", "result.records", "records"), .json(.table)])
            default: FuzzSeed(payload.bytes, [.xml(records: "*", "data/row", "cwbopendata/dataset/location")])
            }
        }
    }
}
