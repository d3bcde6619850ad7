#if canImport(CryptoKit)
import Dispatch
import Foundation
import HoldfastApple
import HoldfastDomain
import HoldfastSQLite
import HoldfastZlib

extension GatePorts {
    /// Everything a gate needs on Apple's platforms, with its data in `directory`: SQLite (`gate.sqlite`), secrets in the
    /// keychain, CryptoKit, the device's clocks.
    ///
    /// The directory is made if need be, protected until the first unlock, and kept out of backups. Any member can be
    /// replaced afterwards. One composition per directory in a process, which any number of gates share.
    ///
    /// - Parameters:
    ///   - directory: Such as `DataDirectory.standard().path`. Its last name also names its keys in the keychain, so
    ///     two directories of one app need two names.
    ///   - diagnostics: Where events worth logging go; the system's log by default.
    ///   - suspension: Lets go of the file when the app is suspended.
    /// - Throws: `QueueStoreError` when the file cannot be used now, such as before the device's first unlock.
    public static func platform(
        directory: String,
        diagnostics: any DiagnosticSink = .systemLog,
        suspension: SuspensionHook? = nil
    ) async throws -> GatePorts {
        let place = PlatformDirectory(directory)
        return GatePorts(
            journal: try await place.journal("gate.sqlite", diagnostics, suspension),
            vault: place.vault,
            clock: AppleClock(),
            verifier: CryptoKitVerifier(),
            cipher: CryptoKitCipher(),
            digest: CryptoKitDigest(),
            random: AppleRandom(),
            calendar: FoundationCalendar(),
            diagnostics: diagnostics
        )
    }
}

extension TelemetryPorts {
    /// Everything telemetry needs on Apple's platforms, with its data in `directory`: SQLite (`telemetry.sqlite`), keys
    /// in the keychain, CryptoKit, zlib, URLSession, the system's network and power information.
    ///
    /// As `GatePorts.platform`; a gate may have its data in the same directory.
    public static func platform(
        directory: String,
        diagnostics: any DiagnosticSink = .systemLog,
        suspension: SuspensionHook? = nil
    ) async throws -> TelemetryPorts {
        let place = PlatformDirectory(directory)
        return TelemetryPorts(
            journal: try await place.journal("telemetry.sqlite", diagnostics, suspension),
            vault: place.vault,
            clock: AppleClock(),
            cipher: CryptoKitCipher(),
            random: AppleRandom(),
            compressor: ZlibCompressor(),
            transport: URLSessionTransport(),
            connectivity: PathConnectivity(),
            power: ProcessInfoPower(),
            diagnostics: diagnostics
        )
    }
}

extension DiagnosticSink where Self == LoggerDiagnosticSink {
    /// The system's log, under the app's bundle identifier.
    public static var systemLog: LoggerDiagnosticSink {
        LoggerDiagnosticSink(subsystem: Bundle.main.bundleIdentifier ?? "holdfast")
    }
}

/// A directory that holds data on this device.
private struct PlatformDirectory {
    private let folder: URL

    init(_ path: String) { folder = URL(fileURLWithPath: path, isDirectory: true) }

    /// The keys of this directory. By its last name: the path before it changes with each installation.
    var vault: KeychainKeyVault { KeychainKeyVault(service: "holdfast." + folder.lastPathComponent) }

    /// Opens the journal of this name, on a thread that may wait for the disk.
    func journal(
        _ name: String,
        _ diagnostics: any DiagnosticSink,
        _ suspension: SuspensionHook?
    ) async throws -> SQLiteQueueStore {
        let store: SQLiteQueueStore = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try DataDirectory.prepare(folder)
                        let path = folder.appendingPathComponent(name).path
                        return try SQLiteQueueStore(path: path, diagnostics: diagnostics)
                    }
                )
            }
        }
        // The hook does not keep the store: an opening that fails later on must leave the file free for the next one.
        // What cannot be taken up again now is tried by the next call.
        await suspension?.add(
            release: { [weak store] in await store?.suspend() },
            reacquire: { [weak store] in try? await store?.resume() }
        )
        return store
    }
}
#endif
