/// The key that new entries are sealed with.
public struct SealingKey: Hashable, Sendable {
    /// Its number in the ring.
    public let id: KeyID
    /// The secret.
    public let key: SymmetricKey

    /// The key with this number.
    public init(id: KeyID, key: SymmetricKey) {
        self.id = id
        self.key = key
    }
}

/// The keys of one stream: the newest seals, the older ones open what they sealed.
///
/// Keys live in the vault and are only ever added and removed. A key is made only when the vault says that there
/// certainly is none; a vault that cannot answer, or holds something that is no key, makes every call throw and
/// changes nothing, and the ring works again as soon as the vault does. Several rings, in one process or many, may
/// share a vault: the first one to store a number has made that key, and the others use it.
///
/// Every call throws `KeyVaultError`.
public actor KeyRing {
    private let stream: StreamName
    private let names: KeyNames
    private let vault: any KeyVault
    private let random: any RandomSource

    private var keys: [KeyID: SymmetricKey] = [:]
    private var newest: KeyID?
    /// Counts erasures, so that a call that was under way during one does not bring a dead key back.
    private var era = 0

    /// The ring of `stream` in `vault`; reads nothing yet.
    public init(stream: StreamName, vault: any KeyVault, random: any RandomSource) {
        self.stream = stream
        names = KeyNames(stream: stream)
        self.vault = vault
        self.random = random
    }

    /// The key to seal with; made and stored if the stream has none, or none from `floor` on.
    ///
    /// - Parameters:
    ///   - floor: The lowest number that may seal.
    ///   - unused: The first number that no entry has a key of, asked for only where a key is to be made: those that a
    ///     vault has lost are not to be taken for the new one.
    /// - Throws: What `unused` threw, too.
    public func current(
        from floor: KeyID = KeyID(1),
        unused: @Sendable () async throws -> KeyID = { KeyID(1) }
    ) async throws -> SealingKey {
        if let newest, newest >= floor, let key = keys[newest] { return SealingKey(id: newest, key: key) }
        return try await establish { survey in
            guard let id = survey.newest, id >= floor else {
                return try await make(after: survey, from: max(floor, try await unused()))
            }
            return try await read(id).map { SealingKey(id: id, key: $0) }
        }
    }

    /// The number of the key that seals now; nil if there is none yet. Makes none.
    public func newestID() async throws -> KeyID? { try await survey().newest }

    /// The key with this number; nil if it is certainly gone. Finds keys that another process has made meanwhile.
    public func key(_ id: KeyID) async throws -> SymmetricKey? {
        if let known = keys[id] { return known }
        let started = era
        guard try await survey().keys.contains(id), let key = try await read(id), started == era else { return nil }
        keys[id] = key
        return key
    }

    /// Makes a new key, which seals from now on. Older entries keep the keys they have.
    ///
    /// The key is stored and read back before it is used, so a crash at any point leaves either the old key in use or
    /// a whole new one. When two processes rotate at once, both end up with the same new key.
    ///
    /// - Parameter unused: The first number that no entry has a key of.
    public func rotate(from unused: KeyID = KeyID(1)) async throws -> KeyID {
        try await establish { try await make(after: $0, from: unused) }.id
    }

    /// Removes the older keys that no entry needs.
    ///
    /// Other processes may be sealing with one of them at this moment. So the key floor is raised in the journal first,
    /// durably, and only those keys are removed that no entry needs then. An append that comes too late is refused, and
    /// its entries are sealed with the current key. A crash in between leaves a key too many, removed the next time.
    ///
    /// - Returns: The keys that are gone.
    /// - Throws: `QueueStoreError` too.
    public func retire(in journal: any QueueStore & EntryArchive) async throws -> [KeyID] {
        let survey = try await survey()
        guard let current = survey.newest else { return [] }
        let counts = try await journal.statistics(stream)
        let idle = survey.keys.filter { $0 < current && counts.entriesByKey[$0] == nil }
        guard !idle.isEmpty || counts.keyFloor < current else { return [] }
        let needed = try await journal.retireKeys(of: stream, below: current)
        let retired = idle.subtracting(needed).sorted()
        for id in retired {
            try await vault.remove(named: names.key(id))
            keys[id] = nil
        }
        return retired
    }

    /// Looks whether another process has rotated or erased, and follows it.
    ///
    /// The newest key is never retired, and an erasure leaves its mark; so if the vault knows nothing as new as the key
    /// that seals here, it has lost it, and it is stored again. While the vault cannot tell, nothing more is sealed: what
    /// a key in memory alone has sealed would end with this process.
    public func refresh() async throws {
        let started = era
        let survey: KeySurvey
        do { survey = try await self.survey() } catch {
            if started == era { newest = nil }
            throw error
        }
        guard started == era else { return }
        forget(upTo: survey.erased)
        if let known = newest, let key = keys[known], known > survey.newest ?? KeyID(0) {
            _ = try await vault.insert(key.bytes, named: names.key(known))
        }
        if let id = survey.newest, id > newest ?? KeyID(0), let key = try await read(id), started == era {
            adopt(SealingKey(id: id, key: key))
        }
    }

    /// Destroys every key of the stream, so that nothing sealed so far can ever be opened again.
    ///
    /// The key floor is raised in the journal first, so that a process which has not noticed stores nothing under them. A
    /// mark stays in the vault and makes the next key's number higher than all before, so that what is left of old
    /// entries differs from new ones. If the process dies in between, the ring finishes when it is next used.
    ///
    /// - Throws: `QueueStoreError` too.
    public func destroy(in archive: any EntryArchive) async throws {
        let seen = keys.keys.max()
        era += 1
        forget(upTo: .max)
        let survey = try await survey()
        let highest = max(survey.newest ?? KeyID(0), seen ?? KeyID(0)).rawValue
        let (floor, overflow) = max(highest, survey.erased).addingReportingOverflow(1)
        if floor > 1 { _ = try await archive.retireKeys(of: stream, below: KeyID(overflow ? .max : floor)) }
        if highest > survey.erased {
            _ = try await vault.insert(Array("erased".utf8), named: names.mark(highest))
        }
        era += 1
        forget(upTo: .max)
        for id in survey.keys where id.rawValue <= highest { try await vault.remove(named: names.key(id)) }
        for mark in survey.marks where mark < highest { try await vault.remove(named: names.mark(mark)) }
    }
}

// MARK: - The vault

extension KeyRing {
    /// What the vault holds of this stream, with the remains of an interrupted erasure cleared away.
    private func survey() async throws -> KeySurvey {
        let survey = names.survey(try await vault.names())
        for id in survey.remains { try await vault.remove(named: names.key(id)) }
        return survey
    }

    private func read(_ id: KeyID) async throws -> SymmetricKey? {
        guard let bytes = try await vault.secret(named: names.key(id)) else { return nil }
        guard let key = SymmetricKey(bytes: bytes) else { throw KeyVaultError(.damaged) }
        return key
    }

    /// Stores a key under the next number and reads it back; it is another's if that was faster, and nil if an
    /// erasure was.
    private func make(after survey: KeySurvey, from floor: KeyID) async throws -> SealingKey? {
        guard let id = survey.next.map({ max($0, floor) }) else { throw KeyVaultError(.invalidName) }
        let fresh = SymmetricKey(random: random)
        let isOurs = try await vault.insert(fresh.bytes, named: names.key(id))
        guard let stored = try await read(id) else { return nil }
        guard stored == fresh || !isOurs else { throw KeyVaultError(.damaged) }
        return SealingKey(id: id, key: stored)
    }

    /// Tries until there is a key that no erasure has overtaken.
    private func establish(_ attempt: (KeySurvey) async throws -> SealingKey?) async throws -> SealingKey {
        for _ in 0..<8 {
            let started = era
            guard let found = try await attempt(try await survey()), started == era else { continue }
            adopt(found)
            return found
        }
        throw KeyVaultError(.unavailable)
    }

    private func adopt(_ found: SealingKey) {
        keys[found.id] = found.key
        if found.id > newest ?? KeyID(0) { newest = found.id }
    }

    private func forget(upTo number: UInt32) {
        keys = keys.filter { $0.key.rawValue > number }
        if let known = newest, known.rawValue <= number { newest = nil }
    }
}
