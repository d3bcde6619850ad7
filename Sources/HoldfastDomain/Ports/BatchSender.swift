/// Hands a batch of gate records to the host's own back end, over whatever network layer the host has.
///
/// Records are sent at least once: if an answer is lost, the same records, with the same ids, come again.
public protocol BatchSender: Sendable {
    /// Sends the records and tells what became of each.
    ///
    /// - Throws: Anything when the batch may not have arrived; it is then sent again later.
    func send(_ records: [GateRecord]) async throws -> BatchAnswer
}

/// What a back end said of a batch.
public enum BatchAnswer: Hashable, Sendable {
    /// The back end took the batch. Records that are not named here are taken as accepted.
    case handled([EntryID: RecordOutcome] = [:])
    /// The credentials were refused: hold everything until the host has others.
    case unauthorised
    /// The back end could not take the batch now; wait at least `after`, if it said so.
    case failed(retryAfter: Interval?)
    /// The batch was too large: send less at once.
    case tooLarge
    /// The back end will never take this batch, and does not say for which record's sake. It is then cut in halves
    /// until that record stands alone; only that one is set aside, with the reason.
    case rejected(reason: String)
    /// Sending again does not help until something changes: hold everything.
    case held(DeliveryObstacle)
}

/// What a back end said of one record.
public enum RecordOutcome: Hashable, Sendable {
    /// Taken.
    case accepted
    /// It had been taken before.
    case duplicate
    /// Never to be sent again; kept aside with the reason, beside the gate's own verdict, which does not change.
    case rejected(reason: String)
    /// To be sent again later.
    case retryLater
}
