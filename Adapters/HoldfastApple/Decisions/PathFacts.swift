import HoldfastDomain

/// What an `NWPath` says, as plain values, so that its meaning is decided and tested anywhere.
struct PathFacts: Hashable, Sendable {
    /// The three statuses of a path.
    enum Status: Hashable, Sendable { case satisfied, unsatisfied, requiresConnection }

    var status: Status
    var isExpensive = false
    var isConstrained = false
}

extension ConnectivityStatus {
    /// What is assumed until the first path arrives: a hint that is not there yet must hold nothing back.
    static let unknown = ConnectivityStatus(isReachable: true)

    /// What a path means to a delivery. A path that requires a connection is worth a try: the try is what connects it.
    init(path: PathFacts) {
        self.init(
            isReachable: path.status != .unsatisfied,
            isExpensive: path.isExpensive,
            isConstrained: path.isConstrained
        )
    }
}
