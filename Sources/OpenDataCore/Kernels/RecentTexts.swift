#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Texts made a short while ago, to be handed out again where the same bytes come again.
///
/// Open data say the same thing over and over: districts, agencies, opening hours. A text of more than 15 bytes has
/// memory of its own, which costs more to get and to give back than to fill; texts that are the same may share it.
///
/// Only texts that come a second time are kept, so that identifiers, which never do, neither cost much nor take the
/// place of others. Any thread may use them, one at a time.
@safe package final class RecentTexts: @unchecked Sendable {
    private let tables = UnsafeMutablePointer<Tables>.allocate(capacity: 1)

    /// No texts.
    package init() { unsafe tables.initialize(to: Tables()) }

    deinit {
        unsafe tables.pointee.deallocate()
        unsafe tables.deinitialize(count: 1)
        unsafe tables.deallocate()
    }

    /// Has texts that the current thread makes in `body` shared with those made before.
    package func share<Result>(in body: () throws -> Result) rethrows -> Result {
        guard let key = RecentTexts.key else { return try body() }
        let outer = unsafe pthread_getspecific(key)
        _ = unsafe pthread_setspecific(key, tables)
        defer { _ = unsafe pthread_setspecific(key, outer) }
        return try withExtendedLifetime(self) { try body() }
    }

    // Where each thread has the texts that it shares at present.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// The text of a range of bytes; what is not UTF-8 is replaced in it.
    @inline(__always)
    static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        let count = range.upperBound &- range.lowerBound
        guard 16...Tables.longest ~= count, range.lowerBound >= 0, range.upperBound <= bytes.count, let key,
            let tables = unsafe pthread_getspecific(key)
        else { return TextKernel.text(bytes, range) }
        // They live at least as long as they are shared.
        return unsafe tables.assumingMemoryBound(to: Tables.self).pointee.text(bytes, range)
    }
}

/// What was seen, and what is kept: tables of as many slots as there are numbers of so many bits.
@safe private struct Tables {
    struct Kept {
        var text = ""
        var count = 0
    }

    /// The most bytes of a text that is kept: longer ones seldom come again.
    static let longest = 64
    // Of a hash of 64 bits the first say where.
    private static let seenBits = 11 as UInt64
    private static let keptBits = 8 as UInt64

    // The hash of the last text of each slot.
    private let seen = UnsafeMutablePointer<UInt64>.allocate(capacity: 1 << Int(seenBits))
    // The last text of each slot that came a second time, and the bytes that it was made of, `longest` apart.
    private let kept = UnsafeMutablePointer<Kept>.allocate(capacity: 1 << Int(keptBits))
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: longest << Int(keptBits), alignment: 64)

    init() {
        unsafe seen.initialize(repeating: 0, count: 1 << Int(Tables.seenBits))
        unsafe kept.initialize(repeating: Kept(), count: 1 << Int(Tables.keptBits))
    }

    /// Gives all of it back; nothing is looked up afterwards.
    func deallocate() {
        unsafe kept.deinitialize(count: 1 << Int(Tables.keptBits))
        unsafe kept.deallocate()
        unsafe seen.deallocate()
        unsafe bytes.deallocate()
    }

    /// The text of a range that lies within the span, of sixteen bytes at least and ``longest`` at most.
    @inline(never)
    func text(_ span: Span<UInt8>, _ range: Range<Int>) -> String {
        let count = range.upperBound &- range.lowerBound
        // Where the text is or ought to be kept; -1 if it is not known to come again.
        var place = -1
        // In bounds: no more bytes are read than the range has, nor written than a slot has. A slot's number is made of
        // as many bits as all of them have.
        let isKnown = unsafe span.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return false }
            let text = unsafe base + range.lowerBound
            let hash = unsafe Tables.hash(text, count)
            let slot = Int(truncatingIfNeeded: hash &>> (64 &- Tables.seenBits))
            if unsafe seen[slot] != hash {
                unsafe seen[slot] = hash
                return false
            }
            place = Int(truncatingIfNeeded: hash &>> (64 &- Tables.keptBits))
            let copy = unsafe bytes + place &* Tables.longest
            if unsafe kept[place].count == count, unsafe Tables.areSame(text, copy, count) { return true }
            unsafe copy.copyMemory(from: text, byteCount: count)
            return false
        }
        if isKnown { return unsafe kept[place].text }
        let text = TextKernel.text(span, range)
        if place >= 0 { unsafe kept[place] = Kept(text: text, count: count) }
        return text
    }

    /// A hash of sixteen bytes or more, all of them.
    @inline(__always)
    private static func hash(_ text: UnsafeRawPointer, _ count: Int) -> UInt64 {
        let factor = 0x9E37_79B9_7F4A_7C15 as UInt64
        var hash = UInt64(truncatingIfNeeded: count)
        var offset = 0
        while offset < count &- 8 {
            hash = (hash ^ (unsafe text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))) &* factor
            hash ^= hash &>> 32
            offset &+= 8
        }
        hash = (hash ^ (unsafe text.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))) &* factor
        return (hash ^ hash &>> 32) &* factor
    }

    /// Whether two texts of sixteen bytes or more, and of the same length, have the same bytes.
    @inline(__always)
    private static func areSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int) -> Bool {
        var offset = 0
        while offset < count &- 16 {
            if unsafe ByteBlock(one + offset).equal(to: ByteBlock(other + offset)).bits != 0xFFFF { return false }
            offset &+= 16
        }
        let last = count &- 16
        return unsafe ByteBlock(one + last).equal(to: ByteBlock(other + last)).bits == 0xFFFF
    }
}
