import HoldfastDomain

/// Sequences in ascending order as unbroken runs: a lease's entries nearly always lie side by side, so that naming them
/// takes sixteen bytes rather than a page.
struct SequenceRuns: Hashable {
    private(set) var ranges: [ClosedRange<Int64>] = []

    /// The runs of these sequences, which ascend.
    init(_ sequences: some Sequence<Int64>) {
        for sequence in sequences {
            if let last = ranges.last, last.upperBound + 1 == sequence {
                ranges[ranges.count - 1] = last.lowerBound...sequence
            } else {
                ranges.append(sequence...sequence)
            }
        }
    }

    func contains(_ sequence: Int64) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < sequence { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(sequence)
    }
}

// MARK: - As stored

extension SequenceRuns {
    /// The first and the last sequence of each run, eight bytes each, big-endian.
    var bytes: [UInt8] {
        ranges.flatMap { [$0.lowerBound.bigEndian, $0.upperBound.bigEndian] }.withUnsafeBytes { Array($0) }
    }

    /// - Throws: `.damagedValue` where `bytes` cannot have made them.
    init(bytes: [UInt8]) throws {
        guard bytes.count % 16 == 0 else { throw QueueStoreError.damagedValue }
        for start in stride(from: 0, to: bytes.count, by: 16) {
            let first = Int64(bigEndian: bytes[start..<start + 8])
            let last = Int64(bigEndian: bytes[start + 8..<start + 16])
            guard first > ranges.last?.upperBound ?? 0, first <= last, last <= EntryKey.largestSequence else {
                throw QueueStoreError.damagedValue
            }
            ranges.append(first...last)
        }
    }
}
