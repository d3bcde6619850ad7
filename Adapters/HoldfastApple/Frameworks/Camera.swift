#if canImport(AVFoundation) && !os(macOS)
import AVFoundation
import CoreImage
import Foundation

/// The capture session and what is plugged into it. Used on one serial queue only, for it blocks and is not thread-safe.
/// `@unchecked`: its owner calls it on that queue; `session` itself never changes.
final class Camera: @unchecked Sendable {
    let session = AVCaptureSession()
    private let output = AVCaptureMetadataOutput()
    private var device: AVCaptureDevice?
    private var region = ScanRegion.all

    /// Whether the camera may be used.
    static var permission: CameraPermission {
        CameraPermission(status: AVCaptureDevice.authorizationStatus(for: .video).rawValue)
    }

    /// Asks the person, once in the life of an installation; later the answer comes at once.
    static func askPermission() async -> Bool {
        await withCheckedContinuation { continuation in
            AVCaptureDevice.requestAccess(for: .video) { continuation.resume(returning: $0) }
        }
    }

    /// Plugs the back camera and the reader together. The order matters: types can be chosen only of an output that is
    /// in a session with a camera, and setting another type ends the process.
    func setUp(reader: any AVCaptureMetadataOutputObjectsDelegate, on queue: DispatchQueue) -> ScannerMachine.SetUp {
        guard let device = Self.backCamera else { return .noCamera }
        let input: AVCaptureDeviceInput
        do { input = try AVCaptureDeviceInput(device: device) } catch {
            return .failed((error as? AVError)?.code.rawValue ?? (error as NSError).code)
        }
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        if session.canSetSessionPreset(.hd1280x720) { session.sessionPreset = .hd1280x720 }
        guard session.canAddInput(input), session.canAddOutput(output) else { return .failed(0) }
        session.addInput(input)
        session.addOutput(output)
        output.setMetadataObjectsDelegate(reader, queue: queue)
        guard output.availableMetadataObjectTypes.contains(.qr) else {
            session.removeInput(input)  // so that the next start finds it as it was
            session.removeOutput(output)
            return .failed(0)
        }
        output.metadataObjectTypes = [.qr]
        self.device = device
        setRegion(region)
        return .done
    }

    /// Blocks until frames come; nothing to a session that runs.
    func start() {
        if !session.isRunning { session.startRunning() }
    }

    /// Blocks until no more frames come.
    func stop() {
        if session.isRunning || session.isInterrupted { session.stopRunning() }
    }

    func setTorch(_ isOn: Bool) -> Bool {
        guard let device, device.hasTorch, device.isTorchAvailable else { return !isOn }
        // Another app may hold the camera; the light is then as it was, and the answer says so.
        guard (try? device.lockForConfiguration()) != nil else { return false }
        device.torchMode = isOn ? .on : .off
        device.unlockForConfiguration()
        return true
    }

    func setRegion(_ region: ScanRegion) {
        self.region = region
        output.rectOfInterest = CGRect(x: region.x, y: region.y, width: region.width, height: region.height)
    }

    /// The back camera that reads small codes best: newer devices focus near only by their combined cameras.
    private static var backCamera: AVCaptureDevice? {
        let types: [AVCaptureDevice.DeviceType] = [
            .builtInTripleCamera, .builtInDualWideCamera, .builtInWideAngleCamera,
        ]
        return types.lazy.compactMap { AVCaptureDevice.default($0, for: .video, position: .back) }.first
    }
}

/// What a notice of a session says.
/// `@unchecked`: it holds numbers and errors, which nobody changes.
struct SessionNotice: @unchecked Sendable {
    let info: [AnyHashable: Any]
}
#endif
