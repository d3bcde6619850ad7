import HoldfastDomain

extension Conformance {
    /// The promises of `RandomSource`. Each fails by chance less than once in 2^60 runs of a good source.
    public static let randomSource = ConformanceSuite<any RandomSource>([
        .init("gives_as_many_as_asked") { random in
            for count in [0, 1, 7, 8, 9, 32, 1000, 100_000] {
                let given = random.bytes(count).count
                try promise(given == count, "asked for \(count) bytes, got \(given)")
            }
        },
        .init("does_not_repeat") { random in
            var seen: Set<[UInt8]> = []
            for _ in 0..<1000 { seen.insert(random.bytes(20)) }
            try promise(seen.count == 1000, "1000 draws of 20 bytes had \(seen.count) values")
            // A thousand numbers have a pair in common with a chance of 2^-45; three pairs are no chance.
            let numbers = Set((0..<1000).map { _ in random.next() })
            try promise(numbers.count > 997, "1000 numbers had \(numbers.count) values")
        },
        .init("uses_the_whole_range") { random in
            // Each of the 64 bits is set in about half of 1000 numbers; 300 to 700 allows twelve deviations.
            let numbers = (0..<1000).map { _ in random.next() }
            for bit in 0..<64 {
                let count = numbers.reduce(0) { $0 + Int($1 >> UInt64(bit) & 1) }
                try promise((300...700).contains(count), "bit \(bit) was set in \(count) of 1000 numbers")
            }
            var counts = [Int](repeating: 0, count: 256)
            for byte in random.bytes(65_536) { counts[Int(byte)] += 1 }
            // Each value comes 256 times in the mean; 64 to 448 allows twelve deviations.
            let isEven = counts.allSatisfy((64...448).contains)
            try promise(isEven, "a byte value came \(counts.min() ?? 0) or \(counts.max() ?? 0) times in 65536")
        },
        .init("draws_from_many_threads") { random in
            let draws = await withTaskGroup(of: [[UInt8]].self) { group in
                for _ in 0..<8 { group.addTask { (0..<250).map { _ in random.bytes(16) } } }
                return await group.reduce(into: Set<[UInt8]>()) { $0.formUnion($1) }
            }
            try promise(draws.count == 2000, "2000 draws from eight tasks had \(draws.count) values")
        },
    ])
}
