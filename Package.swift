// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "OpenData",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    products: [
        // With the rooms below, whose encoders, decoders and transports can be used by themselves.
        .library(
            name: "OpenData", targets: ["OpenData", "OpenDataCore", "OpenDataFormats", "OpenDataTransports"]),
        .library(name: "TWSEConnectors", targets: ["TWSEConnectors"]),
        .library(name: "TPExConnectors", targets: ["TPExConnectors"]),
        .library(name: "MOENVConnectors", targets: ["MOENVConnectors"]),
        .library(name: "YouBikeConnectors", targets: ["YouBikeConnectors"]),
        .library(name: "DataGovTWConnectors", targets: ["DataGovTWConnectors"]),
        .library(name: "CKANConnectors", targets: ["CKANConnectors"]),
        .library(name: "CafeNomadConnectors", targets: ["CafeNomadConnectors"]),
        .executable(name: "odctl", targets: ["odctl"]),
    ],
    targets: [
        // What of libcurl is used on Linux, found at run time: neither a header nor the library is needed to build.
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),

        // What of libcrypto is used on Linux, found at run time as libcurl is.
        .target(name: "CCrypto", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),

        // What of SQLite is used on Linux, found at run time as libcurl is.
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),

        // What of zlib is used, found at run time on Linux as libcurl is.
        .target(
            name: "CZlib",
            linkerSettings: [
                .linkedLibrary("dl", .when(platforms: [.linux])),
                .linkedLibrary("z", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS])),
            ]),

        // The nouns and the ports. Imports nothing but the standard library and the C library.
        .target(name: "OpenDataCore"),

        // The middle rooms: none imports another.
        .target(
            name: "OpenDataFormats", dependencies: ["OpenDataCore", "CZlib"],
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS]))]),
        .target(
            name: "OpenDataTransports",
            dependencies: ["OpenDataCore", "CZlib", .target(name: "CCurl", condition: .when(platforms: [.linux]))]),
        .target(
            name: "OpenDataStore",
            dependencies: ["OpenDataCore", "CCrypto", .target(name: "CSQLite", condition: .when(platforms: [.linux]))],
            linkerSettings: [.linkedLibrary("sqlite3", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS]))]),
        .target(
            name: "TWSEConnectors", dependencies: ["OpenDataCore"], path: "Sources/Connectors/TWSE",
            resources: [.embedInCode("Samples")]),
        .target(
            name: "TPExConnectors", dependencies: ["OpenDataCore"], path: "Sources/Connectors/TPEx",
            resources: [.embedInCode("Samples")]),
        .target(
            name: "MOENVConnectors", dependencies: ["OpenDataCore"], path: "Sources/Connectors/MOENV",
            resources: [.embedInCode("Samples")]),
        .target(
            name: "YouBikeConnectors", dependencies: ["OpenDataCore"], path: "Sources/Connectors/YouBike",
            resources: [.embedInCode("Samples")]),
        .target(
            name: "DataGovTWConnectors", dependencies: ["OpenDataCore"], path: "Sources/Connectors/DataGovTW",
            resources: [.embedInCode("Samples")]),
        .target(name: "CKANConnectors", dependencies: ["OpenDataCore"], path: "Sources/Connectors/CKAN"),
        .target(
            name: "CafeNomadConnectors", dependencies: ["OpenDataCore"], path: "Sources/Connectors/CafeNomad",
            resources: [.embedInCode("Samples")]),

        .target(
            name: "OpenData",
            dependencies: [
                "OpenDataCore", "OpenDataFormats", "OpenDataTransports", "OpenDataStore", "TWSEConnectors",
                "TPExConnectors", "MOENVConnectors", "YouBikeConnectors", "CafeNomadConnectors",
                "DataGovTWConnectors", "CKANConnectors",
            ]),
        .target(name: "ODCLI", dependencies: ["OpenData"]),
        // With the runtime inside, and that of C++ below it, a release of the command starts in a quarter of the time and
        // needs no Swift to run. Only the command has these flags: packages that depend on this one build its libraries,
        // and may not have any.
        .executableTarget(
            name: "odctl", dependencies: ["ODCLI"], exclude: ["Linking"],
            linkerSettings: [
                .unsafeFlags(
                    [
                        "-static-stdlib", "-L", "\(Context.packageDirectory)/Sources/odctl/Linking",
                        "-Xclang-linker", "-static-libgcc",
                    ], .when(platforms: [.linux], configuration: .release))
            ]),

        // What several test targets use: recorded payloads, seeded randomness, a loopback server, processes.
        .target(name: "TestSupport", dependencies: ["OpenDataCore"], path: "Tests/TestSupport"),
        // Tries the decoders with millions of broken inputs: `Benchmarks/fuzzing` runs it.
        .executableTarget(
            name: "Fuzz", dependencies: ["OpenData", "OpenDataCore", "OpenDataFormats", "TestSupport"],
            path: "Tests/Fuzz"),
        .testTarget(name: "OpenDataCoreTests", dependencies: ["OpenDataCore", "TestSupport"]),
        .testTarget(name: "OpenDataFormatsTests", dependencies: ["OpenDataFormats", "TestSupport"]),
        .testTarget(name: "OpenDataTransportsTests", dependencies: ["OpenDataTransports", "TestSupport"]),
        .testTarget(
            name: "OpenDataStoreTests",
            dependencies: ["OpenData", "OpenDataStore", "OpenDataTransports", "TWSEConnectors", "TestSupport"]),
        .testTarget(
            name: "ConnectorTests",
            dependencies: [
                "OpenData", "OpenDataCore", "OpenDataTransports", "TWSEConnectors", "TPExConnectors", "MOENVConnectors",
                "YouBikeConnectors", "CafeNomadConnectors", "DataGovTWConnectors", "CKANConnectors", "TestSupport",
            ]),
        .testTarget(
            name: "OpenDataTests",
            dependencies: [
                "OpenData", "OpenDataTransports", "TWSEConnectors", "CafeNomadConnectors", "DataGovTWConnectors",
                "CKANConnectors", "TestSupport",
            ]),
        .testTarget(
            // `swift test` builds the command `odctl` too, which these tests run. It is no dependency, or its linker flags
            // would be those of the tests.
            name: "ODCLITests", dependencies: ["ODCLI", "OpenData", "TestSupport"], exclude: ["Snapshots"]),
    ]
)

// One set of rules for every target.
for target in package.targets {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]
}
