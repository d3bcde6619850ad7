import HoldfastDomain
import HoldfastInMemory

/// Lets one call take as long as a test wants, and answers it with what was true when it was made.
actor LateJournal: JournalWrapper {
    /// Which call it is.
    enum Call: Hashable { case statistics, append, setValue }

    let base: any Journal
    private var awaited: Call?
    private var late: CheckedContinuation<Void, Never>?
    private var observers: [CheckedContinuation<Void, Never>] = []

    init(_ base: any Journal) { self.base = base }

    /// The next call of this kind waits for `release`.
    func hold(_ call: Call) { awaited = call }

    /// Returns once that call has come.
    func held() async {
        if late == nil { await withCheckedContinuation { observers.append($0) } }
    }

    func release() {
        late?.resume()
        late = nil
    }

    private func pass(_ call: Call) async {
        guard call == awaited else { return }
        awaited = nil
        await withCheckedContinuation { continuation in
            late = continuation
            observers.forEach { $0.resume() }
            observers = []
        }
    }

    func statistics(_ stream: StreamName) async throws -> StreamStatistics {
        let counts = try await base.statistics(stream)
        await pass(.statistics)
        return counts
    }

    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        await pass(.append)
        return try await base.append(drafts, durability: durability)
    }

    func setValue(_ value: [UInt8]?, named name: String) async throws {
        await pass(.setValue)
        try await base.setValue(value, named: name)
    }
}
