import Dispatch
import HoldfastDomain

/// Knows from `/sys/class` whether the device runs on a low battery or is too hot. Safe to use from any thread.
///
/// The kernel does not tell of changes there, so they are looked for now and then, only while somebody listens.
/// A device without battery or thermal zones is never short of power and never hot.
public struct SysfsPower: PowerMonitor {
    private let reading: PowerReading
    private let interval: Interval

    /// A monitor of the device's power supplies and thermal zones.
    ///
    /// - Parameters:
    ///   - root: The folder that holds `power_supply` and `thermal`.
    ///   - lowBattery: At or below how many per cent a battery that drives the device is low.
    ///   - interval: How often to look for changes.
    public init(root: String = "/sys/class", lowBattery: Int = 20, interval: Interval = .seconds(30)) {
        reading = PowerReading(root: root, lowBattery: lowBattery)
        self.interval = interval
    }

    /// What the device says now.
    public func current() -> PowerStatus { reading.status() }

    /// Every later change, no later than `interval` after it.
    public func changes() -> AsyncStream<PowerStatus> {
        AsyncStream { continuation in
            let poll = PowerPoll(reading, every: interval, telling: continuation)
            continuation.onTermination = { _ in poll.end() }
        }
    }
}

/// Looks again and again, for one listener.
// `last` is used by the handler alone, which the timer calls one at a time; the timer may be cancelled from any thread.
private final class PowerPoll: @unchecked Sendable {
    private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "holdfast.power", qos: .utility))
    private var last: PowerStatus

    init(_ reading: PowerReading, every interval: Interval, telling continuation: AsyncStream<PowerStatus>.Continuation)
    {
        last = reading.status()
        let period = DispatchTimeInterval.milliseconds(Int(min(max(interval.milliseconds, 1), 86_400_000)))
        timer.schedule(deadline: .now() + period, repeating: period)
        timer.setEventHandler { [weak self] in
            let status = reading.status()
            guard let self, status != last else { return }
            last = status
            continuation.yield(status)
        }
        timer.resume()
    }

    func end() { timer.cancel() }
}
