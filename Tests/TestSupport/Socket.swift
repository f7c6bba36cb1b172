import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The few calls on sockets that the servers and clients of tests need.
enum Socket {
    struct Failure: Error { let number = errno }

    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
        private static let sendFlags: Int32 = 0
    #elseif canImport(Musl)
        private static let stream = SOCK_STREAM
        private static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    private static func make() throws -> Int32 {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw Failure() }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var on: Int32 = 1
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return descriptor
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = try make()
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The address structures are read and written within their size.
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0 && systemListen(descriptor, 256) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else { throw Failure() }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    static func accept(_ descriptor: Int32, milliseconds: Int32) -> Int32? {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wait, 1, milliseconds) > 0 else { return nil }
        let client = systemAccept(descriptor)
        guard client >= 0 else { return nil }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return client
    }

    static func connect(port: UInt16) throws -> Int32 {
        let descriptor = try make()
        var address = loopback(port)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe systemConnect(descriptor, $0, length) == 0
            }
        }
        guard isConnected else {
            _ = close(descriptor)
            throw Failure()
        }
        return descriptor
    }

    static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            // In bounds: the rest of the array from `sent` on.
            let count = unsafe bytes[sent...].withUnsafeBytes { bytes in
                unsafe systemSend(descriptor, bytes.baseAddress, bytes.count, sendFlags)
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// The next bytes, none at the end or on failure.
    static func receive(_ descriptor: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        return Array(buffer.prefix(max(count, 0)))
    }

    /// Reads up to the empty line that ends a header.
    static func readHeader(_ descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 1 << 20 {
            let more = receive(descriptor)
            if more.isEmpty { return nil }
            bytes += more
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") { return String(text[..<end.lowerBound]) }
        }
        return nil
    }

    /// Whether the other side has hung up, looked at for so long.
    static func isClosed(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wait, 1, milliseconds) > 0 else { return false }
        return receive(descriptor).isEmpty
    }
}

// The names alone would be found as members of the enumeration first.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    unsafe connect(descriptor, address, length)
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    unsafe send(descriptor, bytes, count, flags)
}
