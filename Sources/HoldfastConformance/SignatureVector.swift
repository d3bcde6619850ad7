import HoldfastDomain

/// A signature that is known to be good: bare numbers from RFC 8032, section 7.1.
struct SignatureVector: Sendable {
    let name: String
    let publicKey: [UInt8]
    let message: [UInt8]
    let signature: [UInt8]

    /// The key, which every domain must take.
    func key() throws -> PublicKey {
        guard let key = PublicKey(bytes: publicKey) else { throw Broken(detail: "the key of \(name) was refused") }
        return key
    }

    private init(_ name: String, publicKey: String, message: [UInt8], signature: String) {
        self.name = name
        self.publicKey = Hex.decode(publicKey) ?? []
        self.message = message
        self.signature = Hex.decode(signature) ?? []
    }

    static let rfc8032: [SignatureVector] = [
        SignatureVector(
            "test 1",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: [],
            signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        SignatureVector(
            "test 2",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: Hex.decode("72") ?? [],
            signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        SignatureVector(
            "test 3",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: Hex.decode("af82") ?? [],
            signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
        SignatureVector(
            "test SHA(abc)",
            publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            message: Hex.decode(
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ) ?? [],
            signature: "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
                + "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"
        ),
    ]

    /// A little-endian scalar with the order of the group, L = 2^252 + 27742317777372353535851937790883648493, added.
    static func addingGroupOrder(to scalar: some Collection<UInt8>) -> [UInt8] {
        let order: [UInt8] = [
            0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ]
        var carry = 0
        return zip(scalar, order).map { digit, part in
            carry += Int(digit) + Int(part)
            defer { carry >>= 8 }
            return UInt8(truncatingIfNeeded: carry)
        }
    }
}
