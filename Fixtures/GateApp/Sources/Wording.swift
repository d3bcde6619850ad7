import Foundation
import HoldfastKit

/// What the person at the gate reads.
enum Wording {
    static func welcome(_ ticket: TicketClaims) -> String { "Welcome – \(ticket.zoneID ?? "any zone")" }

    static func refusal(_ decision: Decision) -> String {
        switch decision.reason {
        case .alreadyUsed:
            let since = decision.firstUsedAt.map { " at \($0.date.formatted(date: .omitted, time: .shortened))" } ?? ""
            return "Already used" + since + (decision.firstGate.map { ", gate \($0)" } ?? "")
        case .expired: return "Expired"
        case .notYetValid, .issuedInFuture: return "Not valid yet"
        case .wrongZone: return "Another zone: \(decision.ticket?.zoneID ?? "?")"
        case .wrongEvent: return "Another event"
        case .badSignature: return "Not genuine"
        case .revoked: return "Revoked"
        case .unknownEvent, .unknownKey, .noKeys: return "Not known here"
        case .keyNotValid, .keyCompromised: return "Its key is not valid"
        case .notInside: return "Not inside"
        case .clockUntrusted: return "This device's clock is wrong"
        case .configStale: return "This device needs newer keys"
        case .cannotRecord: return "Try again: it could not be recorded"
        case .malformed, .unsupportedFormat, nil: return "Not a ticket"
        }
    }

    static func why(_ state: ScannerState) -> String {
        switch state {
        case .notPermitted: return "Allow the camera in Settings"
        case .restricted: return "The camera is not allowed on this device"
        case .noCamera: return "No camera"
        case .interrupted: return "The camera is in use"
        default: return "The camera cannot be started"
        }
    }
}
