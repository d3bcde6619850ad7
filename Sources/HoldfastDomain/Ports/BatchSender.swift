/// Hands a batch of gate records to the host's own back end, over whatever network layer the host has.
///
/// It keeps HTTP, endpoints and credentials out of the gate. Records are sent at least once: if an answer is lost, the
/// same records are sent again with the same ids, so the back end recognises duplicates by `scanID`.
///
/// A closure is enough (`TicketGate.sync` takes one). `HTTPRecordSender` sends over a `Transport`, and there is
/// `ScriptedBatchSender` for tests. To write one, send the records in the form that your back end expects and return the
/// outcome of each; throw if the batch may not have arrived. It is called from any task, one batch at a time. In a test:
///
/// ```swift
/// struct AcceptEverything: BatchSender {
///     func send(_ records: [GateRecord]) async throws -> BatchAnswer { .handled() }
/// }
/// ```
///
/// A sender promises, and `Conformance.batchSender` checks against the host's back end:
/// - `takes_good_records`: records that are new and right are accepted.
/// - `answers_only_for_what_was_sent`: no outcome is of a record that was not in the batch.
/// - `takes_the_same_records_again`: as duplicates, or as accepted; never as an error.
public protocol BatchSender: Sendable {
    /// Sends the records and returns what became of each.
    ///
    /// - Throws: Any error when the batch may not have arrived; it is then sent again later.
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
    /// The back end failed at this batch, as by 500, and perhaps because of a record in it. The batch comes again later;
    /// if that goes on, in halves, until that record stands alone. It then comes after all others, and is never given up.
    case serverFault
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
