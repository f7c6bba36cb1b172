import OpenDataCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Where a command reads and writes: three descriptors, so that tests can hand in others.
public struct Console: Sendable {
    /// The descriptor that `--from -` reads.
    public let input: Int32
    /// The descriptor that data go to, and nothing else.
    public let output: Int32
    /// The descriptor that everything else goes to.
    public let errors: Int32
    /// Whether a person reads `output`.
    public let isTerminal: Bool

    /// Makes a console of descriptors, which stay open.
    public init(input: Int32, output: Int32, errors: Int32, isTerminal: Bool) {
        self.input = input
        self.output = output
        self.errors = errors
        self.isTerminal = isTerminal
    }

    /// The console of the process.
    static var standard: Console { Console(input: 0, output: 1, errors: 2, isTerminal: isatty(1) == 1) }

    /// Writes text to the output.
    ///
    /// Throws ``OpenDataError/Code/unwritable``.
    func write(_ text: String) throws(OpenDataError) {
        let file = SystemFile(descriptor: output, path: "standard output", closes: false)
        try file.write(Array(text.utf8))
    }

    /// Writes lines for the person, with a line break at the end if there is none.
    ///
    /// A failure is ignored: there is nobody left to tell.
    func tell(_ text: String) {
        let file = SystemFile(descriptor: errors, path: "standard error", closes: false)
        let end = text.utf8.last == UInt8(ascii: "\n") ? "" : "\n"
        try? file.write(Array((Console.visible(text) + end).utf8))
    }

    /// The text with control characters shown as `\u{1B}`: what a publisher sent must not steer the terminal.
    static func visible(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: result.append(scalar)
            case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
