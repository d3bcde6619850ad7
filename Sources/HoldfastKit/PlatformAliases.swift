#if os(Linux) && !HOLDFAST_STAND_INS
import HoldfastCurl
import HoldfastLinux

/// Carries requests with this platform's library.
public typealias PlatformTransport = CurlTransport
/// Knows from this platform whether there is a network.
public typealias PlatformConnectivity = NetlinkConnectivity
/// This device's own clocks.
public typealias PlatformClock = SystemClock
#endif
