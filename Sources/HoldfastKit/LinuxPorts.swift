#if os(Linux) && !HOLDFAST_STAND_INS
import Dispatch
import Foundation
import HoldfastCurl
import HoldfastDomain
import HoldfastLinux
import HoldfastOpenSSL
import HoldfastSQLite
import HoldfastZlib

extension GatePorts {
    /// Everything a gate needs on this machine, with its data in `directory`: SQLite (`gate.sqlite`), secrets in files
    /// (`vault/`), OpenSSL, the system's clock and random numbers.
    ///
    /// The directory, and those above it, are made if need be, for this user only. Any member can be replaced
    /// afterwards. One composition per directory in a process, which any number of gates share; other processes may
    /// use the same directory at the same time.
    ///
    /// - Parameters:
    ///   - directory: The path of the data directory.
    ///   - diagnostics: Where events worth logging go; to standard error, a line each, by default.
    /// - Throws: `QueueStoreError`, `KeyVaultError` or `CryptoError` when something cannot be used now.
    public static func platform(
        directory: String,
        diagnostics: any DiagnosticSink = StandardErrorDiagnostics()
    ) async throws -> GatePorts {
        try await PlatformDirectory(directory).open { directory in
            GatePorts(
                journal: try SQLiteQueueStore(path: directory.path("gate.sqlite"), diagnostics: diagnostics),
                vault: try FileKeyVault(directory: directory.path("vault")),
                clock: SystemClock(),
                verifier: try OpenSSLVerifier(),
                cipher: try OpenSSLCipher(),
                digest: try OpenSSLDigest(),
                random: SystemRandom(),
                calendar: ZoneInfoCalendar(),
                diagnostics: diagnostics
            )
        }
    }
}

extension TelemetryPorts {
    /// Everything telemetry needs on this machine, with its data in `directory`: SQLite (`telemetry.sqlite`), secrets in
    /// files (`vault/`), OpenSSL, zlib, libcurl, the kernel's network and power information.
    ///
    /// The directory, and those above it, are made if need be, for this user only; a gate may have its data in the same
    /// one. Any member can be replaced afterwards. One composition per directory in a process.
    ///
    /// - Parameters:
    ///   - directory: The path of the data directory.
    ///   - diagnostics: Where events worth logging go; to standard error, a line each, by default.
    /// - Throws: `QueueStoreError`, `KeyVaultError` or `CryptoError` when something cannot be used now.
    public static func platform(
        directory: String,
        diagnostics: any DiagnosticSink = StandardErrorDiagnostics()
    ) async throws -> TelemetryPorts {
        try await PlatformDirectory(directory).open { directory in
            TelemetryPorts(
                journal: try SQLiteQueueStore(path: directory.path("telemetry.sqlite"), diagnostics: diagnostics),
                vault: try FileKeyVault(directory: directory.path("vault")),
                clock: SystemClock(),
                cipher: try OpenSSLCipher(),
                random: SystemRandom(),
                compressor: ZlibCompressor(),
                transport: CurlTransport(),
                connectivity: NetlinkConnectivity(),
                power: SysfsPower(),
                diagnostics: diagnostics
            )
        }
    }
}

/// A directory that holds the data of this machine.
private struct PlatformDirectory {
    private let root: String

    init(_ root: String) { self.root = root }

    /// The file or directory `name` in it.
    func path(_ name: String) -> String { "\(root)/\(name)" }

    /// Makes it if need be and composes what is in it, on a thread that may wait for the disk.
    func open<Ports: Sendable>(_ compose: @escaping @Sendable (Self) throws -> Ports) async throws -> Ports {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try make()
                        return try compose(self)
                    }
                )
            }
        }
    }

    /// Makes it and those above it.
    private func make() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: root,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw QueueStoreError(.cannotOpen)
        }
    }
}
#endif
