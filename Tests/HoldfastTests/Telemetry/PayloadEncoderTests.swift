import Foundation
import Holdfast
import XCTest

final class PayloadEncoderTests: XCTestCase {
    private func text(_ value: some Encodable) throws -> String {
        let object = try PayloadEncoder().encode(value)
        return String(decoding: try PayloadValue.object(object).encoded(), as: UTF8.self)
    }

    private func refusal(_ value: some Encodable) -> TelemetryError.Code? {
        do {
            _ = try PayloadEncoder().encode(value)
            return nil
        } catch {
            return (error as? TelemetryError)?.code
        }
    }

    func testEveryKindOfValueIsWritten() throws {
        struct Inner: Encodable {
            var list = [1, 2]
            var none: Int?
        }
        struct Value: Encodable {
            var flag = true
            var small: Int8 = -5
            var word = "é\n"
            var ratio = 0.1
            var single: Float = 0.1
            var inner = Inner()
            var map = ["k": [nil, false]]
        }
        XCTAssertEqual(
            try text(Value()),
            #"{"flag":true,"small":-5,"word":"é\n","ratio":0.1,"single":0.1,"inner":{"list":[1,2]},"#
                + #""map":{"k":[null,false]}}"#
        )
    }

    func testFoundationValuesHaveTheirText() throws {
        struct Value: Encodable {
            var at = Date(timeIntervalSince1970: 1_777_636_800.042)
            var data = Data([0, 255, 16])
            var link = URL(string: "https://example.org/a?b=c")
            var id = UUID(uuidString: "01234567-89AB-4DEF-8123-456789ABCDEF")
        }
        XCTAssertEqual(
            try text(Value()),
            #"{"at":"2026-05-01T12:00:00.042Z","data":"AP8Q","link":"https://example.org/a?b=c","#
                + #""id":"01234567-89ab-4def-8123-456789abcdef"}"#
        )
    }

    func testIntegersAndDecimalsKeepTheirDigits() throws {
        XCTAssertEqual(try text(["v": Int64.min]), #"{"v":-9223372036854775808}"#)
        XCTAssertEqual(try text(["v": UInt64.max]), #"{"v":18446744073709551615}"#)
        XCTAssertEqual(try text(["v": 9_007_199_254_740_993]), #"{"v":9007199254740993}"#)
        XCTAssertEqual(try text(["v": Decimal(string: "9007199254740993")]), #"{"v":9007199254740993}"#)
        XCTAssertEqual(try text(["v": Decimal(UInt64.max)]), #"{"v":18446744073709551615}"#)
        XCTAssertEqual(try text(["v": Decimal(string: "19.99")]), #"{"v":19.99}"#)
        XCTAssertEqual(try text(["v": Decimal(string: "-0.000001")]), #"{"v":-1e-06}"#)
    }

    func testWhatWouldLoseDigitsIsRefused() {
        for digits in ["18446744073709551616", "0.12345678901234567890123", "1234567890123456789.5"] {
            XCTAssertEqual(refusal(["v": Decimal(string: digits)]), .inexactNumber, digits)
        }
        XCTAssertEqual(refusal(["v": Date(timeIntervalSince1970: 1e15)]), .inexactNumber)
    }

    func testWhatIsNotFiniteIsRefused() {
        XCTAssertEqual(refusal(["v": Double.nan]), .nonFiniteNumber)
        XCTAssertEqual(refusal(["v": -Float.infinity]), .nonFiniteNumber)
        XCTAssertEqual(refusal(["v": Decimal.nan]), .nonFiniteNumber)
        XCTAssertEqual(refusal(["v": Date(timeIntervalSince1970: .nan)]), .nonFiniteNumber)
    }

    func testOnlyAnObjectIsAPayload() {
        XCTAssertEqual(refusal([1, 2]), .notAnObject)
        XCTAssertEqual(refusal("text"), .notAnObject)
        XCTAssertEqual(refusal(Int?.none), .notAnObject)
    }

    func testAGraphThatContainsItselfEnds() {
        final class Node: Encodable {
            var next: Node?
        }
        let node = Node()
        node.next = node
        XCTAssertEqual(refusal(node), .tooDeep)
        node.next = nil
    }

    func testAnErrorOfTheValueItselfIsToldWithoutItsWords() {
        struct Secret: Error { let word = "tok-123" }
        struct Value: Encodable {
            func encode(to encoder: any Encoder) throws { throw Secret() }
        }
        XCTAssertEqual(refusal(Value()), .unencodable)
    }

    func testNestedContainersAndSuperEncodersAreFilledLater() throws {
        class Base: Encodable { var base = 1 }
        final class Derived: Base {
            enum Keys: CodingKey { case nested, list, own }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .nested)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try container.encode(2, forKey: .own)
                try nested.encodeNil(forKey: .own)
                try list.encode("x")
                var inner = list.nestedContainer(keyedBy: Keys.self)
                try inner.encode(true, forKey: .own)
                var more = list.nestedUnkeyedContainer()
                try more.encodeNil()
                try more.encode(UInt8(7))
                try super.encode(to: container.superEncoder())
                try super.encode(to: list.superEncoder())
            }
        }
        XCTAssertEqual(
            try text(Derived()),
            #"{"nested":{"own":null},"list":["x",{"own":true},[null,7],{"base":1}],"own":2,"super":{"base":1}}"#
        )
    }

    func testAMemberThatIsEncodedTwiceHasItsLastValue() throws {
        struct Value: Encodable {
            enum Keys: CodingKey { case v, w }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(1, forKey: .v)
                try container.encode(2, forKey: .w)
                try container.encode("three", forKey: .v)
            }
        }
        XCTAssertEqual(try text(Value()), #"{"v":"three","w":2}"#)
    }
}
