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

extension HTTPRecordSender {
    /// A sender of batches to a `URL`; see `init(endpoint:token:transport:clock:headers:timeout:onServerTime:onAttempt:)`.
    public init(
        endpoint: URL,
        token: (any AccessTokenProvider)? = nil,
        transport: any Transport,
        clock: any DeviceClock,
        headers: [HeaderField] = [],
        timeout: Interval = .seconds(30),
        onServerTime: (@Sendable (ClockAnchor) async -> Void)? = nil,
        onAttempt: (@Sendable (AttemptFailure?) async -> Void)? = nil
    ) {
        self.init(
            endpoint: endpoint.absoluteString,
            token: token,
            transport: transport,
            clock: clock,
            headers: headers,
            timeout: timeout,
            onServerTime: onServerTime,
            onAttempt: onAttempt
        )
    }
}
