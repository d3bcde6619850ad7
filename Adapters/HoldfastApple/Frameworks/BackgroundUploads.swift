#if canImport(CryptoKit) && (canImport(Darwin) || canImport(AppleFoundation))
#if canImport(AppleFoundation)
import AppleFoundation
#endif
import CryptoKit
import Foundation
import HoldfastDomain

/// The delegate of a background session, and the files that it uploads from.
/// `@unchecked`: everything that changes is read and written under the lock.
final class BackgroundUploads: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let folder: URL
    private let lock = NSLock()
    private var book: UploadBook<ExchangeOutcome>
    private var isReady = false
    private var waitingForReady: [CheckedContinuation<Void, Never>] = []
    private var eventsAreIn = false
    private var whenIn: [@Sendable () -> Void] = []

    init(folder: URL, bodyLimit: Int) {
        self.folder = folder
        book = UploadBook(bodyLimit: bodyLimit)
    }

    /// These uploads are on their way already. Files of others, which a killed process left, are removed.
    func begin(with names: [String]) {
        let waiting: [CheckedContinuation<Void, Never>] = lock.withLock {
            for name in names { book.found(name) }
            let running = book.running
            // What cannot be listed or removed now is so at the next start; a file too many harms nobody.
            for file in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            where !running.contains(file) {
                try? FileManager.default.removeItem(at: folder.appendingPathComponent(file))
            }
            isReady = true
            defer { waitingForReady = [] }
            return waitingForReady
        }
        for continuation in waiting { continuation.resume() }
    }

    /// How many wait for an answer.
    var waiting: Int { lock.withLock { book.waiting } }

    /// Returns once it is known what is on its way.
    func whenReady() async {
        await withCheckedContinuation { continuation in
            let isReady = lock.withLock {
                if !self.isReady { waitingForReady.append(continuation) }
                return self.isReady
            }
            if isReady { continuation.resume() }
        }
    }

    /// Sends a request unless it is on its way or answered; `outcome` is settled when it ends.
    func send(
        _ request: TransportRequest,
        as urlRequest: URLRequest,
        in session: URLSession,
        _ outcome: ExchangeOutcome
    ) throws {
        let name = Self.name(of: request)
        let entry = lock.withLock { book.send(name, outcome) }
        switch entry {
        case .answered(let answer): outcome.settle(.success(answer))
        case .running: break
        case .new:
            let file = folder.appendingPathComponent(name)
            do { try Data(request.body).write(to: file, options: .atomic) } catch {
                let waiters = lock.withLock { book.end(name, head: nil, urlError: -1).waiters }
                let failure = TransportError(.invalidRequest, platformCode: (error as NSError).code)
                for waiter in waiters { waiter.settle(.failure(failure)) }
                return
            }
            let task = session.uploadTask(with: urlRequest, fromFile: file)
            task.taskDescription = name  // the one thing of a task that outlives the process
            task.resume()
        }
    }

    /// Calls `answer` once the events of uploads that ended without the app are in.
    func whenEventsAreIn(_ answer: @escaping @Sendable () -> Void) {
        let areIn = lock.withLock {
            if !eventsAreIn { whenIn.append(answer) }
            defer { eventsAreIn = false }
            return eventsAreIn
        }
        if areIn { answer() }
    }

    /// What is sent and where, but not the headers: a token that was refreshed meanwhile makes no other request of it.
    private static func name(of request: TransportRequest) -> String {
        var hash = SHA256()
        for part in [request.method, request.url] {
            hash.update(data: Array(part.utf8) + [0])
        }
        hash.update(data: request.body)
        return Hex.encode(Array(hash.finalize()))
    }

    // MARK: What the system tells

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let name = dataTask.taskDescription else { return }
        lock.withLock { book.receive(data, for: name) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let name = task.taskDescription else { return }
        let response = task.response as? HTTPURLResponse
        let isFromElsewhere = response != nil && response?.url != task.originalRequest?.url
        let head = isFromElsewhere ? nil : response.map(TransportResponse.init(head:))
        let number = error.map { ($0 as NSError).code }
        let ended = lock.withLock { book.end(name, head: head, urlError: number) }
        // A file that stays is removed at the next start.
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        for waiter in ended.waiters { waiter.settle(ended.result) }
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        let answers: [@Sendable () -> Void] = lock.withLock {
            eventsAreIn = whenIn.isEmpty
            defer { whenIn = [] }
            return whenIn
        }
        for answer in answers { answer() }
    }
}
#endif
