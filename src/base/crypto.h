/*
 * What we take from OpenSSL's libcrypto: digests, random bytes, constant-time compare, wiping.
 */
#ifndef OG_BASE_CRYPTO_H
#define OG_BASE_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>

struct og_digest_text {
    char s[72]; /* "sha256:" and 64 hex digits */
};

bool og_digest(const void *bytes, size_t len, struct og_digest_text *out); /* SHA-256; false: libcrypto failed */
bool og_random(void *to, size_t len);
bool og_same_secret(const void *a, size_t a_len, const void *b, size_t b_len); /* time depends on lengths only */
void og_wipe(void *p, size_t len);

#endif
