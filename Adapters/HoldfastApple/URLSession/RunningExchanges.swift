import Foundation
import HoldfastDomain

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session's delegate: leads each task's events to its exchange.
/// `@unchecked`: the table is read and written under the lock; the rest never changes.
final class RunningExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let bodyLimit: Int
    private let lock = NSLock()
    private var running: [Int: (exchange: HTTPExchange, outcome: ExchangeOutcome)] = [:]

    init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    /// Expects the events of a task that has not been resumed yet.
    func begin(_ task: URLSessionTask) -> ExchangeOutcome {
        let outcome = ExchangeOutcome()
        lock.withLock { running[task.taskIdentifier] = (HTTPExchange(bodyLimit: bodyLimit), outcome) }
        return outcome
    }

    /// The time of a task is up.
    func runOut(_ task: URLSessionTask) { lock.withLock { running[task.taskIdentifier]?.exchange.runOut() } }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // Never followed: the request carries a token that only its own server may see. The redirect is the answer.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let head = (response as? HTTPURLResponse).map(TransportResponse.init(head:))
        lock.withLock { running[dataTask.taskIdentifier]?.exchange.receive(head: head) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let wantsMore = lock.withLock { running[dataTask.taskIdentifier]?.exchange.receive(data) ?? false }
        if !wantsMore { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let ended = lock.withLock({ running.removeValue(forKey: task.taskIdentifier) }) else { return }
        ended.outcome.settle(Result { try ended.exchange.finish(urlError: error.map { ($0 as NSError).code }) })
    }
}
