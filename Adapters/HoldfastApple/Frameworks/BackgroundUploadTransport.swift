#if canImport(CryptoKit) && (canImport(Darwin) || canImport(AppleFoundation))
#if canImport(AppleFoundation)
import AppleFoundation
#endif
import CryptoKit
import Foundation
import HoldfastDomain

/// Carries requests with a background URLSession: what is on its way goes on while the app is suspended, and after it
/// was killed by the system.
///
/// Where `URLSessionTransport` ends with the process, here the system finishes the upload, and the same request, sent
/// again by the next process, finds the upload or its answer instead of going out a second time. Use it where batches
/// are large or networks slow; the system may put it off as it sees fit.
///
/// What this costs, so that it is a choice:
/// - a background session uploads from files only. While it is on its way a batch lies in `folder` as it goes over the
///   wire, protected by the system until the first unlock but not sealed; the file goes with the end of the upload.
/// - a background session follows redirects, and nobody is asked. An answer from another address than the request's
///   counts as none, but the token has gone there: use it with an endpoint that does not redirect.
/// - a request that was cut anew, because more had been queued meanwhile, is another request: its entries may arrive
///   twice, and the server knows them by their ids.
///
/// Make one per identifier and process, at launch. Safe from any thread.
public final class BackgroundUploadTransport: Transport {
    let uploads: BackgroundUploads
    private let session: URLSession

    /// A transport that goes on with what an earlier process began under the same identifier.
    ///
    /// - Parameters:
    ///   - identifier: Names the session to the system, such as the bundle identifier and `.uploads`.
    ///   - folder: Where bodies lie while they are on their way; nobody else's.
    ///   - resourceTimeout: How long the system may try; a day by default.
    ///   - bodyLimit: How many bytes of an answer are kept.
    /// - Throws: `QueueStoreError` when the folder cannot be made.
    public init(
        identifier: String,
        folder: URL,
        resourceTimeout: Interval = .hours(24),
        bodyLimit: Int = 1 << 20
    ) throws {
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.sessionSendsLaunchEvents = true
        configuration.isDiscretionary = false
        configuration.timeoutIntervalForResource = resourceTimeout.seconds
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        uploads = BackgroundUploads(folder: try DataDirectory.prepare(folder), bodyLimit: bodyLimit)
        session = URLSession(configuration: configuration, delegate: uploads, delegateQueue: nil)
        session.getAllTasks { [uploads] tasks in uploads.begin(with: tasks.compactMap(\.taskDescription)) }
    }

    // A session keeps its delegate until it is told that no more will come. Uploads go on.
    deinit { session.finishTasksAndInvalidate() }

    /// Sends the request, or joins the same request on its way, and waits for the answer.
    ///
    /// When the caller's task is cancelled, or the request's time is over, the caller stops waiting; the upload goes on.
    ///
    /// - Throws: `TransportError`; `.invalidRequest` also if the body cannot be written to its file.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let urlRequest = try URLRequest(request)
        await uploads.whenReady()
        let outcome = ExchangeOutcome()
        let deadline = DispatchWorkItem { outcome.settle(.failure(TransportError(.timedOut))) }
        DispatchQueue.global().asyncAfter(deadline: .now() + request.timeout.seconds, execute: deadline)
        defer { deadline.cancel() }
        return try await withTaskCancellationHandler {
            try uploads.send(request, as: urlRequest, in: session, outcome)
            return try await outcome.value()
        } onCancel: {
            outcome.settle(.failure(TransportError(.cancelled)))
        }
    }

    /// Takes the events of uploads that ended while the app did not run. Call it in
    /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    ///
    /// - Parameters:
    ///   - work: Runs when all events are in: deliver, so that what was acknowledged is settled.
    ///   - completionHandler: The system's, as it comes; called on the main thread once the work is done.
    @MainActor
    public func handleEvents(
        then work: @escaping @Sendable () async -> Void,
        completionHandler: @escaping () -> Void
    ) {
        let completion = Completion(completionHandler)
        uploads.whenEventsAreIn {
            Task {
                await work()
                await completion.run()
            }
        }
    }
}

/// A handler as UIKit gives it, which says nothing of threads; it stays on the main one.
@MainActor
private final class Completion {
    private let handler: () -> Void

    init(_ handler: @escaping () -> Void) { self.handler = handler }

    func run() { handler() }
}
#endif
