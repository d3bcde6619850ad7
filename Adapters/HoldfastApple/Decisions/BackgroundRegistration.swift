import Foundation

/// What became of the registration of one background task. Anything but `registered` leaves the app as it was.
public enum BackgroundRegistration: Hashable, Sendable {
    /// The system will launch it.
    case registered
    /// It had been registered by this process before; once is enough.
    case alreadyRegistered
    /// Info.plist does not list the identifier under `BGTaskSchedulerPermittedIdentifiers`.
    case missingIdentifier
    /// Info.plist does not list `fetch` or `processing` under `UIBackgroundModes`.
    case missingBackgroundMode
    /// The app has launched already: the system would end a process that registers now. Register in
    /// `application(_:didFinishLaunchingWithOptions:)`.
    case tooLate
    /// The system said no without a reason.
    case refused

    /// What must be found out before the system is asked, since it answers some mistakes by ending the process;
    /// nil if it can be asked.
    static func obstacle(
        _ identifier: String,
        _ kind: BackgroundTaskKind,
        info: BackgroundInfo,
        isRegistered: Bool,
        hasLaunched: Bool
    ) -> BackgroundRegistration? {
        if isRegistered { return .alreadyRegistered }
        if !info.identifiers.contains(identifier) { return .missingIdentifier }
        if !info.modes.contains(kind.mode) { return .missingBackgroundMode }
        return hasLaunched ? .tooLate : nil
    }
}

/// What Info.plist says of background work.
public struct BackgroundInfo: Hashable, Sendable {
    /// The entries of `BGTaskSchedulerPermittedIdentifiers`.
    public var identifiers: Set<String>
    /// The entries of `UIBackgroundModes`.
    public var modes: Set<String>

    /// What these entries say.
    public init(identifiers: Set<String>, modes: Set<String>) {
        self.identifiers = identifiers
        self.modes = modes
    }

    /// Reads a property list; entries that are missing or no texts count as none.
    public init(_ properties: [String: Any]) {
        identifiers = Set(properties["BGTaskSchedulerPermittedIdentifiers"] as? [String] ?? [])
        modes = Set(properties["UIBackgroundModes"] as? [String] ?? [])
    }

    /// What the running app's Info.plist says.
    public static var main: BackgroundInfo { BackgroundInfo(Bundle.main.infoDictionary ?? [:]) }
}

/// What became of asking to be launched. None of it is fatal: the queue is delivered when the app is next used.
public enum BackgroundSubmission: Hashable, Sendable {
    /// The system took the request.
    case submitted
    /// The task is not registered, and the system would end a process that asked for it.
    case notRegistered
    /// Background work is switched off, or not to be had here (the Simulator, an extension).
    case unavailable
    /// The app has too many requests waiting.
    case tooManyPending
    /// Info.plist or the user does not permit it.
    case notPermitted
    /// Another error, with its number.
    case failed(Int)

    /// What a `BGTaskScheduler.Error` with this number means.
    init(schedulerError number: Int) {
        switch number {
        case 1: self = .unavailable
        case 2: self = .tooManyPending
        case 3: self = .notPermitted
        default: self = .failed(number)
        }
    }
}
