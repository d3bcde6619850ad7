import Glibc

/// An open file, which is closed when nobody holds it any more.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes over what a system call returned.
    ///
    /// - Throws: `SystemError` if that says that it failed.
    init(_ number: Int32) throws {
        guard number >= 0 else { throw SystemError.last }
        self.number = number
    }

    /// Reads to the end, up to `limit` bytes; one more says that there were more.
    func readAll(upTo limit: Int) throws -> [UInt8] {
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while result.count <= limit {
            let count = try SystemError.retrying {
                Glibc.read(number, &chunk, min(chunk.count, limit + 1 - result.count))
            }
            if count == 0 { break }
            result += chunk.prefix(count)
        }
        return result
    }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try SystemError.retrying {
                rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until everything written is on the medium.
    func sync() throws { _ = try SystemError.retrying { Int(fsync(number)) } }

    deinit { close(number) }
}

/// A system call failed, with this `errno`.
struct SystemError: Error, Hashable {
    let number: Int32

    static var last: SystemError { SystemError(number: errno) }

    /// Calls until a signal no longer interrupts.
    static func retrying(_ call: () -> Int) throws -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw last }
        }
    }
}
