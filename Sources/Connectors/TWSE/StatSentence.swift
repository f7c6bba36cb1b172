import OpenDataCore

/// What the exchange says in the member `stat` of a JSON answer, which has status 200 whatever it says.
enum StatSentence {
    /// Parts of sentences that mean "there are no records".
    private static let noData = ["沒有符合條件", "無相關資料", "查無資料"]
    /// Parts of sentences about a date that nobody can ask for.
    private static let badDate = ["查詢日期", "請重新查詢"]

    /// Throws ``OpenDataError/Code/noData``, ``OpenDataError/Code/badArgument`` or, for a sentence that is not known,
    /// ``OpenDataError/Code/unexpectedContent``, with the sentence; does nothing for `OK` and for no sentence.
    static func check(_ stat: String?) throws(OpenDataError) {
        guard let sentence = stat.map(trimmed), sentence.uppercased() != "OK" else { return }
        if noData.contains(where: { sentence.holds($0) }) { throw says(.noData, sentence) }
        if badDate.contains(where: { sentence.holds($0) }) { throw says(.badArgument, sentence) }
        throw says(.unexpectedContent, sentence)
    }

    /// The error for an answer that is well but has no records.
    static var noRecords: OpenDataError { OpenDataError(.noData, "the exchange has no records for what was asked") }

    private static func says(_ code: OpenDataError.Code, _ sentence: String) -> OpenDataError {
        OpenDataError(code, "the exchange says '\(sentence.prefix(200))'")
    }
}

/// The text without the white space around it.
func trimmed(_ text: some StringProtocol) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
        let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
}
