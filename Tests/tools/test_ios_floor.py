"""The floor check still finds a seeded violation of each kind, and passes what is allowed."""

import os
import pathlib
import sys
import tempfile
import unittest

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ios_floor")
sys.path.insert(0, FOLDER)
import availability
import denied
import syntax
from package import Package
from swift_text import code_only, holds_on_ios, on_ios

MANIFEST = """// swift-tools-version: 5.9
import PackageDescription
let package = Package(name: "Seeded", platforms: [.iOS(.v15)], products: [
    .library(name: "Bad", targets: ["Bad"]), .library(name: "Clean", targets: ["Clean"]),
], targets: [
    .target(name: "Framework", path: "Fixtures/Framework"),
    .target(name: "Bad", dependencies: ["Framework"]), .target(name: "Clean", dependencies: ["Framework"]),
])
"""
FRAMEWORK = """
@available(iOS 13.0, *) public func old() {}
@available(iOS 17.0, *) public func new() {}
"""
BAD = {  # each is one line, and one finding at least
    "a sleep for a Duration": "func a() async throws { try await Task.sleep(for: .seconds(1)) }",
    "a clock": "let b = ContinuousClock()",
    "a lock of Synchronization": "import Synchronization\nfunc c() { _ = Mutex(1) }",
    "a parameterised existential that needs the runtime": "protocol P<X> { associatedtype X }\nfunc d() { _ = [any P<Int>]() }",
    "a method of Foundation": "import Foundation\nfunc e(_ url: URL) -> URL { url.appending(path: \"x\") }",
    "a member of Locale": "import Foundation\nlet f = Locale.current.region",
    "a regex": "func g(_ text: String) { _ = text.firstMatch(of: try! Regex(\"a\")) }",
    "a discarding task group": "func h() async { await withDiscardingTaskGroup { _ in } }",
    "a generic type over a pack": "struct I<each T> {}\nfunc i() { _ = I<Int>.self as Any }",
    "a declaration of the package's own": "@available(iOS 16.0, *) func later() {}\nfunc j() { later() }",
    "a symbol of a stand-in": "import Framework\nfunc k() { new() }",
    "an executor of newer jobs": "final class L: SerialExecutor {\n    func enqueue(_ job: consuming ExecutorJob) {}\n}",
}
CLEAN = """
import Foundation
import Framework
func a() async throws { try await Task.sleep(nanoseconds: 1) }
func b() async throws { if #available(iOS 16, *) { try await Task.sleep(for: .seconds(1)) } }
@available(iOS 17, *) func c() { new() }
func d() { old(); _ = AsyncStream<Int>.makeStream() }
func e(_ lock: NSLock) { lock.withLock {} }
let f = URL(fileURLWithPath: "/").appendingPathComponent("x")
"""
DENIED = {
    "import Glibc": 1, "import struct FoundationNetworking.URLRequest": 1, "@preconcurrency import Synchronization": 1,
    "let a = Process()": 1, "let a = Host.current()": 1, "FileManager.default.homeDirectoryForCurrentUser": 1,
    "clock_gettime(CLOCK_BOOTTIME, &time)": 1, "let fd = epoll_create1(0)": 1, "fdatasync(fd)": 1, "fork()": 1,
}
NOT_DENIED = [
    "#if canImport(Glibc)\nimport Glibc\n#else\nimport Darwin\n#endif",
    "#if os(Linux)\nlet a = Process()\n#endif", "#if !os(iOS) && !os(tvOS)\nfork()\n#endif",
    "// Process() is macOS's", "let a = \"Process()\"", "struct Processing {}", "let process = MyProcess()",
    "self.system(a)", "func system(_ a: Int) {}", "/* nested /* fork() */ fork() */",
]
TOO_NEW = [
    "f(1, 2,)", "f(\n    1,\n    2,\n)", "func f(a: Int,) {}", "let a: Array<Int,>", "func f() throws(E) {}",
    "do throws(E) {}", "func f(_ a: sending A) {}", "func f() -> sending A", "f(#isolation)", "struct A<T: ~Copyable> {}",
    "extension A where T: ~Copyable {}", "protocol P: ~Copyable {}", "nonisolated(unsafe) var a = 1",
    "nonisolated(nonsending) func f() async {}", "nonisolated struct A {}", "@concurrent func f() async {}",
    "isolated deinit {}", "let f: @isolated(any) () -> Void", "extension A: @retroactive B {}",
    "extension A: @preconcurrency B {}", "public import Foundation", "let a: any AsyncSequence<Int, Never>",
    "await withTaskGroup { group in }", "Task(name: \"a\") {}", "a.count(where: { $0 })", "let a: [3 of Int]",
    "let a: InlineArray<3, Int>", "for a in repeat each b {}", "func `a b`() {}", "@Test func a() {}",
]
OLD_ENOUGH = [
    "let a = [1, 2,]", "let a = [\n    1,\n    2,\n]", "let a = [1: 2,]", "struct A: ~Copyable {}",
    "public struct A: ~Copyable {}", "nonisolated func f() {}", "nonisolated let a = 1", "@preconcurrency import A",
    "@_exported import A", "func f() throws -> Int", "let sending = 1",
    "f(a: sending)", "let a: sending", "a.count", "func `default`() {}",
    "await withTaskGroup(of: Int.self) { _ in }", "Task {}", "// f(1,)", "let a = \"f(1,)\"", "package func f() {}",
    "let a = \"\"\"\n  f(1,)\n  \"\"\"", "let a = #\"f(1,\"),\"#", "if a, b {}", "let a = if b { 1 } else { 2 }",
]


class AvailabilityTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name)
        files = {"Package.swift": MANIFEST, "Fixtures/Framework/Framework.swift": FRAMEWORK, "Sources/Clean/Clean.swift": CLEAN}
        for number, line in enumerate(BAD.values()):
            files[f"Sources/Bad/Bad{number}.swift"] = line
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content)
        cls.package = Package(root.resolve())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_finds_each_seeded_violation(self):
        findings, _ = availability.check(self.package, ["Bad"], "15.0")
        for number, kind in enumerate(BAD):
            self.assertTrue(any(f"Bad{number}.swift:" in finding for finding in findings), kind)

    def test_passes_what_is_as_old_or_guarded(self):
        self.assertEqual(availability.check(self.package, ["Clean"], "15.0"), ([], []))

    def test_what_does_not_compile_is_said_not_passed(self):
        file = self.package.root / "Sources/Clean/Broken.swift"
        file.write_text("let a: Nothing = 1")
        try:
            package = Package(self.package.root)
            findings, unchecked = availability.check(package, ["Clean"], "15.0")
            self.assertEqual((findings, len(unchecked)), ([], 1))
        finally:
            file.unlink()

    def test_libraries_are_found_without_stand_ins(self):
        self.assertEqual(sorted(self.package.apple_libraries()), ["Bad", "Clean"])


class TextTests(unittest.TestCase):
    def test_denied(self):
        for line, count in DENIED.items():
            self.assertEqual(len(denied.check(line)), count, line)
        for line in NOT_DENIED:
            self.assertEqual(denied.check(line), [], line)

    def test_syntax(self):
        for line in TOO_NEW:
            self.assertEqual(len(syntax.check(line)), 1, line)
        for line in OLD_ENOUGH:
            self.assertEqual(syntax.check(line), [], line)

    def test_tells_the_line(self):
        self.assertEqual(denied.check("// one\n\nlet a = Process()"), [(3, "iOS has no Process")])
        self.assertEqual(syntax.check("f(\n    1,\n)")[0][0], 2)

    def test_what_is_no_code_is_blanked(self):
        for source in ('a "b\"c" d', 'a """\nb "c" \n""" d', 'a #"b"c"# d', "a // b\nc", "a /* b /* c */ d */ e", 'a "b'):
            self.assertEqual(len(code_only(source)), len(source))
            self.assertNotIn("b", code_only(source))

    def test_conditions(self):
        for condition, holds in {
            "os(iOS)": True, "os(Linux)": False, "!os(Linux)": True, "os(iOS) || os(macOS)": True, "canImport(UIKit)": True,
            "canImport(Glibc)": False, "canImport(AVFoundation) && !os(macOS)": True, "DEBUG": True, "swift(>=5.9)": True,
            "canImport(Darwin) || canImport(AppleFoundation)": True, "(os(Linux) || os(Windows)) && DEBUG": False,
        }.items():
            self.assertEqual(holds_on_ios(condition), holds, condition)
        branches = on_ios("#if os(Linux)\na\n#elseif os(iOS)\nb\n#else\nc\n#endif\nd")
        self.assertEqual(branches.split(), ["b", "d"])


if __name__ == "__main__":
    unittest.main()
