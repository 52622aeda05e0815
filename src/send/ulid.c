/*
 * Makes ULIDs.  Never makes the same id twice in one process, even within one millisecond or when the clock goes
 * back.
 */
#include "send/ulid.h"

#include "base/buf.h"
#include "base/crypto.h"
#include "base/digits.h"

static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/* Write 16 bytes (128 bits) as 26 digits of 5 bits each; the first digit has only 3 bits. */
static void spell(const unsigned char bytes[16], struct og_ident *out)
{
    unsigned bits = 0, have = 2; /* the first digit begins with two zero bits: 26 digits have 130 bits */
    size_t at = 0;

    for (int i = 0; i < 16; i++) {
        bits = (bits << 8) | bytes[i];
        have += 8;
        while (have >= 5) {
            have -= 5;
            out->s[at++] = alphabet[(bits >> have) & 31];
        }
        bits &= 31;
    }
    out->s[at] = '\0';
}

/* Add one. Returns false on overflow, which cannot happen within a millisecond: the random number starts with its first
 * bit clear. */
static bool add_one(unsigned char *bytes, int len)
{
    while (len-- > 0)
        if (++bytes[len] != 0)
            return true;
    return false;
}

bool og_ident_new(struct og_ident_maker *m, int64_t now_ns, struct og_ident *out)
{
    int64_t ms = now_ns / 1000000;
    unsigned char bytes[16];

    if (ms > m->last_ms) {
        m->last_ms = ms;
        if (!og_random(m->random, sizeof m->random))
            return false;
        m->random[0] &= 0x7f; /* clear the first bit, so that add_one() cannot overflow */
    } else if (!add_one(m->random, sizeof m->random)) {
        return false;
    }
    for (int i = 0; i < 6; i++)
        bytes[i] = (unsigned char)(m->last_ms >> (8 * (5 - i)));
    memcpy(bytes + 6, m->random, sizeof m->random);
    spell(bytes, out);
    return true;
}

/* Append the bytes, make an id from the digest of the whole text, and free the text. */
static bool of_text(struct og_buf *b, struct og_str bytes, struct og_ident *out)
{
    struct og_digest_text digest;
    unsigned char half[16];
    bool ok;

    og_buf_str(b, bytes);
    ok = !b->bad && og_digest(b->s, b->len, &digest);
    og_buf_clear(b);
    if (!ok)
        return false;
    for (size_t i = 0; i < sizeof half; i++) {
        const char *hex = digest.s + strlen("sha256:") + 2 * i;

        half[i] = (unsigned char)(og_hex_digit(hex[0]) << 4 | og_hex_digit(hex[1]));
    }
    spell(half, out);
    return true;
}

bool og_ident_of_terms(const char *batch, unsigned nth, struct og_str terms, struct og_ident *out)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    og_buf_format(&b, "terms:%zu:%s:%u:", strlen(batch), batch, nth);
    if (!of_text(&b, terms, out))
        return false;
    memcpy(out->s, OG_IDENT_OF_BATCH, strlen(OG_IDENT_OF_BATCH)); /* 110 bits of the digest stay */
    return true;
}

bool og_ident_of_place(const char *batch, int file, long long line, struct og_str bytes, struct og_ident *out)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    og_buf_format(&b, "%zu:%s:%d:%lld:", strlen(batch), batch, file, line);
    return of_text(&b, bytes, out);
}
