import OpenDataCore
import OpenDataFormats

extension Flag {
    static let help = Flag("--help", short: "-h", "Show this help and end.")
    static let version = Flag("--version", "Show the version and end.")
    static let json = Flag("--json", "Write JSON instead of text.")
    static let parameter = Flag(
        "--parameter", short: "-p", value: "NAME=VALUE", repeats: true,
        "Set a parameter of the data set by its name: -p stock_no=2330 is --stock-no 2330.")
    static let from = Flag(
        "--from", value: "FILE",
        "Decode a saved payload, or an earlier export as CSV or JSON, instead of downloading; - reads standard input.")
    static let sample = Flag("--sample", "Decode the small sample that odctl carries instead of downloading.")
    static let format = Flag(
        "--format", value: "FORMAT", "Write \(EncoderRegistry.standard.names.joined(separator: ", ")).")
    static let byteOrderMark = Flag("--bom", "Begin csv and tsv with a byte order mark, by which Excel knows UTF-8.")
    static let marks = Flag(
        "--marks", "Follow each field whose values may bear a mark of the publisher by a field NAME_mark with the mark."
    )
    static let allowRejects = Flag(
        "--allow-rejects", value: "N", "Accept up to N records that do not fit the schema; 0 unless given.")
    static let replaceInvalid = Flag(
        "--replace-invalid",
        "Put U+FFFD in the place of bytes that are no letter of the text encoding, and tell how many, in place of an error."
    )
    static let infer = Flag(
        "--infer",
        "Read all records of a file, an address or a portal's data set for the types of their columns, and write numbers,"
            + " days and times as such; without it they are text.")
    static let publisher = Flag("--publisher", value: "TEXT", "Only data sets whose publisher's name has TEXT in it.")
    static let resourceFormat = Flag(
        "--resource-format", value: "FORMAT", "Only data sets with a resource in FORMAT, such as csv.")
    static let limit = Flag("--limit", value: "N", "Show N data sets at most; 20 unless given.")
    static let catalogue = Flag(
        "--catalogue", value: "CATALOGUE",
        "Which portal: datagovtw, or ckan: and the address of one that runs CKAN; datagovtw unless given.")
    static let rejects = Flag(
        "--rejects", value: "FILE",
        "Write what does not fit to FILE as ndjson: line, byte, field, code, the raw text and all cells of the record.")
    static let onError = Flag(
        "--on-error", value: "POLICY",
        "What to do with a cell that does not fit: report leaves its record out and tells it, null keeps the record"
            + " without the value and tells it, fail ends the run; report unless given.")
    static let rewrite = Flag(
        "--rewrite", value: "PREFIX=REPLACEMENT", repeats: true,
        "Replace PREFIX at the start of every address requested, for mirrors and tests.")
    static let timeout = Flag(
        "--timeout", value: "SECONDS", "Give a request up after SECONDS, the answer's body included; 300 unless given.")
    static let cache = Flag(
        "--cache", value: "DIR",
        "Keep what outlasts this run in DIR: downloads, and what hosts were asked lately. ODCTL_CACHE, or the user's folder for"
            + " cached files, unless given.")
    static let authorities = Flag(
        "--ca-file", value: "HOST=FILE", repeats: true,
        "Trust the certificate authorities in FILE, a PEM file, for HOST in place of the system's.")
    static let threads = Flag(
        "--threads", value: "N", "Decode and encode with N threads; as many as there are processors unless given.")
    static let quiet = Flag("--quiet", "Write errors only: no notices, no counts.")
    static let offline = Flag("--offline", "Use the newest copy that is kept of an earlier download; ask no host.")
    static let asOf = Flag(
        "--as-of", value: "TIME",
        "Use the copy downloaded last by TIME: a day such as 2026-07-08, to its end in Taipei, or a time with its"
            + " offset, 2026-07-08T13:30+08:00.")
    static let refresh = Flag("--refresh", "Download all of it, whatever is kept.")
    static let maxAge = Flag(
        "--max-age", value: "AGE",
        "Use a kept copy up to AGE old without asking, such as 90s, 30m, 12h or 7d; 0s asks each time.")
    static let staleIfError = Flag(
        "--stale-if-error", "When the host fails, use the newest copy that is kept, and say so.")
    static let noStore = Flag("--no-store", "Keep no copy of what is downloaded.")
    static let envelope = Flag(
        "--envelope", "Write one JSON object with the records, their counts and where they come from.")
    static let olderThan = Flag(
        "--older-than", value: "AGE", "Remove copies last seen longer ago than AGE, such as 12h or 30d.")
    static let maxBytes = Flag(
        "--max-bytes", value: "SIZE", "Remove the oldest copies until the rest have at most SIZE, such as 500M or 2G.")
    static let keepLast = Flag(
        "--keep-last", value: "N", "Keep the newest N copies of each request whatever their age; 1 unless given.")
    static let dryRun = Flag("--dry-run", "Only say what would be removed.")
    static let to = Flag("--to", value: "PATH", "Write to PATH, which changes only when all is well.")

    /// What `fetch` and `export` share, in the order of help.
    static let fetching = [
        parameter, from, sample, format, byteOrderMark, marks, infer, replaceInvalid, onError, rejects, allowRejects,
        offline, asOf,
        refresh,
        maxAge,
        staleIfError, noStore, rewrite, timeout, authorities, cache,
        threads, quiet,
    ]
}

extension Parameter {
    /// What help calls the value.
    var valueName: String {
        switch kind {
        case .text: "TEXT"
        case .code: "CODE"
        case .choice: name.split(separator: "_").last?.uppercased() ?? "WORD"
        case .count: "N"
        case .year: "YEAR"
        case .filter: "VALUE"
        case .month(let range): range ? "MONTH[..MONTH]" : "MONTH"
        case .date: "DAY"
        case .secret: "KEY"
        }
    }
}
