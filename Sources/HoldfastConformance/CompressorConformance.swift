import HoldfastDomain

extension Conformance {
    /// A compressor, and a reader of gzip that is known to be good; nil when it refuses.
    public struct CompressorSubject: Sendable {
        let compressor: any Compressor
        let gunzip: @Sendable ([UInt8]) -> [UInt8]?

        /// A compressor with something to read its output.
        public init(_ compressor: any Compressor, gunzip: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
            self.compressor = compressor
            self.gunzip = gunzip
        }
    }

    /// The promises of `Compressor`.
    public static let compressor = ConformanceSuite<CompressorSubject>([
        .init("comes_back_whole") { subject in
            for bytes in samples {
                let packed = try subject.compressor.gzip(bytes)
                try promise(subject.gunzip(packed) == bytes, "\(bytes.count) bytes did not come back")
            }
        },
        .init("is_one_gzip_member") { subject in
            for bytes in samples {
                let packed = try subject.compressor.gzip(bytes)
                try promise(packed.starts(with: [0x1f, 0x8b, 8]), "does not begin as RFC 1952, section 2.3.1, says")
                let length = packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
                try promise(length == bytes.count, "ends with the length \(length) for \(bytes.count) bytes")
            }
        },
        .init("hardly_ever_grows") { subject in
            for bytes in samples {
                let count = try subject.compressor.gzip(bytes).count
                let limit = bytes.count + bytes.count / 1000 + 64
                try promise(count <= limit, "\(bytes.count) bytes became \(count)")
            }
        },
        .init("says_the_same_each_time") { subject in
            // A batch that is sent again should have the same bytes: no time stamp, no leftover state.
            for bytes in samples {
                let isSame = try subject.compressor.gzip(bytes) == subject.compressor.gzip(bytes)
                try promise(isSame, "\(bytes.count) bytes gave two results")
            }
        },
        .init("packs_many_at_once") { subject in
            let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<16 {
                    group.addTask {
                        let bytes = [UInt8](repeating: UInt8(index), count: 10_000 + index)
                        return subject.gunzip(try subject.compressor.gzip(bytes)) == bytes
                    }
                }
                return try await group.reduce(0) { $1 ? $0 : $0 + 1 }
            }
            try promise(wrong == 0, "\(wrong) of 16 did not come back")
        },
    ])

    /// Nothing, one byte, text that shrinks, bytes that do not, and more than a window of 32 KiB of each.
    private static let samples: [[UInt8]] = {
        var state: UInt64 = 1
        let noise = (0..<100_000).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let text = Array(String(repeating: #"{"type":"screen.view","payload":{"ms":182}},"#, count: 6000).utf8)
        return [[], [0], Array(text.prefix(100)), text, noise]
    }()
}
