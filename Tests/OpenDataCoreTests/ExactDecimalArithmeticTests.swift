import OpenDataCore
import TestSupport
import Testing

@Suite struct ExactDecimalArithmeticTests {
    @Test(
        arguments: [
            ("12.50", "0.5", "13.00"), ("0.1", "0.2", "0.3"), ("5", "-5.00", "0.00"), ("-0.01", "-0.99", "-1.00"),
            ("99999999999999999999", "1", "100000000000000000000"), ("1e3", "0.5", "1000.5"), ("0", "0", "0"),
        ])
    func sums(_ one: String, _ other: String, _ sum: String) throws {
        let (one, other) = (try #require(ExactDecimal(one)), try #require(ExactDecimal(other)))
        #expect(one.adding(other)?.description == sum && other.adding(one)?.description == sum)
    }

    @Test("sums and differences of random numbers are those of whole numbers") func random() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let (one, other) = (
                Int.random(in: -9999...9999, using: &generator), Int.random(in: -9999...9999, using: &generator)
            )
            let (left, right) = (try #require(ExactDecimal("\(one)e-2")), try #require(ExactDecimal("\(other)e-2")))
            #expect(left.adding(right) == ExactDecimal("\(one + other)e-2"))
            #expect(left.subtracting(right) == ExactDecimal("\(one - other)e-2"))
            #expect(left.subtracting(right)?.exponent == -2)
        }
    }

    @Test("what takes more than 38 digits has no exact sum") func tooLong() throws {
        let (one, other) = (try #require(ExactDecimal("1e30")), try #require(ExactDecimal("1e-30")))
        #expect(one.adding(other) == nil && one.subtracting(other) == nil)
    }
}
