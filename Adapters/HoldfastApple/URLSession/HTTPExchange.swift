import HoldfastDomain

/// One request on its way, as its events come in: decides what the exchange amounts to. It does nothing itself.
struct HTTPExchange {
    private let bodyLimit: Int
    private var head: TransportResponse?
    private var isNotHTTP = false
    private var isCut = false
    private var isOverdue = false
    private var body: [UInt8] = []

    init(bodyLimit: Int) { self.bodyLimit = max(0, bodyLimit) }

    /// The answer's status and headers have come; nil stands for an answer that is not HTTP.
    mutating func receive(head: TransportResponse?) {
        self.head = head
        isNotHTTP = head == nil
    }

    /// A piece of the body has come.
    ///
    /// - Returns: Whether more is wanted; if not, the rest may as well be cancelled.
    mutating func receive(_ piece: some Collection<UInt8>) -> Bool {
        let room = bodyLimit - body.count
        body += piece.prefix(room)
        if piece.count > room { isCut = true }
        return !isCut
    }

    /// The time is up; what comes afterwards is too late.
    mutating func runOut() { isOverdue = true }

    /// The exchange has ended, with the number of a `URLError` or without one.
    func finish(urlError: Int?) throws -> TransportResponse {
        if isNotHTTP { throw TransportError(.invalidResponse) }
        if var answer = head, urlError == nil || isCut {
            // A body that was cut was cancelled on purpose, which is no error.
            answer.body = body
            return answer
        }
        if isOverdue { throw TransportError(.timedOut, platformCode: urlError) }
        guard let urlError else { throw TransportError(.invalidResponse) }
        throw TransportError(urlError: urlError)
    }
}
