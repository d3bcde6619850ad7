/// Names one stream of the journal. Each stream has its own order, limits and delivery.
public struct StreamName: Hashable, Sendable {
    /// The stream's stable name: 1 to 64 ASCII characters.
    public let rawValue: String
    /// The stream of this name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Attempts at a gate.
    public static let gate = StreamName("gate")
    /// Telemetry events.
    public static let telemetry = StreamName("telemetry")
    /// Installed key configurations.
    public static let configuration = StreamName("configuration")
}

/// The number of a sealing key in a stream's key ring; later keys have higher numbers.
public struct KeyID: Hashable, Comparable, Sendable {
    /// The number, from 1.
    public let rawValue: UInt32
    /// The key with this number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    /// Whether `lhs` is the older key.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What an entry is about, without revealing it: a keyed hash, such as of a ticket's id.
public struct Subject: Hashable, Sendable {
    /// The hash.
    public let bytes: [UInt8]
    /// The subject with this hash.
    public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A place in a subject's history. A store holds each place once, so the first append wins.
public struct SubjectVersion: Hashable, Sendable {
    /// What it is about.
    public var subject: Subject
    /// The place, from 1.
    public var version: Int64
    /// The place `version` in the history of `subject`.
    public init(subject: Subject, version: Int64) {
        self.subject = subject
        self.version = version
    }
}

/// An entry that is to be appended.
public struct Draft: Hashable, Sendable {
    /// Its permanent id.
    public var id: EntryID
    /// Where it belongs.
    public var stream: StreamName
    /// When it happened, by the wall clock; never used for order.
    public var recordedAt: Timestamp
    /// Its place in a subject's history, if it has one.
    public var place: SubjectVersion?
    /// The key it is sealed with.
    public var keyID: KeyID
    /// Its payload, sealed.
    public var sealed: [UInt8]
    /// Until when it is kept after its delivery, whatever retention says; nil for no longer than that.
    public var keepUntil: Timestamp?

    /// A draft of these parts.
    public init(
        id: EntryID,
        stream: StreamName,
        recordedAt: Timestamp,
        place: SubjectVersion? = nil,
        keyID: KeyID,
        sealed: [UInt8],
        keepUntil: Timestamp? = nil
    ) {
        self.id = id
        self.stream = stream
        self.recordedAt = recordedAt
        self.place = place
        self.keyID = keyID
        self.sealed = sealed
        self.keepUntil = keepUntil
    }
}

/// An entry as the store holds it.
public struct Entry: Hashable, Sendable {
    /// Where an entry stands.
    public enum State: Hashable, Sendable {
        /// Waiting to be delivered.
        case queued
        /// Acknowledged by the server.
        case delivered
        /// Never to be sent again; kept for inspection, with the sealed reason that the server gave.
        case deadLettered(LossReason, note: [UInt8]?)
    }

    /// What was appended.
    public var draft: Draft
    /// Its number in its stream: 1, 2, 3 … without holes, in the order of appending.
    public var sequence: Int64
    /// Where it stands.
    public var state: State

    /// An entry of these parts.
    public init(draft: Draft, sequence: Int64, state: State = .queued) {
        self.draft = draft
        self.sequence = sequence
        self.state = state
    }
}

/// Why an entry will never be delivered; open, so that reasons can be added.
public struct LossReason: Hashable, Sendable {
    /// The stable name of the reason.
    public let rawValue: String
    /// The reason of this name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Dropped, oldest first, to keep the queue within its size.
    public static let overflow = LossReason("overflow")
    /// Dropped for its age.
    public static let age = LossReason("age")
    /// Refused when taken: larger than a batch may be.
    public static let oversize = LossReason("oversize")
    /// Refused when taken: not expressible.
    public static let invalid = LossReason("invalid")
    /// Its payload could not be opened.
    public static let undecryptable = LossReason("undecryptable")
    /// The server refused it for good.
    public static let rejected = LossReason("rejected")
    /// Refused or erased for want of consent.
    public static let consent = LossReason("consent")
    /// The file it was in was damaged beyond reading.
    public static let corruption = LossReason("corruption")
}
