/// One HTTP-like request: everything a transport needs to send it, and nothing it has to decide.
public struct TransportRequest: Hashable, Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The absolute URL.
    public var url: String
    /// The header fields, in order.
    public var headers: [HeaderField]
    /// The body.
    public var body: [UInt8]
    /// How long the whole exchange may take; 30 s by default.
    public var timeout: Interval

    /// A request of these parts.
    public init(
        method: String = "POST",
        url: String,
        headers: [HeaderField] = [],
        body: [UInt8] = [],
        timeout: Interval = .seconds(30)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// One header field of a request or an answer.
public struct HeaderField: Hashable, Sendable {
    /// The field's name; compared without regard to ASCII case.
    public var name: String
    /// The field's value.
    public var value: String

    /// The field `name: value`.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What a server answered.
public struct TransportResponse: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, in order; a name may occur more than once.
    public var headers: [HeaderField]
    /// The body, cut at the transport's own limit (1 MiB unless it says otherwise).
    public var body: [UInt8]

    /// An answer of these parts.
    public init(status: Int, headers: [HeaderField] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The values of every field called `name`, without regard to ASCII case, in order.
    public func values(of name: String) -> [String] {
        let wanted = name.lowercased()
        return headers.filter { $0.name.lowercased() == wanted }.map(\.value)
    }
}

/// Carries one request to a server and brings back the answer, whatever its status.
///
/// It keeps an HTTP library out of the package, and decides nothing: what an answer means, when to try again and with
/// which token is the domain's. It ends within the request's timeout, follows no redirect (a token must not follow
/// one), keeps no cookies and retries nothing. The fields that frame the body, such as `Content-Length`, are its own to
/// send.
///
/// Use `CurlTransport` on Linux, `URLSessionTransport` on Apple platforms, `ScriptedTransport` in tests. Write one in a
/// single method over any HTTP client; refuse what cannot be sent as it is meant, map the client's errors to
/// `TransportError` and keep their numbers, and put neither URL nor fields nor bodies into them. In a test:
///
/// ```swift
/// struct StubTransport: Transport {
///     var answer: @Sendable (TransportRequest) throws -> TransportResponse
///     func send(_ request: TransportRequest) async throws -> TransportResponse { try answer(request) }
/// }
/// ```
///
/// A transport promises, and `Conformance.transport` checks against the package's own test server:
/// - `brings_back_status_fields_and_body`: names of fields compared without case, values as they came.
/// - `sends_fields_and_body_as_given`: nothing changed, added to the body or left out.
/// - `any_status_is_an_answer`: 404 and 503 are not errors.
/// - `follows_no_redirect`: 307 is an answer, and its `Location` is the host's to judge.
/// - `no_whole_answer_is_an_error`: also half of one, and what is no HTTP.
/// - `cuts_a_long_body`: at 1 MiB, unless it says otherwise.
/// - `ends_within_the_timeout`: with `.timedOut`, whatever the server does.
/// - `cancelling_ends_the_exchange`: soon, with `.cancelled`, also before it began.
/// - `refuses_what_it_cannot_send`: with `.invalidRequest`, above all line breaks in fields.
/// - `errors_show_nothing_private`: not the token, not the body, not the URL.
/// - `carries_many_at_once`: from many tasks.
public protocol Transport: Sendable {
    /// Sends the request and waits for the whole answer.
    ///
    /// - Throws: `TransportError` when there was no complete answer.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// Why there was no answer. The request may or may not have had its effect.
public struct TransportError: Error, Hashable, Sendable {
    /// The kind of failure; open, so that kinds can be added.
    public struct Code: Hashable, Sendable {
        /// The stable name of the kind.
        public let rawValue: String
        /// A kind of this name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// No network, or no route.
        public static let offline = Code("offline")
        /// The host's name could not be resolved.
        public static let nameNotResolved = Code("name_not_resolved")
        /// The connection was refused or lost.
        public static let connectionFailed = Code("connection_failed")
        /// TLS failed: no trust, wrong name, bad handshake.
        public static let tlsFailed = Code("tls_failed")
        /// No answer in time.
        public static let timedOut = Code("timed_out")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
        /// The request itself cannot be sent, such as a malformed URL.
        public static let invalidRequest = Code("invalid_request")
        /// What came back was not HTTP.
        public static let invalidResponse = Code("invalid_response")
    }

    /// The kind of failure.
    public var code: Code
    /// The library's own number, if there is one.
    public var platformCode: Int?

    /// An error of this kind.
    public init(_ code: Code, platformCode: Int? = nil) {
        self.code = code
        self.platformCode = platformCode
    }
}
