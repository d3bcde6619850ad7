import Foundation
import HoldfastDomain

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries requests with URLSession.
///
/// No cookies, no cache, no stored credentials, no redirects, no repeats; the whole exchange ends within the request's
/// timeout, and an answer's body is cut at a limit. It does not wait for a network: when to try again is decided
/// elsewhere. Safe from any thread.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges: RunningExchanges

    /// A transport with a session of its own.
    ///
    /// - Parameters:
    ///   - bodyLimit: How many bytes of an answer are kept, 1 MiB by default.
    ///   - protocolClasses: What is asked before the network, for tests (`URLProtocol`).
    public convenience init(bodyLimit: Int = 1 << 20, protocolClasses: [AnyClass] = []) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = protocolClasses + (configuration.protocolClasses ?? [])
        self.init(configuration: configuration, bodyLimit: bodyLimit)
    }

    /// A transport with a session of this configuration, which must not be a background one. What a transport may not
    /// do (cookies, cache, credentials) is switched off in it.
    public init(configuration: URLSessionConfiguration, bodyLimit: Int = 1 << 20) {
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        exchanges = RunningExchanges(bodyLimit: bodyLimit)
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    // A session keeps its delegate until it is told that no more will come.
    deinit { session.finishTasksAndInvalidate() }

    /// Sends the request and waits for the whole answer, whatever its status.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        var urlRequest = try URLRequest(request)
        if !request.body.isEmpty { urlRequest.httpBody = Data(request.body) }
        let task = session.dataTask(with: urlRequest)
        let outcome = exchanges.begin(task)
        let deadline = DispatchWorkItem { [exchanges] in
            exchanges.runOut(task)
            task.cancel()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + request.timeout.seconds, execute: deadline)
        defer { deadline.cancel() }
        return try await withTaskCancellationHandler {
            task.resume()
            return try await outcome.value()
        } onCancel: {
            task.cancel()
        }
    }
}
