import HoldfastDomain

/// Reads all that can be read of one stream's rows in a damaged table, in order.
///
/// Where a page cannot be read, the walk looks ahead in growing steps for a key that can, then back for the first
/// such key, and goes on from there: what is lost is what lay on the page. A damaged page can also give rows that are
/// not there, under keys from anywhere; a key that does not ascend is damage like one that cannot be read, so that the
/// walk always comes to an end.
struct SalvageWalk {
    enum Table: CaseIterable { case queued, settled }

    /// An entry, and before which time it is not to be leased again.
    typealias Found = (entry: Entry, notBefore: Timestamp?)

    /// What could not be read.
    struct Damage: Hashable {
        /// The sequences of rows that are there but make no sense.
        var rows: Set<Int64> = []
        /// Stretches between rows, or after the last one, that cannot be read; at least one row lay on each.
        var stretches = 0

        static func + (lhs: Self, rhs: Self) -> Self {
            Damage(rows: lhs.rows.union(rhs.rows), stretches: lhs.stretches + rhs.stretches)
        }
    }

    let source: Connection
    let table: Table
    let stream: StreamRow

    /// Calls `body` with each entry; a row that is not what this package writes is passed over.
    ///
    /// - Returns: What there was besides. A table of which nothing can be read may have been empty, and tells nothing.
    func run(_ body: (Found) throws -> Void) throws -> Damage {
        var damage = Damage()
        var position = stream.bounds.after.rawValue
        while let end = try readOn(after: position, &damage, body) {
            let next = firstReadable(after: end)
            if next != nil || end > stream.bounds.after.rawValue { damage.stretches += 1 }
            guard let next else { break }
            position = next
        }
        return damage
    }

    /// Reads from after `position` to the end, or to a page that cannot be read: then the last key that could.
    private func readOn(
        after position: Int64,
        _ damage: inout Damage,
        _ body: (Found) throws -> Void
    ) throws -> Int64? {
        var last = position
        do {
            try source.rows(table == .queued ? .salvageQueued : .salvageSettled, bounds(after: position)) { row in
                var (keyed, whole) = (row, row)
                let key = try keyed.number()
                guard key > last else { throw QueueStoreError.damagedValue }
                last = key
                guard let entry = try? whole.entry(of: stream.name) else {
                    if let key = try? EntryKey(stored: key) { damage.rows.insert(key.sequence) }
                    return true
                }
                let notBefore = (try? whole.optionalNumber()) ?? nil
                do {
                    try body((entry, notBefore.map(Timestamp.init(milliseconds:))))
                } catch {
                    throw NotOfTheSource(error: error)
                }
                return true
            }
            return nil
        } catch let other as NotOfTheSource {
            throw other.error
        } catch {
            return last
        }
    }

    /// A key after which a row can be read, as near to `damage` as there is one; nil at the end of the stream.
    private func firstReadable(after damage: Int64) -> Int64? {
        var unreadable = damage
        var step: Int64 = 1
        var readable: Int64
        repeat {
            let (ahead, overflow) = damage.addingReportingOverflow(step)
            guard !overflow, ahead < stream.bounds.through.rawValue else { return nil }
            readable = ahead
            step *= 2
            if isReadable(after: readable) { break }
            unreadable = readable
        } while true
        while readable - unreadable > 1 {
            let middle = unreadable + (readable - unreadable) / 2
            if isReadable(after: middle) { readable = middle } else { unreadable = middle }
        }
        return readable
    }

    private func isReadable(after key: Int64) -> Bool {
        let sql = table == .queued ? SQL.queuedHeads : .settledHeads
        // Only whether SQLite can get there, and to nothing before it, is asked.
        let isThere: Void? = try? source.rows(sql, bounds(after: key)) { row in
            guard try row.number() > key else { throw QueueStoreError.damagedValue }
            return false
        }
        return isThere != nil
    }

    private func bounds(after position: Int64) -> (inout Bindings) -> Void {
        { bindings in
            bindings.bind(position)
            bindings.bind(stream.bounds.through.rawValue)
        }
    }

    private struct NotOfTheSource: Error { var error: any Error }
}
