/// The places of a batch's columns by name, found at once.
///
/// A table of slots, open to the next slot where two names share one. Names are compared by their length and their
/// first and last bytes, up to eight, and only if they are longer than sixteen by all their bytes. Of names that
/// repeat, the first counts.
@safe @usableFromInline
struct FieldNames {
    /// What names are told apart by.
    @usableFromInline
    struct Key {
        @usableFromInline var length: Int
        @usableFromInline var first: UInt64
        @usableFromInline var last: UInt64

        /// The key of the `length` bytes at an address.
        @inlinable @inline(__always)
        init(_ start: UnsafeRawPointer, _ length: Int) {
            self.length = length
            // In bounds: no more bytes are read than there are. Of a literal all of it is known when it is compiled.
            if length >= 8 {
                first = unsafe start.loadUnaligned(as: UInt64.self).littleEndian
                last = unsafe start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self).littleEndian
            } else if length >= 4 {
                first = unsafe UInt64(start.loadUnaligned(as: UInt32.self).littleEndian)
                last = unsafe UInt64(
                    start.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self).littleEndian)
            } else if length >= 2 {
                first = unsafe UInt64(start.loadUnaligned(as: UInt16.self).littleEndian)
                last = unsafe UInt64(
                    start.loadUnaligned(fromByteOffset: length &- 2, as: UInt16.self).littleEndian)
            } else {
                first = length == 1 ? unsafe UInt64(start.load(as: UInt8.self)) : 0
                last = first
            }
        }

        /// What no name has.
        static var none: Key { Key(length: -1, first: 0, last: 0) }

        private init(length: Int, first: UInt64, last: UInt64) {
            (self.length, self.first, self.last) = (length, first, last)
        }

        /// Whether all three are the same.
        @inlinable @inline(__always)
        func isSame(as other: Key) -> Bool {
            (length ^ other.length) == 0 && (first ^ other.first) | (last ^ other.last) == 0
        }

        /// Well-mixed bits, the highest the best.
        @inlinable @inline(__always)
        var hash: UInt64 { (first ^ (last &<< 7 | last &>> 57) ^ UInt64(length)) &* 0x9E37_79B9_7F4A_7C15 }
    }

    /// A name and its column; a key that no name has and -1 where there is none.
    @usableFromInline
    struct Slot {
        @usableFromInline var key: Key
        @usableFromInline var column: Int
    }

    @usableFromInline let slots: UnsafeMutablePointer<Slot>
    /// How far a hash is shifted to give a slot; there are 2^(64 - shift) slots.
    @usableFromInline let shift: UInt64
    private let names: [String]

    init(_ columns: Columns) {
        names = columns.names
        let bits = max(4, Int.bitWidth - (2 * names.count).leadingZeroBitCount)
        shift = UInt64(64 - bits)
        unsafe slots = .allocate(capacity: 1 << bits)
        unsafe slots.initialize(repeating: Slot(key: .none, column: -1), count: 1 << bits)
        for (column, name) in names.enumerated() {
            var name = name
            let key = name.withUTF8 { text in
                unsafe text.baseAddress.map { unsafe Key($0, text.count) } ?? Key(slots, 0)
            }
            var slot = Int(truncatingIfNeeded: key.hash &>> shift)
            while unsafe slots[slot].column >= 0 { slot = (slot &+ 1) & (1 << bits - 1) }
            unsafe slots[slot] = Slot(key: key, column: column)
        }
    }

    /// Frees the table; nothing is looked up afterwards.
    func deallocate() { unsafe slots.deallocate() }

    /// The column of a name, or -1.
    @inlinable @inline(__always)
    func column(of name: StaticString) -> Int {
        guard name.hasPointerRepresentation, name.utf8CodeUnitCount <= 16 else { return column(ofOther: name) }
        let key = unsafe Key(name.utf8Start, name.utf8CodeUnitCount)
        let hash = key.hash
        // In bounds: there is a slot for each of a hash's first bits.
        let slot = unsafe slots + Int(truncatingIfNeeded: hash &>> shift)
        return unsafe slot.pointee.key.isSame(as: key) ? slot.pointee.column : column(of: key, hash)
    }

    /// The column of a key that is not the first in its slot, or -1.
    @usableFromInline @inline(never)
    func column(of key: Key, _ hash: UInt64) -> Int {
        let mask = Int(truncatingIfNeeded: ~0 as UInt64 &>> shift)
        var slot = Int(truncatingIfNeeded: hash &>> shift)
        // In bounds: slots are taken round, and there are more of them than columns.
        while true {
            let column = unsafe slots[slot].column
            if column < 0 { return -1 }
            if unsafe slots[slot].key.isSame(as: key) { return column }
            slot = (slot &+ 1) & mask
        }
    }

    /// The column of a name that has no key of its own, or -1.
    @usableFromInline @inline(never)
    func column(ofOther name: StaticString) -> Int { column(ofText: "\(name)") }

    /// The same for any text.
    private func column(ofText name: String) -> Int {
        names.firstIndex { $0.utf8.elementsEqual(name.utf8) } ?? -1
    }
}
