import AppleDevice
import Foundation

/// A stand-in for what goes into a session.
@available(iOS 4.0, *)
open class AVCaptureInput: NSObject {}

/// A camera as an input.
@available(iOS 4.0, *)
public final class AVCaptureDeviceInput: AVCaptureInput {
    public let device: AVCaptureDevice
    /// Fails if the device cannot be opened.
    public init(device: AVCaptureDevice) throws {
        if let failure = StandInCamera.current.openingFails { throw AVError(failure) }
        self.device = device
    }
}

/// A stand-in for what comes out of a session.
@available(iOS 4.0, *)
open class AVCaptureOutput: NSObject {
    weak var session: AVCaptureSession?
}

/// A stand-in for the link between an input and an output. Nothing but a session makes one.
@available(iOS 4.0, *)
public final class AVCaptureConnection: NSObject {}

/// A stand-in for a capture session, with its rules of order.
@available(iOS 4.0, *)
public final class AVCaptureSession: NSObject {
    /// How large the frames are.
    public struct Preset: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        @available(iOS 5.0, *)
        public static let hd1280x720 = Preset(rawValue: "1280x720")
        public static let high = Preset(rawValue: "high")
    }

    /// Why a session was interrupted.
    @available(iOS 9.0, *)
    public enum InterruptionReason: Int, Sendable {
        case videoDeviceNotAvailableInBackground = 1
        case audioDeviceInUseByAnotherClient = 2
        case videoDeviceInUseByAnotherClient = 3
        case videoDeviceNotAvailableWithMultipleForegroundApps = 4
        case videoDeviceNotAvailableDueToSystemPressure = 5
    }

    private let lock = NSLock()
    private var inputs: [AVCaptureInput] = []
    private var outputs: [AVCaptureOutput] = []
    private var isConfiguring = false
    private var running = false
    private var interrupted = false

    public override init() {
        super.init()
        StandInCamera.current.attach(self)
    }

    public var sessionPreset = Preset.high
    public func canSetSessionPreset(_ preset: Preset) -> Bool { true }

    public func beginConfiguration() { lock.withLock { isConfiguring = true } }
    public func commitConfiguration() { lock.withLock { isConfiguring = false } }

    public func canAddInput(_ input: AVCaptureInput) -> Bool { lock.withLock { inputs.isEmpty } }
    public func addInput(_ input: AVCaptureInput) {
        if !canAddInput(input) { AppleDevice.current.raise("NSInvalidArgumentException: addInput") }
        lock.withLock { inputs.append(input) }
    }

    public func canAddOutput(_ output: AVCaptureOutput) -> Bool { lock.withLock { outputs.isEmpty } }
    public func addOutput(_ output: AVCaptureOutput) {
        if !canAddOutput(output) { AppleDevice.current.raise("NSInvalidArgumentException: addOutput") }
        output.session = self
        lock.withLock { outputs.append(output) }
    }

    public func removeInput(_ input: AVCaptureInput) { lock.withLock { inputs.removeAll { $0 === input } } }
    public func removeOutput(_ output: AVCaptureOutput) {
        output.session = nil
        lock.withLock { outputs.removeAll { $0 === output } }
    }

    /// The output that reads codes.
    @_spi(StandIn)
    public var metadataOutput: AVCaptureMetadataOutput? {
        lock.withLock { outputs.lazy.compactMap { $0 as? AVCaptureMetadataOutput }.first }
    }

    var hasCamera: Bool { lock.withLock { !inputs.isEmpty } }

    /// Whether frames come.
    public var isRunning: Bool { lock.withLock { running && !interrupted } }

    /// Whether something keeps them from coming.
    @available(iOS 4.0, *)
    public var isInterrupted: Bool { lock.withLock { interrupted } }

    /// Starts; blocks. While interrupted the start is remembered.
    public func startRunning() {
        AppleDevice.current.expectOffMain("AVCaptureSession.startRunning")
        let isConfiguring = lock.withLock {
            running = true
            return self.isConfiguring
        }
        if isConfiguring { AppleDevice.current.raise("NSGenericException: startRunning between begin and commit") }
    }

    /// Stops; blocks.
    public func stopRunning() {
        AppleDevice.current.expectOffMain("AVCaptureSession.stopRunning")
        lock.withLock { running = false }
        StandInCamera.current.isTorchOn = false
    }

    func setInterrupted(_ isInterrupted: Bool) { lock.withLock { interrupted = isInterrupted } }

    func fail() { lock.withLock { running = false } }

    /// Gives a frame's codes to the output, on its queue, unless no frames come.
    func deliver(_ objects: [AVMetadataObject]) -> Bool { isRunning && metadataOutput?.deliver(objects) == true }
}

extension NSNotification.Name {
    @available(iOS, introduced: 4.0, deprecated: 18.0)
    public static let AVCaptureSessionWasInterrupted = NSNotification.Name("AVCaptureSessionWasInterruptedNotification")
    @available(iOS, introduced: 4.0, deprecated: 18.0)
    public static let AVCaptureSessionInterruptionEnded = NSNotification.Name(
        "AVCaptureSessionInterruptionEndedNotification"
    )
    @available(iOS, introduced: 4.0, deprecated: 18.0)
    public static let AVCaptureSessionRuntimeError = NSNotification.Name("AVCaptureSessionRuntimeErrorNotification")
}

@available(iOS 9.0, *)
public let AVCaptureSessionInterruptionReasonKey = "AVCaptureSessionInterruptionReasonKey"
@available(iOS 4.0, *)
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"
