/// Sends a batch of opened entries somewhere, for a courier: the half of delivery that knows what the bytes mean.
///
/// Write one for a new kind of stream; gate records and telemetry events have theirs. It promises that it
/// - never throws: every failure is a verdict, and an entry that it does not name stays queued
/// - sends nothing twice within one call of `deliver`, except as the same request with another token
/// - takes the same entries again, with the same ids, whenever an answer was lost
///
/// ```swift
/// struct LineDelivery: BatchDelivery {
///     let write: @Sendable ([UInt8]) async throws -> Void
///     let framing = BatchFraming(overhead: 0, separator: 1)
///     func size(of entry: OpenedEntry) -> Int? { entry.payload.count }
///     func deliver(_ batch: [OpenedEntry]) async -> DeliveryResult {
///         do { try await write(Array(batch.map(\.payload).joined(separator: [10]))) } catch {
///             return DeliveryResult(.backOff(serverWait: nil))
///         }
///         return .delivered(batch)
///     }
/// }
/// ```
public protocol BatchDelivery: Sendable {
    /// What a batch's body has beside its entries.
    var framing: BatchFraming { get }

    /// How many bytes of a body this entry takes, exactly; nil if its payload is none that can be sent at all (it is
    /// then dead-lettered as `.invalid`).
    func size(of entry: OpenedEntry) -> Int?

    /// Sends the batch, which has at least one entry, in order, and returns what became of it.
    func deliver(_ batch: [OpenedEntry]) async -> DeliveryResult
}

/// An entry with its payload opened, for as long as it takes to send it.
public struct OpenedEntry: Hashable, Sendable {
    /// The entry as the store holds it.
    public var entry: Entry
    /// Its payload.
    public var payload: [UInt8]

    /// An opened entry.
    public init(entry: Entry, payload: [UInt8]) {
        self.entry = entry
        self.payload = payload
    }

    /// The entry's permanent id.
    public var id: EntryID { entry.draft.id }
}

/// The bytes of a body that are not entries.
public struct BatchFraming: Hashable, Sendable {
    /// The bytes around all entries, such as of `{"events":[` and `]}`.
    public var overhead: Int
    /// The bytes between two entries.
    public var separator: Int

    /// A framing of so many bytes.
    public init(overhead: Int, separator: Int) {
        self.overhead = overhead
        self.separator = separator
    }
}

/// What became of a batch.
public struct DeliveryResult: Hashable, Sendable {
    /// What became of single entries. Those not named here stay queued, or share the verdict.
    public var outcomes: [EntryID: DeliveryOutcome]
    /// What it means for the stream.
    public var verdict: DeliveryVerdict

    /// A result of these parts.
    public init(_ verdict: DeliveryVerdict, outcomes: [EntryID: DeliveryOutcome] = [:]) {
        self.outcomes = outcomes
        self.verdict = verdict
    }

    /// The whole batch arrived.
    public static func delivered(_ batch: [OpenedEntry]) -> DeliveryResult {
        DeliveryResult(.proceed, outcomes: Dictionary(batch.map { ($0.id, .delivered) }) { first, _ in first })
    }
}

/// What became of one entry.
public enum DeliveryOutcome: Hashable, Sendable {
    /// It arrived.
    case delivered
    /// It had arrived before.
    case duplicate
    /// It will never be taken; `note` is what the other side said, in clear, to be sealed and kept with it.
    case deadLettered(LossReason, note: [UInt8]?)
    /// It is to be sent again later; the others go on.
    case retry
}

/// What a batch's result means for its stream.
public enum DeliveryVerdict: Hashable, Sendable {
    /// Go on with the next batch.
    case proceed
    /// Nothing arrived, or it is not known whether: wait, at least as long as the server asked.
    case backOff(serverWait: Interval?)
    /// The other side failed at the batch, perhaps because of what is in it: wait; if that goes on, send less at once,
    /// and a single entry after all others.
    case serverFault
    /// Sending again does not help until something changes.
    case hold(DeliveryObstacle)
    /// The batch was too large: send less at once. A single entry is dead-lettered.
    case split
    /// The batch was refused for good, and it is not known for which entry's sake; `note` is as in an outcome.
    case rejected(note: [UInt8]?)
    /// The attempt was called off, and is no failure.
    case interrupted
}
