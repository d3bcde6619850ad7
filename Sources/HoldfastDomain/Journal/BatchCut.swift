/// The first of a lease's entries, as many as one body may carry.
struct BatchCut: Hashable, Sendable {
    /// What is to be sent, in order.
    var batch: [OpenedEntry] = []
    /// Entries that can never be sent.
    var outcomes: [EntryID: DeliveryOutcome] = [:]

    /// Takes entries in order until the count or the bytes of the exact body are used up. What is left stays queued.
    init(_ entries: [OpenedEntry], limit: Int, maxBodyBytes: Int, for delivery: some BatchDelivery) {
        let framing = delivery.framing
        var (count, total, end) = (0, framing.overhead, entries.endIndex)
        for index in entries.indices {
            guard let size = delivery.size(of: entries[index]) else {
                outcomes[entries[index].id] = .deadLettered(.invalid, note: nil)
                continue
            }
            guard Self.sum(framing.overhead, size) <= maxBodyBytes else {
                outcomes[entries[index].id] = .deadLettered(.oversize, note: nil)
                continue
            }
            let grown = Self.sum(total, count == 0 ? size : Self.sum(framing.separator, size))
            guard grown <= maxBodyBytes, count < limit else {
                end = index
                break
            }
            (count, total) = (count + 1, grown)
        }
        // Most often all of them go, and none is copied.
        batch = count == entries.count ? entries : entries[..<end].filter { outcomes[$0.id] == nil }
    }

    private static func sum(_ lhs: Int, _ rhs: Int) -> Int {
        let (sum, overflow) = lhs.addingReportingOverflow(rhs)
        return overflow ? .max : sum
    }
}
