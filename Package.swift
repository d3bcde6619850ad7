// swift-tools-version: 5.9
import PackageDescription

// The domain depends on nothing; each adapter on the domain and one technology; the Kit composes them; hosts import
// `Holdfast` (and `HoldfastKit` for a ready composition). CONTRIBUTING.md lists the dependencies, CI checks them.

let hasStandIns = Context.environment["HOLDFAST_STAND_INS"] == "1"

let package = Package(
    name: "Holdfast",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "Holdfast", targets: ["Holdfast"]),
        .library(name: "HoldfastDomain", targets: ["HoldfastDomain"]),
        .library(name: "HoldfastKit", targets: ["HoldfastKit"]),
        .library(name: "HoldfastApple", targets: ["HoldfastApple"]),
        .library(name: "HoldfastSQLite", targets: ["HoldfastSQLite"]),
        .library(name: "HoldfastZlib", targets: ["HoldfastZlib"]),
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
        .target(name: "HoldfastApple", dependencies: ["HoldfastDomain"], path: "Adapters/HoldfastApple"),
        .testTarget(
            name: "HoldfastAppleTests",
            dependencies: [
                "CollectorClient", "Holdfast", "HoldfastApple", "HoldfastConformance", "HoldfastDomain",
                "HoldfastInMemory", "HoldfastSQLite", "Patience",
            ]
        ),
        // Starts Fixtures/collector, the test server, for the tests of more than one target.
        .target(name: "CollectorClient", path: "Tests/CollectorClient"),
        // How long a test waits for what must come.
        .target(name: "Patience", path: "Tests/Patience"),
        .testTarget(name: "HoldfastDomainTests", dependencies: ["HoldfastDomain", "HoldfastInMemory"]),
        .testTarget(
            name: "HoldfastTests",
            dependencies: ["Holdfast", "HoldfastDomain", "HoldfastInMemory", "Patience"]
        ),
        .testTarget(
            name: "HoldfastZlibTests",
            dependencies: ["HoldfastZlib", "HoldfastDomain", "HoldfastConformance"]
        ),
        .testTarget(
            name: "HoldfastInMemoryTests",
            dependencies: ["HoldfastDomain", "HoldfastInMemory", "HoldfastConformance"]
        ),
        .executableTarget(
            name: "StoreProbe",
            dependencies: ["HoldfastSQLite", "HoldfastDomain"],
            path: "Tests/StoreProbe"
        ),
        .testTarget(
            name: "HoldfastSQLiteTests",
            dependencies: ["HoldfastSQLite", "HoldfastDomain", "HoldfastConformance", "StoreProbe"]
        ),
        .testTarget(
            name: "HoldfastConformanceTests",
            dependencies: ["HoldfastConformance", "HoldfastDomain", "HoldfastInMemory"]
        ),
    ]
)

#if os(Linux)
// What only Linux has: OpenSSL, curl, netlink and the command-line gate.
package.products += ["HoldfastOpenSSL", "HoldfastCurl", "HoldfastLinux"].map { .library(name: $0, targets: [$0]) }
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
    .testTarget(
        name: "HoldfastCurlTests",
        dependencies: ["CollectorClient", "HoldfastCurl", "HoldfastDomain", "HoldfastConformance", "Patience"],
        exclude: ["server.py"]
    ),
    .systemLibrary(name: "CHoldfastLinux", path: "Adapters/CHoldfastLinux"),
    .target(
        name: "HoldfastLinux",
        dependencies: ["HoldfastDomain", "CHoldfastLinux"],
        path: "Adapters/HoldfastLinux"
    ),
    .testTarget(
        name: "HoldfastLinuxTests",
        dependencies: ["HoldfastLinux", "HoldfastDomain", "HoldfastConformance", "Patience"]
    ),
    .executableTarget(name: "HoldfastCLI", dependencies: ["Holdfast", "HoldfastDomain", "HoldfastKit"]),
    .testTarget(
        name: "HoldfastOpenSSLTests",
        dependencies: ["HoldfastOpenSSL", "HoldfastDomain", "HoldfastConformance"]
    ),
    .testTarget(
        name: "HoldfastKitTests",
        dependencies: [
            "Holdfast", "HoldfastConformance", "HoldfastCurl", "HoldfastInMemory", "HoldfastKit", "HoldfastLinux",
            "HoldfastOpenSSL", "HoldfastSQLite", "HoldfastZlib",
        ]
    ),
    .testTarget(name: "HoldfastCLITests", dependencies: ["Holdfast", "HoldfastCLI", "HoldfastDomain", "HoldfastKit"]),
    .testTarget(
        name: "IntegrationTests",
        dependencies: ["HoldfastCLI", "HoldfastDomain", "HoldfastInMemory", "HoldfastKit", "Patience"],
        path: "Tests/Integration"
    ),
]
// Tests/Benchmarks: an executable that times the package against the same work in bare C.
package.targets += [
    .target(
        name: "CHoldfastBaseline",
        path: "Tests/Benchmarks/Baseline",
        linkerSettings: ["sqlite3", "crypto", "z", "curl"].map { .linkedLibrary($0) }
    ),
    .executableTarget(
        name: "HoldfastBenchmarks",
        dependencies: [
            "CHoldfastBaseline", "Holdfast", "HoldfastCurl", "HoldfastDomain", "HoldfastInMemory", "HoldfastKit",
            "HoldfastOpenSSL", "HoldfastZlib",
        ],
        path: "Tests/Benchmarks/Subjects"
    ),
]
package.targets.first { $0.name == "HoldfastKit" }?.dependencies += [
    "HoldfastOpenSSL", "HoldfastCurl", "HoldfastLinux",
]
package.targets.first { $0.name == "HoldfastTests" }?.dependencies += [
    "HoldfastOpenSSL", "HoldfastSQLite", "HoldfastLinux",
]
package.targets.first { $0.name == "HoldfastDomainTests" }?.dependencies += ["HoldfastOpenSSL"]

if hasStandIns {
    // Apple's frameworks, as far as the adapters use them, so that those are built and tested here too. Never
    // without the variable: no user's build may find a module of Apple's name in this package.
    let frameworks = [
        "AVFoundation", "AppleFoundation", "BackgroundTasks", "CoreImage", "CryptoKit", "Network", "QuartzCore",
        "Security", "UIKit", "os",
    ]
    let device = Target.Dependency.target(name: "AppleDevice")
    let more: [String: [Target.Dependency]] = [
        "AVFoundation": ["CoreImage", "QuartzCore"], "CryptoKit": ["CHoldfastOpenSSL"], "UIKit": ["QuartzCore"],
    ]
    package.targets.append(.target(name: "AppleDevice", path: "Fixtures/AppleStandIns/AppleDevice"))
    for name in frameworks {
        package.targets.append(
            .target(name: name, dependencies: [device] + (more[name] ?? []), path: "Fixtures/AppleStandIns/\(name)")
        )
    }
    // For the sample app, which is a package of its own.
    package.products.append(.library(name: "AppleStandIns", targets: ["AppleDevice"] + frameworks))
    // What is only Linux's is built and tested without them.
    package.products.removeAll { $0.name == "holdfast" }
    package.targets.removeAll { $0.type == .executable || $0.type == .test && $0.name != "HoldfastAppleTests" }
    package.targets += [
        .testTarget(
            name: "HoldfastKitAppleTests",
            dependencies: [
                "CollectorClient", "Holdfast", "HoldfastApple", "HoldfastDomain", "HoldfastInMemory", "HoldfastKit",
                "HoldfastSQLite", "Patience",
            ]
        ),
        .target(name: "GateApp", dependencies: ["HoldfastKit"], path: "Fixtures/GateApp/Sources"),
        .testTarget(
            name: "GateAppTests",
            dependencies: [
                "GateApp", "HoldfastApple", "HoldfastDomain", "HoldfastInMemory", "HoldfastKit", "HoldfastOpenSSL",
                "Patience",
            ]
        ),
    ]
    package.targets.first { $0.name == "HoldfastKit" }?.dependencies.append("HoldfastApple")
    for target in package.targets
    where ["HoldfastKit", "HoldfastApple", "GateApp"].contains(where: { target.name.hasPrefix($0) }) {
        target.dependencies += frameworks.map { .target(name: $0) } + (target.type == .test ? [device] : [])
    }
} else {
    // Left out, though they are guarded by `canImport`: a build with the stand-ins leaves their modules behind.
    let needsApple = ["HoldfastApple": "Frameworks", "HoldfastKit": "Apple", "HoldfastAppleTests": "StandIns"]
    for target in package.targets { target.exclude += needsApple[target.name].map { [$0] } ?? [] }
}
#else
package.targets.first { $0.name == "HoldfastKit" }?.dependencies.append("HoldfastApple")
#endif

// The privacy manifest goes with what an app links. Not where there is no App Store: a resource costs its target a link to
// all of Foundation.
#if os(Linux)
let hasPrivacyManifest = hasStandIns
#else
let hasPrivacyManifest = true
#endif
for target in package.targets where ["Holdfast", "HoldfastApple"].contains(target.name) {
    if hasPrivacyManifest {
        target.resources = [.copy("PrivacyInfo.xcprivacy")]
    } else {
        target.exclude.append("PrivacyInfo.xcprivacy")
    }
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        // Data-race safety is checked in full, under a 5.9 compiler too.
        .enableExperimentalFeature("StrictConcurrency"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
    ]
    // Over the stand-ins, "this platform" is Apple's.
    if hasStandIns { target.swiftSettings?.append(.define("HOLDFAST_STAND_INS")) }
}
