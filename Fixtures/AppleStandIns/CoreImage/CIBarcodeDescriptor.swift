import Foundation

/// A stand-in for what Core Image knows of a code.
@available(iOS 11.0, macOS 10.13, *)
open class CIBarcodeDescriptor: NSObject {}

/// A QR code, before its segments are read.
@available(iOS 11.0, macOS 10.13, *)
public final class CIQRCodeDescriptor: CIBarcodeDescriptor {
    /// The data codewords, errors corrected.
    public let errorCorrectedPayload: Data
    /// The size of the symbol, 1 to 40.
    public let symbolVersion: Int

    public init(payload: Data, symbolVersion: Int) {
        errorCorrectedPayload = payload
        self.symbolVersion = symbolVersion
    }
}
