#include "baseline.h"

#include <sqlite3.h>
#include <stdlib.h>

struct baseline_store {
    sqlite3 *database;
    sqlite3_stmt *begin, *insert, *place, *commit;
    uint64_t places;
};

baseline_store *baseline_store_open(const char *path, int full) {
    baseline_store *store = calloc(1, sizeof *store);
    if (store == NULL) return NULL;
    if (sqlite3_open_v2(path, &store->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) == SQLITE_OK &&
        sqlite3_exec(store->database, "PRAGMA journal_mode=WAL", NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_exec(store->database, full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL", NULL, NULL,
                     NULL) == SQLITE_OK &&
        sqlite3_exec(store->database, "CREATE TABLE IF NOT EXISTS row (key INTEGER PRIMARY KEY, id BLOB, at INTEGER, body BLOB)", NULL,
                     NULL, NULL) == SQLITE_OK &&
        sqlite3_exec(store->database, "CREATE TABLE IF NOT EXISTS place (subject BLOB, version INTEGER, key INTEGER, PRIMARY KEY (subject, version)) WITHOUT ROWID",
                     NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(store->database, "INSERT INTO place (subject, version, key) VALUES (?, 1, ?)", -1, &store->place, NULL) ==
            SQLITE_OK &&
        sqlite3_prepare_v2(store->database, "BEGIN IMMEDIATE", -1, &store->begin, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(store->database, "INSERT INTO row (id, at, body) VALUES (?, ?, ?)", -1, &store->insert, NULL) ==
            SQLITE_OK &&
        sqlite3_prepare_v2(store->database, "COMMIT", -1, &store->commit, NULL) == SQLITE_OK)
        return store;
    baseline_store_close(store);
    return NULL;
}

static int run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    return sqlite3_reset(statement) == SQLITE_OK && code == SQLITE_DONE;
}

/* Takes a place that is as random as a hash is. */
static int take_place(baseline_store *store) {
    uint64_t subject[4];
    for (int part = 0; part < 4; part++) subject[part] = ++store->places * 0x9e3779b97f4a7c15u;
    return sqlite3_bind_blob(store->place, 1, subject, sizeof subject, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_bind_int64(store->place, 2, sqlite3_last_insert_rowid(store->database)) == SQLITE_OK &&
           run(store->place);
}

int64_t baseline_store_insert(baseline_store *store, int rounds, int rows, size_t length, int placed) {
    uint8_t *body = calloc(1, length + 1), id[16] = {0};
    if (body == NULL) return -1;
    int good = 1;
    int64_t begin = baseline_now();
    for (int round = 0; good && round < rounds; round++) {
        good = run(store->begin);
        for (int row = 0; good && row < rows; row++)
            good = sqlite3_bind_blob(store->insert, 1, id, sizeof id, SQLITE_STATIC) == SQLITE_OK &&
                   sqlite3_bind_int64(store->insert, 2, begin) == SQLITE_OK &&
                   sqlite3_bind_blob(store->insert, 3, body, (int)length, SQLITE_STATIC) == SQLITE_OK &&
                   run(store->insert) && (!placed || take_place(store));
        good = good && run(store->commit);
    }
    int64_t spent = baseline_now() - begin;
    free(body);
    return good ? spent : -1;
}

void baseline_store_close(baseline_store *store) {
    if (store == NULL) return;
    sqlite3_finalize(store->begin);
    sqlite3_finalize(store->insert);
    sqlite3_finalize(store->place);
    sqlite3_finalize(store->commit);
    sqlite3_close(store->database);
    free(store);
}
