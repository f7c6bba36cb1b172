@testable import OpenDataCore
import TestSupport
import Testing

@Suite struct FieldNamesTests {
    private func column(of name: StaticString, among names: [String]) -> Int {
        let table = FieldNames(Columns(names))
        defer { table.deallocate() }
        return table.column(of: name)
    }

    @Test("names of every length, of which the first counts")
    func lengths() {
        let names = [
            "", "a", "ab", "date", "code", "closing", "quantity", "quantities", "exactly sixteen!",
            "more than sixteen letters",
            "more than sixteen lettres", "證券代號", "金", "\u{F90A}", "code", "",
        ]
        #expect(column(of: "", among: names) == 0)
        #expect(column(of: "a", among: names) == 1)
        #expect(column(of: "ab", among: names) == 2)
        #expect(column(of: "code", among: names) == 4)
        #expect(column(of: "closing", among: names) == 5)
        #expect(column(of: "quantity", among: names) == 6)
        #expect(column(of: "quantities", among: names) == 7)
        #expect(column(of: "exactly sixteen!", among: names) == 8)
        #expect(column(of: "more than sixteen letters", among: names) == 9)
        #expect(column(of: "more than sixteen lettres", among: names) == 10)
        #expect(column(of: "證券代號", among: names) == 11)
        // Look-alikes that Swift's strings hold to be the same.
        #expect(column(of: "金", among: names) == 12)
        #expect(column(of: "\u{F90A}", among: names) == 13)
        for name in ["b", "dat", "date ", "quantitx", "exactly sixteen?", "證券代", "\u{0}"] as [StaticString] {
            #expect(column(of: name, among: names) == -1, "\(name)")
        }
        #expect(column(of: "a", among: []) == -1)
        #expect(column(of: "x", among: ["y"]) == -1)
        // A single letter is no pointer to its bytes.
        #expect(column(of: "\u{4E2D}", among: ["x", "中"]) == 1)
    }

    @Test("names that share their ends are told apart by what they are compared by")
    func alike() {
        let names = ["abcdefgh12345678", "abcdefghX2345678", "abcdefgh", "abcdefghabcdefgh", "12345678", "1234567"]
        #expect(column(of: "abcdefghX2345678", among: names) == 1)
        #expect(column(of: "abcdefgh", among: names) == 2)
        #expect(column(of: "abcdefghabcdefgh", among: names) == 3)
        #expect(column(of: "12345678", among: names) == 4)
        #expect(column(of: "1234567", among: names) == 5)
        #expect(column(of: "abcdefgh2345678", among: names) == -1)
        #expect(column(of: "bcdefgh12345678", among: names) == -1)
    }

    @Test("tables of many widths: each name is found, and the first of those that repeat")
    func widths() {
        for width in [1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 300] {
            var names = (0..<width).map { "c\($0 * 37 % width)" }
            names[width - 1] = "last"
            #expect(column(of: "last", among: names) == width - 1)
            #expect(column(of: "c0", among: names) == (names.firstIndex(of: "c0") ?? -1))
            #expect(column(of: "c1", among: names) == (names.firstIndex(of: "c1") ?? -1))
            let same = Array(repeating: "c1", count: width) + names
            #expect(column(of: "c1", among: same) == 0)
            #expect(column(of: "last", among: same) == 2 * width - 1)
        }
    }
}
