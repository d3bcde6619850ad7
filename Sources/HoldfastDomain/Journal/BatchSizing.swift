/// How many entries the next batch may have. Pure; knows nothing of what is in them.
///
/// Three things make batches smaller. The other side says "too large": the count is halved until a batch goes through,
/// and doubled again after a run of successes. Or it refuses a batch for good: then its halves are searched for the
/// entry that causes it. Or it fails, again and again, perhaps because of an entry: then the count is halved at each
/// further failure until that entry stands alone, and doubled at each success.
struct BatchSizing: Hashable, Sendable {
    /// What to do with a batch that was refused.
    enum Refusal: Hashable, Sendable {
        /// Send the first half of it.
        case narrow
        /// It, or the one entry left of it, is not to be sent again.
        case setAside
        /// Hold everything.
        case hold
    }

    /// So many successes in a row let a count that was once too large be tried again.
    private static let calm = 8
    /// So many faults in a row say nothing of what was sent.
    private static let chances = 2

    private let full: Int
    private let rejection: RejectionPolicy
    private var count: Int
    private var successes = 0
    /// How many entries at the head of the queue hold the one that is searched for.
    private var suspects: Int?
    private var refusals = 0
    /// How many faults count: those in a row, as long as they say nothing; then one for each halving that is in force.
    /// It is kept with the queue, as each process may see one failure only.
    var faults = 0

    init(maxCount: Int, rejection: RejectionPolicy) {
        full = max(1, maxCount)
        count = full
        self.rejection = rejection
    }

    /// The most entries that the next batch may have.
    var limit: Int {
        min(suspects.map { min(count, max(1, $0 / 2)) } ?? count, narrowed)
    }

    private var narrowed: Int { max(1, full >> max(0, faults - Self.chances)) }

    /// A batch of `sent` entries was taken.
    mutating func accepted(_ sent: Int) {
        refusals = 0
        answered()
        suspects = suspects.flatMap { $0 > sent ? $0 - sent : nil }
        successes += 1
        if successes >= Self.calm {
            successes = 0
            count = count > full / 2 ? full : count * 2
        }
    }

    /// A batch of `sent` entries was too large.
    mutating func tooLarge(_ sent: Int) {
        successes = 0
        count = max(1, sent / 2)
    }

    private mutating func answered() { faults = faults > Self.chances + 1 ? faults - 1 : 0 }

    /// The other side failed at a batch of `sent` entries, perhaps because of one of them.
    ///
    /// - Parameter isSuspect: Whether it failed at each of them before; then there are no more chances.
    /// - Returns: Whether the batch is a single entry that has had its chances.
    mutating func failed(_ sent: Int, isSuspect: Bool) -> Bool {
        if isSuspect {
            if sent == 1 { return true }
            faults = max(faults, Self.chances)
        }
        if faults <= Self.chances || narrowed > 1 { faults += 1 }
        guard faults > Self.chances else { return false }
        while narrowed > max(1, sent / 2) { faults += 1 }
        return sent == 1
    }

    /// A batch of `sent` entries was refused for good.
    mutating func refused(_ sent: Int) -> Refusal {
        answered()
        let tries: Int
        let holds: Bool
        switch rejection {
        case .setAside: return .setAside
        case .isolate(let limit): (tries, holds) = (limit, false)
        case .isolateOrHold(let limit): (tries, holds) = (limit, true)
        }
        suspects = nil
        if refusals >= tries {
            if holds { refusals = 0 }
            return holds ? .hold : .setAside
        }
        refusals += 1
        guard sent > 1 else { return .setAside }
        suspects = sent
        return .narrow
    }
}
