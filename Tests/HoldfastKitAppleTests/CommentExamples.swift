import Foundation
import HoldfastKit
import HoldfastSQLite
import UIKit

// The examples in the comments of Apple's part, compiled over the stand-ins; `CommentExampleTests` keeps the two alike.

@MainActor
private enum CommentExamples {
    static func anApp(in application: UIApplication, _ url: URL, _ tokens: any AccessTokenProvider) {
        let telemetry = AppTelemetry(
            endpoint: url,
            token: tokens,
            plan: BackgroundPlan(refresh: "org.example.app.telemetry")
        )
        // in application(_:didFinishLaunchingWithOptions:), before it returns:
        telemetry.start(in: application)
        // anywhere, on any thread, at any time:
        telemetry.log("screen.view", ["name": "orders", "ms": 182])
    }

    static func suspension(
        _ store: SQLiteQueueStore,
        _ telemetry: Telemetry,
        _ deadline: Timestamp
    ) async -> FlushReport {
        let hook = SuspensionHook()
        await hook.add(release: { await store.suspend() }, reacquire: { try? await store.resume() })
        let report = await hook.whileInUse { await telemetry.background(until: deadline) }
        return report
    }

    static func background(in application: UIApplication, _ ports: TelemetryPorts, _ telemetry: Telemetry) async {
        let plan = BackgroundPlan(refresh: "org.example.app.telemetry")
        let delivery = BackgroundDelivery(plan, diagnostics: ports.diagnostics, clock: ports.clock) { deadline in
            let report = await telemetry.background(until: deadline)
            return BackgroundResult(isSuccess: report.isComplete, nextAttempt: report.status.nextAttempt)
        }
        // in application(_:didFinishLaunchingWithOptions:), before it returns:
        delivery.register(in: application)
        // when the app leaves the foreground (AppLifecycle does it):
        await delivery.schedule()
    }

    static func scan(at gate: TicketGate) async {
        let scanner = CameraScanner()
        guard await scanner.start() == .scanning else { return }  // the state says why not
        for await reading in scanner.readings {
            show(await gate.admit(reading))
        }
    }

    static func show(_ decision: Decision) {}
}
