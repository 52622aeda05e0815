/*
 * The format of signature files.  The last line is repeated for each signature:
 *
 *   ordergate policy signature 1
 *   live@sha256:<64 hex>
 *   ed25519:<128 hex>
 *
 * A signature covers the first two lines, with their newlines.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/crypto.h"

#define OG_SIGNATURES_MOST     16
#define OG_SIGNATURE_TEXT_MOST 2600 /* maximum length of the file in bytes */

struct og_signature {
    char digest[160]; /* digest of the signed policy: "name@sha256:..." */
    unsigned char bytes[OG_SIGNATURES_MOST][OG_SIGNATURE_SIZE];
    size_t count; /* number of signatures in bytes[], at least 1 */
};

/* A demand that `need` of the keys have signed; need is 0 if nothing is demanded. */
struct og_signing_demand {
    char **key; /* paths of public keys: 1 to OG_SIGNATURES_MOST */
    size_t count, need;
};

/* Returns false if the text differs from what og_signature_write() would write. */
bool og_signature_read(const char *text, size_t len, struct og_signature *signature);
/* Write the bytes that are signed, and the whole file.  Both return the length. */
size_t og_signature_signed(const char *digest, char to[OG_SIGNATURE_TEXT_MOST]); /* writes the bytes that are signed */
size_t og_signature_write(const struct og_signature *signature, char to[OG_SIGNATURE_TEXT_MOST]);
