import OpenDataCore

/// Text in encodings other than UTF-8.
enum TextSeeds {
    /// A table in Big5: 代號,名稱 and rows with letters whose second byte is a backslash, a bar or a brace.
    static let big5: [UInt8] = {
        let head: [UInt8] = [0xA5, 0x4E, 0xB8, 0xB9, 0x2C, 0xA6, 0x57, 0xBA, 0xD9, 0x0D, 0x0A]
        // 功, 許, 蓋 end in 5C; 育 in 7C; the rest is plain.
        let names: [[UInt8]] = [
            [0xA5, 0x5C, 0xB3, 0x5C], [0xBB, 0x5C, 0xA8, 0x7C], [0xA5, 0x78, 0xA5, 0x5F], [0xC3, 0xD2, 0xA8, 0xE9],
            [0xA4, 0xA4, 0xA4, 0xE5],
        ]
        var bytes = head
        for number in 0..<15 {
            bytes += Array(String(1000 + number).utf8) + [0x2C]
            bytes += names[number % names.count] + [0x0D, 0x0A]
        }
        return bytes
    }()

    /// A small table in UTF-16 with its mark.
    static func utf16(isBigEndian: Bool, hasMark: Bool = true) -> [UInt8] {
        let units = Array("\(hasMark ? "\u{FEFF}" : "")學年度\t學校\r\n103\t\"國立\u{1F600}\"\r\n104\tA, B\r\n".utf16)
        return units.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
            return isBigEndian ? [high, low] : [low, high]
        }
    }

    /// Words that mean something to a converter.
    static let words: [[UInt8]] = [
        [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [0xFF], [0x80], [0xA1], [0xA5], [0xA5, 0x5C], [0xFA, 0x40],
        [0xFE, 0xFE], [0xC6, 0xA1], [0xC8, 0xFE], [0x81, 0x40], [0x88, 0x62], [0xF9, 0xD6], [0xA3, 0xE1], [0xD8, 0x3D],
        [0xDE, 0x00], [0x3D, 0xD8], [0x00, 0xDC], [0x00], [0x00, 0x00], [0xE4, 0xB8], [0xE4, 0xB8, 0xAD],
        [0xF0, 0x9F, 0x98, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xC1, 0xBF], [0x81, 0x30, 0x81, 0x30],
    ]

    /// The seeds.
    static let all: [[UInt8]] = [
        big5, utf16(isBigEndian: false), utf16(isBigEndian: true), utf16(isBigEndian: false, hasMark: false),
        utf16(isBigEndian: true, hasMark: false), Array("代號,名稱\n0050,元大台灣50\u{1F600}\n".utf8),
        Array("\u{FEFF}a,b\r\n1,2\r\n".utf8), Array("plain ASCII, and a quarter: \u{BC}".utf8),
        [0xFA, 0x40, 0xC6, 0xA1, 0x8E, 0x40, 0x81, 0x40, 0x41, 0xA4, 0xA4],
    ]
}
