#if canImport(BackgroundTasks) && canImport(UIKit)
import BackgroundTasks
import Foundation
import HoldfastDomain
import UIKit

/// Delivers in background tasks that the system launches.
///
/// ```swift
/// let plan = BackgroundPlan(refresh: "org.example.app.telemetry")
/// let delivery = BackgroundDelivery(plan, diagnostics: ports.diagnostics, clock: ports.clock) { deadline in
///     let report = await telemetry.background(until: deadline)
///     return BackgroundResult(isSuccess: report.isComplete, nextAttempt: report.status.nextAttempt)
/// }
/// // in application(_:didFinishLaunchingWithOptions:), before it returns:
/// delivery.register(in: application)
/// // when the app leaves the foreground (AppLifecycle does it):
/// await delivery.schedule()
/// ```
///
/// Each launch asks for the next one, works within its budget, stops when the system says so, and tells the system
/// exactly once. No mistake in Info.plist and no second or late registration ends the process: each has an answer.
/// Safe from any thread.
public final class BackgroundDelivery: Sendable {
    /// Works until the given moment at most; cancelled earlier when the system wants the time back.
    public typealias Work = @Sendable (_ deadline: Timestamp) async -> BackgroundResult

    private let plan: BackgroundPlan
    private let info: BackgroundInfo
    private let registered: RegisteredTasks
    private let diagnostics: any DiagnosticSink
    private let now: @Sendable () -> Timestamp
    private let grace: Interval
    private let work: Work

    /// Delivery in background tasks. Nothing happens before `register(in:)`.
    ///
    /// - Parameters:
    ///   - plan: The tasks.
    ///   - info: What Info.plist says; the running app's by default.
    ///   - diagnostics: Told when a task cannot be registered or asked for (`background_unavailable`).
    ///   - clock: The time.
    ///   - work: Delivers what waits.
    public convenience init(
        _ plan: BackgroundPlan,
        info: BackgroundInfo = .main,
        diagnostics: any DiagnosticSink,
        clock: any DeviceClock,
        work: @escaping Work
    ) {
        self.init(
            plan,
            info: info,
            registered: .ofThisProcess,
            diagnostics: diagnostics,
            now: { clock.now().wall },
            work: work
        )
    }

    init(
        _ plan: BackgroundPlan,
        info: BackgroundInfo,
        registered: RegisteredTasks,
        diagnostics: any DiagnosticSink,
        now: @escaping @Sendable () -> Timestamp,
        grace: Interval = .seconds(2),
        work: @escaping Work
    ) {
        self.plan = plan
        self.info = info
        self.registered = registered
        self.diagnostics = diagnostics
        self.now = now
        self.grace = grace
        self.work = work
    }

    /// Registers the plan's tasks. Call it in `application(_:didFinishLaunchingWithOptions:)`, at every launch; calling
    /// it again changes nothing.
    ///
    /// - Returns: What became of each identifier.
    @MainActor
    @discardableResult
    public func register(in application: UIApplication) -> [String: BackgroundRegistration] {
        // An app is active only after it has launched. A late call in another state cannot be told from a timely one.
        let hasLaunched = application.applicationState == .active
        var outcomes: [String: BackgroundRegistration] = [:]
        for (kind, identifier) in plan.tasks {
            let outcome = registered.insert(identifier) { isRegistered in
                BackgroundRegistration.obstacle(
                    identifier,
                    kind,
                    info: info,
                    isRegistered: isRegistered,
                    hasLaunched: hasLaunched
                ) ?? (ask(identifier, kind) ? .registered : .refused)
            }
            outcomes[identifier] = outcome
            if outcome != .registered, outcome != .alreadyRegistered {
                diagnostics.record(DiagnosticEvent(.backgroundUnavailable))
            }
        }
        return outcomes
    }

    /// Outside the main actor, and with a closure that belongs to no actor: one that belonged to the main actor would
    /// be run on the scheduler's queue and end the process there.
    private nonisolated func ask(_ identifier: String, _ kind: BackgroundTaskKind) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { @Sendable [self] task in
            run(LaunchedTask(task, grace: grace), kind)
        }
    }

    /// Asks to be launched again.
    ///
    /// - Parameter nextAttempt: When the next attempt makes sense, if that is known.
    /// - Returns: What became of each identifier.
    @discardableResult
    public func schedule(nextAttempt: Timestamp? = nil) async -> [String: BackgroundSubmission] {
        // Blocking, and so on a queue of its own rather than on a thread that tasks share.
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { [self] in
                continuation.resume(returning: submit(plan.tasks, nextAttempt: nextAttempt))
            }
        }
    }

    @discardableResult
    private func submit(
        _ tasks: [(kind: BackgroundTaskKind, identifier: String)],
        nextAttempt: Timestamp?
    ) -> [String: BackgroundSubmission] {
        var outcomes: [String: BackgroundSubmission] = [:]
        for (kind, identifier) in tasks {
            let outcome: BackgroundSubmission
            if registered.contains(identifier) {
                let begin = plan.earliestBegin(of: kind, now: now(), nextAttempt: nextAttempt)
                outcome = submit(request(identifier, kind), at: begin)
            } else {
                outcome = .notRegistered
            }
            outcomes[identifier] = outcome
            if outcome != .submitted { diagnostics.record(DiagnosticEvent(.backgroundUnavailable)) }
        }
        return outcomes
    }

    private func request(_ identifier: String, _ kind: BackgroundTaskKind) -> BGTaskRequest {
        guard kind == .processing else { return BGAppRefreshTaskRequest(identifier: identifier) }
        let request = BGProcessingTaskRequest(identifier: identifier)
        request.requiresNetworkConnectivity = true
        request.requiresExternalPower = plan.needsExternalPower
        return request
    }

    private func submit(_ request: BGTaskRequest, at begin: Timestamp) -> BackgroundSubmission {
        request.earliestBeginDate = Date(timeIntervalSince1970: Double(begin.milliseconds) / 1000)
        do {
            try BGTaskScheduler.shared.submit(request)
            return .submitted
        } catch let error as BGTaskScheduler.Error {
            return BackgroundSubmission(schedulerError: error.code.rawValue)
        } catch {
            return .failed((error as NSError).code)
        }
    }

    private func run(_ task: LaunchedTask, _ kind: BackgroundTaskKind) {
        // A request is used up by its launch. Asked for before anything else, so that a kill in the middle ends nothing
        // for good, and so that what the work finds out of the next attempt is what stands in the end.
        submit(plan.tasks.filter { $0.kind == kind }, nextAttempt: nil)
        let running = Task { [self] in
            let result = await work(now() + plan.budget(of: kind))
            // Asked for once more, now that it is known when an attempt makes sense.
            if let next = result.nextAttempt { await schedule(nextAttempt: next) }
            task.finish(isSuccess: result.isSuccess)
        }
        task.whenExpired { running.cancel() }
    }
}

extension DiagnosticEvent.Code {
    /// A background task could not be registered or asked for.
    public static let backgroundUnavailable = DiagnosticEvent.Code("background_unavailable")
}
#endif
