import Foundation
import XCTest

@testable import HoldfastSQLite

/// Where a table's pages lie in a closed file (https://sqlite.org/fileformat2.html, section 1.6).
enum Pages {
    static let size = 4096

    /// The numbers of a table's leaves, in order, and of the pages above them, the root first.
    static func of(_ table: String, in path: String) throws -> (leaves: [Int], inner: [Int]) {
        let connection = try Connection(path: path)
        let root = try connection.column("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'") {
            Int(try $0.number())
        }
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var pages: (leaves: [Int], inner: [Int]) = ([], [])
        func number(_ offset: Int, _ count: Int) -> Int {
            file[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        func visit(_ page: Int) {
            let start = (page - 1) * size
            guard file[start] == 5 else { return pages.leaves.append(page) }
            pages.inner.append(page)
            for cell in 0..<number(start + 3, 2) { visit(number(start + number(start + 12 + 2 * cell, 2), 4)) }
            visit(number(start + 8, 4))
        }
        root.forEach(visit)
        return pages
    }

    /// The page of a closed file that holds these bytes.
    static func holding(_ bytes: [UInt8], in path: String) throws -> Int {
        let range = try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(bytes))
        return try XCTUnwrap(range, "no page holds them").lowerBound / size + 1
    }

    /// Overwrites pages with bytes that no page has.
    static func overwrite(_ pages: [Int], in path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        for page in pages {
            try file.seek(toOffset: UInt64((page - 1) * size))
            file.write(Data(repeating: 0xaa, count: size))
        }
        try file.close()
    }
}
