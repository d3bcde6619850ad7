import HoldfastKit
import UIKit

#if canImport(ObjectiveC)
@main
#endif
final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private var lifecycle: AppLifecycle?

    private lazy var desk = GateDesk(
        place: GatePlace(event: "EV1", zone: "GA", gate: "north-3"),
        keys: {
            try Data(
                contentsOf: Bundle.main.url(forResource: "keys", withExtension: "json") ?? URL(fileURLWithPath: "/")
            )
        },
        backEnd: HTTPRecordSender(
            endpoint: "https://tickets.example.org/v1/scans",
            transport: URLSessionTransport(),
            clock: AppleClock()
        )
    )

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow()
        window.rootViewController = DeskViewController(desk)
        window.makeKeyAndVisible()
        self.window = window
        // Leaving the foreground hands over what is queued, as far as the system gives time; coming back, or the first
        // unlock, starts what could not be started before.
        lifecycle = AppLifecycle(application, hook: desk.suspension) { [desk] _ in
            await desk.sync()
        } enter: { [desk] in
            await desk.start()
        }
        return true
    }
}
