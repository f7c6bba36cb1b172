import OpenDataCore
import OpenDataFormats
import TestSupport
import Testing

@Suite("ZIP archives")
struct ZipArchiveTests {
    static func archive(_ bytes: [UInt8], maximumBytes: Int = 64 << 20) throws -> ZipArchive {
        try ZipArchive(Payload(response: Response(url: "test:"), body: .bytes(bytes)), maximumBytes: maximumBytes)
    }

    static func read(_ source: any ByteSource, step: Int = 1 << 16) throws(OpenDataError) -> [UInt8] {
        var source = source
        var bytes: [UInt8] = []
        while try source.read(step, into: &bytes) > 0 {}
        return bytes
    }

    typealias Member = ZipWriter.Member
    static let text = String(repeating: "年月,地區,金額\r\n103年01月,台北市,563403\r\n", count: 2000)

    @Test(
        "Members are read whole, in pieces of any size",
        arguments: [
            ZipWriter(members: [Member("a.csv", text)]),
            ZipWriter(members: [Member("a.csv", text).with { $0.method = 0 }]),
            ZipWriter(
                members: [Member("a.csv", text).with { $0.hasDescriptor = true }], comment: Array("PK\u{5}\u{6}".utf8)),
            ZipWriter(members: [Member("a.csv", text).with { $0.isLarge = true }], isLarge: true),
            ZipWriter(members: [Member("b/", "").with { $0.method = 0 }, Member("b/a.csv", text), Member("c", "")]),
        ])
    func sound(_ writer: ZipWriter) throws {
        let archive = try ZipArchiveTests.archive(writer.bytes)
        #expect(archive.members.map(\.name) == writer.members.map { String(decoding: $0.name, as: UTF8.self) })
        for (member, written) in zip(archive.members, writer.members) {
            #expect(member.size == written.content.count)
            for step in [1 << 20, 4093, 100] {
                #expect(try ZipArchiveTests.read(try archive.open(member), step: step) == written.content)
            }
            let payload = try archive.payload(of: member)
            #expect(try ZipArchiveTests.read(try payload.open()) == written.content)
        }
    }

    @Test("An archive in a file is read as one in memory is")
    func file() throws {
        let file = try TemporaryFile()
        try file.append(ZipWriter(members: [Member("a", "1"), Member("b", "22")]).bytes)
        let archive = try ZipArchive(
            Payload(response: Response(url: "test:"), body: .temporary(file)), maximumBytes: 100)
        #expect(
            try archive.members.map { String(decoding: try ZipArchiveTests.read(try archive.open($0)), as: UTF8.self) }
                == ["1", "22"])
    }

    /// An archive that is not sound, and what is said of it; some are told only when the member is read.
    struct Broken: CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let code: OpenDataError.Code
        let says: String
        var testDescription: String { name }

        init(_ name: String, _ members: [Member], _ code: OpenDataError.Code, _ says: String) {
            self.init(name, bytes: ZipWriter(members: members).bytes, code, says)
        }

        init(_ name: String, _ members: [Member], _ says: String) { self.init(name, members, .malformed, says) }

        init(_ name: String, bytes: [UInt8], _ code: OpenDataError.Code, _ says: String) {
            (self.name, self.bytes, self.code, self.says) = (name, bytes, code, says)
        }

        static let sound = ZipWriter(members: [Member("a.csv", "1,2\n")]).bytes

        static let all: [Broken] = [
            Broken("a wrong checksum", [Member("a", "123").with { $0.checksum = 1 }], "does not have the checksum"),
            Broken(
                "a wrong checksum of what is stored",
                [
                    Member("a", "123").with {
                        $0.checksum = 1; $0.method = 0
                    }
                ], "does not have the checksum"),
            Broken("more than is told", [Member("a", "12345").with { $0.size = 4 }], "more bytes"),
            Broken("less than is told", [Member("a", "12345").with { $0.size = 6 }], "fewer bytes"),
            Broken(
                "less stored than is told",
                [
                    Member("a", "12345").with {
                        $0.size = 6; $0.method = 0
                    }
                ], "fewer bytes"),
            Broken(
                "a wrong descriptor",
                [
                    Member("a", "12345").with {
                        $0.hasDescriptor = true; $0.descriptorSize = 4
                    }
                ], "stand behind it"),
            Broken("encrypted", [Member("a", "1").with { $0.flags = 1 }], .unexpectedContent, "is encrypted"),
            Broken(
                "strongly encrypted", [Member("a", "1").with { $0.flags = 0x41 }], .unexpectedContent, "is encrypted"),
            Broken("another method", [Member("a", "1").with { $0.method = 14 }], .unexpectedContent, "method 14"),
            Broken("no deflate", [Member("a", "1").with { $0.data = [0xFF, 1, 2, 3] }], "not what deflate makes"),
            Broken(
                "deflate cut off",
                [
                    Member("a", ZipArchiveTests.text).with {
                        $0.data = Array(Compression.deflated($0.content).dropLast(9))
                    }
                ], "ends in the middle"),
            Broken(
                "deflate and more", [Member("a", "1").with { $0.data = Compression.deflated($0.content) + [0] }],
                "fewer bytes"),
            Broken("another name at the member", [Member("a", "1").with { $0.localName = [0x62] }], "do not agree"),
            Broken(
                "two members in one place", [Member("a", "1"), Member("a", "1").with { $0.headerOffset = 0 }],
                "overlaps"),
            Broken(
                "a member that holds another",
                {
                    // The second member's bytes are the content of the first.
                    let inner = Array(ZipWriter(members: [Member("b", "2").with { $0.method = 0 }]).bytes.prefix(32))
                    return [
                        Member(Array("a".utf8), inner).with { $0.method = 0 },
                        Member("b", "2").with {
                            $0.method = 0; $0.headerOffset = 31
                        },
                    ]
                }(), "overlaps"),
            Broken(
                "a member beyond the file", [Member("a", "1").with { $0.headerOffset = 1 << 30 }], "within the file"),
            Broken("a member that is none", [Member("a", "1").with { $0.headerOffset = 1 }], "no member 'a'"),
            Broken("a bomb", [Member([0x61], [UInt8](repeating: 0, count: 20 << 20))], .tooLarge, "a bomb"),
            Broken(
                "a bomb that lies", [Member([0x61], [UInt8](repeating: 0, count: 20 << 20)).with { $0.size = 1 << 20 }],
                "more bytes than"),
            Broken(
                "more than allowed", [Member([0x61], Array(repeating: 7, count: 65 << 20)).with { $0.method = 0 }],
                .tooLarge, "that are allowed"),
            Broken("cut off", bytes: Array(sound.dropLast(30)), .truncated, "no directory at its end"),
            Broken("something behind", bytes: sound + [0], .truncated, "no directory at its end"),
            Broken("something before", bytes: [0x50, 0x4B, 3, 4] + sound, .malformed, "broken"),
            Broken("nothing", bytes: [], .truncated, "no directory"),
            Broken(
                "another number of members", bytes: ZipArchiveTests.changed(sound, from: 14, [2, 0, 2, 0]),
                .malformed, "broken"),
            Broken(
                "a part of several", bytes: ZipArchiveTests.changed(sound, from: 18, [1, 0]), .unexpectedContent,
                "several parts"),
            Broken(
                "a directory elsewhere", bytes: ZipArchiveTests.changed(sound, from: 6, [0, 1]), .malformed,
                "within the file"),
        ]
    }

    /// The bytes with some changed, so many from the end.
    static func changed(_ bytes: [UInt8], from end: Int, _ new: some Collection<UInt8>) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange((bytes.count - end)..<(bytes.count - end + new.count), with: new)
        return bytes
    }

    @Test("Each broken or hostile archive is refused", arguments: Broken.all)
    func refused(_ broken: Broken) {
        let error = #expect(throws: OpenDataError.self) {
            let archive = try ZipArchiveTests.archive(broken.bytes)
            for member in archive.members { _ = try archive.payload(of: member) }
        }
        #expect(error?.code == broken.code, "\(String(describing: error))")
        #expect(error?.message.contains(broken.says) == true, "\(String(describing: error))")
    }

    @Test("Names: UTF-8, the Big5 of Windows, a Unicode name beside another, and none of these")
    func names() throws {
        let big5: [UInt8] = [0xA5, 0x78, 0xA5, 0x5F, 0xA5, 0xAB, 0x2F, 0x61]
        func unicode(_ raw: [UInt8], _ checksum: UInt32) -> [UInt8] {
            let data = [1] + ZipWriter.number(Int(checksum), 4) + Array("名/b".utf8)
            return ZipWriter.number(0x7075, 2) + ZipWriter.number(data.count, 2) + data
        }
        let archive = try ZipArchiveTests.archive(
            ZipWriter(members: [
                Member(Array("台北/a".utf8), []).with { $0.flags = 0x800 }, Member(Array("台北/b".utf8), []),
                Member(big5, []),
                Member(Array("x".utf8), []).with {
                    $0.extra = [1, 2, 0, 0] + unicode($0.name, Compression.checksum($0.name))
                },
                Member(Array("y".utf8), []).with { $0.extra = unicode($0.name, 0) }, Member([0x61, 0xFF, 0xFF], []),
                Member(big5, []).with { $0.flags = 0x800 }, Member([0x61, 0x00], []),
            ]).bytes)
        #expect(archive.members.map(\.name) == ["台北/a", "台北/b", "台北市/a", "名/b", "y", "a\\xFF\\xFF", "台北市/a", "a\0"])
    }

    @Test(
        "A pattern selects in the order of the archive",
        arguments: [
            ("a/x.csv", ["a/x.csv"]), ("*.csv", ["a/x.csv", "b/y.csv", "../../z.csv"]),
            ("*/?.csv", ["a/x.csv", "b/y.csv", "../../z.csv"]),
            ("?/*", ["a/x.csv", "b/y.csv"]), ("b*", ["b/y.csv", "b*"].suffix(1).map { $0 }), ("*X*", ["X.TXT"]),
            ("*", nil),
            ("../*", ["../../z.csv"]), ("/etc/passwd", ["/etc/passwd"]), ("c", []), ("*.CSV", []), ("a/", []), ("", []),
        ] as [(String, [String]?)])
    func selection(_ pattern: String, _ names: [String]?) throws {
        let all = [
            "a/", "a/x.csv", "b/y.csv", "../../z.csv", "/etc/passwd", "b*", "X.TXT", "__MACOSX/a/._x.csv", ".DS_Store",
        ]
        let archive = try ZipArchiveTests.archive(ZipWriter(members: all.map { Member($0, "1") }).bytes)
        let wanted = names ?? Array(all[1...6])
        if wanted.isEmpty {
            let error = #expect(throws: OpenDataError.self) { try archive.select(pattern) }
            #expect(error?.code == .badArgument && error?.message.contains("b/y.csv (1 bytes)") == true)
        } else {
            #expect(try archive.select(pattern).map(\.name) == wanted)
        }
    }

    @Test("What is taken without being asked for, and what is not")
    func unasked() throws {
        func select(_ names: String..., maximumBytes: Int = 100) throws -> [String] {
            try ZipArchiveTests.archive(
                ZipWriter(members: names.map { Member($0, "12") }).bytes, maximumBytes: maximumBytes
            ).select().map(\.name)
        }
        #expect(try select("d/", "d/a.csv", "__MACOSX/d/._a.csv") == ["d/a.csv"])
        #expect(try select("images/1.png", "doc.kml") == ["doc.kml"])
        for (names, code, says) in [
            (["a.csv", "b.csv"], OpenDataError.Code.badArgument, "--member"),
            (["a.csv", "doc.kml"], .badArgument, "2 files"),
            (["d/"], .noData, "no files"),
            (["[Content_Types].xml", "xl/workbook.xml"], .unexpectedContent, "spreadsheet"),
        ] {
            let error = #expect(throws: OpenDataError.self) {
                try ZipArchiveTests.archive(ZipWriter(members: names.map { Member($0, "12") }).bytes).select()
            }
            #expect(error?.code == code && error?.message.contains(says) == true, "\(String(describing: error))")
        }
        let twice = try ZipArchiveTests.archive(ZipWriter(members: [Member("a", "1"), Member("a", "2")]).bytes)
        #expect(throws: OpenDataError.self) { try twice.select("a") }
        let many = try ZipArchiveTests.archive(
            ZipWriter(members: [Member("a", "123"), Member("b", "123")]).bytes, maximumBytes: 5)
        #expect(try many.select("a").count == 1)
        #expect(throws: OpenDataError.self) { try many.select("*") }
    }

    @Test("A name that steers a terminal is shown as what it is, and a payload's name has no folders")
    func hostileNames() throws {
        let archive = try ZipArchiveTests.archive(
            ZipWriter(members: [Member("../a\u{1B}[2J", "1"), Member("b", "1")]).bytes)
        let error = #expect(throws: OpenDataError.self) { try archive.select() }
        #expect(error?.message.contains("\u{1B}") == false && error?.message.contains(#"../a\u{1B}[2J"#) == true)
        #expect(try archive.payload(of: archive.members[0]).response.fileName == "a\u{1B}[2J")
    }

    @Test("Archives broken at random neither trap nor hang, and never give what they should not", arguments: 0..<8)
    func mutations(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let content = Array("a,b\r\n1,2\r\n".utf8)
        let writers = [
            ZipWriter(members: [
                Member(Array("x".utf8), content), Member(Array("y".utf8), content).with { $0.hasDescriptor = true },
            ]),
            ZipWriter(members: [Member(Array("x".utf8), content).with { $0.isLarge = true }], isLarge: true),
        ]
        for round in 0..<400 {
            let bytes = Mutation.mutated(writers[round % 2].bytes, using: &random)
            guard let archive = try? ZipArchiveTests.archive(bytes, maximumBytes: 1 << 16) else { continue }
            for member in archive.members {
                if let source = try? archive.open(member), let read = try? ZipArchiveTests.read(source) {
                    #expect(Compression.checksum(read) == Compression.checksum(content))
                }
            }
        }
    }
}
