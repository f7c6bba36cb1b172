extension CalendarDate {
    /// Reads a day in any of the forms that publishers in Taiwan use.
    ///
    /// Gregorian with a year of four digits: `2026-07-08`, `2026/7/8`, `2026.07.08`, `2026年7月8日`, `20260708`. ROC with
    /// a year of one to three digits: `115-07-08`, `115/7/8`, `115.7.8`, `115年7月8日`, `民國115年7月8日`, `1150708`, `991231`.
    /// Six or seven digits without a separator are ROC, eight are Gregorian. White space around the whole is ignored.
    ///
    /// Anything else, and a day that the calendar does not have, gives `nil`: nothing is guessed.
    public init?(parsing text: some StringProtocol) {
        let bytes = ContiguousArray(text.utf8)
        self.init(parsing: bytes.span)
    }

    /// Reads a day as ``init(parsing:)-(StringProtocol)`` does, from UTF-8.
    public init?(parsing bytes: Span<UInt8>) {
        guard let day = DateScanner.whole(bytes, { $0.day(in: $1) }) else { return nil }
        self = day
    }
}
