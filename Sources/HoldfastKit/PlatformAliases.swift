#if os(Linux)
import HoldfastCurl
import HoldfastLinux

/// Carries requests with this platform's library.
public typealias PlatformTransport = CurlTransport
/// This device's own clocks.
public typealias PlatformClock = SystemClock
#endif
