import HoldfastDomain
import XCTest

final class BacklogTests: XCTestCase {
    private let noon = Timestamp(milliseconds: 1_780_000_000_000)

    private func record(_ number: Int, at gate: String = "g") -> GateRecord {
        let at = ClockReading(wall: noon + .seconds(Int64(number)), uptime: .zero, boot: BootID("b"))
        let place = GatePlace(event: "E", zone: "Z", gate: gate)
        return GateRecord(scanID: EntryID(high: 0, low: UInt64(number)), place: place, at: at)
    }

    private func admission(_ ticket: String, event: String = "E", entries: Int = 1) -> AdmissionLedger.Admission {
        AdmissionLedger.Admission(
            event: event,
            ticket: ticket,
            rule: UseRule(entries: entries),
            keepUntil: .distantFuture
        )
    }

    func testItIsBoundedAndAdmissionsAreTheLastToGo() {
        var backlog = Backlog()
        XCTAssertFalse(backlog.append(.init(record: record(0), admission: admission("T"))))
        for number in 1..<Backlog.capacity { XCTAssertFalse(backlog.append(.init(record: record(number)))) }
        for number in 0..<9 { XCTAssertTrue(backlog.append(.init(record: record(10_000 + number)))) }
        XCTAssertEqual(backlog.items.count, Backlog.capacity)
        XCTAssertEqual(backlog.dropped, 9)
        XCTAssertEqual(backlog.items.prefix(2).map(\.record.scanID.low), [0, 10])
        XCTAssertEqual(backlog.items.last?.record.scanID.low, 10_008)
    }

    func testWhereAllAreAdmissionsTheOldestGoes() {
        var backlog = Backlog()
        for number in 0...Backlog.capacity {
            _ = backlog.append(.init(record: record(number), admission: admission("T-\(number)")))
        }
        XCTAssertEqual(backlog.items.first?.record.scanID.low, 1)
    }

    func testItKnowsWhatItsAdmissionsComeTo() {
        var backlog = Backlog()
        XCTAssertNil(backlog.use(of: admission("T"), after: nil))
        _ = backlog.append(.init(record: record(1, at: "north"), admission: admission("T")))
        _ = backlog.append(.init(record: record(2), admission: admission("T", event: "F")))
        _ = backlog.append(.init(record: record(3), admission: admission("U")))
        _ = backlog.append(.init(record: record(4, at: "south"), admission: admission("T")))
        let use = backlog.use(of: admission("T"), after: nil)
        XCTAssertEqual(use?.entries, 2, "whoever was let in counts, whatever the limit")
        XCTAssertEqual(use?.firstGate, "north")
        let known = TicketUse(entries: 3, isInside: true, firstAt: noon, firstGate: "west")
        XCTAssertEqual(backlog.use(of: admission("T"), after: known)?.entries, 5)
        XCTAssertEqual(backlog.items(of: admission("T")).map(\.record.scanID.low), [1, 4])
    }

    func testWhatIsRecordedIsRemoved() {
        var backlog = Backlog()
        for number in 0..<5 { _ = backlog.append(.init(record: record(number))) }
        backlog.remove([record(0).scanID, record(3).scanID, record(99).scanID])
        XCTAssertEqual(backlog.items.map(\.record.scanID.low), [1, 2, 4])
    }
}
