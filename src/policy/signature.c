/*
 * Signature files, read and written.  It refuses any byte that it would not have written itself.
 */
#include "policy/signature.h"

#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#define FIRST "ordergate policy signature 1\n"
#define KIND  "ed25519:"

static const char hex[] = "0123456789abcdef";

size_t og_signature_signed(const char *digest, char to[OG_SIGNATURE_TEXT_MOST])
{
    int len = snprintf(to, OG_SIGNATURE_TEXT_MOST, FIRST "%s\n", digest);

    return len > 0 && len < OG_SIGNATURE_TEXT_MOST ? (size_t)len : 0;
}

size_t og_signature_write(const struct og_signature *s, char to[OG_SIGNATURE_TEXT_MOST])
{
    size_t len = og_signature_signed(s->digest, to);

    memcpy(to + len, KIND, sizeof KIND - 1);
    len += sizeof KIND - 1;
    for (size_t i = 0; i < sizeof s->bytes; i++) {
        to[len++] = hex[s->bytes[i] >> 4];
        to[len++] = hex[s->bytes[i] & 15];
    }
    to[len++] = '\n';
    to[len] = '\0';
    return len;
}

static bool read_hex(const char *text, unsigned char *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *high = text[2 * i] ? strchr(hex, text[2 * i]) : NULL;
        const char *low = text[2 * i + 1] ? strchr(hex, text[2 * i + 1]) : NULL;

        if (!high || !low)
            return false;
        to[i] = (unsigned char)((high - hex) << 4 | (low - hex));
    }
    return true;
}

bool og_signature_read(const char *text, size_t len, struct og_signature *s)
{
    static const size_t first = sizeof FIRST - 1, kind = sizeof KIND - 1, last = kind + 2 * OG_SIGNATURE_SIZE + 1;
    size_t digest;

    if (len < first + last || memcmp(text, FIRST, first) != 0 || text[len - 1] != '\n')
        return false;
    digest = len - first - last; /* with its newline */
    if (digest < 2 || digest > sizeof s->digest || text[first + digest - 1] != '\n')
        return false;
    for (size_t i = 0; i + 1 < digest; i++)
        if (text[first + i] < '!' || text[first + i] > '~')
            return false;
    memcpy(s->digest, text + first, digest - 1);
    s->digest[digest - 1] = '\0';
    text += first + digest;
    return memcmp(text, KIND, kind) == 0 && read_hex(text + kind, s->bytes, sizeof s->bytes);
}
