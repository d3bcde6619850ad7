import CollectorClient
import Foundation
import HoldfastApple
import HoldfastDomain
import XCTest

/// An event as the server has it.
struct ArrivedEvent {
    let id: String
    let type: String
    /// The number that tests put into payloads.
    let number: Int
    let time: Date
}

extension Collector {
    /// Waits until a request has reached the server, answered or not.
    func isAsked() async throws {
        let transport = URLSessionTransport()
        while true {
            let answer = try await transport.send(TransportRequest(method: "GET", url: url))
            if !String(decoding: answer.body, as: UTF8.self).contains(#""requests": 0"#) { return }
        }
    }

    /// Waits until so many events have arrived.
    func events(_ count: Int, within seconds: Double = 30) async throws -> [ArrivedEvent] {
        let deadline = Date().addingTimeInterval(seconds)
        while Date() < deadline {
            let lines = try accepted()
            if lines.count >= count { return try lines.map(ArrivedEvent.init) }
            try await Task.sleep(nanoseconds: 5_000_000)  // another process writes them
        }
        XCTFail("\(try accepted().count) of \(count) events arrived")
        return []
    }
}

extension ArrivedEvent {
    init(line: [String: Any]) throws {
        let item = try XCTUnwrap(line["item"] as? [String: Any])
        id = try XCTUnwrap(item["id"] as? String)
        type = try XCTUnwrap(item["type"] as? String)
        number = (item["payload"] as? [String: Any])?["n"] as? Int ?? -1
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        time = try XCTUnwrap((item["ts"] as? String).flatMap(formatter.date))
    }
}
