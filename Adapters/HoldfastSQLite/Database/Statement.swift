import CHoldfastSQLite
import HoldfastDomain

/// One prepared statement: the owner of its handle. Used by one thread at a time.
///
/// It is reset after each use, so that no statement is left stepped: a stepped one keeps a lock on the file, and iOS
/// kills an app that is suspended with a lock.
final class Statement {
    private let handle: OpaquePointer
    private let database: OpaquePointer

    init(_ sql: String, in database: OpaquePointer) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw QueueStoreError(sqlite: code == SQLITE_OK ? SQLITE_MISUSE : sqlite3_extended_errcode(database))
        }
        self.handle = handle
        self.database = database
    }

    // The code of the last step, which was thrown already.
    deinit { sqlite3_finalize(handle) }

    /// Binds, then reads row after row until `read` returns false or no row is left.
    func rows(_ bind: (inout Bindings) -> Void, _ read: (inout Row) throws -> Bool) throws {
        var bindings = Bindings(handle)
        bind(&bindings)
        // Both return the code of what failed before, which has been thrown by then.
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        guard bindings.result == SQLITE_OK else { throw QueueStoreError(sqlite: bindings.result) }
        while true {
            let code = sqlite3_step(handle)
            guard code == SQLITE_ROW else {
                if code == SQLITE_DONE { return }
                throw QueueStoreError(sqlite: sqlite3_extended_errcode(database))
            }
            var row = Row(handle)
            guard try read(&row) else { return }
        }
    }
}

/// Takes a statement's arguments in order, copying each that is not said to be borrowed.
struct Bindings {
    private let handle: OpaquePointer
    private var index: Int32 = 0
    /// SQLITE_OK, or the code of the first argument that could not be bound.
    private(set) var result = SQLITE_OK

    fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

    mutating func bind(_ number: Int64?) {
        index += 1
        // Arguments start out as NULL.
        guard let number else { return }
        note(sqlite3_bind_int64(handle, index, number))
    }

    mutating func bind(_ bytes: [UInt8]?) {
        index += 1
        guard let bytes else { return }
        note(bytes.withUnsafeBytes { holdfast_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) })
    }

    /// Binds bytes that stay where they are until the statement has run.
    mutating func bind(borrowing bytes: UnsafeRawBufferPointer) {
        index += 1
        note(holdfast_bind_borrowed(handle, index, bytes.baseAddress, UInt64(bytes.count)))
    }

    mutating func bind(_ text: String?) {
        index += 1
        guard var text else { return }
        note(text.withUTF8 { holdfast_bind_text(handle, index, $0.baseAddress, UInt64($0.count)) })
    }

    mutating func bind(_ id: EntryID) {
        index += 1
        let halves = (id.high.bigEndian, id.low.bigEndian)
        note(withUnsafeBytes(of: halves) { holdfast_bind_blob(handle, index, $0.baseAddress, 16) })
    }

    private mutating func note(_ code: Int32) {
        if result == SQLITE_OK { result = code }
    }
}

/// A row's columns, read in order; valid only inside the closure that receives it.
///
/// What is not of the type, or the size, that this package wrote is damage, and is thrown as such.
struct Row {
    private let handle: OpaquePointer
    private var index: Int32 = -1

    fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

    mutating func number() throws -> Int64 {
        guard let number = try optionalNumber() else { throw QueueStoreError.damagedValue }
        return number
    }

    mutating func optionalNumber() throws -> Int64? {
        let value = next()
        switch sqlite3_value_type(value) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER: return sqlite3_value_int64(value)
        default: throw QueueStoreError.damagedValue
        }
    }

    mutating func bytes() throws -> [UInt8] {
        guard let bytes = try optionalBytes() else { throw QueueStoreError.damagedValue }
        return bytes
    }

    mutating func optionalBytes() throws -> [UInt8]? {
        let value = next()
        switch sqlite3_value_type(value) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB:
            // The pointer first, then the count (https://sqlite.org/c3ref/column_blob.html).
            let start = sqlite3_value_blob(value)
            let count = Int(sqlite3_value_bytes(value))
            guard let start else {
                // Nothing for no bytes, or for want of memory.
                if count == 0 { return [] }
                throw QueueStoreError(sqlite: SQLITE_NOMEM)
            }
            return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        default: throw QueueStoreError.damagedValue
        }
    }

    mutating func text() throws -> String {
        guard let text = try optionalText() else { throw QueueStoreError.damagedValue }
        return text
    }

    mutating func optionalText() throws -> String? {
        let value = next()
        if sqlite3_value_type(value) == SQLITE_NULL { return nil }
        guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else {
            throw QueueStoreError.damagedValue
        }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    mutating func id() throws -> EntryID {
        let value = next()
        guard sqlite3_value_type(value) == SQLITE_BLOB, sqlite3_value_bytes(value) == 16,
            let start = sqlite3_value_blob(value)
        else { throw QueueStoreError.damagedValue }
        let halves = UnsafeRawBufferPointer(start: start, count: 16)
        return EntryID(
            high: UInt64(bigEndian: halves.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: UInt64(bigEndian: halves.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    /// The next column. Asking it is not thread-safe (https://sqlite.org/c3ref/column_blob.html), but quicker than
    /// asking the statement for type and value: the connection is used by one thread at a time.
    private mutating func next() -> OpaquePointer? {
        index += 1
        return sqlite3_column_value(handle, index)
    }
}

extension QueueStoreError {
    /// A column that this package cannot have written.
    static let damagedValue = QueueStoreError(sqlite: SQLITE_CORRUPT)
}
