import OpenDataCore
import OpenDataFormats
import TestSupport

/// Text encodings, refusing and replacing what is no letter.
struct TextKind: FuzzKind {
    let name = "text"
    let share = 10
    let seeds: [[UInt8]]

    private static let encodings: [[TextEncoding]] =
        [.utf8, .utf16, .utf16le, .utf16be, .cp950, .big5hkscs].map { [$0] }
        + ["gb18030", "euc-kr", "euc-jp", "shift_jis", "windows-1252"].map { [TextEncoding(rawValue: $0)] }
        + [TextEncoding.undescribed, [.utf16, .cp950, .big5hkscs]]

    /// A text to its end, or up to an error.
    private struct Text: Equatable {
        var bytes: [UInt8] = []
        var encoding: TextEncoding?
        var replaced = 0
        var userDefined = 0
        var failure: OpenDataError.Code?
        var position: Position?
        /// NULs are no text of any encoding, and nothing stands for them.
        var hasNULs = false

        static func == (left: Text, right: Text) -> Bool {
            left.bytes == right.bytes && left.encoding == right.encoding && left.replaced == right.replaced
                && left.userDefined == right.userDefined && left.failure == right.failure
                && left.position == right.position
        }

        init(_ payload: Payload, _ encodings: [TextEncoding], _ invalid: TextSource.InvalidText, pieces: Int) {
            do throws(OpenDataError) {
                let opened = try TextSource.open(payload, encodings: encodings, invalid: invalid)
                encoding = opened.encoding
                var source = opened.source
                defer { (replaced, userDefined) = (opened.tally.replacedCount, opened.tally.userDefinedCount) }
                while try source.read(pieces, into: &bytes) > 0 {}
            } catch {
                (failure, position) = (error.code, error.position)
                hasNULs = error.message.hasPrefix("NULs")
                // How far it got before the error is a matter of the pieces.
                (bytes, replaced, userDefined) = ([], 0, 0)
            }
        }
    }

    func run(_ random: inout SeededGenerator, _ trial: inout Trial) -> Bool {
        guard let seed = seeds.randomElement(using: &random), let other = seeds.randomElement(using: &random),
            let encodings = Self.encodings.randomElement(using: &random)
        else { return false }
        trial.bytes = Mutator.input(seed, others: other, words: TextSeeds.words, using: &random)
        let pieces = Mutator.window(for: trial.bytes.count, &random)
        trial.reading = { "\(encodings.map(\.rawValue)) in pieces of \(pieces)" }
        let payload = Payload(trial.bytes)
        let refused = Text(payload, encodings, .refused, pieces: 1 << 18)
        let replaced = Text(payload, encodings, .replaced, pieces: 1 << 18)
        for (whole, invalid) in [(refused, TextSource.InvalidText.refused), (replaced, .replaced)] {
            let pieced = Text(payload, encodings, invalid, pieces: pieces)
            if pieced != whole { trial.fail("\(invalid): \(pieced)\n  and whole: \(whole)") }
        }
        if replaced.failure != nil, !replaced.hasNULs {
            trial.fail("replacing, there was an error all the same: \(replaced)")
        }
        if refused.failure == nil, refused != replaced || replaced.replaced > 0 {
            trial.fail("nothing to replace, but \(replaced) is not \(refused)")
        }
        if refused.failure != nil, replaced.failure == nil, replaced.replaced == 0 {
            trial.fail("refused by \(refused), but nothing was replaced")
        }
        if !String(decoding: replaced.bytes, as: UTF8.self).utf8.elementsEqual(replaced.bytes) {
            trial.fail("the text is not UTF-8")
        }
        find(payload, &trial)
        return refused.failure == nil
    }

    private func find(_ payload: Payload, _ trial: inout Trial) {
        do throws(OpenDataError) {
            let found = try EncodingFinder.find(in: payload)
            let text = Text(payload, [found.encoding], .refused, pieces: 1 << 18)
            let hasMark = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]].contains { payload.bytes.starts(with: $0) }
            if text.failure != nil, !hasMark { trial.fail("found to be in \(found), and then \(text)") }
        } catch {
            if error.code != .invalidText { trial.fail("the encoding was not found: \(error)") }
        }
    }
}
