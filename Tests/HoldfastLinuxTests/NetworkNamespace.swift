import Foundation
import XCTest

/// A thread with a network of its own, in which a test may switch interfaces on and off. It ends with this object.
final class NetworkNamespace: Sendable {
    struct Refused: Error {}

    private let queue = ThreadQueue()

    init() {
        let thread = Thread { [queue] in
            while let work = queue.next() { work() }
        }
        thread.start()
    }

    deinit { queue.end() }

    func perform<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.append { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// Leaves the machine's network for an empty one.
    func begin() async throws {
        try await perform {
            // Swift's view of the C library leaves out `unshare` and its flag `CLONE_NEWNET` (unshare(2)).
            guard let symbol = dlsym(nil, "unshare") else { throw Refused() }
            let unshare = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
            if unshare(0x4000_0000) != 0 { throw Refused() }
        }
    }

    /// Runs the `ip` command in this network: a child process has its thread's. (Foundation's `Process` waits for a
    /// child by means that do not work in a network without a loopback interface.)
    func ip(_ arguments: String) async throws {
        try await perform {
            let words = ["ip"] + arguments.split(separator: " ").map(String.init)
            var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
            defer { pointers.forEach { free($0) } }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
            var child = pid_t()
            guard posix_spawnp(&child, "ip", &actions, nil, &pointers, environ) == 0 else { throw Refused() }
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0 { if errno != EINTR { throw Refused() } }
            if status != 0 { throw Refused() }
        }
    }

    static func skipUnlessAllowed() async throws {
        do {
            let namespace = NetworkNamespace()
            try await namespace.begin()
            try await namespace.ip("link show lo")
        } catch {
            throw XCTSkip("needs the right to make a network namespace (CAP_SYS_ADMIN), and the `ip` command")
        }
    }
}

/// Work for one thread.
// Its state is used under the condition's lock.
private final class ThreadQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private var work: [@Sendable () -> Void] = []
    private var isOver = false

    func append(_ item: @escaping @Sendable () -> Void) { change { work.append(item) } }

    func end() { change { isOver = true } }

    /// Waits for the next item; nil when there will be none.
    func next() -> (@Sendable () -> Void)? {
        condition.lock()
        defer { condition.unlock() }
        while work.isEmpty {
            if isOver { return nil }
            condition.wait()
        }
        return work.removeFirst()
    }

    private func change(_ body: () -> Void) {
        condition.lock()
        body()
        condition.signal()
        condition.unlock()
    }
}
