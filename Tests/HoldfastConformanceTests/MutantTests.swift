import XCTest

final class MutantTests: XCTestCase {}
