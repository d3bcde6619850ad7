import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Many callers, broken stores, and attempts that are called off.
final class CourierConcurrencyTests: XCTestCase {
    private let rig = JournalRig()

    private func gated(_ gateway: Gateway, then verdict: DeliveryVerdict? = nil) -> ScriptedDelivery {
        ScriptedDelivery(afterwards: { batch in
            await gateway.pass()
            return verdict.map { DeliveryResult($0) } ?? .delivered(batch)
        })
    }

    /// S40
    func testTenFlushesAtOnceSendEachEntryOnceWithOneRequestInFlight() async throws {
        let ids = try await rig.append(count: 100)
        let gateway = Gateway()
        let delivery = gated(gateway)
        let courier = rig.courier(delivery)
        try await withThrowingTaskGroup(of: CourierStep.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    _ = await courier.drain(ignoringBackOff: true)
                    return await courier.step()  // flushing again from the completion
                }
            }
            await gateway.arrival()
            await gateway.open()
            for try await end in group { XCTAssertEqual(end, .idle) }
        }
        XCTAssertEqual(delivery.batches.flatMap { $0 }, ids)
        XCTAssertEqual(delivery.mostInFlight, 1)
    }

    /// S55
    func testWhileAServerDoesNotAnswerNothingElseIsSent() async throws {
        try await rig.append(count: 10)
        let gateway = Gateway()
        let delivery = gated(gateway, then: .backOff(serverWait: nil))
        let courier = rig.courier(delivery, CourierPolicy(maxCount: 1))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { _ = await courier.step(ignoringBackOff: true) } }
            await gateway.arrival()
            XCTAssertEqual(delivery.batches.count, 1)
            await gateway.open()
        }
        XCTAssertEqual(delivery.mostInFlight, 1)
    }

    func testTwoCouriersOnOneJournalNeverSendTheSameBatchAtOnce() async throws {
        let ids = try await rig.append(count: 20)
        let gateway = Gateway()
        let one = gated(gateway)
        let two = ScriptedDelivery()
        let first = rig.courier(one, CourierPolicy(maxCount: 5))
        let second = rig.courier(two, CourierPolicy(maxCount: 5))
        async let pending = first.step()
        await gateway.arrival()
        let meanwhile = await second.step()
        XCTAssertEqual(meanwhile, .waiting(for: .seconds(30), .leasedElsewhere))
        await gateway.open()
        _ = await pending
        _ = await second.drain()
        XCTAssertEqual(one.batches.flatMap { $0 } + two.batches.flatMap { $0 }, ids)
    }

    /// A process that was stopped for longer than its lease does not know what another was told meanwhile.
    func testAWaitThatAnotherWasOrderedOutlivesAnAttemptThatEndsLate() async throws {
        try await rig.append(count: 5)
        let gateway = Gateway()
        let stopped = rig.courier(gated(gateway))
        async let late = stopped.step()
        await gateway.arrival()
        rig.clock.advance(by: .minutes(6))
        let told = await rig.courier(ScriptedDelivery(.backOff(serverWait: .hours(1)))).step()
        XCTAssertEqual(told, .waiting(for: .hours(1), .serverWait))
        await gateway.open()
        let end = await late
        XCTAssertEqual(end, .delivered(DeliveryReport(delivered: 5)))
        try await rig.append(count: 1)
        let next = await stopped.step(ignoringBackOff: true)
        XCTAssertEqual(next, .waiting(for: .hours(1), .serverWait))
    }

    /// A step that found nothing before an entry was recorded is no answer to a flush that was asked for after it.
    func testAFlushFindsWhatWasRecordedBeforeItEvenWhileAnEarlierStepEnds() async throws {
        let gateway = Gateway()
        let delivery = ScriptedDelivery()
        let courier = Courier(
            stream: rig.stream,
            store: SlowStore(base: rig.store, gateway: gateway),
            sealer: rig.sealer(),
            delivery: delivery,
            clock: rig.clock,
            random: rig.random,
            diagnostics: rig.diagnostics
        )
        async let early = courier.step()
        await gateway.arrival()
        let ids = try await rig.append(count: 1)
        async let flush = courier.drain(ignoringBackOff: true)
        for _ in 0..<100 { await Task.yield() }
        await gateway.open()
        let (first, flushed) = await (early, flush)
        XCTAssertEqual(first, .idle)
        XCTAssertEqual(flushed.report.delivered, 1)
        XCTAssertEqual(delivery.batches, [ids])
    }

    func testCancellingCallsTheAttemptOffAndKeepsTheEntries() async throws {
        let ids = try await rig.append(count: 1)
        let gateway = Gateway()
        let delivery = ScriptedDelivery([
            { batch in
                await gateway.pass()
                return Task.isCancelled ? DeliveryResult(.interrupted) : .delivered(batch)
            }
        ])
        let courier = rig.courier(delivery)
        let caller = Task { await courier.step() }
        await gateway.arrival()
        caller.cancel()
        await gateway.open()
        let step = await caller.value
        XCTAssertEqual(step, .held(.interrupted))
        let next = await courier.step()
        XCTAssertEqual(next, .delivered(DeliveryReport(delivered: 1)))
        XCTAssertEqual(delivery.batches, [ids, ids])
    }

    func testACallerThatIsCancelledAlreadySendsNothing() async throws {
        try await rig.append(count: 1)
        let delivery = ScriptedDelivery()
        let courier = rig.courier(delivery)
        let caller = Task { () -> CourierStep in
            while !Task.isCancelled { await Task.yield() }
            return await courier.step()
        }
        caller.cancel()
        let step = await caller.value
        XCTAssertEqual(step, .held(.interrupted))
        XCTAssertTrue(delivery.batches.isEmpty)
    }

    /// S42
    func testADeathBeforeTheAnswerLosesNothing() async throws {
        let ids = try await rig.append(count: 3)
        let gateway = Gateway()
        let dying = gated(gateway)
        let lost = rig.courier(dying)
        async let never = lost.step()
        await gateway.arrival()
        // The process is gone; a new one finds the journal as it is, and the lease ends by itself.
        rig.clock.advance(by: .minutes(5))
        let delivery = ScriptedDelivery()
        _ = await rig.courier(delivery).drain()
        XCTAssertEqual(delivery.batches, [ids])
        await gateway.open()
        _ = await never
    }

    func testAStoreThatCannotBeReadHoldsAndThenGoesOn() async throws {
        try await rig.append(count: 1)
        let courier = rig.courier(ScriptedDelivery())
        await rig.store.fail(with: QueueStoreError(.busy, platformCode: 5))
        let step = await courier.step()
        XCTAssertEqual(step, .held(.storeUnavailable))
        XCTAssertEqual(rig.diagnostics.events.last, DiagnosticEvent(.storeFailed, platformCode: 5))
        await rig.store.fail(with: nil)
        let next = await courier.step()
        XCTAssertEqual(next, .delivered(DeliveryReport(delivered: 1)))
    }

    /// An acknowledgement that could not be stored is stored later, not asked for again.
    func testAFullDiskAfterTheAnswerDoesNotSendTheBatchAgain() async throws {
        let ids = try await rig.append(count: 2)
        let store = rig.store
        let delivery = ScriptedDelivery([
            { batch in
                await store.fail(with: QueueStoreError(.full))
                return .delivered(batch)
            }
        ])
        let courier = rig.courier(delivery)
        for _ in 0..<3 {
            let step = await courier.step()
            XCTAssertEqual(step, .held(.storeUnavailable))
        }
        await rig.store.fail(with: nil)
        let more = try await rig.append(count: 1)
        _ = await courier.drain()
        XCTAssertEqual(delivery.batches, [ids, more])
    }
}

/// A store that has counted, but keeps its answer back until the gateway opens.
private struct SlowStore: JournalWrapper {
    let base: any Journal
    let gateway: Gateway

    func statistics(_ stream: StreamName) async throws -> StreamStatistics {
        let statistics = try await base.statistics(stream)
        await gateway.pass()
        return statistics
    }
}
