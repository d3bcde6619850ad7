/// A stand-in for CryptoKit's errors.
@available(iOS 13.0, macOS 10.15, *)
public enum CryptoKitError: Error {
    /// The key has a size the algorithm does not take.
    case incorrectKeySize
    /// A parameter has a size the algorithm does not take.
    case incorrectParameterSize
    /// The tag does not match.
    case authenticationFailure
    /// The library underneath failed.
    case underlyingCoreCryptoError(error: Int32)
    /// A key could not be wrapped.
    case wrapFailure
    /// A key could not be unwrapped.
    case unwrapFailure
    /// A parameter is out of its range.
    case invalidParameter
}
