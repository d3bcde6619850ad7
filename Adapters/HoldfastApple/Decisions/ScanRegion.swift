/// A part of the camera's picture, from 0 to 1 in the sensor's landscape orientation, origin at its top left.
///
/// What a person sees is turned and cropped; `AVCaptureVideoPreviewLayer.metadataOutputRectConverted(fromLayerRect:)`
/// converts from it while the camera runs.
public struct ScanRegion: Hashable, Sendable {
    /// The left edge.
    public let x: Double
    /// The top edge.
    public let y: Double
    /// The width.
    public let width: Double
    /// The height.
    public let height: Double

    /// The whole picture.
    public static let all = ScanRegion(x: 0, y: 0, width: 1, height: 1)

    /// The part of this rectangle that is in the picture; the whole picture where nothing of it is, or where a number
    /// is none.
    public init(x: Double, y: Double, width: Double, height: Double) {
        let numbers = [x, y, width, height]
        let (left, top) = (max(0, x), max(0, y))
        let (right, bottom) = (min(1, x + width), min(1, y + height))
        guard numbers.allSatisfy(\.isFinite), right > left, bottom > top else {
            (self.x, self.y, self.width, self.height) = (0, 0, 1, 1)
            return
        }
        (self.x, self.y, self.width, self.height) = (left, top, right - left, bottom - top)
    }
}
