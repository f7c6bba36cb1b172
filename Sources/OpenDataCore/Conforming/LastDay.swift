/// The last day or time that a field was read as, and the text it was read from: most columns repeat theirs.
struct LastDay: Sendable {
    /// The text, without white space around it.
    private(set) var text: [UInt8] = []
    /// The cell read from it.
    private(set) var cell = Cell.null
    /// The text as two words, the first byte in the lowest bits, if it has at most sixteen bytes.
    private(set) var words: SIMD2<UInt64> = .zero

    /// None yet.
    init() {}

    init(_ text: ArraySlice<UInt8>, _ cell: Cell) {
        self.text = Array(text)
        self.cell = cell
        for (index, byte) in text.prefix(16).enumerated() {
            words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
        }
    }
}
