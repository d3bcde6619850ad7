import HoldfastDomain

/// A back end for gate records that answers as a script says, and keeps what it was sent. Safe from any thread.
public final class ScriptedBatchSender: BatchSender {
    /// What a batch gets.
    public enum Step: Sendable {
        /// This answer.
        case answer(BatchAnswer)
        /// No answer: the batch may or may not have arrived.
        case failure(any Error)
        /// Whatever comes of looking at the batch.
        case reply(@Sendable ([GateRecord]) throws -> BatchAnswer)

        /// The batch is taken whole.
        public static let accept = Step.answer(.handled())
    }

    private struct State {
        var steps: [Step]
        var afterwards: Step
        var batches: [[GateRecord]] = []
    }

    private let state: Locked<State>
    private let turnstile = Turnstile()

    /// A back end that takes these steps, one a batch, and `afterwards` for every further one.
    public init(_ steps: [Step] = [], afterwards: Step = .accept) {
        state = Locked(State(steps: steps, afterwards: afterwards))
    }

    /// Keeps the batch and gives the next step's answer.
    public func send(_ records: [GateRecord]) async throws -> BatchAnswer {
        let step = state.withLock { state -> Step in
            state.batches.append(records)
            return state.steps.isEmpty ? state.afterwards : state.steps.removeFirst()
        }
        try await turnstile.pass()
        switch step {
        case .answer(let answer): return answer
        case .failure(let error): throw error
        case .reply(let reply): return try reply(records)
        }
    }

    /// Every batch so far, in order of arrival.
    public var batches: [[GateRecord]] { state.withLock { $0.batches } }

    /// Adds steps to the end of the script.
    public func append(_ steps: Step...) { state.withLock { $0.steps += steps } }

    /// Lets batches arrive but not be answered, until `release()` or until their task is cancelled.
    public func hold() { turnstile.hold() }

    /// Answers all batches that wait, and those to come.
    public func release() { turnstile.release() }

    /// Returns once at least `count` batches have arrived in all.
    public func arrivals(_ count: Int) async { await turnstile.arrivals(count) }
}
