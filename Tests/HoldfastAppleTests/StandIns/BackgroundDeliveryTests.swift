#if canImport(AppleDevice)
import AppleDevice
@_spi(StandIn) import BackgroundTasks
import HoldfastDomain
import Patience
@_spi(StandIn) import UIKit
import XCTest

@testable import HoldfastApple

@MainActor
final class BackgroundDeliveryTests: XCTestCase {
    private let plan = BackgroundPlan(refresh: "refresh", processing: "processing")
    private let info = BackgroundInfo(identifiers: ["refresh", "processing"], modes: ["fetch", "processing"])
    private let now = Timestamp(milliseconds: 1_000_000_000)
    private let scheduler = BGTaskScheduler.shared

    override func setUp() async throws {
        BGTaskScheduler.shared.reset(permitted: ["refresh", "processing"])
        StandInApplication.setState(.inactive)
    }

    private func delivery(
        info: BackgroundInfo? = nil,
        registered: RegisteredTasks = RegisteredTasks(),
        grace: Interval = .zero,
        work: @escaping BackgroundDelivery.Work = { _ in BackgroundResult(isSuccess: true) }
    ) -> BackgroundDelivery {
        BackgroundDelivery(
            plan,
            info: info ?? self.info,
            registered: registered,
            diagnostics: NoDiagnostics(),
            now: { [now] in now },
            grace: grace,
            work: work
        )
    }

    private func begin(of identifier: String) -> Timestamp? {
        scheduler.pending.first { $0.identifier == identifier }?.earliestBeginDate
            .map { Timestamp(milliseconds: Int64($0.timeIntervalSince1970 * 1000)) }
    }

    /// Waits until the task was completed.
    private func completion(of task: BGTask?) async throws -> [Bool] {
        let task = try XCTUnwrap(task)
        let patience = Patience("the task is completed")
        while task.completed.isEmpty { try await patience.yield() }
        return task.completed
    }

    func testRegistersOnceAndSchedulesBothKinds() async {
        let delivery = delivery()
        let first = delivery.register(in: .shared)
        XCTAssertEqual(first, ["refresh": .registered, "processing": .registered])
        let second = delivery.register(in: .shared)
        XCTAssertEqual(second, ["refresh": .alreadyRegistered, "processing": .alreadyRegistered])
        let outcomes = await delivery.schedule()
        XCTAssertEqual(outcomes, ["refresh": .submitted, "processing": .submitted])
        XCTAssertEqual(begin(of: "refresh"), now + .minutes(15))
        XCTAssertEqual(begin(of: "processing"), now + .hours(1))
        let processing = scheduler.pending.compactMap { $0 as? BGProcessingTaskRequest }.first
        XCTAssertEqual(processing?.requiresNetworkConnectivity, true)
        XCTAssertEqual(processing?.requiresExternalPower, false)
    }

    func testASecondDeliveryOfTheSameIdentifierIsNoCrash() {
        let registered = RegisteredTasks()
        _ = delivery(registered: registered).register(in: .shared)
        let again = delivery(registered: registered).register(in: .shared)
        XCTAssertEqual(Set(again.values), [.alreadyRegistered])
    }

    func testAMissingEntryInInfoPlistIsNoCrash() async {
        BGTaskScheduler.shared.reset(permitted: [])
        let unlisted = delivery(info: BackgroundInfo(identifiers: [], modes: ["fetch", "processing"]))
        XCTAssertEqual(Set(unlisted.register(in: .shared).values), [.missingIdentifier])
        let withoutModes = delivery(info: BackgroundInfo(identifiers: info.identifiers, modes: []))
        XCTAssertEqual(Set(withoutModes.register(in: .shared).values), [.missingBackgroundMode])
        let refused = delivery()
        XCTAssertEqual(Set(refused.register(in: .shared).values), [.refused])
        for delivery in [unlisted, withoutModes, refused] {
            let outcomes = await delivery.schedule()
            XCTAssertEqual(Set(outcomes.values), [.notRegistered])
        }
    }

    func testALateRegistrationIsNoCrash() {
        scheduler.finishLaunching()
        StandInApplication.setState(.active)
        XCTAssertEqual(Set(delivery().register(in: .shared).values), [.tooLate])
    }

    func testARefusedRequestIsAnAnswer() async {
        let delivery = delivery()
        delivery.register(in: .shared)
        scheduler.isAvailable = false
        var outcomes = await delivery.schedule()
        XCTAssertEqual(Set(outcomes.values), [.unavailable])
        scheduler.isAvailable = true
        scheduler.fill((0..<10).map { BGProcessingTaskRequest(identifier: "other-\($0)") })
        outcomes = await delivery.schedule()
        XCTAssertEqual(outcomes, ["refresh": .submitted, "processing": .tooManyPending])
    }

    func testALaunchWorksWithinItsBudgetAndAsksForTheNext() async throws {
        let deadline = Box<Timestamp?>(nil)
        let delivery = delivery { [now] in
            deadline.value = $0
            XCTAssertFalse(Thread.isMainThread)
            return BackgroundResult(isSuccess: true, nextAttempt: now + .hours(3))
        }
        delivery.register(in: .shared)
        await delivery.schedule()
        let completed = try await completion(of: scheduler.launch("refresh"))
        XCTAssertEqual(completed, [true])
        XCTAssertEqual(deadline.value, now + .seconds(20))
        XCTAssertEqual(begin(of: "refresh"), now + .hours(3))
    }

    func testTheNextLaunchIsAskedForBeforeTheWorkEnds() async throws {
        let (release, gate) = AsyncStream<Void>.makeStream()
        let delivery = delivery { _ in
            for await _ in release { break }
            return BackgroundResult(isSuccess: false)
        }
        delivery.register(in: .shared)
        await delivery.schedule()
        let task = scheduler.launch("processing")
        XCTAssertEqual(begin(of: "processing"), now + .hours(1))
        gate.yield()
        let completed = try await completion(of: task)
        XCTAssertEqual(completed, [false])
    }

    func testExpiryInTheMiddleCancelsTheWorkAndThenTells() async throws {
        let delivery = delivery(grace: .hours(1)) { _ in
            try? await Task.sleep(nanoseconds: 600_000_000_000)  // or until it is called off
            return BackgroundResult(isSuccess: true)
        }
        delivery.register(in: .shared)
        await delivery.schedule()
        let task = scheduler.launch("refresh")
        task?.expire()
        let completed = try await completion(of: task)
        XCTAssertEqual(completed, [false])
    }

    func testWorkThatDoesNotEndIsGivenUpAndItsLateEndIsSilent() async throws {
        let (release, gate) = AsyncStream<Void>.makeStream()
        let hasEnded = expectation(description: "the work has ended")
        let delivery = delivery { _ in
            // Deaf to cancellation.
            await Task.detached { for await _ in release { break } }.value
            hasEnded.fulfill()
            return BackgroundResult(isSuccess: true)
        }
        delivery.register(in: .shared)
        await delivery.schedule()
        let task = scheduler.launch("refresh")
        task?.expire()
        let completed = try await completion(of: task)
        XCTAssertEqual(completed, [false])
        gate.yield()
        await fulfillment(of: [hasEnded], timeout: 120)
        for _ in 0..<100 { await Task.yield() }
        XCTAssertEqual(task?.completed, [false], "the system is told once")
    }
}

/// Takes and forgets.
struct NoDiagnostics: DiagnosticSink {
    func record(_ event: DiagnosticEvent) {}
}

/// A value that a closure leaves behind for the test.
/// `@unchecked`: it is read and written under the lock.
final class Box<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var held: Value
    init(_ value: Value) { held = value }
    var value: Value {
        get { lock.withLock { held } }
        set { lock.withLock { held = newValue } }
    }
}
#endif
