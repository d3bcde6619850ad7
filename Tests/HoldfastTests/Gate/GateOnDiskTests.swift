#if os(Linux)
import Foundation
import Holdfast
import HoldfastInMemory
import HoldfastSQLite
import XCTest

final class GateOnDiskTests: XCTestCase {
    func testFiveHundredScansSurviveAProcessThatNeverSaysGoodbye() async throws {
        let bench = try DiskBench()
        do {
            let store = try bench.openStore()
            let gate = try await bench.gate(store)
            for index in 0..<500 {
                let decision = await gate.admit(try bench.ticket("T-\(index)"))
                XCTAssertTrue(decision.isAccepted)
            }
            await store.close()
        }
        let store = try bench.openStore()
        let gate = try await bench.gate(store)
        let status = try await gate.status()
        XCTAssertEqual(status.queued, 500)
        for index in [0, 250, 499] {
            let again = await gate.admit(try bench.ticket("T-\(index)"))
            XCTAssertEqual(again.reasons, [.alreadyUsed])
        }
        let sender = ScriptedBatchSender()
        let report = await gate.sync(via: sender)
        XCTAssertEqual(report.delivered, 503)
        XCTAssertEqual(sender.batches.flatMap { $0 }.map(\.sequence), Array(1...503))
        await store.close()
    }

    func testSixtyFourScansOfOneTicketAtTwoGatesOnOneFile() async throws {
        let bench = try DiskBench()
        let store = try bench.openStore()
        let gates = [try await bench.gate(store), try await bench.gate(store, "south")]
        let text = try bench.ticket("T-1")
        let decisions = await withTaskGroup(of: Decision.self) { group in
            for index in 0..<64 { group.addTask { await gates[index % 2].admit(text) } }
            return await group.reduce(into: [Decision]()) { $0.append($1) }
        }
        XCTAssertEqual(decisions.filter(\.isAccepted).count, 1)
        XCTAssertEqual(decisions.filter { $0.reasons == [.alreadyUsed] }.count, 63)
        let records = try await gates[0].records()
        XCTAssertEqual(records.map(\.sequence), Array(1...64))
        await store.close()
    }

    func testEveryWayOfWritingATicketIsOneTicket() async throws {
        let bench = try DiskBench()
        let store = try bench.openStore()
        let gate = try await bench.gate(store)
        var reasons: [[DenialCode]] = []
        for format in [TicketIssuer.Format.jws, .compact, .holdfast, .canonical] {
            reasons.append(await gate.admit(try bench.ticket("T-1", as: format)).reasons)
        }
        XCTAssertEqual(reasons, [[], [.alreadyUsed], [.alreadyUsed], [.badSignature]], "the event is not canonical")
        await store.close()
    }

    // Kyiv goes to winter time on 25 October 2026 at 04:00 (+03:00 → +02:00): that day has 25 hours.
    func testOncePerDayOnTheLongestDayOfTheYear() async throws {
        let bench = try DiskBench()
        let store = try bench.openStore()
        let gate = try await bench.gate(store, members: #", "admission": {"perDay": true}"#)
        let text = try bench.ticket("T-1")
        var results: [Bool] = []
        for moment in [
            "2026-10-24T20:59:59.999Z",  // 23:59:59.999 on the 24th
            "2026-10-24T21:00:00Z",  // midnight
            "2026-10-25T00:30:00Z",  // 03:30, for the first time
            "2026-10-25T01:30:00Z",  // 03:30, for the second time
            "2026-10-25T21:59:59.999Z",  // 23:59:59.999, an hour later by the sun
            "2026-10-25T22:00:00Z",  // midnight
        ] {
            bench.clock.setWall(try XCTUnwrap(Timestamp(rfc3339: moment)))
            results.append(await gate.admit(text).isAccepted)
        }
        XCTAssertEqual(results, [true, true, false, false, false, true])
        await store.close()
    }

    func testTicketsOfPretix() async throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = package.deletingLastPathComponent().appendingPathComponent(
            "shared/vectors/pretix/signed_secrets.json"
        )
        guard let data = try? Data(contentsOf: file) else { throw XCTSkip("no vectors at ../shared/vectors/pretix") }
        let secrets = try XCTUnwrap(try JSONValue.parse([UInt8](data)).arrayValue)
        let keys = Set(secrets.compactMap { $0["verified_by"]?["public_hex"]?.stringValue }).sorted().map { hex in
            #"{"publicKey": "\#(Base64URL.encode(Hex.decode(hex) ?? []))"}"#
        }
        let bench = try DiskBench()
        let store = try bench.openStore()
        var policy = GatePolicy()
        policy.presence = .zero
        let place = GatePlace(event: "EV1", zone: "1")
        let gate = try await TicketGate(at: place, policy: policy, ports: try bench.ports(store))
        let event = #"{"eventId": "EV1", "format": "pretix", "keys": [\#(keys.joined(separator: ","))]}"#
        try await gate.install(configuration: Array(#"{"version": 1, "events": [\#(event)]}"#.utf8))
        for secret in secrets {
            let decision = await gate.admit(try XCTUnwrap(secret["qr"]?.stringValue))
            if secret["verified_by"]?.isNull ?? true {
                XCTAssertEqual(decision.reasons, [.badSignature])
            } else {
                XCTAssertEqual(decision.ticket?.eventID, "EV1")
                XCTAssertFalse(decision.reasons.contains(.badSignature))
            }
        }
        await store.close()
    }
}
#endif
