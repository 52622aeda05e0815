/*
 * Fuzz: bytes as a secret and as an answer that contains it.  The first byte is the length of the secret, which
 * follows; in the rest, each byte from 1 to 8 stands for the secret in some spelling.  After masking, decoders
 * written in this file must not find the secret in any reading.
 */
#include <ctype.h>
#include <string.h>

#include "base/mask.h"
#include "fuzz.h"
#include "text/json.h"

#define ROOM        4096
#define SECRET_MOST 40

struct bytes {
    size_t len;
    char s[ROOM];
};

enum reading { PLAIN, JSON, PERCENT, HTML, READINGS };

/* --- spelling ----------------------------------------------------------------------------------------------------- */

static void put(struct bytes *to, const char *s, size_t len)
{
    if (to->len + len <= ROOM) {
        memcpy(to->s + to->len, s, len);
        to->len += len;
    }
}

static void put_char(struct bytes *to, char c, int how)
{
    char room[16];

    switch (how) {
    case 2: snprintf(room, sizeof room, "\\u%04x", (unsigned)c); break;
    case 3: snprintf(room, sizeof room, strchr("\"\\/", c) ? "\\%c" : "%c", c); break;
    case 4: snprintf(room, sizeof room, "%%%02X", (unsigned)c); break;
    case 5: snprintf(room, sizeof room, "&#%d;", c); break;
    case 6: snprintf(room, sizeof room, "%s", c == '<' ? "&lt;" : c == '&' ? "&amp;" : (char[]){ c, '\0' }); break;
    default: snprintf(room, sizeof room, "%c", c);
    }
    put(to, room, strlen(room));
}

/* Write Base64 of `before` bytes that the secret does not have, and of the secret. */
static void put_base64(struct bytes *to, const char *secret, size_t len, size_t before)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char all[SECRET_MOST + 4] = "kkk";
    unsigned held = 0, bits = 0;

    memcpy(all + before, secret, len);
    for (size_t i = 0; i < before + len; i++) {
        held = held << 8 | (unsigned char)all[i];
        for (bits += 8; bits >= 6; bits -= 6)
            put(to, &digits[held >> (bits - 6) & 63], 1);
    }
    if (bits)
        put(to, &digits[held << (6 - bits) & 63], 1);
}

static void make_text(const uint8_t *data, size_t size, const char *secret, size_t len, struct bytes *to)
{
    for (size_t i = 0; i < size; i++) {
        if (data[i] < 1 || data[i] > 8) {
            put(to, (const char *)&data[i], 1);
        } else if (data[i] == 7) {
            put_base64(to, secret, len, i % 3);
        } else {
            for (size_t k = 0; k < len; k++)
                put_char(to, secret[k], data[i] == 8 ? (int)(1 + (i + k) % 3) : data[i]); /* 8: mixed */
        }
    }
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Read between `least` and `most` digits.  Returns their value, or -1 if there are none. */
static int number(const char *s, size_t len, int base, size_t least, size_t most, size_t *n)
{
    char room[8] = "";

    for (*n = 0; *n < len && *n < most && (base == 16 ? isxdigit : isdigit)((unsigned char)s[*n]); ++*n)
        room[*n] = s[*n];
    return *n < least ? -1 : (int)strtol(room, NULL, base);
}

static size_t read_html(const char *s, size_t len, int *c)
{
    static const char *const names[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&apos;" };
    const size_t skip = len > 2 && (s[2] | 32) == 'x' ? 3 : 2;
    size_t n;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (len >= strlen(names[i]) && memcmp(s, names[i], strlen(names[i])) == 0)
            return *c = "&<>\"'"[i], strlen(names[i]);
    if (len > skip && s[1] == '#' && (*c = number(s + skip, len - skip, skip == 3 ? 16 : 10, 1, 7, &n)) >= 0 &&
        skip + n < len && s[skip + n] == ';')
        return skip + n + 1;
    return 0;
}

/* Read one escaped character. Returns the length of its spelling, or 0 if it is not escaped. */
static size_t read_escaped(enum reading as, const char *s, size_t len, int *c)
{
    size_t n;

    if (as == JSON && s[0] == '\\' && len > 1) {
        if (s[1] == 'u')
            return (*c = number(s + 2, len - 2, 16, 4, 4, &n)) < 0 ? 0 : 6;
        *c = strchr("bfnrt", s[1]) ? 0 : s[1];
        return 2;
    }
    if (as == PERCENT && s[0] == '%')
        return (*c = number(s + 1, len - 1, 16, 2, 2, &n)) < 0 ? 0 : 3;
    return as == HTML && s[0] == '&' ? read_html(s, len, c) : 0;
}

/* The text ends within an escape. */
static bool is_cut(enum reading as, const char *s, size_t len)
{
    const size_t whole = as == JSON ? (len > 1 && s[1] == 'u' ? 6 : 2) : as == PERCENT ? 3 : 7;

    if (as == PLAIN || s[0] != " \\%&"[as] || len >= whole)
        return false;
    for (size_t i = 1; i < len; i++)
        if (!isalnum((unsigned char)s[i]) && !(as == HTML && i == 1 && s[i] == '#'))
            return false;
    return true;
}

static void read_as(enum reading as, const char *s, size_t len, struct bytes *to)
{
    int c;

    to->len = 0;
    for (size_t n; len > 0 && !is_cut(as, s, len); s += n, len -= n) {
        if ((n = read_escaped(as, s, len, &c)) == 0)
            n = 1, c = *s;
        to->s[to->len++] = (char)(c > 0 && c < 127 ? c : 0);
    }
}

static int sextet(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62
           : c == '/' || c == '_' ? 63
                                  : -1;
}

/* Decode every run of Base64 digits, from its character number `from` on; the results are separated by 0. */
static void read_base64(const struct bytes *text, size_t from, struct bytes *to)
{
    unsigned held = 0, bits = 0;
    size_t skip = from;

    to->len = 0;
    for (size_t i = 0; i < text->len; i++) {
        int v = sextet(text->s[i]);

        if (v < 0) {
            to->s[to->len++] = '\0';
            held = bits = 0;
            skip = from;
        } else if (skip > 0) {
            skip--;
        } else {
            held = (held << 6 | (unsigned)v) & 0xffff;
            if ((bits += 6) >= 8)
                to->s[to->len++] = (char)(held >> (bits -= 8) & 0xff);
        }
    }
}

/* --- what holds --------------------------------------------------------------------------------------------------- */

static void lacks(const struct bytes *text, const char *secret, size_t len)
{
    DEMAND(!memmem(text->s, text->len, secret, len));
}

/* Assert that the text lacks the secret, and does not end with its beginning, as if it had been cut off. */
static void lacks_secret(const struct bytes *masked, const char *secret, size_t len)
{
    static struct bytes seen, decoded;

    for (enum reading as = PLAIN; as < READINGS; as++) {
        read_as(as, masked->s, masked->len, &seen);
        lacks(&seen, secret, len);
        for (size_t n = OG_MASK_LEAST; n < len && n <= seen.len; n++)
            DEMAND(memcmp(seen.s + seen.len - n, secret, n) != 0);
        for (size_t from = 0; from < 4; from++) {
            read_base64(&seen, from, &decoded);
            lacks(&decoded, secret, len);
        }
    }
}

static bool is_json(const struct bytes *text)
{
    char spill[ROOM];
    struct og_json r;

    og_json_init(&r, text->s, text->len, spill, sizeof spill);
    return og_json_skip(&r, og_json_next(&r)) && og_json_next(&r) == OG_JSON_END;
}

/* Returns true if every change is inside a string, and not in its quotes. */
static bool within_strings(const struct bytes *json, const struct bytes *masked)
{
    bool in = false;

    for (size_t i = 0; i < json->len; i++) {
        const size_t n = in && json->s[i] == '\\' ? 2 : 1;
        const bool quote = json->s[i] == '"';

        if ((!in || quote) && json->s[i] != masked->s[i])
            return false;
        in ^= quote;
        i += n - 1;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct bytes text, masked;
    const size_t len = size ? data[0] % (SECRET_MOST + 1) : 0;
    char secret[SECRET_MOST + 1];
    char *exact;

    if (size < len + 1)
        return 0;
    for (size_t i = 0; i < len; i++) /* make each byte a character that a secret may have */
        secret[i] = (char)(data[1 + i] > 32 && data[1 + i] < 127 ? data[1 + i] : 33 + data[1 + i] % 94);
    text.len = 0;
    make_text(data + 1 + len, size - 1 - len, secret, len, &text);
    exact = malloc(text.len + 1); /* memory of exactly that size, so that a sanitizer sees a write beyond it */
    DEMAND(exact);
    memcpy(exact, text.s, text.len);
    exact[text.len] = 'e';
    og_mask(exact, text.len, (struct og_str){ secret, len });
    DEMAND(exact[text.len] == 'e');
    masked.len = text.len;
    memcpy(masked.s, exact, text.len);
    og_mask(exact, text.len, (struct og_str){ secret, len });
    DEMAND(memcmp(masked.s, exact, text.len) == 0);
    free(exact);
    if (len < OG_MASK_LEAST) {
        DEMAND(memcmp(masked.s, text.s, text.len) == 0);
        return 0;
    }
    lacks_secret(&masked, secret, len);
    if (is_json(&text) && within_strings(&text, &masked))
        DEMAND(is_json(&masked));
    return 0;
}
