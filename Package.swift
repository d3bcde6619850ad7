// swift-tools-version: 5.9
import PackageDescription

// The domain knows nobody; adapters know the domain and one technology; the Kit composes them; hosts import
// `Holdfast` (and `HoldfastKit` for a ready composition). CONTRIBUTING.md draws the arrows, CI checks them.

let package = Package(
    name: "Holdfast",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "Holdfast", targets: ["Holdfast"]),
        .library(name: "HoldfastDomain", targets: ["HoldfastDomain"]),
        .library(name: "HoldfastKit", targets: ["HoldfastKit"]),
        .library(name: "HoldfastInMemory", targets: ["HoldfastInMemory"]),
        .library(name: "HoldfastConformance", targets: ["HoldfastConformance"]),
    ],
    targets: [
        .target(name: "HoldfastDomain"),
        .target(name: "Holdfast", dependencies: ["HoldfastDomain"]),
        .target(name: "HoldfastKit", dependencies: ["Holdfast", "HoldfastDomain", "HoldfastSQLite", "HoldfastZlib"]),
        .target(name: "HoldfastConformance", dependencies: ["HoldfastDomain"]),
        .target(name: "HoldfastInMemory", dependencies: ["HoldfastDomain"], path: "Adapters/HoldfastInMemory"),
        .systemLibrary(
            name: "CHoldfastSQLite",
            path: "Adapters/CHoldfastSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .target(
            name: "HoldfastSQLite",
            dependencies: ["HoldfastDomain", "CHoldfastSQLite"],
            path: "Adapters/HoldfastSQLite"
        ),
        .systemLibrary(
            name: "CHoldfastZlib",
            path: "Adapters/CHoldfastZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .target(
            name: "HoldfastZlib",
            dependencies: ["HoldfastDomain", "CHoldfastZlib"],
            path: "Adapters/HoldfastZlib"
        ),
        .testTarget(name: "HoldfastDomainTests", dependencies: ["HoldfastDomain"]),
        .testTarget(name: "HoldfastInMemoryTests", dependencies: ["HoldfastDomain", "HoldfastInMemory"]),
    ]
)

#if os(Linux)
// What only Linux has: OpenSSL, curl, netlink and the command-line gate.
package.products.append(.executable(name: "holdfast", targets: ["HoldfastCLI"]))
package.targets += [
    .systemLibrary(
        name: "CHoldfastOpenSSL",
        path: "Adapters/CHoldfastOpenSSL",
        pkgConfig: "libcrypto",
        providers: [.apt(["libssl-dev"])]
    ),
    .target(
        name: "HoldfastOpenSSL",
        dependencies: ["HoldfastDomain", "CHoldfastOpenSSL"],
        path: "Adapters/HoldfastOpenSSL"
    ),
    .systemLibrary(
        name: "CHoldfastCurl",
        path: "Adapters/CHoldfastCurl",
        pkgConfig: "libcurl",
        providers: [.apt(["libcurl4-openssl-dev"])]
    ),
    .target(
        name: "HoldfastCurl",
        dependencies: ["HoldfastDomain", "CHoldfastCurl"],
        path: "Adapters/HoldfastCurl"
    ),
    .target(name: "HoldfastLinux", dependencies: ["HoldfastDomain"], path: "Adapters/HoldfastLinux"),
    .executableTarget(name: "HoldfastCLI", dependencies: ["Holdfast", "HoldfastDomain", "HoldfastKit"]),
    .testTarget(name: "HoldfastCLITests", dependencies: ["HoldfastCLI"]),
]
package.targets.first { $0.name == "HoldfastKit" }?.dependencies += [
    "HoldfastOpenSSL", "HoldfastCurl", "HoldfastLinux",
]
#endif

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        // Data-race safety is checked in full, under a 5.9 compiler too.
        .enableExperimentalFeature("StrictConcurrency"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
    ]
}
