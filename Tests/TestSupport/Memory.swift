import Foundation

/// What this process uses.
public enum Memory {
    /// Whether memory says anything: a sanitizer keeps what has been freed.
    public static let isMeasurable = unsafe dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil

    /// The resident memory in bytes; 0 where the system does not tell.
    public static func resident() throws -> Int {
        #if os(Linux)
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
        #else
            return 0
        #endif
    }
}
