extension Ticket {
    /// Everything that the signature covers of a JSON ticket, members that this package does not know included: a
    /// name to show, a seat. Nil where the ticket is no JSON (pretix).
    ///
    /// Parsed anew at each call, so that reading a code does not pay for it.
    public var content: JSONObject? {
        // What names no event is no JSON ticket. A JWS is signed over `header.payload`, all others over the JSON.
        guard event != nil else { return nil }
        let pieces = signedBytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let json = pieces.count == 2 ? Base64URL.decode(Array(pieces[1])) ?? signedBytes : signedBytes
        // Reading has parsed the same bytes before; only a ticket that a host put together itself can fail here.
        return (try? JSONValue.parse(json, limits: TicketMembers.limits))?.objectValue
    }
}
