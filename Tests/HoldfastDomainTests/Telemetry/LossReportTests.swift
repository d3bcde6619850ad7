import XCTest

@testable import HoldfastDomain

final class LossReportTests: XCTestCase {
    private let id = EntryID(high: 1, low: 2)

    func testEachLossIsToldOnce() throws {
        var report = LossReport()
        XCTAssertFalse(report.begin(totals: [:], id: id))
        XCTAssertTrue(report.begin(totals: [.overflow: 3, .age: 1], id: id))
        XCTAssertEqual(report.payload, ["age": 1, "overflow": 3])
        XCTAssertFalse(report.begin(totals: [.overflow: 9], id: id), "one at a time")
        report.finish()
        XCTAssertFalse(report.begin(totals: [.overflow: 3, .age: 1], id: id))
        XCTAssertTrue(report.begin(totals: [.overflow: 5, .age: 1], id: id))
        XCTAssertEqual(report.payload, ["overflow": 2])
    }

    func testAReportThatWasInterruptedIsFinishedAsItWas() throws {
        var report = LossReport()
        _ = report.begin(totals: [.overflow: 3], id: id)
        report.finish()
        _ = report.begin(totals: [.overflow: 5, .rejected: 2], id: EntryID(high: 3, low: 4))
        let restored = LossReport(bytes: try report.encoded())
        XCTAssertEqual(restored, report)
        XCTAssertEqual(restored.pending?.id, EntryID(high: 3, low: 4))
        XCTAssertEqual(restored.payload, ["overflow": 2, "rejected": 2])
    }

    func testALedgerThatBeganAnewIsToldWhole() {
        var report = LossReport()
        _ = report.begin(totals: [.overflow: 300], id: id)
        report.finish()
        XCTAssertTrue(report.begin(totals: [.overflow: 2], id: id))
        XCTAssertEqual(report.payload, ["overflow": 2])
    }

    func testAStateThatCannotBeReadIsAnEmptyOne() {
        for bytes in [nil, [], Array("nonsense".utf8), Array(#"{"reported":[],"pending":{"id":7}}"#.utf8)] {
            XCTAssertEqual(LossReport(bytes: bytes), LossReport())
        }
    }
}
