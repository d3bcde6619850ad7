#if canImport(AppleDevice)
import AppleDevice
@_spi(StandIn) import AppleFoundation
import Foundation
import HoldfastDomain
import Patience
import XCTest

@testable import HoldfastApple

private let batch = TransportRequest(url: "https://example.org/v1", body: Array("batch".utf8))

final class BackgroundUploadTransportTests: XCTestCase {
    private let daemon = TransferDaemon.current
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("uploads-\(UUID().uuidString)")

    override func setUp() { TransferDaemon.current.reset() }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    private func transport() throws -> BackgroundUploadTransport {
        try BackgroundUploadTransport(identifier: "uploads", folder: folder)
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

    /// Waits until so many uploads are on their way.
    private func transfers(_ count: Int) async throws -> [Transfer] {
        let patience = Patience("\(count) uploads are on their way")
        while daemon.running.count < count { try await patience.yield() }
        return daemon.running
    }

    /// Waits until so many wait for an upload to end.
    private func waiting(_ count: Int, at transport: BackgroundUploadTransport) async throws {
        let patience = Patience("\(count) wait for an upload")
        while transport.uploads.waiting < count { try await patience.yield() }
    }

    func testUploadsFromAFileThatGoesWithTheUpload() async throws {
        let transport = try transport()
        async let answer = transport.send(batch)
        let transfer = try await transfers(1)[0]
        XCTAssertEqual(try Data(contentsOf: transfer.file), Data(batch.body))
        XCTAssertEqual(transfer.request.httpMethod, "POST")
        daemon.answer(transfer, status: 207, body: Data([1, 2]))
        let response = try await answer
        XCTAssertEqual(response, TransportResponse(status: 207, body: [1, 2]))
        XCTAssertEqual(try files(), [])
    }

    func testTheSameRequestJoinsTheUploadThatIsOnItsWay() async throws {
        let transport = try transport()
        async let first = transport.send(batch)
        let transfer = try await transfers(1)[0]
        var again = batch
        again.headers = [HeaderField("Authorization", "Bearer another")]
        async let second = transport.send(again)
        try await waiting(2, at: transport)
        XCTAssertEqual(daemon.running.count, 1)
        daemon.answer(transfer, status: 200)
        let statuses = try await [first.status, second.status]
        XCTAssertEqual(statuses, [200, 200])
    }

    func testAKilledAppFindsWhatEndedMeanwhile() async throws {
        var transport: BackgroundUploadTransport? = try transport()
        let waiting = Task { [transport] in try await transport?.send(batch) }
        let transfer = try await transfers(1)[0]
        daemon.killApp()
        daemon.answer(transfer, status: 200, body: Data([9]))
        waiting.cancel()
        _ = try? await waiting.value
        transport = nil

        let relaunched = try self.transport()
        let eventsAreIn = expectation(description: "the system is told that its events are handled")
        let answer = Box<TransportResponse?>(nil)
        await relaunched.handleEvents {
            answer.value = try? await relaunched.send(batch)
        } completionHandler: {
            XCTAssertTrue(Thread.isMainThread)
            eventsAreIn.fulfill()
        }
        await fulfillment(of: [eventsAreIn], timeout: 120)
        XCTAssertEqual(answer.value, TransportResponse(status: 200, body: [9]))
        XCTAssertEqual(daemon.running.count, 0, "nothing goes out a second time")
        XCTAssertEqual(try files(), [])
    }

    func testAKilledAppJoinsWhatIsStillOnItsWay() async throws {
        let first = Task { [transport = try transport()] in try await transport.send(batch) }
        let transfer = try await transfers(1)[0]
        daemon.killApp()
        first.cancel()
        _ = try? await first.value

        let relaunched = try transport()
        async let answer = relaunched.send(batch)
        try await waiting(1, at: relaunched)
        XCTAssertEqual(daemon.running.count, 1)
        XCTAssertEqual(try files().count, 1, "the file of a running upload stays")
        daemon.answer(transfer, status: 200)
        let status = try await answer.status
        XCTAssertEqual(status, 200)
    }

    func testWhatAPersonKilledIsSentAgainAndItsFileIsGone() async throws {
        let first = Task { [transport = try transport()] in try await transport.send(batch) }
        _ = try await transfers(1)
        daemon.killApp(byPerson: true)
        first.cancel()
        _ = try? await first.value

        let relaunched = try transport()
        async let answer = relaunched.send(batch)
        let transfer = try await transfers(1)[0]
        daemon.answer(transfer, status: 200)
        let status = try await answer.status
        XCTAssertEqual(status, 200)
    }

    func testFilesThatNobodyUploadsAreRemovedAtTheStart() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data([1]).write(to: folder.appendingPathComponent("left over"))
        let transport = try transport()
        async let answer = transport.send(batch)
        daemon.answer(try await transfers(1)[0], status: 200)
        _ = try await answer
        XCTAssertEqual(try files(), [])
    }

    func testWhoStopsWaitingDoesNotStopTheUpload() async throws {
        let transport = try transport()
        var hasty = batch
        hasty.timeout = .milliseconds(1)
        do {
            _ = try await transport.send(hasty)
            XCTFail("nothing was answered")
        } catch { XCTAssertEqual((error as? TransportError)?.code, .timedOut) }
        let cancelled = Task { try await transport.send(batch) }
        cancelled.cancel()
        do {
            _ = try await cancelled.value
            XCTFail("nothing was answered")
        } catch { XCTAssertEqual((error as? TransportError)?.code, .cancelled) }
        XCTAssertEqual(daemon.running.count, 1)
    }

    func testAnAnswerFromAnotherAddressIsNone() async throws {
        let transport = try transport()
        async let answer = transport.send(batch)
        daemon.answer(try await transfers(1)[0], status: 200, from: URL(string: "https://elsewhere.example"))
        do {
            _ = try await answer
            XCTFail("a redirect was followed")
        } catch { XCTAssertEqual((error as? TransportError)?.code, .invalidResponse) }
    }

    func testAFailureIsToldWithItsNumber() async throws {
        let transport = try transport()
        async let answer = transport.send(batch)
        daemon.finish(try await transfers(1)[0], error: URLError(.notConnectedToInternet))
        do {
            _ = try await answer
            XCTFail("there was no answer")
        } catch { XCTAssertEqual(error as? TransportError, TransportError(.offline, platformCode: -1009)) }
    }

    func testABodyThatCannotBeWrittenIsAnError() async throws {
        let transport = try transport()
        _ = try? await transport.send(TransportRequest(url: "https://example.org", timeout: .zero))
        daemon.reset()
        try FileManager.default.removeItem(at: folder)
        do {
            _ = try await transport.send(batch)
            XCTFail("there is no folder")
        } catch { XCTAssertEqual((error as? TransportError)?.code, .invalidRequest) }
        XCTAssertEqual(daemon.running.count, 0)
    }
}
#endif
