/// The version of the command.
enum Version {
    static let number = "0.1.0"
    static let line = "odctl \(number)"
}
