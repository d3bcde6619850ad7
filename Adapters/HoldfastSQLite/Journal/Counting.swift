import HoldfastDomain

// The counts of a stream, its ledger, and the small values.
extension JournalFile {
    /// Counts of a stream, on one snapshot.
    func statistics(_ name: StreamName) throws -> StreamStatistics {
        try read {
            var result = StreamStatistics()
            result.diskBytes = try bytesOnDisk()
            guard let stream = stream(name) else { return result }
            result.queued = Int(clamping: stream.queued)
            result.delivered = Int(clamping: stream.delivered)
            result.deadLettered = Int(clamping: stream.deadLettered)
            result.liveBytes = stream.liveBytes
            result.newestRecorded = stream.newest.map(Timestamp.init(milliseconds:))
            result.lastSequence = stream.lastSequence
            for (key, count) in stream.keys.pairs { result.entriesByKey[key] = Int(clamping: count) }
            result.keyFloor = stream.keyFloor
            result.losses = try losses(of: stream)
            result.retry = retryState(of: stream)
            result.oldestQueued = try connection.first(
                .oldestQueued,
                {
                    $0.bind(stream.bounds.after.rawValue)
                    $0.bind(stream.bounds.through.rawValue)
                },
                { Timestamp(milliseconds: try $0.number()) }
            )
            return result
        }
    }

    func losses(of stream: StreamRow) throws -> [LossReason: Int] {
        var losses: [LossReason: Int] = [:]
        try connection.rows(.losses, { $0.bind(stream.number) }) { row in
            losses[LossReason(try row.text())] = Int(clamping: try row.number())
            return true
        }
        return losses
    }

    /// Adds to a stream's ledger.
    func recordLosses(_ losses: [LossReason: Int], of name: StreamName) throws {
        try write { try addLosses(losses, to: makeStream(name)) }
    }

    /// The value called `name`.
    func value(named name: String) throws -> [UInt8]? {
        try read { try connection.first(.value, { $0.bind(name) }, { try $0.bytes() }) }
    }

    /// Stores a value, or removes it.
    func setValue(_ value: [UInt8]?, named name: String) throws {
        try write {
            guard let value else { return try connection.run(.deleteValue) { $0.bind(name) } }
            try connection.run(.setValue) {
                $0.bind(name)
                $0.bind(value)
            }
        }
    }
}
