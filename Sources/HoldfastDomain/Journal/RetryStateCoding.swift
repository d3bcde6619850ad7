// One blob, so that a store need not know what a retry state is made of:
// version (1) ‖ flags (1) ‖ failures (8) ‖ wait (8) ‖ wall (8) ‖ uptime (8) ‖ when entries are due (8, only by flag 4) ‖
// faults (1, only by flag 8) ‖ boot (UTF-8, the rest); big-endian.
extension RetryState {
    private static let version: UInt8 = 1
    private static let headerBytes = 34
    private static let longestBoot = 256

    /// The state as bytes, for a store to keep. At most 299 bytes.
    public var bytes: [UInt8] {
        let counted = UInt8(clamping: faults)
        let flags: UInt8 =
            (isOrdered ? 1 : 0) | (notBefore == nil ? 0 : 2) | (entriesDue == nil ? 0 : 4) | (counted == 0 ? 0 : 8)
        var result = [Self.version, flags]
        result.append(bigEndian: Int64(failures))
        result.append(bigEndian: wait.milliseconds)
        result.append(bigEndian: notBefore?.wall.milliseconds ?? 0)
        result.append(bigEndian: notBefore?.uptime.milliseconds ?? 0)
        if let entriesDue { result.append(bigEndian: entriesDue.milliseconds) }
        if counted > 0 { result.append(counted) }
        result += (notBefore?.boot.rawValue ?? "").utf8.prefix(Self.longestBoot)
        return result
    }

    /// The state that `bytes` were made of; nil for anything else. A store then takes `RetryState()`: a wait that
    /// cannot be read bars nobody.
    public init?(bytes: [UInt8]) {
        guard bytes.count >= Self.headerBytes, bytes[0] == Self.version, bytes[1] <= 15 else { return nil }
        let isDue = bytes[1] & 4 != 0
        let dueEnd = Self.headerBytes + (isDue ? 8 : 0)
        let headerBytes = dueEnd + (bytes[1] & 8 == 0 ? 0 : 1)
        guard (headerBytes...headerBytes + Self.longestBoot).contains(bytes.count) else { return nil }
        let failures = Int64(bigEndian: bytes[2..<10])
        let wait = Int64(bigEndian: bytes[10..<18])
        guard failures >= 0, wait >= 0 else { return nil }
        var notBefore: ClockReading?
        if bytes[1] & 2 != 0 {
            notBefore = ClockReading(
                wall: Timestamp(milliseconds: Int64(bigEndian: bytes[18..<26])),
                uptime: Interval(milliseconds: Int64(bigEndian: bytes[26..<34])),
                boot: BootID(String(decoding: bytes[headerBytes...], as: UTF8.self))
            )
        }
        self.init(
            failures: Int(clamping: failures),
            notBefore: notBefore,
            wait: Interval(milliseconds: wait),
            isOrdered: bytes[1] & 1 != 0,
            entriesDue: isDue ? Timestamp(milliseconds: Int64(bigEndian: bytes[Self.headerBytes..<dueEnd])) : nil,
            faults: headerBytes > dueEnd ? Int(bytes[dueEnd]) : 0
        )
    }
}

extension [UInt8] {
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}

extension Int64 {
    /// The number that these eight bytes are, most significant first.
    init(bigEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
