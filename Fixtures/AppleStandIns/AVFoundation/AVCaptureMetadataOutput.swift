import AppleDevice
@_exported import CoreImage
import Foundation

/// A stand-in for something seen in a frame.
@available(iOS 6.0, *)
open class AVMetadataObject: NSObject {
    /// What kind of thing.
    public struct ObjectType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        @available(iOS 7.0, *)
        public static let qr = ObjectType(rawValue: "org.iso.QRCode")
        public static let face = ObjectType(rawValue: "face")
    }
    public let type: ObjectType
    init(_ type: ObjectType) { self.type = type }
}

/// A code seen in a frame. Nothing but an output makes one.
@available(iOS 7.0, *)
public final class AVMetadataMachineReadableCodeObject: AVMetadataObject {
    /// Its text; nil if its bytes are none.
    public let stringValue: String?
    /// What is known of it before it is text.
    @available(iOS 11.0, *)
    public var descriptor: CIBarcodeDescriptor? { heldDescriptor }
    private let heldDescriptor: CIBarcodeDescriptor?

    @_spi(StandIn)
    public init(stringValue: String?, descriptor: CIBarcodeDescriptor? = nil) {
        self.stringValue = stringValue
        heldDescriptor = descriptor
        super.init(.qr)
    }
}

/// Who is told what is seen. Optional in Objective-C; a near miss of its name would never be called.
@available(iOS 6.0, *)
public protocol AVCaptureMetadataOutputObjectsDelegate: NSObjectProtocol {
    func metadataOutput(
        _ output: AVCaptureMetadataOutput,
        didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection
    )
}

extension AVCaptureMetadataOutputObjectsDelegate {
    public func metadataOutput(
        _ output: AVCaptureMetadataOutput,
        didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection
    ) {}
}

/// A stand-in for the output that reads codes.
@available(iOS 6.0, *)
public final class AVCaptureMetadataOutput: AVCaptureOutput {
    private weak var delegate: (any AVCaptureMetadataOutputObjectsDelegate)?
    private var queue: DispatchQueue?
    private var types: [AVMetadataObject.ObjectType] = []

    public override init() {}

    /// The queue must be serial.
    public func setMetadataObjectsDelegate(
        _ objectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)?,
        queue objectsCallbackQueue: DispatchQueue?
    ) {
        if objectsDelegate != nil, objectsCallbackQueue == nil {
            AppleDevice.current.raise("NSInvalidArgumentException: a delegate needs a queue")
        }
        (delegate, queue) = (objectsDelegate, objectsCallbackQueue)
    }

    /// Empty until the output is in a session with a camera.
    public var availableMetadataObjectTypes: [AVMetadataObject.ObjectType] {
        session?.hasCamera == true ? StandInCamera.current.readable : []
    }

    /// What to look for.
    public var metadataObjectTypes: [AVMetadataObject.ObjectType]! {
        get { types }
        set {
            guard newValue.allSatisfy(availableMetadataObjectTypes.contains) else {
                return AppleDevice.current.raise("NSInvalidArgumentException: unsupported type in metadataObjectTypes")
            }
            types = newValue
        }
    }

    /// Where to look: 0 to 1, in the sensor's landscape, origin at its top left.
    @available(iOS 7.0, *)
    public var rectOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)

    /// Whether there was something to tell, and somebody to be told.
    func deliver(_ objects: [AVMetadataObject]) -> Bool {
        let frame = Frame(output: self, delegate: delegate, objects: objects.filter { types.contains($0.type) })
        guard let queue, frame.delegate != nil, !frame.objects.isEmpty else { return false }
        queue.async { frame.deliver() }
        return true
    }
}

/// `@unchecked`: made on one thread, used on the output's queue.
private struct Frame: @unchecked Sendable {
    let output: AVCaptureMetadataOutput
    let delegate: (any AVCaptureMetadataOutputObjectsDelegate)?
    let objects: [AVMetadataObject]

    func deliver() { delegate?.metadataOutput(output, didOutput: objects, from: AVCaptureConnection()) }
}
