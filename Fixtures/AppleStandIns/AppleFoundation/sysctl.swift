import Foundation

/// A stand-in for the kernel's answers by name: -1 for a name it does not know.
@discardableResult
public func sysctlbyname(
    _ name: UnsafePointer<CChar>!,
    _ oldp: UnsafeMutableRawPointer!,
    _ oldlenp: UnsafeMutablePointer<Int>!,
    _ newp: UnsafeMutableRawPointer!,
    _ newlen: Int
) -> Int32 {
    guard let text = StandInKernel.current.answers[String(cString: name)] else { return -1 }
    let bytes = Array(text.utf8) + [0]
    guard let oldp, let oldlenp, oldlenp.pointee >= bytes.count else { return -1 }
    oldp.copyMemory(from: bytes, byteCount: bytes.count)
    oldlenp.pointee = bytes.count
    return 0
}

/// What the kernel of the pretended device tells.
/// `@unchecked`: its state is read and written under the lock.
@_spi(StandIn)
public final class StandInKernel: @unchecked Sendable {
    /// The one kernel.
    public static let current = StandInKernel()
    private let lock = NSLock()
    private var held = ["kern.bootsessionuuid": "0E1D2C3B-0000-4000-8000-000000000001"]
    private init() {}

    /// The answers by name.
    public var answers: [String: String] {
        get { lock.withLock { held } }
        set { lock.withLock { held = newValue } }
    }
}
