import HoldfastDomain

/// The promises of one port, as checks that any adapter of it can be put through.
///
/// The library imports no test framework; a test asks for nothing to be broken:
///
/// ```swift
/// func testKeepsThePromises() async {
///     let broken = await Conformance.payloadCipher.run { try OpenSSLCipher() }
///     XCTAssertEqual(broken, [])
/// }
/// ```
public struct ConformanceSuite<Subject: Sendable>: Sendable {
    /// One promise.
    public struct Check: Sendable {
        /// Its name, as in the port's documentation.
        public let name: String
        let body: @Sendable (Subject) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
            self.name = name
            self.body = body
        }

        /// Puts an adapter to this one check. The adapter should be fresh: a check may leave something behind.
        ///
        /// - Throws: `ConformanceFailure` if the promise was broken.
        public func run(on subject: Subject) async throws {
            do {
                try await body(subject)
            } catch let broken as Broken {
                throw ConformanceFailure(name, broken.detail)
            } catch {
                throw ConformanceFailure(name, "threw \(error)")
            }
        }
    }

    /// The promises, in the order of the port's documentation.
    public let checks: [Check]

    init(_ checks: [Check]) { self.checks = checks }

    /// Puts a fresh adapter to each check.
    ///
    /// - Returns: The promises that were broken; empty if the adapter keeps them all.
    public func run(on make: @Sendable () async throws -> Subject) async -> [ConformanceFailure] {
        var failures: [ConformanceFailure] = []
        for check in checks {
            do {
                try await check.run(on: try await make())
            } catch let failure as ConformanceFailure {
                failures.append(failure)
            } catch {
                failures.append(ConformanceFailure(check.name, "no adapter could be made: \(error)"))
            }
        }
        return failures
    }
}

/// Every suite, one for each port.
public enum Conformance {}

/// What a check throws; the suite adds which check it was.
struct Broken: Error {
    let detail: String
}

/// Holds a promise to what was seen.
func promise(_ isKept: Bool, _ detail: @autoclosure () -> String) throws {
    if !isKept { throw Broken(detail: detail()) }
}

/// Holds a promise that `body` throws an error that fits.
func promise<Failure: Error>(
    throwing kind: Failure.Type,
    where fits: (Failure) -> Bool = { _ in true },
    _ detail: @autoclosure () -> String,
    from body: () async throws -> some Any
) async throws {
    let outcome: String
    do {
        _ = try await body()
        outcome = "nothing was thrown"
    } catch let error as Failure where fits(error) {
        return
    } catch {
        outcome = "threw \(error)"
    }
    throw Broken(detail: "\(detail()): \(outcome)")
}

/// Whether `part` occurs in `text`; the standard library's own search needs iOS 16.
func occurs(_ part: String, in text: String) -> Bool {
    let (part, text) = (Array(part.utf8), Array(text.utf8))
    return text.indices.contains { text[$0...].starts(with: part) }
}
