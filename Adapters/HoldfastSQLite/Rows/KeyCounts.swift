import HoldfastDomain

/// How many entries each sealing key still opens: a few pairs in one blob, so that counting touches no page that
/// the stream's row does not touch already.
struct KeyCounts {
    private(set) var pairs: [(key: KeyID, count: Int64)] = []

    init() {}

    /// How many entries all keys together open.
    var total: Int64 { pairs.reduce(0) { $0.addingSaturated($1.count) } }

    mutating func add(_ count: Int64, of key: KeyID) {
        // The newest key is last, and nearly every entry is sealed with it.
        guard let index = pairs.lastIndex(where: { $0.key == key }) else {
            if count > 0 { pairs.append((key, count)) }
            return
        }
        pairs[index].count = max(0, pairs[index].count.addingSaturated(count))
        if pairs[index].count == 0 { pairs.remove(at: index) }
    }

    /// 12 bytes a pair: the key (4), then the count (8), big-endian.
    init(stored bytes: [UInt8]) throws {
        guard bytes.count % 12 == 0 else { throw QueueStoreError.damagedValue }
        for start in stride(from: 0, to: bytes.count, by: 12) {
            let key = UInt32(bigEndian: bytes[start..<start + 4])
            let count = Int64(bigEndian: bytes[start + 4..<start + 12])
            guard count > 0 else { throw QueueStoreError.damagedValue }
            pairs.append((KeyID(key), count))
        }
    }

    var bytes: [UInt8] {
        pairs.reduce(into: []) { bytes, pair in
            bytes.append(bigEndian: pair.key.rawValue)
            bytes.append(bigEndian: pair.count)
        }
    }
}
