import HoldfastDomain

extension TransportError {
    /// What a `URLError`'s number means to a delivery
    /// (https://developer.apple.com/documentation/foundation/urlerror/code).
    ///
    /// A POST that reached the server may still end as a lost connection (-1005): URLSession does not repeat it, and
    /// whether it had its effect is not known. The permanent ids of what is sent make repeating it safe.
    init(urlError number: Int) {
        let code: Code
        switch number {
        case -999: code = .cancelled
        case -1001: code = .timedOut
        case -1003, -1006: code = .nameNotResolved
        case -1009, -1018, -1019, -1020: code = .offline  // no network, roaming off, in a call, data not allowed
        case -1000, -1002, -1100: code = .invalidRequest  // bad URL, unsupported scheme, no such file
        case -1011, -1015, -1016, -1017: code = .invalidResponse  // bad answer, not decodable, not parseable
        case -1022, -1206 ... -1200: code = .tlsFailed  // refused by App Transport Security, or TLS itself
        default: code = .connectionFailed
        }
        self.init(code, platformCode: number)
    }
}
