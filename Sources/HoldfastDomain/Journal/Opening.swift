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
        var known: (id: KeyID, key: Key)?
        // In place of the first entry stands what reading it anew gave, as long as that is something new.
        var rest = entries[...]
        while let first = rest.first {
            let id = first.draft.keyID
            if known?.id != id { known = (id, await find(id)) }
            switch known?.key {
            case .found(let key):
                // Nearly always one key sealed them all.
                let run = rest.prefix { $0.draft.keyID == id }
                result.open(run, with: key, by: self, else: lost)
                rest = rest[run.endIndex...]
            case .unknown(let error): return Opening(unavailable: error)
            case .gone, .damaged, nil:
                let waits = known?.key == .damaged && policy != .setAside
                do {
                    if let newer = try await resealed(first, in: archive) {
                        rest[rest.startIndex] = newer
                        continue
                    }
                    result.outcomes[first.draft.id] = waits ? .retry : lost
                } catch {
                    result.outcomes[first.draft.id] = .retry
                }
                rest.removeFirst()
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
    /// Opens entries that one key sealed.
    fileprivate mutating func open(
        _ run: ArraySlice<Entry>,
        with key: SymmetricKey,
        by sealer: Sealer,
        else lost: DeliveryOutcome
    ) {
        var binding: [UInt8] = []
        for entry in run {
            do {
                let payload = try sealer.open(entry, with: key, &binding)
                entries.append(OpenedEntry(entry: entry, payload: payload))
            } catch let error as CryptoError where error.code == .notAuthentic {
                outcomes[entry.draft.id] = lost
            } catch {
                // The library failed, not the entry; the next time it may work.
                outcomes[entry.draft.id] = .retry
            }
        }
    }
}
