import Glibc
import XCTest

@testable import HoldfastOpenSSL

final class NonceReserveTests: XCTestCase {
    func testNoNonceIsGivenOutTwice() throws {
        let reserve = NonceReserve()
        var seen: Set<[UInt8]> = []
        for _ in 0..<2000 { XCTAssertTrue(seen.insert(try nonce(from: reserve)).inserted) }
    }

    func testAForkedChildHasOtherNonces() throws {
        typealias Fork = @convention(c) () -> pid_t
        // Swift hides fork, since little but what this child does may follow it.
        let fork = unsafeBitCast(try XCTUnwrap(dlsym(nil, "fork")), to: Fork.self)
        let reserve = NonceReserve()
        _ = try nonce(from: reserve)
        let size = NonceReserve.nonceCount
        let shared = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        let childs = try XCTUnwrap(shared == MAP_FAILED ? nil : shared)
        defer { munmap(childs, size) }

        let child = fork()
        if child == 0 {
            let isTaken = (try? reserve.take(into: childs.assumingMemoryBound(to: UInt8.self))) != nil
            _exit(isTaken ? 0 : 1)
        }
        var status: Int32 = 0
        XCTAssertEqual(waitpid(child, &status, 0), child)
        XCTAssertEqual(status, 0)
        let childsNonce = [UInt8](UnsafeRawBufferPointer(start: childs, count: size))
        XCTAssertNotEqual(childsNonce, [UInt8](repeating: 0, count: size))
        XCTAssertNotEqual(try nonce(from: reserve), childsNonce)
    }

    private func nonce(from reserve: NonceReserve) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: NonceReserve.nonceCount)
        try bytes.withUnsafeMutableBufferPointer { try reserve.take(into: XCTUnwrap($0.baseAddress)) }
        return bytes
    }
}
