#if canImport(CryptoKit)
// The scanner, the background tasks and the lifecycle are the app's to hold.
@_exported import HoldfastApple
#endif
