#if canImport(AppleDevice)
import AppleDevice
@_spi(StandIn) import AppleFoundation
import CollectorClient
import Foundation
import HoldfastApple
import HoldfastConformance
import HoldfastDomain
import XCTest

/// Background uploads over a real network, which the stand-in for the system carries them through.
final class BackgroundUploadConformanceTests: XCTestCase {
    /// The one promise that a background session cannot keep is told in the transport's documentation: it follows
    /// redirects and asks nobody, so that an answer from elsewhere counts as none.
    func testKeepsThePromisesOfATransportButFollowsRedirects() async throws {
        let collector = try Collector(script: Conformance.transportScript, arguments: ["--token", "conformance"])
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("uploads-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        TransferDaemon.current.reset()
        defer { TransferDaemon.current.reset() }
        TransferDaemon.current.carry { transfer in Task { await Self.carry(transfer) } }
        let broken = await Conformance.transport.run { [url = collector.url] in
            let name = UUID().uuidString
            let transport = try BackgroundUploadTransport(
                identifier: name,
                folder: folder.appendingPathComponent(name)
            )
            return .init(transport, server: url)
        }
        XCTAssertEqual(broken.map(\.check), ["follows_no_redirect"], "\(broken)")
    }

    /// Does what the system does with an upload, redirects followed.
    private static func carry(_ transfer: Transfer) async {
        guard let body = try? Data(contentsOf: transfer.file), var url = transfer.request.url else { return }
        let fields = transfer.request.allHTTPHeaderFields ?? [:]
        let wire = URLSessionTransport(bodyLimit: 4 << 20)
        do {
            while true {
                let request = TransportRequest(
                    method: transfer.request.httpMethod ?? "POST",
                    url: url.absoluteString,
                    headers: fields.map { HeaderField($0.key, $0.value) },
                    body: Array(body),
                    timeout: .minutes(1)
                )
                let answer = try await wire.send(request)
                if let place = answer.values(of: "Location").first, let next = URL(string: place, relativeTo: url) {
                    url = next
                    continue
                }
                let headers = Dictionary(answer.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
                let daemon = TransferDaemon.current
                return daemon.answer(
                    transfer,
                    status: answer.status,
                    headers: headers,
                    body: Data(answer.body),
                    from: url.absoluteURL
                )
            }
        } catch {
            let code = (error as? TransportError)?.platformCode.flatMap { URLError.Code(rawValue: $0) }
            TransferDaemon.current.finish(transfer, error: URLError(code ?? .networkConnectionLost))
        }
    }
}
#endif
