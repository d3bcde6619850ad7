#if canImport(CryptoKit) && canImport(UIKit)
import Foundation
import Holdfast
import HoldfastApple
import HoldfastDomain
import UIKit

/// Telemetry for the whole life of an app: ready from the first line of the launch, delivering in the foreground, on the
/// way out of it, and in background tasks.
///
/// ```swift
/// let telemetry = AppTelemetry(
///     endpoint: url,
///     token: tokens,
///     plan: BackgroundPlan(refresh: "org.example.app.telemetry")
/// )
/// // in application(_:didFinishLaunchingWithOptions:), before it returns:
/// telemetry.start(in: application)
/// // anywhere, on any thread, at any time:
/// telemetry.log("screen.view", ["name": "orders", "ms": 182])
/// ```
///
/// Opening takes a moment, and cannot be done at all while the device has not been unlocked since its start, as when the
/// system launches the app in the background. What is logged before then is kept in memory, up to 1000 events, with the
/// time at which it happened, and opening is tried again whenever there is reason to. What is logged while the app is in
/// the background is stored there at once, and delivered later. Make one and keep it.
public final class AppTelemetry: Sendable {
    /// How many events are kept before telemetry is open. More are refused, and counted as `entries_dropped`.
    static let earlyCapacity = 1000
    /// The least time between two attempts to open that events bring on.
    static let retryInterval = Interval.seconds(30)

    private let opener: TelemetryOpener
    private let early: EarlyEvents
    private let hook: SuspensionHook
    private let clock: any DeviceClock
    private let diagnostics: any DiagnosticSink
    private let plan: BackgroundPlan
    private let info: BackgroundInfo
    private let phase = AppPhase()
    private let running = Running()

    /// Telemetry of this app. Nothing happens before `start(in:)`, but events can be logged.
    ///
    /// - Parameters:
    ///   - endpoint: The absolute URL that batches are posted to.
    ///   - token: The host's access tokens. Without it requests carry none.
    ///   - plan: The background tasks that deliver.
    ///   - policy: Limits, waits and choices.
    ///   - info: What Info.plist says; the running app's by default.
    ///   - diagnostics: Where events worth logging go; the system's log by default.
    ///   - ports: The adapters that it uses; this platform's, in the app's own folder, by default.
    public init(
        endpoint: URL,
        token: (any AccessTokenProvider)? = nil,
        plan: BackgroundPlan,
        policy: TelemetryPolicy = TelemetryPolicy(),
        info: BackgroundInfo = .main,
        diagnostics: any DiagnosticSink = .systemLog,
        ports: (@Sendable (SuspensionHook) async throws -> TelemetryPorts)? = nil
    ) {
        let hook = SuspensionHook()
        self.hook = hook
        self.plan = plan
        self.info = info
        self.diagnostics = diagnostics
        clock = AppleClock()
        let early = EarlyEvents(capacity: Self.earlyCapacity)
        self.early = early
        opener = TelemetryOpener(diagnostics: diagnostics) {
            if let ports { return try await ports(hook) }
            let folder = try DataDirectory.standard()
            return try await .platform(directory: folder.path, diagnostics: diagnostics, suspension: hook)
        } open: { ports in
            let telemetry = try await Telemetry(endpoint: endpoint, token: token, policy: policy, ports: ports)
            let dropped = early.pass(on: telemetry)
            if dropped > 0 { diagnostics.record(DiagnosticEvent(.entriesDropped, count: dropped)) }
            return telemetry
        }
    }

    /// Opens telemetry, registers the background tasks and follows the app from now on. Call it in
    /// `application(_:didFinishLaunchingWithOptions:)`, at every launch; a second call changes nothing.
    ///
    /// - Returns: What became of each background task.
    @MainActor
    @discardableResult
    public func start(in application: UIApplication) -> [String: BackgroundRegistration] {
        if let delivery = running.delivery { return delivery.register(in: application) }
        let delivery = BackgroundDelivery(plan, info: info, diagnostics: diagnostics, clock: clock) {
            [weak self] deadline in
            await self?.deliver(until: deadline) ?? BackgroundResult(isSuccess: false)
        }
        running.delivery = delivery
        running.application = application
        running.lifecycle = AppLifecycle(application, hook: hook) { [weak self] time in
            await self?.leave(within: time, delivery)
        } enter: { [opener, phase] in
            phase.enter()
            await opener.open()?.resume()
        }
        Task { await opener.open() }
        return delivery.register(in: application)
    }

    /// Takes an event and returns at once, on any thread, whether telemetry is open yet or not.
    public func log(_ type: String, _ payload: PayloadObject = [:]) {
        let now = clock.now()
        if let telemetry = early.keep(type, payload, at: now.wall) {
            telemetry.log(type, payload)
            store(telemetry)
        } else {
            open(at: now.uptime)
        }
    }

    /// As `log(_:_:)`, with a payload made of any value that encodes itself as an object.
    public func log(_ type: String, encoding payload: some Encodable) {
        let now = clock.now()
        // What cannot be encoded is counted, here as there.
        if let telemetry = early.keep(type, try? PayloadEncoder().encode(payload), at: now.wall) {
            telemetry.log(type, encoding: payload)
            store(telemetry)
        } else {
            open(at: now.uptime)
        }
    }

    private func open(at uptime: Interval) {
        Task {
            let opened = await opener.open(unlessTriedSince: uptime - Self.retryInterval, at: uptime)
            if let opened { store(opened) }
        }
    }

    /// Stores what was logged in the background, as when the system has woken the app for a place or a message: the
    /// file is not held there, and the process may end at any time.
    private func store(_ telemetry: Telemetry) {
        guard phase.claim() else { return }
        Task { @MainActor [hook, phase, running] in
            let time = running.application.map { BackgroundTime(named: "holdfast.log", in: $0) }
            await hook.whileInUse {
                phase.begin()
                try? await telemetry.persist()  // what cannot be stored now stays in memory, and is tried again
            }
            time?.end()
        }
    }

    /// Telemetry itself, for everything else: consent, a flush, the status. Nil while it cannot be opened.
    public func opened() async -> Telemetry? { await opener.open() }

    private func deliver(until deadline: Timestamp) async -> BackgroundResult {
        phase.work()
        return await hook.whileInUse {
            guard let telemetry = await opener.open() else { return BackgroundResult(isSuccess: false) }
            let report = await telemetry.background(until: deadline)
            let hasMoved = report.isComplete || report.delivery.delivered > 0
            return BackgroundResult(isSuccess: hasMoved, nextAttempt: report.status.nextAttempt)
        }
    }

    private func leave(within time: Interval, _ delivery: BackgroundDelivery) async {
        phase.leave()
        let report = await opener.open()?.suspend(within: time)
        await delivery.schedule(nextAttempt: report?.status.nextAttempt)
    }
}

/// What runs once the app has started.
@MainActor
private final class Running {
    var application: UIApplication?
    var lifecycle: AppLifecycle?
    var delivery: BackgroundDelivery?

    nonisolated init() {}
}
#endif
