/// The nearest right name for a wrong one.
public enum Spelling {
    /// The candidate that takes the fewest edits to reach, if they are few enough to be a slip.
    ///
    /// Few enough: a third of the letters, at least two. A candidate that begins with the word also counts.
    public static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
        let limit = max(2, word.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let isStart = word.utf8.count >= 3 && candidate.lowercased().hasPrefix(word.lowercased())
            let distance = isStart ? 1 : distance(from: word.lowercased(), to: candidate.lowercased())
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours between two words.
    static func distance(from word: String, to other: String) -> Int {
        let (word, other) = (Array(word.unicodeScalars), Array(other.unicodeScalars))
        var rows = [[Int]](repeating: [Int](repeating: 0, count: other.count + 1), count: word.count + 1)
        for i in 0...word.count { rows[i][0] = i }
        for j in 0...other.count { rows[0][j] = j }
        for i in 0..<word.count {
            for j in 0..<other.count {
                var cost = min(rows[i][j + 1] + 1, rows[i + 1][j] + 1, rows[i][j] + (word[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, word[i] == other[j - 1], word[i - 1] == other[j] {
                    cost = min(cost, rows[i - 1][j - 1] + 1)
                }
                rows[i + 1][j + 1] = cost
            }
        }
        return rows[word.count][other.count]
    }
}
