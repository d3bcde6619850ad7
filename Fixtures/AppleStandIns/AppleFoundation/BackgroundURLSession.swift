import AppleDevice
import Foundation
import FoundationNetworking

// Background sessions, which Linux's Foundation says it has not. A file that imports this module and Foundation, but not
// FoundationNetworking, finds these names, as it finds Apple's on Apple's platforms.
public typealias URLRequest = FoundationNetworking.URLRequest
public typealias URLResponse = FoundationNetworking.URLResponse
public typealias HTTPURLResponse = FoundationNetworking.HTTPURLResponse
public typealias HTTPCookieStorage = FoundationNetworking.HTTPCookieStorage
public typealias URLCache = FoundationNetworking.URLCache
public typealias URLCredentialStorage = FoundationNetworking.URLCredentialStorage

/// A stand-in for the configuration of a background session.
public final class URLSessionConfiguration: NSObject {
    let identifier: String
    public var sessionSendsLaunchEvents = true
    public var isDiscretionary = false
    public var timeoutIntervalForResource: TimeInterval = 7 * 86400
    public var httpCookieStorage: HTTPCookieStorage?
    public var httpShouldSetCookies = true
    public var urlCache: URLCache?
    public var urlCredentialStorage: URLCredentialStorage?

    private init(identifier: String) { self.identifier = identifier }

    /// The configuration of the session that the system knows by this name.
    @available(iOS 8.0, macOS 10.10, *)
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
        URLSessionConfiguration(identifier: identifier)
    }
}

/// A stand-in for what a session's delegate is told.
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

/// A stand-in for what a session's delegate is told of its tasks.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

/// A stand-in for what a session's delegate is told of the bodies of answers.
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

extension URLSessionDelegate {
    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}
extension URLSessionTaskDelegate {
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
}
extension URLSessionDataDelegate {
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
}

/// A stand-in for a task, as one process sees it; the transfer itself is the system's.
/// `@unchecked`: the transfer is reached through the daemon's lock; the rest never changes.
open class URLSessionTask: NSObject, @unchecked Sendable {
    let transfer: Transfer
    init(_ transfer: Transfer) { self.transfer = transfer }

    public var taskDescription: String? {
        get { TransferDaemon.current.read { transfer.description } }
        set { TransferDaemon.current.read { transfer.description = newValue } }
    }
    public var originalRequest: URLRequest? { transfer.request }
    public var response: URLResponse? { TransferDaemon.current.read { transfer.response } }
    public func resume() { TransferDaemon.current.resume(transfer) }
    public func cancel() { TransferDaemon.current.finish(transfer, error: URLError(.cancelled)) }
}

/// A task whose answer comes piece by piece.
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// A task that uploads.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

/// A stand-in for a background session: one for each name in a process.
/// `@unchecked`: it never changes.
public final class URLSession: NSObject, @unchecked Sendable {
    let identifier: String
    let delegate: (any URLSessionDelegate)?
    let queue = DispatchQueue(label: "a session's delegate queue")

    @available(iOS 7.0, macOS 10.9, *)
    public init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {
        identifier = configuration.identifier
        self.delegate = delegate
        super.init()
        TransferDaemon.current.connect(self)
    }

    /// A task that uploads a file, in the background the only kind.
    @available(iOS 7.0, macOS 10.9, *)
    public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
        URLSessionUploadTask(TransferDaemon.current.make(request, fileURL, for: identifier))
    }

    /// The tasks of all processes that are not over.
    @available(iOS 9.0, macOS 10.11, *)
    public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        let tasks = TransferDaemon.current.running(of: identifier).map { URLSessionUploadTask($0) }
        queue.async { completionHandler(tasks) }
    }

    /// No more tasks; those that run go on.
    @available(iOS 7.0, macOS 10.9, *)
    public func finishTasksAndInvalidate() { TransferDaemon.current.disconnect(self) }
}
