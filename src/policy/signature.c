/*
 * Reads and writes signature files.  A file that differs in any byte from what this code would write is rejected.
 */
#include "policy/signature.h"

#include <stdio.h>
#include <string.h>

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

    for (size_t n = 0; n < s->count; n++) {
        memcpy(to + len, KIND, sizeof KIND - 1);
        len += sizeof KIND - 1;
        for (size_t i = 0; i < sizeof s->bytes[n]; i++) {
            to[len++] = hex[s->bytes[n][i] >> 4];
            to[len++] = hex[s->bytes[n][i] & 15];
        }
        to[len++] = '\n';
    }
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
    static const size_t first = sizeof FIRST - 1, kind = sizeof KIND - 1, line = kind + 2 * OG_SIGNATURE_SIZE + 1;
    const char *end = text + len, *newline;
    size_t digest;

    if (len < first || memcmp(text, FIRST, first) != 0)
        return false;
    text += first;
    newline = memchr(text, '\n', (size_t)(end - text));
    digest = newline ? (size_t)(newline - text) : 0;
    if (digest == 0 || digest >= sizeof s->digest)
        return false;
    for (size_t i = 0; i < digest; i++)
        if (text[i] < '!' || text[i] > '~')
            return false;
    memcpy(s->digest, text, digest);
    s->digest[digest] = '\0';
    text = newline + 1;
    s->count = (size_t)(end - text) / line;
    if (s->count == 0 || s->count > OG_SIGNATURES_MOST || (size_t)(end - text) != s->count * line)
        return false;
    for (size_t n = 0; n < s->count; n++, text += line)
        if (memcmp(text, KIND, kind) != 0 || text[line - 1] != '\n' ||
            !read_hex(text + kind, s->bytes[n], sizeof s->bytes[n]))
            return false;
    return true;
}
