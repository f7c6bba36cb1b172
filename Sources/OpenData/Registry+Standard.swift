extension Registry {
    /// Every data set of the package: one line each.
    public static let standard = Registry([])
}
