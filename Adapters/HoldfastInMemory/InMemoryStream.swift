import HoldfastDomain

/// One stream of an `InMemoryQueueStore`: a plain value, so that a call that fails can put the old one back.
struct InMemoryStream {
    struct Slot {
        var entry: Entry
        var notBefore = Timestamp.distantPast
    }

    struct Holding {
        var id: Lease.ID
        var granted: Timestamp
        var expires: Timestamp
        var sequences: Set<Int64>

        /// A lease from the future was granted before the clock was set back; it would bar the stream for too long.
        func lives(at now: Timestamp, longest: Interval? = nil) -> Bool {
            granted <= now && now < expires && longest.map { expires <= now + $0 } ?? true
        }
    }

    /// In order of sequence.
    private(set) var slots: [Slot] = []
    private(set) var lastSequence: Int64 = 0
    private(set) var newestRecorded: Timestamp?
    var holding: Holding?
    private(set) var losses: [LossReason: Int] = [:]
    var retry = RetryState()
    /// Nothing is sealed with a lower key any more.
    var keyFloor = KeyID(1)

    mutating func append(_ draft: Draft) -> Int64 {
        lastSequence += 1
        slots.append(Slot(entry: Entry(draft: draft, sequence: lastSequence)))
        newestRecorded = max(newestRecorded ?? draft.recordedAt, draft.recordedAt)
        return lastSequence
    }

    func index(of sequence: Int64) -> Int? {
        let index = firstIndex(after: sequence &- 1)
        return index < slots.count && slots[index].entry.sequence == sequence ? index : nil
    }

    func entries(after sequence: Int64, limit: Int) -> [Entry] {
        slots[firstIndex(after: sequence)...].prefix(max(0, limit)).map(\.entry)
    }

    mutating func lease(_ request: LeaseRequest, id: Lease.ID) -> Lease? {
        if let holding, holding.lives(at: request.now, longest: request.longestWait) { return nil }
        var bytes = 0
        var entries: [Entry] = []
        for slot in slots where slot.entry.state == .queued {
            // A retry time that no honest wait reaches was set before the clock was set back.
            guard slot.notBefore <= request.due || slot.notBefore > request.now + request.longestWait else { continue }
            let (total, overflow) = bytes.addingReportingOverflow(slot.entry.draft.sealed.count)
            guard entries.count < request.maxCount else { break }
            guard entries.isEmpty || (!overflow && total <= request.maxBytes) else { break }
            bytes = total
            entries.append(slot.entry)
        }
        guard !entries.isEmpty else { return nil }
        let expires = request.now + request.duration
        holding = Holding(id: id, granted: request.now, expires: expires, sequences: Set(entries.map(\.sequence)))
        return Lease(id: id, entries: entries, expires: expires, retry: retry)
    }

    /// Settles one entry; true if it is to be removed at once.
    mutating func settle(at index: Int, _ outcome: EntryOutcome, underLease: Bool) -> Bool {
        guard slots[index].entry.state == .queued else { return false }
        switch outcome {
        case .delivered(let keep):
            slots[index].entry.state = .delivered
            return !keep && slots[index].entry.draft.keepUntil == nil
        case .deadLettered(let reason, let note):
            slots[index].entry.state = .deadLettered(reason, note: note)
            count([reason: 1])
        case .retry(let notBefore):
            if underLease { slots[index].notBefore = notBefore }
        }
        return false
    }

    mutating func count(_ lost: [LossReason: Int]) {
        for (reason, count) in lost where count > 0 {
            let (sum, overflow) = losses[reason, default: 0].addingReportingOverflow(count)
            losses[reason] = overflow ? .max : sum
        }
    }

    mutating func replace(at index: Int, with entry: Entry) { slots[index].entry = entry }

    /// Removes the entries that `isDoomed`, and returns them.
    mutating func remove(where isDoomed: (Entry) -> Bool) -> [Entry] {
        var removed: [Entry] = []
        slots.removeAll { slot in
            guard isDoomed(slot.entry) else { return false }
            removed.append(slot.entry)
            return true
        }
        return removed
    }

    var statistics: StreamStatistics {
        var result = StreamStatistics()
        for slot in slots {
            result.entriesByKey[slot.entry.draft.keyID, default: 0] += 1
            switch slot.entry.state {
            case .queued:
                result.queued += 1
                result.liveBytes += Int64(slot.entry.draft.sealed.count)
                result.oldestQueued = result.oldestQueued ?? slot.entry.draft.recordedAt
            case .delivered: result.delivered += 1
            case .deadLettered: result.deadLettered += 1
            }
        }
        result.newestRecorded = newestRecorded
        result.lastSequence = lastSequence
        result.keyFloor = keyFloor
        result.losses = losses
        result.retry = retry
        return result
    }

    private func firstIndex(after sequence: Int64) -> Int {
        var bounds = 0..<slots.count
        while let middle = bounds.isEmpty ? nil : bounds.lowerBound + bounds.count / 2 {
            if slots[middle].entry.sequence <= sequence {
                bounds = (middle + 1)..<bounds.upperBound
            } else {
                bounds = bounds.lowerBound..<middle
            }
        }
        return bounds.lowerBound
    }
}
