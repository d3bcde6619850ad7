/// Writes the members of one JSON object straight into bytes, for what is written at every scan.
struct JSONRow {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Text that is JSON already.
    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Bytes that are JSON already.
    mutating func bytes(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    mutating func text(_ name: StaticString, _ value: String?) {
        raw(name)
        if let value { JSONWriter.append(value, to: &bytes) } else { raw("null") }
    }

    mutating func id(_ name: StaticString, _ value: EntryID?) {
        raw(name)
        guard let value else { return raw("null") }
        raw("\"")
        value.appendText(to: &bytes)
        raw("\"")
    }

    mutating func number(_ name: StaticString, _ value: Int64?) {
        raw(name)
        if let value { bytes.append(contentsOf: String(value).utf8) } else { raw("null") }
    }

    mutating func list(_ name: StaticString, _ values: [String]) {
        raw(name)
        raw("[")
        for (index, value) in values.enumerated() {
            if index > 0 { raw(",") }
            JSONWriter.append(value, to: &bytes)
        }
        raw("]")
    }
}
