import ODCLI

/// The process.
@main
enum OdctlMain {
    static func main() async { await Odctl.main() }
}
