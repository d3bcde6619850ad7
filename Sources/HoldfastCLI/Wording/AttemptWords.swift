import HoldfastDomain

extension AttemptFailure {
    /// The stable name of the cause: a transport error's, or `http_` and the status.
    var code: String {
        switch self {
        case .noAnswer(let error): error.code.rawValue
        case .answer(let status): "http_\(status)"
        }
    }

    /// The cause in words.
    var words: String {
        switch self {
        case .noAnswer(let error): explain(error)
        case .answer(let status) where (200...299).contains(status):
            "something answered \(status) that is not the agreed server, such as a sign-in page"
        case .answer(let status) where (300...399).contains(status):
            "the server answered \(status): it redirects, and a token is not sent elsewhere"
        case .answer(let status) where [401, 403].contains(status):
            "the server answered \(status): it refused the token"
        case .answer(404): "the server answered 404: it takes nothing there"
        case .answer(408): "the server answered 408: the request took too long to arrive"
        case .answer(413): "the server answered 413: the batch is too large for it"
        case .answer(429): "the server answered 429: it is asked too often"
        case .answer(let status) where (400...499).contains(status):
            "the server answered \(status): it refuses the request"
        case .answer(503): "the server answered 503: it is not ready"
        case .answer(let status): "the server answered \(status): it failed"
        }
    }
}
