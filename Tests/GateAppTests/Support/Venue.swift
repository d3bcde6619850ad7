@_spi(StandIn) import AVFoundation
import AppleDevice
import Foundation
import HoldfastApple
import HoldfastDomain
import HoldfastInMemory
import HoldfastKit
import HoldfastOpenSSL
import Patience
@_spi(StandIn) import Security
import XCTest

@testable import GateApp

/// An event, its issuer, and the device at its gate. Time stands still but for the frames of the camera.
@MainActor
final class Venue {
    static let doors = Timestamp(rfc3339: "2026-06-01T18:00:00Z") ?? .distantPast

    let clock = ManualClock(wall: doors)
    let backEnd = ScriptedBatchSender()
    let issuer: OpenSSLSigner
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("venue-\(UUID().uuidString)")

    init() throws {
        issuer = try OpenSSLSigner()
        StandInCamera.current.reset()
        Keychain.current.reset()
        AppleDevice.current.lockState = .unlocked
    }

    func close() { try? FileManager.default.removeItem(at: root) }

    /// The gate's desk, on the device's own ports but for the clock.
    func desk(zone: String = "GA", in folder: String = "device") -> GateDesk {
        let key = Base64URL.encode(issuer.publicKey.bytes)
        let keys = Data(
            #"{"version":1,"events":[{"eventId":"EV1","keys":[{"keyId":"k1","publicKey":"\#(key)"}]}]}"#.utf8
        )
        let directory = root.appendingPathComponent(folder).appendingPathComponent("Holdfast").path
        return GateDesk(
            place: GatePlace(event: "EV1", zone: zone, gate: "north"),
            keys: { keys },
            backEnd: backEnd,
            scanner: CameraScanner(hasUsageDescription: true, center: .default)
        ) { [clock] hook in
            var ports = try await GatePorts.platform(directory: directory, suspension: hook)
            ports.clock = clock
            return ports
        }
    }

    /// A ticket for tonight, with some claims set otherwise.
    func ticket(_ id: String, _ changes: [String: JSONValue] = [:], by signer: OpenSSLSigner? = nil) throws -> String {
        var claims: JSONObject = [
            "ticketId": .string(id), "eventId": "EV1", "zoneId": "GA", "issuedAt": "2026-05-01T00:00:00Z",
            "validFrom": "2026-06-01T17:00:00Z", "validTo": "2026-06-01T23:00:00Z", "keyId": "k1",
        ]
        for (name, value) in changes { claims[name] = value }
        return try TicketIssuer.text(claims: try JSONValue.object(claims).encoded(), as: .holdfast) {
            try (signer ?? issuer).sign($0)
        }
    }

    /// Shows a code for half a second, and returns what was decided at its first sight.
    func scan(_ text: String, at desk: GateDesk, frames: Int = 15) async throws -> Decision {
        let decisions = try await show(text, to: desk, frames: frames)
        return try XCTUnwrap(decisions.first)
    }

    /// Holds a code in front of the camera for so many frames, 30 a second by the gate's clock.
    ///
    /// The next frame comes when the desk has shown its answer to the last: nothing races, and none is dropped.
    ///
    /// - Returns: The answer to each frame.
    func show(_ text: String, to desk: GateDesk, frames: Int) async throws -> [Decision] {
        let told = desk.onDecision
        let (answers, teller) = AsyncStream<Decision>.makeStream()
        desk.onDecision = {
            told($0)
            teller.yield($0)
        }
        let watchdog = Task {
            try await Task.sleep(nanoseconds: 120_000_000_000)
            teller.finish()  // what is never answered fails
        }
        defer {
            desk.onDecision = told
            watchdog.cancel()
        }
        var iterator = answers.makeAsyncIterator()
        var decisions: [Decision] = []
        for _ in 0..<frames {
            guard StandInCamera.current.show(text) == 1, let decision = await iterator.next() else { throw Blind() }
            decisions.append(decision)
            clock.advance(by: .milliseconds(33))
        }
        return decisions
    }

    /// The camera, or the desk, does not see what it is shown.
    struct Blind: Error {}
}

extension GateDesk {
    /// Waits until the scanner is in this state.
    func scanner(is wanted: ScannerState) async throws {
        let patience = Patience("the scanner is \(wanted)")
        while scanner.state != wanted { try await patience.yield() }
    }

    /// Waits until this is what the person at the gate sees.
    func light(is wanted: Light) async throws {
        let patience = Patience("the light is \(wanted)")
        while light != wanted { try await patience.yield() }
    }
}
