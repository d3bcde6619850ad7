extension TransportResponse {
    /// How long the server asks the client to wait before the next request; nil if its `Retry-After` is missing or
    /// cannot be understood.
    ///
    /// A date in it is counted from the server's own `Date`, if there is one, so that a device whose clock is wrong waits
    /// as long as the server meant.
    func serverWait(now: Timestamp) -> Interval? {
        let serverTime = values(of: "Date").first.flatMap { HTTPDate.parse($0, now: now) }
        return RetryAfter.parse(values: values(of: "Retry-After"), now: serverTime ?? now)
    }
}
