#ifndef HOLDFAST_SQLITE_SHIM_H
#define HOLDFAST_SQLITE_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast macro, which Swift does not import: with it SQLite copies what is bound. An empty blob has
   no address in Swift; a null pointer would bind NULL, so it is given one. */

static inline int holdfast_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/* Copies nothing: the bytes must stay where they are until the binding is cleared. */
static inline int holdfast_bind_borrowed(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_STATIC);
}

static inline int holdfast_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* sqlite3_db_config is variadic, which Swift does not import. */

/* Leaves a damaged file and its -wal as they are when the connection closes. */
static inline int holdfast_skip_checkpoint_on_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* The size of a file that SQLite has open: SQLITE_FCNTL_FILE_POINTER is the database, SQLITE_FCNTL_JOURNAL_POINTER
   its -wal. Asked of SQLite, because opening and closing the file again would drop SQLite's own POSIX locks. */
static inline int holdfast_file_size(sqlite3 *database, int which, sqlite3_int64 *size) {
    sqlite3_file *file = 0;
    *size = 0;
    int code = sqlite3_file_control(database, "main", which, &file);
    if (code != SQLITE_OK || !file || !file->pMethods) return code;
    return file->pMethods->xFileSize(file, size);
}

#endif
