import HoldfastDomain
import XCTest

final class EntryIDTests: XCTestCase {
    func testTextIsLowerCaseAndReadingTakesEitherCase() {
        let id = EntryID(high: 0x0123_4567_89ab_4def, low: 0x8123_4567_89ab_cdef)
        XCTAssertEqual(id.description, "01234567-89ab-4def-8123-456789abcdef")
        XCTAssertEqual(EntryID(id.description.uppercased()), id)
        XCTAssertEqual(EntryID(bytes: id.bytes), id)
    }

    func testAnythingElseIsRefused() {
        for text in [
            "", "0123456789ab4def8123456789abcdef", "01234567-89ab-4def-8123-456789abcde",
            "01234567-89ab-4def-8123-456789abcdef0", "g1234567-89ab-4def-8123-456789abcdef",
            "01234567-89ab-4def-8123-456789abcdeé", "0123-456789ab-4def-8123-456789abcdef",
        ] {
            XCTAssertNil(EntryID(text), text)
        }
    }
}
