import HoldfastDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Telemetry {
    /// As the other initialiser, with a `URL`.
    public convenience init(
        endpoint: URL,
        token: any AccessTokenProvider,
        policy: TelemetryPolicy = TelemetryPolicy(),
        ports: TelemetryPorts
    ) async throws {
        try await self.init(endpoint: endpoint.absoluteString, token: token, policy: policy, ports: ports)
    }

    /// As the other form, with a `Date`.
    @discardableResult
    public func background(until deadline: Date) async -> FlushReport {
        await background(until: Timestamp(deadline))
    }
}
