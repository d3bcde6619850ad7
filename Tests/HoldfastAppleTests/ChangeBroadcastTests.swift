import HoldfastDomain
import XCTest

@testable import HoldfastApple

final class ChangeBroadcastTests: XCTestCase {
    func testEachListenerHearsEachChangeFromThenOn() async {
        let broadcast = ChangeBroadcast(0)
        var early = broadcast.changes().makeAsyncIterator()
        broadcast.send(1)
        var late = broadcast.changes().makeAsyncIterator()
        let first = await early.next()
        broadcast.send(2)
        let (second, other) = (await early.next(), await late.next())
        XCTAssertEqual([first, second, other], [1, 2, 2])
        XCTAssertEqual(broadcast.current, 2)
    }

    func testWhatIsTheSameIsNoChange() async {
        let broadcast = ChangeBroadcast(0)
        var changes = broadcast.changes().makeAsyncIterator()
        for value in [0, 0, 1, 1] { broadcast.send(value) }
        let first = await changes.next()
        broadcast.send(1)
        broadcast.send(2)
        let second = await changes.next()
        XCTAssertEqual([first, second], [1, 2])
    }

    func testAListenerThatLagsHearsTheNewestAndNoUndoneChange() async {
        let broadcast = ChangeBroadcast(0)
        var changes = broadcast.changes().makeAsyncIterator()
        for value in [1, 2, 3, 0] { broadcast.send(value) }  // back to what the listener knows
        broadcast.send(5)
        let first = await changes.next()
        for value in [6, 5] { broadcast.send(value) }
        let ended = Task { [changes] in
            var rest = changes
            return await rest.next()
        }
        broadcast.send(7)
        let second = await ended.value
        XCTAssertEqual([first, second], [5, 7])
    }

    func testTheStreamsEndWithTheBroadcast() async {
        var broadcast: ChangeBroadcast? = ChangeBroadcast(0)
        let changes = broadcast?.changes()
        broadcast?.send(1)
        broadcast = nil
        var heard: [Int] = []
        if let changes { for await value in changes { heard.append(value) } }
        XCTAssertEqual(heard, [1])
    }

    func testMeaningOfPathsAndPower() {
        XCTAssertTrue(ConnectivityStatus(path: PathFacts(status: .satisfied)).isReachable)
        XCTAssertTrue(ConnectivityStatus(path: PathFacts(status: .requiresConnection)).isReachable)
        XCTAssertFalse(ConnectivityStatus(path: PathFacts(status: .unsatisfied)).isReachable)
        XCTAssertTrue(ConnectivityStatus(path: PathFacts(status: .satisfied, isExpensive: true)).isExpensive)
        XCTAssertTrue(ConnectivityStatus(path: PathFacts(status: .satisfied, isConstrained: true)).isConstrained)
        let pressures = [-1, 0, 1, 2, 3, 4].map {
            PowerStatus(isLowPowerModeEnabled: false, thermalState: $0).isUnderThermalPressure
        }
        XCTAssertEqual(pressures, [false, false, false, true, true, true])
        XCTAssertTrue(PowerStatus(isLowPowerModeEnabled: true, thermalState: 0).isLowPower)
    }
}
