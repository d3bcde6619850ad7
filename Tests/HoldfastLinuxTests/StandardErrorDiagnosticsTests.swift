import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastLinux

final class StandardErrorDiagnosticsTests: XCTestCase {
    func testOneLineAnEvent() {
        let pipe = Pipe()
        let sink = StandardErrorDiagnostics(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        sink.record(DiagnosticEvent(.storeFailed, platformCode: 13))
        sink.record(DiagnosticEvent(.entriesDropped, count: 40))
        XCTAssertEqual(
            String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self),
            "holdfast: store_failed count=1 code=13\nholdfast: entries_dropped count=40\n"
        )
    }
}
