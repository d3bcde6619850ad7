import HoldfastDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TicketGate {
    /// Puts a key configuration in force; see `install(configuration:)` for bytes.
    ///
    /// - Throws: As that does.
    @discardableResult
    public func install(configuration data: Data) async throws -> KeyConfiguration {
        try await install(configuration: [UInt8](data))
    }

    /// Takes a server's time, as a `Date`; see `anchor(serverTime:)` for a `Timestamp`.
    ///
    /// - Throws: As that does.
    public func anchor(serverTime date: Date) async throws {
        try await anchor(serverTime: Timestamp(date))
    }
}
