import HoldfastDomain

/// A transport that answers as a script says, and keeps what it was asked to send. Safe to use from any thread.
///
/// ```swift
/// let transport = ScriptedTransport([.status(503), .fail(.timedOut)])   // afterwards always 200
/// transport.hold()                                  // from now on requests arrive but get no answer …
/// let answer = Task { try await transport.send(request) }
/// await transport.arrivals(1)                       // … and a test can wait for one to be in flight
/// transport.release()
/// XCTAssertEqual(transport.requests.count, 1)
/// ```
public final class ScriptedTransport: Transport {
    /// What a request gets.
    public enum Step: Sendable {
        /// This answer.
        case answer(TransportResponse)
        /// No answer, for this reason.
        case failure(TransportError)
        /// Whatever comes of looking at the request.
        case reply(@Sendable (TransportRequest) throws -> TransportResponse)

        /// An answer of this status.
        public static func status(_ status: Int, headers: [HeaderField] = [], body: [UInt8] = []) -> Step {
            .answer(TransportResponse(status: status, headers: headers, body: body))
        }

        /// No answer, for a reason of this kind.
        public static func fail(_ code: TransportError.Code) -> Step { .failure(TransportError(code)) }
    }

    private struct State {
        var steps: [Step]
        var afterwards: Step
        var requests: [TransportRequest] = []
        var inFlight = 0
        var mostInFlight = 0
    }

    private let state: Locked<State>
    private let turnstile = Turnstile()

    /// A transport that takes these steps, one a request, and `afterwards` for every further one.
    public init(_ steps: [Step] = [], afterwards: Step = .status(200)) {
        state = Locked(State(steps: steps, afterwards: afterwards))
    }

    /// Keeps the request and gives the next step's answer.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let step = state.withLock { state -> Step in
            state.requests.append(request)
            state.inFlight += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight)
            return state.steps.isEmpty ? state.afterwards : state.steps.removeFirst()
        }
        defer { state.withLock { $0.inFlight -= 1 } }
        do { try await turnstile.pass() } catch { throw TransportError(.cancelled) }
        switch step {
        case .answer(let response): return response
        case .failure(let error): throw error
        case .reply(let reply): return try reply(request)
        }
    }

    /// Every request so far, in order of arrival.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// The most requests that were ever in flight at once.
    public var mostInFlight: Int { state.withLock { $0.mostInFlight } }

    /// Adds steps to the end of the script.
    public func append(_ steps: Step...) { state.withLock { $0.steps += steps } }

    /// What every request gets once the script is through.
    public func setAfterwards(_ step: Step) { state.withLock { $0.afterwards = step } }

    /// Lets requests arrive but not be answered, until `release()` or until their task is cancelled.
    public func hold() { turnstile.hold() }

    /// Answers all requests that wait, and those to come.
    public func release() { turnstile.release() }

    /// Returns once at least `count` requests have arrived in all.
    public func arrivals(_ count: Int) async { await turnstile.arrivals(count) }
}
