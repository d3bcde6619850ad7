/// How a stream's delivery stands: what must outlive a restart, so that a server's "wait" is not forgotten.
public struct RetryState: Hashable, Sendable {
    /// How many attempts have failed since the last success.
    public var failures: Int
    /// No attempt before this moment; nil if none is barred.
    public var notBefore: ClockReading?
    /// Whether the server itself ordered the wait: then nothing shortens it.
    public var isOrdered: Bool

    /// A state of these parts; without arguments, that of a stream that has not failed.
    public init(failures: Int = 0, notBefore: ClockReading? = nil, isOrdered: Bool = false) {
        self.failures = failures
        self.notBefore = notBefore
        self.isOrdered = isOrdered
    }
}
