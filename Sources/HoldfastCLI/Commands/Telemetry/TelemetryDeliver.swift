import HoldfastKit

/// `telemetry deliver`: sends what waits.
struct TelemetryDeliver: Command {
    static let syntax = CommandSyntax(
        name: "telemetry deliver",
        summary: "Sends queued events in gzip batches, oldest first.",
        options: [
            TelemetryData.option,
            .init("--to", "URL", is: .required, "where to POST {\"events\":[…]}"),
            .init("--token-file", "F", "a file whose first line is the bearer token; read anew for each batch"),
            .init("--ca-file", "F", "trust servers by these certificates (PEM) instead of the system's"),
            .init("--until-empty", "keep on through failures and waits until nothing is left"),
            .init("--timeout", "S", "give up after so many seconds (default: 600)"),
            .init("--json", "report as a JSON object"),
        ],
        notes: """
            A wait that the server ordered is kept, by this command and the next. Events are sent at least once, with one id
            each.
            """,
        done: "nothing is left in the queue",
        failed: "something is left in the queue, and the report says why and when to try again; or it failed"
    )

    private let data: TelemetryData
    private let url: String
    private let tokens: FileTokens?
    private let certificates: String?
    private let keepsOn: Bool
    private let timeout: Interval
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        data = try TelemetryData(arguments)
        url = try arguments.url("--to")
        tokens = arguments["--token-file"].map(FileTokens.init)
        certificates = arguments["--ca-file"]
        keepsOn = arguments.has("--until-empty")
        timeout = try arguments.interval("--timeout") ?? .minutes(10)
        isJSON = arguments.has("--json")
    }

    func run(on console: Console) async throws -> ExitCode {
        try data.checkExists()
        var ports = try await data.ports()
        ports.connectivity = PlatformConnectivity(reach: .init(ofURL: url))
        var policy = TelemetryPolicy()
        policy.schedule.isAutomatic = keepsOn
        let attempt = LastAttempt()
        ports.transport = NotingTransport(
            base: PlatformTransport(configuration: .init(trustedCertificates: certificates)),
            answers: policy.answers,
            attempt: attempt
        )
        let telemetry = try await Telemetry(endpoint: url, token: tokens, policy: policy, ports: ports)
        let status = await deliver(telemetry, attempt, console)
        let cause = await attempt.cause(of: status.why)
        let words = status.deliverySentence(cause, at: ports.clock.now().wall)
        try console.output.write(status.deliveryJSON(cause), or: words, asJSON: isJSON)
        if status.why == .tokenUnavailable, let complaint = tokens?.complaint { console.complain(complaint) }
        return status.queued == 0 && status.buffered == 0 ? .done : .failed
    }

    /// Sends what can be sent now, or keeps on until nothing is left, it is held, or the time is over.
    private func deliver(_ telemetry: Telemetry, _ attempt: LastAttempt, _ console: Console) async -> TelemetryStatus {
        let alarm = Task {
            // Cancelled when the work is done before.
            guard (try? await Task.sleep(nanoseconds: UInt64(timeout.milliseconds) * 1_000_000)) != nil else { return }
            // Ends the request that is under way, and with it what waits below.
            await telemetry.close()
        }
        var isOver = false
        while !isOver {
            let report = await telemetry.flush()
            isOver = !keepsOn || report.isComplete || report.status.why?.isHold == true
            guard !isOver else { break }
            let seen = await waitForEnd(of: telemetry, attempt, console)
            // Once more where the queue seems empty: another process may have logged meanwhile.
            isOver = seen == nil || seen?.queued != 0
        }
        alarm.cancel()
        await telemetry.close()
        return await telemetry.status()
    }

    /// Lets telemetry work until nothing is left, it is held, or it is closed; says on the way what it waits for.
    ///
    /// - Returns: How things stood last.
    private func waitForEnd(
        of telemetry: Telemetry,
        _ attempt: LastAttempt,
        _ console: Console
    ) async -> TelemetryStatus? {
        var seen: TelemetryStatus?
        for await status in telemetry.statusUpdates {
            if let obstacle = status.why, obstacle != seen?.why {
                let cause = await attempt.cause(of: obstacle).map { " (\($0.words))" } ?? ""
                console.complain("waiting: \(obstacle.words)\(cause)")
            }
            seen = status
            if status.queued == 0 || status.why?.isHold == true { break }
        }
        return seen
    }
}

extension DeliveryObstacle {
    /// Whether it goes only when somebody changes something.
    var isHold: Bool {
        let holds: [DeliveryObstacle] = [
            .unauthorised, .tokenUnavailable, .redirected, .invalidRequest, .refused, .consentPending, .consentDenied,
            .vaultUnavailable, .storeUnavailable,
        ]
        return holds.contains(self)
    }
}

extension PlatformConnectivity.Reach {
    /// How far away the host of a URL is, as far as its name tells.
    init(ofURL url: String) {
        let authority = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
        let host = authority.split(separator: "@").last.map { name -> Substring in
            name.hasPrefix("[") ? name.dropFirst().prefix { $0 != "]" } : name.prefix { $0 != ":" }
        }
        self.init(ofHost: host.map { $0.lowercased() } ?? "")
    }

    private init(ofHost host: String) {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let isAddress = numbers.count == 4 && !numbers.contains(nil)
        switch (isAddress, isAddress ? numbers[0] : nil, isAddress ? numbers[1] : nil) {
        case (true, 127, _): self = .thisDevice
        case (true, 10, _), (true, 192, 168), (true, 169, 254), (true, 172, .some(16...31)): self = .localNetwork
        case (false, _, _) where host == "localhost" || host == "::1": self = .thisDevice
        case (false, _, _) where host.hasSuffix(".local"): self = .localNetwork
        case (false, _, _) where host.hasPrefix("fd") && host.contains(":") || host.hasPrefix("fe80:"):
            self = .localNetwork
        default: self = .internet
        }
    }
}
