import Foundation
import XCTest

/// A server whose certificate only a site's own authority has signed.
final class PrivateAuthorityTests: XCTestCase {
    func testAGateHandsOverToAServerThatItIsToldToTrust() throws {
        let gate = try Gate(for: self)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
        let (collector, authority) = try serve(in: gate.folder)
        let words = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL]
        try checkTrust(in: authority) { try Holdfast.run(words + $0, input: Data(), in: gate.folder) }
        XCTAssertEqual(try collector.accepted().count, 1)
    }

    func testTelemetryIsDeliveredToAServerThatItIsToldToTrust() throws {
        let teller = try Teller(for: self)
        let logged = try teller.log(teller.lines(1...3))
        let (collector, authority) = try serve(in: teller.folder)
        let words = ["telemetry", "deliver", "--data", teller.data, "--to", collector.eventsURL]
        try checkTrust(in: authority) { try Holdfast.run(words + $0, input: Data(), in: teller.folder) }
        XCTAssertEqual(try collector.acceptedIDs(), logged)
    }

    /// A collector that speaks HTTPS with a certificate for this machine, which is its own authority (`server.pem`).
    private func serve(in folder: Folder) throws -> (Collector, authority: Folder) {
        let authority = try folder.subfolder()
        let (certificate, key) = (authority.path("server.pem"), authority.path("server.key"))
        let request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=server"
        try authority.need(
            "openssl \(request) -addext subjectAltName=IP:127.0.0.1 -out \"$1\" -keyout \"$2\"",
            certificate,
            key
        )
        return (try Collector(tls: (certificate, key), in: folder, for: self), authority)
    }

    /// Sends to a server that is not trusted, then with certificates that cannot be read, then with the server's.
    private func checkTrust(in authority: Folder, send: (_ more: [String]) throws -> Outcome) throws {
        for more in [[], ["--ca-file", authority.path("missing.pem")]] {
            let refused = try send(more)
            XCTAssertEqual(refused.status, 1)
            XCTAssertTrue((refused.output + refused.errors).contains("the server is not trusted"), "\(refused)")
        }
        let outcome = try send(["--ca-file", authority.path("server.pem")])
        XCTAssertEqual(outcome.status, 0, "\(outcome)")
    }
}
