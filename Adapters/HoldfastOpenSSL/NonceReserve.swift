import CHoldfastOpenSSL
import Glibc
import HoldfastDomain

/// Random nonces, drawn from OpenSSL's generator many at a time: a draw of 12 bytes costs as much as sealing 300.
///
/// Those that wait lie in a page that the kernel empties in a forked child (MADV_WIPEONFORK, madvise(2)), so no two
/// processes ever use the same; each is wiped when it is given out. Used by one thread at a time.
final class NonceReserve {
    static let nonceCount = 12
    private static let pageSize = 4096
    private static let capacity = (pageSize - MemoryLayout<Int>.size) / nonceCount

    /// How many wait, then those: all zero, as the kernel leaves it, says that none does. Nil if the kernel has no such
    /// page to give; then nothing is drawn ahead.
    private let page: UnsafeMutableRawPointer?

    init() {
        let fresh = mmap(nil, Self.pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let fresh, fresh != MAP_FAILED, madvise(fresh, Self.pageSize, MADV_WIPEONFORK) == 0 else {
            if fresh != MAP_FAILED { munmap(fresh, Self.pageSize) }
            page = nil
            return
        }
        page = fresh
    }

    /// Writes a nonce that was never given out.
    func take(into nonce: UnsafeMutablePointer<UInt8>) throws {
        guard let page else { return try Self.draw(Self.nonceCount, into: nonce) }
        let waiting = (page + MemoryLayout<Int>.size).assumingMemoryBound(to: UInt8.self)
        var count = page.load(as: Int.self)
        if count == 0 {
            try Self.draw(Self.capacity * Self.nonceCount, into: waiting)
            count = Self.capacity
        }
        let next = waiting + (count - 1) * Self.nonceCount
        memcpy(nonce, next, Self.nonceCount)
        explicit_bzero(next, Self.nonceCount)
        page.storeBytes(of: count - 1, as: Int.self)
    }

    private static func draw(_ count: Int, into bytes: UnsafeMutablePointer<UInt8>) throws {
        guard RAND_bytes(bytes, Int32(count)) == 1 else { throw CryptoError.openSSL() }
    }

    deinit {
        guard let page else { return }
        explicit_bzero(page, Self.pageSize)
        munmap(page, Self.pageSize)
    }
}
