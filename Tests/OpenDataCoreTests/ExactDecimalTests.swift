import OpenDataCore
import Testing

@Suite struct ExactDecimalTests {
    @Test(
        "B081, B083, B130: digits are kept",
        arguments: [
            "0", "-0", "2510.00", "0.30000000000000004", "9007199254740993", "18446744073709551615",
            "18446744073709551616",
            "99999999999999999999999999999999999999", "0.1234567890123456789012345678", "-55.00", "0.0000",
            "-0.00000000000000000000000000000000000001", "12e300", "1e-45",
        ])
    func roundTrip(_ text: String) throws {
        #expect(try #require(ExactDecimal(text)).description == text)
    }

    @Test(
        "B078: only a whole number is one",
        arguments: [
            "", "-", "--", "1,234.5", "12abc", " 12", "12 ", "X0.00", "nan", "inf", "0x10", "1.", ".5", "1e", "1e+",
            "+", "1.2.3",
            "100000000000000000000000000000000000000", "1e10000", "一", "１２",
        ])
    func refused(_ text: String) { #expect(ExactDecimal(text) == nil) }

    @Test(arguments: [
        ("1", "2"), ("-2", "-1"), ("-1", "1"), ("0", "0.0001"), ("9.99", "10"), ("123", "1234"), ("0.5", "0.51"),
        ("-10", "-9.5"), ("99999999999999999999999999999999999999", "1e38"), ("1.25", "1.3"),
    ])
    func order(_ less: String, _ more: String) throws {
        let (less, more) = (try #require(ExactDecimal(less)), try #require(ExactDecimal(more)))
        #expect(less < more && !(more < less) && less != more)
    }

    @Test func equalityGoesByValue() throws {
        #expect(ExactDecimal("2510.00") == 2510)
        #expect(ExactDecimal("-0.0") == 0)
        #expect(ExactDecimal("1e2") == 100)
        #expect(try #require(ExactDecimal("2510.00")).hashValue == (2510 as ExactDecimal).hashValue)
    }

    @Test(
        arguments: [
            ("42.00", 42), ("-7", -7), ("9223372036854775807", Int.max), ("-9223372036854775808", .min), ("3e3", 3000),
            ("9223372036854775808", nil), ("7.5", nil), ("0.00", 0), ("9223372036854775807.000", .max),
            ("100000000000000000000000.0e-20", 1000),
        ] as [(String, Int?)])
    func integer(_ text: String, _ expected: Int?) throws {
        #expect(try #require(ExactDecimal(text)).integer == expected)
    }
}
