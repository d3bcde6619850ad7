/// Decides what a camera scanner does next. It touches no camera: `CameraScanner` asks it at each event and does the step.
struct ScannerMachine {
    /// What to do.
    enum Step: Hashable, Sendable {
        case nothing
        /// Ask the person for permission.
        case ask
        /// Set up the camera, then tell `setUp`.
        case setUp
        /// Start the session, then tell `started`.
        case run
        /// Stop the session.
        case halt
    }

    /// What setting up the camera came to.
    enum SetUp: Hashable, Sendable { case done, noCamera, failed(Int) }

    /// `AVError.Code.mediaServicesWereReset`: the session is as it was made, and can be started again at once.
    static let mediaServicesWereReset = -11819

    private(set) var state = ScannerState.stopped
    private var isWanted = false
    private var isSetUp = false
    /// What has taken the camera away, wanted or not.
    private var interruption: ScannerState.Interruption?

    /// Whether what the camera sees is passed on.
    var isReading: Bool { isWanted && state == .scanning }

    mutating func start(_ permission: CameraPermission, hasUsageDescription: Bool) -> Step {
        guard hasUsageDescription else { return rest(as: .missingUsageDescription) }
        if isWanted, state == .scanning || state == .starting { return .nothing }
        isWanted = true
        switch permission {
        case .notAsked:
            state = .starting
            return .ask
        case .restricted: return rest(as: .restricted)
        case .denied: return rest(as: .notPermitted)
        case .given: return proceed()
        }
    }

    mutating func answered(isPermitted: Bool) -> Step {
        guard isWanted else { return .nothing }
        return isPermitted ? proceed() : rest(as: .notPermitted)
    }

    mutating func setUp(_ result: SetUp) -> Step {
        switch result {
        case .done:
            isSetUp = true
            return isWanted ? .run : .nothing
        case .noCamera: return rest(as: .noCamera)
        case .failed(let number): return rest(as: .failed(number))
        }
    }

    /// The session has been started; while it is interrupted the start is remembered by the system.
    mutating func started() {
        guard isWanted, state == .starting else { return }
        state = interruption.map { .interrupted($0) } ?? .scanning
    }

    mutating func interrupted(_ reason: ScannerState.Interruption) -> Step {
        interruption = reason
        if isWanted { state = .interrupted(reason) }
        return .nothing
    }

    mutating func interruptionEnded() -> Step {
        interruption = nil
        guard isWanted, case .interrupted = state else { return .nothing }
        state = .starting
        return .run  // nothing to a session that goes on by itself
    }

    mutating func failed(_ number: Int) -> Step {
        guard isWanted else { return .nothing }
        guard number == Self.mediaServicesWereReset else { return rest(as: .failed(number)) }
        state = .starting
        return .run
    }

    mutating func stop() -> Step {
        _ = rest(as: .stopped)
        return isSetUp ? .halt : .nothing
    }

    private mutating func proceed() -> Step {
        state = .starting
        return isSetUp ? .run : .setUp
    }

    private mutating func rest(as state: ScannerState) -> Step {
        isWanted = false
        self.state = state
        return .nothing
    }
}
