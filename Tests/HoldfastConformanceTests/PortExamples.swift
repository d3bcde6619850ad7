import HoldfastDomain

// The small fakes that the ports' documentation shows; a test holds the two together, so that what is shown compiles.

struct FixedToken: AccessTokenProvider {
    var text = "token"
    func token(refused: AccessToken?) async throws -> AccessToken? { AccessToken(text) }
}

struct AcceptEverything: BatchSender {
    func send(_ records: [GateRecord]) async throws -> BatchAnswer { .handled() }
}

struct UTCCalendar: CivilCalendar {
    func day(of moment: Timestamp, in zone: String) -> CivilDay? { zone == "UTC" ? moment.utcDay : nil }
}

struct NoCompression: Compressor {
    func gzip(_ bytes: [UInt8]) -> [UInt8] { bytes }
}

struct AlwaysOnline: Connectivity {
    func current() -> ConnectivityStatus { ConnectivityStatus(isReachable: true) }
    func changes() -> AsyncStream<ConnectivityStatus> { AsyncStream { $0.finish() } }
}

struct StoppedClock: DeviceClock {
    var reading = ClockReading(wall: Timestamp(milliseconds: 0), uptime: .zero, boot: BootID("test"))
    func now() -> ClockReading { reading }
}

struct PrintedDiagnostics: DiagnosticSink {
    func record(_ event: DiagnosticEvent) { print(event.code.rawValue, event.count) }
}

struct FoldingDigest: Digest {
    func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: UInt8(truncatingIfNeeded: bytes.count), count: 32)
        for (index, byte) in bytes.enumerated() { hash[index % 32] = hash[index % 32] &* 31 &+ byte }
        return hash
    }

    func hmacSHA256(_ bytes: [UInt8], key: SymmetricKey) -> [UInt8] { sha256(key.bytes + bytes) }
}

actor DictionaryVault: KeyVault {
    private var secrets: [String: [UInt8]] = [:]

    func secret(named name: String) -> [UInt8]? { secrets[name] }

    func insert(_ secret: [UInt8], named name: String) throws -> Bool {
        guard SecretName.isValid(name) else { throw KeyVaultError(.invalidName) }
        guard secrets[name] == nil else { return false }
        secrets[name] = secret
        return true
    }

    func remove(named name: String) { secrets[name] = nil }

    func names() -> [String] { Array(secrets.keys) }
}

struct ClearCipher: PayloadCipher {
    var random: any RandomSource

    func seal(_ plaintext: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) -> [UInt8] {
        let nonce = random.bytes(12)
        return nonce + plaintext + tag(key.bytes + associatedData + nonce + plaintext)
    }

    func open(_ sealed: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) throws -> [UInt8] {
        guard sealed.count >= 28,
            sealed.suffix(16).elementsEqual(tag(key.bytes + associatedData + sealed.dropLast(16)))
        else { throw CryptoError(.notAuthentic) }
        return Array(sealed.dropFirst(12).dropLast(16))
    }

    private func tag(_ bytes: [UInt8]) -> [UInt8] {
        bytes.enumerated().reduce(into: [UInt8](repeating: UInt8(bytes.count & 255), count: 16)) { tag, next in
            tag[next.offset % 16] = tag[next.offset % 16] &* 31 &+ next.element
        }
    }
}

struct PluggedIn: PowerMonitor {
    func current() -> PowerStatus { PowerStatus() }
    func changes() -> AsyncStream<PowerStatus> { AsyncStream { $0.finish() } }
}

struct Repeating: RandomSource {
    var number: UInt64 = 4
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 % 8 * 8)) } }
    func next() -> UInt64 { number }
}

struct FixedVerdict: SignatureVerifier {
    var isValid = true
    func isValid(_ signature: [UInt8], over message: [UInt8], by key: PublicKey) -> Bool { isValid }
}

struct StubTransport: Transport {
    var answer: @Sendable (TransportRequest) throws -> TransportResponse
    func send(_ request: TransportRequest) async throws -> TransportResponse { try answer(request) }
}

struct FullStore: QueueStore {
    var error = QueueStoreError(.full)

    func append(_ drafts: [Draft], durability: Durability) throws -> [AppendOutcome] { throw error }
    func latest(_ subject: Subject) throws -> Entry? { throw error }
    func lease(_ request: LeaseRequest) throws -> Lease? { throw error }
    func settle(
        _ lease: Lease.ID,
        of stream: StreamName,
        outcomes: [EntryID: EntryOutcome],
        retry: RetryState
    ) throws { throw error }
    func trim(_ stream: StreamName, to retention: Retention, now: Timestamp) throws -> TrimReport { throw error }
    func recordLosses(_ losses: [LossReason: Int], of stream: StreamName) throws { throw error }
    func statistics(_ stream: StreamName) throws -> StreamStatistics { throw error }
}

struct FixedArchive: EntryArchive {
    var all: [Entry]

    func entries(_ stream: StreamName, after sequence: Int64, limit: Int) -> [Entry] {
        let later = all.filter { $0.draft.stream == stream && $0.sequence > sequence }
        return Array(later.sorted { $0.sequence < $1.sequence }.prefix(max(0, limit)))
    }

    func entries(_ stream: StreamName, sealedWith key: KeyID, limit: Int) -> [Entry] {
        let sealed = entries(stream, after: 0, limit: .max).filter { $0.draft.keyID == key }
        return Array(sealed.prefix(max(0, limit)))
    }

    func reseal(_ entries: [Resealed]) -> Int { 0 }
    func retireKeys(of stream: StreamName, below floor: KeyID) -> Set<KeyID> { [] }
    func erase(_ stream: StreamName, reason: LossReason) -> Int { 0 }
}

actor DictionaryState: StateStore {
    private var values: [String: [UInt8]] = [:]

    func value(named name: String) -> [UInt8]? { values[name] }
    func setValue(_ value: [UInt8]?, named name: String) { values[name] = value }
}
