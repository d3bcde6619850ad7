/// Where a gate stands and which way it lets people through. Names are compared by their UTF-8 bytes.
public struct GatePlace: Hashable, Sendable {
    /// The event it admits to.
    public var event: String
    /// The zone it opens.
    public var zone: String
    /// Its own name, for the records.
    public var gate: String
    /// Which way it is set.
    public var direction: GateRecord.Direction

    /// A gate of this name, for this zone of this event.
    public init(event: String, zone: String, gate: String = "gate", direction: GateRecord.Direction = .entry) {
        self.event = event
        self.zone = zone
        self.gate = gate
        self.direction = direction
    }
}
