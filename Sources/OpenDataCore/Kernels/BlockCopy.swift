extension UnsafeMutableRawPointer {
    /// Copies the sixteen bytes at an address, all of which must be readable, to here, where all must be writable.
    @inlinable @inline(__always)
    package func copyBlock(from source: UnsafeRawPointer) {
        unsafe storeBytes(of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
    }

    /// Copies whole blocks from the second on, until `count` bytes are copied, the first being copied already.
    ///
    /// In bounds where blocks that begin within `count` bytes are, here and there.
    @inlinable @inline(__always)
    package func copyBlocksBehindFirst(from source: UnsafeRawPointer, count: Int) {
        var done = 16
        while done < count {
            unsafe (self + done).copyBlock(from: source + done)
            done &+= 16
        }
    }
}
