import HoldfastDomain

extension GatePorts {
    /// A gate's whole world in memory, for tests: nothing touches a disk, a network or a real clock.
    ///
    /// Keep the fakes a test has to turn, and pass them in; the rest take care of themselves.
    ///
    /// ```swift
    /// let clock = ManualClock()
    /// let gate = try await TicketGate(at: place, ports: .inMemory(clock: clock))
    /// clock.advance(by: .hours(2))
    /// ```
    public static func inMemory(
        journal: any Journal = InMemoryQueueStore(),
        vault: any KeyVault = InMemoryKeyVault(),
        clock: any DeviceClock = ManualClock(),
        verifier: any SignatureVerifier = ToyVerifier(),
        cipher: any PayloadCipher = ToyCipher(),
        digest: any Digest = SoftwareDigest(),
        random: any RandomSource = SeededRandom(seed: 1),
        calendar: any CivilCalendar = FixedCalendar(),
        diagnostics: any DiagnosticSink = CollectingDiagnostics()
    ) -> GatePorts {
        GatePorts(
            journal: journal,
            vault: vault,
            clock: clock,
            verifier: verifier,
            cipher: cipher,
            digest: digest,
            random: random,
            calendar: calendar,
            diagnostics: diagnostics
        )
    }
}

extension TelemetryPorts {
    /// Telemetry's whole world in memory, for tests: the network is there and every batch is answered with 200.
    ///
    /// Keep the fakes a test has to turn, and pass them in; the rest take care of themselves.
    public static func inMemory(
        journal: any Journal = InMemoryQueueStore(),
        vault: any KeyVault = InMemoryKeyVault(),
        clock: any DeviceClock = ManualClock(),
        cipher: any PayloadCipher = ToyCipher(),
        random: any RandomSource = SeededRandom(seed: 1),
        compressor: any Compressor = StoredCompressor(),
        transport: any Transport = ScriptedTransport(),
        connectivity: any Connectivity = SwitchableConnectivity(),
        power: any PowerMonitor = SwitchablePower(),
        diagnostics: any DiagnosticSink = CollectingDiagnostics()
    ) -> TelemetryPorts {
        TelemetryPorts(
            journal: journal,
            vault: vault,
            clock: clock,
            cipher: cipher,
            random: random,
            compressor: compressor,
            transport: transport,
            connectivity: connectivity,
            power: power,
            diagnostics: diagnostics
        )
    }
}
