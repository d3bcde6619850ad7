import HoldfastDomain

extension Conformance {
    /// Something with a status that changes, and the means to change it.
    public struct StatusSubject<Status: Hashable & Sendable>: Sendable {
        let current: @Sendable () -> Status
        let changes: @Sendable () -> AsyncStream<Status>
        let toggle: @Sendable () async throws -> Void

        /// - Parameter toggle: Changes the world so that the status is another; the next call changes it back.
        init(
            current: @escaping @Sendable () -> Status,
            changes: @escaping @Sendable () -> AsyncStream<Status>,
            toggle: @escaping @Sendable () async throws -> Void
        ) {
            self.current = current
            self.changes = changes
            self.toggle = toggle
        }
    }

    /// The promises of `Connectivity`.
    public static let connectivity = ConformanceSuite<StatusSubject<ConnectivityStatus>>(statusChecks())

    /// The promises of `PowerMonitor`.
    public static let powerMonitor = ConformanceSuite<StatusSubject<PowerStatus>>(statusChecks())

    private static func statusChecks<Status>() -> [ConformanceSuite<StatusSubject<Status>>.Check] {
        [
            .init("tells_each_change_once") { subject in
                var before = subject.current()
                var changes = subject.changes().makeAsyncIterator()
                for _ in 0..<4 {
                    try await subject.toggle()
                    let change = await changes.next()
                    try promise(change != nil, "the stream ended")
                    try promise(change != before, "told what was known already")
                    before = change ?? before
                }
            },
            .init("current_follows_the_changes") { subject in
                var changes = subject.changes().makeAsyncIterator()
                for _ in 0..<2 {
                    try await subject.toggle()
                    let change = await changes.next()
                    try promise(subject.current() == change, "the current status is not the one told last")
                }
            },
            .init("each_stream_hears_every_change") { subject in
                let streams = (0..<3).map { _ in subject.changes() }
                for _ in 0..<2 {
                    try await subject.toggle()
                    var told: [Status?] = []
                    for stream in streams {
                        var iterator = stream.makeAsyncIterator()
                        told.append(await iterator.next())
                    }
                    try promise(told.allSatisfy { $0 != nil && $0 == told[0] }, "the streams told different things")
                }
            },
            .init("a_stream_that_ends_disturbs_no_other") { subject in
                let kept = subject.changes()
                let ended = subject.changes()
                let listener = Task {
                    var count = 0
                    for await _ in ended { count += 1 }
                    return count
                }
                listener.cancel()
                _ = await listener.value
                try await subject.toggle()
                var changes = kept.makeAsyncIterator()
                let change = await changes.next()
                try promise(change != nil && change == subject.current(), "the other stream missed the change")
            },
        ]
    }
}

extension Conformance.StatusSubject where Status == ConnectivityStatus {
    /// A network, and how to switch it off and on again.
    public init(_ connectivity: any Connectivity, toggle: @escaping @Sendable () async throws -> Void) {
        self.init(current: { connectivity.current() }, changes: { connectivity.changes() }, toggle: toggle)
    }
}

extension Conformance.StatusSubject where Status == PowerStatus {
    /// A power supply, and how to make it scarce and plentiful again.
    public init(_ power: any PowerMonitor, toggle: @escaping @Sendable () async throws -> Void) {
        self.init(current: { power.current() }, changes: { power.changes() }, toggle: toggle)
    }
}
