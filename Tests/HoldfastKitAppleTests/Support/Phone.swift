import AppleDevice
@_spi(StandIn) import AppleFoundation
@_spi(StandIn) import BackgroundTasks
import CollectorClient
import Foundation
import HoldfastApple
import HoldfastDomain
import HoldfastInMemory
import HoldfastKit
import HoldfastSQLite
@_spi(StandIn) import Network
import Patience
@_spi(StandIn) import Security
@_spi(StandIn) import UIKit
import XCTest

/// A pretended phone with one app on it, whose processes come and go.
@MainActor
final class Phone {
    /// The identifier of the app's background task: another for each phone, as one process stands for many.
    let identifier = "refresh-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("phone-\(UUID().uuidString)")
    private let journals = Journals()
    private var running: [AppTelemetry] = []

    nonisolated init() {}

    /// Whether and how it is locked.
    var lockState: AppleDevice.LockState {
        get { AppleDevice.current.lockState }
        set { AppleDevice.current.lockState = newValue }
    }

    /// A new process of the app.
    ///
    /// - Parameters:
    ///   - failure: What opening the file comes to while the phone is locked; nil if it can be opened.
    ///   - isProtected: Whether the open file cannot be used either while the phone is locked.
    func app(
        sendingTo collector: Collector,
        token: any AccessTokenProvider = ScriptedTokenProvider("T"),
        whileLocked failure: QueueStoreError.Code? = nil,
        isProtected: Bool = false,
        info: BackgroundInfo? = nil,
        diagnostics: any DiagnosticSink = CollectingDiagnostics()
    ) -> AppTelemetry {
        if running.isEmpty { reset() }
        var policy = TelemetryPolicy()
        policy.schedule.interval = .milliseconds(10)  // a minute, in an app
        policy.reportsLosses = false
        let endpoint = URL(string: collector.url + "/v1/telemetry/batch") ?? folder
        let app = AppTelemetry(
            endpoint: endpoint,
            token: token,
            plan: BackgroundPlan(refresh: identifier),
            policy: policy,
            info: info ?? BackgroundInfo(identifiers: [identifier], modes: ["fetch"]),
            diagnostics: diagnostics
        ) { [folder, journals] hook in
            if let failure, AppleDevice.current.lockState != .unlocked { throw QueueStoreError(failure) }
            var ports = try await TelemetryPorts.platform(
                directory: folder.path,
                diagnostics: diagnostics,
                suspension: hook
            )
            await hook.add(release: { await journals.letGo() }, reacquire: {})
            await journals.opened(ports.journal as? SQLiteQueueStore)
            if isProtected { ports.journal = ProtectedJournal(base: ports.journal) }
            return ports
        }
        running.append(app)
        return app
    }

    /// The system launches the app.
    func launch(_ app: AppTelemetry, inBackground: Bool = false) {
        final class Delegate: UIApplicationDelegate {
            let app: AppTelemetry
            init(_ app: AppTelemetry) { self.app = app }
            func application(
                _ application: UIApplication,
                didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
            ) -> Bool {
                app.start(in: application)
                return true
            }
        }
        StandInApplication.launch(Delegate(app), inBackground: inBackground)
        BGTaskScheduler.shared.finishLaunching()
    }

    /// The process ends. What it had not stored by now is gone in a real one; a test stores first what it asks for.
    func kill(_ app: inout AppTelemetry) async {
        await app.opened()?.close()
        await journals.close()
        RegisteredTasks.ofThisProcess.forgetAll()
        let requests = BGTaskScheduler.shared.pending
        BGTaskScheduler.shared.reset(permitted: [identifier])
        BGTaskScheduler.shared.fill(requests)
        StandInApplication.setState(.background)
    }

    /// Waits until the app has let go of its file since the last time this was asked.
    func untilLetGo() async throws {
        let patience = Patience("the app lets go of its file")
        while await !journals.takeLetGo() { try await patience.yield() }
    }

    /// Waits until the app has given back all time in the background that it had asked for.
    func untilItsTimeIsGivenBack() async throws {
        let patience = Patience("the app gives its time in the background back")
        while StandInApplication.openBackgroundTasks > 0 { try await patience.yield() }
    }

    /// Waits until a background task is completed; how it was.
    func completion(of task: BGTask) async throws -> [Bool] {
        let patience = Patience("the background task is completed")
        while task.completed.isEmpty { try await patience.yield() }
        return task.completed
    }

    /// Ends the test, and the app: one that lives on would hear what befalls the phone of the next test.
    func putAway() async {
        reset()
        for app in running { await app.opened()?.close() }
        // While the apps still hold it: one that is let go of closes in its own time.
        await journals.close()
        running = []
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        XCTAssertNoThrow(try FileManager.default.removeItem(at: folder))
    }

    private func reset() {
        RegisteredTasks.ofThisProcess.forgetAll()
        Keychain.current.reset()
        lockState = .unlocked
        BGTaskScheduler.shared.reset(permitted: [identifier])
        StandInApplication.setState(.inactive)
        StandInApplication.grantsBackgroundTime = true
        StandInNetwork.current.send(NWPath(.satisfied))
        StandInPower.current.isLowPower = false
        StandInPower.current.setThermalState(.nominal)
    }
}

/// The file that the app has open, if it has.
private actor Journals {
    private weak var journal: SQLiteQueueStore?
    private var hasLetGo = false

    func opened(_ journal: SQLiteQueueStore?) { self.journal = journal }
    func letGo() { hasLetGo = true }
    func takeLetGo() -> Bool {
        defer { hasLetGo = false }
        return hasLetGo
    }
    func close() async {
        await journal?.close()
        journal = nil
    }
}

/// A journal in a folder of the protection class *complete*, which cannot be used while the phone is locked.
private struct ProtectedJournal: JournalWrapper {
    let base: any Journal

    private func check() throws {
        guard AppleDevice.current.lockState == .unlocked else { throw QueueStoreError(.inputOutput, platformCode: 10) }
    }

    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        try check()
        return try await base.append(drafts, durability: durability)
    }

    func lease(_ request: LeaseRequest) async throws -> Lease? {
        try check()
        return try await base.lease(request)
    }

    func statistics(_ stream: StreamName) async throws -> StreamStatistics {
        try check()
        return try await base.statistics(stream)
    }
}
