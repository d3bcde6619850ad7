import AppleDevice
import Foundation

/// What a person and the system do to the app, for tests.
@_spi(StandIn)
@MainActor
public enum StandInApplication {
    private static var app: UIApplication { .shared }

    /// Launches the app in the foreground: the delegate's method, then the notices.
    public static func launch(_ delegate: (any UIApplicationDelegate)?, inBackground: Bool = false) {
        app.applicationState = inBackground ? .background : .inactive
        app.delegate = delegate
        _ = delegate?.application(app, didFinishLaunchingWithOptions: nil)
        post(UIApplication.didFinishLaunchingNotification)
        if !inBackground { becomeActive() }
    }

    /// The app is used again after it was interrupted or launched.
    public static func becomeActive() {
        app.applicationState = .active
        post(UIApplication.didBecomeActiveNotification)
    }

    /// The person leaves the app.
    public static func enterBackground() {
        app.applicationState = .inactive
        post(UIApplication.willResignActiveNotification)
        app.applicationState = .background
        app.delegate?.applicationDidEnterBackground(app)
        post(UIApplication.didEnterBackgroundNotification)
    }

    /// The person comes back.
    public static func enterForeground() {
        app.applicationState = .inactive
        app.delegate?.applicationWillEnterForeground(app)
        post(UIApplication.willEnterForegroundNotification)
        becomeActive()
    }

    /// The device is unlocked: protected data can be read again.
    public static func unlock() {
        AppleDevice.current.lockState = .unlocked
        post(UIApplication.protectedDataDidBecomeAvailableNotification)
    }

    /// Sets the state without a notice, as before a launch.
    public static func setState(_ state: UIApplication.State) { app.applicationState = state }

    /// Whether time in the background is to be had.
    public static var grantsBackgroundTime: Bool {
        get { app.tasks.isGranted }
        set { app.tasks.isGranted = newValue }
    }

    /// How many requests for time are open.
    public static var openBackgroundTasks: Int { app.tasks.count }

    /// How many requests for time were ever granted.
    public static var begunBackgroundTasks: Int { app.tasks.begun }

    /// Time in the background is up.
    public static func expireBackgroundTime() { app.tasks.expireAll() }

    private static func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: app) }
}
