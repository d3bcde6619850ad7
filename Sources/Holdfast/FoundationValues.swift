import HoldfastDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Timestamp {
    /// The whole millisecond nearest to `date`; a date beyond the range, or none at all, is its nearest end.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        if let whole = Int64(exactly: milliseconds) {
            self.init(milliseconds: whole)
        } else {
            self = milliseconds < 0 ? .distantPast : .distantFuture
        }
    }

    /// The moment as a date.
    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension EntryID {
    /// The same 16 bytes.
    public init(_ uuid: UUID) {
        self.init(
            high: withUnsafeBytes(of: uuid.uuid) { $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self).bigEndian },
            low: withUnsafeBytes(of: uuid.uuid) { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian }
        )
    }

    /// The same 16 bytes.
    public var uuid: UUID {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) {
            $0.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
            $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: bytes)
    }
}
