#if canImport(Glibc)
    import Glibc
#endif

/// Memory in large pages, where the system has to be asked for them.
enum LargePages {
    /// Asks that the room an array has beyond its elements be of large pages.
    ///
    /// A fault for each small one costs as much as filling it. A hint, no more; on other systems than Linux nothing is
    /// asked.
    static func advise<Element>(_ array: inout [Element]) {
        #if canImport(Glibc)
            let size = array.capacity * MemoryLayout<Element>.stride
            guard size >= 8 << 20 else { return }
            unsafe array.withUnsafeMutableBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                // Whole pages of the array's own room.
                let page = 1 << 21
                let first = (Int(bitPattern: start) + bytes.count + page - 1) & ~(page - 1)
                let end = (Int(bitPattern: start) + size) & ~(page - 1)
                guard first < end else { return }
                _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: first), end - first, MADV_HUGEPAGE)
            }
        #endif
    }
}
