import CafeNomadConnectors
import OpenData

// Cafes to work in: fast Wi-Fi, sockets, no time limit.
let client = Client()
let source = CafeNomad(city: "taipei")
var options = FetchOptions()
if CommandLine.arguments.contains("--sample"), let sample = source.sample { options.payload = Payload(sample) }

do {
    let cafes = try await client.fetch(source, options: options)
    let suitable = cafes.filter { cafe in
        (cafe.wifi ?? 0) >= 4 && cafe.socket == .yes && cafe.limitedTime != .yes
    }
    print("\(suitable.count) of \(cafes.count) cafes suit:")
    for cafe in suitable {
        print("  \(cafe.name)  Wi-Fi \(cafe.wifi.map(\.description) ?? "?")  \(cafe.address ?? "")")
    }
} catch let error as OpenDataError {
    // One type says what went wrong, at which stage, and what can be done about it.
    switch error.stage {
    case .request: print("the address or an argument is wrong: \(error)")
    case .connection, .response: print("the host could not be reached or broke off: \(error)")
    case .status: print("the host refused (HTTP \(error.status ?? 0)), \(error.recovery.rawValue): \(error)")
    case .decoding: print("the data are not what they were: \(error)")
    case .local: print("this machine: \(error)")
    }
}
