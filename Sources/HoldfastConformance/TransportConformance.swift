import HoldfastDomain

extension Conformance {
    /// A transport, and a server to put it to its promises.
    public struct TransportSubject: Sendable {
        let transport: any Transport
        let server: String

        /// - Parameters:
        ///   - transport: The transport.
        ///   - server: The URL of the package's `Fixtures/collector`, without a slash at its end, started with
        ///     `--token conformance --script FILE`, where the file holds `Conformance.transportScript`.
        public init(_ transport: any Transport, server: String) {
            self.transport = transport
            self.server = server
        }

        func send(
            _ path: String,
            _ records: String = "",
            token: String = "conformance",
            headers: [HeaderField] = [],
            timeout: Interval = .seconds(20)
        ) async throws -> TransportResponse {
            try await transport.send(
                TransportRequest(
                    url: server + path,
                    headers: [
                        HeaderField("Content-Type", "application/json"),
                        HeaderField("Authorization", "Bearer " + token),
                    ] + headers,
                    body: Array(#"{"records":[\#(records)]}"#.utf8),
                    timeout: timeout
                )
            )
        }
    }

    /// What the collector has to be told for `transport`.
    public static let transportScript = """
        {"rules": [
            {"when": {"path": "/404"}, "status": 404, "headers": {"X-Check": "one, two"}},
            {"when": {"path": "/503"}, "status": 503, "retryAfter": "120"},
            {"when": {"path": "/redirect"}, "redirect": "/records"},
            {"when": {"path": "/drop-before"}, "drop": "before"},
            {"when": {"path": "/drop-after"}, "drop": "after"},
            {"when": {"path": "/hang"}, "hang": 60},
            {"when": {"path": "/html"}, "nonsense": "html"},
            {"when": {"path": "/truncated"}, "nonsense": "truncated"},
            {"when": {"path": "/not-http"}, "nonsense": "not-http"}
        ]}
        """

    /// The promises of `Transport`.
    public static let transport = ConformanceSuite<TransportSubject>([
        .init("brings_back_status_fields_and_body") { subject in
            let response = try await subject.send("/404")
            try promise(response.status == 404, "the status was \(response.status)")
            try promise(response.values(of: "x-check") == ["one, two"], "a header field is missing")
            try promise(response.values(of: "CONTENT-TYPE") == ["application/json"], "a header field is missing")
            try promise(response.body == Array(#"{"error": "scripted"}"#.utf8), "the body is another")
        },
        .init("sends_fields_and_body_as_given") { subject in
            let record = #"{"scanId":"0a000000-0000-4000-8000-000000000001","note":"\#u{e9}\#u{1f600}"}"#
            let taken = try await subject.send("/records", record)
            try promise(taken.status == 200, "a good request was answered with \(taken.status)")
            let shown = String(decoding: taken.body, as: UTF8.self)
            let isTaken = occurs("0a000000-0000-4000-8000-000000000001", in: shown)
            try promise(isTaken, "the body did not arrive whole")
            let refused = try await subject.send("/records", record, token: "another")
            try promise(refused.status == 401, "the token did not arrive: \(refused.status)")
            let padding = String(repeating: "x", count: 200_000)
            let large = #"{"scanId":"0a000000-0000-4000-8000-000000000002","note":"\#(padding)"}"#
            let answer = try await subject.send("/records", large)
            try promise(answer.status == 200, "200 kB were answered with \(answer.status)")
        },
        .init("any_status_is_an_answer") { subject in
            let response = try await subject.send("/503")
            try promise(response.status == 503, "the status was \(response.status)")
            try promise(response.values(of: "Retry-After") == ["120"], "the server's wait is missing")
        },
        .init("follows_no_redirect") { subject in
            let response = try await subject.send("/redirect")
            try promise(response.status == 307, "the status was \(response.status)")
            try promise(response.values(of: "Location") == ["/records"], "the new place is missing")
        },
        .init("no_whole_answer_is_an_error") { subject in
            for path in ["/drop-before", "/drop-after", "/truncated", "/not-http"] {
                try await promise(throwing: TransportError.self, "\(path) was answered") {
                    try await subject.send(path, #"{"scanId":"0a000000-0000-4000-8000-000000000003"}"#)
                }
            }
            try await promise(throwing: TransportError.self, where: { $0.code == .connectionFailed }, "nobody there") {
                try await subject.transport.send(TransportRequest(url: "http://127.0.0.1:1/"))
            }
        },
        .init("cuts_a_long_body") { subject in
            let response = try await subject.send("/html")
            try promise(response.status == 200, "the status was \(response.status)")
            try promise(response.body.count == 1 << 20, "3 MB became \(response.body.count) bytes")
        },
        .init("ends_within_the_timeout") { subject in
            try await within(seconds: 30) {
                try await promise(throwing: TransportError.self, where: { $0.code == .timedOut }, "a silent server") {
                    try await subject.send("/hang", timeout: .milliseconds(300))
                }
            }
        },
        .init("cancelling_ends_the_exchange") { subject in
            try await within(seconds: 30) {
                let early = Task { try await subject.send("/hang", timeout: .seconds(50)) }
                early.cancel()
                try await promise(throwing: TransportError.self, where: { $0.code == .cancelled }, "cancelled at once")
                {
                    try await early.value
                }
                let late = Task { try await subject.send("/hang", timeout: .seconds(50)) }
                // A whole exchange later, the other request is most likely under way; the promise holds either way.
                _ = try await subject.send("/503")
                late.cancel()
                try await promise(throwing: TransportError.self, where: { $0.code == .cancelled }, "cancelled") {
                    try await late.value
                }
            }
        },
        .init("refuses_what_it_cannot_send") { subject in
            for url in ["", "no url", "/path", "ftp://127.0.0.1/"] {
                try await promise(throwing: TransportError.self, where: { $0.code == .invalidRequest }, "an unfit URL")
                {
                    try await subject.transport.send(TransportRequest(url: url))
                }
            }
            for field in [HeaderField("X-A", "b\r\nX-C: d"), HeaderField("X A", "b"), HeaderField("", "b")] {
                try await promise(
                    throwing: TransportError.self,
                    where: { $0.code == .invalidRequest },
                    "an unfit field"
                ) {
                    try await subject.send("/404", headers: [field])
                }
            }
        },
        .init("errors_show_nothing_private") { subject in
            do {
                _ = try await subject.send("/drop-before", #""secret-body""#, token: "secret-token")
                try promise(false, "no answer was an answer")
            } catch let error as TransportError {
                let text = "\(error) \(String(reflecting: error))"
                let isPrivate = !occurs("secret", in: text) && !occurs("drop-before", in: text)
                try promise(isPrivate, "an error shows what was sent")
            }
        },
        .init("carries_many_at_once") { subject in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await subject.send("/404").status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            try promise(statuses == [Int](repeating: 404, count: 8), "eight requests got \(statuses)")
        },
    ])
}

/// Breaks the promise if `body` has not ended in time, on a real clock: for adapters that really wait.
private func within(seconds: UInt64, _ body: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
            try await body()
            return true
        }
        group.addTask {
            try await Task.sleep(nanoseconds: seconds * 1_000_000_000)
            return false
        }
        let hasEnded = try await group.next()
        group.cancelAll()
        try promise(hasEnded == true, "it took more than \(seconds) seconds")
    }
}
