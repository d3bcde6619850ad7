/// What came of sealing and appending drafts.
public struct SealedAppend: Hashable, Sendable {
    /// One outcome per draft, none of them `.keyRetired`.
    public var outcomes: [AppendOutcome]
    /// The key they are sealed with.
    public var key: KeyID
    /// How many sealed bytes they have.
    public var byteCount: Int64
}

extension Sealer {
    /// More often than this no key is retired while one append is on its way.
    private static let mostTries = 16

    /// Seals drafts with the current key and appends them, in order.
    ///
    /// Another process may retire the key meanwhile: then the store refuses what it has sealed, and everything is sealed
    /// again with the key that followed. So no entry is ever stored under a key that is not there to open it.
    ///
    /// - Parameters:
    ///   - store: Where they go.
    ///   - durability: What the append must survive.
    ///   - seal: Makes the drafts with a key; asked again for another one.
    /// - Throws: `KeyVaultError`, `QueueStoreError`, or what `seal` threw; nothing was appended.
    public func append(
        to store: any QueueStore,
        durability: Durability,
        _ seal: @Sendable (SealingKey) throws -> [Draft]
    ) async throws -> SealedAppend {
        var floor = KeyID(1)
        for _ in 0..<Self.mostTries {
            let key = try await ring.current(from: floor) { try await store.statistics(stream).unusedKey }
            let drafts = try seal(key)
            let outcomes = try await store.append(drafts, durability: durability)
            // One key for all of one transaction: if one is refused for it, none was appended.
            guard let raised = outcomes.lazy.compactMap(\.keyFloor).max() else {
                let byteCount = drafts.reduce(0) { $0 + Int64($1.sealed.count) }
                return SealedAppend(outcomes: outcomes, key: key.id, byteCount: byteCount)
            }
            floor = raised
        }
        throw KeyVaultError(.unavailable)
    }
}

extension AppendOutcome {
    /// The key from which on a refused draft may be sealed.
    fileprivate var keyFloor: KeyID? {
        guard case .keyRetired(let floor) = self else { return nil }
        return floor
    }
}
