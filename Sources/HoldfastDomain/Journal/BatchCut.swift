/// The first of a lease's entries, as many as one body may carry.
struct BatchCut: Hashable, Sendable {
    /// What is to be sent, in order.
    var batch: [OpenedEntry] = []
    /// Entries that can never be sent.
    var outcomes: [EntryID: DeliveryOutcome] = [:]

    /// Takes entries in order until the count or the bytes of the exact body are used up. What is left stays queued.
    init(_ entries: [OpenedEntry], limit: Int, maxBodyBytes: Int, for delivery: some BatchDelivery) {
        let framing = delivery.framing
        var total = framing.overhead
        batch.reserveCapacity(min(entries.count, max(0, limit)))
        for entry in entries {
            guard let size = delivery.size(of: entry) else {
                outcomes[entry.id] = .deadLettered(.invalid, note: nil)
                continue
            }
            guard Self.sum(framing.overhead, size) <= maxBodyBytes else {
                outcomes[entry.id] = .deadLettered(.oversize, note: nil)
                continue
            }
            let grown = Self.sum(total, batch.isEmpty ? size : Self.sum(framing.separator, size))
            guard grown <= maxBodyBytes, batch.count < limit else { break }
            total = grown
            batch.append(entry)
        }
    }

    private static func sum(_ lhs: Int, _ rhs: Int) -> Int {
        let (sum, overflow) = lhs.addingReportingOverflow(rhs)
        return overflow ? .max : sum
    }
}
