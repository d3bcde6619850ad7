import HoldfastDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Telemetry {
    /// Opens telemetry with the endpoint as a `URL`; see the initialiser with a `String`.
    public convenience init(
        endpoint: URL,
        token: (any AccessTokenProvider)? = nil,
        policy: TelemetryPolicy = TelemetryPolicy(),
        ports: TelemetryPorts
    ) async throws {
        try await self.init(endpoint: endpoint.absoluteString, token: token, policy: policy, ports: ports)
    }

    /// Works in the background until a `Date`; see `background(until:)` with a `Timestamp`.
    @discardableResult
    public func background(until deadline: Date) async -> FlushReport {
        await background(until: Timestamp(deadline))
    }
}
