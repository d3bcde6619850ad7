import Holdfast
import HoldfastInMemory
import XCTest

final class AdmissionTests: XCTestCase {
    func testAGoodTicketIsAcceptedOnceAndRecorded() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let text = try bench.ticket("T-1")
        let first = await gate.admit(text)
        XCTAssertEqual(first.reasons, [])
        XCTAssertEqual(first.sequence, 1)
        XCTAssertEqual(first.ticket?.ticketID, "T-1")
        XCTAssertEqual(first.ticket?.signature.count, 64)
        bench.clock.advance(by: .minutes(5))
        let second = await gate.admit(text)
        XCTAssertEqual(second.verdict, .denied([.alreadyUsed]))
        XCTAssertEqual(second.firstUsedAt, GateBench.start)
        XCTAssertEqual(second.firstGate, "north")
        XCTAssertEqual(second.entries, 1)
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.verdict), [.accepted, .denied])
        XCTAssertEqual(records.map(\.sequence), [1, 2])
        XCTAssertEqual(records.map(\.scanID), [first.scanID, second.scanID])
        XCTAssertEqual(records[0].keyID, "k1")
        XCTAssertEqual(records[0].configurationVersion, 1)
        XCTAssertEqual(records[0].use?.entries, 1)
        XCTAssertNil(records[1].use)
    }

    func testAZoneThatRefusesConsumesNothing() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let other = try await bench.gate("side", zone: "VIP")
        let (forHere, forThere) = (try bench.ticket("A"), try bench.ticket("B", ["zoneId": "VIP"]))
        let wrong = await gate.admit(forThere)
        XCTAssertEqual(wrong.reasons, [.wrongZone])
        for (gate, text) in [(gate, forHere), (other, forThere)] {
            let decision = await gate.admit(text)
            XCTAssertEqual(decision.reasons, [])
        }
        let again = await gate.admit(forThere)
        XCTAssertEqual(again.reasons, [.wrongZone, .alreadyUsed], "everything that speaks against it is told")
        XCTAssertEqual(again.firstGate, "side")
    }

    func testWithoutKeysAGateSaysSoAndRecords() async throws {
        let bench = GateBench()
        let gate = try await bench.gate()
        let decision = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(decision.reasons, [.noKeys])
        XCTAssertEqual(decision.ticket?.ticketID, "T-1")
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.reason), [.noKeys])
        XCTAssertEqual(records.map(\.ticketID), ["T-1"])
        XCTAssertNil(records[0].configurationVersion)
    }

    func testAForgedCopyOfAUsedTicketIsForgedNotUsed() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        _ = await gate.admit(try bench.ticket("T-1"))
        let forged = await gate.admit(try bench.ticket("T-1", signedBy: bench.other))
        XCTAssertEqual(forged.reasons, [.badSignature])
        XCTAssertNil(forged.use)
        bench.clock.advance(by: .hours(6))
        let late = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(late.reasons, [.expired, .alreadyUsed])
    }

    func testARespeltTicketIsNeverAcceptedAgain() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let text = try bench.ticket("T-1")
        let first = await gate.admit(text)
        XCTAssertTrue(first.isAccepted)
        let json = try XCTUnwrap(Base64URL.decode(text))
        let spaced = Base64URL.encode(
            Array(String(decoding: json, as: UTF8.self).replacingOccurrences(of: ":", with: ": ").utf8)
        )
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        for respelt in [text + "=", text + "==", standard + "+", spaced, text + "\n", " " + text, "\\000026" + text] {
            let decision = await gate.admit(respelt)
            let known: [DenialCode] = [.malformed, .badSignature, .alreadyUsed, .unsupportedFormat]
            XCTAssertTrue(decision.reason.map(known.contains) ?? false, respelt)
        }
        let stripped = await gate.admit("\r\n \(text) \r\n")
        XCTAssertEqual(stripped.reasons, [.alreadyUsed], "what scanners add does not make another ticket")
    }

    func testAnotherEventsTicket() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let changes: [String: JSONValue?] = ["eventId": "EV2", "keyId": "k2"]
        let genuine = await gate.admit(try bench.ticket("T-1", changes, signedBy: bench.other))
        XCTAssertEqual(genuine.reasons, [.wrongEvent])
        let forged = await gate.admit(try bench.ticket("T-1", changes))
        XCTAssertEqual(forged.reasons, [.badSignature])
        let unknown = await gate.admit(try bench.ticket("T-1", ["eventId": "EV9"]))
        XCTAssertEqual(unknown.reasons, [.unknownEvent])
    }

    func testTheSameTicketNumberInTwoEventsIsTwoTickets() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let other = try await bench.gate("south", event: "EV2")
        let first = await gate.admit(try bench.ticket("T-1"))
        let second = await other.admit(
            try bench.ticket("T-1", ["eventId": "EV2", "keyId": "k2"], signedBy: bench.other)
        )
        XCTAssertTrue(first.isAccepted && second.isAccepted)
    }

    /// S17
    func testAMissingMemberAndABadSignatureAreToldApart() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let members = [
            #""ticketId":"T""#, #""eventId":"EV1""#, #""zoneId":"GA""#, #""issuedAt":1"#, #""validFrom":1"#,
            #""validTo":9999999999"#,
        ]
        for missing in members.indices {
            let claims =
                "{" + members.enumerated().filter { $0.offset != missing }.map(\.element).joined(separator: ",") + "}"
            func decide(_ signer: ToySigner) async -> Decision {
                let signature = Base64URL.encode(signer.sign(Array(claims.utf8)))
                let json = claims.dropLast() + #","signature":"\#(signature)"}"#
                return await gate.admit(Base64URL.encode(Array(json.utf8)))
            }
            let genuine = await decide(bench.issuer)
            XCTAssertEqual(genuine.reasons, [.malformed], claims)
            XCTAssertEqual(genuine.malformed, .member, claims)
            let forged = await decide(bench.other)
            // Without its event, or without its own id, nothing can be looked up.
            XCTAssertEqual(forged.reasons, [missing < 2 ? .malformed : .badSignature], claims)
            XCTAssertEqual(forged.malformed, missing < 2 ? .member : nil, claims)
            XCTAssertEqual(genuine.ticket?.ticketID, missing < 2 ? nil : "T")
        }
        let standing = await gate.admit(try bench.ticket("T"))
        XCTAssertTrue(standing.isAccepted, "none of them used the ticket up")
    }

    func testOnlyABadSignatureIsToldBeforeAMissingMember() async throws {
        let bench = GateBench()
        let claims = #"{"ticketId":"T","eventId":"EV9","zoneId":"GA","issuedAt":1,"keyId":"k9"}"#
        let json = claims.dropLast() + #","signature":"\#(Base64URL.encode(bench.issuer.sign(Array(claims.utf8))))"}"#
        let text = Base64URL.encode(Array(json.utf8))
        let withoutKeys = await (try bench.gate()).admit(text)
        XCTAssertEqual(withoutKeys.reasons, [.malformed])
        let gate = try await bench.openGate()
        for replaced in [text, Base64URL.encode(Array(json.replacingOccurrences(of: "EV9", with: "EV1").utf8))] {
            let decision = await gate.admit(replaced)
            XCTAssertEqual(decision.reasons, [.malformed], "not unknown_event, not unknown_key")
        }
    }

    func testWhatCannotBeReadIsRecordedByHashAndLength() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let inputs: [[UInt8]] = [
            [], Array("https://example.org/t/1".utf8), [0xff, 0x00, 0xfe], [UInt8](repeating: 65, count: 9000),
        ]
        for input in inputs {
            let decision = await gate.admit(input)
            XCTAssertFalse(decision.isAccepted)
            XCTAssertNil(decision.ticket)
        }
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.unreadable?.length), inputs.map { $0.count })
        XCTAssertEqual(records.map(\.unreadable?.sha256), inputs.map { SoftwareDigest().sha256($0) })
        XCTAssertEqual(records.compactMap(\.ticketID), [])
        XCTAssertEqual(records[1].reasons, [.unsupportedFormat])
    }

    func testNothingOfATicketIsReadableInTheJournal() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        _ = await gate.admit(try bench.ticket("SECRET-TICKET"))
        for entry in try await bench.journal.entries(.gate, after: 0, limit: 10) {
            let held = entry.draft.sealed + (entry.draft.place?.subject.bytes ?? [])
            XCTAssertFalse(String(decoding: held, as: UTF8.self).contains("SECRET"))
        }
    }
}

extension GateRecord {
    /// The primary reason.
    var reason: DenialCode? { reasons.first }
}
