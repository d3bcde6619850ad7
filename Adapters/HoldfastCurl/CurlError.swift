import CHoldfastCurl
import Glibc
import HoldfastDomain

extension TransportError {
    /// What one of libcurl's result codes means to a delivery (https://curl.se/libcurl/c/libcurl-errors.html).
    ///
    /// - Parameters:
    ///   - code: libcurl's code, which is kept.
    ///   - isConnected: Whether there was a connection; then a protocol that is not supported is the answer's.
    ///   - systemError: The `errno` of a connection that failed, or 0.
    init(curl code: CURLcode, isConnected: Bool = false, systemError: Int32 = 0) {
        let kind: Code
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: kind = .nameNotResolved
        case CURLE_OPERATION_TIMEDOUT: kind = .timedOut
        case CURLE_COULDNT_CONNECT where [ENETUNREACH, ENETDOWN, EHOSTUNREACH].contains(systemError): kind = .offline
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
            kind = .tlsFailed
        case CURLE_UNSUPPORTED_PROTOCOL: kind = isConnected ? .invalidResponse : .invalidRequest
        case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: kind = .invalidRequest
        case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING,
            CURLE_WRITE_ERROR:
            kind = .invalidResponse
        default: kind = .connectionFailed
        }
        self.init(kind, platformCode: Int(code.rawValue))
    }
}
