#if canImport(CryptoKit) && canImport(UIKit)
import Foundation
import Holdfast
import HoldfastDomain

/// Opens telemetry once, however many ask, and again if it could not be opened.
actor TelemetryOpener {
    private let makePorts: @Sendable () async throws -> TelemetryPorts
    private let makeTelemetry: @Sendable (TelemetryPorts) async throws -> Telemetry
    private let diagnostics: any DiagnosticSink
    /// Made once: they have the file open, which another attempt could not open beside them.
    private var ports: TelemetryPorts?
    private var telemetry: Telemetry?
    private var attempt: Task<Telemetry?, Never>?
    private var lastTry: Interval?

    init(
        diagnostics: any DiagnosticSink,
        ports: @escaping @Sendable () async throws -> TelemetryPorts,
        open: @escaping @Sendable (TelemetryPorts) async throws -> Telemetry
    ) {
        self.diagnostics = diagnostics
        makePorts = ports
        makeTelemetry = open
    }

    /// Telemetry, opened if need be; nil if that cannot be done now.
    @discardableResult
    func open() async -> Telemetry? {
        if let telemetry { return telemetry }
        if let attempt { return await attempt.value }
        let attempt = Task { await tryToOpen() }
        self.attempt = attempt
        telemetry = await attempt.value
        self.attempt = nil
        return telemetry
    }

    private func tryToOpen() async -> Telemetry? {
        do {
            if ports == nil { ports = try await makePorts() }
            guard let ports else { return nil }
            return try await makeTelemetry(ports)
        } catch {
            let number = (error as? QueueStoreError)?.platformCode
            diagnostics.record(DiagnosticEvent(.storeFailed, platformCode: number))
            return nil
        }
    }

    /// Opens it unless that was tried by `open` of this kind after `moment`.
    func open(unlessTriedSince moment: Interval, at uptime: Interval) async -> Telemetry? {
        if let lastTry, lastTry > moment { return telemetry }
        lastTry = uptime
        return await open()
    }
}

/// What was logged before telemetry was open.
/// `@unchecked`: the stage is read and written under the lock.
final class EarlyEvents: @unchecked Sendable {
    private struct Event {
        let type: String
        let payload: PayloadObject
        let moment: Timestamp
    }
    private enum Stage {
        case waiting([Event], dropped: Int)
        case open(Telemetry)
    }

    private let capacity: Int
    private let lock = NSLock()
    private var stage = Stage.waiting([], dropped: 0)

    init(capacity: Int) { self.capacity = capacity }

    /// Telemetry, once it is open; until then the event is kept, if there is room.
    func keep(_ type: String, _ payload: @autoclosure () -> PayloadObject?, at moment: Timestamp) -> Telemetry? {
        lock.lock()
        defer { lock.unlock() }
        switch stage {
        case .open(let telemetry): return telemetry
        case .waiting(var events, let dropped):
            stage = .waiting([], dropped: dropped)  // so that the array has one owner while it grows
            var isKept = false
            if events.count < capacity, let payload = payload() {
                events.append(Event(type: type, payload: payload, moment: moment))
                isKept = true
            }
            stage = .waiting(events, dropped: isKept ? dropped : dropped + 1)
            return nil
        }
    }

    /// Logs everything that was kept, in order, and from now on whatever is added.
    ///
    /// - Returns: How many events found no room, or no form.
    func pass(on telemetry: Telemetry) -> Int {
        lock.lock()
        defer { lock.unlock() }
        guard case .waiting(let events, let dropped) = stage else { return 0 }
        for event in events { _ = telemetry.log(event.type, event.payload, at: event.moment) }
        stage = .open(telemetry)
        return dropped
    }
}
#endif
