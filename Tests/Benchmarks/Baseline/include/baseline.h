/* What the same work costs in bare C: the yardstick that the benchmarks print their ratios against.
 *
 * Every function does `rounds` rounds and returns the nanoseconds they took in all, or -1 if a call failed. */
#ifndef HOLDFAST_BASELINE_H
#define HOLDFAST_BASELINE_H

#include <stddef.h>
#include <stdint.h>

/* Nanoseconds of CLOCK_MONOTONIC. */
int64_t baseline_now(void);

/* Ed25519 verification with a key parsed once (OpenSSL). */
int64_t baseline_verify(int rounds, const uint8_t key[32], const uint8_t *message, size_t length,
                        const uint8_t signature[64]);

/* AES-256-GCM seal and open of `length` bytes: one reused context, a nonce from RAND_bytes. */
int64_t baseline_seal_open(int rounds, size_t length);

/* A SQLite database in WAL mode with one plain table and one prepared insert. */
typedef struct baseline_store baseline_store;
baseline_store *baseline_store_open(const char *path, int full);
/* `rounds` transactions of `rows` inserts of `length` bytes each. */
int64_t baseline_store_insert(baseline_store *store, int rounds, int rows, size_t length);
void baseline_store_close(baseline_store *store);

/* gzip of `bytes` at `level` (zlib). */
int64_t baseline_gzip(int rounds, const uint8_t *bytes, size_t length, int level);

/* POST of `length` bytes to `url` over one reused handle (libcurl). */
int64_t baseline_post(int rounds, const char *url, const uint8_t *bytes, size_t length);

#endif
