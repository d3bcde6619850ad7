/// Sends batches of events: a gzip body over a `Transport`, with the host's token of the moment.
public actor TelemetryDelivery: BatchDelivery {
    /// Where and how batches are sent.
    public struct Endpoint: Hashable, Sendable {
        /// The absolute URL to `POST` to.
        public var url: String
        /// The form of the body.
        public var body: BatchBody
        /// How long one request may take.
        public var timeout: Interval
        /// What the answers mean.
        public var answers: AnswerTable

        /// An endpoint of these parts.
        public init(
            url: String,
            body: BatchBody = .object,
            timeout: Interval = .seconds(30),
            answers: AnswerTable = AnswerTable()
        ) {
            self.url = url
            self.body = body
            self.timeout = timeout
            self.answers = answers
        }
    }

    /// The credentials of one request: a token, or none.
    private struct Credentials: Equatable {
        var token: AccessToken?
    }

    private enum TokenState {
        case usable
        /// Refused, and the host could not be asked for another yet.
        case toReplace(Credentials)
        /// Refused, and the host had no other: nothing is sent with this again.
        case refused(Credentials)
    }

    private let endpoint: Endpoint
    private let tokens: any AccessTokenProvider
    private let transport: any Transport
    private let compressor: any Compressor
    private let clock: any DeviceClock
    private var tokenState = TokenState.usable

    /// A delivery to `endpoint` over these ports.
    public init(
        to endpoint: Endpoint,
        tokens: any AccessTokenProvider,
        transport: any Transport,
        compressor: any Compressor,
        clock: any DeviceClock
    ) {
        self.endpoint = endpoint
        self.tokens = tokens
        self.transport = transport
        self.compressor = compressor
        self.clock = clock
    }

    /// What a body has beside its events.
    public nonisolated var framing: BatchFraming { endpoint.body.framing }

    /// The event's own bytes; nil if they cannot be an event's.
    public nonisolated func size(of entry: OpenedEntry) -> Int? {
        let isObject = entry.payload.first == UInt8(ascii: "{") && entry.payload.last == UInt8(ascii: "}")
        return isObject ? entry.payload.count : nil
    }

    /// Sends the batch, a second time if the first token was refused and the host has another.
    public func deliver(_ batch: [OpenedEntry]) async -> DeliveryResult {
        var credentials: Credentials
        do {
            credentials = try await currentCredentials()
        } catch {
            return DeliveryResult(Task.isCancelled ? .interrupted : .hold(.tokenUnavailable))
        }
        if case .refused(let refused) = tokenState, refused == credentials {
            return DeliveryResult(.hold(.unauthorised))
        }
        let request = request(for: batch)
        var (verdict, response) = await send(request, with: credentials)
        if verdict == .unauthorised {
            tokenState = .toReplace(credentials)
            do {
                let fresh = Credentials(token: try await tokens.token(refused: credentials.token))
                tokenState = .refused(credentials)
                guard fresh != credentials else { return DeliveryResult(.hold(.unauthorised)) }
                credentials = fresh
            } catch {
                return DeliveryResult(Task.isCancelled ? .interrupted : .hold(.tokenUnavailable))
            }
            (verdict, response) = await send(request, with: credentials)
        }
        return settle(batch, verdict, response, credentials)
    }

    private func currentCredentials() async throws -> Credentials {
        guard case .toReplace(let refused) = tokenState else {
            return Credentials(token: try await tokens.token(refused: nil))
        }
        let fresh = Credentials(token: try await tokens.token(refused: refused.token))
        tokenState = .refused(refused)
        return fresh
    }

    private func settle(
        _ batch: [OpenedEntry],
        _ verdict: AnswerVerdict,
        _ response: TransportResponse?,
        _ credentials: Credentials
    ) -> DeliveryResult {
        switch verdict {
        case .delivered:
            tokenState = .usable
            return .delivered(batch)
        case .retry(let after): return DeliveryResult(.backOff(serverWait: after))
        case .serverFault: return DeliveryResult(.serverFault)
        case .split: return DeliveryResult(.split)
        case .reject: return DeliveryResult(.rejected(note: response.map(Self.note)))
        case .hold(let obstacle): return DeliveryResult(.hold(obstacle))
        case .interrupted: return DeliveryResult(.interrupted)
        case .unauthorised:
            tokenState = .refused(credentials)
            return DeliveryResult(.hold(.unauthorised))
        }
    }

    /// The status and the beginning of the server's words, to be kept with what it refused.
    private static func note(_ response: TransportResponse) -> [UInt8] {
        Array("\(response.status) ".utf8) + response.body.prefix(1024)
    }

    private func request(for batch: [OpenedEntry]) -> TransportRequest {
        let body = endpoint.body.join(batch.map { $0.payload })
        var headers = [HeaderField("Content-Type", "application/json")]
        // A library that cannot compress, as for want of memory, must not stop delivery: the body then goes as it is.
        let packed = try? compressor.gzip(body)
        if packed != nil { headers.append(HeaderField("Content-Encoding", "gzip")) }
        return TransportRequest(url: endpoint.url, headers: headers, body: packed ?? body, timeout: endpoint.timeout)
    }

    private func send(
        _ request: TransportRequest,
        with credentials: Credentials
    ) async -> (AnswerVerdict, TransportResponse?) {
        var request = request
        if let token = credentials.token {
            request.headers.append(HeaderField("Authorization", "Bearer \(token.value)"))
        }
        do {
            let response = try await transport.send(request)
            return (endpoint.answers.verdict(of: response, now: clock.now().wall), response)
        } catch {
            return (endpoint.answers.verdict(of: error), nil)
        }
    }
}
