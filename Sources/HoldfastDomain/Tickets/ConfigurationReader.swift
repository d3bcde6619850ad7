extension KeyConfiguration {
    /// Reads a configuration strictly: it is taken whole or not at all.
    ///
    /// ```json
    /// {"version": 7, "issuedAt": "2026-05-01T00:00:00Z",
    ///  "events": [{"eventId": "EV1", "timeZone": "Europe/Kyiv", "format": "holdfast",
    ///    "keys": [{"keyId": "k1", "publicKey": "base64url of 32 bytes",
    ///              "notBefore": "2026-01-01T00:00:00Z", "notAfter": "2026-12-31T23:59:59Z", "status": "active"}],
    ///    "zones": {"VIP": ["GA", "VIP"]},
    ///    "admission": {"entries": 1, "reentry": false, "perDay": false},
    ///    "products": {"42": "GA"},
    ///    "revoked": ["T-13"]}],
    ///  "tolerance": {"before": 0, "after": 0}}
    /// ```
    ///
    /// `version`, `eventId`, `keys` and `publicKey` must be there; anything else may be absent or null. Times are
    /// RFC 3339 or whole Unix seconds, tolerances whole seconds; the time zone is UTC unless it is given. Members that
    /// are not known are ignored, so that an issuer may add some; values that are not known (a format, a key status)
    /// are refused, since guessing them could open a gate.
    ///
    /// - Parameters:
    ///   - bytes: The JSON, or its signed compact form.
    ///   - key: The key that must have signed it; nil takes it signed or not, unchecked.
    ///   - verifier: Checks that signature.
    ///   - calendar: Says which time zones there are.
    /// - Throws: `ConfigurationError`; `CryptoError` when the verifier itself failed.
    public static func read(
        _ bytes: [UInt8],
        signedBy key: PublicKey?,
        verifier: any SignatureVerifier,
        calendar: any CivilCalendar
    ) throws -> KeyConfiguration {
        let document = try ConfigurationDocument(bytes)
        if let key { try document.checkSignature(by: key, verifier: verifier) }
        return try ConfigurationReader(calendar: calendar).read(document)
    }
}

/// Turns the JSON of a configuration into what a gate looks things up in.
struct ConfigurationReader {
    let calendar: any CivilCalendar

    func read(_ document: ConfigurationDocument) throws -> KeyConfiguration {
        let value: JSONValue
        do {
            value = try JSONValue.parse(document.json, limits: JSONLimits(maxDepth: 16))
        } catch {
            throw ConfigurationError(.malformed)
        }
        let root = try ConfigurationNode(value, at: "")
        guard let version = try root.integer("version", from: 1, else: .invalidVersion) else {
            throw ConfigurationError(.missingMember, at: "version")
        }
        let events = try root.list("events") { try event(ConfigurationNode($0, at: $1())) }
        guard !events.isEmpty else { throw ConfigurationError(.empty, at: "events") }
        try refuseRepeats(of: events.map(\.id), code: .duplicateEvent, in: "events")
        let tolerance = try root.node("tolerance")
        return KeyConfiguration(
            version: version,
            issuedAt: try root.time("issuedAt"),
            events: events,
            toleranceBefore: .seconds(try tolerance?.integer("before", from: 0, else: .invalidTolerance) ?? 0),
            toleranceAfter: .seconds(try tolerance?.integer("after", from: 0, else: .invalidTolerance) ?? 0)
        )
    }

    private func event(_ node: ConfigurationNode) throws -> TicketEvent {
        guard let id = try node.string("eventId") else {
            throw ConfigurationError(.missingMember, at: node.path(of: "eventId"))
        }
        let timeZone = try node.string("timeZone") ?? "UTC"
        guard calendar.day(of: Timestamp(milliseconds: 0), in: timeZone) != nil else {
            throw ConfigurationError(.unknownTimeZone, at: node.path(of: "timeZone"))
        }
        var format = TicketEvent.Format.holdfast
        if let name = try node.string("format") {
            guard let known = TicketEvent.Format(rawValue: name) else {
                throw ConfigurationError(.unknownFormat, at: node.path(of: "format"))
            }
            format = known
        }
        let keys = try node.list("keys") { try key(ConfigurationNode($0, at: $1())) }
        guard !keys.isEmpty else { throw ConfigurationError(.empty, at: node.path(of: "keys")) }
        try refuseRepeats(of: keys.map(\.id), code: .duplicateKey, in: node.path(of: "keys"))
        return TicketEvent(
            id: id,
            timeZone: timeZone,
            format: format,
            keys: keys,
            admission: try admission(node.node("admission")),
            zones: try zones(node.node("zones")),
            products: try products(node.node("products")),
            revoked: try node.strings("revoked")
        )
    }

    private func key(_ node: ConfigurationNode) throws -> IssuerKey {
        let path = node.path(of: "publicKey")
        let text = try node.required("publicKey").stringValue
        guard let bytes = text.flatMap(Base64URL.decode), bytes.count == PublicKey.byteCount else {
            throw ConfigurationError(.invalidKey, at: path)
        }
        guard let publicKey = PublicKey(bytes: bytes) else { throw ConfigurationError(.weakKey, at: path) }
        var status = IssuerKey.Status.active
        if let name = try node.string("status") {
            guard let known = IssuerKey.Status(rawValue: name) else {
                throw ConfigurationError(.unknownStatus, at: node.path(of: "status"))
            }
            status = known
        }
        let (notBefore, notAfter) = (try node.time("notBefore"), try node.time("notAfter"))
        if let notBefore, let notAfter, notAfter < notBefore {
            throw ConfigurationError(.invalidTime, at: node.path(of: "notAfter"))
        }
        return IssuerKey(
            id: try node.string("keyId"),
            publicKey: publicKey,
            notBefore: notBefore,
            notAfter: notAfter,
            status: status
        )
    }

    private func admission(_ node: ConfigurationNode?) throws -> TicketEvent.Admission {
        var admission = TicketEvent.Admission()
        guard let node else { return admission }
        admission.entries = Int(clamping: try node.integer("entries", from: 1, else: .invalidEntries) ?? 1)
        admission.allowsReentry = try node.bool("reentry") ?? false
        admission.isPerDay = try node.bool("perDay") ?? false
        return admission
    }

    private func zones(_ node: ConfigurationNode?) throws -> [(ticketZone: String, opens: [String])] {
        guard let node else { return [] }
        return try node.object.members.map { ($0.name, try node.strings($0.name)) }
    }

    private func products(_ node: ConfigurationNode?) throws -> [(product: String, zone: String)] {
        guard let node else { return [] }
        return try node.object.members.map { member in
            guard let zone = member.value.stringValue else {
                throw ConfigurationError(.invalidMember, at: node.path(of: member.name))
            }
            return (member.name, zone)
        }
    }

    /// Nil is no id, and may be there more than once.
    private func refuseRepeats(of ids: [String?], code: ConfigurationError.Code, in path: String) throws {
        var seen: Set<ExactText> = []
        for (index, id) in ids.enumerated() {
            guard let id, !seen.insert(ExactText(id)).inserted else { continue }
            throw ConfigurationError(code, at: "\(path)[\(index)]")
        }
    }
}
