import Foundation
import Testing

/// Texts kept in the folder `Snapshots`, written anew when `RECORD_SNAPSHOTS` is set in the environment.
enum Snapshot {
    /// Compares a text with the one kept under the name.
    static func expect(_ text: String, _ name: String, at place: SourceLocation = #_sourceLocation) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Snapshots").appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            return
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        let (new, old) = (lines(text), lines(kept))
        for (number, line) in new.enumerated() where number >= old.count || line != old[number] {
            let due = number < old.count ? old[number] : "(the end)"
            Issue.record("\(name), line \(number + 1): '\(line)' and not '\(due)'", sourceLocation: place)
            return
        }
        #expect(text == kept, sourceLocation: place)
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}
