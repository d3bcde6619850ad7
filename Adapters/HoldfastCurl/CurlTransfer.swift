import CHoldfastCurl
import Glibc
import HoldfastDomain

/// One exchange: what it sends, and what has come back so far.
///
/// libcurl is given its address for the callbacks, which come only while the worker is inside libcurl; the worker holds the
/// transfer until the handle has been taken out.
// It is made by one task and then used by the worker alone, which one thread at a time is, but for `isCancelled`.
final class CurlTransfer: @unchecked Sendable {
    /// Set and read under the lock of the worker's inbox.
    var isCancelled = false
    /// Called once, with the outcome.
    var whenDone: ((Result<TransportResponse, any Error>) -> Void)?

    private let request: TransportRequest
    private let configuration: CurlTransport.Configuration
    private let fields: [String]
    private var list: UnsafeMutablePointer<curl_slist>?
    /// How many bytes of the body libcurl has taken.
    private(set) var sent = 0
    private var head = ResponseHead()
    private var body: [UInt8] = []
    private var isCut = false

    /// - Throws: `TransportError` `.invalidRequest` if it cannot be sent.
    init(_ request: TransportRequest, _ configuration: CurlTransport.Configuration) throws {
        self.request = request
        self.configuration = configuration
        fields = try RequestRules.fields(of: request)
    }

    func finish(_ outcome: Result<TransportResponse, any Error>) {
        whenDone?(outcome)
        whenDone = nil
    }

    /// What came of it.
    func outcome(_ code: CURLcode, of handle: UnsafeMutableRawPointer) -> Result<TransportResponse, any Error> {
        let isWhole = code == CURLE_OK || (code == CURLE_WRITE_ERROR && isCut)
        var (status, port, systemError) = (0, 0, 0)
        // These fail only for a question that libcurl does not know; then zero is as good an answer.
        _ = holdfast_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        _ = holdfast_get_long(handle, CURLINFO_LOCAL_PORT, &port)
        _ = holdfast_get_long(handle, CURLINFO_OS_ERRNO, &systemError)
        guard isWhole else {
            return .failure(
                TransportError(curl: code, isConnected: port != 0, systemError: Int32(truncatingIfNeeded: systemError))
            )
        }
        guard !head.isTooLarge, (200...999).contains(status) else {
            return .failure(TransportError(.invalidResponse, platformCode: Int(code.rawValue)))
        }
        return .success(TransportResponse(status: status, headers: head.fields, body: body))
    }

    deinit { curl_slist_free_all(list) }
}

// MARK: - Options

extension CurlTransfer {
    /// Tells a fresh handle everything about this exchange.
    func prepare(_ handle: UnsafeMutableRawPointer) throws {
        func set(_ option: CURLoption, _ value: Int) throws { try check(holdfast_set_long(handle, option, value)) }
        func set(_ option: CURLoption, _ value: String?) throws {
            try check(holdfast_set_string(handle, option, value))
        }

        try check(holdfast_allow_http_only(handle))
        try set(CURLOPT_URL, request.url)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        // An empty name turns off the environment's proxies too.
        try set(CURLOPT_PROXY, configuration.proxy ?? "")
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = configuration.trustedCertificates {
            try set(CURLOPT_CAINFO, file)
            try set(CURLOPT_CAPATH, nil)
        }
        try set(CURLOPT_TIMEOUT_MS, Self.milliseconds(request.timeout))
        try set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(min(request.timeout, configuration.connectTimeout)))
        try setMethodAndBody(handle)
        try setFields(handle)
        try setCallbacks(handle)
    }

    private func setMethodAndBody(_ handle: UnsafeMutableRawPointer) throws {
        switch (request.method, request.body.isEmpty) {
        case ("GET", true): try check(holdfast_set_long(handle, CURLOPT_HTTPGET, 1))
        case ("HEAD", true): try check(holdfast_set_long(handle, CURLOPT_NOBODY, 1))
        default:
            try check(holdfast_set_long(handle, CURLOPT_POST, 1))
            try check(holdfast_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
            // A batch at once: libcurl asks its poll between one buffer and the next.
            let buffer = min(max(request.body.count, Self.uploadBuffer.lowerBound), Self.uploadBuffer.upperBound)
            try check(holdfast_set_long(handle, CURLOPT_UPLOAD_BUFFERSIZE, buffer))
            if request.method != "POST" {
                try check(holdfast_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method))
            }
        }
    }

    /// How many bytes libcurl takes from a body at a time: by default the first of these.
    private static let uploadBuffer = 65_536...114_688

    private func setFields(_ handle: UnsafeMutableRawPointer) throws {
        for field in fields {
            guard let longer = curl_slist_append(list, field) else { throw TransportError(curl: CURLE_OUT_OF_MEMORY) }
            list = longer
        }
        try check(holdfast_set_list(handle, CURLOPT_HTTPHEADER, list))
    }

    private func setCallbacks(_ handle: UnsafeMutableRawPointer) throws {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA] {
            try check(holdfast_set_context(handle, option, context))
        }
        try check(
            holdfast_set_read(handle, CURLOPT_READFUNCTION) { buffer, size, count, context in
                CurlTransfer.from(context).read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
            }
        )
        try check(
            holdfast_set_seek(handle, CURLOPT_SEEKFUNCTION) { context, offset, origin in
                CurlTransfer.from(context).seek(to: offset, from: origin)
            }
        )
        try check(
            holdfast_set_write(handle, CURLOPT_WRITEFUNCTION) { data, size, count, context in
                CurlTransfer.from(context).receive(UnsafeRawBufferPointer(start: data, count: size * count))
            }
        )
        try check(
            holdfast_set_write(handle, CURLOPT_HEADERFUNCTION) { data, size, count, context in
                CurlTransfer.from(context).receiveHead(UnsafeRawBufferPointer(start: data, count: size * count))
            }
        )
    }

    private func check(_ code: CURLcode) throws {
        if code != CURLE_OK { throw TransportError(curl: code) }
    }

    /// Zero would mean "for ever" to libcurl, and it counts in 32 bits.
    private static func milliseconds(_ interval: Interval) -> Int {
        Int(min(max(interval.milliseconds, 1), Int64(Int32.max)))
    }
}

// MARK: - Callbacks

extension CurlTransfer {
    /// Valid only inside a callback: see the type's comment.
    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    /// Gives the next bytes of the body.
    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = request.body[sent...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        sent += part.count
        return part.count
    }

    /// Goes back in the body, when it has to be sent again on another connection.
    private func seek(to offset: curl_off_t, from origin: Int32) -> Int32 {
        guard origin == SEEK_SET, (0...request.body.count).contains(offset) else { return CURL_SEEKFUNC_CANTSEEK }
        sent = offset
        return CURL_SEEKFUNC_OK
    }

    /// Takes bytes of the answer; taking fewer than were given ends the transfer.
    private func receive(_ data: UnsafeRawBufferPointer) -> Int {
        let part = data.prefix(max(0, configuration.maxResponseBytes - body.count))
        body.append(contentsOf: part)
        isCut = part.count < data.count
        return part.count
    }

    private func receiveHead(_ line: UnsafeRawBufferPointer) -> Int { head.take(line) ? line.count : 0 }
}
