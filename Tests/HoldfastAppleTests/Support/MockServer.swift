import Foundation
import HoldfastDomain

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server inside the process: URLSession asks it instead of the network. One at a time, for its protocol class is
/// known to the whole process.
final class MockServer: URLProtocol {
    /// What a request is answered with.
    typealias Answer = @Sendable (_ request: URLRequest, _ body: [UInt8]) -> Result<TransportResponse, URLError>

    /// `@unchecked`: its state is read and written under the lock.
    private final class State: @unchecked Sendable {
        let lock = NSLock()
        var answer: Answer = { _, _ in .failure(URLError(.notConnectedToInternet)) }
        var requests: [(request: URLRequest, body: [UInt8])] = []
    }
    private static let state = State()

    /// Answers from now on, and forgets what was asked before.
    static func answer(_ answer: @escaping Answer) {
        state.lock.withLock { (state.answer, state.requests) = (answer, []) }
    }

    /// What was asked since.
    static var requests: [(request: URLRequest, body: [UInt8])] { state.lock.withLock { state.requests } }

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        let body = request.httpBody.map { Array($0) } ?? request.httpBodyStream.map(Self.read) ?? []
        let answer: Answer = Self.state.lock.withLock {
            Self.state.requests.append((request, body))
            return Self.state.answer
        }
        switch answer(request, body) {
        case .failure(let error): client?.urlProtocol(self, didFailWithError: error)
        case .success(let response):
            let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
            guard let url = request.url,
                let head = HTTPURLResponse(
                    url: url,
                    statusCode: response.status,
                    httpVersion: "HTTP/1.1",
                    headerFields: fields
                )
            else { return }
            client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
            if !response.body.isEmpty { client?.urlProtocol(self, didLoad: Data(response.body)) }
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    /// On Apple's platforms a body reaches a protocol class as a stream.
    private static func read(_ stream: InputStream) -> [UInt8] {
        stream.open()
        defer { stream.close() }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }
}
