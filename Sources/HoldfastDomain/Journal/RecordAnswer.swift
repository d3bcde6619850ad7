/// The body that carries gate records: `{"records":[…]}`.
enum RecordBody {
    private static let opening = Array("{\"records\":[".utf8)
    private static let closing = Array("]}".utf8)

    static var framing: BatchFraming { BatchFraming(overhead: opening.count + closing.count, separator: 1) }

    static func bytes(of records: [GateRecord]) -> [UInt8] {
        opening + records.map(\.json).joined(separator: CollectionOfOne(UInt8(ascii: ","))) + closing
    }
}

extension BatchAnswer {
    /// What a server's answer to `{"records":[…]}` means (status codes: RFC 9110, section 15). Pure and total.
    ///
    /// | answer | meaning |
    /// |---|---|
    /// | 2xx, empty, or a JSON object without `results` | all accepted |
    /// | 2xx with `results` | as each says; a record that is not among them, has no outcome known here, or two: later |
    /// | 2xx with anything else, such as a sign-in page or half an answer | failed: nobody has acknowledged anything |
    /// | 401, 403 | unauthorised |
    /// | 413 | too large |
    /// | 400, 409, 422 | rejected: some record in it is the cause |
    /// | 408, 425, 429, 5xx with a wait, 502, 503, 504, 511, outside 200 to 599 | failed, with the server's wait |
    /// | any other 5xx | server fault: some record in it may be the cause |
    /// | 3xx | held: a redirect is not followed |
    /// | other 4xx | held: the server takes no records there |
    init(_ response: TransportResponse, to records: [GateRecord], now: Timestamp) {
        switch response.status {
        case 200...299: self = Self.taken(response.body, records)
        case 300...399: self = .held(.redirected)
        case 401, 403: self = .unauthorised
        case 413: self = .tooLarge
        case 400, 409, 422: self = .rejected(reason: Self.words(of: response))
        case 400...499 where ![408, 425, 429].contains(response.status): self = .held(.refused)
        default:
            let wait = response.serverWait(now: now)
            self = ServerFault.isPossible(response.status, wait) ? .serverFault : .failed(retryAfter: wait)
        }
    }

    private static func taken(_ body: [UInt8], _ records: [GateRecord]) -> BatchAnswer {
        if body.allSatisfy({ [0x20, 0x09, 0x0a, 0x0d].contains($0) }) { return .handled() }
        // Whatever is wrong with it, it is not the agreed answer.
        guard let object = (try? JSONValue.parse(body))?.objectValue else { return .failed(retryAfter: nil) }
        guard let results = object["results"], !results.isNull else { return .handled() }
        guard let list = results.arrayValue else { return .failed(retryAfter: nil) }
        var outcomes: [EntryID: RecordOutcome] = [:]
        for record in records { outcomes[record.scanID] = .retryLater }
        var named: Set<EntryID> = []
        for result in list {
            guard let id = result["scanId"]?.stringValue.flatMap({ EntryID($0) }), let earlier = outcomes[id] else {
                continue
            }
            if named.insert(id).inserted {
                outcomes[id] = outcome(result)
            } else if !areAlike(outcome(result), earlier) {
                // Which of them holds nobody knows, so neither acknowledges it.
                outcomes[id] = .retryLater
            }
        }
        return .handled(outcomes)
    }

    /// Whether two outcomes of one record have the same consequence.
    private static func areAlike(_ one: RecordOutcome, _ other: RecordOutcome) -> Bool {
        switch (one, other) {
        case (.accepted, .accepted), (.accepted, .duplicate), (.duplicate, .accepted), (.duplicate, .duplicate),
            (.rejected, .rejected), (.retryLater, .retryLater):
            return true
        default: return false
        }
    }

    private static func outcome(_ result: JSONValue) -> RecordOutcome {
        switch result["outcome"]?.stringValue {
        case "accepted": return .accepted
        case "duplicate": return .duplicate
        case "rejected": return .rejected(reason: result["reason"]?.stringValue ?? "")
        default: return .retryLater
        }
    }

    private static func words(of response: TransportResponse) -> String {
        "\(response.status) " + String(decoding: response.body.prefix(RecordDelivery.longestNote), as: UTF8.self)
    }
}
