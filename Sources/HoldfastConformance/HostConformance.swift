import HoldfastDomain

extension Conformance {
    /// The promises of `AccessTokenProvider`, for a host to check its own. The provider must have a token.
    public static let accessTokenProvider = ConformanceSuite<any AccessTokenProvider>([
        .init("keeps_a_token_that_is_not_refused") { provider in
            let first = try await provider.token(refused: nil)
            let second = try await provider.token(refused: nil)
            try promise(first != nil, "there is no token")
            try promise(first == second, "a token that nobody refused was replaced")
        },
        .init("an_old_refusal_changes_nothing") { provider in
            let current = try await provider.token(refused: nil)
            let answer = try await provider.token(refused: AccessToken("not-the-current-one"))
            try promise(answer == current, "the refusal of another token replaced the current one")
        },
        .init("may_be_asked_many_times_at_once") { provider in
            let tokens = try await withThrowingTaskGroup(of: AccessToken?.self) { group in
                for _ in 0..<16 { group.addTask { try await provider.token(refused: nil) } }
                return try await group.reduce(into: Set<AccessToken?>()) { $0.insert($1) }
            }
            try promise(tokens.count == 1, "16 questions at once had \(tokens.count) answers")
        },
    ])

    /// A back end for gate records, and records that it should take.
    public struct BatchSubject: Sendable {
        let sender: any BatchSender
        let records: [GateRecord]

        /// - Parameters:
        ///   - sender: The sender.
        ///   - records: At least one record that the back end accepts and has not seen.
        public init(_ sender: any BatchSender, records: [GateRecord]) {
            self.sender = sender
            self.records = records
        }
    }

    /// The promises of `BatchSender`, for a host to check its own against its back end.
    public static let batchSender = ConformanceSuite<BatchSubject>([
        .init("takes_good_records") { subject in
            let refused = try await outcomes(of: subject).filter { $0.value != .accepted && $0.value != .duplicate }
            try promise(refused.isEmpty, "\(refused.count) good records were not taken")
        },
        .init("answers_only_for_what_was_sent") { subject in
            let sent = Set(subject.records.map(\.scanID))
            let strangers = try await outcomes(of: subject).keys.filter { !sent.contains($0) }
            try promise(strangers.isEmpty, "\(strangers.count) outcomes are of records that were not sent")
        },
        .init("takes_the_same_records_again") { subject in
            _ = try await outcomes(of: subject)
            let refused = try await outcomes(of: subject).filter { $0.value != .accepted && $0.value != .duplicate }
            try promise(refused.isEmpty, "\(refused.count) records were refused when sent again")
        },
    ])

    private static func outcomes(of subject: BatchSubject) async throws -> [EntryID: RecordOutcome] {
        guard case .handled(let outcomes) = try await subject.sender.send(subject.records) else {
            throw Broken(detail: "the back end did not take the batch")
        }
        return outcomes
    }

    /// A diagnostic sink, and what has come of what it was told.
    public struct DiagnosticSubject: Sendable {
        let sink: any DiagnosticSink
        let count: @Sendable () -> Int

        /// A sink to check.
        ///
        /// - Parameters:
        ///   - sink: The sink.
        ///   - count: How many events have come out at the sink's other end.
        public init(_ sink: any DiagnosticSink, count: @escaping @Sendable () -> Int) {
            self.sink = sink
            self.count = count
        }
    }

    /// The promises of `DiagnosticSink`.
    public static let diagnosticSink = ConformanceSuite<DiagnosticSubject>([
        .init("takes_every_event_from_any_thread") { subject in
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<8 {
                    group.addTask {
                        for _ in 0..<25 { subject.sink.record(DiagnosticEvent(.storeFailed, platformCode: index)) }
                    }
                }
            }
            try promise(subject.count() == 200, "of 200 events \(subject.count()) came through")
        },
        .init("takes_kinds_it_does_not_know") { subject in
            subject.sink.record(
                DiagnosticEvent(DiagnosticEvent.Code("a_kind_of_tomorrow"), count: .max, platformCode: .min)
            )
            try promise(subject.count() == 1, "an event of an unknown kind did not come through")
        },
    ])
}
