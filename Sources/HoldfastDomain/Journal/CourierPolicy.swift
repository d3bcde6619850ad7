/// How a stream is delivered: the choices of a host.
public struct CourierPolicy: Hashable, Sendable {
    /// How many entries a batch has at most, at least 1; 100 by default.
    public var maxCount: Int
    /// How many bytes a batch's body has at most; 262,144 by default. An entry that is larger alone is dead-lettered as
    /// `.oversize`.
    public var maxBodyBytes: Int
    /// How long a batch may be in the hands of one process: more than a request may take, with a second one for
    /// another token; 5 minutes by default. If the process hangs for longer, another may send the same entries again.
    public var leaseDuration: Interval
    /// How long an entry is passed over that was answered with "later" while others went through; 30 s by default.
    public var entryWait: Interval
    /// Whether delivered entries are kept for their retention; false by default.
    public var keepsDelivered: Bool
    /// What is done with entries that do not open; they are set aside by default.
    public var unopened: UnopenedPolicy
    /// What is done with a batch that is refused for good; it is set aside by default.
    public var rejection: RejectionPolicy
    /// The waits after failures.
    public var retry: RetryPolicy

    /// A policy of these choices; lengths and counts below the least that works are raised to it.
    public init(
        maxCount: Int = 100,
        maxBodyBytes: Int = 262_144,
        leaseDuration: Interval = .minutes(5),
        entryWait: Interval = .seconds(30),
        keepsDelivered: Bool = false,
        unopened: UnopenedPolicy = .setAside,
        rejection: RejectionPolicy = .setAside,
        retry: RetryPolicy = RetryPolicy()
    ) {
        self.maxCount = max(1, maxCount)
        self.maxBodyBytes = max(0, maxBodyBytes)
        self.leaseDuration = max(.seconds(1), leaseDuration)
        self.entryWait = max(.zero, entryWait)
        self.keepsDelivered = keepsDelivered
        self.unopened = unopened
        self.rejection = rejection
        self.retry = retry
    }

    /// How far ahead the time can honestly lie from which every entry may be sent: a drain adds a moment to `entryWait`,
    /// so as not to meet an entry twice, and one that was put off is sent again after the longest wait of `retry`.
    public var longestEntryWait: Interval { max(entryWait + .milliseconds(1), retry.cap) }

    /// How long an entry that the other side keeps failing at comes after all others.
    var putOff: Interval { max(.hours(24), retry.cap) }
}

/// What is done with entries that do not open.
public enum UnopenedPolicy: Hashable, Sendable {
    /// They are dead-lettered.
    case setAside
    /// Those whose key is damaged wait: its file may be restored. Those whose key is certainly gone are dead-lettered, so
    /// removing the damaged key gives them up.
    case waitForDamagedKeys
    /// All wait, such as while a vault is known to have lost what it held.
    case wait
}

/// What is done with a batch that the other side refuses for good without saying for which entry's sake.
public enum RejectionPolicy: Hashable, Sendable {
    /// The whole batch is dead-lettered.
    case setAside
    /// The batch is cut in halves until the entry that causes it stands alone; only that one is dead-lettered. After
    /// `tries` refusals without a success in between, batches are dead-lettered whole until there is one.
    case isolate(tries: Int)
    /// As `isolate`, but after `tries` refusals everything is held instead: the other side refuses more than an entry.
    /// Each time delivery is attempted again, so is the search.
    case isolateOrHold(tries: Int)
}
