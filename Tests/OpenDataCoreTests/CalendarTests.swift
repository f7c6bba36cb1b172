import OpenDataCore
import Testing

@Suite struct CalendarTests {
    @Test(
        "B040: days in every form",
        arguments: [
            ("2026-07-08", "2026-07-08"), ("2026/7/8", "2026-07-08"), ("20260624", "2026-06-24"),
            ("1150624", "2026-06-24"),
            ("991231", "2010-12-31"), ("0991231", "2010-12-31"), ("115/2/3", "2026-02-03"), ("99/12/31", "2010-12-31"),
            ("113/02/29", "2024-02-29"), ("113年7月15日", "2024-07-15"), ("民國113年07月15日", "2024-07-15"),
            (" 1130715 ", "2024-07-15"), ("113.7.15", "2024-07-15"), ("2024年7月15日", "2024-07-15"),
            ("1/1/1", "1912-01-01"),
            ("2000-02-29", "2000-02-29"),
        ])
    func days(_ text: String, _ expected: String) { #expect(CalendarDate(parsing: text)?.description == expected) }

    @Test(
        "B040: what is no day is refused",
        arguments: [
            "115/02/29", "2026-02-29", "1900-02-29", "20261301", "1150632", "12345", "123456789", "2026-07/08",
            "07/08/2026",
            "2026-7", "", "115", "115/6/24x", "26-07-08T", "民國2026年7月8日", "2026-07-08 13:00", "00/00/00", "２０２６-07-08",
            "0/1/1x", "2026-007-08", "--",
        ])
    func noDays(_ text: String) { #expect(CalendarDate(parsing: text) == nil) }

    @Test func everyDayThereAndBack() throws {
        var days = -719_162
        while days < 2_932_896 {
            #expect(try #require(CalendarDate(daysSince1970: days)).daysSince1970 == days)
            days += 97
        }
        #expect(CalendarDate(daysSince1970: -719_163) == nil)
        #expect(CalendarDate(daysSince1970: 2_932_897) == nil)
        #expect(CalendarDate(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
    }

    @Test(arguments: [
        ("2025-03", "2025-03"), ("202503", "2025-03"), ("114/03", "2025-03"), ("11403", "2025-03"),
        ("114年3月", "2025-03"),
    ])
    func months(_ text: String, _ expected: String) { #expect(YearMonth(parsing: text)?.description == expected) }

    @Test(arguments: ["2025-13", "2025", "25-1-1", "", "2025-03-01", "2025年3"])
    func noMonths(_ text: String) { #expect(YearMonth(parsing: text) == nil) }

    @Test(arguments: [
        ("2026-07-08 13:00", "2026-07-08T13:00:00+08:00"), ("2026/07/08 13:00:05", "2026-07-08T13:00:05+08:00"),
        ("2026-07-08T05:00:05.250Z", "2026-07-08T05:00:05.250+00:00"),
        ("2026-07-08 24:00", "2026-07-09T00:00:00+08:00"),
        ("2026-07-08T13:00:00.000000+0930", "2026-07-08T13:00:00+09:30"), ("1150708 9:05", "2026-07-08T09:05:00+08:00"),
        ("2026-12-31 24:00", "2027-01-01T00:00:00+08:00"), ("2026-07-08T13:00-03:30", "2026-07-08T13:00:00-03:30"),
        ("20260708130005", "2026-07-08T13:00:05+08:00"), (" 20160224235959 ", "2016-02-24T23:59:59+08:00"),
    ])
    func times(_ text: String, _ expected: String) {
        #expect(DateTime(parsing: text, zone: .taipei)?.description == expected)
    }

    @Test(arguments: [
        "2026-07-08", "2026-07-08 25:00", "2026-07-08 24:01", "2026-07-08 13:60", "2026-07-08 1:2", "13:00",
        "2026-07-08 13:00:00.1234", "2026-07-08 13:00+08:07", "2026-07-08 13:00 PM", "2026-02-30 10:00",
        "20260230100000", "20260708250000", "2026070813000", "202607081300055", "20260708130005Z",
    ])
    func noTimes(_ text: String) { #expect(DateTime(parsing: text, zone: .taipei) == nil) }

    @Test func instant() throws {
        let time = try #require(DateTime(parsing: "1970-01-01T08:00:00.005+08:00", zone: .utc))
        #expect(time.millisecondsSince1970 == 5)
        #expect(Cell.dateTime(time).dateTime == time)
        #expect(time.day.description == "1970-01-01" && time.offsetMinutes == 480)
    }
}
