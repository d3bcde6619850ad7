/// What an answer, or its absence, means for the batch it was given to.
public enum AnswerVerdict: Hashable, Sendable {
    /// The server took the batch.
    case delivered
    /// Send the same batch again later, not before `after` if the server ordered a wait.
    case retry(after: Interval?)
    /// The server failed, perhaps because of what is in the batch: send it again later. If that goes on, send less at
    /// once, until the event that causes it stands alone; that one comes after all others, and is never given up.
    case serverFault
    /// The batch was too large: send its halves instead, each a different and smaller request. One event alone is
    /// set aside.
    case split
    /// Never send these events again: set them aside and count them, or first look which of them is to blame.
    case reject
    /// The access token was refused: ask for another, once, then hold until it changes.
    case unauthorised
    /// Sending again does not help until something changes: hold everything and say so.
    case hold(DeliveryObstacle)
    /// The attempt was called off by this side; it is no failure.
    case interrupted
}

/// Decides what each answer means. One pure table, so that what is retried, split, set aside or held can be read in one
/// place (status codes: RFC 9110, section 15; 425: RFC 8470; 429: RFC 6585).
///
/// | answer | verdict |
/// |---|---|
/// | 2xx | delivered, unless it is a web page: a network's sign-in page acknowledges nothing, so retry |
/// | 3xx | hold: redirects are not followed |
/// | 401, 403 | unauthorised |
/// | 413 | split |
/// | 429, `retriedStatuses`, 5xx with a wait, 502, 503, 504, 511 | retry, with the server's wait |
/// | any other 5xx | server fault: the third in a row halves the next batch, and so does each further one |
/// | any other 4xx | reject |
/// | no answer, or a status outside 200 to 599 | retry |
/// | the request cannot be sent at all | hold |
public struct AnswerTable: Hashable, Sendable {
    /// Statuses from 400 to 499 that are retried as well as 429, such as 408. For 401, 403 and 413, which have a
    /// meaning of their own, it changes nothing.
    public var retriedStatuses: Set<Int>

    /// A table with this choice.
    public init(retriedStatuses: Set<Int> = []) { self.retriedStatuses = retriedStatuses }

    /// What an answer with `status` means.
    ///
    /// - Parameters:
    ///   - status: The status code; any number.
    ///   - retryAfter: The wait that the answer orders; only a retry heeds it.
    public func verdict(status: Int, retryAfter: Interval? = nil) -> AnswerVerdict {
        switch status {
        case 200...299: return .delivered
        case 300...399: return .hold(.redirected)
        case 401, 403: return .unauthorised
        case 413: return .split
        case 429: return .retry(after: retryAfter)
        case 500...599: return ServerFault.isPossible(status, retryAfter) ? .serverFault : .retry(after: retryAfter)
        case 400...499: return retriedStatuses.contains(status) ? .retry(after: retryAfter) : .reject
        default: return .retry(after: nil)
        }
    }

    /// What a whole answer means. A date in `Retry-After` is counted from the server's own `Date`, if it sent one.
    public func verdict(of response: TransportResponse, now: Timestamp) -> AnswerVerdict {
        if 200...299 ~= response.status, Self.isWebPage(response) { return .retry(after: nil) }
        return verdict(status: response.status, retryAfter: response.serverWait(now: now))
    }

    /// Whether an answer is a page to be looked at. Its type alone does not say so: many servers call any short text
    /// `text/html`; nor does markup alone, which may be XML.
    private static func isWebPage(_ response: TransportResponse) -> Bool {
        let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
        let body = response.body.starts(with: byteOrderMark) ? response.body.dropFirst(3) : response.body[...]
        let start = String(decoding: body.drop { $0 <= 0x20 }.prefix(15), as: UTF8.self).lowercased()
        guard start.hasPrefix("<") else { return false }
        let types = response.values(of: "Content-Type").map { $0.lowercased() }
        return types.contains { $0.hasPrefix("text/html") || $0.hasPrefix("application/xhtml") }
            || ["<!doctype html", "<html", "<head", "<body", "<meta", "<script"].contains { start.hasPrefix($0) }
    }

    /// What it means that there was no answer.
    public func verdict(of error: any Error) -> AnswerVerdict {
        switch (error as? TransportError)?.code {
        case .cancelled?: return .interrupted
        case .invalidRequest?: return .hold(.invalidRequest)
        default: return .retry(after: nil)
        }
    }
}
