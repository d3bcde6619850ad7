import UIKit

#if canImport(ObjectiveC)
@main
#endif
final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow()
        window.rootViewController = OrdersViewController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }
}
