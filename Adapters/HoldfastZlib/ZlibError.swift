import CHoldfastZlib
import HoldfastDomain

extension CompressionError {
    /// The failure of a zlib call.
    init(zlib code: Int32) { self.init(platformCode: Int(code)) }
}
