import Foundation

/// The counts of run lines that a program writes as it ends, while coverage is measured. One that is killed as it
/// writes leaves half a file, over which `llvm-profdata merge` refuses all others; so each program writes into a folder
/// of its own, and only what was written to its end joins the rest.
enum LineCounts {
    // Where the test run wants them; the variable is clang's ("Source-based Code Coverage").
    private static let variable = "LLVM_PROFILE_FILE"
    private static let wanted = ProcessInfo.processInfo.environment[variable]

    /// The tests' own environment, with the counts going to `folder`.
    static func environment(writingTo folder: Folder) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        if wanted != nil { environment[variable] = folder.path("%p.profraw") }
        return environment
    }

    /// Takes what a program that has ended by itself has written to `folder`.
    static func collect(from folder: Folder) throws {
        guard let wanted else { return }
        let all = URL(fileURLWithPath: wanted).deletingLastPathComponent()
        for file in try folder.files(ending: ".profraw") {
            try FileManager.default.moveItem(at: file, to: all.appendingPathComponent("\(UUID().uuidString).profraw"))
        }
    }
}
