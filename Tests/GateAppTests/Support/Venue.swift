@_spi(StandIn) import AVFoundation
import AppleDevice
import Foundation
import HoldfastApple
import HoldfastDomain
import HoldfastInMemory
import HoldfastKit
import HoldfastOpenSSL
@_spi(StandIn) import Security

@testable import GateApp

/// An event, its issuer, and the device at its gate. Time stands still between the frames of the camera.
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

    /// Holds a code in front of the camera for so many frames, at 30 frames a second, and waits for its decision.
    func show(_ text: String, to desk: GateDesk, frames: Int = 15) async throws -> Decision {
        let before = desk.decision
        for _ in 0..<frames {
            StandInCamera.current.show(text)
            clock.advance(by: .milliseconds(33))
            await Task.yield()
        }
        // Repeats have the first decision's id.
        while desk.decision == nil || desk.decision?.scanID == before?.scanID { await Task.yield() }
        guard let decision = desk.decision else { throw CocoaError(.featureUnsupported) }
        return decision
    }
}
