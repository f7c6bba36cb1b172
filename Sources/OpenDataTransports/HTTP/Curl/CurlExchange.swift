#if !canImport(Darwin)
    import CCurl
    import OpenDataCore

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// One transfer as libcurl sees it: its options, and what comes back.
    ///
    /// For the engine's thread alone. libcurl has the object's address as long as it is in the engine's list.
    @safe final class CurlExchange {
        private static let errorLength = 256

        let transfer: Transfer
        /// libcurl's name for the transfer.
        let easy: UnsafeMutableRawPointer
        private let errorText: UnsafeMutablePointer<CChar>
        private var list: UnsafeMutableRawPointer?
        private var bundle: String?
        private var header = AnswerHeader()
        private var decoder: ContentDecoder?
        /// The address, in letters, that must not be connected to.
        private var localAddress: String?
        /// The option that libcurl does not take, though it must.
        private var refused: Int32?

        /// Makes a transfer ready to be started; `nil` if there is no memory, or libcurl cannot do what is needed.
        init?(_ transfer: Transfer, _ order: HTTPOrder) {
            guard let easy = unsafe ccurl_easy_make() else { return nil }
            self.transfer = transfer
            unsafe self.easy = easy
            unsafe errorText = .allocate(capacity: CurlExchange.errorLength)
            unsafe errorText.initialize(repeating: 0, count: CurlExchange.errorLength)
            setConnection(order)
            setRequest(order)
            setReceivers()
            if order.mustBePublic { setAddressCheck() }
            if refused != nil { return nil }
        }

        deinit {
            unsafe ccurl_easy_free(easy)
            unsafe ccurl_list_free(list)
            unsafe errorText.deallocate()
        }

        // MARK: What libcurl is told

        private func setConnection(_ order: HTTPOrder) {
            // A request on a connection that was kept may be sent again, unseen, if the host has closed it: a host that
            // shuts an address out does just that, and its limit would be broken behind the back of whoever counts. So
            // each request has a connection of its own.
            must(CurlOption.freshConnect, 1)
            must(CurlOption.forbidReuse, 1)
            must(CurlOption.httpVersion, 2)  // HTTP/1.1: a stream of HTTP/2 can be refused and sent again
            may(CurlOption.http09Allowed, 0)
            must(CurlOption.followLocation, 0)
            if unsafe ccurl_set_text(easy, CurlOption.protocolNames, "http,https") != 0 {
                must(CurlOption.protocols, 3)
            }
            must(CurlOption.noSignal, 1)
            // The look-up of a name that nobody waits for any more is not waited for (from version 7.87 on).
            may(CurlOption.quickExit, 1)
            must(CurlOption.connectTimeout, order.lastResort)
            may(CurlOption.bufferSize, 64 << 10)
            may(CurlOption.suppressConnectHeaders, 1)
            must(CurlOption.verifyPeer, 1)
            must(CurlOption.verifyHost, 2)
            bundle = CertificateBundle.path(
                given: order.caFile, variable: unsafe getenv("SSL_CERT_FILE").map { unsafe String(cString: $0) },
                builtIn: [CurlInformation.caInfo, CurlInformation.caPath].compactMap { information in
                    unsafe ccurl_text(easy, information).map { unsafe String(cString: $0) }
                })
            if let bundle {
                must(CurlOption.caInfo, bundle)
                // The system's folder of authorities would be trusted beside the file.
                _ = unsafe ccurl_set_text(easy, CurlOption.caPath, nil)
                _ = unsafe ccurl_set_text(easy, CurlOption.proxyCAInfo, bundle)
                _ = unsafe ccurl_set_text(easy, CurlOption.proxyCAPath, nil)
            }
        }

        private func setRequest(_ order: HTTPOrder) {
            must(CurlOption.url, order.address)
            var fields = order.fields
            func add(_ name: String, _ value: String) {
                if !fields.contains(where: { $0.name.lowercased() == name.lowercased() }) {
                    fields.append((name, value))
                }
            }
            add("Connection", "close")
            if let encodings = ContentDecoder.accepted { add("Accept-Encoding", encodings) }
            for (name, value) in fields {
                // A name with a colon and nothing else would mean that the field is not to be sent.
                let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
                guard let longer = unsafe ccurl_list_append(list, line) else { return refused = CurlOption.httpHeader }
                unsafe list = longer
            }
            must(unsafe ccurl_set_pointer(easy, CurlOption.httpHeader, list), CurlOption.httpHeader)
        }

        private func setReceivers() {
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            _ = unsafe ccurl_set_pointer(easy, CurlOption.errorBuffer, errorText)
            must(unsafe ccurl_set_pointer(easy, CurlOption.headerContext, context), CurlOption.headerContext)
            must(unsafe ccurl_set_pointer(easy, CurlOption.writeContext, context), CurlOption.writeContext)
            must(
                unsafe ccurl_set_receiver(easy, CurlOption.headerFunction) { bytes, size, count, context in
                    unsafe CurlExchange.pass(bytes, size * count, to: context) { unsafe $0.receivedHeader($1) }
                }, CurlOption.headerFunction)
            must(
                unsafe ccurl_set_receiver(easy, CurlOption.writeFunction) { bytes, size, count, context in
                    unsafe CurlExchange.pass(bytes, size * count, to: context) { unsafe $0.receivedBody($1) }
                }, CurlOption.writeFunction)
        }

        private func setAddressCheck() {
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            let result = unsafe ccurl_check_addresses(
                easy,
                { context, bytes, count in
                    guard let context = unsafe context else { return false }
                    // The engine keeps the object while libcurl has the address; `bytes` has `count` bytes.
                    let exchange = unsafe Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
                    return exchange.mayConnect(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
                }, context)
            must(result, CurlOption.openSocketFunction)
        }

        private func must(_ option: Int32, _ value: Int) { must(unsafe ccurl_set_number(easy, option, value), option) }

        private func must(_ option: Int32, _ value: String) { must(unsafe ccurl_set_text(easy, option, value), option) }

        private func must(_ result: Int32, _ option: Int32) {
            if result != 0 { refused = option }
        }

        private func may(_ option: Int32, _ value: Int) { _ = unsafe ccurl_set_number(easy, option, value) }

        // MARK: What libcurl tells

        /// Hands bytes to the object that libcurl has kept the address of; how many were taken, fewer to stop.
        private static func pass(
            _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, to context: UnsafeMutableRawPointer?,
            _ receive: (CurlExchange, UnsafeRawBufferPointer) -> Bool
        ) -> Int {
            guard let context = unsafe context, count > 0 else { return 0 }
            // The engine keeps the object while libcurl has the address; `bytes` has `count` bytes.
            let exchange = unsafe Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
            return unsafe receive(exchange, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }

        private func receivedHeader(_ line: UnsafeRawBufferPointer) -> Bool {
            guard header.status == nil else { return !transfer.isOver }
            unsafe header.add(line)
            if let problem = header.problem {
                transfer.completed(TransferFailure(.unreadable, problem))
            } else if let status = header.status {
                transfer.received(status: status, header.fields)
                let encodings = header.encodings
                decoder = encodings.count == 1 ? encodings.first.flatMap { ContentDecoder($0) } : nil
                // The page of a failure need not be read to know that there is one.
                if decoder == nil, !encodings.isEmpty, (200..<300).contains(status), status != 204 {
                    let names = encodings.joined(separator: ", ")
                    transfer.completed(TransferFailure(.unreadable, "its encoding '\(names)' was not asked for"))
                }
            }
            return !transfer.isOver
        }

        private func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
            if header.status == nil {
                // What older versions pass on although there was no header.
                transfer.completed(TransferFailure(.unreadable, "there is no status"))
            } else if let decoder {
                let isWell = unsafe decoder.decode(bytes) { piece in
                    unsafe transfer.received(piece)
                    return !transfer.isOver
                }
                if !isWell { transfer.completed(TransferFailure(.unreadable, "its compressed bytes are broken")) }
            } else {
                unsafe transfer.received(bytes)
            }
            return !transfer.isOver
        }

        private func mayConnect(_ address: [UInt8]) -> Bool {
            guard HostKind.isLocal(address: address) else { return true }
            localAddress = HostKind.text(address: address)
            return false
        }

        /// Takes libcurl's result.
        func completed(_ code: Int32) {
            let isWithinHeader = header.status == nil && header.length > 0
            guard code != 0 else {
                let isWhole = !isWithinHeader && decoder?.isComplete ?? true
                return transfer.completed(isWhole ? nil : TransferFailure(.cutShort))
            }
            var sentence = unsafe String(cString: errorText)
            if sentence.isEmpty { sentence = unsafe String(cString: ccurl_sentence(code)) }
            var failure = TransferFailure(curl: code, sentence)
            if failure.reason == .untrusted, let bundle, !CertificateBundle.exists(bundle) {
                failure = TransferFailure(.untrusted, "the file '\(bundle)' of authorities cannot be read")
            }
            if header.length == 0, let localAddress { failure = TransferFailure(.local, localAddress) }
            let isClosed = failure.reason == .silence || failure.reason == .cutShort
            transfer.completed(isWithinHeader && isClosed ? TransferFailure(.cutShort, sentence) : failure)
        }
    }
#endif
