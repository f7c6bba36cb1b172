// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SubscriptionSpread",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "OpenData", path: "../..")],
    targets: [
        .executableTarget(
            name: "SubscriptionSpread",
            dependencies: [
                .product(name: "OpenData", package: "OpenData"),
                .product(name: "TWSEConnectors", package: "OpenData"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
