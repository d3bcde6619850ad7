/// Tells a server that may have failed because of what it was sent from one that is not there or busy.
enum ServerFault {
    /// Statuses that speak of the way to a server, or of its load (RFC 9110, section 15.6; 511: RFC 6585).
    private static let innocent: Set<Int> = [502, 503, 504, 511]

    /// Whether an answer with `status`, and with the wait that it orders, may be the fault of the content.
    static func isPossible(_ status: Int, _ retryAfter: Interval?) -> Bool {
        500...599 ~= status && !innocent.contains(status) && retryAfter == nil
    }
}
