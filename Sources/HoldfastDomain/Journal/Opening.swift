/// What came of opening the entries of a lease.
struct Opening: Sendable {
    /// The entries that opened, in order.
    var entries: [OpenedEntry] = []
    /// What becomes of those that did not.
    var outcomes: [EntryID: DeliveryOutcome] = [:]
    /// Why nothing can be said now; then the rest is empty.
    var unavailable: KeyVaultError?
}

extension Sealer {
    /// Opens many entries, and separates those that will never open, those that wait by `policy` and those that cannot
    /// be opened now.
    func openAll(
        _ entries: [Entry],
        in archive: any EntryArchive,
        unopened policy: UnopenedPolicy = .setAside
    ) async -> Opening {
        let lost: DeliveryOutcome = policy == .wait ? .retry : .deadLettered(.undecryptable, note: nil)
        var result = Opening()
        result.entries.reserveCapacity(entries.count)
        // Nearly always one key sealed them all.
        var known: (id: KeyID, key: Key)?
        var binding: [UInt8] = []
        for entry in entries {
            // What it is now, as long as reading it again gives something new.
            var next: Entry? = entry
            while let entry = next {
                next = nil
                let id = entry.draft.keyID
                let key: Key
                if let known, known.id == id { key = known.key } else { key = await find(id) }
                known = (id, key)
                switch key {
                case .found(let key): result.take(entry, else: lost) { try open($0, with: key, &binding) }
                case .gone, .damaged:
                    do {
                        next = try await resealed(entry, in: archive)
                        let waits = key == .damaged && policy != .setAside
                        if next == nil { result.outcomes[entry.draft.id] = waits ? .retry : lost }
                    } catch { result.outcomes[entry.draft.id] = .retry }
                case .unknown(let error): return Opening(unavailable: error)
                }
            }
        }
        return result
    }

    private enum Key: Equatable {
        case found(SymmetricKey)
        case gone
        case damaged
        case unknown(KeyVaultError)
    }

    private func find(_ id: KeyID) async -> Key {
        do {
            return try await ring.key(id).map { .found($0) } ?? .gone
        } catch let error as KeyVaultError {
            return error.code == .damaged ? .damaged : .unknown(error)
        } catch {
            return .unknown(KeyVaultError(.unavailable))
        }
    }
}

extension Opening {
    fileprivate mutating func take(_ entry: Entry, else lost: DeliveryOutcome, open: (Entry) throws -> [UInt8]) {
        do {
            entries.append(OpenedEntry(entry: entry, payload: try open(entry)))
        } catch let error as CryptoError where error.code == .notAuthentic {
            outcomes[entry.draft.id] = lost
        } catch {
            // The library failed, not the entry; the next time it may work.
            outcomes[entry.draft.id] = .retry
        }
    }
}
