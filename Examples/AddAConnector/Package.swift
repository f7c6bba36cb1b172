// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "AddAConnector",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "OpenData", path: "../..")],
    targets: [
        .executableTarget(
            name: "AddAConnector", dependencies: [.product(name: "OpenData", package: "OpenData")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
