import HoldfastDomain

/// Sends requests with libcurl. Safe to use from any task, many at once.
///
/// One thread of its own serves all requests of a transport, so that none of the few threads that run tasks ever waits
/// for a network; it starts with the first request and ends with the transport. Connections are kept and used again,
/// with HTTP/2 where a server speaks it over TLS. If a kept connection turns out to have been closed by the server
/// before any answer, libcurl sends the request once more on a new one.
///
/// It takes nothing from its surroundings: no proxy from environment variables, no `.netrc`, no `.curlrc`, no cookies,
/// no credentials in URLs, no compression that was not asked for, no name for itself.
public struct CurlTransport: Transport {
    /// How to connect.
    public struct Configuration: Hashable, Sendable {
        /// How long connecting may take, TLS included; the request's own timeout bounds all of it.
        public var connectTimeout: Interval
        /// A file of certificates in PEM. Servers are then trusted by these and no others; nil trusts the system's.
        public var trustedCertificates: String?
        /// The URL of a proxy to send everything through; nil for none.
        public var proxy: String?
        /// How many bytes of a response's body are kept; what comes after them is not read.
        public var maxResponseBytes: Int
        /// How many connections are open at once; more requests wait for one, within their timeouts.
        public var maxConnections: Int

        /// A configuration; by default the system's certificates, no proxy, 15 s to connect, 1 MiB and 8 connections.
        public init(
            connectTimeout: Interval = .seconds(15),
            trustedCertificates: String? = nil,
            proxy: String? = nil,
            maxResponseBytes: Int = 1 << 20,
            maxConnections: Int = 8
        ) {
            self.connectTimeout = connectTimeout
            self.trustedCertificates = trustedCertificates
            self.proxy = proxy
            self.maxResponseBytes = maxResponseBytes
            self.maxConnections = maxConnections
        }
    }

    private let configuration: Configuration
    private let owner: Owner

    /// A transport that connects in this way.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        owner = Owner(CurlWorker(maxConnections: configuration.maxConnections))
    }

    /// Sends the request and waits for the whole answer.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let transfer = try CurlTransfer(request, configuration)
        let worker = owner.worker
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.whenDone = { continuation.resume(with: $0) }
                worker.submit(transfer)
            }
        } onCancel: {
            worker.cancel(transfer)
        }
    }

    /// Ends the worker when the last copy of the transport is gone; the worker's own thread does not hold this.
    private final class Owner: Sendable {
        let worker: CurlWorker
        init(_ worker: CurlWorker) { self.worker = worker }
        deinit { worker.stop() }
    }
}
