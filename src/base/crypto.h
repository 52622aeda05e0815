/*
 * Digests, random bytes, constant-time comparison, wiping and signatures, from OpenSSL's libcrypto.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct og_digest_text {
    char s[72]; /* "sha256:" and 64 hex digits */
};

bool og_digest(const void *bytes, size_t len, struct og_digest_text *out); /* SHA-256; false if libcrypto fails */
/* Compute HMAC-SHA-256 with a key, as "hs-256:" and 64 hex digits. Returns false if libcrypto fails. */
bool og_keyed_digest(const void *key, size_t key_len, const void *bytes, size_t len, struct og_digest_text *out);
bool og_random(void *to, size_t len);
bool og_same_secret(const void *a, size_t a_len, const void *b, size_t b_len); /* takes a time that depends only on the
                                                                                * lengths */
void og_wipe(void *p, size_t len);

/* Copy a secret text to memory that is kept out of swap and core files as far as the system allows.  Returns NULL if
 * out of memory.  Freeing wipes it; NULL is allowed. */
char *og_secret_copy(const char *s, size_t len);
void og_secret_free(char *secret);

/* Ed25519 signatures with keys in PEM, as openssl genpkey writes them.  Keys with a passphrase are rejected, without
 * asking for it. */
#define OG_SIGNATURE_SIZE  64
#define OG_PUBLIC_KEY_SIZE 32
enum og_signing {
    OG_SIGNING_OK = 0,
    OG_SIGNING_NO_KEY, /* the PEM has no key of the kind needed (private to sign, public to verify), or an encrypted
                        * one */
    OG_SIGNING_NOT_ED25519,
    OG_SIGNING_SEVERAL, /* the PEM has more than one key of that kind */
    OG_SIGNING_WEAK,    /* a public key of small order, for which anybody can make signatures */
    OG_SIGNING_WRONG,   /* the signature does not match these bytes and this key */
    OG_SIGNING_FAILED   /* libcrypto failed */
};
enum og_signing og_sign(const char *pem, size_t pem_len, const void *bytes, size_t len,
                        unsigned char signature[OG_SIGNATURE_SIZE]);
/* Read the bytes of a public key.  They do not depend on line breaks and other formatting of the PEM. */
enum og_signing og_public_key(const char *pem, size_t pem_len, unsigned char key[OG_PUBLIC_KEY_SIZE]);
enum og_signing og_sign_verify(const unsigned char key[OG_PUBLIC_KEY_SIZE], const void *bytes, size_t len,
                               const unsigned char signature[OG_SIGNATURE_SIZE]);
