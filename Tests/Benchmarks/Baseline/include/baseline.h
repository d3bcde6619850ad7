/* What the same work costs in bare C: the yardstick that the benchmarks print their ratios against.
 *
 * A function that does `rounds` rounds returns the nanoseconds they took in all, or -1 if a call failed. */
#ifndef HOLDFAST_BASELINE_H
#define HOLDFAST_BASELINE_H

#include <stddef.h>
#include <stdint.h>

/* Nanoseconds of CLOCK_MONOTONIC, and of the CPU that this thread and this process have used. */
int64_t baseline_now(void);
int64_t baseline_thread_time(void);
int64_t baseline_process_time(void);

/* Ed25519 verification with a key parsed once (OpenSSL). */
typedef struct baseline_key baseline_key;
baseline_key *baseline_key_open(const uint8_t key[32]);
int64_t baseline_verify(const baseline_key *key, int rounds, const uint8_t *message, size_t length,
                        const uint8_t signature[64]);
void baseline_key_close(baseline_key *key);

/* AES-256-GCM seal and open of `length` bytes, bound to others: one reused context, a nonce from RAND_bytes. */
int64_t baseline_seal_open(int rounds, const uint8_t *bound, size_t bound_length, size_t length);

/* A SQLite database in WAL mode with one plain table (id, time, body) and, where asked for, one of unique places. */
typedef struct baseline_store baseline_store;
baseline_store *baseline_store_open(const char *path, int full);
/* `rounds` transactions of `rows` inserts with bodies of `length` bytes, each with a unique place if `placed`. */
int64_t baseline_store_insert(baseline_store *store, int rounds, int rows, size_t length, int placed);
void baseline_store_close(baseline_store *store);

/* gzip of `bytes` at `level` (zlib). */
int64_t baseline_gzip(int rounds, const uint8_t *bytes, size_t length, int level);

/* One libcurl handle, whose connection stays open. */
typedef struct baseline_client baseline_client;
baseline_client *baseline_client_open(const char *url);
/* POST of `length` bytes. */
int64_t baseline_post(baseline_client *client, int rounds, const uint8_t *bytes, size_t length);
void baseline_client_close(baseline_client *client);

/* Starts a server on loopback that takes every request and answers 200, on a thread for each connection, for as long as
 * the process lives. Returns its port, or -1. */
int baseline_server_start(void);

#endif
