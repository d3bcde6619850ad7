import Foundation

/// A stand-in for the levels of a log.
@available(iOS 10.0, macOS 10.12, *)
public struct OSLogType: RawRepresentable, Equatable, Sendable {
    /// The level's number.
    public let rawValue: UInt8
    /// The level with this number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Kept unless the log is told otherwise.
    public static let `default` = OSLogType(rawValue: 0)
    /// Worth knowing while something is looked into.
    public static let info = OSLogType(rawValue: 1)
    /// For developers.
    public static let debug = OSLogType(rawValue: 2)
    /// Something went wrong.
    public static let error = OSLogType(rawValue: 16)
    /// A fault of the program.
    public static let fault = OSLogType(rawValue: 17)
}

/// Whether a log shows a value.
@available(iOS 14.0, macOS 11.0, *)
public struct OSLogPrivacy: Sendable {
    let isPublic: Bool
    /// Shown.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(isPublic: true) }
    /// Hidden.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(isPublic: false) }
    /// Hidden, if it is a string.
    public static var auto: OSLogPrivacy { OSLogPrivacy(isPublic: false) }
}

/// The text of a log line: interpolated strings are `<private>` unless said to be public.
@available(iOS 14.0, macOS 11.0, *)
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
    /// Builds the text.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) { text += literal }
        public mutating func appendInterpolation(
            _ value: @autoclosure () -> String,
            privacy: OSLogPrivacy = .auto
        ) {
            text += privacy.isPublic ? value() : "<private>"
        }
        public mutating func appendInterpolation(_ value: @autoclosure () -> Int, privacy: OSLogPrivacy = .public) {
            text += privacy.isPublic ? String(value()) : "<private>"
        }
    }

    let text: String
    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

/// A stand-in for the system's log.
@available(iOS 14.0, macOS 11.0, *)
public struct Logger: Sendable {
    let subsystem: String
    let category: String

    /// A log of this subsystem and category.
    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }

    /// Writes a line.
    public func log(level: OSLogType, _ message: OSLogMessage) {
        StandInLog.current.append(.init(subsystem: subsystem, category: category, level: level, text: message.text))
    }
}

/// What was logged, as another process would read it.
/// `@unchecked`: its state is read and written under the lock.
@_spi(StandIn)
@available(iOS 14.0, macOS 11.0, *)
public final class StandInLog: @unchecked Sendable {
    /// One line.
    public struct Line: Equatable, Sendable {
        /// Whose log.
        public var subsystem: String
        /// Which part.
        public var category: String
        /// How grave.
        public var level: OSLogType
        /// The text.
        public var text: String
    }

    /// The one log of this device.
    public static let current = StandInLog()
    private let lock = NSLock()
    private var held: [Line] = []
    private init() {}

    /// Every line since the last call; they are then forgotten.
    public func drain() -> [Line] {
        lock.withLock {
            defer { held = [] }
            return held
        }
    }

    func append(_ line: Line) { lock.withLock { held.append(line) } }
}
