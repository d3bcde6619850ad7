import Foundation
import HoldfastKit
import UIKit

// The code of the documentation's articles that is an iOS app's, compiled over the stand-ins; `ArticleTextTests` keeps
// the two alike.

@MainActor
private enum IntegrateAnApp {
    struct UserSession: Sendable {
        static let current = UserSession()
        var token: String? { get async { "token" } }
        func refreshToken() async throws {}
    }

    enum Settings {
        static let telemetryURL = URL(fileURLWithPath: "/")
    }

    struct SessionTokens: AccessTokenProvider {
        let session: UserSession

        func token(refused: AccessToken?) async throws -> AccessToken? {
            if refused != nil { try await session.refreshToken() }
            return await session.token.map { AccessToken($0) }
        }
    }

    final class AppDelegate: UIResponder, UIApplicationDelegate {
        let telemetry = AppTelemetry(
            endpoint: Settings.telemetryURL,
            token: SessionTokens(session: .current),
            plan: BackgroundPlan(refresh: "org.example.app.telemetry", processing: "org.example.app.telemetry.long")
        )

        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            telemetry.start(in: application)
            return true
        }
    }

    struct Places {
        let telemetry: AppTelemetry

        func report(_ error: any Error) {
            let error = error as NSError
            telemetry.log("error", ["domain": .string(error.domain), "code": .integer(Int64(error.code))])
        }

        func didShow(_ screen: String) {
            telemetry.log("screen.view", ["name": .string(screen)])
        }

        func measured(_ name: String, milliseconds: Double) {
            telemetry.log("timing", ["name": .string(name), "ms": .double(milliseconds)])
        }

        func didSignIn() async {
            await telemetry.opened()?.accessTokenChanged()
        }

        func didAnswer(isAgreed: Bool) async throws {
            try await telemetry.opened()?.setConsent(isAgreed ? .granted : .denied)
        }
    }

    static func scan(at place: GatePlace, _ hook: SuspensionHook) async throws {
        let scanner = CameraScanner()
        let folder = try DataDirectory.standard()
        let gate = try await TicketGate(at: place, ports: .platform(directory: folder.path, suspension: hook))
        guard await scanner.start() == .scanning else { return show(scanner.state) }
        for await reading in scanner.readings {
            show(await gate.admit(reading))
        }
    }

    static func show(_ state: ScannerState) {}
    static func show(_ decision: Decision) {}
}

@MainActor
private enum WorkInTheBackground {
    static func byHand(
        in application: UIApplication,
        _ plan: BackgroundPlan,
        _ url: URL,
        _ tokens: any AccessTokenProvider,
        _ folder: String
    ) async throws -> AppLifecycle {
        let hook = SuspensionHook()
        let ports = try await TelemetryPorts.platform(directory: folder, suspension: hook)
        let telemetry = try await Telemetry(endpoint: url, token: tokens, ports: ports)

        let delivery = BackgroundDelivery(plan, diagnostics: ports.diagnostics, clock: ports.clock) { deadline in
            await hook.whileInUse {
                let report = await telemetry.background(until: deadline)
                return BackgroundResult(isSuccess: report.isComplete, nextAttempt: report.status.nextAttempt)
            }
        }
        delivery.register(in: application)

        let lifecycle = AppLifecycle(application, hook: hook) { time in
            await telemetry.suspend(within: time)
            await delivery.schedule()
        } enter: {
            await telemetry.resume()
        }
        return lifecycle
    }

    final class AppDelegate: UIResponder, UIApplicationDelegate {
        let telemetry: Telemetry
        let uploads: BackgroundUploadTransport

        init(_ telemetry: Telemetry, _ uploads: BackgroundUploadTransport) {
            self.telemetry = telemetry
            self.uploads = uploads
        }

        func application(
            _ application: UIApplication,
            handleEventsForBackgroundURLSession identifier: String,
            completionHandler: @escaping () -> Void
        ) {
            uploads.handleEvents(then: { [telemetry] in await telemetry.flush() }, completionHandler: completionHandler)
        }
    }
}
