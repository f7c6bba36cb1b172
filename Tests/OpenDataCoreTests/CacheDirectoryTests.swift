import Foundation
import OpenDataCore
import TestSupport
import Testing

@Suite("The folder of cached files")
struct CacheDirectoryTests {
    #if canImport(Darwin)
        private static let usual = "/h/Library/Caches/opendata"
    #else
        private static let usual = "/h/.cache/opendata"
    #endif

    @Test(
        "Where it is",
        arguments: [
            (["HOME": "/h"], usual), (["HOME": "/h", "XDG_CACHE_HOME": "/x"], "/x/opendata"),
            (["HOME": "/h", "XDG_CACHE_HOME": "x"], usual), (["HOME": "/h", "XDG_CACHE_HOME": ""], usual),
            (["HOME": "/h", "XDG_CACHE_HOME": "/x", "ODCTL_CACHE": "/o"], "/o"),
            (["HOME": "/h", "ODCTL_CACHE": ""], usual), (["ODCTL_CACHE": "o"], "o"), ([:], ""), (["HOME": "h"], ""),
        ] as [([String: String], String)])
    func place(_ variables: [String: String], _ path: String) {
        #expect(CacheDirectory.standard { variables[$0] }.path == path)
    }

    @Test("A folder in it is created for this user alone, with all above it; one that is there is left as it is")
    func creation() throws {
        let temporary = try TemporaryFolder()
        let cache = CacheDirectory(path: temporary.url.path + "/a/資料/cache")
        #expect(!FileManager.default.fileExists(atPath: temporary.url.path + "/a"))
        let folder = try cache.folder("hosts")
        #expect(folder == cache.path + "/hosts")
        for path in [folder, cache.path, temporary.url.path + "/a"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(
                attributes[.posixPermissions] as? Int == 0o700
                    && attributes[.type] as? FileAttributeType == .typeDirectory)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        #expect(try cache.folder("hosts") == folder)
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o755)
    }

    @Test("A name that could lead elsewhere is refused", arguments: ["", ".", "..", "../x", "a/b", "/", ".x", "a\0b"])
    func names(_ name: String) throws {
        let cache = CacheDirectory(path: try TemporaryFolder().url.path)
        #expect { try cache.folder(name) } throws: { ($0 as? OpenDataError)?.code == .unwritable }
    }

    @Test("What stands in the way is told with its path and the system's reason")
    func inTheWay() throws {
        let temporary = try TemporaryFolder()
        let file = try temporary.file("file")
        for (path, says) in [(file.path, "Not a directory"), ("", "ODCTL_CACHE"), ("/proc/none", "cannot be created")] {
            #expect {
                try CacheDirectory(path: path).folder("hosts")
            } throws: { error in
                guard let error = error as? OpenDataError else { return false }
                return error.code == .unwritable && error.message.contains(says)
            }
        }
        _ = try temporary.file("hosts")
        #expect { try CacheDirectory(path: temporary.url.path).folder("hosts") } throws: { error in
            (error as? OpenDataError)?.message.contains("File exists") ?? false
        }
    }
}
