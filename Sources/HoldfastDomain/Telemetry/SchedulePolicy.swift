/// When queued events are sent: the choices of a host.
///
/// With the default values everything queued is delivered within 15 minutes of a network's return in an active app,
/// as long as the server takes one request in eight and orders no wait.
public struct SchedulePolicy: Hashable, Sendable {
    /// Whether events are sent without being asked for; true by default. Otherwise only a flush and work in the
    /// background send any.
    public var isAutomatic: Bool
    /// How long events are gathered before they are sent; 60 s by default.
    public var interval: Interval
    /// As many waiting events are sent without gathering further; 100 by default.
    public var thresholdCount: Int
    /// As many waiting bytes are sent without gathering further; 64 KiB by default.
    public var thresholdBytes: Int64
    /// How many times longer, and more, events are gathered while power or data is to be saved; 5 by default.
    public var stretch: Int64
    /// Whether a network that costs money counts as one on which data is to be saved; false by default.
    public var savesDataWhenExpensive: Bool
    /// How often a hold is looked at again by itself; 5 minutes by default.
    public var recheckInterval: Interval
    /// The least time between a failed attempt and one that a returning network or app brings on, so that a flapping
    /// network is not answered with a request each time; 2 s by default.
    public var spacing: Interval

    /// A policy of these choices.
    public init(
        isAutomatic: Bool = true,
        interval: Interval = .seconds(60),
        thresholdCount: Int = 100,
        thresholdBytes: Int64 = 65536,
        stretch: Int64 = 5,
        savesDataWhenExpensive: Bool = false,
        recheckInterval: Interval = .minutes(5),
        spacing: Interval = .seconds(2)
    ) {
        self.isAutomatic = isAutomatic
        self.interval = interval
        self.thresholdCount = thresholdCount
        self.thresholdBytes = thresholdBytes
        self.stretch = stretch
        self.savesDataWhenExpensive = savesDataWhenExpensive
        self.recheckInterval = recheckInterval
        self.spacing = spacing
    }

    /// Why power or data is to be saved now; nil if it is not.
    func restriction(on network: ConnectivityStatus, with power: PowerStatus) -> DeliveryObstacle? {
        if power.isLowPower { return .lowPower }
        if power.isUnderThermalPressure { return .thermalPressure }
        if network.isConstrained || savesDataWhenExpensive && network.isExpensive { return .constrainedNetwork }
        return nil
    }
}
