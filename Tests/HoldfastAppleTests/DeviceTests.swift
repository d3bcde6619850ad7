import Foundation
import HoldfastConformance
import HoldfastDomain
import XCTest

@testable import HoldfastApple

final class DeviceTests: XCTestCase {
    private func temporaryFolder() -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
        addTeardownBlock { try? FileManager.default.removeItem(at: folder) }  // left over, it harms nobody
        return folder
    }

    func testRandomKeepsItsPromises() async {
        let broken = await Conformance.randomSource.run { AppleRandom() }
        XCTAssertEqual(broken, [])
        XCTAssertEqual(AppleRandom().bytes(-1), [])
        for count in 0..<20 { XCTAssertEqual(AppleRandom().bytes(count).count, count) }
    }

    func testCalendarKeepsItsPromisesAndKnowsTheZones() async {
        var broken = await Conformance.civilCalendar.run { FoundationCalendar() }
        broken += await Conformance.civilCalendarZones.run { FoundationCalendar() }
        XCTAssertEqual(broken, [])
    }

    func testAFolderIsMadeAndCanBePreparedAgain() throws {
        let folder = temporaryFolder().appendingPathComponent("deep/er")
        try DataDirectory.prepare(folder)
        try Data([1]).write(to: folder.appendingPathComponent("file"))
        let again = try DataDirectory.prepare(folder)
        XCTAssertEqual(again.path, folder.path)
        XCTAssertEqual(try Data(contentsOf: folder.appendingPathComponent("file")), Data([1]), "nothing is removed")
    }

    func testEachStartAsksForProtectionThatLetsBackgroundWorkRead() throws {
        /// Takes note of what is asked for; on Linux nothing comes of it.
        /// `@unchecked`: one thread uses it.
        final class Files: FileManager, @unchecked Sendable {
            var asked: [FileAttributeKey: Any] = [:]
            override func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {
                asked = attributes
            }
        }
        let files = Files()
        let folder = try DataDirectory.prepare(temporaryFolder(), with: files)
        let protection = files.asked[.protectionKey] as? FileProtectionType
        XCTAssertEqual(protection?.rawValue, FileProtectionType.completeUntilFirstUserAuthentication.rawValue)
        files.asked = [:]
        _ = try DataDirectory.prepare(folder, with: files)
        XCTAssertEqual(files.asked.count, 1)
    }

    func testAFileInTheWayIsAnErrorAndStays() throws {
        let file = temporaryFolder()
        try Data([1]).write(to: file)
        XCTAssertThrowsError(try DataDirectory.prepare(file.appendingPathComponent("folder"))) {
            XCTAssertEqual(($0 as? QueueStoreError)?.code, .cannotOpen)
            XCTAssertNotNil(($0 as? QueueStoreError)?.platformCode)
        }
        XCTAssertEqual(try Data(contentsOf: file), Data([1]))
    }

    func testAFullDiskIsToldApart() {
        let full = NSError(
            domain: NSCocoaErrorDomain,
            code: 640,
            userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC))]
        )
        XCTAssertEqual(QueueStoreError(directory: full), QueueStoreError(.full, platformCode: Int(ENOSPC)))
        let denied = NSError(domain: NSCocoaErrorDomain, code: 513)
        XCTAssertEqual(QueueStoreError(directory: denied), QueueStoreError(.cannotOpen, platformCode: 513))
    }

    func testABootHasTheSystemsNameOrOneForThisProcess() {
        XCTAssertEqual(BootIdentity.name(session: "0E1D\0\0", process: "p"), "0e1d")
        for missing in [nil, "", "\0", " ", String(repeating: "x", count: 65)] {
            XCTAssertEqual(BootIdentity.name(session: missing, process: "p"), "process-p")
        }
    }

    func testEachEventHasALevelAndALineOfNamesAndNumbers() {
        let levels: [(DiagnosticEvent.Code, DiagnosticLevel)] = [
            (.deliveryFailed, .info), (.vaultUnavailable, .error), (.storeFailed, .error), (.storeSalvaged, .fault),
            (.configurationUnreadable, .error), (.journalLost, .fault), (.secretLost, .fault), (.keysLost, .fault),
            (.entryUndecryptable, .fault), (.recordFailed, .fault), (.entriesDropped, .fault), (.init("new"), .default),
        ]
        for (code, level) in levels { XCTAssertEqual(DiagnosticEvent(code).level, level, code.rawValue) }
        XCTAssertEqual(
            DiagnosticEvent(.storeFailed, count: 2, platformCode: 14).message,
            "store_failed count=2 platform=14"
        )
    }
}
