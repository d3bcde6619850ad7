// This platform's own adapters under one name each, for code that is built on all of them.
#if os(Linux) && !HOLDFAST_STAND_INS
import HoldfastCurl
import HoldfastLinux

/// Carries requests with this platform's library.
public typealias PlatformTransport = CurlTransport
/// Knows from this platform whether there is a network.
public typealias PlatformConnectivity = NetlinkConnectivity
/// This device's own clocks.
public typealias PlatformClock = SystemClock
#elseif canImport(CryptoKit)
import HoldfastApple

/// Carries requests with this platform's library.
public typealias PlatformTransport = URLSessionTransport
/// Knows from this platform whether there is a network.
public typealias PlatformConnectivity = PathConnectivity
/// This device's own clocks.
public typealias PlatformClock = AppleClock
#endif
