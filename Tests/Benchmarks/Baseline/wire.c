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

int64_t baseline_post(int rounds, const char *url, const uint8_t *bytes, size_t length) {
    CURL *handle = curl_easy_init();
    if (handle == NULL) return -1;
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/octet-stream");
    headers = curl_slist_append(headers, "Expect:");
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_POST, 1L);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, discard);
    int good = 1;
    int64_t begin = baseline_now();
    for (int round = 0; good && round < rounds; round++) good = curl_easy_perform(handle) == CURLE_OK;
    int64_t spent = baseline_now() - begin;
    curl_slist_free_all(headers);
    curl_easy_cleanup(handle);
    return good ? spent : -1;
}
