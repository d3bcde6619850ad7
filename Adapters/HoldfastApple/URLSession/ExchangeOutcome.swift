import Foundation
import HoldfastDomain

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where the end of one exchange meets the one caller that waits for it, whichever comes first.
/// `@unchecked`: its state is read and written under the lock.
final class ExchangeOutcome: @unchecked Sendable {
    private let lock = NSLock()
    private var result: Result<TransportResponse, any Error>?
    private var waiter: CheckedContinuation<TransportResponse, any Error>?

    /// The exchange has ended. The first end counts.
    func settle(_ result: Result<TransportResponse, any Error>) {
        let waiting: CheckedContinuation<TransportResponse, any Error>? = lock.withLock {
            guard self.result == nil else { return nil }
            self.result = result
            defer { waiter = nil }
            return waiter
        }
        waiting?.resume(with: result)
    }

    /// Waits for the end; called once.
    func value() async throws -> TransportResponse {
        try await withCheckedThrowingContinuation { continuation in
            let ended: Result<TransportResponse, any Error>? = lock.withLock {
                if result == nil { waiter = continuation }
                return result
            }
            if let ended { continuation.resume(with: ended) }
        }
    }
}

extension TransportResponse {
    /// The status and the headers of an answer. URLSession has joined repeated fields with commas (RFC 9110, 5.3).
    init(head: HTTPURLResponse) {
        let fields = head.allHeaderFields.compactMap { name, value in
            (name as? String).map { HeaderField($0, value as? String ?? String(describing: value)) }
        }
        self.init(status: head.statusCode, headers: fields.sorted { $0.name < $1.name })
    }
}
