/// What the text of a code looks like, before anything is decoded.
enum TicketText {
    /// Which pieces of which alphabet it is made of.
    enum Shape: Equatable {
        /// Only digits of base 64, in either alphabet, padding included, in this many pieces with dots between.
        case pieces(Int)
        /// Begins like a JSON ticket, or has a NUL or a byte order mark, but is no such text: a ticket gone wrong.
        case damaged
        /// Anything else: a link, a contact, another scheme.
        case other
    }

    /// The shape of a text.
    static func shape(of text: UnsafeBufferPointer<UInt8>) -> Shape {
        var pieces = 1
        for (index, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"),
                UInt8(ascii: "/"), UInt8(ascii: "="):
                continue
            case UInt8(ascii: "."):
                pieces += 1
            default:
                let hasMark = text.starts(with: [0xef, 0xbb, 0xbf])
                return hasMark || beginsLikeJSON(text) || text[index...].contains(0) ? .damaged : .other
            }
        }
        return .pieces(pieces)
    }

    /// Whether it begins with the base64url of `{"`, or of `{` and whitespace.
    private static func beginsLikeJSON(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // Three digits hold two bytes and the beginning of a third, which any digit may go on with.
        guard text.count >= 3, let start = Base64URL.decode(text[..<3] + [UInt8(ascii: "A")]) else { return false }
        let second: [UInt8] = [UInt8(ascii: "\""), 0x20, 0x0a, 0x0d, 0x09]
        return start[0] == UInt8(ascii: "{") && second.contains(start[1])
    }

    /// The pieces between the dots.
    static func pieces(of text: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
        text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { UnsafeBufferPointer(rebasing: $0) }
    }
}

extension TicketReading {
    /// A ticket, or why there is none: a `JSONError` is `json`.
    init(_ read: () throws -> TicketReading) {
        do {
            self = try read()
        } catch let reason as MalformedReason {
            self = .malformed(reason)
        } catch {
            self = .malformed(.json)
        }
    }
}
