import OpenDataCore
import Testing

@testable import ODCLI

@Suite("The words of a command line")
struct FlagParserTests {
    static let flags = [Flag.help, Flag.json, Flag.parameter, Flag.from, Flag.format]
}
