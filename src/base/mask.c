/*
 * Masks a secret; see base/mask.h.  Each encoding is a function that reads one character, escaped or not, so that a
 * secret is also found if only some of its characters are escaped.  Encodings within encodings are read by a stack of
 * these functions.
 */
#include "base/mask.h"

#include "base/crypto.h"
#include "base/digits.h"

#define BASE64_OF_MOST 1024
#define NO_CHAR        (-1)
#define ESCAPE_MOST    11 /* "&#x0000026;" */

/* Reads the first character (*c) of a text that is not empty.  Returns the number of bytes that spell the character. */
typedef size_t spelling(const char *s, size_t len, int *c);

/* Reads a number below 128, and the character `end` after it (0: none is expected).  Returns the length of both; 0 if
 * there is no such number. */
static size_t read_number(const char *s, size_t len, int base, size_t digits_most, char end, int *c)
{
    size_t n = 0;

    for (*c = 0; n < len && n < digits_most && og_hex_digit(s[n]) >= 0 && og_hex_digit(s[n]) < base; n++)
        if ((*c = *c * base + og_hex_digit(s[n])) > 127)
            return 0;
    if (n == 0 || end == '\0')
        return n;
    return n < len && s[n] == end ? n + 1 : 0;
}

static size_t plain(const char *s, size_t len, int *c)
{
    (void)len;
    *c = (unsigned char)*s;
    return 1;
}

static size_t json(const char *s, size_t len, int *c)
{
    if (s[0] != '\\' || len < 2)
        return plain(s, len, c);
    if (s[1] == 'u')
        return len >= 6 && read_number(s + 2, len - 2, 16, 4, '\0', c) == 4 ? 6 : plain(s, len, c);
    *c = strchr("bfnrt", s[1]) ? NO_CHAR : (unsigned char)s[1];
    return 2;
}

static size_t percent(const char *s, size_t len, int *c)
{
    return s[0] == '%' && read_number(s + 1, len - 1, 16, 2, '\0', c) == 2 ? 3 : plain(s, len, c);
}

static size_t html(const char *s, size_t len, int *c)
{
    static const struct {
        const char *name;
        char c;
    } entities[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&apos;", '\'' } };
    size_t n = 0;

    if (len > 3 && s[0] == '&' && s[1] == '#') {
        bool in_hex = s[2] == 'x' || s[2] == 'X';
        size_t skip = in_hex ? 3 : 2;

        n = read_number(s + skip, len - skip, in_hex ? 16 : 10, 7, ';', c);
        return n > 0 ? skip + n : plain(s, len, c);
    }
    for (size_t i = 0; s[0] == '&' && i < sizeof entities / sizeof entities[0]; i++) {
        n = strlen(entities[i].name);
        *c = (unsigned char)entities[i].c;
        if (n <= len && memcmp(s, entities[i].name, n) == 0)
            return n;
    }
    return plain(s, len, c);
}

/* Returns true if the rest of the text may be the beginning of an escape that was cut off. */
static bool is_cut_off(const char *s, size_t len)
{
    size_t n = 1;

    if (len == 0 || len >= ESCAPE_MOST || !memchr("\\%&", s[0], 3))
        return false;
    while (n < len && (s[n] == '#' || (s[n] >= '0' && s[n] <= '9') || ((s[n] | 0x20) >= 'a' && (s[n] | 0x20) <= 'z')))
        n++;
    return n == len;
}

/* Returns the number of bytes that spell the secret at s; 0 if the secret is not at s. */
static size_t spelled(const char *s, size_t len, struct og_str secret, spelling *next)
{
    size_t at = 0, n = 0;
    int c;

    for (; n < secret.len && at < len; n++) {
        if (n >= OG_MASK_LEAST && is_cut_off(s + at, len - at))
            return len;
        at += next(s + at, len - at, &c);
        if (c != (unsigned char)secret.s[n])
            return 0;
    }
    return n == secret.len || n >= OG_MASK_LEAST ? at : 0;
}

static bool is_escaped(const char *s, size_t at)
{
    size_t n = 0;

    while (n < at && s[at - n - 1] == '\\')
        n++;
    return n % 2 == 1;
}

/* Finds the JSON escape that contains s[at]: returns its beginning, and sets *end to its end; if there is none, both
 * are `at`. */
static size_t escape_around(const char *s, size_t len, size_t at, size_t *end)
{
    size_t from = at, digits = 0;

    *end = at;
    while (from > 0 && at - from < 5 && s[from - 1] != '\\')
        from--;
    if (from == 0 || at - from == 5 || is_escaped(s, from - 1))
        return at;
    from--;
    while (from + 2 + digits < len && digits < 4 && og_hex_digit(s[from + 2 + digits]) >= 0)
        digits++;
    *end = from + (digits == 4 && s[from + 1] == 'u' ? 6 : 2);
    if (*end > at)
        return from;
    *end = at;
    return at;
}

/* Replace s[from] to s[to], extended to whole escapes: the rest of an escape would be invalid JSON or end the
 * string. */
static size_t hide(char *s, size_t len, size_t from, size_t to, char fill)
{
    size_t end = to, of_first;

    if (to < len)
        (void)escape_around(s, len, to, &end);
    from = escape_around(s, len, from, &of_first);
    memset(s + from, fill, end - from);
    return end;
}

static void mask(char *s, size_t len, struct og_str secret, char fill, spelling *next)
{
    size_t n;
    int c;

    for (size_t i = 0; i < len;) {
        size_t of_one = next(s + i, len - i, &c);

        if (c == (unsigned char)secret.s[0] && (n = spelled(s + i, len - i, secret, next)) != 0)
            i = hide(s, len, i, i + n, fill);
        else
            i += of_one;
    }
}

static void mask_all(char *s, size_t len, struct og_str secret, char fill)
{
    if (memchr(s, '\\', len))
        mask(s, len, secret, fill, json);
    if (memchr(s, '%', len))
        mask(s, len, secret, fill, percent);
    if (memchr(s, '&', len))
        mask(s, len, secret, fill, html);
    mask(s, len, secret, fill, plain);
}

/* Write the Base64 of the secret as it appears after `before` other bytes: only the characters that depend on the
 * secret alone. */
static size_t encode(struct og_str secret, size_t before, bool for_urls, char *to)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0, ends = (before + secret.len) * 8 / 6;

    for (size_t i = (before * 8 + 5) / 6; i < ends; i++) {
        unsigned v = 0;

        for (size_t bit = i * 6 - before * 8, k = 0; k < 6; k++, bit++)
            v = v << 1 | ((unsigned)(unsigned char)secret.s[bit / 8] >> (7 - bit % 8) & 1);
        to[n++] = !for_urls || v < 62 ? digits[v] : v == 62 ? '-' : '_';
    }
    return n;
}

/* --- encodings within encodings ----------------------------------------------------------------------------------- */

enum code { JSON, PERCENT, HTML, CODES };
#define LEVELS      2
#define END_OF_TEXT (-2)

static const struct {
    char begins;
    spelling *next;
} codes[] = { [JSON] = { '\\', json }, [PERCENT] = { '%', percent }, [HTML] = { '&', html } };

/* Reads the characters of a text that was escaped twice; code[0] was applied last.  The text is read once, not anew
 * from every offset, so that the time grows only in proportion to its length. */
struct nested {
    const char *s;
    size_t len, at;
    enum code code[LEVELS];
};

/* Returns true if an escape of this code has more characters than the n that were read. */
static bool goes_on(enum code code, const char *escape, size_t n)
{
    switch (code) {
    case JSON: return n < (n > 1 && escape[1] == 'u' ? 6 : 2);
    case PERCENT: return n < 3;
    default: return n < ESCAPE_MOST && escape[n - 1] != ';' && (n < 2 || is_cut_off(escape, n));
    }
}

/* Returns the next character with the `level` encodings that were applied last removed; level 0: as it is in the text.
 * Returns END_OF_TEXT at the end, NO_CHAR for an escape that no secret needs. */
static int read_nested(struct nested *r, int level)
{
    enum code code;
    char escape[ESCAPE_MOST];
    size_t n = 1, before;
    int c;

    if (level == 0)
        return r->at < r->len ? (unsigned char)r->s[r->at++] : END_OF_TEXT;
    code = r->code[--level];
    c = read_nested(r, level);
    if (c != codes[code].begins)
        return c;
    before = r->at;
    escape[0] = (char)c;
    while (goes_on(code, escape, n) && (c = read_nested(r, level)) >= 0)
        escape[n++] = (char)c;
    if (n > 1 && codes[code].next(escape, n, &c) == n)
        return c;
    r->at = before; /* the character stands for itself */
    return codes[code].begins;
}

/* Returns the number of bytes that spell the secret at the current offset; 0 if the secret is not there. */
static size_t spelled_nested(struct nested r, struct og_str secret)
{
    const size_t from = r.at;

    for (size_t n = 0; n < secret.len; n++) {
        const int c = read_nested(&r, LEVELS);

        if (c == END_OF_TEXT)
            return n >= OG_MASK_LEAST ? r.len - from : 0;
        if (c != (unsigned char)secret.s[n])
            return 0;
    }
    return r.at - from;
}

static void mask_escaped_twice(char *s, size_t len, struct og_str secret, char fill)
{
    for (unsigned pair = 0; pair < CODES * CODES; pair++) {
        struct nested r = { s, len, 0, { (enum code)(pair / CODES), (enum code)(pair % CODES) } };
        size_t n, from;
        int c;

        if (!memchr(s, codes[r.code[0]].begins, len))
            continue;
        do {
            from = r.at;
            c = read_nested(&r, LEVELS);
            if (c != (unsigned char)secret.s[0])
                continue;
            n = spelled_nested((struct nested){ s, len, from, { r.code[0], r.code[1] } }, secret);
            if (n != 0)
                r.at = hide(s, len, from, from + n, fill);
        } while (c != END_OF_TEXT);
    }
}

static bool is_spelled_in(const char *s, size_t len, struct og_str secret, spelling *next)
{
    int c;

    for (size_t i = 0; i < len; i += next(s + i, len - i, &c))
        if (spelled(s + i, len - i, secret, next) != 0)
            return true;
    return false;
}

/* The Base64 of a secret, after 0 to 2 other bytes, in both alphabets. */
#define VARIANTS 6
struct variants {
    char text[VARIANTS][BASE64_OF_MOST * 4 / 3 + 4];
    struct og_str is[VARIANTS];
};

/* Returns true if the text, which was decoded from Base64, contains the secret, encoded once. */
static bool is_encoded_in(const char *s, size_t len, struct og_str secret, const struct variants *v)
{
    for (int i = 0; i < VARIANTS; i++)
        if (memmem(s, len, v->is[i].s, v->is[i].len))
            return true;
    for (int i = 0; i < CODES; i++)
        if (memchr(s, codes[i].begins, len) && is_spelled_in(s, len, secret, codes[i].next))
            return true;
    return false;
}

static int sextet_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

#define DECODED_MOST 8192
#define BASE64_LEAST 11 /* the length of the Base64 of OG_MASK_LEAST bytes */

/* Decode Base64; bits after the last whole byte are dropped.  Returns the number of bytes. */
static size_t decode(const char *s, size_t len, char *to)
{
    unsigned bits = 0;
    size_t n = 0;
    int have = 0;

    for (size_t i = 0; i < len; i++) {
        bits = bits << 6 | (unsigned)sextet_of(s[i]);
        have += 6;
        if (have >= 8) {
            have -= 8;
            to[n++] = (char)(bits >> have & 0xff);
        }
    }
    return n;
}

/* Mask a whole run of Base64 characters if its decoded text contains the secret in an encoded form.  The Base64 may
 * begin at any of the run's first four characters, after other text; a long run is decoded in overlapping parts. */
static void mask_in_base64(char *s, size_t len, struct og_str secret, const struct variants *v, char fill)
{
    char decoded[DECODED_MOST];
    const size_t most = DECODED_MOST / 3 * 4, step = most * 3 / 4;

    for (size_t from = 0, to; from < len; from = to + 1) {
        bool found = false;

        for (to = from; to < len && sextet_of(s[to]) >= 0;)
            to++;
        for (size_t at = from; to - from >= BASE64_LEAST && at < to && !found; at += step)
            for (size_t skip = 0; skip < 4 && at + skip < to && !found; skip++) {
                const size_t rest = to - at - skip, n = decode(s + at + skip, rest < most ? rest : most, decoded);

                found = is_encoded_in(decoded, n, secret, v);
            }
        if (found)
            memset(s + from, fill, to - from);
    }
    og_wipe(decoded, sizeof decoded);
}

/* Returns a character that occurs neither in the secret nor in Base64 or escapes, so that masked text cannot match
 * again. */
static char fill_for(struct og_str secret)
{
    const char *fill = "*~!$^|,:.";

    while (*fill != '\0' && memchr(secret.s, *fill, secret.len))
        fill++;
    return *fill != '\0' ? *fill : '*';
}

void og_mask(char *text, size_t len, struct og_str secret)
{
    const struct og_str known = { secret.s, secret.len < BASE64_OF_MOST ? secret.len : BASE64_OF_MOST };
    struct variants v;
    char fill;

    if (secret.len < OG_MASK_LEAST || len < OG_MASK_LEAST)
        return;
    fill = fill_for(secret);
    mask_all(text, len, secret, fill);
    for (int i = 0; i < VARIANTS; i++) {
        v.is[i] = (struct og_str){ v.text[i], encode(known, (size_t)i / 2, i % 2, v.text[i]) };
        mask_all(text, len, v.is[i], fill);
    }
    mask_escaped_twice(text, len, secret, fill);
    mask_in_base64(text, len, secret, &v, fill);
    og_wipe(&v, sizeof v);
}
