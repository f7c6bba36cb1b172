/// Names as they are compared in searches and filters.
///
/// The forms 臺 and 台 of one letter, and capitals and small letters of ASCII, count as one. What is compared is never
/// what is written.
package enum PlaceName {
    /// A text in the form in which it is compared.
    package static func fold(_ text: String) -> String {
        var bytes = Array(text.utf8)
        fold(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Brings UTF-8 into the form in which it is compared, without changing its length.
    ///
    /// - Complexity: O(bytes).
    package static func fold(_ bytes: inout [UInt8]) {
        let count = bytes.count
        // In bounds: three bytes are looked at only where two follow.
        unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            for index in 0..<count {
                let byte = unsafe bytes[index]
                if byte &- 0x41 < 26 { unsafe bytes[index] = byte | 0x20 }
                guard byte == 0xE8, index + 2 < count else { continue }
                if unsafe bytes[index + 1] == 0x87, unsafe bytes[index + 2] == 0xBA {
                    unsafe (bytes[index], bytes[index + 1], bytes[index + 2]) = (0xE5, 0x8F, 0xB0)
                }
            }
        }
    }
}
