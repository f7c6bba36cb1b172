/// What stands where in 64 bytes of delimited text: a bit for each byte, the lowest for the first.
package struct DelimitedMasks {
    /// Quotes.
    package var quotes: UInt64 = 0
    /// Delimiters.
    package var delimiters: UInt64 = 0
    /// Line feeds.
    package var lineFeeds: UInt64 = 0
    /// Carriage returns.
    package var returns: UInt64 = 0
    /// Backslashes, and controls other than line ends and the delimiter.
    package var oddities: UInt64 = 0

    /// Looks at the 64 bytes at an address, all of which must be readable.
    package init(_ address: UnsafeRawPointer, delimiter: UInt8) {
        var controls: UInt64 = 0
        var backslashes: UInt64 = 0
        for part in 0..<4 {
            let bytes = unsafe ByteBlock(address + part * 16)
            let shift = UInt64(part * 16)
            quotes |= bytes.equal(to: UInt8(ascii: "\"")).bits &<< shift
            delimiters |= bytes.equal(to: delimiter).bits &<< shift
            lineFeeds |= bytes.equal(to: UInt8(ascii: "\n")).bits &<< shift
            returns |= bytes.equal(to: UInt8(ascii: "\r")).bits &<< shift
            controls |= bytes.atMost(0x1F).bits &<< shift
            backslashes |= bytes.equal(to: UInt8(ascii: "\\")).bits &<< shift
        }
        oddities = backslashes | controls & ~(lineFeeds | returns | delimiters)
    }
}
