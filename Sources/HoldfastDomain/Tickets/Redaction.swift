// Printing a value shows nothing of a ticket: interpolated values end up in logs and crash reports. Its members, and
// `dump`, show all of it.

extension ScanReading: CustomStringConvertible {
    /// How long the code is, not what it says.
    public var description: String { "ScanReading(\(bytes.count) bytes)" }
}

extension CodeText: CustomStringConvertible {
    /// How long the text is, not what it says.
    public var description: String { "CodeText(\(bytes.count) bytes)" }
}

extension Ticket: CustomStringConvertible {
    /// The type's name only.
    public var description: String { "Ticket" }
}

extension TicketClaims: CustomStringConvertible {
    /// The type's name only.
    public var description: String { "TicketClaims" }
}

extension AdmissionLedger.Admission: CustomStringConvertible {
    /// The type's name only.
    public var description: String { "Admission" }
}

extension KeyConfiguration: CustomStringConvertible {
    /// Its version and its events, not which tickets were revoked.
    public var description: String {
        "KeyConfiguration(version \(version), \(events.map(\.id).joined(separator: ", ")))"
    }
}

extension TicketEvent: CustomStringConvertible {
    /// Its id and how many keys it has, not which tickets were revoked.
    public var description: String { "TicketEvent(\(id), \(keys.count) keys)" }
}

extension GateRecord: CustomStringConvertible {
    /// Which record it is and what was decided, not about which ticket.
    public var description: String {
        "GateRecord(\(scanID), #\(sequence), \(([verdict.rawValue] + reasons.map(\.rawValue)).joined(separator: " ")))"
    }
}

extension Decision: CustomStringConvertible {
    /// What was decided and where it is recorded, not about which ticket.
    public var description: String {
        let words = [isAccepted ? "accepted" : "denied"] + reasons.map(\.rawValue)
        let place = sequence.map { "#\($0)" } ?? "not recorded"
        return "Decision(\(words.joined(separator: " ")), \(scanID), \(place)\(isRepeat ? ", repeat" : ""))"
    }
}
