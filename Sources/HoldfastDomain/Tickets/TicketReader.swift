/// Reads the text of a code as a ticket in one of several formats. Pure and total.
///
/// Before the formats see it, what scanners add is stripped: spaces, carriage returns and line feeds around, and one
/// ECI prefix (a backslash and six digits, AIM ECI) before the text. After that nothing is tolerated. A text without
/// anything in it is malformed (`empty`), and so is one of more than 4096 bytes (`tooLong`).
///
/// Each format claims texts by their shape. The first that reads a whole ticket wins; failing that, the first that
/// claims the text says what is wrong with it (`malformed`, `incomplete`). A text that none claims is `foreign`, which
/// a gate denies with `unsupported_format`. With the formats of this package a text of nothing but base 64 digits (with
/// dots between) is claimed, and links, contacts, network credentials, health certificates (`HC1:`) and the like are
/// foreign.
public struct TicketReader: TicketFormat {
    /// The longest text that is read, in bytes of UTF-8.
    public static let maxLength = 4096

    private let formats: [any TicketFormat]

    /// A reader that tries these formats in order.
    public init(formats: [any TicketFormat]) { self.formats = formats }

    /// A reader for what a configuration calls a format.
    public init(_ format: TicketEvent.Format) {
        switch format {
        case .holdfast: formats = [HoldfastFormat(), CompactFormat(), JWSFormat()]
        case .canonical: formats = [CanonicalFormat()]
        case .pretix: formats = [PretixFormat()]
        }
    }

    /// Reads a text as it came from a scanner.
    public func read(_ text: String) -> TicketReading { read(Array(text.utf8)) }

    /// Reads a text as it came from a scanner, in UTF-8.
    public func read(_ text: [UInt8]) -> TicketReading {
        let content = Self.content(of: text)
        guard !content.isEmpty else { return .malformed(.empty) }
        guard content.count <= Self.maxLength else { return .malformed(.tooLong) }
        let stripped = content.count == text.count ? text : Array(content)
        var objection: TicketReading?
        for format in formats {
            let reading = format.read(stripped)
            switch reading {
            case .ticket: return reading
            case .malformed, .incomplete: objection = objection ?? reading
            case .foreign: continue
            }
        }
        return objection ?? .foreign
    }

    /// The text without what scanners add.
    private static func content(of text: [UInt8]) -> ArraySlice<UInt8> {
        func isAdded(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0d || byte == 0x0a }
        var content = text[...]
        while let first = content.first, isAdded(first) { content.removeFirst() }
        while let last = content.last, isAdded(last) { content.removeLast() }
        let prefix = content.prefix(7)
        if prefix.count == 7, prefix.first == UInt8(ascii: "\\"),
            prefix.dropFirst().allSatisfy({ $0 &- UInt8(ascii: "0") < 10 })
        {
            content.removeFirst(7)
        }
        return content
    }
}

/// Reads codes at a gate, where the configuration says how the tickets of each event are written.
///
/// The format of the gate's own event is tried first, then those of the others. A ticket that names an event is read
/// the way that event's tickets are written, so that a ticket of another event can be verified before it is refused.
public struct GateTicketReader: Sendable {
    private let configuration: KeyConfiguration?
    private let readers: [(format: TicketEvent.Format, reader: TicketReader)]

    /// A reader for one gate under one configuration; without one, tickets are read as `holdfast`.
    public init(configuration: KeyConfiguration?, place: GatePlace) {
        self.configuration = configuration
        var formats = [configuration?.event(place.event)?.format].compactMap { $0 }
        for event in configuration?.events ?? [] where !formats.contains(event.format) { formats.append(event.format) }
        if formats.isEmpty { formats = [.holdfast] }
        readers = formats.map { ($0, TicketReader($0)) }
    }

    /// Reads a text as it came from a scanner.
    public func read(_ text: String) -> TicketReading { read(Array(text.utf8)) }

    /// Reads a text as it came from a scanner, in UTF-8.
    public func read(_ text: [UInt8]) -> TicketReading {
        var fallback: TicketReading?
        for (format, reader) in readers {
            let reading = reader.read(text)
            switch reading {
            case .ticket(let ticket), .incomplete(let ticket):
                guard let event = ticket.event.flatMap({ configuration?.event($0) }), event.format != format else {
                    return reading
                }
            case .malformed: fallback = fallback ?? reading
            case .foreign: continue
            }
        }
        return fallback ?? .foreign
    }
}
