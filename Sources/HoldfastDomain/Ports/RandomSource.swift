/// Gives unpredictable bytes: for ids, keys, nonces and jitter. Tests seed it.
///
/// It keeps the system's generator out of the domain, so that a test can say what chance does. A source never fails:
/// one that cannot give good randomness must stop the process rather than go on.
///
/// Use `OpenSSLRandom` or `SystemRandom` on Linux, the platform's own on Apple platforms, `SeededRandom` in tests.
/// Write one over a cryptographic generator, never over a clock; it is called from any thread. In a test that needs one
/// draw:
///
/// ```swift
/// struct Repeating: RandomSource {
///     var number: UInt64 = 4
///     func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 % 8 * 8)) } }
///     func next() -> UInt64 { number }
/// }
/// ```
///
/// A source promises, and `Conformance.randomSource` checks, as far as anybody can from outside:
/// - `gives_as_many_as_asked`: none for none.
/// - `does_not_repeat`: neither bytes nor numbers.
/// - `uses_the_whole_range`: every bit and every byte value comes as often as another.
/// - `draws_from_many_threads`: without giving two of them the same.
public protocol RandomSource: Sendable {
    /// `count` random bytes; none if it is below one.
    func bytes(_ count: Int) -> [UInt8]
    /// A random number over the whole range.
    func next() -> UInt64
}

/// A random source as the generator that Swift's own `random(in:using:)` takes.
public struct SourceGenerator: RandomNumberGenerator {
    private let source: any RandomSource
    /// A generator drawing from `source`.
    public init(_ source: any RandomSource) { self.source = source }
    /// The next number.
    public mutating func next() -> UInt64 { source.next() }
}
