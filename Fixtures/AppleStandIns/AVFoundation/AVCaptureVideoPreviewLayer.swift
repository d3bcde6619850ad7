import Foundation
@_exported import QuartzCore

/// How a picture fills its place.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "fill")
}

/// A stand-in for the layer that shows what a session sees.
@available(iOS 4.0, *)
public final class AVCaptureVideoPreviewLayer: CALayer {
    public let session: AVCaptureSession?
    public var videoGravity = AVLayerVideoGravity(rawValue: "fit")
    public init(session: AVCaptureSession) { self.session = session }
}
