import Foundation
import HoldfastDomain
import HoldfastInMemory

/// A journal with its keys, and what a test wants to do with it.
struct JournalRig: Sendable {
    var stream = StreamName.telemetry
    var store = InMemoryQueueStore()
    var keys = InMemoryKeyVault()
    var clock = ManualClock()
    var diagnostics = CollectingDiagnostics()
    var random: any RandomSource = SeededRandom(seed: 1)
    var cipher: any PayloadCipher = ToyCipher()

    /// A new ring, as a new process has it.
    func ring() -> KeyRing { KeyRing(stream: stream, vault: keys, random: random) }

    func sealer(_ ring: KeyRing? = nil) -> Sealer {
        Sealer(stream: stream, ring: ring ?? self.ring(), cipher: cipher)
    }

    /// A new courier, as a new process has it.
    func courier(_ delivery: any BatchDelivery, _ policy: CourierPolicy = CourierPolicy()) -> Courier {
        Courier(
            stream: stream,
            store: store,
            sealer: sealer(),
            delivery: delivery,
            clock: clock,
            random: random,
            diagnostics: diagnostics,
            policy: policy
        )
    }

    /// Seals and appends payloads, and returns their ids.
    @discardableResult
    func append(_ payloads: [String], ring: KeyRing? = nil) async throws -> [EntryID] {
        let ring = ring ?? self.ring()
        let sealer = sealer(ring)
        let key = try await ring.current()
        let drafts = try payloads.map { payload in
            let id = EntryID(random: random)
            return Draft(
                id: id,
                stream: stream,
                recordedAt: clock.now().wall,
                keyID: key.id,
                sealed: try sealer.seal(Array(payload.utf8), id: id, with: key)
            )
        }
        _ = try await store.append(drafts, durability: .processDeath)
        return drafts.map(\.id)
    }

    /// Appends `count` short payloads.
    @discardableResult
    func append(count: Int) async throws -> [EntryID] { try await append((0..<count).map { "payload \($0)" }) }

    func entries() async throws -> [Entry] { try await store.entries(stream, after: 0, limit: .max) }

    func states() async throws -> [EntryID: Entry.State] {
        Dictionary(try await entries().map { ($0.draft.id, $0.state) }) { first, _ in first }
    }
}

/// A delivery that answers as a script says, and keeps what it was sent.
// Its state is read and written under the lock.
final class ScriptedDelivery: BatchDelivery, @unchecked Sendable {
    typealias Step = @Sendable ([OpenedEntry]) async -> DeliveryResult

    let framing: BatchFraming
    private let lock = NSLock()
    private var steps: [Step]
    private let afterwards: Step
    private var sent: [[OpenedEntry]] = []
    private var inFlight = 0
    private var most = 0

    init(
        _ steps: [Step] = [],
        framing: BatchFraming = BatchFraming(overhead: 2, separator: 1),
        afterwards: @escaping Step = { .delivered($0) }
    ) {
        self.steps = steps
        self.framing = framing
        self.afterwards = afterwards
    }

    convenience init(_ first: DeliveryVerdict, _ others: DeliveryVerdict...) {
        self.init(([first] + others).map { verdict in { _ in DeliveryResult(verdict) } })
    }

    /// Payloads that begin with `!` cannot be sent.
    func size(of entry: OpenedEntry) -> Int? {
        entry.payload.first == UInt8(ascii: "!") ? nil : entry.payload.count
    }

    func deliver(_ batch: [OpenedEntry]) async -> DeliveryResult {
        let step = begin(batch)
        defer { end() }
        return await step(batch)
    }

    var batches: [[EntryID]] { lock.withLock { sent.map { $0.map(\.id) } } }
    var payloads: [[String]] {
        lock.withLock { sent.map { $0.map { String(decoding: $0.payload, as: UTF8.self) } } }
    }
    var mostInFlight: Int { lock.withLock { most } }

    private func begin(_ batch: [OpenedEntry]) -> Step {
        lock.withLock {
            sent.append(batch)
            inFlight += 1
            most = max(most, inFlight)
            return steps.isEmpty ? afterwards : steps.removeFirst()
        }
    }

    private func end() { lock.withLock { inFlight -= 1 } }
}

/// A vault with something to do around each call, such as to fail or to let another process in.
struct HookedVault: KeyVault {
    enum Call: Hashable, Sendable { case read(String), insert(String), remove(String), names }

    var vault = InMemoryKeyVault()
    var before: @Sendable (Call) async throws -> Void
    var afterRead: @Sendable (String) async -> Void = { _ in }

    func secret(named name: String) async throws -> [UInt8]? {
        try await before(.read(name))
        let secret = try await vault.secret(named: name)
        await afterRead(name)
        return secret
    }
    func insert(_ secret: [UInt8], named name: String) async throws -> Bool {
        try await before(.insert(name))
        return try await vault.insert(secret, named: name)
    }
    func remove(named name: String) async throws {
        try await before(.remove(name))
        try await vault.remove(named: name)
    }
    func names() async throws -> [String] {
        try await before(.names)
        return try await vault.names()
    }
}

/// A door that lets nobody through until it is opened.
actor Gateway {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []
    private var arrived = 0

    func pass() async {
        arrived += 1
        watchers.forEach { $0.resume() }
        watchers = []
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        waiting.forEach { $0.resume() }
        waiting = []
    }

    /// Returns once somebody has come.
    func arrival() async {
        guard arrived == 0 else { return }
        await withCheckedContinuation { watchers.append($0) }
    }
}

/// A library that has broken down.
struct FailingCipher: PayloadCipher {
    func seal(_ plaintext: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) throws -> [UInt8] {
        throw CryptoError(.libraryFailure)
    }
    func open(_ sealed: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) throws -> [UInt8] {
        throw CryptoError(.libraryFailure)
    }
}

extension JournalRig {
    /// Flips a bit of what is stored of an entry, as a failing disk does.
    func damage(_ id: EntryID) async throws {
        guard let entry = try await entries().first(where: { $0.draft.id == id }) else { return }
        var sealed = entry.draft.sealed
        sealed[sealed.count / 2] ^= 1
        _ = try await store.reseal([
            Resealed(id: id, oldKey: entry.draft.keyID, newKey: entry.draft.keyID, sealed: sealed)
        ])
    }
}
