import AppleDevice
import Foundation

/// The camera of the pretended device, and the person who is asked about it.
/// `@unchecked`: its state is read and written under the lock.
@_spi(StandIn)
public final class StandInCamera: @unchecked Sendable {
    /// The one camera of this device.
    public static let current = StandInCamera()

    private struct State {
        var authorization = AVAuthorizationStatus.authorized
        var willPermit = true
        var types: Set<AVCaptureDevice.DeviceType> = [.builtInWideAngleCamera]
        var readable: [AVMetadataObject.ObjectType] = [.qr, .face]
        var hasTorch = true
        var isTorchOn = false
        var openingFails: AVError.Code?
        var usageDescription = true
        var session: WeakSession?
    }
    private struct WeakSession { weak var session: AVCaptureSession? }

    private let lock = NSLock()
    private var state = State()
    private let system = DispatchQueue(label: "the system")

    private init() {}

    /// A device as it is unpacked, but with permission given.
    public func reset() { lock.withLock { state = State() } }

    /// Whether the person lets the app use the camera.
    public var authorization: AVAuthorizationStatus {
        get { access().authorization }
        set { lock.withLock { state.authorization = newValue } }
    }

    /// What the person answers when asked.
    public var willPermit: Bool {
        get { lock.withLock { state.willPermit } }
        set { lock.withLock { state.willPermit = newValue } }
    }

    /// Which cameras there are; none on the Simulator.
    public var types: Set<AVCaptureDevice.DeviceType> {
        get { lock.withLock { state.types } }
        set { lock.withLock { state.types = newValue } }
    }

    /// What the camera can read.
    public var readable: [AVMetadataObject.ObjectType] {
        get { lock.withLock { state.readable } }
        set { lock.withLock { state.readable = newValue } }
    }

    /// Whether there is a light.
    public var hasTorch: Bool {
        get { lock.withLock { state.hasTorch } }
        set { lock.withLock { state.hasTorch = newValue } }
    }

    /// Whether the light is on.
    public var isTorchOn: Bool {
        get { lock.withLock { state.isTorchOn } }
        set { lock.withLock { state.isTorchOn = newValue } }
    }

    /// Why the camera cannot be opened, if it cannot.
    public var openingFails: AVError.Code? {
        get { lock.withLock { state.openingFails } }
        set { lock.withLock { state.openingFails = newValue } }
    }

    /// Whether Info.plist says what the camera is for; without it any access ends the process.
    public var usageDescription: Bool {
        get { lock.withLock { state.usageDescription } }
        set { lock.withLock { state.usageDescription = newValue } }
    }

    /// The newest session.
    public var session: AVCaptureSession? { lock.withLock { state.session?.session } }

    /// Shows codes to the camera for a number of frames.
    ///
    /// - Returns: How many of the frames were given to the app.
    @discardableResult
    public func show(_ codes: [AVMetadataObject], frames: Int = 1) -> Int {
        (0..<frames).filter { _ in session?.deliver(codes) == true }.count
    }

    /// Shows texts to the camera for a number of frames.
    ///
    /// - Returns: How many of the frames were given to the app.
    @discardableResult
    public func show(_ texts: String..., frames: Int = 1) -> Int {
        show(texts.map { AVMetadataMachineReadableCodeObject(stringValue: $0) }, frames: frames)
    }

    /// Something takes the camera away. Told on a queue of the system's, not on main.
    public func interrupt(_ reason: AVCaptureSession.InterruptionReason) {
        session?.setInterrupted(true)
        post(.AVCaptureSessionWasInterrupted, [AVCaptureSessionInterruptionReasonKey: reason.rawValue])
    }

    /// It is given back; a session that was started goes on by itself.
    public func endInterruption() {
        session?.setInterrupted(false)
        post(.AVCaptureSessionInterruptionEnded, [:])
    }

    /// The session fails and stops.
    public func fail(_ code: AVError.Code) {
        session?.fail()
        post(.AVCaptureSessionRuntimeError, [AVCaptureSessionErrorKey: AVError(code)])
    }

    func attach(_ session: AVCaptureSession) { lock.withLock { state.session = WeakSession(session: session) } }

    func device(_ type: AVCaptureDevice.DeviceType) -> AVCaptureDevice? {
        access().types.contains(type) ? AVCaptureDevice() : nil
    }

    func askPerson(_ answer: @escaping @Sendable (Bool) -> Void) {
        _ = access()
        let isPermitted: Bool = lock.withLock {
            if state.authorization == .notDetermined { state.authorization = state.willPermit ? .authorized : .denied }
            return state.authorization == .authorized
        }
        system.async { answer(isPermitted) }
    }

    private func access() -> State {
        let state = lock.withLock { self.state }
        if !state.usageDescription { AppleDevice.current.raise("the app has no NSCameraUsageDescription") }
        return state
    }

    private func post(_ name: Notification.Name, _ info: [String: any Sendable]) {
        let session = session
        let notice = Notice(notification: Notification(name: name, object: session, userInfo: info))
        system.async { NotificationCenter.default.post(notice.notification) }
    }
}

/// `@unchecked`: made on one thread, posted on another.
private struct Notice: @unchecked Sendable { let notification: Notification }
