/// What a camera scanner does now, or why it does nothing.
public enum ScannerState: Hashable, Sendable {
    /// Not started, or stopped.
    case stopped
    /// Asking the person, or setting up the camera.
    case starting
    /// Reading codes.
    case scanning
    /// The camera is taken away for a while; it goes on by itself.
    case interrupted(Interruption)
    /// The person has not let the app use the camera. The Settings app is where that can be changed.
    case notPermitted
    /// The device's owner, such as an employer or a parent, does not let anybody use it.
    case restricted
    /// There is no camera, as on the Simulator.
    case noCamera
    /// Info.plist has no `NSCameraUsageDescription`; the system would end an app that touched the camera.
    case missingUsageDescription
    /// The camera failed, with the system's number. It can be started again.
    case failed(Int)

    /// Why the camera is taken away.
    public enum Interruption: Hashable, Sendable {
        /// The app is not in the foreground.
        case inBackground
        /// Another app uses the camera.
        case inUse
        /// The app shares the screen with another one.
        case sharedScreen
        /// The device is too hot or too busy.
        case systemPressure
        /// Another reason, with the system's number.
        case other(Int)

        /// What an `AVCaptureSession.InterruptionReason` with this number means.
        init(reason: Int) {
            switch reason {
            case 1: self = .inBackground
            case 3: self = .inUse
            case 4: self = .sharedScreen
            case 5: self = .systemPressure
            default: self = .other(reason)
            }
        }
    }
}

/// Whether the camera may be used, by the number of an `AVAuthorizationStatus`.
enum CameraPermission: Hashable, Sendable {
    case notAsked, restricted, denied, given

    /// A status that is not known gives no permission.
    init(status: Int) {
        switch status {
        case 0: self = .notAsked
        case 1: self = .restricted
        case 3: self = .given
        default: self = .denied
        }
    }
}
