// The standard library looks for a text in another by way of its regular expressions. With them, a program that carries
// its runtime would be an eighth larger and slower to start.

extension StringProtocol {
    /// Whether the text holds another, byte for byte.
    ///
    /// Every text holds an empty one. Complexity: O(n · m).
    package func holds(_ text: some StringProtocol) -> Bool {
        text.isEmpty || utf8Parts(separatedBy: text, atMost: 2).count > 1
    }

    /// The pieces between occurrences of a text that is not empty, the empty ones included.
    package func pieces(between text: some StringProtocol) -> [Substring] {
        utf8Parts(separatedBy: text, atMost: .max)
    }

    private func utf8Parts(separatedBy text: some StringProtocol, atMost limit: Int) -> [Substring] {
        let whole = Substring(self)
        let (bytes, wanted) = (whole.utf8, text.utf8)
        guard let first = wanted.first else { return [whole] }
        var parts: [Substring] = []
        var start = bytes.startIndex
        var place = start
        while parts.count < limit - 1, let found = bytes[place...].firstIndex(of: first) {
            if bytes[found...].starts(with: wanted) {
                parts.append(whole[start..<found])
                start = bytes.index(found, offsetBy: wanted.count)
                place = start
            } else {
                place = bytes.index(after: found)
            }
        }
        return parts + [whole[start...]]
    }
}
