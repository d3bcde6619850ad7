import HoldfastDomain

extension Conformance {
    /// The promises of `SignatureVerifier`.
    public static let signatureVerifier = ConformanceSuite<any SignatureVerifier>([
        .init("accepts_known_signatures") { verifier in
            for vector in SignatureVector.rfc8032 {
                let isValid = try verifier.isValid(vector.signature, over: vector.message, by: vector.key())
                try promise(isValid, "\(vector.name) of RFC 8032, section 7.1, was refused")
            }
        },
        .init("refuses_every_change") { verifier in
            let vector = SignatureVector.rfc8032[2]
            let key = try vector.key()
            for index in vector.signature.indices {
                var changed = vector.signature
                changed[index] ^= 1 << (index % 8)
                let isValid = try verifier.isValid(changed, over: vector.message, by: key)
                try promise(!isValid, "a signature with byte \(index) changed was accepted")
            }
            for message in [[], [0xaf], [0xaf, 0x83], [0xaf, 0x82, 0]] as [[UInt8]] {
                let isValid = try verifier.isValid(vector.signature, over: message, by: key)
                try promise(!isValid, "another message of \(message.count) bytes was accepted")
            }
            let other = try SignatureVector.rfc8032[1].key()
            let isValid = try verifier.isValid(vector.signature, over: vector.message, by: other)
            try promise(!isValid, "another key was accepted")
        },
        .init("wrong_length_is_false") { verifier in
            let vector = SignatureVector.rfc8032[0]
            let key = try vector.key()
            for signature in [[], Array(vector.signature.dropLast()), vector.signature + [0], vector.signature * 2] {
                let isValid = try verifier.isValid(signature, over: vector.message, by: key)
                try promise(!isValid, "\(signature.count) bytes were accepted")
            }
        },
        .init("refuses_unreduced_scalars") { verifier in
            // S + L verifies under a verifier that does not demand S < L (RFC 8032, section 5.1.7), and then one
            // ticket has many texts.
            let vector = SignatureVector.rfc8032[1]
            let changed =
                vector.signature.prefix(32) + SignatureVector.addingGroupOrder(to: vector.signature.suffix(32))
            let isValid = try verifier.isValid(Array(changed), over: vector.message, by: vector.key())
            try promise(!isValid, "a signature with S + L was accepted")
        },
        .init("answers_many_at_once") { verifier in
            let vectors = SignatureVector.rfc8032
            let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<64 {
                    group.addTask {
                        let vector = vectors[index % vectors.count]
                        let message = index % 2 == 0 ? vector.message : vector.message + [1]
                        return try verifier.isValid(vector.signature, over: message, by: vector.key())
                            == (index % 2 == 0)
                    }
                }
                return try await group.reduce(0) { $1 ? $0 : $0 + 1 }
            }
            try promise(wrong == 0, "\(wrong) of 64 answers were wrong")
        },
    ])

    /// The promises of `Digest`.
    public static let digest = ConformanceSuite<any Digest>([
        .init("hashes_as_the_standard_says") { digest in
            for (message, expected) in DigestVector.sha256 {
                let hash = Hex.encode(try digest.sha256(message))
                try promise(hash == expected, "the hash of \(message.count) bytes was \(hash)")
            }
        },
        .init("authenticates_as_the_standard_says") { digest in
            for (key, message, expected) in DigestVector.hmacSHA256 {
                let hash = Hex.encode(try digest.hmacSHA256(message, key: key))
                try promise(hash == expected, "the code of \(message.count) bytes was \(hash)")
            }
        },
    ])
}

extension [UInt8] {
    fileprivate static func * (bytes: Self, count: Int) -> Self { Array(repeatElement(bytes, count: count).joined()) }
}
