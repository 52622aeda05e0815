/*
 * Fuzz: bytes as a signature file.  An accepted file is written back byte for byte, and never verifies.
 */
#include <string.h>

#include "fuzz.h"
#include "policy/signature.h"

/* A public key whose private key was thrown away. */
static const char key[] = "-----BEGIN PUBLIC KEY-----\n"
                          "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
                          "-----END PUBLIC KEY-----\n";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char text[OG_SIGNATURE_TEXT_MOST];
    unsigned char raw[OG_PUBLIC_KEY_SIZE];
    struct og_signature signature;

    if (!og_signature_read((const char *)bytes, len, &signature))
        return 0;
    DEMAND(len < sizeof text);
    DEMAND(og_signature_write(&signature, text) == len && memcmp(text, bytes, len) == 0);
    len = og_signature_signed(signature.digest, text);
    DEMAND(og_public_key(key, sizeof key - 1, raw) == OG_SIGNING_OK);
    for (size_t i = 0; i < signature.count; i++)
        DEMAND(og_sign_verify(raw, text, len, signature.bytes[i]) == OG_SIGNING_WRONG);
    return 0;
}
