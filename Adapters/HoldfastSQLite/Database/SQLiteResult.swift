import CHoldfastSQLite
import HoldfastDomain

extension QueueStoreError {
    /// What one of SQLite's (extended) result codes means to a journal (https://sqlite.org/rescode.html).
    init(sqlite code: Int32) {
        let kind: Code
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: kind = .busy
        case SQLITE_FULL: kind = .full
        case SQLITE_READONLY: kind = .readOnly
        case SQLITE_IOERR: kind = .inputOutput
        case SQLITE_CANTOPEN, SQLITE_PERM: kind = .cannotOpen
        case SQLITE_CORRUPT, SQLITE_NOTADB: kind = .corrupt
        default: kind = .libraryFailure
        }
        self.init(kind, platformCode: Int(code))
    }
}
