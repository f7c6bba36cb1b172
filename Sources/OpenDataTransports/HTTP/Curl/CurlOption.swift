#if !canImport(Darwin)
    /// The options of a transfer that are set here; libcurl's documentation tells of them under the same names.
    enum CurlOption {
        static let url: Int32 = 10_002
        static let protocols: Int32 = 181
        static let protocolNames: Int32 = 10_318
        static let httpVersion: Int32 = 84
        static let http09Allowed: Int32 = 285
        static let followLocation: Int32 = 52
        static let freshConnect: Int32 = 74
        static let forbidReuse: Int32 = 75
        static let httpHeader: Int32 = 10_023
        static let suppressConnectHeaders: Int32 = 265

        static let noSignal: Int32 = 99
        static let quickExit: Int32 = 322
        static let connectTimeout: Int32 = 78
        static let bufferSize: Int32 = 98

        static let verifyPeer: Int32 = 64
        static let verifyHost: Int32 = 81
        static let caInfo: Int32 = 10_065
        static let caPath: Int32 = 10_097
        static let proxyCAInfo: Int32 = 10_246
        static let proxyCAPath: Int32 = 10_247

        static let errorBuffer: Int32 = 10_010
        static let headerFunction: Int32 = 20_079
        static let headerContext: Int32 = 10_029
        static let writeFunction: Int32 = 20_011
        static let writeContext: Int32 = 10_001
        static let openSocketFunction: Int32 = 20_163
    }

    /// What libcurl tells when it is asked.
    enum CurlInformation {
        static let caInfo: Int32 = 0x10_0000 + 61
        static let caPath: Int32 = 0x10_0000 + 62
    }
#endif
