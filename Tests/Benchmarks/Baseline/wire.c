#include "baseline.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <zlib.h>

int64_t baseline_gzip(int rounds, const uint8_t *bytes, size_t length, int level) {
    int good = 1;
    int64_t begin = baseline_now();
    for (int round = 0; good && round < rounds; round++) {
        z_stream stream = {0};
        if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return -1;
        uLong bound = deflateBound(&stream, (uLong)length);
        uint8_t *out = malloc(bound);
        stream.next_in = (Bytef *)bytes;
        stream.avail_in = (uInt)length;
        stream.next_out = out;
        stream.avail_out = (uInt)bound;
        good = out != NULL && deflate(&stream, Z_FINISH) == Z_STREAM_END;
        deflateEnd(&stream);
        free(out);
    }
    return good ? baseline_now() - begin : -1;
}

static size_t discard(char *bytes, size_t size, size_t count, void *unused) {
    (void)bytes;
    (void)unused;
    return size * count;
}

struct baseline_client {
    CURL *handle;
    struct curl_slist *headers;
};

baseline_client *baseline_client_open(const char *url) {
    baseline_client *client = calloc(1, sizeof *client);
    if (client == NULL) return NULL;
    client->handle = curl_easy_init();
    client->headers = curl_slist_append(NULL, "Content-Type: application/octet-stream");
    struct curl_slist *headers = curl_slist_append(client->headers, "Expect:");
    if (headers != NULL && client->handle != NULL &&
        curl_easy_setopt(client->handle, CURLOPT_URL, url) == CURLE_OK &&
        curl_easy_setopt(client->handle, CURLOPT_POST, 1L) == CURLE_OK &&
        curl_easy_setopt(client->handle, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
        curl_easy_setopt(client->handle, CURLOPT_WRITEFUNCTION, discard) == CURLE_OK)
        return client;
    baseline_client_close(client);
    return NULL;
}

int64_t baseline_post(baseline_client *client, int rounds, const uint8_t *bytes, size_t length) {
    if (curl_easy_setopt(client->handle, CURLOPT_POSTFIELDS, bytes) != CURLE_OK ||
        curl_easy_setopt(client->handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length) != CURLE_OK)
        return -1;
    int good = 1;
    int64_t begin = baseline_now();
    for (int round = 0; good && round < rounds; round++) good = curl_easy_perform(client->handle) == CURLE_OK;
    return good ? baseline_now() - begin : -1;
}

void baseline_client_close(baseline_client *client) {
    if (client == NULL) return;
    curl_slist_free_all(client->headers);
    curl_easy_cleanup(client->handle);
    free(client);
}
