#if canImport(UIKit)
import Foundation
import HoldfastDomain
import UIKit

/// Follows the app between foreground and background, so that what is in memory is stored, what waits is sent while
/// there is time, and nothing is held when the system suspends the process.
///
/// Leaving: asks the system for time, calls `leave`, lets go by the hook, gives the time back. Coming back: takes up by
/// the hook, calls `enter`. One after the other, however fast a person changes their mind. When the device is unlocked
/// for the first time since its start, `enter` is called as well: what was locked can now be read.
///
/// Make it in `application(_:didFinishLaunchingWithOptions:)`, keep it as long as the app lives.
@MainActor
public final class AppLifecycle {
    /// Works while the app leaves the foreground, for as long as the interval says at most; zero if there is no time.
    public typealias Leave = @Sendable (_ time: Interval) async -> Void
    /// Works when the app is in the foreground again.
    public typealias Enter = @Sendable () async -> Void

    /// What is left of the system's 30 seconds for letting go.
    static let budget = Interval.seconds(20)

    private let application: UIApplication
    private let hook: SuspensionHook?
    private let leave: Leave
    private let enter: Enter
    private var phase = ForegroundPhase.launched
    private var lastMove: Task<Void, Never>?
    private let observers: Observers

    /// Follows this app from now on.
    public init(
        _ application: UIApplication,
        hook: SuspensionHook? = nil,
        center: NotificationCenter = .default,
        leave: @escaping Leave,
        enter: @escaping Enter
    ) {
        self.application = application
        self.hook = hook
        self.leave = leave
        self.enter = enter
        observers = Observers(center)
        observers.observe(UIApplication.didEnterBackgroundNotification) { [weak self] in self?.left() }
        observers.observe(UIApplication.willEnterForegroundNotification) { [weak self] in self?.entered() }
        observers.observe(UIApplication.didBecomeActiveNotification) { [weak self] in self?.entered() }
        observers.observe(UIApplication.protectedDataDidBecomeAvailableNotification) { [weak self] in self?.unlocked() }
    }

    private func left() {
        guard phase.leave() else { return }
        // Asked for here and now: when this returns the process may be suspended.
        let time = BackgroundTime(named: "holdfast", in: application)
        let budget = time.isGranted ? Self.budget : .zero
        let move = Task { [lastMove, hook, leave] in
            await lastMove?.value
            await leave(budget)
            await hook?.end()
            time.end()
        }
        time.callOff = { move.cancel() }
        lastMove = move
    }

    private func entered() {
        guard phase.enter() else { return }
        lastMove?.cancel()  // coming back need not wait for the leaving to end
        lastMove = Task { [lastMove, hook, enter] in
            await lastMove?.value
            await hook?.begin()
            await enter()
        }
    }

    private func unlocked() {
        guard phase == .foreground else { return }
        lastMove = Task { [lastMove, enter] in
            await lastMove?.value
            await enter()
        }
    }
}

/// Observers that end with their owner.
/// `@unchecked`: tokens are added on the main actor only, and removed when nobody else is left.
private final class Observers: @unchecked Sendable {
    private let center: NotificationCenter
    private var tokens: [any NSObjectProtocol] = []

    init(_ center: NotificationCenter) { self.center = center }

    deinit { for token in tokens { center.removeObserver(token) } }

    /// UIKit posts these on the main thread. Not by the main queue: the notice must be answered before it returns.
    @MainActor
    func observe(_ name: Notification.Name, _ answer: @escaping @MainActor @Sendable () -> Void) {
        tokens.append(
            center.addObserver(forName: name, object: nil, queue: nil) { _ in
                if Thread.isMainThread {
                    MainActor.assumeIsolated(answer)
                } else {
                    DispatchQueue.main.async { MainActor.assumeIsolated(answer) }
                }
            }
        )
    }
}
#endif
