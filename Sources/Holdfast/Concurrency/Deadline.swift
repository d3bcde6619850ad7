import HoldfastDomain

/// Limits the time that a caller waits for work, even if the work ignores its cancellation.
struct Deadline: Sendable {
    /// How long work that was cancelled may take to notice.
    private static let grace = Interval.seconds(1)

    private let sleeper: any Sleeper

    init(by sleeper: any Sleeper) { self.sleeper = sleeper }

    /// What `work` gives, or `TransportError` `.timedOut` after `limit`, or `.cancelled` soon after this task is.
    func run<Value: Sendable>(
        within limit: Interval,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let race = Race<Value>()
        let worker = Task {
            do { race.finish(.success(try await work())) } catch { race.finish(.failure(error)) }
        }
        let timer = Task {
            // A cancelled timer has lost the race.
            guard (try? await sleeper.sleep(for: limit)) != nil else { return }
            race.finish(.failure(TransportError(.timedOut)))
            worker.cancel()
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await race.winner()
        } onCancel: {
            worker.cancel()
            Task {
                try? await sleeper.sleep(for: Self.grace)  // nobody cancels it, and nothing is lost if somebody did
                race.finish(.failure(TransportError(.cancelled)))
            }
        }
    }
}

/// Remembers the first result and gives it to the one who waits.
private final class Race<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case running
        case awaited(CheckedContinuation<Value, any Error>)
        case finished(Result<Value, any Error>)
    }

    private let state = Locked(State.running)

    func finish(_ result: Result<Value, any Error>) {
        state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .running:
                state = .finished(result)
                return nil
            case .awaited(let continuation):
                state = .finished(result)
                return continuation
            case .finished: return nil
            }
        }?.resume(with: result)
    }

    func winner() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Value, any Error>? in
                if case .finished(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}

/// A transport whose requests end, whatever the one behind it does.
struct WatchedTransport: Transport {
    /// How much longer than its timeout a request may take before it is given up.
    static let grace = Interval.seconds(5)

    let transport: any Transport
    let deadline: Deadline

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await deadline.run(within: request.timeout + Self.grace) { try await transport.send(request) }
    }
}

/// A token provider that has to answer within a time limit; without one there are no tokens.
struct WatchedTokens: AccessTokenProvider {
    let provider: (any AccessTokenProvider)?
    let limit: Interval
    let deadline: Deadline

    func token(refused: AccessToken?) async throws -> AccessToken? {
        guard let provider else { return nil }
        return try await deadline.run(within: limit) { try await provider.token(refused: refused) }
    }
}
