import Foundation
import HoldfastCurl
import HoldfastDomain
import XCTest

/// Whom the transport trusts, with certificates made for the occasion by the `openssl` command line.
final class CurlTrustTests: XCTestCase {
    private var authority: Authority!

    override func setUpWithError() throws { authority = try Authority() }
    override func tearDown() { authority = nil }

    private func send(to host: String = "127.0.0.1", certificate: String, trusting file: String?) async throws -> Int {
        let server = try LoopbackServer(
            tls: (authority.path(certificate + ".pem"), authority.path(certificate + ".key"))
        )
        let transport = CurlTransport(configuration: .init(trustedCertificates: file.map { authority.path($0) }))
        return try await transport.send(TransportRequest(url: "https://\(host):\(server.port)/status/200")).status
    }

    func testAPrivateAuthorityIsTrustedWhereItIsGiven() async throws {
        let status = try await send(certificate: "server", trusting: "ca.pem")
        XCTAssertEqual(status, 200)
    }

    func testNobodyElseIs() async {
        await assertFails("an unknown authority") { try await self.send(certificate: "server", trusting: nil) }
        await assertFails("signed by itself") { try await self.send(certificate: "alone", trusting: nil) }
        await assertFails("another authority") { try await self.send(certificate: "alone", trusting: "ca.pem") }
        await assertFails("another name") {
            try await self.send(to: "localhost", certificate: "server", trusting: "ca.pem")
        }
        await assertFails("no file") { try await self.send(certificate: "server", trusting: "missing.pem") }
    }

    private func assertFails(_ what: String, line: UInt = #line, _ body: () async throws -> Int) async {
        do {
            let status = try await body()
            XCTFail("\(what): answered \(status)", line: line)
        } catch {
            XCTAssertEqual((error as? TransportError)?.code, .tlsFailed, "\(what): \(error)", line: line)
            XCTAssertNotNil((error as? TransportError)?.platformCode, line: line)
        }
    }
}

/// A certificate authority of one's own, with a server's certificate and one that nobody has signed.
private final class Authority: Sendable {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try certify("ca", "/CN=Holdfast test authority", ["-addext", "basicConstraints=critical,CA:TRUE"])
        let name = ["-addext", "subjectAltName=IP:127.0.0.1"]
        try certify("server", "/CN=server", name + ["-CA", path("ca.pem"), "-CAkey", path("ca.key")])
        try certify("alone", "/CN=alone", name)
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func certify(_ name: String, _ subject: String, _ more: [String]) throws {
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        openssl.arguments =
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
            + ["-keyout", path(name + ".key"), "-out", path(name + ".pem"), "-subj", subject] + more
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        XCTAssertEqual(openssl.terminationStatus, 0, "openssl could not make the certificate \(name)")
    }

    deinit {
        // A folder that is left over in the temporary directory harms nobody.
        try? FileManager.default.removeItem(at: folder)
    }
}
