import OpenDataCore
import OpenDataFormats
import TestSupport

/// Dates, times, numbers and small documents, from texts.
struct ValuesKind: FuzzKind {
    let name = "values"
    let share = 10

    private static let seeds: [[UInt8]] = [
        "2026-07-08", "115/07/08", "1150708", "民國115年7月8日", "20260708", "2026/7/8", "115.07.08", "2026-07", "11507",
        "2026-07-08T09:30:00+08:00", "2026/07/08 上午 09:30:15", "2026-07-08 23:59:60", "115/07/08 09:30",
        "20260708093000",
        "198.10", "1,234,567.89", "-0.00", "1E10", "9007199254740993", "0.000000000000000001",
        "-170141183460469231731687303715884105728",
        "99999999999999999999999999999999999999", "1e-300", "+5", "１２３", "臺北市", "台東縣",
        #"{"a":[1,-2.5e3,null,true,"\u4e2d\ud83d\ude00"],"b":{"c":""}}"#, "[[[]]]", "\"x\\n\"", "01", "-", "-0",
    ].map { Array($0.utf8) }

    private static let words: [[UInt8]] =
        ["-", "/", ".", ":", " ", "T", "Z", "+08:00", "年", "月", "日", "民國", "上午", "下午", "e", "E", "0", "9", "00", "99"]
        .map { Array($0.utf8) } + JSONSeeds.words

    func run(_ random: inout SeededGenerator, _ trial: inout Trial) -> Bool {
        guard let seed = Self.seeds.randomElement(using: &random), let other = Self.seeds.randomElement(using: &random)
        else {
            return false
        }
        trial.bytes = Array(Mutator.input(seed, others: other, words: Self.words, using: &random).prefix(400))
        let text = String(decoding: trial.bytes, as: UTF8.self)
        trial.reading = { "'\(text)'" }
        var isAccepted = false
        if let day = CalendarDate(parsing: text) {
            isAccepted = true
            if CalendarDate(parsing: day.description) != day { trial.fail("the day \(day) is not read again") }
            if CalendarDate(daysSince1970: day.daysSince1970) != day { trial.fail("the days of \(day)") }
        }
        if let month = YearMonth(parsing: text) {
            isAccepted = true
            if YearMonth(parsing: month.description) != month { trial.fail("the month \(month) is not read again") }
        }
        if let time = DateTime(parsing: text, zone: .taipei) {
            isAccepted = true
            if DateTime(parsing: time.description, zone: .utc) != time {
                trial.fail("the time \(time) is not read again")
            }
        }
        if let number = ExactDecimal(text) {
            isAccepted = true
            check(number, &trial)
            if let other = ExactDecimal(String(decoding: other, as: UTF8.self)) { check(number, other, &trial) }
        }
        let folded = PlaceName.fold(text)
        if PlaceName.fold(folded) != folded { trial.fail("folded twice") }
        if let document = JSONText(parsing: trial.bytes) {
            isAccepted = true
            if JSONText(parsing: document.line)?.line != document.line {
                trial.fail("\(document.line) is not read again")
            }
            if JSONText(parsing: document.document)?.line != document.line { trial.fail("indented, it is another") }
            // What stands for data of ours has to be JSON for the decoder of everybody's too.
            let mark = trial.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            let whole = Payload(Array("[[0],[".utf8) + trial.bytes[mark...] + Array("]]".utf8))
            let reading = Reading(whole, .json(JSONLayout(columns: ["x"])))
            if let failure = reading.failure { trial.fail("read, but refused as data: \(failure) \(reading.message)") }
        }
        return isAccepted
    }

    private func check(_ number: ExactDecimal, _ trial: inout Trial) {
        guard let again = ExactDecimal(number.description) else { return trial.fail("\(number) is not read again") }
        if again != number || again.hashValue != number.hashValue || again.description != number.description {
            trial.fail("\(number) becomes \(again)")
        }
        if number.double.isNaN { trial.fail("\(number) is not a number") }
        if number.negated.negated != number { trial.fail("\(number) negated twice is \(number.negated.negated)") }
        if let integer = number.integer, ExactDecimal(integer) != number {
            trial.fail("\(number) as a whole is \(integer)")
        }
    }

    private func check(_ one: ExactDecimal, _ other: ExactDecimal, _ trial: inout Trial) {
        if (one < other ? 1 : 0) + (other < one ? 1 : 0) + (one == other ? 1 : 0) != 1 {
            trial.fail("\(one) and \(other) are in no order")
        }
        if one == other, one.hashValue != other.hashValue { trial.fail("\(one) and \(other) have two hashes") }
        if let sum = one.adding(other), let back = sum.subtracting(other), back != one {
            trial.fail("\(one) and \(other) are \(sum), less the second \(back)")
        }
    }
}
