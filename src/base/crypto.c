/*
 * Wrappers of libcrypto.  Every failure of libcrypto is returned: a caller must not use bytes that are not random.
 */
#include "base/crypto.h"

#define OPENSSL_API_COMPAT 10101 /* for the SHA256 functions that og_digest() uses */
#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <string.h>
#include <sys/mman.h>

static void write_digest(const char *kind, const unsigned char md[SHA256_DIGEST_LENGTH], struct og_digest_text *out)
{
    static const char hex[] = "0123456789abcdef";
    char *to = out->s + strlen(kind);

    memcpy(out->s, kind, strlen(kind));
    for (unsigned i = 0; i < SHA256_DIGEST_LENGTH; i++) {
        *to++ = hex[md[i] >> 4];
        *to++ = hex[md[i] & 15];
    }
}

/* Does not use EVP: that first reads openssl.cnf and loads a provider and all error texts, which took a third of the
 * time of a process that decides one order. */
bool og_digest(const void *bytes, size_t len, struct og_digest_text *out)
{
    unsigned char md[SHA256_DIGEST_LENGTH];
    SHA256_CTX sha;

    memset(out, 0, sizeof *out);
    if (!SHA256_Init(&sha) || !SHA256_Update(&sha, bytes, len) || !SHA256_Final(md, &sha))
        return false;
    write_digest("sha256:", md, out);
    return true;
}

bool og_keyed_digest(const void *key, size_t key_len, const void *bytes, size_t len, struct og_digest_text *out)
{
    unsigned char md[SHA256_DIGEST_LENGTH];
    unsigned size = sizeof md;

    memset(out, 0, sizeof *out);
    if (key_len > INT_MAX || !HMAC(EVP_sha256(), key, (int)key_len, bytes, len, md, &size) || size != sizeof md)
        return false;
    write_digest("hs-256:", md, out);
    return true;
}

/* The copy has pages of its own; its length is stored at their beginning. */
char *og_secret_copy(const char *s, size_t len)
{
    size_t size = sizeof(size_t) + len + 1;
    char *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return NULL;
    (void)mlock(page, size); /* may fail: RLIMIT_MEMLOCK */
    (void)madvise(page, size, MADV_DONTDUMP);
    memcpy(page, &size, sizeof size);
    memcpy(page + sizeof size, s, len);
    page[sizeof size + len] = '\0';
    return page + sizeof size;
}

void og_secret_free(char *secret)
{
    size_t size;

    if (!secret)
        return;
    secret -= sizeof size;
    memcpy(&size, secret, sizeof size);
    og_wipe(secret, size);
    (void)munmap(secret, size);
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

/* --- signatures --------------------------------------------------------------------------------------------------- */

/* A callback that gives no passphrase; without it, libcrypto would ask on the terminal. */
static int no_passphrase(char *to, int size, int writing, void *with)
{
    (void)to, (void)size, (void)writing, (void)with;
    return -1;
}

/* Returns true if the rest of the PEM has another key of this kind, or a block that cannot be read and may be such a
 * key. */
static bool has_another(BIO *bio, bool private)
{
    char *name, *header;
    unsigned char *bytes;
    long size;
    bool is_key = false, is_end;

    while (!is_key && PEM_read_bio(bio, &name, &header, &bytes, &size) == 1) {
        is_key = strstr(name, private ? "PRIVATE KEY" : "PUBLIC KEY") != NULL;
        OPENSSL_free(name);
        OPENSSL_free(header);
        OPENSSL_clear_free(bytes, (size_t)size);
    }
    is_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    return is_key || !is_end;
}

static enum og_signing read_key(const char *pem, size_t len, bool private, EVP_PKEY **key)
{
    BIO *bio = len <= INT_MAX ? BIO_new_mem_buf(pem, (int)len) : NULL;
    enum og_signing answer = OG_SIGNING_NO_KEY;

    *key = NULL;
    if (bio)
        *key = private ? PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL)
                       : PEM_read_bio_PUBKEY(bio, NULL, no_passphrase, NULL);
    ERR_clear_error();
    if (*key)
        answer = has_another(bio, private)         ? OG_SIGNING_SEVERAL
                 : !EVP_PKEY_is_a(*key, "ED25519") ? OG_SIGNING_NOT_ED25519
                                                   : OG_SIGNING_OK;
    BIO_free(bio);
    ERR_clear_error();
    if (answer == OG_SIGNING_OK)
        return answer;
    EVP_PKEY_free(*key);
    *key = NULL;
    return answer;
}

/* Returns true for a key of small order.  For such a key, anybody can write a signature of all texts, or of every
 * eighth text, without a private key, and libcrypto accepts it.  These keys are the y coordinates of the points whose
 * order divides 8, also written as numbers that are not reduced modulo p; the sign of x, the last bit, makes no
 * difference. */
static bool is_weak(const unsigned char key[OG_PUBLIC_KEY_SIZE])
{
    static const unsigned char order8[2][OG_PUBLIC_KEY_SIZE] = {
        { 0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
          0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05 },
        { 0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
          0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a },
    };
    unsigned char y[OG_PUBLIC_KEY_SIZE];
    const size_t last = sizeof y - 1;
    bool zeros = true, ones = true;

    memcpy(y, key, sizeof y);
    y[last] &= 0x7f;
    for (size_t i = 1; i < sizeof y; i++) {
        zeros = zeros && y[i] == 0;
        ones = ones && y[i] == (i == last ? 0x7f : 0xff);
    }
    if ((zeros && y[0] <= 1) || (ones && y[0] >= 0xec && y[0] <= 0xee)) /* 0, 1; p - 1, p, p + 1 */
        return true;
    return memcmp(y, order8[0], sizeof y) == 0 || memcmp(y, order8[1], sizeof y) == 0;
}

enum og_signing og_sign(const char *pem, size_t pem_len, const void *bytes, size_t len,
                        unsigned char signature[OG_SIGNATURE_SIZE])
{
    size_t size = OG_SIGNATURE_SIZE;
    EVP_PKEY *key;
    EVP_MD_CTX *context;
    enum og_signing answer = read_key(pem, pem_len, true, &key);

    if (answer != OG_SIGNING_OK)
        return answer;
    context = EVP_MD_CTX_new();
    if (!context || EVP_DigestSignInit(context, NULL, NULL, NULL, key) != 1 ||
        EVP_DigestSign(context, signature, &size, bytes, len) != 1 || size != OG_SIGNATURE_SIZE)
        answer = OG_SIGNING_FAILED;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return answer;
}

enum og_signing og_public_key(const char *pem, size_t pem_len, unsigned char key[OG_PUBLIC_KEY_SIZE])
{
    size_t size = OG_PUBLIC_KEY_SIZE;
    EVP_PKEY *read;
    enum og_signing answer = read_key(pem, pem_len, false, &read);

    if (answer != OG_SIGNING_OK)
        return answer;
    if (EVP_PKEY_get_raw_public_key(read, key, &size) != 1 || size != OG_PUBLIC_KEY_SIZE)
        answer = OG_SIGNING_FAILED;
    else if (is_weak(key))
        answer = OG_SIGNING_WEAK;
    EVP_PKEY_free(read);
    ERR_clear_error();
    return answer;
}

enum og_signing og_sign_verify(const unsigned char key[OG_PUBLIC_KEY_SIZE], const void *bytes, size_t len,
                               const unsigned char signature[OG_SIGNATURE_SIZE])
{
    EVP_PKEY *made = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, key, OG_PUBLIC_KEY_SIZE);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    enum og_signing answer = OG_SIGNING_OK;

    if (!made || !context || EVP_DigestVerifyInit(context, NULL, NULL, NULL, made) != 1)
        answer = OG_SIGNING_FAILED;
    else if (EVP_DigestVerify(context, signature, OG_SIGNATURE_SIZE, bytes, len) != 1)
        answer = OG_SIGNING_WRONG;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(made);
    ERR_clear_error();
    return answer;
}
