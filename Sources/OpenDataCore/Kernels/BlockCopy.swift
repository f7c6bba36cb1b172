extension UnsafeMutableRawPointer {
    /// Copies the sixteen bytes at an address, all of which must be readable, to here, where all must be writable.
    @inlinable @inline(__always)
    package func copyBlock(from source: UnsafeRawPointer) {
        unsafe storeBytes(of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
    }
}
