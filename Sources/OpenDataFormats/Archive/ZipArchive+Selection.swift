public import OpenDataCore

extension ZipArchive {
    /// The members to be read: those whose names fit a pattern, or the only file there is.
    ///
    /// In a pattern, `*` stands for any letters, slashes too, and `?` for one; case counts. A name that is the pattern
    /// letter for letter is taken alone. What macOS adds of its own to an archive is left out. Without a pattern, the
    /// document of a KMZ file is taken.
    ///
    /// Throws ``OpenDataError/Code/badArgument``, with the names and sizes there are, if there are several files and no
    /// pattern, or none that fits, ``OpenDataError/Code/noData`` for an archive without files,
    /// ``OpenDataError/Code/unexpectedContent`` for a spreadsheet or another office document, and
    /// ``OpenDataError/Code/tooLarge`` if the members have too many bytes together.
    public func select(_ pattern: String? = nil) throws(OpenDataError) -> [Member] {
        let files = members.filter { !$0.isFolder && !$0.isResource }
        let selected: [Member]
        if let pattern {
            let same = files.filter { $0.name.unicodeScalars.elementsEqual(pattern.unicodeScalars) }
            selected = same.isEmpty ? files.filter { ArchiveName.matches($0.name, pattern) } : same
            guard !selected.isEmpty else {
                throw OpenDataError(
                    .badArgument,
                    "no file in the ZIP archive fits '\(ArchiveName.visible(pattern))'; there are \(list(files))")
            }
        } else {
            if files.isEmpty { throw OpenDataError(.noData, "there are no files in the ZIP archive") }
            try refuseOfficeDocument(files)
            let maps = files.filter { $0.has("kml") }
            let isMap = maps.count == 1 && files.allSatisfy { $0.has("kml", "png", "jpg", "jpeg", "gif", "svg", "dae") }
            selected = isMap ? maps : files
            guard selected.count == 1 else {
                throw OpenDataError(
                    .badArgument,
                    "there are \(files.count) files in the ZIP archive: \(list(files)); "
                        + "choose with --member NAME, or several of one kind with a pattern such as --member '*.csv'")
            }
        }
        guard Set(selected.map { Array($0.name.utf8) }).count == selected.count else {
            throw OpenDataError(.malformed, "the ZIP archive is broken: two members have one name")
        }
        var total = 0
        for member in selected {
            let (sum, isTooLarge) = total.addingReportingOverflow(member.size)
            total = isTooLarge ? .max : sum
        }
        guard total <= limit.maximumBytes else {
            throw OpenDataError(
                .tooLarge,
                "the files in the ZIP archive have \(total) bytes, more than the \(limit.maximumBytes) that are allowed"
            )
        }
        return selected
    }

    private func refuseOfficeDocument(_ files: [Member]) throws(OpenDataError) {
        let names = Set(files.map(\.name))
        if names.contains("[Content_Types].xml")
            || names.contains("META-INF/manifest.xml") && names.contains("content.xml")
        {
            throw OpenDataError(
                .unexpectedContent,
                "the payload is a spreadsheet or another office document, which is not read; "
                    + "look for the same data as CSV, JSON or XML")
        }
    }

    private func list(_ files: [Member]) -> String {
        let shown = files.prefix(20).map { "\($0.shownName) (\($0.size) bytes)" }.joined(separator: ", ")
        return files.count > 20 ? "\(shown) and \(files.count - 20) more" : shown
    }
}

extension ZipArchive.Member {
    /// Whether the member is what a system keeps for itself.
    fileprivate var isResource: Bool {
        name.hasPrefix("__MACOSX/") || [".DS_Store", "Thumbs.db", "desktop.ini"].contains(lastName)
    }

    fileprivate func has(_ extensions: String...) -> Bool {
        extensions.contains { name.lowercased().hasSuffix("." + $0) }
    }
}
