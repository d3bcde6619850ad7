import CollectorClient
import Foundation
import HoldfastApple
import HoldfastDomain
import Patience
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
        let (transport, patience) = (URLSessionTransport(), Patience("a request comes in"))
        while true {
            let answer = try await transport.send(TransportRequest(method: "GET", url: url))
            if !String(decoding: answer.body, as: UTF8.self).contains(#""requests": 0"#) { return }
            try await patience.yield()
        }
    }

    /// Waits until so many events have arrived.
    func events(_ count: Int) async throws -> [ArrivedEvent] {
        var arrived = 0
        while arrived < count {
            let patience = Patience("event \(arrived + 1) of \(count) arrives")
            let before = arrived
            while arrived == before {
                try await patience.yield()
                // The ids in the log; the events themselves can be large.
                arrived = try requests().reduce(0) { $0 + (($1["new"] as? [Any])?.count ?? 0) }
            }
        }
        return try accepted().map(ArrivedEvent.init)
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
