import HoldfastDomain
import XCTest

final class TelemetryEventTests: XCTestCase {
    private let id = EntryID(high: 0x0123_4567_89ab_4def, low: 0x8123_4567_89ab_cdef)

    private func event(_ type: String = "screen.view", _ payload: PayloadObject = [:]) -> TelemetryEvent {
        TelemetryEvent(
            id: id,
            timestamp: Timestamp(milliseconds: 1_777_636_800_042),
            type: type,
            payload: payload,
            sessionID: "s-1"
        )
    }

    private func text(_ event: TelemetryEvent) throws -> String {
        String(decoding: try event.encoded(), as: UTF8.self)
    }

    private func refusal(_ event: TelemetryEvent, limits: TelemetryLimits = TelemetryLimits()) -> TelemetryError.Code? {
        do {
            _ = try event.encoded(limits: limits)
            return nil
        } catch {
            return (error as? TelemetryError)?.code
        }
    }

    func testTheWireFormIsExact() throws {
        let payload: PayloadObject = ["name": "orders", "ms": 182, "ok": true, "none": nil, "list": [1, 2.5]]
        XCTAssertEqual(
            try text(event("screen.view", payload)),
            #"{"id":"01234567-89ab-4def-8123-456789abcdef","ts":"2026-05-01T12:00:00.042Z","type":"screen.view","#
                + #""payload":{"name":"orders","ms":182,"ok":true,"none":null,"list":[1,2.5]},"sessionId":"s-1"}"#
        )
    }

    func testIntegersKeepTheirDigits() throws {
        let payload: PayloadObject = [
            "a": .integer(9_007_199_254_740_993), "b": .integer(.min), "c": .integer(.max), "d": .unsigned(.max),
        ]
        let text = try text(event("t", payload))
        for digits in ["9007199254740993", "-9223372036854775808", "9223372036854775807", "18446744073709551615"] {
            XCTAssertTrue(text.contains(digits), digits)
        }
    }

    func testWhatJSONCannotSayIsRefused() {
        for number in [Double.nan, .infinity, -.infinity, .signalingNaN] {
            XCTAssertEqual(refusal(event("t", ["list": [["deep": .double(number)]]])), .nonFiniteNumber)
        }
    }

    func testNestingIsBounded() {
        func nested(_ containers: Int) -> PayloadObject {
            var value: PayloadValue = 1
            for _ in 1..<containers { value = [value] }
            return ["v": value]
        }
        XCTAssertNil(refusal(event("t", nested(32))))
        XCTAssertEqual(refusal(event("t", nested(33))), .tooDeep)
        XCTAssertEqual(refusal(event("t", nested(600))), .tooDeep)
    }

    func testTypesAndSessionsAreBounded() {
        XCTAssertEqual(refusal(event("")), .emptyType)
        XCTAssertNil(refusal(event(String(repeating: "t", count: 256))))
        XCTAssertEqual(refusal(event(String(repeating: "é", count: 129))), .typeTooLong)
        var other = event()
        other.sessionID = ""
        XCTAssertEqual(refusal(other), .invalidSession)
        other.sessionID = String(repeating: "s", count: 129)
        XCTAssertEqual(refusal(other), .invalidSession)
    }

    func testAMemberThatComesTwiceIsRefused() {
        let twice = PayloadObject([.init("a", 1), .init("b", 2), .init("a", 3)])
        XCTAssertEqual(refusal(event("t", twice)), .duplicateMember)
        XCTAssertEqual(refusal(event("t", ["list": [.object(twice)]])), .duplicateMember)
        let many = PayloadObject((0..<40).map { .init("m\($0)", 1) })
        XCTAssertNil(refusal(event("t", many)))
        XCTAssertEqual(refusal(event("t", PayloadObject(many.members + [.init("m7", 1)]))), .duplicateMember)
    }

    /// Emoji, quotes, backslashes and control characters take more bytes than characters; only bytes count.
    func testTheBodyOfOneEventIsCountedToTheByte() throws {
        for filler in ["\u{1F680}", "\"", "\\", "\u{1}", "x"] {
            for form in [BatchBody.object, .array] {
                let limits = TelemetryLimits(body: form)
                let unit = try event("t", ["v": .string(filler)]).encoded().count
                let bare = try event("t", ["v": ""]).encoded().count
                let room = 262_144 - form.framing.overhead - bare
                let text = String(repeating: filler, count: room / (unit - bare))
                let padding = String(repeating: "x", count: room % (unit - bare))
                let full = event("t", ["v": .string(text + padding)])
                XCTAssertEqual(form.join([try full.encoded(limits: limits)]).count, 262_144)
                XCTAssertEqual(refusal(event("t", ["v": .string(text + padding + "x")]), limits: limits), .tooLarge)
                XCTAssertNil(refusal(event("t", ["v": .string(String((text + padding).dropLast()))]), limits: limits))
            }
        }
    }

    func testErrorsSayNothingOfTheEvent() {
        let error = TelemetryError(.nonFiniteNumber)
        XCTAssertEqual(String(describing: error), "telemetry: non_finite_number")
        XCTAssertEqual(error.lossReason, .invalid)
        XCTAssertEqual(TelemetryError(.tooLarge).lossReason, .oversize)
        XCTAssertEqual(TelemetryError(.bufferFull).lossReason, .overflow)
        XCTAssertEqual(TelemetryError(.consentDenied).lossReason, .consent)
    }

    func testBatchesAreJoinedNotEncoded() throws {
        let events = [Array(#"{"a":1}"#.utf8), Array(#"{"b":2}"#.utf8)]
        XCTAssertEqual(String(decoding: BatchBody.object.join(events), as: UTF8.self), #"{"events":[{"a":1},{"b":2}]}"#)
        XCTAssertEqual(String(decoding: BatchBody.array.join(events), as: UTF8.self), #"[{"a":1},{"b":2}]"#)
        for form in [BatchBody.object, .array] {
            for count in 0...2 {
                let some = Array(events.prefix(count))
                XCTAssertEqual(form.join(some).count, form.size(ofEvents: some.map(\.count)))
            }
            XCTAssertEqual(form.size(ofEvents: [.max, .max]), .max)
        }
    }
}
