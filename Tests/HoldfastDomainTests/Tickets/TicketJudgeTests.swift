import HoldfastDomain
import HoldfastInMemory
import XCTest

final class TicketJudgeTests: XCTestCase {
    private let now = Timestamp(milliseconds: 1_780_000_000_000)
    private let signer = ToySigner(seed: 1)
    private let other = ToySigner(seed: 2)

    private func event(
        _ id: String = "EV1",
        keys: [IssuerKey]? = nil,
        format: TicketEvent.Format = .holdfast,
        signer: ToySigner? = nil
    ) -> TicketEvent {
        TicketEvent(
            id: id,
            format: format,
            keys: keys ?? [IssuerKey(id: "k1", publicKey: (signer ?? self.signer).publicKey)],
            zones: [("VIP", ["GA", "VIP"])],
            products: [("42", "GA")],
            revoked: ["T-13"]
        )
    }

    private func ticket(_ change: (inout Ticket) -> Void = { _ in }, signedBy signer: ToySigner? = nil) -> Ticket {
        var ticket = Ticket(id: "T-1", event: "EV1", zone: "GA", keyID: "k1", signature: [], signedBytes: [1, 2, 3])
        ticket.issuedAt = now - .days(30)
        ticket.validFrom = now - .hours(1)
        ticket.validTo = now + .hours(1)
        change(&ticket)
        ticket.signedBytes += Array("\(ticket.id) \(ticket.zone ?? "")".utf8)
        if ticket.signature.isEmpty { ticket.signature = (signer ?? self.signer).sign(ticket.signedBytes) }
        return ticket
    }

    private func reasons(
        _ ticket: Ticket,
        _ events: [TicketEvent]? = nil,
        zone: String = "GA",
        direction: GateRecord.Direction = .entry,
        at moment: Timestamp? = nil,
        tolerance: (Interval, Interval) = (.zero, .zero)
    ) throws -> [DenialCode] {
        let configuration = KeyConfiguration(
            version: 1,
            events: events ?? [event()],
            toleranceBefore: tolerance.0,
            toleranceAfter: tolerance.1
        )
        let place = GatePlace(event: "EV1", zone: zone, direction: direction)
        let judge = TicketJudge(configuration: configuration, place: place)
        let reading = ClockReading(wall: moment ?? now, uptime: .zero, boot: BootID("b"))
        return try judge.examine(.ticket(ticket), at: reading, clock: .unanchored, verifier: ToyVerifier()).reasons
    }

    func testAGoodTicket() throws { XCTAssertEqual(try reasons(ticket()), []) }

    func testWhatIsNoTicket() throws {
        let judge = TicketJudge(configuration: nil, place: GatePlace(event: "EV1", zone: "GA"))
        let reading = ClockReading(wall: now, uptime: .zero, boot: BootID("b"))
        for (read, expected) in [
            (TicketReading.foreign, DenialCode.unsupportedFormat), (.malformed(.json), .malformed),
            (.ticket(ticket()), .noKeys),
        ] {
            let finding = try judge.examine(read, at: reading, clock: .suspect, verifier: ToyVerifier())
            XCTAssertEqual(finding.reasons, [expected])
            XCTAssertNil(finding.event)
        }
        XCTAssertEqual(try reasons(ticket(), []), [.noKeys])
    }

    func testEventsAndKeys() throws {
        XCTAssertEqual(try reasons(ticket { $0.event = "EV9" }), [.unknownEvent])
        XCTAssertEqual(try reasons(ticket { $0.keyID = "k9" }), [.unknownKey])
        XCTAssertEqual(try reasons(ticket(signedBy: other)), [.badSignature])
        XCTAssertEqual(try reasons(ticket { $0.signature = [1] }), [.badSignature])
    }

    func testIdsAreComparedByTheirBytes() throws {
        let composed = "caf\u{e9}", decomposed = "cafe\u{301}"
        XCTAssertEqual(composed, decomposed, "Swift takes them for equal")
        XCTAssertEqual(try reasons(ticket { $0.event = decomposed }, [event(composed), event()]), [.unknownEvent])
        let keys = [IssuerKey(id: composed, publicKey: signer.publicKey)]
        XCTAssertEqual(try reasons(ticket { $0.keyID = decomposed }, [event(keys: keys)]), [.unknownKey])
        XCTAssertEqual(try reasons(ticket { $0.zone = decomposed }, zone: composed), [.wrongZone])
        let revoking = TicketEvent(id: "EV1", keys: event().keys, revoked: [composed])
        XCTAssertEqual(try reasons(ticket { $0.id = decomposed }, [revoking]), [])
        XCTAssertEqual(try reasons(ticket { $0.id = composed }, [revoking]), [.revoked])
    }

    // A key counts by when the ticket was issued, not by what time it is now.
    func testAKeyThatRanOutVerifiesWhatItSignedInItsTime() throws {
        let key = IssuerKey(
            id: "k1",
            publicKey: signer.publicKey,
            notBefore: now - .days(60),
            notAfter: now - .days(10),
            status: .retired
        )
        func issued(_ at: Timestamp) throws -> [DenialCode] {
            try reasons(ticket { $0.issuedAt = at }, [event(keys: [key])])
        }
        XCTAssertEqual(try issued(now - .days(30)), [])
        XCTAssertEqual(try issued(now - .days(60)), [])
        XCTAssertEqual(try issued(now - .days(60) - .milliseconds(1)), [.keyNotValid])
        XCTAssertEqual(try issued(now - .days(10)), [])
        XCTAssertEqual(try issued(now - .days(10) + .milliseconds(1)), [.keyNotValid])
        let undated = try reasons(ticket { $0.issuedAt = nil }, [event(keys: [key])])
        XCTAssertEqual(undated, [.keyNotValid], "without a date the only moment known is now")
    }

    func testACompromisedKeyNeverCounts() throws {
        let key = IssuerKey(id: "k1", publicKey: signer.publicKey, status: .compromised)
        XCTAssertEqual(try reasons(ticket(), [event(keys: [key])]), [.keyCompromised])
        XCTAssertEqual(try reasons(ticket { $0.keyID = nil }, [event(keys: [key])]), [.keyCompromised])
        XCTAssertEqual(try reasons(ticket(signedBy: other), [event(keys: [key])]), [.keyCompromised])
        let (first, last) = (now - .days(60), now + .days(60))
        let dated = IssuerKey(
            id: "k1",
            publicKey: signer.publicKey,
            notBefore: first,
            notAfter: last,
            status: .compromised
        )
        XCTAssertEqual(try reasons(ticket(), [event(keys: [dated])]), [.keyCompromised], "nor inside its window")
    }

    func testWithoutAKeyIdEveryUsableKeyIsTried() throws {
        let keys = [
            IssuerKey(id: "a", publicKey: other.publicKey), IssuerKey(id: "b", publicKey: signer.publicKey),
            IssuerKey(id: "c", publicKey: ToySigner(seed: 3).publicKey, status: .compromised),
        ]
        XCTAssertEqual(try reasons(ticket { $0.keyID = nil }, [event(keys: keys)]), [])
        let stranger = ticket({ $0.keyID = nil }, signedBy: ToySigner(seed: 4))
        XCTAssertEqual(try reasons(stranger, [event(keys: keys)]), [.badSignature])
        let stolen = ticket({ $0.keyID = nil }, signedBy: ToySigner(seed: 3))
        XCTAssertEqual(try reasons(stolen, [event(keys: keys)]), [.keyCompromised])
    }

    func testAnotherEventsTicketIsToldSoOnlyIfGenuine() throws {
        let events = [event(), event("EV2", signer: other)]
        let genuine = ticket({ $0.event = "EV2" }, signedBy: other)
        XCTAssertEqual(try reasons(genuine, events), [.wrongEvent])
        XCTAssertEqual(try reasons(ticket { $0.event = "EV2" }, events), [.badSignature])
    }

    func testZones() throws {
        XCTAssertEqual(try reasons(ticket { $0.zone = "VIP" }), [])
        XCTAssertEqual(try reasons(ticket(), zone: "VIP"), [.wrongZone])
        XCTAssertEqual(try reasons(ticket { $0.zone = "VIP" }, zone: "Backstage"), [.wrongZone])
        XCTAssertEqual(try reasons(ticket { ($0.zone, $0.product) = (nil, "42") }), [])
        XCTAssertEqual(try reasons(ticket { ($0.zone, $0.product) = (nil, "43") }), [.wrongZone])
        XCTAssertEqual(try reasons(ticket { ($0.zone, $0.product) = (nil, "43") }, zone: "43"), [])
        XCTAssertEqual(try reasons(ticket { $0.zone = nil }), [.wrongZone])
    }

    func testTheWindowIsHalfOpen() throws {
        let ms = Interval.milliseconds(1)
        let good = ticket()
        XCTAssertEqual(try reasons(good, at: now - .hours(1) - ms), [.notYetValid])
        XCTAssertEqual(try reasons(good, at: now - .hours(1)), [])
        XCTAssertEqual(try reasons(good, at: now + .hours(1) - ms), [])
        XCTAssertEqual(try reasons(good, at: now + .hours(1)), [.expired])
        let open = ticket { ($0.validFrom, $0.validTo) = (nil, nil) }
        XCTAssertEqual(try reasons(open, at: .distantFuture), [])
    }

    func testTolerance() throws {
        let ms = Interval.milliseconds(1)
        let tolerance = (Interval.seconds(60), Interval.seconds(30))
        let early = now - .hours(1) - .seconds(60)
        XCTAssertEqual(try reasons(ticket(), at: early, tolerance: tolerance), [])
        XCTAssertEqual(try reasons(ticket(), at: early - ms, tolerance: tolerance), [.notYetValid])
        let late = now + .hours(1) + .seconds(30)
        XCTAssertEqual(try reasons(ticket(), at: late - ms, tolerance: tolerance), [])
        XCTAssertEqual(try reasons(ticket(), at: late, tolerance: tolerance), [.expired])
        let future = ticket { $0.issuedAt = self.now + .seconds(60) }
        XCTAssertEqual(try reasons(future, tolerance: tolerance), [])
        XCTAssertEqual(try reasons(future), [.issuedInFuture])
    }

    func testAnExitDoesNotAskForTheTime() throws {
        XCTAssertEqual(try reasons(ticket(), direction: .exit, at: now + .days(1)), [])
        XCTAssertEqual(try reasons(ticket(), zone: "VIP", direction: .exit, at: now + .days(1)), [.wrongZone])
    }

    func testEverythingThatFailsAfterTheSignatureIsToldInOrder() throws {
        let events = [event(), event("EV2", signer: other)]
        let hopeless = ticket(
            {
                ($0.id, $0.event, $0.zone) = ("T-13", "EV2", "Moon")
                $0.issuedAt = self.now + .days(1)
                ($0.validFrom, $0.validTo) = (self.now + .days(2), self.now - .days(2))
            },
            signedBy: other
        )
        XCTAssertEqual(
            try reasons(hopeless, events),
            [.revoked, .wrongEvent, .wrongZone, .issuedInFuture, .notYetValid, .expired]
        )
        XCTAssertEqual(try reasons(ticket({ $0.id = "T-13" }, signedBy: other)), [.badSignature])
    }

    func testTheGatesOwnDoubtsComeLast() throws {
        var policy = GatePolicy()
        policy.onSuspectClock = .refuse
        policy.maxConfigurationAge = .days(1)
        let place = GatePlace(event: "EV1", zone: "VIP")
        func find(_ issuedAt: Timestamp?, _ installedAt: Timestamp?, _ clock: ClockConfidence) throws -> [DenialCode] {
            let configuration = KeyConfiguration(version: 1, issuedAt: issuedAt, events: [event()])
            let judge = TicketJudge(
                configuration: configuration,
                place: place,
                policy: policy,
                installedAt: installedAt
            )
            let reading = ClockReading(wall: now, uptime: .zero, boot: BootID("b"))
            return try judge.examine(.ticket(ticket()), at: reading, clock: clock, verifier: ToyVerifier()).reasons
        }
        XCTAssertEqual(try find(now - .days(1), nil, .anchored), [.wrongZone])
        XCTAssertEqual(
            try find(now - .days(1) - .milliseconds(1), nil, .suspect),
            [.wrongZone, .clockUntrusted, .configStale]
        )
        XCTAssertEqual(try find(nil, now - .days(2), .unanchored), [.wrongZone, .configStale])
        XCTAssertEqual(try find(now, now - .days(2), .unanchored), [.wrongZone])
    }

    func testTheUseComesBeforeTheGatesOwnDoubts() {
        var finding = TicketJudge.Finding()
        finding.objections = [.wrongZone, .expired]
        finding.doubts = [.clockUntrusted, .configStale]
        var record = GateRecord(
            scanID: EntryID(high: 0, low: 1),
            place: GatePlace(event: "EV1", zone: "GA"),
            at: ClockReading(wall: now, uptime: .zero, boot: BootID("b"))
        )
        let used = TicketUse(entries: 1, isInside: true, firstAt: now, firstGate: "g")
        let all = finding.reasons(adding: UseRule(), after: used, of: record)
        XCTAssertEqual(all, [.wrongZone, .expired, .alreadyUsed, .clockUntrusted, .configStale])
        XCTAssertEqual(finding.reasons(adding: UseRule(), after: nil, of: record), finding.reasons)
        record.direction = .exit
        let outside = finding.reasons(adding: UseRule(), after: nil, of: record)
        XCTAssertEqual(outside, [.wrongZone, .expired, .notInside, .clockUntrusted, .configStale])
    }

    func testWhereTwoEventsKeysVerifyAPretixTicketItIsOfTheGatesOwn() throws {
        let events = ["EV2", "EV1", "EV3"].map { event($0, format: .pretix) }
        let secret = ticket { ($0.event, $0.keyID, $0.zone, $0.product) = (nil, nil, nil, "42") }
        XCTAssertEqual(try reasons(secret, events), [])
        XCTAssertEqual(try reasons(secret, events.filter { $0.id != "EV1" }), [.wrongEvent])
    }

    func testAPretixTicketBelongsToTheEventWhoseKeyVerifiesIt() throws {
        let events = [
            event("EV2", format: .pretix, signer: other), event("EV1", format: .pretix),
            event("EV3", signer: ToySigner(seed: 5)),
        ]
        func secret(_ signer: ToySigner) -> Ticket {
            ticket({ ($0.event, $0.keyID, $0.zone, $0.product) = (nil, nil, nil, "42") }, signedBy: signer)
        }
        XCTAssertEqual(try reasons(secret(signer), events), [])
        XCTAssertEqual(try reasons(secret(other), events), [.wrongEvent])
        XCTAssertEqual(try reasons(secret(ToySigner(seed: 5)), events), [.badSignature], "EV3 does not write these")
        XCTAssertEqual(try reasons(secret(signer), [event()]), [.unsupportedFormat])
        let stolen = [IssuerKey(id: nil, publicKey: other.publicKey, status: .compromised)]
        let withStolen = [event("EV1", format: .pretix), event("EV2", keys: stolen, format: .pretix)]
        XCTAssertEqual(try reasons(secret(other), withStolen), [.keyCompromised])
        // An unusable key says more than a signature that does not fit, whichever event comes first.
        let stranger = secret(ToySigner(seed: 6))
        XCTAssertEqual(try reasons(stranger, withStolen), [.keyCompromised])
        let stolenFirst = [event("EV1", keys: stolen, format: .pretix), event("EV2", format: .pretix)]
        XCTAssertEqual(try reasons(stranger, stolenFirst), [.keyCompromised])
    }

    func testAUseIsRememberedForAsLongAsTheTicketIsTaken() {
        let configuration = KeyConfiguration(version: 1, events: [event()], toleranceAfter: .seconds(30))
        let judge = TicketJudge(configuration: configuration, place: GatePlace(event: "EV1", zone: "GA"))
        XCTAssertEqual(judge.keepUntil(TicketClaims(ticket())), now + .hours(1) + .seconds(30))
        XCTAssertEqual(judge.keepUntil(TicketClaims(ticket { $0.validTo = nil })), .distantFuture)
    }

    func testATicketsOwnEntriesComeBeforeTheEvents() {
        var admission = TicketEvent.Admission()
        admission.entries = 2
        let event = TicketEvent(id: "EV1", keys: [], admission: admission)
        XCTAssertEqual(event.useRule(entries: 5, on: nil).entries, 5)
        XCTAssertEqual(event.useRule(entries: nil, on: nil).entries, 2)
    }
}
