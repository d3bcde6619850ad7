/// Text that is compared and hashed by its UTF-8 bytes.
///
/// `String` compares by Unicode equivalence, so that "é" written as one scalar equals "é" written as two. Two such ids
/// are different ids to their issuer, and must be to a gate.
struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.text.isExactly(rhs.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Whether both are the same UTF-8 bytes.
    func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
