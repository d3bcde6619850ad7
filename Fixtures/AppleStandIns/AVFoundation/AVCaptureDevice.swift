import AppleDevice
import Foundation

/// What a device captures.
@available(iOS 4.0, *)
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let video = AVMediaType(rawValue: "vide")
}

/// Whether the person lets the app use a device.
@available(iOS 7.0, *)
public enum AVAuthorizationStatus: Int, Sendable {
    case notDetermined, restricted, denied, authorized
}

/// A stand-in for a camera.
@available(iOS 4.0, *)
public final class AVCaptureDevice: NSObject {
    /// Which kind of camera.
    @available(iOS 10.0, *)
    public struct DeviceType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let builtInWideAngleCamera = DeviceType(rawValue: "wide")
        @available(iOS 13.0, *)
        public static let builtInDualWideCamera = DeviceType(rawValue: "dual-wide")
        @available(iOS 13.0, *)
        public static let builtInTripleCamera = DeviceType(rawValue: "triple")
    }
    /// Which way it looks.
    public enum Position: Int, Sendable { case unspecified, back, front }
    /// What its light does.
    public enum TorchMode: Int, Sendable { case off, on, auto }

    private var isLocked = false

    /// Whether the person lets the app use one.
    @available(iOS 7.0, *)
    public class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        StandInCamera.current.authorization
    }

    /// Asks the person, once; answers on any queue.
    @available(iOS 7.0, *)
    public class func requestAccess(for mediaType: AVMediaType, completionHandler: @escaping @Sendable (Bool) -> Void) {
        StandInCamera.current.askPerson(completionHandler)
    }

    /// The camera of this kind, if the device has it.
    @available(iOS 10.0, *)
    public class func `default`(
        _ deviceType: DeviceType,
        for mediaType: AVMediaType?,
        position: Position
    ) -> AVCaptureDevice? {
        StandInCamera.current.device(deviceType)
    }

    /// Whether it has a light.
    @available(iOS 6.0, *)
    public var hasTorch: Bool { StandInCamera.current.hasTorch }

    /// Whether the light can be used now; not when it is too hot.
    @available(iOS 5.0, *)
    public var isTorchAvailable: Bool { StandInCamera.current.hasTorch }

    /// What the light does; only while locked for configuration.
    @available(iOS 4.0, *)
    public var torchMode: TorchMode {
        get { StandInCamera.current.isTorchOn ? .on : .off }
        set {
            if !isLocked { AppleDevice.current.raise("torchMode set without lockForConfiguration") }
            StandInCamera.current.isTorchOn = newValue == .on
        }
    }

    public func lockForConfiguration() throws { isLocked = true }
    public func unlockForConfiguration() { isLocked = false }
}

/// A stand-in for errors of capture.
@available(iOS 4.0, *)
public struct AVError: Error, Sendable {
    public enum Code: Int, Sendable {
        case deviceAlreadyUsedByAnotherSession = -11804
        case mediaServicesWereReset = -11819
        case deviceNotConnected = -11814
    }
    public let code: Code
    init(_ code: Code) { self.code = code }
}
