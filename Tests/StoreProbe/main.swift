import Foundation
import HoldfastDomain
import HoldfastSQLite

// Another process at a journal, for tests that share one file or kill who writes it. It says what it has done, a
// line each, and each line only once that has been acknowledged.

struct Silence: DiagnosticSink {
    func record(_ event: DiagnosticEvent) {}
}

func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

func draft(_ number: Int, place: SubjectVersion? = nil) -> Draft {
    let mixed = UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15
    return Draft(
        id: EntryID(high: mixed ^ mixed >> 31, low: UInt64(truncatingIfNeeded: number)),
        stream: .telemetry,
        recordedAt: Timestamp(milliseconds: 1_790_000_000_000),
        place: place,
        keyID: KeyID(1),
        sealed: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 400)
    )
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(2) }
let number = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0

do {
    let store = try SQLiteQueueStore(path: arguments[2], diagnostics: Silence())
    switch arguments[1] {
    case "open": say("open")
    case "append":  // from the given number on, until it is killed
        for next in number... {
            _ = try await store.append([draft(next)], durability: next % 3 == 0 ? .powerLoss : .processDeath)
            say("\(next)")
        }
    case "fill":  // a hundred entries from the given number on
        for next in number..<(number + 100) {
            let outcome = try await store.append([draft(next)], durability: .processDeath)
            if case .appended(let sequence) = outcome[0] { say("\(sequence)") }
        }
    case "place":  // tries to take one place
        let place = SubjectVersion(subject: Subject(bytes: [UInt8](repeating: 1, count: 32)), version: 1)
        let outcome = try await store.append([draft(number, place: place)], durability: .processDeath)
        if case .appended = outcome[0] { say("won") } else { say("lost") }
    case "lease":  // leases everything and keeps it until it is killed
        let request = LeaseRequest(
            stream: .telemetry,
            maxCount: 100,
            now: Timestamp(milliseconds: 1_790_000_000_000),
            duration: .minutes(10)
        )
        let lease = try await store.lease(request)
        say("\(lease?.entries.count ?? 0)")
        _ = readLine()
    default: exit(2)
    }
    await store.close()
} catch {
    say("failed: \(error)")
    exit(1)
}
