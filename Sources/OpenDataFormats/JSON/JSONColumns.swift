import OpenDataCore

/// The keys of the records so far, each a column, in order of first appearance.
///
/// Keys are the same if their unescaped bytes are, less a byte order mark at the start, which some publishers' files
/// have within the first key.
struct JSONColumns: Sendable {
    /// The most columns that records may have together.
    static let maximumCount = 2048

    /// The columns' names.
    private(set) var names: [String] = []
    /// What the keys of members that are lifted begin with, which is no part of their columns' names: `properties.`.
    var lifted: [UInt8] = []
    /// The number of columns.
    private(set) var count = 0
    // The keys as they were first written, with their quotes, one after the other, and where each begins.
    private var literals: ContiguousArray<UInt8> = []
    private var literalStarts = [0]
    // The keys' own bytes, likewise.
    private var keys: [UInt8] = []
    private var keyStarts = [0]
    // Which column came after each when last seen; the first entry is for the beginning of a record.
    private var successors = [0]
    // A hash table of columns with open addressing, a power of two of slots; below 0 where free.
    private var slots = [Int32](repeating: -1, count: 16)
    // The key under way, unescaped.
    private var scratch: [UInt8] = []

    /// The column that is likely to come after another; -1 is the beginning of a record.
    @inline(__always)
    func expected(after column: Int) -> Int { successors[column + 1] }

    /// Notes which column came after another.
    mutating func expect(_ column: Int, after previous: Int) { successors[previous + 1] = column }

    /// The length of a column's key with its quotes, if that is what stands at the index.
    @inline(__always)
    func matchLength(of column: Int, _ bytes: Span<UInt8>, at index: Int) -> Int? {
        guard column < count else { return nil }
        let range = literalStarts[column]..<literalStarts[column + 1]
        return JSONStrings.matches(bytes, at: index, literals.span, range) ? range.count : nil
    }

    /// The column of the key that stands, with its quotes, in a range of the bytes.
    ///
    /// - Complexity: O(bytes of the key).
    mutating func find(_ bytes: Span<UInt8>, _ range: Range<Int>, isEscaped: Bool) -> Int? {
        takeKey(bytes, range, isEscaped: isEscaped)
        return find()
    }

    /// The same for a key of an object within the record, which is named by the path in front of it.
    mutating func find(_ bytes: Span<UInt8>, _ range: Range<Int>, isEscaped: Bool, behind path: [UInt8]) -> Int? {
        takeKey(bytes, range, isEscaped: isEscaped)
        if !path.isEmpty { scratch.insert(contentsOf: path, at: 0) }
        return find()
    }

    /// What the columns are told apart by: their keys, those of objects within the record with the path in front of
    /// them.
    var paths: [String] {
        (0..<count).map { String(decoding: keys[keyStarts[$0]..<keyStarts[$0 + 1]], as: UTF8.self) }
    }

    /// The key that was looked for last, unescaped and with the path in front of it.
    var lastKey: [UInt8] { scratch }

    /// Has the key that stands in a range of the bytes be the one under way.
    private mutating func takeKey(_ bytes: Span<UInt8>, _ range: Range<Int>, isEscaped: Bool) {
        scratch.removeAll(keepingCapacity: true)
        for index in (range.lowerBound + 1)..<(range.upperBound - 1) { scratch.append(bytes[index]) }
        if isEscaped {
            var key = scratch[...]
            let count = JSONStrings.unescape(&key, key.indices)
            scratch = Array(key[..<count])
        }
        if scratch.starts(with: [0xEF, 0xBB, 0xBF]) { scratch.removeFirst(3) }
    }

    /// The column of the key under way.
    private func find() -> Int? {
        var slot = hash(scratch[...]) & (slots.count - 1)
        while slots[slot] >= 0 {
            let column = Int(slots[slot])
            if keys[keyStarts[column]..<keyStarts[column + 1]] == scratch[...] { return column }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds the key that ``find(_:_:isEscaped:)`` has just not found, and returns its column.
    mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        for index in range { literals.append(bytes[index]) }
        return add()
    }

    /// Adds columns that are known beforehand; a name that stands again is passed over.
    mutating func add(known names: [String]) {
        for name in names {
            scratch = Array(name.utf8)
            if find() != nil { continue }
            // The key as it is likely to be written.
            let key = scratch.starts(with: lifted) ? scratch.dropFirst(lifted.count) : scratch[...]
            literals.append(JSONStrings.quote)
            literals += key
            literals.append(JSONStrings.quote)
            _ = add()
        }
    }

    /// Adds the key under way, whose literal has been added.
    private mutating func add() -> Int {
        let column = count
        names.append(name())
        literalStarts.append(literals.count)
        keys += scratch
        keyStarts.append(keys.count)
        successors.append(column + 1)
        count += 1
        if count * 2 > slots.count {
            slots = [Int32](repeating: -1, count: slots.count * 2)
            for column in 0..<count { place(column) }
        } else {
            place(column)
        }
        return column
    }

    /// The name of the column for the key under way.
    private func name() -> String {
        guard !lifted.isEmpty else { return String(decoding: scratch, as: UTF8.self) }
        let key = scratch.starts(with: lifted) ? scratch.dropFirst(lifted.count) : scratch[...]
        let name = String(decoding: key, as: UTF8.self)
        var (unique, number) = (name, 1)
        while names.contains(where: { $0.utf8.elementsEqual(unique.utf8) }) {
            number += 1
            unique = "\(name)_\(number)"
        }
        return unique
    }

    private mutating func place(_ column: Int) {
        var slot = hash(keys[keyStarts[column]..<keyStarts[column + 1]]) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(column)
    }

    /// A hash that differs from process to process, so that no payload can be made to collide.
    private func hash(_ key: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        return hasher.finalize()
    }
}
