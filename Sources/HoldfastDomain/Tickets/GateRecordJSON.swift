// The one form in which records are sealed, exported and handed over. The names are stable, every member is always
// there, and what does not apply is null:
//
//   scanId       the permanent id, a lower-case UUID        sequence   the number in this device's journal
//   decision     "accepted", "denied" or "annulled"         reason     the primary denial code
//   reasons      every denial code, the primary one first
//   ticketId, eventId, zoneId, keyId                         as far as a ticket could be read
//   gate, gateEvent, gateZone, direction ("in", "out")       the gate
//   at           wall time, RFC 3339 UTC                     uptime, boot   milliseconds of which boot
//   clock        "anchored", "unanchored" or "suspect"       configVersion
//   unreadable   {"sha256": hex, "length": bytes}            where no ticket could be read
//   use          {"entries", "inside", "firstAt", "firstGate", "day", "reentry"}: what the ticket's use comes to
//   annuls       the scanId that this record takes back
extension GateRecord {
    /// The record as compact JSON in UTF-8: what is sealed, exported and handed over.
    public var json: [UInt8] {
        var row = JSONRow(capacity: 640)
        row.id("{\"scanId\":", scanID)
        row.number(",\"sequence\":", sequence > 0 ? sequence : nil)
        row.text(",\"decision\":", verdict.rawValue)
        row.text(",\"reason\":", reasons.first?.rawValue)
        row.list(",\"reasons\":", reasons.map(\.rawValue))
        row.text(",\"ticketId\":", ticketID)
        row.text(",\"eventId\":", eventID)
        row.text(",\"zoneId\":", zoneID)
        row.text(",\"keyId\":", keyID)
        row.text(",\"gate\":", gate)
        row.text(",\"gateEvent\":", gateEvent)
        row.text(",\"gateZone\":", gateZone)
        row.text(",\"direction\":", direction.rawValue)
        row.text(",\"at\":", at.wall.rfc3339)
        row.number(",\"uptime\":", at.uptime.milliseconds)
        row.text(",\"boot\":", at.boot.rawValue)
        row.text(",\"clock\":", clock.rawValue)
        row.number(",\"configVersion\":", configurationVersion)
        if let unreadable {
            row.text(",\"unreadable\":{\"sha256\":", Hex.encode(unreadable.sha256))
            row.number(",\"length\":", Int64(unreadable.length))
            row.raw("}")
        } else {
            row.raw(",\"unreadable\":null")
        }
        row.raw(",\"use\":")
        if let use { use.write(to: &row) } else { row.raw("null") }
        row.id(",\"annuls\":", annuls)
        row.raw("}")
        return row.bytes
    }

    /// Reads what `json` gave; members that are not known are passed over.
    ///
    /// - Returns: nil for anything that is no record.
    public init?(json: [UInt8]) {
        // Why it is no record does not matter: it was sealed here, and is written by nobody else.
        guard let value = try? JSONValue.parse(json), let object = value.objectValue else { return nil }
        func text(_ name: String) -> String? { object[name]?.stringValue }
        guard let scanID = text("scanId").flatMap(EntryID.init), let gate = text("gate"),
            let event = text("gateEvent"), let zone = text("gateZone"),
            let direction = text("direction").flatMap(Direction.init),
            let wall = text("at").flatMap(Timestamp.init(rfc3339:)),
            let uptime = object["uptime"]?.integerValue, let boot = text("boot"),
            let clock = text("clock").flatMap(ClockConfidence.init),
            let names = object["reasons"]?.arrayValue
        else { return nil }
        let reasons = names.compactMap { $0.stringValue.flatMap(DenialCode.init) }
        guard reasons.count == names.count else { return nil }
        self.init(
            scanID: scanID,
            sequence: object["sequence"]?.integerValue ?? 0,
            reasons: reasons,
            place: GatePlace(event: event, zone: zone, gate: gate, direction: direction),
            at: ClockReading(wall: wall, uptime: Interval(milliseconds: uptime), boot: BootID(boot)),
            clock: clock,
            configurationVersion: object["configVersion"]?.integerValue
        )
        ticketID = text("ticketId")
        eventID = text("eventId")
        zoneID = text("zoneId")
        keyID = text("keyId")
        if let lost = object["unreadable"]?.objectValue {
            guard let hash = lost["sha256"]?.stringValue.flatMap({ Hex.decode($0) }),
                let length = lost["length"]?.integerValue
            else { return nil }
            unreadable = UnreadableText(sha256: hash, length: Int(clamping: length))
        }
        if let used = object["use"]?.objectValue {
            guard let use = TicketUse(used) else { return nil }
            self.use = use
        }
        if let annulled = text("annuls") {
            guard let id = EntryID(annulled) else { return nil }
            annuls = id
        }
    }
}

extension TicketUse {
    func write(to row: inout JSONRow) {
        row.number("{\"entries\":", Int64(entries))
        row.raw(isInside ? ",\"inside\":true" : ",\"inside\":false")
        row.text(",\"firstAt\":", firstAt.rfc3339)
        row.text(",\"firstGate\":", firstGate)
        row.text(",\"day\":", day?.text)
        row.raw(isReentry ? ",\"reentry\":true}" : ",\"reentry\":false}")
    }

    init?(_ object: JSONObject) {
        guard let entries = object["entries"]?.integerValue, let isInside = object["inside"]?.boolValue,
            let firstAt = object["firstAt"]?.stringValue.flatMap(Timestamp.init(rfc3339:)),
            let firstGate = object["firstGate"]?.stringValue, let isReentry = object["reentry"]?.boolValue
        else { return nil }
        var day: CivilDay?
        if let text = object["day"]?.stringValue {
            guard let read = CivilDay(text) else { return nil }
            day = read
        }
        self.init(
            entries: Int(clamping: entries),
            isInside: isInside,
            firstAt: firstAt,
            firstGate: firstGate,
            day: day,
            isReentry: isReentry
        )
    }
}

extension CivilDay {
    /// The day as `2026-05-01`; years beyond four digits, and before year 0, are written out.
    var text: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number.magnitude)
            return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Reads what `text` gave; nil for anything else.
    init?(_ text: String) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]) else {
            return nil
        }
        self.init(year: isNegative ? 0 &- year : year, month: month, day: day)
    }
}
