/// How much of a stream is lost, as far as that can be known. Pure.
///
/// A stream's row counts its entries up to `storedThrough`, and each later one was queued; so where the row can be read,
/// what is lost is known up to the highest sequence that anything still tells of. Where it cannot, a hole in the
/// sequences may be an entry that was removed as it should be. Then what is named but not there, or there but not to be
/// read, is what is certain.
struct SalvageLoss: Hashable {
    /// Entries that were not delivered.
    let queued: Int64
    /// Those, and entries that were kept after delivery.
    let all: Int64
    /// The highest sequence that was ever given out.
    let highest: Int64

    /// The losses of a stream that `old` tells of and of which `new` is left.
    ///
    /// - Parameters:
    ///   - old: What the damaged file says; only a name and a number where it says no more.
    ///   - new: What was found.
    ///   - damage: What could not be read.
    ///   - missing: The sequences that indexes name, but of which no entry was found.
    init(old: StreamRow, new: StreamRow, damage: SalvageWalk.Damage, missing: Set<Int64>) {
        // What an index names beyond that is damage itself, and must not use up the numbers.
        let reach = old.isStored ? old.storedThrough + StreamRow.uncountedLimit : EntryKey.largestSequence / 2
        let missing = missing.union(damage.rows).filter { $0 <= reach }
        highest = max(old.storedThrough, new.lastSequence, missing.max() ?? 0)
        guard old.isStored else {
            queued = Int64(max(missing.count, damage.rows.count + damage.stretches))
            all = queued
            return
        }
        queued = max(0, old.queued.addingSaturated(highest - old.storedThrough) - new.queued)
        let settled = max(0, old.delivered + old.deadLettered - new.delivered - new.deadLettered)
        all = max(queued.addingSaturated(settled), Int64(missing.count))
    }
}
