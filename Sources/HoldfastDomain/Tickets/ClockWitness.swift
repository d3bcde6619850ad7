/// A server's time, and where the device's own monotonic clock stood when it was seen.
public struct ClockAnchor: Hashable, Sendable {
    /// What the server said the time was.
    public var server: Timestamp
    /// The device's uptime then.
    public var uptime: Interval
    /// The boot that `uptime` counts from.
    public var boot: BootID

    /// The anchor that seeing `server` at `reading` makes.
    public init(server: Timestamp, seenAt reading: ClockReading) {
        self.server = server
        uptime = reading.uptime
        boot = reading.boot
    }

    /// Reads what `bytes` gave; nil for anything else.
    public init?(bytes: [UInt8]) {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let server = Int64(parts[0]), let uptime = Int64(parts[1]) else { return nil }
        self.server = Timestamp(milliseconds: server)
        self.uptime = Interval(milliseconds: uptime)
        boot = BootID(String(parts[2]))
    }

    /// The anchor as text, to be kept across restarts: server time and uptime in milliseconds, and the boot.
    public var bytes: [UInt8] { Array("\(server.milliseconds) \(uptime.milliseconds) \(boot.rawValue)".utf8) }
}

/// Judges how far the wall clock can be trusted, from everything known that nobody could set.
///
/// - In the boot in which a server's time was seen, that time plus the monotonic clock is the truth: the wall clock is
///   *anchored* if it agrees within the tolerance, else *suspect*. Nothing else counts then.
/// - Otherwise it is *suspect* if it is behind a server's time of an earlier boot, behind the last record made under
///   an unsuspected clock, behind the making of the configuration in force, or has moved against the monotonic clock
///   since the gate started.
/// - Otherwise it is *unanchored*. After a restart of the device a server has to be seen again: what the wall clock
///   did meanwhile is anybody's guess.
public struct ClockWitness: Hashable, Sendable {
    /// The clocks when the gate started.
    public let started: ClockReading
    /// How far the wall clock may stray.
    public let tolerance: Interval
    /// Whether the wall clock is held against the monotonic one; not where it is meant to stand still.
    public let watchesDrift: Bool
    /// The last server time seen.
    public var anchor: ClockAnchor?
    /// When the configuration in force says that it was made; nil if it does not.
    public var configurationMade: Timestamp?
    /// The latest wall time of a record; nil if there is none.
    public private(set) var newestRecord: Timestamp?

    /// A witness from the start of a gate.
    public init(
        started: ClockReading,
        tolerance: Interval,
        watchesDrift: Bool = true,
        anchor: ClockAnchor? = nil,
        newestRecord: Timestamp? = nil
    ) {
        self.started = started
        self.tolerance = tolerance
        self.watchesDrift = watchesDrift
        self.anchor = anchor
        self.newestRecord = newestRecord
    }

    /// How far `now` can be trusted.
    public func confidence(at now: ClockReading) -> ClockConfidence {
        if let anchor, anchor.boot == now.boot {
            let truth = anchor.server + (now.uptime - anchor.uptime)
            return isFar(now.wall - truth) ? .suspect : .anchored
        }
        if let anchor, now.wall < anchor.server - tolerance { return .suspect }
        if let newestRecord, now.wall < newestRecord - tolerance { return .suspect }
        if let configurationMade, now.wall < configurationMade - tolerance { return .suspect }
        let drift = (now.wall - started.wall) - (now.uptime - started.uptime)
        if watchesDrift, started.boot == now.boot, isFar(drift) { return .suspect }
        return .unanchored
    }

    /// Remembers that a record was made at `now`. One made under a suspect clock proves nothing and is passed over.
    public mutating func noteRecord(at now: ClockReading, confidence: ClockConfidence) {
        guard confidence != .suspect else { return }
        newestRecord = max(newestRecord ?? now.wall, now.wall)
    }

    private func isFar(_ difference: Interval) -> Bool {
        difference > tolerance || difference < .zero - tolerance
    }
}
