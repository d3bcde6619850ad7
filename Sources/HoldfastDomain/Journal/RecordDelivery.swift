/// Hands the gate's records to a back end: what a courier of gate records delivers through.
public struct RecordDelivery: BatchDelivery {
    /// How much of a back end's words is kept with a record that it rejected, in bytes of UTF-8.
    public static let longestNote = 1024

    private let sender: any BatchSender

    /// A delivery to whatever is behind `sender`.
    public init(to sender: any BatchSender) { self.sender = sender }

    /// The bytes around records in the body that `HTTPRecordSender` sends.
    public var framing: BatchFraming { RecordBody.framing }

    /// The bytes of the record as JSON, which is what `HTTPRecordSender` sends; nil if the payload is no record.
    public func size(of entry: OpenedEntry) -> Int? { GateRecord(entry)?.json.count }

    /// Sends the records and translates what the back end said.
    public func deliver(_ batch: [OpenedEntry]) async -> DeliveryResult {
        // The courier has asked for each entry's size before, so each of them is a record.
        let records = batch.compactMap { GateRecord($0) }
        let answer: BatchAnswer
        do { answer = try await sender.send(records) } catch { return DeliveryResult(Self.verdict(of: error)) }
        switch answer {
        case .handled(let named):
            let outcomes = records.map { ($0.scanID, Self.outcome(of: named[$0.scanID] ?? .accepted)) }
            return DeliveryResult(.proceed, outcomes: Dictionary(outcomes) { first, _ in first })
        case .unauthorised: return DeliveryResult(.hold(.unauthorised))
        case .failed(let wait): return DeliveryResult(.backOff(serverWait: wait))
        case .serverFault: return DeliveryResult(.serverFault)
        case .tooLarge: return DeliveryResult(.split)
        case .rejected(let reason): return DeliveryResult(.rejected(note: Self.note(reason)))
        case .held(let obstacle): return DeliveryResult(.hold(obstacle))
        }
    }

    private static func outcome(of outcome: RecordOutcome) -> DeliveryOutcome {
        switch outcome {
        case .accepted: return .delivered
        case .duplicate: return .duplicate
        case .rejected(let reason): return .deadLettered(.rejected, note: note(reason))
        case .retryLater: return .retry
        }
    }

    /// What a thrown error means: nobody knows whether the batch arrived, so it comes again.
    private static func verdict(of error: any Error) -> DeliveryVerdict {
        let code = (error as? TransportError)?.code
        if Task.isCancelled || error is CancellationError || code == .cancelled { return .interrupted }
        return code == .invalidRequest ? .hold(.invalidRequest) : .backOff(serverWait: nil)
    }

    /// The beginning of a reason, whole characters only; nil for an empty one.
    private static func note(_ reason: String) -> [UInt8]? {
        guard !reason.isEmpty else { return nil }
        var kept = Array(reason.utf8.prefix(longestNote))
        if reason.utf8.count > longestNote {
            // A character that may be cut in two goes whole: its continuation bytes, then its first one.
            while let last = kept.last, last & 0xc0 == 0x80 { kept.removeLast() }
            if let last = kept.last, last >= 0xc0 { kept.removeLast() }
        }
        return kept
    }
}

extension GateRecord {
    /// The record that an entry holds, with the number that its stream gave it; nil if it holds none.
    init?(_ opened: OpenedEntry) {
        self.init(json: opened.payload)
        guard scanID == opened.id else { return nil }
        sequence = opened.entry.sequence
    }
}

/// A back end that is a closure: the host's own call, whatever it is made with.
///
/// ```swift
/// let sender = ClosureSender { records in
///     try await api.upload(records.map(\.json))     // throws: the same records come again later
///     return .handled()                             // all accepted
/// }
/// ```
public struct ClosureSender: BatchSender {
    private let body: @Sendable ([GateRecord]) async throws -> BatchAnswer

    /// A back end that `send` speaks to.
    public init(_ send: @escaping @Sendable (_ records: [GateRecord]) async throws -> BatchAnswer) { body = send }

    /// Calls the closure.
    public func send(_ records: [GateRecord]) async throws -> BatchAnswer { try await body(records) }
}
