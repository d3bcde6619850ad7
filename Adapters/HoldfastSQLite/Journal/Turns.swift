import Dispatch
import HoldfastDomain

/// Lets one caller at a time at the journal, and commits appends that wait together.
///
/// A caller who finds the journal free does its short work at once, on its own thread: waking another thread costs
/// several times what a commit without a sync does. Whoever would have to wait does so without a thread: for another
/// caller, for another process's lock, for long work. That is done in order on the store's own queue.
// The keeper is used only by whoever has the turn; `isTaken` changes hands under the lock.
final class Turns: @unchecked Sendable {
    private enum Work {
        case append(Append)
        case other(@Sendable (JournalKeeper) -> Void)
    }

    private struct Append {
        var drafts: [Draft]
        var durability: Durability
        var continuation: CheckedContinuation<[AppendOutcome], any Error>
    }

    private struct State {
        var isTaken = false
        var waiting: [Work] = []
    }

    private let keeper: JournalKeeper
    private let state = Guarded(State())
    private let queue = DispatchQueue(label: "holdfast.sqlite", qos: .userInitiated)

    init(_ keeper: JournalKeeper) { self.keeper = keeper }

    /// Appends, together with others that wait.
    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        if drafts.count <= Self.shortWork, take() {
            do {
                defer { leave() }
                return try keeper.perform(patiently: false) { try $0.append([drafts], durability: durability)[0] }
            } catch is NotNow {}
        }
        return try await withCheckedThrowingContinuation { continuation in
            wait(.append(Append(drafts: drafts, durability: durability, continuation: continuation)))
        }
    }

    /// How many drafts, or outcomes, take no longer than a caller's thread should be kept.
    static let shortWork = 256

    /// Does short work, at once if the journal is free.
    func short<Value: Sendable>(_ body: @escaping @Sendable (JournalFile) throws -> Value) async throws -> Value {
        if take() {
            do {
                defer { leave() }
                return try keeper.perform(patiently: false, body)
            } catch is NotNow {}
        }
        return try await long { try $0.perform(patiently: true, body) }
    }

    /// Does work that may take long or wait.
    func long<Value: Sendable>(_ body: @escaping @Sendable (JournalKeeper) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            wait(.other { keeper in continuation.resume(with: Result { try body(keeper) }) })
        }
    }

    private func take() -> Bool {
        state.withLock { state in
            if state.isTaken { return false }
            state.isTaken = true
            return true
        }
    }

    /// Gives the turn back, or to the queue if there is something left to do.
    private func leave() {
        let isOver = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty || keeper.needsMaintenance
            return !state.isTaken
        }
        if !isOver { queue.async { self.work() } }
    }

    private func wait(_ work: Work) {
        let isFree = state.withLock { state in
            state.waiting.append(work)
            defer { state.isTaken = true }
            return !state.isTaken
        }
        if isFree { queue.async { self.work() } }
    }

    /// Does everything that waits, then what calls have left for later, until nothing is left.
    private func work() {
        var mayMaintain = true
        while true {
            let works = state.withLock { state in
                defer { state.waiting.removeAll() }
                return state.waiting
            }
            perform(works)
            if mayMaintain, keeper.needsMaintenance {
                mayMaintain = keeper.maintain()
                continue
            }
            let isOver = state.withLock { state in
                state.isTaken = !state.waiting.isEmpty
                return !state.isTaken
            }
            if isOver { return }
        }
    }

    private func perform(_ works: [Work]) {
        var appends: [Append] = []
        for work in works {
            switch work {
            case .append(let append): appends.append(append)
            case .other(let body):
                commit(appends)
                appends.removeAll()
                body(keeper)
            }
        }
        commit(appends)
    }

    /// One transaction for all; on the strictest durability that one of them asks for.
    private func commit(_ appends: [Append]) {
        guard !appends.isEmpty else { return }
        let durability = appends.contains { $0.durability == .powerLoss } ? Durability.powerLoss : .processDeath
        do {
            let outcomes = try keeper.perform(patiently: true) {
                try $0.append(appends.map(\.drafts), durability: durability)
            }
            for (append, outcome) in zip(appends, outcomes) { append.continuation.resume(returning: outcome) }
        } catch let error as QueueStoreError where error.code == .libraryFailure && appends.count > 1 {
            // Something in one of the calls, such as an entry of impossible size: the others need not suffer.
            for append in appends { commit([append]) }
        } catch {
            for append in appends { append.continuation.resume(throwing: error) }
        }
    }
}
