import Foundation

/// A stand-in for CryptoKit's hash functions: the part that HMAC and the adapters need.
@available(iOS 13.0, macOS 10.15, *)
public protocol HashFunction: Sendable {
    /// What it gives.
    associatedtype Digest: CryptoKit.Digest
    /// Hashes all of `data`.
    static func hash<D: DataProtocol>(data: D) -> Digest
}

/// A stand-in for CryptoKit's digests.
@available(iOS 13.0, macOS 10.15, *)
public protocol Digest: Sequence, Sendable where Element == UInt8 {}

/// The 32 bytes of a SHA-256.
@available(iOS 13.0, macOS 10.15, *)
public struct SHA256Digest: Digest {
    let bytes: [UInt8]
    /// Iterates over the bytes.
    public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
}

/// SHA-256.
@available(iOS 13.0, macOS 10.15, *)
public struct SHA256: HashFunction {
    private var message: [UInt8] = []

    /// A hash of nothing yet.
    public init() {}

    /// Hashes all of `data`.
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest {
        SHA256Digest(bytes: OpenSSL.sha256(Array(data)))
    }

    /// Hashes `data` after what came before.
    public mutating func update<D: DataProtocol>(data: D) { message += Array(data) }

    /// The hash of all.
    public func finalize() -> SHA256Digest { Self.hash(data: message) }
}

/// The code that an HMAC gives.
@available(iOS 13.0, macOS 10.15, *)
public struct HashedAuthenticationCode<H: HashFunction>: Sequence, Sendable {
    let bytes: [UInt8]
    /// Iterates over the bytes.
    public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
}

/// HMAC (RFC 2104), for hash functions with blocks of 64 bytes.
@available(iOS 13.0, macOS 10.15, *)
public struct HMAC<H: HashFunction>: Sendable {
    /// The code of `data` under `key`.
    public static func authenticationCode<D: DataProtocol>(
        for data: D,
        using key: SymmetricKey
    ) -> HashedAuthenticationCode<H> {
        var block = key.bytes.count > 64 ? Array(H.hash(data: key.bytes)) : key.bytes
        block += [UInt8](repeating: 0, count: 64 - block.count)
        let inner = H.hash(data: block.map { $0 ^ 0x36 } + Array(data))
        return HashedAuthenticationCode(bytes: Array(H.hash(data: block.map { $0 ^ 0x5c } + Array(inner))))
    }
}
