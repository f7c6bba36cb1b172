#if canImport(Glibc)
    import Glibc
#endif

/// Memory in large pages, where the system has to be asked for them.
///
/// A fault for each small one costs as much as filling it. Hints, no more; on other systems than Linux nothing is
/// asked.
enum LargePages {
    /// The size of a large page.
    static let size = 1 << 21

    /// The addresses of the whole large pages in so many bytes, if they are worth asking for.
    static func range(_ start: UnsafeRawPointer, _ count: Int) -> Range<Int>? {
        let first = (Int(bitPattern: start) + size - 1) & ~(size - 1)
        let end = (Int(bitPattern: start) + count) & ~(size - 1)
        return end - first >= 3 * size ? first..<end : nil
    }

    /// Asks that the room an array has beyond its elements be of large pages.
    static func advise<Element>(_ array: inout [Element]) {
        #if canImport(Glibc)
            let room = (array.capacity - array.count) * MemoryLayout<Element>.stride
            unsafe array.withUnsafeMutableBytes { bytes in
                // Whole pages of the array's own room.
                guard let start = bytes.baseAddress, let pages = unsafe range(start + bytes.count, room) else { return }
                _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: pages.lowerBound), pages.count, MADV_HUGEPAGE)
            }
        #endif
    }

    /// Asks that large pages be there before anything is written to them; what is in them stays as it is.
    ///
    /// Two threads that write to the same page at the same time would both clear one.
    static func prepare(_ pages: Range<Int>) {
        #if canImport(Glibc)
            // MADV_POPULATE_WRITE, which not every header has; Linux before 5.14 refuses it.
            let populateForWriting: Int32 = 23
            _ = unsafe madvise(
                UnsafeMutableRawPointer(bitPattern: pages.lowerBound), pages.count, populateForWriting)
        #endif
    }
}
