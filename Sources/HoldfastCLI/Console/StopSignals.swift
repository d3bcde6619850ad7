import Dispatch
import Glibc

/// Lets a command that waits for input come to its own end when a signal asks for it: after what it has in hand.
///
/// From its making on, SIGINT, SIGTERM, SIGHUP and SIGQUIT do nothing by themselves (SIGQUIT would leave a memory image
/// with keys in it). A second one of a kind ends the process at once, whatever it waits for. One that whoever started
/// the process has had ignored, as `nohup` does, stays ignored.
struct StopSignals {
    /// Can be read from once a signal has asked; stays open for as long as the process lives.
    let descriptor: Int32
    private let sources: [any DispatchSourceSignal]

    /// Begins to listen.
    ///
    /// - Throws: `CommandFailure` when the process may open no more files.
    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }),
            fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0
        else { throw CommandFailure("signals cannot be listened for: \(reason(errno))") }
        let input = ends[1]
        descriptor = ends[0]
        let registrations = DispatchGroup()
        sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].compactMap { number in
            var earlier = sigaction()
            guard sigaction(number, nil, &earlier) == 0 else { return nil }
            let handler = earlier.__sigaction_handler.sa_handler
            let isIgnored = handler.map { unsafeBitCast($0, to: Int.self) } == unsafeBitCast(SIG_IGN, to: Int.self)
            guard !isIgnored else { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            registrations.enter()
            source.setRegistrationHandler { registrations.leave() }
            source.setEventHandler {
                signal(number, SIG_DFL)
                // If the pipe is full, somebody has asked often enough.
                _ = Glibc.write(input, [1], 1)
            }
            source.resume()
            return source
        }
        // A source begins to listen on a thread of its own. Until then the signal does what it does by itself.
        registrations.wait()
    }

    /// Whether a signal has asked.
    var haveAsked: Bool {
        var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&query, 1, 0) == 1
    }
}
