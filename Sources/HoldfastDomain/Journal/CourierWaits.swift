// Which entries a courier may lease and how long it waits: pure, given the time.

extension CourierPolicy {
    /// What to lease for a batch of at most `limit` entries; `due` is by when an entry's own wait must be over.
    func request(_ limit: Int, of stream: StreamName, due: Timestamp?, now: Timestamp) -> LeaseRequest {
        // Two at least, whatever their size: whether something waits behind a single entry matters.
        let count = max(2, limit)
        // Sealed bytes are what the store counts: 28 more than a payload has.
        let sealing = count.multipliedReportingOverflow(by: 28).partialValue
        let bytes = max(maxBodyBytes, maxBodyBytes.addingReportingOverflow(sealing).partialValue)
        return LeaseRequest(
            stream: stream,
            maxCount: count,
            maxBytes: limit == 1 ? .max : bytes,
            now: now,
            duration: leaseDuration,
            longestWait: max(leaseDuration, longestEntryWait, putOff),
            due: due.map { max($0, now) }
        )
    }

    /// By when the wait of each entry that waits at `now` will be over.
    func endOfEntryWaits(at now: Timestamp) -> Timestamp { now + entryWait }

    /// Until when an entry waits that is answered with "later" at `now`: a call that sends entries due by `due` is not to
    /// meet it again.
    func deferral(at now: Timestamp, after due: Timestamp?) -> Timestamp {
        max(endOfEntryWaits(at: now), due.map { $0 + .milliseconds(1) } ?? .distantPast)
    }

    /// How long to wait for the entries that wait for a time of their own, where there are no others; nil if they may be
    /// sent.
    func waitForEntries(of retry: RetryState, due: Timestamp?, now: Timestamp) -> Interval? {
        // An end further ahead was set before the clock was set back.
        guard let end = retry.entriesDue, end > max(now, due ?? now), end - now <= longestEntryWait else { return nil }
        return end - now
    }
}

extension RetryState {
    /// The wait that is not over at `now`, if it is to be kept.
    func standingWait(at now: ClockReading, ignoringBackOff: Bool) -> CourierStep? {
        let left = remaining(at: now)
        guard left > .zero, isOrdered || !ignoringBackOff else { return nil }
        return .waiting(for: left, isOrdered ? .serverWait : .backoff)
    }
}
