import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tells which screens are used, and from where.
@MainActor
final class NavigationLogger {
    static let shared = NavigationLogger()

    private var last = "launch"

    func appeared(_ screen: String) {
        defer { last = screen }
        guard let request = try? URLRequest.telemetry("screen.view", ["name": screen, "from": last]) else { return }
        URLSession.shared.dataTask(with: request) { _, _, error in
            if let error { NSLog("screen.view was not sent: %@", error.localizedDescription) }
        }.resume()
    }
}
