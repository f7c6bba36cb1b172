import OpenDataStore
import TestSupport
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "The vectors of FIPS 180-4 and its examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                    + "mnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ])
    func vectors(text: String, hash: String) {
        let bytes = Array(text.utf8)
        let whole = SHA256.hex(bytes)
        #expect(whole == hash)
        // In pieces, the hash is that of the whole.
        var pieces = SHA256()
        var generator = SeededGenerator(seed: 7)
        var index = 0
        while index < bytes.count {
            let end = min(bytes.count, index + Int.random(in: 0...70, using: &generator))
            pieces.update(Array(bytes[index..<end]))
            index = end
        }
        #expect(pieces.hex() == whole)
    }

    @Test("A million letters, in pieces that are no whole blocks") func million() {
        var hash = SHA256()
        for _ in 0..<1000 { hash.update([UInt8](repeating: UInt8(ascii: "a"), count: 1000)) }
        #expect(hash.hex() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(hash.hex() == hash.hex())
    }

    @Test("by the system's library and by its own code, the hash is the same", arguments: 0..<20)
    func library(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (own, other) = (SHA256(usesLibrary: false), SHA256())
        // Some of more than half a mebibyte, for which the library is loaded if it is there.
        for _ in 0..<(seed < 4 ? 9 : 40) {
            let count = Int.random(in: 0...(seed < 4 ? 200_000 : 300), using: &random)
            let piece = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(seed)) }
            own.update(piece)
            other.update(piece)
            #expect(own.hex() == other.hex())
        }
    }
}
