/// What a gate may decide for itself: plain data, the same for every scan.
public struct GatePolicy: Hashable, Sendable {
    /// What to do where something about the device is in doubt.
    public enum Caution: Hashable, Sendable {
        /// Go on, and say so in the decision and the record.
        case flag
        /// Let nobody in.
        case refuse
    }

    /// How long a code may be out of view and still count as the same showing of it; zero turns that off, and every
    /// sighting is an attempt of its own. 3 s by default.
    public var presence = Interval.seconds(3)
    /// What a green light must survive. The loss of power by default.
    public var durability = Durability.powerLoss
    /// What to do while the wall clock is suspect: `.flag` by default; `.refuse` denies with `clock_untrusted`.
    public var onSuspectClock = Caution.flag
    /// How far the wall clock may stray before it is suspect; 10 s by default.
    public var clockTolerance = Interval.seconds(10)
    /// Whether a wall clock that moves against the monotonic one is suspect; true by default. Off in a rehearsal, where
    /// the wall clock is made to stand still.
    public var watchesClockDrift = true
    /// How old the key configuration may be (by its `issuedAt`, else by its installation) before tickets are denied
    /// with `config_stale`; nil, the default, for any age.
    public var maxConfigurationAge: Interval?
    /// What to do with a ticket that is good in every way when the use of it cannot be recorded. `.refuse`, the default,
    /// denies with `cannot_record`; `.flag` admits, marks the decision as not recorded, and counts it. Nothing but such a
    /// ticket is ever admitted unrecorded.
    public var onRecordFailure = Caution.refuse
    /// Where set, only configurations signed by this key are installed; nil by default.
    public var configurationKey: PublicKey?
    /// How long records are kept after they were handed over; 30 days by default. The memory of a use is kept as long as
    /// its ticket can be valid, if that is longer; what was not handed over is never dropped.
    public var keepDeliveredFor = Interval.days(30)
    /// How long records that the server refused are kept for inspection; 90 days by default.
    public var keepRejectedFor = Interval.days(90)
    /// How many records are handed over at once, at most; 100 by default.
    public var maxBatchCount = 100
    /// How many bytes of JSON are handed over at once, at most; 262,144 by default.
    public var maxBatchBytes = 262_144
    /// How often in a row batches may be refused while the record that causes it is searched for, by cutting them in
    /// two; 64 by default. Then everything is held rather than set aside: a server that refuses all is wrong, not the
    /// records.
    public var rejectionTries = 64

    /// The default policy.
    public init() {}
}
