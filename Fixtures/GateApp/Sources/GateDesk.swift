import Foundation
import HoldfastKit

/// The whole flow of a gate: scanner → result → validate → record → sync.
@MainActor
final class GateDesk {
    /// What the person at the gate sees.
    enum Light: Equatable {
        case off(String)
        case green(String)
        case red(String)
    }

    let scanner: CameraScanner
    let suspension = SuspensionHook()
    private let place: GatePlace
    private let keys: @Sendable () throws -> Data
    private let backEnd: any BatchSender
    private let makePorts: @Sendable (SuspensionHook) async throws -> GatePorts
    /// Made once: they have the file open, which another attempt could not open beside them.
    private var ports: GatePorts?
    private var gate: TicketGate?
    private var opening: Task<Void, Never>?
    private var reading: Task<Void, Never>?
    private var syncing: Task<SyncReport?, Never>?

    /// Told of each decision: the ticket with its fields, and every reason against it. A code that stays in view is
    /// decided on again with each frame, up to 30 times a second, and all but the first are repeats.
    var onDecision: (Decision) -> Void = { _ in }
    private(set) var light = Light.off("Starting") {
        didSet { if light != oldValue { onChange(light) } }
    }
    var onChange: (Light) -> Void = { _ in }

    init(
        place: GatePlace,
        keys: @escaping @Sendable () throws -> Data,
        backEnd: any BatchSender,
        scanner: CameraScanner = CameraScanner(),
        ports: @escaping @Sendable (SuspensionHook) async throws -> GatePorts = { hook in
            try await .platform(directory: try DataDirectory.standard().path, suspension: hook)
        }
    ) {
        self.place = place
        self.keys = keys
        self.backEnd = backEnd
        self.scanner = scanner
        makePorts = ports
    }

    /// Opens the gate with the keys that the app brings, unless newer ones are installed. Safe to call from several
    /// places, and again, as after a launch before the first unlock, when the keychain cannot be read.
    func open() async {
        guard gate == nil else { return }
        let task = opening ?? Task { await tryToOpen() }
        opening = task
        await task.value
    }

    private func tryToOpen() async {
        defer { opening = nil }
        do {
            if ports == nil { ports = try await makePorts(suspension) }
            guard let ports else { return }
            let gate = try await TicketGate(at: place, ports: ports)
            if gate.configuration == nil { try await gate.install(configuration: try keys()) }
            self.gate = gate
            light = .off("Ready")
        } catch {
            light = .off("The gate cannot be opened: \(error)")
        }
    }

    /// Starts the scanner and decides about every code it reads, until `stop`.
    func start() async {
        await open()
        guard let gate, reading == nil else { return }
        let readings = scanner.readings
        reading = Task { [weak self] in
            for await reading in readings {
                // Recorded before it returns; a code that stays in view gets its first decision again.
                let decision = await gate.admit(reading)
                self?.show(decision)
            }
        }
        let state = await scanner.start()
        if state != .scanning { light = .off(Wording.why(state)) }
    }

    func stop() async {
        await scanner.stop()
        reading?.cancel()
        reading = nil
        light = .off("Stopped")
    }

    /// Hands over every record that waits; at most once at a time.
    @discardableResult
    func sync() async -> SyncReport? {
        if let syncing { return await syncing.value }
        let task = Task { [gate, backEnd] in await gate?.sync(via: backEnd) }
        syncing = task
        defer { syncing = nil }
        return await task.value
    }

    private func show(_ decision: Decision) {
        switch decision.verdict {
        case .accepted(let ticket): light = .green(Wording.welcome(ticket))
        case .denied: light = .red(Wording.refusal(decision))
        }
        onDecision(decision)
    }
}
