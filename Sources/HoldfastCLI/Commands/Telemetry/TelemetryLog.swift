import HoldfastKit

/// `telemetry log`: takes one event, or one a line, and returns when they are durable.
struct TelemetryLog: Command {
    static let syntax = CommandSyntax(
        name: "telemetry log",
        summary: "Takes events and returns when they are durable; sends nothing.",
        options: [
            TelemetryData.option,
            .init("--type", "T", "what happened, such as screen.view"),
            .init("--payload", "JSON", "what is known of it, a JSON object (default: {})"),
            .init("--session", "S", "the session's id (default: a new one for this run)"),
            .init("--lines", "take an event a line from standard input instead"),
            .init("--json", "say each event's id, a JSON object a line, once it is durable"),
        ],
        notes: """
            A line is {"type":"…","payload":{…}}, with "sessionId" if it belongs to another session than the line before. A
            bad line is told with its number and passed over; the others are taken.
            """,
        done: "everything is durable",
        failed: "a line was passed over, or it failed; standard error says why"
    )

    private enum Source {
        case arguments(type: String, payload: PayloadObject)
        case lines
    }

    private let data: TelemetryData
    private let source: Source
    private let session: String?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        data = try TelemetryData(arguments)
        session = arguments["--session"]
        isJSON = arguments.has("--json")
        let payload = try arguments.value("--payload", as: "a strict JSON object") { text in
            try? JSONValue.parse(text).objectValue  // whatever is wrong with it, it is none
        }
        switch (arguments["--type"], arguments.has("--lines")) {
        case (let type?, false): source = .arguments(type: type, payload: payload ?? [:])
        case (nil, true) where payload == nil: source = .lines
        case (nil, true): throw UsageError("--payload does not go with --lines")
        case (_?, true): throw UsageError("--type does not go with --lines")
        case (nil, false): throw UsageError("either --type or --lines is needed")
        }
    }

    func run(on console: Console) async throws -> ExitCode {
        let telemetry = try await data.open()
        if let session { try telemetry.startSession(session) }
        let code: ExitCode
        switch source {
        case .arguments(let type, let payload):
            let id = try await telemetry.record(type, payload)
            if isJSON { try console.output.write(["id": .string(id.description)]) }
            code = .done
        case .lines: code = try await takeLines(telemetry, console)
        }
        await telemetry.close()
        return code
    }

    private func takeLines(_ telemetry: Telemetry, _ console: Console) async throws -> ExitCode {
        // More than the largest event, with room for how it may be written.
        var splitter = LineSplitter(limit: 2 * 1024 * 1024)
        var intake = LineIntake(telemetry: telemetry)
        var isAtEnd = false
        while !isAtEnd {
            let bytes = try console.input.read()
            isAtEnd = bytes.isEmpty
            let lines = isAtEnd ? splitter.finish().map { [$0] } ?? [] : splitter.take(bytes)
            for line in lines { intake.take(line).map { console.complain($0) } }
            // What is told was stored; what could not be stored ends the run with an error.
            try await telemetry.persist()
            for taken in intake.drain() where isJSON { try console.output.write(taken) }
        }
        if !isJSON { try console.output.write("\(intake.count) taken\n") }
        return intake.isClean ? .done : .failed
    }
}

/// Takes lines as events.
private struct LineIntake {
    let telemetry: Telemetry
    private(set) var count = 0
    private(set) var isClean = true
    private var taken: [JSONObject] = []

    init(telemetry: Telemetry) { self.telemetry = telemetry }

    /// Takes a line; otherwise a sentence says why not.
    mutating func take(_ line: LineSplitter.Line) -> String? {
        do {
            guard let event = try JSONValue.parse(line.bytes).objectValue, let type = event["type"]?.stringValue else {
                throw CommandFailure("not an object with a type")
            }
            let payload = event["payload"] ?? [:]
            guard let object = payload.objectValue else { throw CommandFailure("its payload is not an object") }
            if let session = event["sessionId"] {
                guard let id = session.stringValue else { throw CommandFailure("its sessionId is not a string") }
                if id != telemetry.sessionID { try telemetry.startSession(id) }
            }
            switch telemetry.log(type, object) {
            case .taken(let id):
                count += 1
                taken.append(["line": .integer(Int64(line.number)), "id": .string(id.description)])
            case .refused(let error): throw error
            }
            return nil
        } catch {
            isClean = false
            return "line \(line.number): \(explain(error))"
        }
    }

    /// What was taken since the last time.
    mutating func drain() -> [JSONObject] {
        defer { taken = [] }
        return taken
    }
}
