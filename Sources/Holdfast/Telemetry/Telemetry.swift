import HoldfastDomain

/// Takes events from any thread, keeps them encrypted on disk, and delivers them when the network is there.
///
/// ```swift
/// let telemetry = try await Telemetry(endpoint: url, token: tokens, ports: .platform(directory: folder))
/// telemetry.log("screen.view", ["name": "orders", "ms": 182])     // any thread, returns at once
/// try await telemetry.record("error", ["code": 17])               // returns when durable
/// ```
///
/// Events arrive at least once and in the order in which each thread logged them; their ids never change, so that a
/// server that dedups sees each once. Nothing is lost but by the stated limits, and then it is counted.
///
/// Every method may be called from any thread or task. Keep one instance for as long as the app lives; `close` it
/// before another is opened on the same journal.
public final class Telemetry: Sendable {
    let buffer: EventBuffer
    let driver: DeliveryDriver
    let writer: EventWriter
    let ports: TelemetryPorts
    let policy: TelemetryPolicy
    /// Held by whoever sets the consent, so that what is stored is what holds here.
    let consentTurn = Turn()
    private let feed: StatusFeed
    private let tasks: [Task<Void, Never>]

    /// Opens telemetry on the journal of `ports` and begins to deliver what an earlier process left there.
    ///
    /// The keys are not touched, so that it opens before a device's first unlock too.
    ///
    /// - Parameters:
    ///   - endpoint: The absolute URL that batches are posted to.
    ///   - token: The host's access tokens. Without it requests carry none.
    ///   - policy: Limits, waits and choices.
    ///   - ports: The adapters that it uses.
    /// - Throws: `QueueStoreError` when the journal cannot be read.
    public convenience init(
        endpoint: String,
        token: (any AccessTokenProvider)? = nil,
        policy: TelemetryPolicy = TelemetryPolicy(),
        ports: TelemetryPorts
    ) async throws {
        try await self.init(endpoint: endpoint, token: token, policy: policy, ports: ports, sleeper: SystemSleeper())
    }

    init(
        endpoint: String,
        token: (any AccessTokenProvider)?,
        policy: TelemetryPolicy,
        ports: TelemetryPorts,
        sleeper: any Sleeper
    ) async throws {
        self.policy = policy
        self.ports = ports
        let stored = try await ports.journal.value(named: Self.consentName)
        let consent = stored.flatMap { Consent(rawValue: String(decoding: $0, as: UTF8.self)) } ?? policy.initialConsent
        let statistics = try await ports.journal.statistics(.telemetry)
        // A process that died between taking a no and erasing has left no other trace of it.
        let isLeftOver = stored != nil && consent == .denied && statistics.queued + statistics.deadLettered > 0
        let isErasing = try await ports.journal.value(named: EventWriter.erasureName) != nil || isLeftOver
        let feed = StatusFeed()
        let buffer = EventBuffer(
            capacity: policy.maxBufferedBytes,
            session: EntryID(random: ports.random).description,
            consent: consent
        )
        let ring = KeyRing(stream: .telemetry, vault: ports.vault, random: ports.random)
        let sealer = Sealer(stream: .telemetry, ring: ring, cipher: ports.cipher)
        let writer = EventWriter(
            buffer: buffer,
            policy: policy,
            ports: ports,
            ring: ring,
            sealer: sealer,
            sleeper: sleeper,
            liveBytes: statistics.liveBytes,
            isErasing: isErasing
        )
        let driver = DeliveryDriver(
            ports: ports,
            courier: Self.courier(to: endpoint, token: token, policy: policy, ports: ports, sealer, sleeper),
            writer: writer,
            buffer: buffer,
            sleeper: sleeper,
            feed: feed,
            policy: policy.schedule,
            consent: consent,
            statistics: statistics
        )
        await writer.attach { [weak driver] in await driver?.heard($0) }
        self.feed = feed
        self.buffer = buffer
        self.writer = writer
        self.driver = driver
        tasks = Self.work(of: writer, driver, ports)
        if isErasing { writer.wake() }
    }

    deinit { Self.end(tasks, writer, driver) }

    private static func courier(
        to endpoint: String,
        token: (any AccessTokenProvider)?,
        policy: TelemetryPolicy,
        ports: TelemetryPorts,
        _ sealer: Sealer,
        _ sleeper: any Sleeper
    ) -> Courier {
        let deadline = Deadline(by: sleeper)
        let delivery = TelemetryDelivery(
            to: .init(
                url: endpoint,
                body: policy.limits.body,
                timeout: policy.requestTimeout,
                answers: policy.answers
            ),
            tokens: WatchedTokens(provider: token, limit: policy.requestTimeout, deadline: deadline),
            transport: WatchedTransport(transport: ports.transport, deadline: deadline),
            compressor: ports.compressor,
            clock: ports.clock
        )
        return Courier(
            stream: .telemetry,
            store: ports.journal,
            sealer: sealer,
            delivery: delivery,
            clock: ports.clock,
            random: ports.random,
            diagnostics: ports.diagnostics,
            policy: policy.courier
        )
    }

    /// What runs beside the host until telemetry is closed.
    private static func work(
        of writer: EventWriter,
        _ driver: DeliveryDriver,
        _ ports: TelemetryPorts
    ) -> [Task<Void, Never>] {
        // Listened to before the first look, so that no change falls in between.
        let networks = ports.connectivity.changes()
        let powers = ports.power.changes()
        return [
            Task { await writer.run() },
            Task { await driver.run() },
            Task {
                await driver.networkChanged(to: ports.connectivity.current())
                for await status in networks { await driver.networkChanged(to: status) }
            },
            Task {
                await driver.powerChanged(to: ports.power.current())
                for await status in powers { await driver.powerChanged(to: status) }
            },
        ]
    }

    private static func end(_ tasks: [Task<Void, Never>], _ writer: EventWriter, _ driver: DeliveryDriver) {
        Task { await close(tasks, writer, driver) }
    }

    private static func close(_ tasks: [Task<Void, Never>], _ writer: EventWriter, _ driver: DeliveryDriver) async {
        await driver.stop()
        await writer.stop()
        for task in tasks { task.cancel() }
    }

    /// Stores what is in memory, calls off the request that is under way, and ends all work. Events that are logged
    /// afterwards are refused.
    public func close() async {
        buffer.close()
        await Self.close(tasks, writer, driver)
        for task in tasks { await task.value }
    }

    /// The status now and after every change; a slow reader gets only the newest. Each call returns a stream of its own,
    /// which ends with `close`.
    public var statusUpdates: AsyncStream<TelemetryStatus> {
        defer { driver.wake() }
        return feed.updates()
    }
}
