#if !canImport(Darwin)
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Where the certificate authorities are that the system trusts.
    ///
    /// libcurl knows the place of the distribution that it was built for. A program that carries its own libcurl to
    /// another one would trust nobody.
    enum CertificateBundle {
        /// Where distributions keep them.
        static let usualPlaces = [
            "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine
            "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, Red Hat, Amazon
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
            "/etc/ssl/ca-bundle.pem",  // openSUSE
            "/etc/ssl/cert.pem",  // Alpine
        ]

        /// The file to name to libcurl; `nil` where it finds its own.
        ///
        /// - Parameters:
        ///   - given: The file that the caller wants.
        ///   - variable: The value of `SSL_CERT_FILE`.
        ///   - builtIn: The file and the folder that libcurl looks in by itself, as far as it tells.
        ///   - exists: Whether there is something at a path.
        static func path(
            given: String?, variable: String?, builtIn: [String], exists: (String) -> Bool = exists
        ) -> String? {
            if let given { return given }
            if let variable, !variable.isEmpty { return variable }
            return builtIn.contains(where: exists) ? nil : usualPlaces.first(where: exists)
        }

        /// Whether a file or folder is there and can be read.
        static func exists(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
    }
#endif
