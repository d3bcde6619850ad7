import CHoldfastLinux
import Glibc
import HoldfastDomain

/// Knows from the kernel's routing socket whether there is a network (rtnetlink(7)). Safe to use from any thread.
///
/// It needs no permission and no service such as NetworkManager. A thread of its own sleeps until something changes,
/// and ends with the object. Where the kernel refuses such sockets, as some sandboxes do, it says that the network can
/// be reached and never changes its mind: a delivery that is tried can fail, one that is never tried can never succeed.
public final class NetlinkConnectivity: Connectivity {
    /// How far away the server is: what a device must have for a request to get through.
    public enum Reach: Hashable, Sendable {
        /// Anywhere: an interface that is up and running, with an address of its own and a default route.
        case internet
        /// On a network of the venue: the same without a default route.
        case localNetwork
        /// On the device itself: the loopback interface is enough.
        case thisDevice
    }

    private let watcher: NetlinkWatcher

    /// Looks once, and begins to watch.
    public init(reach: Reach = .internet) { watcher = NetlinkWatcher(reach: reach) }

    /// What the network was like after the last change.
    public func current() -> ConnectivityStatus { watcher.status.value }

    /// Every later change.
    public func changes() -> AsyncStream<ConnectivityStatus> { watcher.status.changes() }

    deinit { watcher.stop() }
}

/// The thread that watches.
// Nothing of it changes but `status`, which locks itself.
private final class NetlinkWatcher: @unchecked Sendable {
    let status: Switch<ConnectivityStatus>
    private let reach: NetlinkConnectivity.Reach
    private let socket: NetlinkSocket?
    private let end: Descriptor?

    init(reach: NetlinkConnectivity.Reach) {
        self.reach = reach
        // Listening before looking, so that no change falls in between.
        socket = try? NetlinkSocket.listening()
        end = try? Descriptor(eventfd(0, Int32(EFD_CLOEXEC)))
        let table = try? NetlinkSocket.table()
        status = Switch(table?.status(for: reach) ?? ConnectivityStatus(isReachable: true))
        if socket != nil, end != nil, table != nil { start() }
    }

    func stop() {
        // It fails only if a stop is pending already.
        if let end { eventfd_write(end.number, 1) }
    }

    private func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<NetlinkWatcher>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        if code == 0 { pthread_detach(thread) } else { context.release() }
    }

    private func run() {
        guard let socket, let end else { return }
        var isStale = false
        while true {
            var files = [socket.number, end.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = poll(&files, 2, isStale ? 1000 : -1)
            if files[1].revents != 0 || (count < 0 && errno != EINTR) { return }
            socket.drain()
            do {
                status.set(try NetlinkSocket.table().status(for: reach))
                isStale = false
            } catch {
                // The kernel could not tell now; what was known stays until it can, in a second.
                isStale = true
            }
        }
    }
}
