import Foundation
import XCTest

extension Folder {
    /// Runs a shell script; skips the test where it may not be done here.
    func need(_ script: String, _ words: String...) throws {
        let program = try run("/bin/sh", ["-c", script, "sh"] + words)
        guard program.wait() == 0 else { throw XCTSkip("this may not be done here: \(program.errors)") }
    }

    /// Runs statements on an SQLite file, by an implementation of SQLite that is not the package's.
    func alter(_ database: String, _ statements: String...) throws {
        let script = """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as database:
                for statement in sys.argv[2:]: database.execute(statement)
            database.close()
            """
        let program = try run("/usr/bin/env", ["python3", "-c", script, database] + statements)
        XCTAssertEqual(program.wait(), 0, program.errors)
    }

    private func run(_ executable: String, _ arguments: [String]) throws -> Program {
        try Program(URL(fileURLWithPath: executable), arguments, input: Data(), in: self)
    }
}

extension XCTestCase {
    /// Unmounts what a test has mounted, when it is over.
    func unmountAfterwards(_ path: String) {
        addTeardownBlock {
            let unmount = try Process.run(URL(fileURLWithPath: "/bin/umount"), arguments: [path])
            unmount.waitUntilExit()
        }
    }
}
