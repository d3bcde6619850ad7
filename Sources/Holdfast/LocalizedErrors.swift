import HoldfastDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// `localizedDescription` gives an error's own description, in English: its kind and number, and nothing private.

extension QueueStoreError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension KeyVaultError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension CryptoError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension TransportError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension CompressionError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension ConfigurationError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension GateFailure: LocalizedError {
    /// The failure's description.
    public var errorDescription: String? { description }
}

extension TelemetryError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension MalformedReason: LocalizedError {
    /// The reason's description.
    public var errorDescription: String? { description }
}

extension JSONError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}
