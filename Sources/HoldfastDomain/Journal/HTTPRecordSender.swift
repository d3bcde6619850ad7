/// Hands gate records over as `POST` of `{"records":[…]}`, answered by
/// `{"results":[{"scanId":…,"outcome":"accepted|duplicate|rejected|retry","reason":…}]}`.
///
/// A 2xx answer without `results` accepts all; one with them speaks for those it names, and the others come again. An
/// answer that is not what was agreed, such as a network's sign-in page, accepts nothing.
public struct HTTPRecordSender: BatchSender {
    private let endpoint: String
    private let headers: [HeaderField]
    private let timeout: Interval
    private let transport: any Transport
    private let tokens: (any AccessTokenProvider)?
    private let clock: any DeviceClock
    private let onServerTime: (@Sendable (ClockAnchor) async -> Void)?
    private let onAttempt: (@Sendable (AttemptFailure?) async -> Void)?

    /// A sender of batches.
    ///
    /// - Parameters:
    ///   - endpoint: The absolute URL that batches are posted to.
    ///   - token: Where the bearer token (RFC 6750, section 2.1) comes from: asked at each batch, and once more with the
    ///     refused token after 401 or 403. Without it requests carry none.
    ///   - transport: Carries the batches.
    ///   - clock: The time, for dates in answers.
    ///   - headers: Further fields of each request.
    ///   - timeout: How long one request may take.
    ///   - onServerTime: Called with the time in the `Date` field of each answer that took a batch, to the second.
    ///   - onAttempt: Called after each request with the reason why it failed; nil if the server took the batch.
    public init(
        endpoint: String,
        token: (any AccessTokenProvider)? = nil,
        transport: any Transport,
        clock: any DeviceClock,
        headers: [HeaderField] = [],
        timeout: Interval = .seconds(30),
        onServerTime: (@Sendable (ClockAnchor) async -> Void)? = nil,
        onAttempt: (@Sendable (AttemptFailure?) async -> Void)? = nil
    ) {
        self.endpoint = endpoint
        tokens = token
        self.transport = transport
        self.clock = clock
        self.headers = headers
        self.timeout = timeout
        self.onServerTime = onServerTime
        self.onAttempt = onAttempt
    }

    /// Sends the records in one request, or in a second one with another token if the first was refused.
    ///
    /// - Throws: `TransportError` when there was no answer.
    public func send(_ records: [GateRecord]) async throws -> BatchAnswer {
        let body = RecordBody.bytes(of: records)
        let first: AccessToken?
        do { first = try await token(refused: nil) } catch { return try Self.withoutToken() }
        let answer = try await answer(to: records, body, first)
        guard answer == .unauthorised, tokens != nil else { return answer }
        let second: AccessToken?
        do { second = try await token(refused: first) } catch { return try Self.withoutToken() }
        guard second != nil, second != first else { return .unauthorised }
        return try await self.answer(to: records, body, second)
    }

    private func answer(to records: [GateRecord], _ body: [UInt8], _ token: AccessToken?) async throws -> BatchAnswer {
        var request = TransportRequest(url: endpoint, headers: headers, body: body, timeout: timeout)
        request.headers.append(HeaderField("Content-Type", "application/json"))
        if let token { request.headers.append(HeaderField("Authorization", "Bearer \(token.value)")) }
        let response: TransportResponse
        do { response = try await transport.send(request) } catch {
            await onAttempt?(.noAnswer((error as? TransportError) ?? TransportError(.connectionFailed)))
            throw error
        }
        let now = clock.now()
        let answer = BatchAnswer(response, to: records, now: now.wall)
        let isTaken: Bool
        if case .handled = answer { isTaken = true } else { isTaken = false }
        await onAttempt?(isTaken ? nil : .answer(status: response.status))
        if isTaken, let onServerTime, let date = response.values(of: "Date").first,
            let server = HTTPDate.parse(date, now: now.wall)
        {
            await onServerTime(ClockAnchor(server: server, seenAt: now))
        }
        return answer
    }

    private static func withoutToken() throws -> BatchAnswer {
        try Task.checkCancellation()
        return .held(.tokenUnavailable)
    }

    /// The host's token; one that cannot stand in a header field is no token to be had.
    private func token(refused: AccessToken?) async throws -> AccessToken? {
        guard let tokens, let token = try await tokens.token(refused: refused) else { return nil }
        let isSendable = !token.value.isEmpty && token.value.utf8.allSatisfy { 0x21...0x7e ~= $0 }
        guard isSendable else { throw TransportError(.invalidRequest) }
        return token
    }
}
