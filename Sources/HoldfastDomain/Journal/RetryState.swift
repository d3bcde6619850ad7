/// How a stream's delivery stands: what must outlive a restart, so that a server's "wait" is not forgotten.
public struct RetryState: Hashable, Sendable {
    /// How many attempts have failed since the last success.
    public var failures: Int
    /// No attempt before this moment; nil if none is barred.
    public var notBefore: ClockReading?
    /// How long the wait was when it was set; no clock, however it is set, can make it longer.
    public var wait: Interval
    /// Whether the server itself ordered the wait: then nothing shortens it.
    public var isOrdered: Bool
    /// By when every entry that was answered with "later" may be sent again, on the wall clock that entries wait by; nil
    /// if none was.
    public var entriesDue: Timestamp?
    /// How many failures count against the size of batches, as they may be the fault of an entry; at most 255 are kept.
    public var faults: Int

    /// A state of these parts; without arguments, that of a stream that has not failed.
    public init(
        failures: Int = 0,
        notBefore: ClockReading? = nil,
        wait: Interval = .zero,
        isOrdered: Bool = false,
        entriesDue: Timestamp? = nil,
        faults: Int = 0
    ) {
        self.failures = failures
        self.notBefore = notBefore
        self.wait = wait
        self.isOrdered = isOrdered
        self.entriesDue = entriesDue
        self.faults = faults
    }

    /// The state in which no failure calls for a wait any more, as after a success; entries wait as they did.
    var succeeded: RetryState { RetryState(entriesDue: entriesDue, faults: faults) }

    /// What is left of the wait at `now`; zero when an attempt may be made.
    ///
    /// Within one boot the uptime alone decides, so setting the wall clock changes nothing. After a restart of the
    /// device the wall clock has to do, but never for longer than the wait was set for.
    public func remaining(at now: ClockReading) -> Interval {
        max(.zero, min(wait, distance(from: now)))
    }

    /// The same state on the clock of `now`: what is left of the wait is counted in this boot's uptime from here on.
    ///
    /// Without this a wall clock set back over a restart would begin the whole wait anew at each look.
    public func anchored(at now: ClockReading) -> RetryState {
        guard let notBefore, notBefore.boot != now.boot || distance(from: now) > wait else { return self }
        let left = remaining(at: now)
        var state = self
        state.wait = left
        state.notBefore = now.advanced(by: left)
        return state
    }

    private func distance(from now: ClockReading) -> Interval {
        guard let notBefore else { return .zero }
        return notBefore.boot == now.boot ? notBefore.uptime - now.uptime : notBefore.wall - now.wall
    }
}

extension ClockReading {
    /// The same clocks after `interval`, saturating.
    public func advanced(by interval: Interval) -> ClockReading {
        ClockReading(wall: wall + interval, uptime: uptime + interval, boot: boot)
    }
}
