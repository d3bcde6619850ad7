import Glibc
import HoldfastDomain

/// Where a command reads and writes: the process's own three streams.
struct Console: Sendable {
    /// What is typed or piped in.
    let input = ConsoleInput(descriptor: 0)
    /// Answers.
    let output = ConsoleOutput(descriptor: 1)
    /// Complaints, one sentence each.
    let errors = ConsoleOutput(descriptor: 2)

    /// Keeps the numbers 0, 1 and 2 from naming any other file where the process was started without one of them: a
    /// database that got number 1 would be written into. Reading or writing there then fails as it would have.
    static func reserveDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Says what went wrong, in one sentence.
    func complain(_ sentence: String) {
        // Where the complaint itself cannot be written there is nobody left to tell.
        try? errors.write("holdfast: \(sentence)\n")
    }
}

/// Writes to a file descriptor at once, without a buffer, so that each answer is out when it is known.
struct ConsoleOutput: Sendable {
    /// The descriptor, which stays open for as long as the process lives.
    let descriptor: Int32

    /// Whether a person is looking at it.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes a text, whole.
    ///
    /// - Throws: `NobodyReads`; `CommandFailure` when it cannot be written for another reason.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Answers on a line of its own, with a JSON object if that was asked for and otherwise in words.
    func write(_ object: @autoclosure () -> JSONObject, or words: @autoclosure () -> String, asJSON: Bool) throws {
        if asJSON { try write(object()) } else { try write(words() + "\n") }
    }

    /// Writes a JSON object on a line of its own.
    func write(_ object: JSONObject) throws { try write(try JSONValue.object(object).encoded() + [0x0a]) }

    /// Writes bytes, all of them.
    func write(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
            } else if errno == EPIPE {
                throw NobodyReads()
            } else if errno != EINTR {
                throw CommandFailure("the answer cannot be written: \(reason(errno))")
            }
        }
    }
}

/// The pipe that was written to has no reader any more.
struct NobodyReads: Error {}

/// Reads from a file descriptor whatever is there.
struct ConsoleInput: Sendable {
    /// The descriptor, which stays open for as long as the process lives.
    let descriptor: Int32

    /// What has come in, up to `limit` bytes, as soon as there is any; empty at the end.
    ///
    /// - Throws: `CommandFailure` when it cannot be read, such as when it was closed before the process began.
    func read(upTo limit: Int = 65_536) throws -> [UInt8] { try read(upTo: limit, unless: nil) }

    /// As `read(upTo:)`, but empty as soon as a signal asks for the end.
    func read(until signals: StopSignals) throws -> [UInt8] { try read(upTo: 65_536, unless: signals) }

    private func read(upTo limit: Int, unless signals: StopSignals?) throws -> [UInt8] {
        while true {
            if let signals {
                var queries = [descriptor, signals.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                // If this fails, reading says why.
                _ = poll(&queries, 2, -1)
                if signals.haveAsked { return [] }
            }
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, used in
                count = Glibc.read(descriptor, buffer.baseAddress, limit)
                used = max(count, 0)
            }
            if count >= 0 { return bytes }
            guard errno == EINTR else { throw CommandFailure("the input cannot be read: \(reason(errno))") }
        }
    }

    /// Everything to the end.
    ///
    /// - Throws: `CommandFailure` when it cannot be read or is more than `limit` bytes.
    func readAll(limit: Int) throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let bytes = try read()
            if bytes.isEmpty { return all }
            all += bytes
            guard all.count <= limit else { throw CommandFailure("the input is larger than \(limit) bytes") }
        }
    }
}

/// The system's words for an error number.
func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
