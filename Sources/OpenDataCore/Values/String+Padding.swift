extension String {
    /// A number in decimal digits with zeros in front up to a width.
    init(padding number: Int, to width: Int) {
        let digits = String(number)
        self = ""
        for _ in digits.utf8.count..<max(width, digits.utf8.count) { self += "0" }
        self += digits
    }
}
