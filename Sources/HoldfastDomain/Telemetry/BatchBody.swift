/// The form of a request's body.
public enum BatchBody: Hashable, Sendable {
    /// `{"events":[…]}`
    case object
    /// `[…]`
    case array

    private var opening: String { self == .object ? #"{"events":["# : "[" }
    private var closing: String { self == .object ? "]}" : "]" }

    /// What a body has beside its events.
    public var framing: BatchFraming {
        BatchFraming(overhead: opening.utf8.count + closing.utf8.count, separator: 1)
    }

    /// The body around events that are encoded already: a concatenation, nothing is encoded again.
    public func join(_ events: [[UInt8]]) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(size(ofEvents: events.map { $0.count }))
        body += opening.utf8
        for (index, event) in events.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += event
        }
        body += closing.utf8
        return body
    }

    /// How many bytes `join` makes of events of these sizes, with all punctuation; saturating.
    public func size(ofEvents sizes: [Int]) -> Int {
        let punctuation = framing.overhead + framing.separator * max(0, sizes.count - 1)
        return sizes.reduce(punctuation) { sum, size in
            let (total, overflow) = sum.addingReportingOverflow(size)
            return overflow ? .max : total
        }
    }
}

/// How large events and batches may be.
public struct TelemetryLimits: Hashable, Sendable {
    /// How many bytes of UTF-8 a type may have.
    public static let maxTypeBytes = 256
    /// How many bytes of UTF-8 a session id may have.
    public static let maxSessionBytes = 128
    /// How many containers may stand within one another in a payload, the payload itself included.
    public static let maxDepth = 32

    /// How many bytes a body may have before it is compressed, counted in the exact JSON; 262,144 by default.
    public var maxBodyBytes: Int
    /// How many events a batch may have; 500 by default.
    public var maxBatchCount: Int
    /// The form of the body.
    public var body: BatchBody

    /// Limits of these parts.
    public init(maxBodyBytes: Int = 262_144, maxBatchCount: Int = 500, body: BatchBody = .object) {
        self.maxBodyBytes = maxBodyBytes
        self.maxBatchCount = max(1, maxBatchCount)
        self.body = body
    }
}
