import HoldfastDomain

// What the journal's checks work with: numbered drafts, a fixed time, and short forms of the calls.

extension Timestamp {
    /// When the checks take place.
    static let checkTime = Timestamp(milliseconds: 1_790_000_000_000)
}

extension StreamName {
    static let first = StreamName("first")
    static let second = StreamName("second")
}

extension Draft {
    /// The draft with this number; the same number has the same id.
    static func number(
        _ number: Int,
        in stream: StreamName = .first,
        bytes: Int = 10,
        at time: Timestamp? = nil,
        place: SubjectVersion? = nil,
        key: UInt32 = 1,
        keepUntil: Timestamp? = nil
    ) -> Draft {
        Draft(
            id: .number(number),
            stream: stream,
            recordedAt: time ?? .checkTime + .seconds(Int64(number)),
            place: place,
            keyID: KeyID(key),
            sealed: (0..<bytes).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) },
            keepUntil: keepUntil
        )
    }
}

extension EntryID {
    /// Spread over all 16 bytes, as random ids are.
    static func number(_ number: Int) -> EntryID {
        let mixed = UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15
        return EntryID(high: mixed ^ mixed >> 31, low: UInt64(truncatingIfNeeded: number))
    }
}

extension SubjectVersion {
    static func of(_ subject: UInt8, _ version: Int64) -> SubjectVersion {
        SubjectVersion(subject: Subject(bytes: [UInt8](repeating: subject, count: 32)), version: version)
    }
}

extension QueueStore {
    @discardableResult
    func take(_ drafts: [Draft]) async throws -> [AppendOutcome] {
        try await append(drafts, durability: .processDeath)
    }

    /// Drafts of these numbers, in this order.
    @discardableResult
    func take(_ numbers: some Sequence<Int>, in stream: StreamName = .first) async throws -> [AppendOutcome] {
        try await take(numbers.map { .number($0, in: stream) })
    }

    func lease(
        _ stream: StreamName = .first,
        count: Int = 100,
        bytes: Int = .max,
        after wait: Interval = .minutes(60),
        for duration: Interval = .seconds(30)
    ) async throws -> Lease? {
        try await lease(
            LeaseRequest(
                stream: stream,
                maxCount: count,
                maxBytes: bytes,
                now: .checkTime + wait,
                duration: duration
            )
        )
    }

    func settle(
        _ lease: Lease,
        _ outcomes: [Int: EntryOutcome],
        in stream: StreamName = .first,
        retry: RetryState = RetryState()
    ) async throws {
        let named = outcomes.map { (EntryID.number($0.key), $0.value) }
        try await settle(
            lease.id,
            of: stream,
            outcomes: Dictionary(named, uniquingKeysWith: { first, _ in first }),
            retry: retry
        )
    }

    /// Leases and settles everything that is deliverable in one way.
    func settleAll(in stream: StreamName = .first, as outcome: EntryOutcome) async throws {
        guard let lease = try await lease(stream, count: .max) else { throw Broken(detail: "nothing could be leased") }
        let outcomes = lease.entries.map { ($0.draft.id, outcome) }
        try await settle(
            lease.id,
            of: stream,
            outcomes: Dictionary(outcomes, uniquingKeysWith: { first, _ in first }),
            retry: lease.retry
        )
    }
}

extension Lease? {
    /// The sequences of its entries; none for no lease.
    var sequences: [Int64] { self?.entries.map(\.sequence) ?? [] }
}

extension [AppendOutcome] {
    /// The sequences given out; nil for a draft that was not appended.
    var sequences: [Int64?] {
        map { outcome in
            guard case .appended(let sequence) = outcome else { return nil }
            return sequence
        }
    }
}

extension Array {
    /// The element there; nil if a broken store gave fewer.
    func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// The lease, or a broken promise if there is none.
func required(_ lease: Lease?, _ what: String = "there is no lease") throws -> Lease {
    guard let lease else { throw Broken(detail: what) }
    return lease
}
