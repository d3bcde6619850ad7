import Glibc

/// The kernel's small text files.
enum TextFile {
    /// The first line, without the spaces around it; nil if the file cannot be read.
    static func firstLine(of path: String) -> String? {
        guard let file = try? Descriptor(open(path, O_RDONLY | O_CLOEXEC)), let bytes = try? file.readAll(upTo: 4096)
        else { return nil }
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
