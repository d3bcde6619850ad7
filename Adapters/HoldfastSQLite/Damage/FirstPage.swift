import HoldfastDomain

/// Reads a journal whose first page is damaged, by way of a copy that has another's first page.
///
/// That page says where each table begins. In every file that this package has made the tables begin on the same
/// pages, so a new, empty journal's first page fits.
struct FirstPage {
    static let size = 4096

    let bytes: [UInt8]

    /// The first page of a closed, empty journal.
    init(of template: String) throws {
        var bytes = try FileSystem.read(template) { try $0(Self.size) }
        // How many pages the file has; 0 makes SQLite look (https://sqlite.org/fileformat2.html, section 1.3.7).
        if bytes.count == Self.size { bytes.replaceSubrange(28..<32, with: [0, 0, 0, 0]) }
        self.bytes = bytes
    }

    /// Copies a damaged file and the proven frames of its log, and gives the copy this first page.
    func graft(_ damaged: String, onto copy: String) throws {
        try FileSystem.copy(damaged, to: copy, startingWith: bytes)
        try LogFile(of: damaged).copySound(to: LogFile(of: copy))
    }
}

extension Connection {
    /// Opens a damaged file to be read as far as possible, and left as it is.
    convenience init(damaged path: String) throws {
        try self.init(path: path)
        leaveUntouched()
        // Nothing is written; but now SQLite goes on though the file is shorter than it should be.
        try execute("PRAGMA writable_schema = ON")
    }

    /// Whether the tables can be found.
    var hasReadableSchema: Bool {
        // If not, it does not matter why.
        let names = try? column("SELECT name FROM sqlite_master WHERE name = 'queued'") { try $0.text() }
        return names == ["queued"]
    }
}
