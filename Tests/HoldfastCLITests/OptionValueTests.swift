import HoldfastDomain
import XCTest

@testable import HoldfastCLI

final class OptionValueTests: XCTestCase {
    private let syntax = CommandSyntax(
        name: "try",
        summary: "Tries.",
        options: [.init("--to", "URL", "where"), .init("--presence", "S", "how long")]
    )

    private func interval(_ text: String) throws -> Interval? {
        try Arguments(["--presence=\(text)"], for: syntax).interval("--presence")
    }

    func testSecondsAreDecimalDigits() throws {
        let good: [(String, Int64)] = [
            ("0", 0), ("3", 3000), ("007", 7000), ("0.25", 250), ("1.5", 1500), ("2.0009", 2000), ("0.001", 1),
            ("31536000", 31_536_000_000),
        ]
        for (text, milliseconds) in good { XCTAssertEqual(try interval(text), .milliseconds(milliseconds), text) }
        for text in [
            "", "0x10", "0b1", "0o7", "1e3", "1E3", "+1", "-1", "-0", " 1", "1 ", "1.", ".5", "1.5.0", "1,5", "1_000",
            "nan", "inf", "infinity", "٣", "31536000.001", "31536001", "9223372036854775808", "0.1234567890", "1s",
        ] {
            XCTAssertThrowsError(try interval(text), text) {
                XCTAssertEqual($0 as? UsageError, UsageError("--presence is not a number of seconds"))
            }
        }
    }

    func testASchemeHasNoCase() throws {
        for text in ["http://h", "HTTP://h", "Https://h/p", "hTTpS://h"] {
            XCTAssertEqual(try Arguments(["--to", text], for: syntax).url("--to"), text)
        }
        for text in ["", "http:/h", "http", "ftp://h", "xhttp://h", " http://h", "HTTPS:h"] {
            XCTAssertThrowsError(try Arguments(["--to", text], for: syntax).url("--to"), text)
        }
    }
}
