// swift-tools-version: 5.9
import PackageDescription

// In place of an Xcode project, so that the app is built and played with where there is none: over stand-ins for Apple's
// frameworks, which the package beside it has when `HOLDFAST_STAND_INS=1`.
let package = Package(
    name: "FieldApp",
    platforms: [.iOS(.v15)],
    dependencies: [.package(name: "Holdfast", path: "../..")],
    targets: [
        .target(
            name: "FieldApp",
            dependencies: [
                .product(name: "AppleStandIns", package: "Holdfast")
            ],
            path: "Sources"
        ),
        .executableTarget(
            name: "Player",
            dependencies: ["FieldApp", .product(name: "AppleStandIns", package: "Holdfast")],
            path: "Player"
        ),
    ]
)
