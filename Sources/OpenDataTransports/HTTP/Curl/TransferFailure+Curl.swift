#if !canImport(Darwin)
    import OpenDataCore

    extension TransferFailure {
        /// What a result of libcurl other than 0 stands for.
        ///
        /// Most numbers are clear. A few stand for several things, which only the sentence tells apart.
        init(curl code: Int32, _ sentence: String) {
            let text = sentence.lowercased()
            func says(_ parts: String...) -> Bool { parts.contains { text.holds($0) } }
            let reason: Reason =
                switch code {
                case 28: .timedOut
                // A protocol that libcurl was built without, or an answer in a version or with a status that it is not.
                case 1: text.hasPrefix("protocol") ? .badAddress : .unreadable
                case 3, 4: .badAddress
                case 5, 6: .unknownName
                case 7, 45, 97: .unreached
                // The connection was closed within the handshake, or the handshake failed.
                case 35:
                    says("reset by peer", "ssl_error_syscall", "unexpected eof", "broken pipe") ? .silence : .untrusted
                case 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .untrusted
                case 18: .cutShort
                case 52, 55: .silence
                // The connection failed, a chunk is none, or a proxy refuses.
                case 56:
                    says("proxy", "tunnel")
                        ? .unreached
                        : says("chunk", "encoding", "header", "illegal or missing") ? .unreadable : .silence
                default: .unreadable
                }
            self.init(reason, sentence)
        }
    }
#endif
