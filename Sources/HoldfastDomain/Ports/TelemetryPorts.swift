/// The adapters that telemetry uses: one member per port.
public struct TelemetryPorts: Sendable {
    /// Where events wait.
    public var journal: any Journal
    /// Where the sealing keys are kept.
    public var vault: any KeyVault
    /// The time.
    public var clock: any DeviceClock
    /// Seals the events.
    public var cipher: any PayloadCipher
    /// Ids, keys and jitter.
    public var random: any RandomSource
    /// Compresses the batches.
    public var compressor: any Compressor
    /// Carries the batches.
    public var transport: any Transport
    /// Whether there is a network.
    public var connectivity: any Connectivity
    /// Whether power is to be saved.
    public var power: any PowerMonitor
    /// Where events worth logging go.
    public var diagnostics: any DiagnosticSink

    /// A composition of these adapters.
    public init(
        journal: any Journal,
        vault: any KeyVault,
        clock: any DeviceClock,
        cipher: any PayloadCipher,
        random: any RandomSource,
        compressor: any Compressor,
        transport: any Transport,
        connectivity: any Connectivity,
        power: any PowerMonitor,
        diagnostics: any DiagnosticSink
    ) {
        self.journal = journal
        self.vault = vault
        self.clock = clock
        self.cipher = cipher
        self.random = random
        self.compressor = compressor
        self.transport = transport
        self.connectivity = connectivity
        self.power = power
        self.diagnostics = diagnostics
    }
}
