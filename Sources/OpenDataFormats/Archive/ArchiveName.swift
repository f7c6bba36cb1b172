import OpenDataCore

/// The names of files in archives: labels, never paths.
enum ArchiveName {
    /// Whether a name fits a pattern, in which `*` stands for any letters, slashes too, and `?` for one.
    ///
    /// Names are told apart by their Unicode scalars; case counts.
    /// - Complexity: O(letters of the name × letters of the pattern).
    static func matches(_ name: String, _ pattern: String) -> Bool {
        let (name, pattern) = (Array(name.unicodeScalars), Array(pattern.unicodeScalars))
        var (letter, place) = (0, 0)
        // Where to go on if what follows the last `*` does not fit.
        var star: (letter: Int, place: Int)?
        while letter < name.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (letter, place)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[letter] {
                letter += 1
                place += 1
            } else if let last = star {
                star = (last.letter + 1, last.place)
                letter = last.letter + 1
                place = last.place + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }

    /// A name fit to be shown: what would steer a terminal is written as an escape.
    static func visible(_ name: String) -> String {
        var output: [UInt8] = []
        let bytes = Array(name.utf8)
        _ = VisibleText.append(bytes, 0..<bytes.count, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes of a name that is in no known encoding: what is not ASCII is written as `\x8A`.
    static func escaped(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            if byte < 0x80 { return String(Unicode.Scalar(byte)) }
            return "\\x" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
