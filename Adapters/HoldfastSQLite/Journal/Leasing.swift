import HoldfastDomain

/// The lease of a stream, as stored. It names its entries by sequence.
struct LeaseRow {
    var id: String
    var granted: Timestamp
    var expires: Timestamp
    var process: Int64
    var started: String
    var sequences: SequenceRuns

    /// Whether its time has not passed. One from the future was granted before the clock was set back.
    func isCurrent(at now: Timestamp) -> Bool { granted <= now && now < expires }
}

extension JournalFile {
    /// Leases the oldest deliverable entries of a stream.
    func lease(_ request: LeaseRequest) throws -> Lease? {
        // Most often there is nothing to lease, and looking takes no lock.
        if stream(request.stream)?.queued ?? 0 == 0 {
            guard try read({ try deliverable(request, limit: 1) }) != nil else { return nil }
        }
        return try write {
            guard let stream = stream(request.stream),
                let entries = try deliverable(request, limit: request.maxCount)
            else { return nil }
            let id = holder.nextLease()
            let expires = request.now + request.duration
            try connection.run(.setLease) {
                $0.bind(stream.number)
                $0.bind(id.rawValue)
                $0.bind(request.now.milliseconds)
                $0.bind(expires.milliseconds)
                $0.bind(holder.process)
                $0.bind(holder.started)
                $0.bind(SequenceRuns(entries.lazy.map(\.sequence)).bytes)
            }
            return Lease(id: id, entries: entries, expires: expires, retry: retryState(of: stream))
        }
    }

    /// What may be leased now, at most `limit`; nil if nothing.
    private func deliverable(_ request: LeaseRequest, limit: Int) throws -> [Entry]? {
        guard limit > 0, let stream = stream(request.stream), stream.queued > 0 else { return nil }
        if let lease = try currentLease(of: stream), lives(lease, at: request.now),
            lease.expires <= request.now + request.longestWait
        {
            return nil
        }
        var entries: [Entry] = []
        entries.reserveCapacity(min(limit, Int(clamping: stream.queued), 1024))
        var bytes = 0
        try connection.rows(
            .deliverable,
            {
                $0.bind(stream.bounds.after.rawValue)
                $0.bind(stream.bounds.through.rawValue)
                $0.bind(request.due.milliseconds)
                $0.bind((request.now + request.longestWait).milliseconds)
            },
            { row in
                let entry = try row.queuedEntry(of: stream.name)
                let (total, overflow) = bytes.addingReportingOverflow(entry.draft.sealed.count)
                guard entries.isEmpty || (!overflow && total <= request.maxBytes) else { return false }
                bytes = total
                entries.append(entry)
                return entries.count < limit
            }
        )
        return entries.isEmpty ? nil : entries
    }

    func lives(_ lease: LeaseRow, at now: Timestamp) -> Bool { lease.isCurrent(at: now) && holder.lives(lease) }

    func currentLease(of stream: StreamRow) throws -> LeaseRow? {
        try connection.first(.currentLease, { $0.bind(stream.number) }, { try LeaseRow(&$0) })
    }

    /// The retry state stored last. One that cannot be read bars nobody.
    func retryState(of stream: StreamRow) -> RetryState {
        stream.retry.flatMap(RetryState.init(bytes:)) ?? RetryState()
    }
}

extension LeaseRow {
    init(_ row: inout Row) throws {
        id = try row.text()
        granted = Timestamp(milliseconds: try row.number())
        expires = Timestamp(milliseconds: try row.number())
        process = try row.number()
        started = try row.text()
        sequences = try SequenceRuns(bytes: try row.bytes())
    }
}
