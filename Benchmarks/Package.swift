// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "OpenData", path: "..")],
    targets: [
        .executableTarget(
            name: "RowBenchmark",
            dependencies: [
                .product(name: "OpenData", package: "OpenData"),
                .product(name: "TWSEConnectors", package: "OpenData"),
                .product(name: "CafeNomadConnectors", package: "OpenData"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "ShapeBenchmark",
            dependencies: [.product(name: "OpenData", package: "OpenData")],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
