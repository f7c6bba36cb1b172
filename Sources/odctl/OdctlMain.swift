import ODCLI

/// The process.
@main
enum OdctlMain {
    static func main() { Odctl.main() }
}
