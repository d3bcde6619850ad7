/// What an answer, or its absence, means for the batch it was given to.
public enum AnswerVerdict: Hashable, Sendable {
    /// The server took the batch.
    case delivered
    /// Send the same batch again later, not before `after` if the server ordered a wait.
    case retry(after: Interval?)
    /// The batch has more than one event: send its halves instead, each a different and smaller request.
    case split
    /// Never send these events again; set them aside and count them.
    case reject
    /// The access token was refused: ask for another, once, then hold until it changes.
    case unauthorised
    /// Sending again would not help until something changes: hold everything and say so.
    case hold(AnswerHold)
}

/// What has to change before another request makes sense.
public enum AnswerHold: Hashable, Sendable {
    /// The server redirects (3xx), and a token is never carried along a redirect: the endpoint has to change, or the
    /// network that answers in its place.
    case redirected(status: Int)
    /// The request itself cannot be sent, as with a malformed endpoint.
    case invalidRequest
}

/// Says what each answer means. One pure table, so that what is retried, split, dropped or held can be read in one
/// place (status codes: RFC 9110, section 15; 425: RFC 8470; 429: RFC 6585).
///
/// | answer | verdict |
/// |---|---|
/// | 2xx | delivered |
/// | 3xx | hold; redirects are not followed |
/// | 401, 403 | unauthorised |
/// | 413 | split; one event alone: reject |
/// | 429, 5xx, `retriedStatuses` | retry, with the server's wait |
/// | any other 4xx | reject; split while more than one event, if `bisectsRejectedBatches` |
/// | no answer, or a status outside 200 to 599 | retry |
public struct AnswerTable: Hashable, Sendable {
    /// Statuses from 400 to 499 that are retried as well as 429, such as 408. For 401, 403 and 413, which have a
    /// meaning of their own, it changes nothing.
    public var retriedStatuses: Set<Int>
    /// Whether a batch that is refused for good (such as by 400) is cut in halves until the events that cause it
    /// stand alone, rather than set aside whole.
    public var bisectsRejectedBatches: Bool

    /// A table with these choices.
    public init(retriedStatuses: Set<Int> = [], bisectsRejectedBatches: Bool = false) {
        self.retriedStatuses = retriedStatuses
        self.bisectsRejectedBatches = bisectsRejectedBatches
    }

    /// What an answer with `status` means for a batch of `count` events.
    ///
    /// - Parameter retryAfter: The wait that the answer orders; only a retry heeds it.
    public func verdict(status: Int, count: Int, retryAfter: Interval? = nil) -> AnswerVerdict {
        switch status {
        case 200...299: return .delivered
        case 300...399: return .hold(.redirected(status: status))
        case 401, 403: return .unauthorised
        case 413: return count > 1 ? .split : .reject
        case 429, 500...599: return .retry(after: retryAfter)
        case 400...499 where retriedStatuses.contains(status): return .retry(after: retryAfter)
        case 400...499: return bisectsRejectedBatches && count > 1 ? .split : .reject
        default: return .retry(after: nil)
        }
    }

    /// What it means that there was no answer.
    public func verdict(error: TransportError) -> AnswerVerdict {
        error.code == .invalidRequest ? .hold(.invalidRequest) : .retry(after: nil)
    }
}
