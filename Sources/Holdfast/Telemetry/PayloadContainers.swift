import HoldfastDomain

struct PayloadNodeEncoder: Encoder {
    let node: PayloadNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(PayloadKeyedContainer(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return PayloadUnkeyedContainer(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        PayloadSingleContainer(node: node, codingPath: codingPath)
    }
}

private struct PayloadIndex: CodingKey {
    let intValue: Int?
    var stringValue: String { String(intValue ?? 0) }
    init(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
}

private struct PayloadKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: PayloadNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) throws { node.member(key.stringValue).set(.null) }
    func encode(_ value: Bool, forKey key: Key) throws { node.member(key.stringValue).set(.bool(value)) }
    func encode(_ value: String, forKey key: Key) throws { node.member(key.stringValue).set(.string(value)) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try node.member(key.stringValue).encode(value, at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(for: key, key.stringValue).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: key, key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(for: nil, "super") }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key, key.stringValue) }

    private func encoder(for key: Key?, _ name: String) -> PayloadNodeEncoder {
        PayloadNodeEncoder(node: node.member(name), codingPath: codingPath + (key.map { [$0] } ?? []))
    }
}

private struct PayloadUnkeyedContainer: UnkeyedEncodingContainer {
    let node: PayloadNode
    let codingPath: [any CodingKey]
    var count: Int { node.count }

    func encodeNil() throws { node.append().set(.null) }
    func encode(_ value: Bool) throws { node.append().set(.bool(value)) }
    func encode(_ value: String) throws { node.append().set(.string(value)) }

    func encode(_ value: some Encodable) throws {
        let path = codingPath + [PayloadIndex(intValue: count)]
        try node.append().encode(value, at: path)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> PayloadNodeEncoder {
        let path = codingPath + [PayloadIndex(intValue: count)]
        return PayloadNodeEncoder(node: node.append(), codingPath: path)
    }
}

private struct PayloadSingleContainer: SingleValueEncodingContainer {
    let node: PayloadNode
    let codingPath: [any CodingKey]

    func encodeNil() throws { node.set(.null) }
    func encode(_ value: Bool) throws { node.set(.bool(value)) }
    func encode(_ value: String) throws { node.set(.string(value)) }
    func encode(_ value: Double) throws { node.set(try PayloadScalar.number(value)) }

    func encode(_ value: Float) throws {
        // By way of its text, so that 0.1 stays 0.1 and does not become 0.10000000149011612.
        node.set(try PayloadScalar.number(Double(value.description) ?? .nan))
    }

    func encode(_ value: Int) throws { node.set(try PayloadScalar.integer(value)) }
    func encode(_ value: Int8) throws { node.set(try PayloadScalar.integer(value)) }
    func encode(_ value: Int16) throws { node.set(try PayloadScalar.integer(value)) }
    func encode(_ value: Int32) throws { node.set(try PayloadScalar.integer(value)) }
    func encode(_ value: Int64) throws { node.set(try PayloadScalar.integer(value)) }
    func encode(_ value: UInt) throws { node.set(try PayloadScalar.integer(value)) }
    func encode(_ value: UInt8) throws { node.set(try PayloadScalar.integer(value)) }
    func encode(_ value: UInt16) throws { node.set(try PayloadScalar.integer(value)) }
    func encode(_ value: UInt32) throws { node.set(try PayloadScalar.integer(value)) }
    func encode(_ value: UInt64) throws { node.set(try PayloadScalar.integer(value)) }
    func encode(_ value: some Encodable) throws { try node.encode(value, at: codingPath) }
}
