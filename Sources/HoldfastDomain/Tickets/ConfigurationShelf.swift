/// Keeps the key configuration in the journal: sealed like everything else, and one entry per version.
///
/// Its history is one subject whose versions are the configuration's own, so the one in force is the latest, it
/// survives a restart, and two processes that install at once cannot both win a version. It is never delivered.
///
/// Calls throw `ConfigurationError`, `KeyVaultError`, `CryptoError` or `QueueStoreError`; the one in force stays.
public struct ConfigurationShelf: Sendable {
    private let journal: any Journal
    private let sealer: Sealer
    private let hasher: SubjectHasher
    private let ports: GatePorts

    /// The shelf in the journal of `ports`.
    public init(ports: GatePorts, hasher: SubjectHasher) {
        journal = ports.journal
        let ring = KeyRing(stream: .configuration, vault: ports.vault, random: ports.random)
        sealer = Sealer(stream: .configuration, ring: ring, cipher: ports.cipher)
        self.hasher = hasher
        self.ports = ports
    }

    /// A configuration that is in force.
    public struct Installed: Equatable, Sendable {
        /// The configuration.
        public var configuration: KeyConfiguration
        /// When it was installed.
        public var installedAt: Timestamp
    }

    /// As `KeyRing.refresh`, of the key that configurations are sealed with.
    public func refresh() async throws { try await sealer.ring.refresh() }

    /// A number that grows with every installation, by whichever process; cheap to ask for.
    public func generation() async throws -> Int64 {
        try await journal.statistics(.configuration).lastSequence
    }

    /// The configuration in force; nil if none was ever installed.
    public func inForce() async throws -> Installed? {
        guard let entry = try await journal.latest(try await subject()) else { return nil }
        let configuration = try KeyConfiguration.read(
            try await sealer.open(entry),
            signedBy: nil,
            verifier: ports.verifier,
            calendar: ports.calendar
        )
        return Installed(configuration: configuration, installedAt: entry.draft.recordedAt)
    }

    /// Puts a configuration in force, in one durable step, if it is newer than the one that is. The same one again
    /// changes nothing and is no error; it takes the place of one of its version that will never open.
    ///
    /// An installation is a person's word, so a damaged key does not stand in its way: a new one is made, and the damaged
    /// one stays where it is. A key that only cannot be read now does.
    ///
    /// - Parameters:
    ///   - bytes: The JSON, or its signed compact form.
    ///   - key: The key that must have signed it; nil takes it signed or not.
    ///   - now: When it is installed.
    public func install(_ bytes: [UInt8], signedBy key: PublicKey?, now: ClockReading) async throws -> Installed {
        let configuration = try KeyConfiguration.read(
            bytes,
            signedBy: key,
            verifier: ports.verifier,
            calendar: ports.calendar
        )
        let subject = try await subject()
        if let entry = try await journal.latest(subject), version(of: entry) >= configuration.version {
            if let installed = try await compare(configuration, bytes, with: entry) { return installed }
            return try await replace(entry, with: configuration, bytes)
        }
        try await soundKey()
        let place = SubjectVersion(subject: subject, version: configuration.version)
        let entry = try await append(bytes, at: place, now: now)
        // A newer one may have been installed while this one was on its way; then this one never was in force.
        guard let latest = try await journal.latest(subject) else { throw QueueStoreError(.libraryFailure) }
        if let entry, version(of: entry) == version(of: latest) {
            guard let same = try await compare(configuration, bytes, with: entry) else {
                throw CryptoError(.notAuthentic)
            }
            return same
        }
        guard version(of: latest) == configuration.version else {
            throw ConfigurationError(.olderVersion, at: "version")
        }
        return Installed(configuration: configuration, installedAt: latest.draft.recordedAt)
    }

    /// Removes the configurations that are no longer in force.
    public func clear(now: ClockReading) async throws {
        guard try await journal.statistics(.configuration).queued > 1 else { return }
        guard let latest = try await journal.latest(try await subject()) else { return }
        let request = LeaseRequest(stream: .configuration, maxCount: 16, now: now.wall, duration: .minutes(1))
        guard let lease = try await journal.lease(request) else { return }
        var outcomes: [EntryID: EntryOutcome] = [:]
        for entry in lease.entries where version(of: entry) < version(of: latest) {
            outcomes[entry.draft.id] = .delivered(keep: false)
        }
        try await journal.settle(lease.id, of: .configuration, outcomes: outcomes, retry: RetryState())
    }

    private func subject() async throws -> Subject {
        try await hasher.subject(namespace: "configuration", id: "keys")
    }

    private func version(of entry: Entry) -> Int64 { entry.draft.place?.version ?? 0 }

    /// Appends a configuration at its place; the entry that has the place already, if one does.
    private func append(_ bytes: [UInt8], at place: SubjectVersion, now: ClockReading) async throws -> Entry? {
        for _ in 0..<8 {
            let id = EntryID(random: ports.random)
            let appended = try await sealer.append(to: journal, durability: .powerLoss) { key in
                [
                    Draft(
                        id: id,
                        stream: .configuration,
                        recordedAt: now.wall,
                        place: place,
                        keyID: key.id,
                        sealed: try sealer.seal(bytes, id: id, with: key)
                    )
                ]
            }
            switch appended.outcomes.first {
            case .appended: return nil
            case .conflict(let existing): return existing
            case .duplicate, .keyRetired, nil: continue
            }
        }
        throw QueueStoreError(.libraryFailure)
    }

    /// Holds a configuration against the one in force: the same content is fine, anything else is not.
    ///
    /// - Returns: nil if the one in force will never open.
    private func compare(
        _ configuration: KeyConfiguration,
        _ bytes: [UInt8],
        with entry: Entry
    ) async throws -> Installed? {
        guard version(of: entry) == configuration.version else {
            throw ConfigurationError(.olderVersion, at: "version")
        }
        guard let content = try await content(of: entry) else { return nil }
        guard try ConfigurationDocument(bytes).json == (try ConfigurationDocument(content)).json else {
            throw ConfigurationError(.sameVersionDifferentContent, at: "version")
        }
        return Installed(configuration: configuration, installedAt: entry.draft.recordedAt)
    }
}

// Installing where the configuration before does not open.
extension ConfigurationShelf {
    /// What an entry holds; nil if it will never open, or only once its key is restored.
    private func content(of entry: Entry) async throws -> [UInt8]? {
        do {
            return try await sealer.open(entry)
        } catch let error as CryptoError where error.code == .notAuthentic || error.code == .keyAbsent {
            return nil
        } catch let error as KeyVaultError where error.code == .damaged {
            return nil
        }
    }

    /// The key to seal with: a new one where the newest is damaged for good.
    @discardableResult
    private func soundKey() async throws -> SealingKey {
        let counts = try await journal.statistics(.configuration)
        do {
            return try await sealer.ring.current(from: counts.keyFloor) { counts.unusedKey }
        } catch let error as KeyVaultError where error.code == .damaged {
            return try await newKey()
        }
    }

    private func newKey() async throws -> SealingKey {
        let counts = try await journal.statistics(.configuration)
        let id = try await sealer.ring.rotate(from: counts.unusedKey)
        return try await sealer.ring.current(from: id) { counts.unusedKey }
    }

    /// Puts a configuration in the place of one of the same version that does not open. Under another key, so that of two
    /// processes the faster one says what that version is.
    private func replace(
        _ entry: Entry,
        with configuration: KeyConfiguration,
        _ bytes: [UInt8]
    ) async throws -> Installed {
        var key = try await soundKey()
        if key.id == entry.draft.keyID { key = try await newKey() }
        let id = entry.draft.id
        let sealed = try sealer.seal(bytes, id: id, with: key)
        _ = try await journal.reseal([Resealed(id: id, oldKey: entry.draft.keyID, newKey: key.id, sealed: sealed)])
        guard let now = try await journal.latest(try await subject()),
            let installed = try await compare(configuration, bytes, with: now)
        else { throw CryptoError(.notAuthentic) }
        return installed
    }
}
