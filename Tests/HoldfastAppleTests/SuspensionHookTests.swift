import XCTest

@testable import HoldfastApple

final class SuspensionHookTests: XCTestCase {
    /// What the hook did, in order; fails the test if two calls overlap.
    private actor Ledger {
        private(set) var calls: [String] = []
        private var isBusy = false

        func note(_ call: String) async {
            XCTAssertFalse(isBusy, "two calls at once")
            isBusy = true
            await Task.yield()
            calls.append(call)
            isBusy = false
        }
    }

    private let ledger = Ledger()

    private func hook() async -> SuspensionHook {
        let hook = SuspensionHook()
        await hook.add(
            release: { [ledger] in await ledger.note("release") },
            reacquire: { [ledger] in await ledger.note("reacquire") }
        )
        return hook
    }

    func testWhatIsAddedWhileNobodyWorksIsLetGoOfAtOnce() async {
        let hook = await hook()
        await hook.whileInUse {}
        await hook.add(
            release: { [ledger] in await ledger.note("release the second") },
            reacquire: { [ledger] in await ledger.note("reacquire the second") }
        )
        await hook.begin()
        let calls = await ledger.calls
        XCTAssertEqual(calls, ["release", "release the second", "reacquire", "reacquire the second"])
    }

    func testLetsGoWhenTheLastHasEnded() async {
        let hook = await hook()
        await hook.begin()
        await hook.begin()
        await hook.end()
        var calls = await ledger.calls
        XCTAssertEqual(calls, [])
        await hook.end()
        await hook.whileInUse {}
        calls = await ledger.calls
        XCTAssertEqual(calls, ["release", "reacquire", "release"])
    }

    func testWorkRunsWhileItIsHeld() async {
        let hook = await hook()
        await hook.whileInUse {}
        let during = await hook.whileInUse { [ledger] in await ledger.calls }
        XCTAssertEqual(during, ["release", "reacquire"])
    }

    func testAnEndTooManyChangesNothing() async {
        let hook = await hook()
        await hook.end()
        await hook.end()
        await hook.begin()
        let calls = await ledger.calls
        XCTAssertEqual(calls, ["release", "reacquire"])
    }

    func testManyAtOnceEndLetGo() async {
        let hook = await hook()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { await hook.whileInUse { await Task.yield() } } }
        }
        let calls = await ledger.calls
        XCTAssertEqual(calls.last, "release")
        for (index, call) in calls.enumerated() { XCTAssertEqual(call, index % 2 == 0 ? "release" : "reacquire") }
    }
}
