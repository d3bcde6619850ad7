#include "baseline.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

struct baseline_key {
    EVP_PKEY *parsed;
};

baseline_key *baseline_key_open(const uint8_t bytes[32]) {
    baseline_key *key = calloc(1, sizeof *key);
    if (key == NULL) return NULL;
    key->parsed = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, bytes, 32);
    if (key->parsed != NULL) return key;
    baseline_key_close(key);
    return NULL;
}

int64_t baseline_verify(const baseline_key *key, int rounds, const uint8_t *message, size_t length,
                        const uint8_t signature[64]) {
    int good = 1;
    int64_t begin = baseline_now();
    for (int round = 0; good && round < rounds; round++) {
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        good = context != NULL && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key->parsed) == 1 &&
               EVP_DigestVerify(context, signature, 64, message, length) == 1;
        EVP_MD_CTX_free(context);
    }
    return good ? baseline_now() - begin : -1;
}

void baseline_key_close(baseline_key *key) {
    if (key == NULL) return;
    EVP_PKEY_free(key->parsed);
    free(key);
}

static int seal_open(EVP_CIPHER_CTX *context, const uint8_t *bound, size_t bound_length, const uint8_t *plain,
                     size_t length, uint8_t *sealed, uint8_t *opened) {
    uint8_t nonce[12], tag[16];
    int written = 0;
    return RAND_bytes(nonce, sizeof nonce) == 1 && EVP_EncryptInit_ex(context, NULL, NULL, NULL, nonce) == 1 &&
           EVP_EncryptUpdate(context, NULL, &written, bound, (int)bound_length) == 1 &&
           EVP_EncryptUpdate(context, sealed, &written, plain, (int)length) == 1 &&
           EVP_EncryptFinal_ex(context, sealed + written, &written) == 1 &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1 &&
           EVP_DecryptInit_ex(context, NULL, NULL, NULL, nonce) == 1 &&
           EVP_DecryptUpdate(context, NULL, &written, bound, (int)bound_length) == 1 &&
           EVP_DecryptUpdate(context, opened, &written, sealed, (int)length) == 1 &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) == 1 &&
           EVP_DecryptFinal_ex(context, opened + written, &written) == 1;
}

int64_t baseline_seal_open(int rounds, const uint8_t *bound, size_t bound_length, size_t length) {
    int64_t spent = -1;
    uint8_t key[32];
    uint8_t *plain = calloc(1, length + 1), *sealed = malloc(length + 16), *opened = malloc(length + 16);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    memset(key, 7, sizeof key);
    if (plain && sealed && opened && context &&
        EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, NULL) == 1) {
        int64_t begin = baseline_now();
        int round = 0;
        while (round < rounds && seal_open(context, bound, bound_length, plain, length, sealed, opened)) round++;
        if (round == rounds) spent = baseline_now() - begin;
    }
    EVP_CIPHER_CTX_free(context);
    free(plain);
    free(sealed);
    free(opened);
    return spent;
}
