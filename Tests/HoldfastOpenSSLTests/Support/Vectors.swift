import Foundation
import XCTest

/// Test data that others wrote; it lies beside the package where it is there at all, and is not part of it.
enum Vectors {
    static func folder(_ name: String) throws -> URL {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = package.deletingLastPathComponent().appendingPathComponent("shared/vectors/\(name)")
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw XCTSkip("no vectors at ../shared/vectors/\(name)")
        }
        return folder
    }

    /// Every file of a folder whose name passes, by name.
    static func files(_ name: String, where passes: (String) -> Bool) throws -> [(name: String, bytes: [UInt8])] {
        let folder = try folder(name)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter(passes).sorted().map {
            ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0))))
        }
    }

    /// One file.
    static func bytes(_ folder: String, _ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: try self.folder(folder).appendingPathComponent(name)))
    }
}

extension Vectors {
    /// One JSON file.
    static func decode<Value: Decodable>(_ type: Value.Type, _ folder: String, _ name: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(try bytes(folder, name)))
    }

    /// Base 64 in the alphabet for URLs, without padding.
    static func base64url(_ text: Substring) throws -> [UInt8] {
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padded = standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
        return Array(try XCTUnwrap(Data(base64Encoded: padded)))
    }
}
