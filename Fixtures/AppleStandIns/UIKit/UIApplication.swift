import AppleDevice
@_exported import Foundation

/// A stand-in for UIKit's base of all that takes events.
@MainActor
open class UIResponder: NSObject {}

/// Names one request for time in the background.
@available(iOS 4.0, *)
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// No time is given.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// A stand-in for the app as UIKit sees it. Lifecycle notices are posted on the main thread.
public final class UIApplication: UIResponder {
    /// Whether the app is used, seen or neither.
    public enum State: Int, Sendable {
        case active, inactive, background
    }

    /// The one app of this process.
    public static let shared = UIApplication()

    /// Whether the app is used, seen or neither; `inactive` while it launches.
    public internal(set) var applicationState = State.inactive

    /// Who is told of the app's life.
    public weak var delegate: (any UIApplicationDelegate)?

    nonisolated let tasks = BackgroundTaskTable()

    /// Asks for time after the app has left the foreground; `.invalid` if there is none.
    @available(iOS 7.0, *)
    public nonisolated func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        tasks.begin(handler)
    }

    /// Gives the time back; each begin needs its end.
    @available(iOS 4.0, *)
    public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { tasks.end(identifier) }

    /// Whether files of the class *complete* can be read: false while locked, whatever else can be read then.
    @available(iOS 4.0, *)
    public nonisolated var isProtectedDataAvailable: Bool { AppleDevice.current.lockState == .unlocked }
}

extension UIApplication {
    public nonisolated static let didFinishLaunchingNotification = Notification.Name("UIApplicationDidFinishLaunching")
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackground")
    public nonisolated static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForeground"
    )
    public nonisolated static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActive")
    public nonisolated static let willResignActiveNotification = Notification.Name("UIApplicationWillResignActive")
    public nonisolated static let willTerminateNotification = Notification.Name("UIApplicationWillTerminate")
    public nonisolated static let protectedDataDidBecomeAvailableNotification = Notification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable"
    )

    /// What an app is launched with.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

/// A stand-in for the app's delegate. Optional methods are given defaults, as Linux knows none.
@MainActor
public protocol UIApplicationDelegate: AnyObject {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    )
    func applicationDidEnterBackground(_ application: UIApplication)
    func applicationWillEnterForeground(_ application: UIApplication)
}

extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
    public func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {}
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    public func applicationWillEnterForeground(_ application: UIApplication) {}
}
