extension Duration {
    /// The length as a number of seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The length in words, such as `3.2 s` or `10 s`.
    var inSeconds: String {
        let tenths = (seconds * 10).rounded()
        guard tenths < 1e15 else { return "\(components.seconds) s" }
        let whole = Int(tenths) / 10
        return tenths == Double(whole * 10) ? "\(whole) s" : "\(whole).\(abs(Int(tenths) % 10)) s"
    }
}
