/// pretix's signed secrets, `pretix_sig1` (pretix, `doc/development/algorithms` and `base/secrets.py`).
///
/// The text is base 64 with padding, written backwards. Decoded: version `01`, payload length (two bytes, big-endian),
/// signature length (the same), a protobuf payload, the Ed25519 signature over the payload. The lengths must add up to
/// the whole, and the signature must have 64 bytes.
///
/// The payload's fields are seed (1, text), item (2), variation (3), subevent (4), valid from (5) and valid until
/// (6), in Unix seconds; unknown ones are skipped, and of one that comes twice the last counts (protobuf, "Encoding").
/// The seed becomes the ticket's id and the item its product; both are required. A time of 0 is none. There is no
/// event and no key id inside.
public struct PretixFormat: TicketFormat {
    private static let headerLength = 5

    /// The format.
    public init() {}

    /// Reads a text; see `TicketFormat`.
    public func read(_ text: [UInt8]) -> TicketReading {
        guard text.withUnsafeBufferPointer(TicketText.shape) == .pieces(1) else { return .foreign }
        guard let bytes = Base64.decode(text.reversed() as [UInt8]) else { return .malformed(.encoding) }
        return TicketReading { .ticket(try Self.ticket(from: bytes)) }
    }

    private static func ticket(from bytes: [UInt8]) throws -> Ticket {
        guard bytes.count >= headerLength, bytes[0] == 1 else { throw MalformedReason.structure }
        let payloadLength = Int(bytes[1]) << 8 | Int(bytes[2])
        let signatureLength = Int(bytes[3]) << 8 | Int(bytes[4])
        guard bytes.count == headerLength + payloadLength + signatureLength else { throw MalformedReason.structure }
        guard signatureLength == TicketSignature.byteCount else { throw MalformedReason.signature }
        let payload = Array(bytes[headerLength..<(headerLength + payloadLength)])
        let fields = try PretixFields(payload)
        guard let seed = fields.seed, !seed.isEmpty, !seed.utf8.contains(0), let item = fields.item else {
            throw MalformedReason.member
        }
        let validFrom = try time(fields.validFrom)
        let validTo = try time(fields.validUntil)
        if let validFrom, let validTo, validFrom >= validTo { throw MalformedReason.time }
        return Ticket(
            id: seed,
            product: String(item),
            validFrom: validFrom,
            validTo: validTo,
            signature: Array(bytes.suffix(signatureLength)),
            signedBytes: payload
        )
    }

    private static func time(_ seconds: Int64) throws -> Timestamp? {
        guard seconds != 0 else { return nil }
        guard let time = Timestamp(unixSeconds: seconds) else { throw MalformedReason.time }
        return time
    }
}

/// The fields of the payload that matter here.
private struct PretixFields {
    var seed: String?
    var item: Int64?
    var validFrom: Int64 = 0
    var validUntil: Int64 = 0

    init(_ payload: [UInt8]) throws {
        var reader = ProtobufReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let bytes)):
                guard let text = String(validating: bytes) else { throw MalformedReason.structure }
                seed = text
            case (2, .varint(let value)): item = Int64(bitPattern: value)
            case (5, .varint(let value)): validFrom = Int64(bitPattern: value)
            case (6, .varint(let value)): validUntil = Int64(bitPattern: value)
            default: break
            }
        }
    }
}

extension String {
    /// The text that `bytes` are in UTF-8; nil if they are not (`String(validating:as:)` needs a newer library).
    fileprivate init?(validating bytes: [UInt8]) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
