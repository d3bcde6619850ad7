/// Seals and opens the entries of one stream.
///
/// What is sealed is bound to the stream, the entry's id, the number of the key and to being a payload or a note, so
/// sealed bytes that were moved to another place do not open there.
public struct Sealer: Sendable {
    let stream: StreamName
    let ring: KeyRing
    private let cipher: any PayloadCipher
    private let payloads: BoundPlace
    private let notes: BoundPlace

    /// A sealer for `stream` with the keys of `ring`.
    public init(stream: StreamName, ring: KeyRing, cipher: any PayloadCipher) {
        self.stream = stream
        self.ring = ring
        self.cipher = cipher
        payloads = BoundPlace(stream, part: "payload")
        notes = BoundPlace(stream, part: "note")
    }

    /// The sealed form of a payload. `key` is the ring's current one; the draft names its number.
    ///
    /// - Throws: `CryptoError` when the library failed.
    public func seal(_ payload: [UInt8], id: EntryID, with key: SealingKey) throws -> [UInt8] {
        try cipher.seal(payload, with: key.key, binding: payloads.bytes(id, key.id))
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
        var binding: [UInt8] = []
        return try open(entry, with: key, &binding)
    }

    /// As `open`, for one entry after another: what they are bound to is made in `binding`, which is empty at first.
    func open(_ entry: Entry, with key: SymmetricKey, _ binding: inout [UInt8]) throws -> [UInt8] {
        payloads.write(entry.draft.id, entry.draft.keyID, to: &binding)
        return try cipher.open(entry.draft.sealed, with: key, binding: binding)
    }

    /// A note on an entry, such as a server's words, sealed under the entry's own key.
    ///
    /// - Throws: As `open`.
    public func sealNote(_ note: [UInt8], of entry: Entry) async throws -> [UInt8] {
        let binding = notes.bytes(entry.draft.id, entry.draft.keyID)
        return try cipher.seal(note, with: try await key(of: entry), binding: binding)
    }

    /// The note on a dead-lettered entry; nil if it has none.
    ///
    /// - Throws: As `open`.
    public func openNote(of entry: Entry) async throws -> [UInt8]? {
        guard case .deadLettered(_, let note?) = entry.state else { return nil }
        let binding = notes.bytes(entry.draft.id, entry.draft.keyID)
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
            note: try note.map { try cipher.seal($0, with: key.key, binding: notes.bytes(id, key.id)) }
        )
    }

    /// - Throws: As `open`.
    func key(of entry: Entry) async throws -> SymmetricKey {
        guard let key = try await ring.key(entry.draft.keyID) else { throw CryptoError(.keyAbsent) }
        return key
    }
}

extension CryptoError.Code {
    /// The key it was sealed with is certainly gone.
    public static let keyAbsent = CryptoError.Code("key_absent")
}

/// What an entry's sealed bytes are bound to, but for the entry itself: made once, since it is the same for all.
private struct BoundPlace {
    private let template: [UInt8]
    private let idOffset: Int

    init(_ stream: StreamName, part: String) {
        let zeros = [UInt8](repeating: 0, count: 16)
        let fields = [Array(stream.rawValue.utf8), zeros, Array(zeros.prefix(4)), Array(part.utf8)]
        template = Bound.bytes("holdfast.entry.1", fields)
        // Before the id are the stream and the id's own length.
        idOffset = Bound.bytes("holdfast.entry.1", [fields[0]]).count + 8
    }

    func bytes(_ id: EntryID, _ key: KeyID) -> [UInt8] {
        var bytes: [UInt8] = []
        write(id, key, to: &bytes)
        return bytes
    }

    /// Writes into an array that is empty, or was written into before.
    func write(_ id: EntryID, _ key: KeyID, to bytes: inout [UInt8]) {
        if bytes.isEmpty { bytes = template }
        bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: id.high.bigEndian, toByteOffset: idOffset, as: UInt64.self)
            bytes.storeBytes(of: id.low.bigEndian, toByteOffset: idOffset + 8, as: UInt64.self)
            // Behind the id is the key's length, then the key.
            bytes.storeBytes(of: key.rawValue.bigEndian, toByteOffset: idOffset + 24, as: UInt32.self)
        }
    }
}

/// Joins fields so that no two different lists give the same bytes: each goes behind its length, all behind a domain.
enum Bound {
    static func bytes(_ domain: String, _ fields: [[UInt8]]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(fields.reduce(8 + domain.utf8.count) { $0 + 8 + $1.count })
        func append(_ field: some Collection<UInt8>) {
            result.append(bigEndian: UInt64(field.count))
            result.append(contentsOf: field)
        }
        append(domain.utf8)
        fields.forEach(append)
        return result
    }
}
