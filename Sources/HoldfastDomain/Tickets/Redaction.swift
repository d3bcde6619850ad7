// What is printed in passing says nothing of a ticket: an interpolated value ends up in logs and crash reports. Whoever
// wants to see all of one asks for its members, or for `dump`.

extension ScanReading: CustomStringConvertible {
    /// How long the code is, not what it says.
    public var description: String { "ScanReading(\(bytes.count) bytes)" }
}

extension CodeText: CustomStringConvertible {
    /// How long the text is, not what it says.
    public var description: String { "CodeText(\(bytes.count) bytes)" }
}

extension Ticket: CustomStringConvertible {
    /// Says that it is a ticket, not which.
    public var description: String { "Ticket" }
}

extension TicketClaims: CustomStringConvertible {
    /// Says that these are claims, not which.
    public var description: String { "TicketClaims" }
}

extension AdmissionLedger.Admission: CustomStringConvertible {
    /// Says that it is an admission, not whose.
    public var description: String { "Admission" }
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
