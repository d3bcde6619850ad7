import AppleDevice
import Foundation
import FoundationNetworking

/// One transfer as the system keeps it, beyond the life of the app.
/// `@unchecked`: what changes is changed under the daemon's lock.
@_spi(StandIn)
public final class Transfer: @unchecked Sendable {
    /// What is sent.
    public let request: FoundationNetworking.URLRequest
    /// Where its body lies.
    public let file: URL
    let session: String
    var description: String?
    var isResumed = false
    var response: FoundationNetworking.URLResponse?

    init(_ request: FoundationNetworking.URLRequest, _ file: URL, _ session: String) {
        (self.request, self.file, self.session) = (request, file, session)
    }
}

/// The part of the system that carries on while the app does not run.
/// `@unchecked`: its state is read and written under the lock.
@_spi(StandIn)
public final class TransferDaemon: @unchecked Sendable {
    /// The one of this device.
    public static let current = TransferDaemon()

    private typealias Event = @Sendable (URLSession, any URLSessionDataDelegate) -> Void
    private let lock = NSLock()
    private var transfers: [Transfer] = []
    private var sessions: [String: URLSession] = [:]
    /// What happened while the app did not run, by session.
    private var missed: [String: [Event]] = [:]
    private var carrier: (@Sendable (Transfer) -> Void)?

    private init() {}

    /// What is on its way.
    public var running: [Transfer] { lock.withLock { transfers.filter(\.isResumed) } }

    /// Calls `carrier` with each transfer that is resumed from now on: for a test that has a network.
    public func carry(by carrier: (@Sendable (Transfer) -> Void)?) { lock.withLock { self.carrier = carrier } }

    /// Answers a transfer, whether the app runs or not.
    public func answer(
        _ transfer: Transfer,
        status: Int,
        headers: [String: String] = [:],
        body: Data = Data(),
        from url: URL? = nil
    ) {
        guard let address = url ?? transfer.request.url else { return }
        let response = FoundationNetworking.HTTPURLResponse(
            url: address,
            statusCode: status,
            httpVersion: "HTTP/1.1",
            headerFields: headers
        )
        lock.withLock { transfer.response = response }
        let task = URLSessionUploadTask(transfer)
        if !body.isEmpty { tell(transfer.session) { $1.urlSession($0, dataTask: task, didReceive: body) } }
        finish(transfer, error: nil)
    }

    /// Ends a transfer.
    public func finish(_ transfer: Transfer, error: (any Error)?) {
        let wasRunning: Bool = lock.withLock {
            let count = transfers.count
            transfers.removeAll { $0 === transfer }
            return transfers.count < count
        }
        guard wasRunning else { return }
        let task = URLSessionUploadTask(transfer)
        tell(transfer.session) { $1.urlSession($0, task: task, didCompleteWithError: error) }
    }

    /// The app is killed; transfers go on, unless a person has swiped it away.
    public func killApp(byPerson: Bool = false) {
        lock.withLock { sessions = [:] }
        if byPerson { for transfer in running { finish(transfer, error: URLError(.cancelled)) } }
    }

    /// Forgets everything.
    public func reset() { lock.withLock { (transfers, sessions, missed, carrier) = ([], [:], [:], nil) } }

    func read<T>(_ body: () -> T) -> T { lock.withLock(body) }

    func make(_ request: FoundationNetworking.URLRequest, _ file: URL, for session: String) -> Transfer {
        if !FileManager.default.fileExists(atPath: file.path) {
            AppleDevice.current.raise("NSInvalidArgumentException: Cannot read file at \(file.path)")
        }
        return lock.withLock {
            let transfer = Transfer(request, file, session)
            transfers.append(transfer)
            return transfer
        }
    }

    func resume(_ transfer: Transfer) {
        let carrier = lock.withLock {
            transfer.isResumed = true
            return self.carrier
        }
        carrier?(transfer)
    }

    func running(of session: String) -> [Transfer] { running.filter { $0.session == session } }

    /// An app's session is there: it is told what it missed, and then that this was all.
    func connect(_ session: URLSession) {
        let (isSecond, events): (Bool, [Event]) = lock.withLock {
            defer { sessions[session.identifier] = session }
            return (sessions[session.identifier] != nil, missed.removeValue(forKey: session.identifier) ?? [])
        }
        if isSecond { AppleDevice.current.raise("a second background session called \(session.identifier)") }
        guard !events.isEmpty, let delegate = session.delegate as? any URLSessionDataDelegate else { return }
        session.queue.async {
            for event in events { event(session, delegate) }
            delegate.urlSessionDidFinishEvents(forBackgroundURLSession: session)
        }
    }

    func disconnect(_ session: URLSession) {
        lock.withLock { if sessions[session.identifier] === session { sessions[session.identifier] = nil } }
    }

    private func tell(_ identifier: String, _ event: @escaping Event) {
        let session: URLSession? = lock.withLock {
            if sessions[identifier] == nil { missed[identifier, default: []].append(event) }
            return sessions[identifier]
        }
        guard let session, let delegate = session.delegate as? any URLSessionDataDelegate else { return }
        session.queue.async { event(session, delegate) }
    }
}
