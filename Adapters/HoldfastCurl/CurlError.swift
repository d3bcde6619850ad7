import CHoldfastCurl
import HoldfastDomain

extension TransportError {
    /// What one of libcurl's result codes means to a delivery (https://curl.se/libcurl/c/libcurl-errors.html).
    init(curl code: CURLcode) {
        let kind: Code
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: kind = .nameNotResolved
        case CURLE_OPERATION_TIMEDOUT: kind = .timedOut
        case CURLE_ABORTED_BY_CALLBACK: kind = .cancelled
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
            kind = .tlsFailed
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: kind = .invalidRequest
        case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_BAD_CONTENT_ENCODING:
            kind = .invalidResponse
        default: kind = .connectionFailed
        }
        self.init(kind, platformCode: Int(code.rawValue))
    }
}
