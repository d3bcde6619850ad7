import HoldfastDomain
import XCTest

final class UseRuleTests: XCTestCase {
    private let noon = Timestamp(milliseconds: 1_780_000_000_000)
    private let monday = CivilDay(year: 2026, month: 6, day: 1)
    private let tuesday = CivilDay(year: 2026, month: 6, day: 2)

    /// Lets one ticket through a series of scans, `in` or `out` as written, and tells what became of each.
    private func story(_ rule: UseRule, _ scans: String, days: [CivilDay?] = []) -> String {
        var use: TicketUse?
        return scans.enumerated().map { index, scan in
            var today = rule
            if !days.isEmpty { today.day = days[index] }
            let direction: GateRecord.Direction = scan == "i" ? .entry : .exit
            switch today.decide(direction, after: use, at: noon + .seconds(Int64(index)), gate: "g\(index)") {
            case .counted(let next):
                use = next
                return "\(next.entries)\(next.isInside ? "+" : "-")"
            case .refused(let code): return code == .alreadyUsed ? "used" : "outside"
            }
        }.joined(separator: " ")
    }

    func testOneEntry() {
        XCTAssertEqual(story(UseRule(), "ii"), "1+ used")
        XCTAssertEqual(story(UseRule(), "ioi"), "1+ 1- used", "an exit alone does not make a used ticket fresh")
    }

    func testSeveralEntries() {
        XCTAssertEqual(story(UseRule(entries: 3), "iiii"), "1+ 2+ 3+ used")
        XCTAssertEqual(story(UseRule(entries: 2), "ioioi"), "1+ 1- 2+ 2- used")
    }

    func testReentryIsFreeAfterAnExitOnly() {
        let rule = UseRule(entries: 1, allowsReentry: true)
        XCTAssertEqual(story(rule, "ioioii"), "1+ 1- 1+ 1- 1+ used", "the pass may not be handed over the fence")
        XCTAssertEqual(story(UseRule(entries: 2, allowsReentry: true), "ioiii"), "1+ 1- 1+ 2+ used")
    }

    func testAnExitNeedsSomebodyInside() {
        XCTAssertEqual(story(UseRule(), "oioo"), "outside 1+ 1- outside")
    }

    func testAnExitIsNoReentry() {
        let returned = TicketUse(entries: 1, isInside: true, firstAt: noon, firstGate: "g", isReentry: true)
        guard case .counted(let left) = UseRule().decide(.exit, after: returned, at: noon, gate: "g") else {
            return XCTFail("somebody inside may leave")
        }
        XCTAssertFalse(left.isReentry)
    }

    func testPerDay() {
        let days = [monday, monday, tuesday, tuesday]
        XCTAssertEqual(story(UseRule(), "iiii", days: days), "1+ used 1+ used")
        XCTAssertEqual(story(UseRule(entries: 2), "iiii", days: days), "1+ 2+ 1+ 2+")
    }

    func testPerDayWithReentry() {
        let rule = UseRule(allowsReentry: true)
        XCTAssertEqual(story(rule, "ioi", days: [monday, monday, tuesday]), "1+ 1- 1+")
        let use = TicketUse(entries: 1, isInside: false, firstAt: noon, firstGate: "g", day: monday)
        let tomorrow = UseRule(allowsReentry: true, day: tuesday)
        guard case .counted(let next) = tomorrow.decide(.entry, after: use, at: noon, gate: "h") else {
            return XCTFail("a new day is a new count")
        }
        XCTAssertFalse(next.isReentry, "the first entry of a day counts")
        XCTAssertEqual(next.day, tuesday)
        XCTAssertEqual(next.firstGate, "h")
    }

    func testAClockSetBackDoesNotStartANewDay() {
        XCTAssertEqual(story(UseRule(), "ii", days: [tuesday, monday]), "1+ used")
        let back = story(UseRule(entries: 2), "iii", days: [tuesday, monday, tuesday])
        XCTAssertEqual(back, "1+ 2+ used", "an entry under the earlier day counts for the later one")
    }

    func testARuleThatBecomesPerDayGoesOnCounting() {
        let story = story(UseRule(), "iii", days: [nil, monday, tuesday])
        XCTAssertEqual(story, "1+ used used", "nothing tells on which day the first entry was")
        let several = self.story(UseRule(entries: 2), "iiii", days: [nil, monday, monday, tuesday])
        XCTAssertEqual(several, "1+ 2+ used 1+")
    }

    func testTheFirstEntryIsRemembered() {
        let first = UseRule(entries: 2).decide(.entry, after: nil, at: noon, gate: "north")
        guard case .counted(let use) = first,
            case .counted(let next) = UseRule(entries: 2).decide(
                .entry,
                after: use,
                at: noon + .hours(1),
                gate: "south"
            )
        else { return XCTFail("two entries") }
        XCTAssertEqual(next.firstAt, noon)
        XCTAssertEqual(next.firstGate, "north")
    }

    func testNoEntriesAtAllAdmitNobody() {
        XCTAssertEqual(story(UseRule(entries: 0), "i"), "used")
    }

    func testReplayingLeavesOutWhatWasAnnulled() {
        let place = GatePlace(event: "E", zone: "Z", gate: "g")
        var use: TicketUse?
        let rule = UseRule(entries: 1, allowsReentry: true)
        let history = "ioi".enumerated().map { index, scan -> GateRecord in
            let at = ClockReading(wall: noon + .seconds(Int64(index)), uptime: .zero, boot: BootID("b"))
            var record = GateRecord(scanID: EntryID(high: 0, low: UInt64(index)), place: place, at: at)
            record.direction = scan == "i" ? .entry : .exit
            if case .counted(let next) = rule.decide(record.direction, after: use, at: at.wall, gate: "g") {
                use = next
            }
            record.use = use
            return record
        }
        XCTAssertEqual(TicketUse.replaying(history), use)
        XCTAssertEqual(TicketUse.replaying(history.prefix(2))?.isInside, false)
        XCTAssertNil(TicketUse.replaying([]))
        let withoutFirst = TicketUse.replaying(history.dropFirst())
        XCTAssertEqual(withoutFirst?.entries, 1, "the free return is now the first entry")
        XCTAssertEqual(withoutFirst?.firstAt, noon + .seconds(2))
        XCTAssertEqual(
            TicketUse.replaying([history[0], history[2]])?.entries,
            2,
            "without the exit it is a second entry"
        )
    }
}
