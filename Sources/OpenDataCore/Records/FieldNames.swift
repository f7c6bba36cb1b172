/// The places of a batch's columns by name, found at once.
///
/// A table of slots, open to the next slot where two names share one. Names are compared by their length and their first
/// and last eight bytes, and only if they are longer than sixteen by all their bytes. Of names that repeat, the first counts.
@safe @usableFromInline
struct FieldNames {
    /// What names are told apart by.
    @usableFromInline
    struct Key: Equatable {
        @usableFromInline var length: Int
        @usableFromInline var first: UInt64
        @usableFromInline var last: UInt64

        /// The key of the `length` bytes at an address.
        @inlinable @inline(__always)
        init(_ start: UnsafeRawPointer, _ length: Int) {
            self.length = length
            // In bounds: no more bytes are read than there are.
            if length >= 8 {
                first = unsafe start.loadUnaligned(as: UInt64.self).littleEndian
                last = unsafe start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self).littleEndian
            } else {
                first = 0
                for index in 0..<length {
                    first |= unsafe UInt64(start.load(fromByteOffset: index, as: UInt8.self)) &<< UInt64(index &* 8)
                }
                last = first
            }
        }

        /// Well-mixed bits, the highest the best.
        @inlinable @inline(__always)
        var hash: UInt64 { (first ^ (last &<< 7 | last &>> 57) ^ UInt64(length)) &* 0x9E37_79B9_7F4A_7C15 }
    }

    /// The column of each slot, or -1.
    @usableFromInline let slots: UnsafeMutablePointer<Int32>
    /// How far a hash is shifted to give a slot; there are 2^(64 - shift) slots.
    @usableFromInline let shift: UInt64
    @usableFromInline let keys: UnsafeMutablePointer<Key>
    private let names: [String]

    init(_ columns: Columns) {
        names = columns.names
        let bits = max(4, Int.bitWidth - (2 * names.count).leadingZeroBitCount)
        shift = UInt64(64 - bits)
        unsafe slots = .allocate(capacity: 1 << bits)
        unsafe slots.initialize(repeating: -1, count: 1 << bits)
        unsafe keys = .allocate(capacity: max(names.count, 1))
        for (column, name) in names.enumerated() {
            var name = name
            let key = name.withUTF8 { text in
                unsafe text.baseAddress.map { unsafe Key($0, text.count) } ?? Key(slots, 0)
            }
            unsafe keys[column] = key
            var slot = Int(truncatingIfNeeded: key.hash &>> shift)
            while unsafe slots[slot] >= 0 { slot = (slot &+ 1) & (1 << bits - 1) }
            unsafe slots[slot] = Int32(truncatingIfNeeded: column)
        }
    }

    /// Frees the table; nothing is looked up afterwards.
    func deallocate() {
        unsafe slots.deallocate()
        unsafe keys.deallocate()
    }

    /// The column of a name, or -1.
    @inlinable @inline(__always)
    func column(of name: StaticString) -> Int {
        guard name.hasPointerRepresentation else { return column(ofText: "\(name)") }
        let key = unsafe Key(name.utf8Start, name.utf8CodeUnitCount)
        if key.length > 16 { return column(ofText: "\(name)") }
        let mask = Int(truncatingIfNeeded: ~0 as UInt64 &>> shift)
        var slot = Int(truncatingIfNeeded: key.hash &>> shift)
        // In bounds: slots are taken round, and there are more of them than columns.
        while true {
            let column = Int(unsafe slots[slot])
            if column < 0 { return -1 }
            if unsafe keys[column] == key { return column }
            slot = (slot &+ 1) & mask
        }
    }

    /// The same for any text.
    @usableFromInline
    func column(ofText name: String) -> Int {
        names.firstIndex { $0.utf8.elementsEqual(name.utf8) } ?? -1
    }
}
