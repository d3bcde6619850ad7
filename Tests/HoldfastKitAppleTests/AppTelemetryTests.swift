import AppleDevice
@_spi(StandIn) import BackgroundTasks
import CollectorClient
import Foundation
import HoldfastDomain
import HoldfastInMemory
@_spi(StandIn) import Network
import Patience
@_spi(StandIn) import Security
@_spi(StandIn) import UIKit
import XCTest

@testable import HoldfastKit

/// An app's telemetry, from launch to launch, over the ports that a device gets.
@MainActor
final class AppTelemetryTests: XCTestCase {
    private var phone = Phone()

    override func setUp() async throws { phone = Phone() }

    override func tearDown() async throws { await phone.putAway() }

    func testEventsFromBeforeTheStartArriveInOrderWithTheirOwnTime() async throws {
        let collector = try Collector()
        let app = phone.app(sendingTo: collector)
        for index in 0..<5 { app.log("early", ["n": .integer(Int64(index))]) }
        let logged = Date()
        for _ in 0..<2000 { await Task.yield() }
        phone.launch(app)
        app.log("late", ["n": 5])
        let events = try await collector.events(6)
        XCTAssertEqual(events.map(\.number), [0, 1, 2, 3, 4, 5])
        for event in events.prefix(5) { XCTAssertLessThanOrEqual(event.time, logged) }
    }

    func testABackgroundLaunchBeforeTheFirstUnlockLosesNothing() async throws {
        let collector = try Collector()
        var app = phone.app(sendingTo: collector)
        phone.launch(app)
        app.log("before the restart", ["n": 0])
        try await app.opened()?.persist()
        await phone.kill(&app)
        phone.lockState = .beforeFirstUnlock
        let items = Keychain.current.items

        app = phone.app(sendingTo: collector, whileLocked: .cannotOpen)
        phone.launch(app, inBackground: true)
        app.log("locked", ["n": 1])
        let opened = await app.opened()
        XCTAssertNil(opened)
        XCTAssertEqual(Keychain.current.items, items, "nothing is re-keyed")
        StandInApplication.enterForeground()
        StandInApplication.unlock()
        let events = try await collector.events(2)
        XCTAssertEqual(Set(events.map(\.number)), [0, 1])
    }

    func testAKeychainThatIsLockedForAWhileHoldsTheEventsAndKeepsTheKey() async throws {
        let collector = try Collector()
        var app = phone.app(sendingTo: collector)
        phone.launch(app)
        app.log("sealed", ["n": 0])
        try await app.opened()?.persist()
        await phone.kill(&app)
        let items = Keychain.current.items
        phone.lockState = .beforeFirstUnlock

        app = phone.app(sendingTo: collector)  // the file can be read, the keychain cannot
        phone.launch(app)
        app.log("unsealed", ["n": 1])
        let patience = Patience("telemetry says why nothing is sent")
        while await app.opened()?.status().why == nil { try await patience.yield() }
        XCTAssertEqual(Keychain.current.items, items, "nothing is re-keyed")
        StandInApplication.unlock()
        let events = try await collector.events(2)
        XCTAssertEqual(Set(events.map(\.number)), [0, 1])
        XCTAssertEqual(Keychain.current.items, items)
    }

    func testDataThatCannotBeWrittenWhileLockedLosesNothing() async throws {
        let collector = try Collector()
        let app = phone.app(sendingTo: collector, isProtected: true)
        phone.launch(app)
        app.log("unlocked", ["n": 0])
        _ = try await collector.events(1)
        let items = Keychain.current.items
        phone.lockState = .locked
        for index in 1...3 { app.log("locked", ["n": .integer(Int64(index))]) }
        do {
            try await app.opened()?.persist()
            XCTFail("not durable")
        } catch {
            let cause = TelemetryError.Cause.store(QueueStoreError(.inputOutput, platformCode: 10))
            XCTAssertEqual(error as? TelemetryError, TelemetryError(.notStored, cause: cause))
        }
        let status = await app.opened()?.status()
        XCTAssertEqual(status?.buffered, 3)
        XCTAssertEqual(status?.why, .storeUnavailable)
        StandInApplication.unlock()
        try await app.opened()?.persist()
        let events = try await collector.events(4)
        XCTAssertEqual(events.map(\.number), [0, 1, 2, 3])
        XCTAssertEqual(Keychain.current.items, items, "nothing is re-keyed")
    }

    func testAFileThatOpensButCannotBeReadAtFirstIsOpenedAgain() async throws {
        let collector = try Collector()
        let app = phone.app(sendingTo: collector, isProtected: true)
        phone.lockState = .locked
        phone.launch(app, inBackground: true)
        app.log("locked", ["n": 0])
        let opened = await app.opened()
        XCTAssertNil(opened)
        StandInApplication.enterForeground()
        StandInApplication.unlock()
        let events = try await collector.events(1)
        XCTAssertEqual(events.map(\.number), [0])
    }

    func testABackgroundTaskDeliversLetsGoAndAsksForTheNext() async throws {
        let collector = try Collector()
        var app = phone.app(sendingTo: collector)
        StandInNetwork.current.send(NWPath(.unsatisfied))
        phone.launch(app)
        app.log("offline", ["n": 0])
        try await app.opened()?.persist()
        StandInApplication.enterBackground()
        try await phone.untilLetGo()
        await phone.kill(&app)
        StandInNetwork.current.send(NWPath(.satisfied))

        app = phone.app(sendingTo: collector)
        phone.launch(app, inBackground: true)
        _ = await app.opened()
        let task = try XCTUnwrap(BGTaskScheduler.shared.launch(phone.identifier))
        let completed = try await phone.completion(of: task)
        XCTAssertEqual(completed, [true])
        let events = try await collector.events(1)
        XCTAssertEqual(events.map(\.number), [0])
        XCTAssertEqual(BGTaskScheduler.shared.pending.map(\.identifier), [phone.identifier])
        try await phone.untilLetGo()
    }

    func testABackgroundTaskBeforeTheFirstUnlockFailsAndAsksForTheNext() async throws {
        let collector = try Collector()
        var app = phone.app(sendingTo: collector)
        StandInNetwork.current.send(NWPath(.unsatisfied))
        phone.launch(app)
        app.log("before the restart", ["n": 0])
        StandInApplication.enterBackground()
        try await phone.untilLetGo()
        await phone.kill(&app)
        let items = Keychain.current.items
        StandInNetwork.current.send(NWPath(.satisfied))
        phone.lockState = .beforeFirstUnlock

        app = phone.app(sendingTo: collector, whileLocked: .cannotOpen)
        phone.launch(app, inBackground: true)
        var task = try XCTUnwrap(BGTaskScheduler.shared.launch(phone.identifier))
        var completed = try await phone.completion(of: task)
        XCTAssertEqual(completed, [false])
        XCTAssertEqual(Keychain.current.items, items, "nothing is re-keyed")
        phone.lockState = .unlocked
        task = try XCTUnwrap(BGTaskScheduler.shared.launch(phone.identifier))
        completed = try await phone.completion(of: task)
        XCTAssertEqual(completed, [true])
        let events = try await collector.events(1)
        XCTAssertEqual(events.map(\.number), [0])
    }

    func testExpiryInTheMiddleOfABatchLosesNothing() async throws {
        let collector = try Collector(script: #"[{"hang":60}]"#)
        var app = phone.app(sendingTo: collector)
        StandInNetwork.current.send(NWPath(.unsatisfied))
        phone.launch(app)
        for index in 0..<10 { app.log("offline", ["n": .integer(Int64(index))]) }
        try await app.opened()?.persist()
        StandInApplication.enterBackground()
        try await phone.untilLetGo()
        await phone.kill(&app)
        StandInNetwork.current.send(NWPath(.satisfied))

        app = phone.app(sendingTo: collector)
        phone.launch(app, inBackground: true)
        let task = try XCTUnwrap(BGTaskScheduler.shared.launch(phone.identifier))
        try await collector.isAsked()
        task.expire()
        let completed = try await phone.completion(of: task)
        XCTAssertEqual(completed, [false])
        StandInApplication.enterForeground()
        let events = try await collector.events(10)
        XCTAssertEqual(events.map(\.number), Array(0..<10))
    }

    func testLeavingDeliversAndLetsGoOfTheFile() async throws {
        let collector = try Collector()
        let app = phone.app(sendingTo: collector)
        phone.launch(app)
        _ = await app.opened()
        app.log("last", ["n": 0])
        StandInApplication.enterBackground()
        try await phone.untilLetGo()
        let events = try await collector.events(1)
        XCTAssertEqual(events.map(\.number), [0])
        try await phone.untilItsTimeIsGivenBack()
        StandInApplication.enterForeground()
        app.log("back", ["n": 1])
        _ = try await collector.events(2)
    }

    /// As when the system wakes an app for a place or a message, and ends it later.
    func testWhatIsLoggedInTheBackgroundIsStoredThere() async throws {
        let collector = try Collector()
        var app = phone.app(sendingTo: collector)
        StandInNetwork.current.send(NWPath(.unsatisfied))
        phone.launch(app)
        _ = await app.opened()
        StandInApplication.enterBackground()
        try await phone.untilLetGo()
        for index in 0..<3 { app.log("background", ["n": .integer(Int64(index))]) }
        try await phone.untilLetGo()  // stored, and let go of again
        try await phone.untilItsTimeIsGivenBack()
        await phone.kill(&app)

        app = phone.app(sendingTo: collector)
        StandInNetwork.current.send(NWPath(.satisfied))
        phone.launch(app)
        let events = try await collector.events(3)
        XCTAssertEqual(events.map(\.number), [0, 1, 2])
    }

    func testStartingTwiceAndWithoutInfoPlistIsNoCrash() async throws {
        let collector = try Collector()
        let app = phone.app(sendingTo: collector)
        XCTAssertEqual(app.start(in: .shared), [phone.identifier: .registered])
        XCTAssertEqual(app.start(in: .shared), [phone.identifier: .alreadyRegistered])
        let bare = phone.app(sendingTo: collector, info: BackgroundInfo(identifiers: [], modes: []))
        XCTAssertEqual(bare.start(in: .shared), [phone.identifier: .alreadyRegistered])
    }

    func testWhatFindsNoRoomBeforeTelemetryIsOpenIsCounted() async throws {
        let collector = try Collector()
        let diagnostics = CollectingDiagnostics()
        let app = phone.app(sendingTo: collector, diagnostics: diagnostics)
        for _ in 0..<AppTelemetry.earlyCapacity + 7 { app.log("early") }
        struct Unencodable: Encodable { let number = Double.nan }
        app.log("early", encoding: Unencodable())
        phone.launch(app)
        _ = await app.opened()
        let dropped = diagnostics.events.filter { $0.code == .entriesDropped }.map(\.count)
        XCTAssertEqual(dropped, [8])
    }
}
