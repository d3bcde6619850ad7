#if canImport(AppleDevice)
import AppleDevice
import HoldfastDomain
import Patience
@_spi(StandIn) import UIKit
import XCTest

@testable import HoldfastApple

@MainActor
final class AppLifecycleTests: XCTestCase {
    /// What was called, in order.
    private actor Ledger {
        private(set) var calls: [String] = []
        func note(_ call: String) { calls.append(call) }
    }

    private let ledger = Ledger()
    private var lifecycle: AppLifecycle?

    override func setUp() async throws {
        StandInApplication.setState(.inactive)
        StandInApplication.grantsBackgroundTime = true
    }

    override func tearDown() async throws {
        lifecycle = nil
        XCTAssertEqual(StandInApplication.openBackgroundTasks, 0, "each request for time is ended")
    }

    private func follow(leave: @escaping AppLifecycle.Leave = { _ in }) async {
        let hook = SuspensionHook()
        await hook.add(
            release: { [ledger] in await ledger.note("release") },
            reacquire: { [ledger] in await ledger.note("reacquire") }
        )
        lifecycle = AppLifecycle(
            .shared,
            hook: hook,
            leave: { [ledger] time in
                await ledger.note("leave \(time.milliseconds)")
                await leave(time)
            },
            enter: { [ledger] in await ledger.note("enter") }
        )
    }

    /// Waits until so many calls were made, and a while longer for one too many.
    private func calls(_ count: Int) async throws -> [String] {
        let patience = Patience("\(count) calls are made")
        while await ledger.calls.count < count { try await patience.yield() }
        for _ in 0..<200 { await Task.yield() }
        return await ledger.calls
    }

    func testLeavingWorksWithinTheTimeAndLetsGo() async throws {
        await follow()
        StandInApplication.launch(nil)
        StandInApplication.enterBackground()
        let calls = try await calls(3)
        XCTAssertEqual(calls, ["enter", "leave 20000", "release"])
    }

    func testComingBackTakesUpFirst() async throws {
        await follow()
        StandInApplication.launch(nil)
        StandInApplication.enterBackground()
        _ = try await calls(3)
        StandInApplication.enterForeground()
        let calls = try await calls(5)
        XCTAssertEqual(calls, ["enter", "leave 20000", "release", "reacquire", "enter"])
    }

    func testTheRequestForTimeIsMadeBeforeTheNoticeReturns() async throws {
        await follow()
        StandInApplication.launch(nil)
        let before = StandInApplication.begunBackgroundTasks
        StandInApplication.enterBackground()
        XCTAssertEqual(StandInApplication.begunBackgroundTasks, before + 1)
        _ = try await calls(3)
    }

    func testWithoutTimeItLeavesAtOnce() async throws {
        StandInApplication.grantsBackgroundTime = false
        await follow()
        StandInApplication.launch(nil)
        StandInApplication.enterBackground()
        let calls = try await calls(3)
        XCTAssertEqual(calls, ["enter", "leave 0", "release"])
    }

    func testWhenTheTimeIsUpTheWorkIsCalledOff() async throws {
        await follow { _ in try? await Task.sleep(nanoseconds: 600_000_000_000) }  // or until it is called off
        StandInApplication.launch(nil)
        StandInApplication.enterBackground()
        _ = try await calls(2)
        StandInApplication.expireBackgroundTime()
        XCTAssertEqual(StandInApplication.openBackgroundTasks, 0, "given back before the handler returns")
        let calls = try await calls(3)
        XCTAssertEqual(calls, ["enter", "leave 20000", "release"])
    }

    func testWhoComesBackSoonCallsTheLeavingOff() async throws {
        await follow { _ in try? await Task.sleep(nanoseconds: 600_000_000_000) }  // or until it is called off
        StandInApplication.launch(nil)
        for _ in 0..<3 {
            StandInApplication.enterBackground()
            StandInApplication.enterForeground()
        }
        let calls = try await calls(13)
        let round = ["leave 20000", "release", "reacquire", "enter"]
        XCTAssertEqual(calls, ["enter"] + round + round + round)
    }

    func testALaunchInTheBackgroundIsNoReturn() async throws {
        await follow()
        StandInApplication.launch(nil, inBackground: true)
        let calls = try await calls(0)
        XCTAssertEqual(calls, [])
    }

    func testTheFirstUnlockIsANewChance() async throws {
        AppleDevice.current.lockState = .beforeFirstUnlock
        await follow()
        StandInApplication.launch(nil)
        _ = try await calls(1)
        StandInApplication.unlock()
        let calls = try await calls(2)
        XCTAssertEqual(calls, ["enter", "enter"])
    }

    func testItsObserversEndWithIt() async throws {
        await follow()
        lifecycle = nil
        StandInApplication.launch(nil)
        StandInApplication.enterBackground()
        let calls = try await calls(0)
        XCTAssertEqual(calls, [])
    }
}
#endif
