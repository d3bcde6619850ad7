import Holdfast

extension Decision {
    /// The decision as `gate scan --json` prints it: every member is always there, and what does not apply is null.
    var json: JSONObject {
        [
            "decision": .string(isAccepted ? "accepted" : "denied"),
            "reason": JSONValue(reason?.rawValue),
            "reasons": .array(reasons.map { .string($0.rawValue) }),
            "ticketId": JSONValue(ticket?.ticketID),
            "eventId": JSONValue(ticket?.eventID),
            "zoneId": JSONValue(ticket?.zoneID),
            "issuedAt": JSONValue(ticket?.issuedAt?.rfc3339),
            "validFrom": JSONValue(ticket?.validFrom?.rfc3339),
            "validTo": JSONValue(ticket?.validTo?.rfc3339),
            "signature": JSONValue(ticket.map { Base64URL.encode($0.signature) }),
            "scanId": .string(scanID.description),
            "sequence": sequence.map(JSONValue.integer) ?? .null,
            "at": .string(at.wall.rfc3339),
            "repeat": .bool(isRepeat),
            "clock": .string(clock.rawValue),
            "firstUsedAt": JSONValue(firstUsedAt?.rfc3339),
            "firstGate": JSONValue(firstGate),
            "entries": entries.map { .integer(Int64($0)) } ?? .null,
        ]
    }

    /// The decision as a person reads it: one line that says it in words, and in colour only besides.
    func line(inColour: Bool) -> String {
        let word = isAccepted ? "ACCEPTED" : "DENIED  "
        let colour = isAccepted ? "\u{1b}[1;30;42m" : "\u{1b}[1;37;41m"
        let verdict = inColour ? "\(colour) \(word) \u{1b}[0m" : word
        var parts = [verdict, ticket.map { printable($0.ticketID) } ?? "-", explanation]
        if isRepeat { parts.append("(still in view)") }
        if clock == .suspect { parts.append("(the clock is not to be trusted)") }
        return parts.joined(separator: "  ")
    }

    private var explanation: String {
        guard let primary = reason else {
            let zone = ticket?.zoneID.map { "zone \(printable($0))" }
            let entry = entries.map { "entry \($0)" }
            return ([zone, entry].compactMap { $0 } + (isRecorded ? [] : ["not recorded"])).joined(separator: ", ")
        }
        var words = primary.words
        if primary == .malformed, let malformed { words += ": \(malformed.words)" }
        if primary == .alreadyUsed, let firstUsedAt {
            words += ": first at \(firstUsedAt.rfc3339)" + (firstGate.map { ", at \(printable($0))" } ?? "")
            if let entries, entries > 1 { words += ", \(entries) times in all" }
        }
        if let failure { words += ": \(failure.words)" }
        let others = reasons.dropFirst().map(\.words)
        return others.isEmpty ? words : "\(words); also: \(others.joined(separator: ", "))"
    }
}

extension JSONValue {
    /// The string, or null.
    init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
}

/// A text from outside, fit for a terminal: whatever is no visible character is shown by its number, and the whole is cut
/// to a readable length.
func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(80) {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
            result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return text.unicodeScalars.count > 80 ? result + "…" : result
}
