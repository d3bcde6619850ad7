#if canImport(AVFoundation) && !os(macOS)
import AVFoundation
import Foundation
import HoldfastDomain

/// Reads QR codes with the camera.
///
/// ```swift
/// let scanner = CameraScanner()
/// guard await scanner.start() == .scanning else { return }    // the state says why not
/// for await reading in scanner.readings {
///     show(await gate.admit(reading))
/// }
/// ```
///
/// A code in view is read in every frame, 10 to 30 times a second, and each reading is passed on: the gate tells a
/// showing from its repeats, and needs to see them to know when a code has left the view. A listener that lags gets the
/// newest readings. Interruptions (a call, another app, heat) end by themselves and show in `state`; no state of the
/// camera is an error that a host must handle to go on.
///
/// Everything is done on one serial queue of its own; call it from any thread. For a picture on screen give `session` to
/// an `AVCaptureVideoPreviewLayer`.
/// `@unchecked`: the machine, the camera and the observers are touched on the queue only.
public final class CameraScanner: NSObject, @unchecked Sendable {
    private let queue = DispatchQueue(label: "holdfast.camera", qos: .userInitiated)
    private let camera = Camera()
    private let center: NotificationCenter
    private let hasUsageDescription: Bool
    private let status = ChangeBroadcast(ScannerState.stopped)
    private let feed = ReadingFeed()
    private var machine = ScannerMachine()
    private var observers: [any NSObjectProtocol] = []

    /// A scanner that does not touch the camera before `start()`.
    public override convenience init() {
        let purpose = Bundle.main.object(forInfoDictionaryKey: "NSCameraUsageDescription") as? String
        self.init(hasUsageDescription: purpose?.isEmpty == false, center: .default)
    }

    package init(hasUsageDescription: Bool, center: NotificationCenter) {
        self.hasUsageDescription = hasUsageDescription
        self.center = center
        super.init()
        observe(.AVCaptureSessionWasInterrupted) { scanner, info in
            let reason = info[AVCaptureSessionInterruptionReasonKey] as? Int ?? 0
            return scanner.machine.interrupted(ScannerState.Interruption(reason: reason))
        }
        observe(.AVCaptureSessionInterruptionEnded) { scanner, _ in scanner.machine.interruptionEnded() }
        observe(.AVCaptureSessionRuntimeError) { scanner, info in
            scanner.machine.failed((info[AVCaptureSessionErrorKey] as? AVError)?.code.rawValue ?? 0)
        }
    }

    deinit {
        for observer in observers { center.removeObserver(observer) }
        // The session must not be stopped on the thread that drops the last reference, which may be the main one.
        queue.async { [camera] in camera.stop() }
    }

    /// What the camera sees from now on, reading by reading. Each call gives a stream of its own, which goes on through
    /// stops and interruptions and ends with the scanner.
    public var readings: AsyncStream<ScanReading> { feed.readings() }

    /// What the scanner does now, or why it does nothing.
    public var state: ScannerState { status.current }

    /// Every change of `state` from now on.
    public var states: AsyncStream<ScannerState> { status.changes() }

    /// The capture session, for a preview layer. Nothing else should be done with it.
    public var session: AVCaptureSession { camera.session }

    /// Starts reading; asks the person first, if nobody has.
    ///
    /// - Returns: `.scanning`, or why not.
    @discardableResult
    public func start() async -> ScannerState {
        // Without a usage description even the question for the permission ends the process.
        let permission = hasUsageDescription ? Camera.permission : .denied
        let isAsking = await onQueue { [self] in
            let step = machine.start(permission, hasUsageDescription: hasUsageDescription)
            perform(step)
            return step == .ask
        }
        if isAsking {
            let isPermitted = await Camera.askPermission()
            await onQueue { [self] in perform(machine.answered(isPermitted: isPermitted)) }
        }
        return state
    }

    /// Stops reading; when it returns no more readings come.
    public func stop() async {
        await onQueue { [self] in perform(machine.stop()) }
    }

    /// Switches the light. It goes out when the scanner stops.
    ///
    /// - Returns: Whether the light is as asked for; false where there is none, or it is too hot.
    @discardableResult
    public func setTorch(_ isOn: Bool) async -> Bool { await onQueue { [camera] in camera.setTorch(isOn) } }

    /// Reads codes in a part of the picture only.
    public func setRegion(_ region: ScanRegion) async { await onQueue { [camera] in camera.setRegion(region) } }

    /// Does a step and those that follow from it. On the queue.
    private func perform(_ step: ScannerMachine.Step) {
        status.send(machine.state)
        switch step {
        case .nothing, .ask: break
        case .setUp: perform(machine.setUp(camera.setUp(reader: self, on: queue)))
        case .run:
            camera.start()
            machine.started()
            status.send(machine.state)
        case .halt: camera.stop()
        }
    }

    private func observe(
        _ name: Notification.Name,
        _ answer: @escaping @Sendable (CameraScanner, [AnyHashable: Any]) -> ScannerMachine.Step
    ) {
        // Posted on any thread. What is in the notice is taken out there, for a notice must not change threads.
        observers.append(
            center.addObserver(forName: name, object: camera.session, queue: nil) { [weak self] notice in
                let facts = SessionNotice(info: notice.userInfo ?? [:])
                self?.queue.async { [weak self] in
                    guard let self else { return }
                    perform(answer(self, facts.info))
                }
            }
        )
    }

    private func onQueue<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}

extension CameraScanner: AVCaptureMetadataOutputObjectsDelegate {
    /// Called for each frame in which a code is seen, on the queue.
    public func metadataOutput(
        _ output: AVCaptureMetadataOutput,
        didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection
    ) {
        guard machine.isReading else { return }
        for case let code as AVMetadataMachineReadableCodeObject in metadataObjects where code.type == .qr {
            let descriptor = code.descriptor as? CIQRCodeDescriptor
            let bytes = QRContent.bytes(
                text: code.stringValue,
                codewords: descriptor.map { Array($0.errorCorrectedPayload) },
                version: descriptor?.symbolVersion ?? 1
            )
            if let bytes { feed.send(ScanReading(bytes: bytes)) }
        }
    }
}
#endif
