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
        for var entry in entries {
            // Again, as long as reading the entry anew gives something new.
            reading: while true {
                let id = entry.draft.keyID
                if known?.id != id { known = (id, await find(id)) }
                switch known?.key {
                case .found(let key):
                    result.take(entry, else: lost) { try open($0, with: key, &binding) }
                    break reading
                case .unknown(let error): return Opening(unavailable: error)
                case .gone, .damaged, nil:
                    let waits = known?.key == .damaged && policy != .setAside
                    do {
                        guard let newer = try await resealed(entry, in: archive) else {
                            result.outcomes[entry.draft.id] = waits ? .retry : lost
                            break reading
                        }
                        entry = newer
                    } catch {
                        result.outcomes[entry.draft.id] = .retry
                        break reading
                    }
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
