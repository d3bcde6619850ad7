import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// A random id for this run of the app.
    private static let sessionID = UUID().uuidString.lowercased()

    /// The request that tells the server of one event.
    static func telemetry(_ type: String, _ payload: [String: Any]) throws -> URLRequest {
        let event: [String: Any] = [
            "id": UUID().uuidString.lowercased(),
            "ts": ISO8601DateFormatter().string(from: Date()),
            "type": type,
            "payload": payload,
            "sessionId": sessionID,
        ]
        var request = URLRequest(url: Server.url.appendingPathComponent("v1/telemetry/batch"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(Account.current.token)", forHTTPHeaderField: "Authorization")
        request.httpBody = try JSONSerialization.data(withJSONObject: ["events": [event]])
        return request
    }
}
