import Glibc
import HoldfastKit

/// `gate scan`: a gate whose scanner types lines on standard input.
struct GateScan: Command {
    static let syntax = CommandSyntax(
        name: "gate scan",
        summary: "Decides about each code on standard input, records it, and answers at once.",
        options: [
            GateData.option,
            .init("--event", "E", is: .required, "the event the gate admits to"),
            .init("--zone", "Z", is: .required, "the zone the gate opens"),
            .init("--gate", "G", "the gate's name for the records (default: gate)"),
            .init("--direction", "in|out", "which way the gate lets people through (default: in)"),
            .init("--at", "RFC3339", "let the wall clock stand at this time"),
            .init("--presence", "S", "seconds for which a code in view is one showing; 0 for none (default: 3)"),
            .init("--json", "answer with one JSON object a line"),
        ],
        notes: """
            Lines end with CR, LF or both; empty ones are passed over. Nothing here reaches a network. A code that cannot be
            recorded is denied with cannot_record, and the others are decided about all the same. The end is that of the
            input, or SIGINT (Ctrl-C), SIGTERM, SIGHUP or SIGQUIT: then the line in hand is answered still.
            """,
        done: "each code was decided about and recorded, accepted or denied",
        failed: "a code could not be recorded, or it failed"
    )

    private let data: GateData
    private let place: GatePlace
    private let policy: GatePolicy
    private let wall: Timestamp?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        data = try GateData(arguments)
        place = GatePlace(
            event: try arguments.required("--event"),
            zone: try arguments.required("--zone"),
            gate: arguments["--gate"] ?? "gate",
            direction: try arguments.value("--direction", as: "in or out", GateRecord.Direction.init) ?? .entry
        )
        wall = try arguments.value("--at", as: "a time such as 2026-05-01T19:30:00Z", Timestamp.init(rfc3339:))
        var policy = GateData.policy
        if let presence = try arguments.interval("--presence") { policy.presence = presence }
        policy.watchesClockDrift = wall == nil
        self.policy = policy
        isJSON = arguments.has("--json")
    }

    func run(on console: Console) async throws -> ExitCode {
        let gate = try await data.openMade(at: place, policy: policy, fixingWallAt: wall)
        if gate.hasLostSecret { throw KeyVaultError(.lost) }
        // A name that was mistyped looks like a gate at which every ticket is another event's.
        if let configuration = gate.configuration, configuration.event(place.event) == nil {
            console.complain("the configuration in force has no event \(printable(place.event)): nobody is let in")
        }
        let inColour = console.output.isTerminal && getenv("NO_COLOR") == nil
        // One byte more than a ticket may have, with room for what scanners add around it.
        var splitter = LineSplitter(limit: TicketReader.maxLength + 64)
        var code = ExitCode.done
        func answer(_ line: LineSplitter.Line) async throws {
            // Where it cannot be told whether there is a newer configuration, the one in force goes on.
            _ = try? await gate.refreshConfiguration()
            let decision = await gate.admit(line.bytes)
            if !decision.isRecorded { code = .failed }
            try console.output.write(decision.json, or: decision.line(inColour: inColour), asJSON: isJSON)
        }
        let signals = try StopSignals()
        while !signals.haveAsked {
            let bytes = try console.input.read(until: signals)
            for line in splitter.take(bytes) where !signals.haveAsked { try await answer(line) }
            if bytes.isEmpty { break }
        }
        // A line that a signal cuts off was not scanned.
        if !signals.haveAsked, let line = splitter.finish() { try await answer(line) }
        return code
    }
}
