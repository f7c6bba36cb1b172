#if !canImport(Darwin)
    import CZlib

    /// Undoes the compression of a body, which `Content-Encoding` names (RFC 9110, 8.4.1).
    ///
    /// For one thread at a time.
    @safe final class ContentDecoder {
        /// The encodings that can be undone, as `Accept-Encoding` names them; `nil` for none.
        static let accepted: String? = {
            guard let inflate = unsafe czlib_inflate_make(czlib_with_header) else { return nil }
            unsafe czlib_inflate_free(inflate)
            return "gzip, deflate"
        }()

        private static let room = 64 << 10

        private let isGzip: Bool
        private let output: UnsafeMutableRawBufferPointer
        private var inflate: UnsafeMutableRawPointer?
        private var hasEnded = false

        /// Makes a decoder; `nil` for an encoding that cannot be undone.
        init?(_ encoding: String) {
            isGzip = encoding == "gzip" || encoding == "x-gzip"
            unsafe output = .allocate(byteCount: ContentDecoder.room, alignment: 16)
            if ContentDecoder.accepted == nil || !isGzip && encoding != "deflate" { return nil }
        }

        deinit {
            unsafe czlib_inflate_free(inflate)
            unsafe output.deallocate()
        }

        /// Whether the bytes so far are a whole body: none, or streams to their ends.
        var isComplete: Bool { unsafe inflate == nil || hasEnded }

        /// Hands the decompressed bytes on, in pieces, until `take` returns `false`.
        ///
        /// What comes behind the end of the stream is not read, unless it is another one. Returns `false` if the bytes
        /// are no compressed ones.
        func decode(_ input: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
            guard let first = unsafe input.first else { return true }
            if unsafe inflate == nil {
                // Hosts disagree whether deflate has zlib's header; a stream without one does not begin like that.
                unsafe inflate = czlib_inflate_make(!isGzip && first & 15 != 8 ? czlib_raw : czlib_with_header)
            }
            guard let inflate = unsafe inflate else { return false }
            var rest = unsafe input
            while true {
                if hasEnded {
                    guard isGzip, let next = unsafe rest.first, next == 0x1F else { return true }
                    unsafe czlib_inflate_reset(inflate)
                    hasEnded = false
                }
                var left = rest.count
                var room = unsafe output.count
                // In bounds: at most so many bytes are read from `rest` and written to `output`.
                let outcome = unsafe czlib_inflate_step(inflate, rest.baseAddress, &left, output.baseAddress, &room)
                if outcome == czlib_broken { return false }
                hasEnded = outcome == czlib_ended
                let written = unsafe output.count - room
                if written > 0, unsafe !take(UnsafeRawBufferPointer(rebasing: output[..<written])) { return true }
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[(rest.count - left)...])
                // Room that was not filled says that there is no more to come of the input.
                if !hasEnded, room > 0, unsafe rest.isEmpty { return true }
            }
        }
    }
#endif
