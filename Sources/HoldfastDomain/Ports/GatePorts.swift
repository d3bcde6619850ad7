/// The adapters that a ticket gate uses: one member per port. There is no transport among them, so that a
/// scan cannot reach the network.
public struct GatePorts: Sendable {
    /// Where attempts are recorded.
    public var journal: any Journal
    /// Where the sealing keys and the device secret are kept.
    public var vault: any KeyVault
    /// The time.
    public var clock: any DeviceClock
    /// Checks the tickets' signatures.
    public var verifier: any SignatureVerifier
    /// Seals the records.
    public var cipher: any PayloadCipher
    /// Hashes ticket ids and unreadable texts.
    public var digest: any Digest
    /// Ids, keys and jitter.
    public var random: any RandomSource
    /// Civil days, for admission once per day.
    public var calendar: any CivilCalendar
    /// Where events worth logging go.
    public var diagnostics: any DiagnosticSink

    /// A composition of these adapters.
    public init(
        journal: any Journal,
        vault: any KeyVault,
        clock: any DeviceClock,
        verifier: any SignatureVerifier,
        cipher: any PayloadCipher,
        digest: any Digest,
        random: any RandomSource,
        calendar: any CivilCalendar,
        diagnostics: any DiagnosticSink
    ) {
        self.journal = journal
        self.vault = vault
        self.clock = clock
        self.verifier = verifier
        self.cipher = cipher
        self.digest = digest
        self.random = random
        self.calendar = calendar
        self.diagnostics = diagnostics
    }
}
