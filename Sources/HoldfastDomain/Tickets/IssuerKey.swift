/// A key that an event's tickets are signed with.
public struct IssuerKey: Hashable, Sendable {
    /// How far a key is trusted.
    public enum Status: String, Hashable, Sendable {
        /// In use.
        case active
        /// No longer signing; what it signed in its time still counts.
        case retired
        /// In the wrong hands: nothing it signed counts, whenever that was.
        case compromised
    }

    /// Its id; nil for a key that no ticket names.
    public let id: String?
    /// The key itself.
    public let publicKey: PublicKey
    /// The first moment a ticket may have been issued under it; nil for any.
    public let notBefore: Timestamp?
    /// The last moment a ticket may have been issued under it, itself included (as in RFC 5280, section 4.1.2.5); nil
    /// for any.
    public let notAfter: Timestamp?
    /// How far it is trusted.
    public let status: Status

    /// A key of these parts.
    public init(
        id: String?,
        publicKey: PublicKey,
        notBefore: Timestamp? = nil,
        notAfter: Timestamp? = nil,
        status: Status = .active
    ) {
        self.id = id
        self.publicKey = publicKey
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.status = status
    }

    /// Why a ticket issued at `issuedAt` may not be verified with this key; nil if it may.
    ///
    /// What counts is when the ticket was *issued*: a key that has run out still verifies what it signed in its time.
    /// A ticket that does not say when it was issued is taken to have been issued `now`, the only moment known.
    public func objection(issuedAt: Timestamp?, now: Timestamp) -> DenialCode? {
        guard status != .compromised else { return .keyCompromised }
        let issued = issuedAt ?? now
        if let notBefore, issued < notBefore { return .keyNotValid }
        if let notAfter, issued > notAfter { return .keyNotValid }
        return nil
    }
}
