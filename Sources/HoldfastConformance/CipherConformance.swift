import HoldfastDomain

extension Conformance {
    /// The promises of `PayloadCipher`, but for `opens_what_others_sealed`: see `payloadCipherExchange`.
    public static let payloadCipher = ConformanceSuite<any PayloadCipher>([
        .init("opens_what_it_sealed") { cipher in
            for count in [0, 1, 15, 16, 17, 300, 70_000] {
                let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
                for binding in [[], [1, 2, 3], [UInt8](repeating: 7, count: 300)] as [[UInt8]] {
                    let sealed = try cipher.seal(plaintext, with: .one, binding: binding)
                    let opened = try cipher.open(sealed, with: .one, binding: binding)
                    try promise(opened == plaintext, "\(count) bytes came back as \(opened.count) others")
                }
            }
        },
        .init("adds_28_bytes") { cipher in
            for count in [0, 1, 300] {
                let sealed = try cipher.seal([UInt8](repeating: 0, count: count), with: .one, binding: [])
                try promise(sealed.count == count + 28, "\(count) bytes became \(sealed.count)")
            }
        },
        .init("shows_nothing_of_the_plaintext") { cipher in
            let plaintext = Array("the plaintext is nowhere to be seen".utf8)
            let sealed = try cipher.seal(plaintext, with: .one, binding: [])
            let windows = sealed.indices.dropLast(8).map { Array(sealed[$0..<$0 + 8]) }
            let isShown = plaintext.indices.dropLast(8).contains { windows.contains(Array(plaintext[$0..<$0 + 8])) }
            try promise(!isShown, "eight bytes of the plaintext in a row are in what was sealed")
        },
        .init("never_repeats_a_nonce") { cipher in
            var nonces: Set<[UInt8]> = []
            for _ in 0..<1000 { nonces.insert(Array(try cipher.seal([], with: .one, binding: []).prefix(12))) }
            try promise(nonces.count == 1000, "1000 seals had \(nonces.count) nonces")
        },
        .init("refuses_every_change") { cipher in
            let sealed = try cipher.seal([1, 2, 3, 4, 5], with: .one, binding: [6])
            for index in sealed.indices {
                var changed = sealed
                changed[index] ^= 1 << (index % 8)
                try await refuses(cipher, changed, .one, [6], "byte \(index) changed")
            }
            try await refuses(cipher, sealed, .other, [6], "another key")
            try await refuses(cipher, sealed, .one, [7], "other associated data")
            try await refuses(cipher, sealed, .one, [], "no associated data")
        },
        .init("refuses_every_length") { cipher in
            let sealed = try cipher.seal([1, 2, 3, 4, 5], with: .one, binding: [6])
            for count in 0..<sealed.count {
                try await refuses(cipher, Array(sealed.prefix(count)), .one, [6], "cut to \(count) bytes")
            }
            try await refuses(cipher, sealed + [0], .one, [6], "a byte added")
        },
        .init("answers_many_at_once") { cipher in
            let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<64 {
                    group.addTask {
                        let plaintext = [UInt8](repeating: UInt8(index), count: 1000 + index)
                        let key = index % 2 == 0 ? SymmetricKey.one : .other
                        let sealed = try cipher.seal(plaintext, with: key, binding: [UInt8(index)])
                        return try cipher.open(sealed, with: key, binding: [UInt8(index)]) == plaintext
                    }
                }
                return try await group.reduce(0) { $1 ? $0 : $0 + 1 }
            }
            try promise(wrong == 0, "\(wrong) of 64 did not come back")
        },
    ])

    /// That a `PayloadCipher` really is AES-256-GCM, so that what one adapter sealed another opens. Toys break it.
    public static let payloadCipherExchange = ConformanceSuite<any PayloadCipher>([
        .init("opens_what_others_sealed") { cipher in
            for vector in CipherVector.gcm {
                let opened = try cipher.open(vector.sealed, with: vector.key, binding: vector.binding)
                try promise(opened == vector.plaintext, "test case \(vector.number) of the GCM specification")
            }
        }
    ])
}

private func refuses(
    _ cipher: any PayloadCipher,
    _ sealed: [UInt8],
    _ key: SymmetricKey,
    _ binding: [UInt8],
    _ what: String
) async throws {
    try await promise(throwing: CryptoError.self, where: { $0.code == .notAuthentic }, "\(what), not refused") {
        try cipher.open(sealed, with: key, binding: binding)
    }
}

/// Sealed bytes that are known to be right: bare numbers from McGrew and Viega, "The Galois/Counter Mode of Operation
/// (GCM)", appendix B, test cases 13, 14 and 16.
private struct CipherVector: Sendable {
    let number: Int
    let key: SymmetricKey
    let sealed: [UInt8]
    let binding: [UInt8]
    let plaintext: [UInt8]

    private init?(_ number: Int, key: String, nonce: String, binding: String, plaintext: String, sealed: String) {
        guard let key = Hex.decode(key).flatMap(SymmetricKey.init(bytes:)), let nonce = Hex.decode(nonce),
            let sealed = Hex.decode(sealed), let binding = Hex.decode(binding), let plaintext = Hex.decode(plaintext)
        else { return nil }
        self.number = number
        self.key = key
        self.sealed = nonce + sealed
        self.binding = binding
        self.plaintext = plaintext
    }

    static let gcm: [CipherVector] = [
        CipherVector(
            13,
            key: String(repeating: "00", count: 32),
            nonce: String(repeating: "00", count: 12),
            binding: "",
            plaintext: "",
            sealed: "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        CipherVector(
            14,
            key: String(repeating: "00", count: 32),
            nonce: String(repeating: "00", count: 12),
            binding: "",
            plaintext: String(repeating: "00", count: 16),
            sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        ),
        CipherVector(
            16,
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            binding: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ].compactMap { $0 }
}

extension SymmetricKey {
    /// Two keys for checks; they protect nothing.
    fileprivate static let one = SymmetricKey(random: Counting(from: 1))
    fileprivate static let other = SymmetricKey(random: Counting(from: 2))
}

/// Bytes that go up by one.
private struct Counting: RandomSource {
    let first: UInt8
    init(from first: UInt8) { self.first = first }
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) } }
    func next() -> UInt64 { UInt64(first) }
}
