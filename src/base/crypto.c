/*
 * The few things taken from libcrypto.
 * It refuses to hide a failure of libcrypto: the caller must not go on with bytes that are not random.
 */
#include "base/crypto.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <string.h>

#include "base/banned.h"

bool og_digest(const void *bytes, size_t len, struct og_digest_text *out)
{
    static const char hex[] = "0123456789abcdef";
    unsigned char md[EVP_MAX_MD_SIZE];
    unsigned md_len = 0;
    char *to = out->s;

    memset(out, 0, sizeof *out);
    if (EVP_Digest(bytes, len, md, &md_len, EVP_sha256(), NULL) != 1)
        return false;
    memcpy(to, "sha256:", 7);
    to += 7;
    for (unsigned i = 0; i < md_len; i++) {
        *to++ = hex[md[i] >> 4];
        *to++ = hex[md[i] & 15];
    }
    return true;
}

bool og_random(void *to, size_t len)
{
    return len <= INT_MAX && RAND_bytes(to, (int)len) == 1;
}

bool og_same_secret(const void *a, size_t a_len, const void *b, size_t b_len)
{
    return a_len == b_len && CRYPTO_memcmp(a, b, a_len) == 0;
}

void og_wipe(void *p, size_t len)
{
    OPENSSL_cleanse(p, len);
}
