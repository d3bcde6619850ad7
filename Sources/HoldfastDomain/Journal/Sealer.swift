/// Seals and opens the entries of one stream.
///
/// What is sealed is bound to the stream, the entry's id, the number of the key and to being a payload or a note, so
/// sealed bytes that were moved to another place do not open there.
public struct Sealer: Sendable {
    let stream: StreamName
    let ring: KeyRing
    private let cipher: any PayloadCipher
    /// The part of what is bound that is the same for all entries.
    private let prefix: [UInt8]

    /// A sealer for `stream` with the keys of `ring`.
    public init(stream: StreamName, ring: KeyRing, cipher: any PayloadCipher) {
        self.stream = stream
        self.ring = ring
        self.cipher = cipher
        prefix = Bound.bytes("holdfast.entry.1", [Array(stream.rawValue.utf8)])
    }

    /// The sealed form of a payload. `key` is the ring's current one; the draft names its number.
    ///
    /// - Throws: `CryptoError` when the library failed.
    public func seal(_ payload: [UInt8], id: EntryID, with key: SealingKey) throws -> [UInt8] {
        try cipher.seal(payload, with: key.key, binding: binding(id, key.id, .payload))
    }

    /// The payload of an entry.
    ///
    /// - Throws: `CryptoError` `.notAuthentic` or `.keyAbsent` when it will never open; `KeyVaultError` when the key
    ///   cannot be read (only `.damaged` is for good).
    public func open(_ entry: Entry) async throws -> [UInt8] {
        try open(entry, with: try await key(of: entry))
    }

    /// The payload of an entry whose key is known already.
    ///
    /// - Throws: `CryptoError` `.notAuthentic` when it will never open.
    public func open(_ entry: Entry, with key: SymmetricKey) throws -> [UInt8] {
        try cipher.open(entry.draft.sealed, with: key, binding: binding(entry.draft.id, entry.draft.keyID, .payload))
    }

    /// A note on an entry, such as a server's words, sealed under the entry's own key.
    ///
    /// - Throws: As `open`.
    public func sealNote(_ note: [UInt8], of entry: Entry) async throws -> [UInt8] {
        let binding = binding(entry.draft.id, entry.draft.keyID, .note)
        return try cipher.seal(note, with: try await key(of: entry), binding: binding)
    }

    /// The note on a dead-lettered entry; nil if it has none.
    ///
    /// - Throws: As `open`.
    public func openNote(of entry: Entry) async throws -> [UInt8]? {
        guard case .deadLettered(_, let note?) = entry.state else { return nil }
        let binding = binding(entry.draft.id, entry.draft.keyID, .note)
        return try cipher.open(note, with: try await key(of: entry), binding: binding)
    }

    /// Seals an entry and its note anew.
    ///
    /// - Throws: As `open`, if either does not open.
    public func reseal(_ entry: Entry, with key: SealingKey) async throws -> Resealed {
        let id = entry.draft.id
        let payload = try await open(entry)
        let note = try await openNote(of: entry)
        return Resealed(
            id: id,
            oldKey: entry.draft.keyID,
            newKey: key.id,
            sealed: try seal(payload, id: id, with: key),
            note: try note.map { try cipher.seal($0, with: key.key, binding: binding(id, key.id, .note)) }
        )
    }

    /// - Throws: As `open`.
    func key(of entry: Entry) async throws -> SymmetricKey {
        guard let key = try await ring.key(entry.draft.keyID) else { throw CryptoError(.keyAbsent) }
        return key
    }

    private enum Part: String {
        case payload
        case note
    }

    /// Made at every entry, so in one piece: behind the prefix, each field after its length, as `Bound` writes them.
    private func binding(_ id: EntryID, _ key: KeyID, _ part: Part) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(prefix.count + 64)
        result += prefix
        result.append(bigEndian: 16 as UInt64)
        result.append(bigEndian: id.high)
        result.append(bigEndian: id.low)
        result.append(bigEndian: 4 as UInt64)
        result.append(bigEndian: key.rawValue)
        let name = part.rawValue.utf8
        result.append(bigEndian: UInt64(name.count))
        result += name
        return result
    }
}

extension CryptoError.Code {
    /// The key it was sealed with is certainly gone.
    public static let keyAbsent = CryptoError.Code("key_absent")
}

/// Joins fields so that no two different lists give the same bytes: each goes behind its length, all behind a domain.
enum Bound {
    static func bytes(_ domain: String, _ fields: [[UInt8]]) -> [UInt8] {
        var result: [UInt8] = []
        for field in [Array(domain.utf8)] + fields {
            result.append(bigEndian: UInt64(field.count))
            result += field
        }
        return result
    }
}
