import HoldfastDomain

/// Takes events out of the buffer, seals them and stores many in one transaction.
///
/// When the keys or the disk fail, the events stay in the buffer, in order, and the next attempt follows later;
/// only those who wait for their event to be durable are told at once.
actor EventWriter {
    /// What others have to know of.
    enum News: Sendable {
        /// So many events of so many sealed bytes were stored under this key.
        case stored(count: Int, bytes: Int64, KeyID)
        /// The stream was looked at.
        case looked(StreamStatistics)
        /// This key seals from now on; nil until there is another.
        case sealing(KeyID?)
        /// This keeps events from being stored; nil if nothing does any longer.
        case obstacle(DeliveryObstacle?)
    }

    private static let groupSize = 512
    private static let shortestPause = Interval.seconds(1)
    private static let longestPause = Interval.seconds(30)

    let buffer: EventBuffer
    let policy: TelemetryPolicy
    let ports: TelemetryPorts
    let ring: KeyRing
    let sealer: Sealer
    /// Held by whoever writes, erases or changes keys.
    let turn = Turn()
    private let sleeper: any Sleeper
    private let bell = Bell()

    /// Why nothing could be stored last; nil if it could.
    private var failure: TelemetryError.Cause?
    private var retryAt = Interval.zero
    private var pause = EventWriter.shortestPause
    private var isStopped = false
    private var gathers = true
    var upkeep: Upkeep
    var lossReport: LossReport?
    /// Whether keys are still to be destroyed: until then nothing new may be sealed.
    var isErasing: Bool
    private var listener: (@Sendable (News) async -> Void)?

    /// - Parameter isErasing: Whether an earlier process died while it erased.
    init(
        buffer: EventBuffer,
        policy: TelemetryPolicy,
        ports: TelemetryPorts,
        ring: KeyRing,
        sealer: Sealer,
        sleeper: any Sleeper,
        liveBytes: Int64,
        isErasing: Bool
    ) {
        self.buffer = buffer
        self.policy = policy
        self.ports = ports
        self.ring = ring
        self.sealer = sealer
        self.sleeper = sleeper
        self.isErasing = isErasing
        upkeep = Upkeep(liveBytes: liveBytes)
    }

    /// Tells `listener` of what changes.
    func attach(_ listener: @escaping @Sendable (News) async -> Void) { self.listener = listener }

    func tell(_ news: News) async { await listener?(news) }

    /// Calls the writer: there is something to write, or somebody waits.
    nonisolated func wake() { bell.ring() }

    /// Writes until it is stopped.
    func run() async {
        while !isStopped {
            let now = ports.clock.now().uptime
            await bell.wait(upTo: failure == nil ? nil : retryAt - now, by: sleeper)
            if isStopped { return }
            if !buffer.isHurried {
                if failure != nil, ports.clock.now().uptime < retryAt { continue }
                if gathers, failure == nil { await bell.wait(upTo: policy.commitInterval, by: sleeper) }
            }
            await commit()
        }
    }

    /// Ends `run`, after everything that can be stored is.
    func stop() async {
        guard !isStopped else { return }
        await commit()
        isStopped = true
        bell.ring()
    }

    /// Counts the stream. In turn: a count from before an append that is told after it would hide what was appended, and
    /// nothing would send it.
    func look() async throws {
        await turn.take()
        defer { turn.pass() }
        await looked(at: try await ports.journal.statistics(.telemetry))
    }

    /// Tells what was seen of the stream.
    func looked(at statistics: StreamStatistics) async {
        upkeep.liveBytes = statistics.liveBytes
        await tell(.looked(statistics))
    }

    /// Whether to gather for a while before writing; not in the background, where the process may end at any time.
    func setGathers(_ gathers: Bool) { self.gathers = gathers }

    /// Writes everything that is in the buffer now.
    ///
    /// - Returns: Why something is left there; nil if nothing is.
    @discardableResult
    func commit() async -> TelemetryError.Cause? {
        await turn.take()
        defer { turn.pass() }
        // What comes meanwhile calls the writer again, so that this ends however fast events come.
        var left = buffer.load.count
        repeat {
            guard let written = await writeGroup() else { break }
            left -= written
        } while left > 0
        await maintain()
        return failure
    }

    /// Finishes what is left of an erasure, then writes one group; nil if there was neither, or it failed.
    private func writeGroup() async -> Int? {
        let group = buffer.take(limit: Self.groupSize)
        guard !group.isEmpty || isErasing else { return nil }
        var rest = group
        do {
            try await finishErasure()
            if !group.events.isEmpty {
                try await append(group.events)
                rest.events = []
                for event in group.events { event.waiter?.resume() }
            }
            if !group.losses.isEmpty { try await ports.journal.recordLosses(group.losses, of: .telemetry) }
        } catch {
            await failed(with: error, waiting: rest.events)
            rest.events.removeAll { $0.waiter != nil }
            buffer.settle(group, unwritten: rest)
            return nil
        }
        buffer.settle(group)
        if failure != nil { await tell(.obstacle(nil)) }
        failure = nil
        pause = Self.shortestPause
        return group.events.count
    }

    /// Seals and stores events in order.
    func append(_ events: [BufferedEvent]) async throws {
        let appended = try await sealer.append(to: ports.journal, durability: policy.durability) { key in
            try events.map { event in
                Draft(
                    id: event.id,
                    stream: .telemetry,
                    recordedAt: event.timestamp,
                    keyID: key.id,
                    sealed: try sealer.seal(event.json, id: event.id, with: key)
                )
            }
        }
        upkeep.liveBytes += appended.byteCount
        await tell(.stored(count: events.count, bytes: appended.byteCount, appended.key))
    }

    func failed(with error: any Error, waiting events: [BufferedEvent]) async {
        let cause = TelemetryError.Cause(error)
        if failure == nil { ports.diagnostics.record(cause.diagnosticEvent(count: events.count)) }
        failure = cause
        retryAt = ports.clock.now().uptime + pause
        pause = min(Self.longestPause, pause + pause)
        for event in events { event.waiter?.resume(throwing: TelemetryError(.notStored, cause: cause)) }
        await tell(.obstacle(cause.obstacle))
    }
}

extension TelemetryError.Cause {
    init(_ error: any Error) {
        switch error {
        case let error as QueueStoreError: self = .store(error)
        case let error as KeyVaultError: self = .vault(error)
        case let error as CryptoError: self = .cipher(error)
        default: self = .other
        }
    }

    var obstacle: DeliveryObstacle {
        if case .vault = self { return .vaultUnavailable }
        return .storeUnavailable
    }

    fileprivate func diagnosticEvent(count: Int) -> DiagnosticEvent {
        switch self {
        case .store(let error): return DiagnosticEvent(.storeFailed, count: count, platformCode: error.platformCode)
        case .vault(let error):
            return DiagnosticEvent(.vaultUnavailable, count: count, platformCode: error.platformCode)
        case .cipher(let error): return DiagnosticEvent(.storeFailed, count: count, platformCode: error.platformCode)
        case .other: return DiagnosticEvent(.storeFailed, count: count)
        }
    }
}
