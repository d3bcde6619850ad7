import CHoldfastCurl
import Glibc
import HoldfastDomain

/// The thread that carries out transfers, all at once, with one of libcurl's multi handles.
///
/// While it has none, the caller who brings one begins it on their own thread, as far as that goes without waiting: the
/// request is on its way while the worker's thread wakes up to wait for the answer.
// What other threads touch at any time is in `inbox`, which is locked, and `multi`, of which they call the thread-safe
// wakeup. Everything else belongs to the thread, or, while it sleeps, to the caller who set `isAsleep` back, until that
// one posts `alarm`.
final class CurlWorker: @unchecked Sendable {
    private struct Inbox {
        var arrivals: [CurlTransfer] = []
        var hasCancellations = false
        var isRunning = false
        var isStopped = false
        /// The thread waits for `alarm`.
        var isAsleep = false
    }

    /// What becomes of a transfer.
    private enum Way {
        case refused(TransportError)
        case toInbox
        case begun
    }

    /// libcurl's own set-up, once a process, before anything else of it.
    private static let setUp = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// Whether looking up a name does not block whoever begins a transfer. If it does, only the thread begins any.
    private static let resolvesAside = holdfast_resolves_names_aside() != 0

    private let inbox = Locked(Inbox())
    private let alarm = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let multi: UnsafeMutableRawPointer?
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var idleHandles: [UnsafeMutableRawPointer] = []

    init(maxConnections: Int) {
        // Fails only for a value that is too large (sem_init(3)).
        sem_init(alarm, 0, 0)
        multi = Self.setUp == CURLE_OK ? curl_multi_init() : nil
        if let multi {
            // These fail only for an option that libcurl does not know; then its own limits stand.
            _ = holdfast_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, max(1, maxConnections))
            _ = holdfast_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, maxConnections))
        }
    }

    /// Takes a transfer, which will be told its outcome in any case.
    func submit(_ transfer: CurlTransfer) {
        let way = inbox.withLock { inbox -> Way in
            if transfer.isCancelled { return .refused(TransportError(.cancelled)) }
            guard multi != nil, inbox.isRunning || start() else {
                return .refused(TransportError(curl: CURLE_FAILED_INIT))
            }
            inbox.isRunning = true
            guard inbox.isAsleep else {
                inbox.arrivals.append(transfer)
                return .toInbox
            }
            inbox.isAsleep = false
            return .begun
        }
        switch way {
        case .refused(let error): transfer.finish(.failure(error))
        case .toInbox: curl_multi_wakeup(multi)
        case .begun:
            begin(transfer)
            // libcurl sends one buffer at a time.
            var sent: Int
            repeat {
                sent = transfer.sent
                perform()
            } while transfer.sent > sent
            sem_post(alarm)
        }
    }

    /// Ends a transfer soon, unless it has ended already.
    func cancel(_ transfer: CurlTransfer) {
        inbox.withLock { inbox in
            transfer.isCancelled = true
            inbox.hasCancellations = true
        }
        curl_multi_wakeup(multi)
    }

    /// Ends the thread, once nothing is left to do.
    func stop() {
        let wasAsleep = inbox.withLock { inbox -> Bool in
            defer { (inbox.isAsleep, inbox.isStopped) = (false, true) }
            return inbox.isAsleep
        }
        if wasAsleep { sem_post(alarm) } else { curl_multi_wakeup(multi) }
    }

    private func start() -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<CurlWorker>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        guard code == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    // MARK: - On the thread

    private func run() {
        guard let multi else { return }
        while takeInbox() {
            perform()
            if fallsAsleep() {
                // A wait that a signal interrupts begins again.
                while sem_wait(alarm) != 0 {}
                continue
            }
            // Sleeps until there is something to read or write, a timer of libcurl's, a wakeup, or a minute is over.
            let waited = curl_multi_poll(multi, nil, 0, 60_000, nil)
            if waited != CURLM_OK {
                failAll(waited)
                // libcurl could not even wait, for want of memory, say; this thread must not spin meanwhile.
                usleep(100_000)
            }
        }
    }

    /// Whether there is nothing to do and nothing to wait for; then the thread counts as asleep.
    private func fallsAsleep() -> Bool {
        guard transfers.isEmpty, Self.resolvesAside else { return false }
        return inbox.withLock { inbox in
            inbox.isAsleep = inbox.arrivals.isEmpty && !inbox.isStopped
            return inbox.isAsleep
        }
    }

    /// Moves all transfers on as far as they go without waiting, and ends those that are done.
    private func perform() {
        var running: Int32 = 0
        let code = curl_multi_perform(multi, &running)
        if code != CURLM_OK { failAll(code) }
        finishTransfers()
    }

    /// Begins what has arrived and ends what was cancelled. False when there is nothing more to do, ever.
    private func takeInbox() -> Bool {
        let (arrivals, cancelled, isStopped) = inbox.withLock { inbox in
            defer { (inbox.arrivals, inbox.hasCancellations) = ([], false) }
            let cancelled = inbox.hasCancellations ? transfers.filter(\.value.isCancelled).map(\.key) : []
            // A transfer may have been cancelled before it arrived.
            return (inbox.arrivals.map { ($0, $0.isCancelled) }, cancelled, inbox.isStopped)
        }
        for (transfer, isCancelled) in arrivals {
            if isCancelled { transfer.finish(.failure(TransportError(.cancelled))) } else { begin(transfer) }
        }
        for handle in cancelled { end(handle, .failure(TransportError(.cancelled))) }
        return !isStopped || !transfers.isEmpty
    }

    private func begin(_ transfer: CurlTransfer) {
        guard let handle = idleHandles.popLast() ?? curl_easy_init() else {
            return transfer.finish(.failure(TransportError(curl: CURLE_OUT_OF_MEMORY)))
        }
        do {
            try transfer.prepare(handle)
            let code = curl_multi_add_handle(multi, handle)
            guard code == CURLM_OK else { throw TransportError(.connectionFailed, platformCode: Int(code.rawValue)) }
            transfers[handle] = transfer
        } catch {
            transfer.finish(.failure(error))
            recycle(handle)
        }
    }

    private func finishTransfers() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = transfers[handle]
            else { continue }
            end(handle, transfer.outcome(message.pointee.data.result, of: handle))
        }
    }

    private func failAll(_ code: CURLMcode) {
        for handle in Array(transfers.keys) {
            end(handle, .failure(TransportError(.connectionFailed, platformCode: Int(code.rawValue))))
        }
    }

    private func end(_ handle: UnsafeMutableRawPointer, _ outcome: Result<TransportResponse, any Error>) {
        let transfer = transfers.removeValue(forKey: handle)
        // Removing closes the connection of a transfer that was not done; it can only fail for a handle not ours.
        curl_multi_remove_handle(multi, handle)
        recycle(handle)
        transfer?.finish(outcome)
    }

    /// Forgets everything about the last transfer; the connections are the multi handle's.
    private func recycle(_ handle: UnsafeMutableRawPointer) {
        curl_easy_reset(handle)
        if idleHandles.count < 4 { idleHandles.append(handle) } else { curl_easy_cleanup(handle) }
    }

    deinit {
        idleHandles.forEach { curl_easy_cleanup($0) }
        curl_multi_cleanup(multi)
        sem_destroy(alarm)
        alarm.deallocate()
    }
}
