import Foundation

/// A stand-in for CryptoKit's secret key: neither `Codable` nor `Hashable`, as there.
@available(iOS 13.0, macOS 10.15, *)
public struct SymmetricKey: ContiguousBytes, Sendable {
    let bytes: [UInt8]

    /// The key with these bytes, of any number.
    public init<D: ContiguousBytes>(data: D) { bytes = data.withUnsafeBytes { Array($0) } }

    /// How many bits it has.
    public var bitCount: Int { bytes.count * 8 }

    /// Calls `body` with the bytes.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}
