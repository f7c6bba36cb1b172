public import Foundation

/// Recorded payloads and the simulator, in the folder `shared` beside the checkout; absent on most machines.
public enum SharedData {
    /// The folder, or `nil` where it is absent.
    ///
    /// `OPENDATA_SHARED` names another.
    public static let folder: URL? = {
        let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")
        let named = ProcessInfo.processInfo.environment["OPENDATA_SHARED"].map { URL(fileURLWithPath: $0) }
        let folder = named ?? beside
        return FileManager.default.fileExists(atPath: folder.appendingPathComponent("data/real").path) ? folder : nil
    }()

    /// Whether the folder is there: the condition of every test that uses it.
    public static var isPresent: Bool { folder != nil }

    /// What a skipped test says.
    public static let comment = "needs the recorded payloads in ../shared"

    /// The path of a recorded payload, such as `twse/rwd_empty_object_no_data.json`.
    public static func path(_ name: String) throws -> String {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return folder.appendingPathComponent("data/real").appendingPathComponent(name).path
    }

    /// The bytes of a recorded payload.
    public static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: try path(name))))
    }
}
