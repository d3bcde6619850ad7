/// Attempts that could not be recorded when they were made, until they can be. Bounded, and gone with the process: an
/// answer that was given without a record can be reported, but not made durable afterwards.
public struct Backlog: Sendable {
    /// How many attempts are held at most; the oldest that let nobody in are dropped first.
    public static let capacity = 4096

    /// One attempt.
    public struct Item: Hashable, Sendable {
        /// What is to be recorded.
        public var record: GateRecord
        /// The admission that it was, if somebody was let through.
        public var admission: AdmissionLedger.Admission?

        /// An attempt, and the admission it was.
        public init(record: GateRecord, admission: AdmissionLedger.Admission? = nil) {
            self.record = record
            self.admission = admission
        }
    }

    /// The attempts, oldest first.
    public private(set) var items: [Item] = []
    /// How many were dropped for want of room.
    public private(set) var dropped = 0

    /// An empty backlog.
    public init() {}

    /// Adds an attempt at the end.
    ///
    /// - Returns: Whether another had to be dropped for it.
    public mutating func append(_ item: Item) -> Bool {
        items.append(item)
        guard items.count > Self.capacity else { return false }
        // Attempts that let nobody in are the lesser loss.
        items.remove(at: items.firstIndex { $0.admission == nil } ?? 0)
        dropped &+= 1
        return true
    }

    /// Removes attempts that are recorded now.
    public mutating func remove(_ recorded: Set<EntryID>) { items.removeAll { recorded.contains($0.record.scanID) } }

    /// What the use of a ticket comes to by the admissions in here, after `use`; nil if there are none and `use` is.
    public func use(of admission: AdmissionLedger.Admission, after use: TicketUse?) -> TicketUse? {
        var use = use
        for item in items(of: admission) {
            guard var earlier = item.admission else { continue }
            earlier.rule.entries = .max
            let record = item.record
            let outcome = earlier.rule.decide(record.direction, after: use, at: record.at.wall, gate: record.gate)
            if case .counted(let next) = outcome { use = next }
        }
        return use
    }

    /// The admissions of this ticket in here, oldest first.
    public func items(of admission: AdmissionLedger.Admission) -> [Item] {
        items.filter { $0.admission?.isSameTicket(as: admission) ?? false }
    }
}

extension AdmissionLedger.Admission {
    func isSameTicket(as other: Self) -> Bool { ticket.isExactly(other.ticket) && event.isExactly(other.event) }
}
