/*
 * The strict JSON pull parser: one pass, no allocation, no recursion.  After a fault, every later call returns the same
 * fault.
 */
#include "text/json.h"

#include "base/attributes.h"
#include "base/digits.h"
#include "base/utf8.h"

enum expect {
    VALUE,        /* a value must come next */
    ITEM_OR_END,  /* after '[' */
    KEY_OR_END,   /* after '{' */
    KEY,          /* in an object, after a comma */
    COMMA_OR_END, /* in an array or object, after a value */
    NOTHING,      /* the whole value is complete */
    FAULTED
};

static enum og_json_kind fault(struct og_json *r, const char *at, const char *what)
{
    r->fault = what;
    r->fault_at = (size_t)(at - r->start);
    r->text = (struct og_str){ NULL, 0 };
    r->expect = FAULTED;
    return OG_JSON_FAULT;
}

void og_json_init(struct og_json *r, const char *bytes, size_t len, char *spill, size_t spill_cap)
{
    if (!bytes) {
        bytes = "";
        len = 0;
    }
    og_zero(r, sizeof *r);
    r->start = r->at = bytes;
    r->end = bytes + len;
    r->spill = spill;
    r->spill_cap = spill_cap;
    r->expect = VALUE;
}

static inline void skip_space(struct og_json *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static inline bool in_object(const struct og_json *r)
{
    return r->in_object >> (r->depth - 1) & 1;
}

/* Set what may come after a complete value. */
static inline void after_value(struct og_json *r)
{
    r->expect = r->depth == 0 ? NOTHING : COMMA_OR_END;
}

/* Parse four hex digits.  Returns -1 if there are not four. */
static int32_t hex4(const char *p, const char *end)
{
    int32_t n = 0;

    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int d = og_hex_digit(p[i]);

        if (d < 0)
            return -1;
        n = n << 4 | d;
    }
    return n;
}

static size_t encode(uint32_t c, char *to)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xC0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xE0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 0x3F));
        to[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    to[0] = (char)(0xF0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 0x3F));
    to[2] = (char)(0x80 | (c >> 6 & 0x3F));
    to[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* Decode "uXXXX" (with the second half of a pair) at *p, and write the result to `to`.  Returns its length; 0 means a
 * fault. */
static size_t unicode_escape(struct og_json *r, const char **p, char *to)
{
    const char *at = *p;
    int32_t c = hex4(at + 1, r->end), low;

    *p += 5;
    if (c < 0)
        return fault(r, at - 1, "bad escape");
    if (c == 0)
        return fault(r, at - 1, "NUL in a string");
    if (c < 0xD800 || c > 0xDFFF)
        return encode((uint32_t)c, to);
    low = c < 0xDC00 && r->end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u' ? hex4(*p + 2, r->end) : -1;
    if (low < 0xDC00 || low > 0xDFFF)
        return fault(r, at - 1, "lone surrogate");
    *p += 6;
    return encode(0x10000 + ((uint32_t)(c - 0xD800) << 10) + (uint32_t)(low - 0xDC00), to);
}

/* Decode the escape whose backslash is at *p, and write the result (at most 4 bytes) to `to`.  Returns its length; 0
 * means a fault. */
static size_t escape(struct og_json *r, const char **p, char *to)
{
    static const char from[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
    const char *letter;

    if (++*p == r->end)
        return fault(r, *p, "unterminated string");
    if (**p == 'u')
        return unicode_escape(r, p, to);
    letter = **p ? strchr(from, **p) : NULL;
    if (!letter)
        return fault(r, *p - 1, "bad escape");
    to[0] = plain[letter - from];
    ++*p;
    return 1;
}

/* Skip plain characters from p to the next quote or backslash.  Returns NULL on a fault. */
static inline const char *plain_run(struct og_json *r, const char *p)
{
    size_t len;

    for (;;) {
        p = og_json_clean_run(p, r->end);
        if (p == r->end) {
            fault(r, p, "unterminated string");
            return NULL;
        }
        if (*p == '"' || *p == '\\')
            return p;
        if ((unsigned char)*p < 0x20) {
            fault(r, p, *p == '\0' ? "NUL in a string" : "control character in a string");
            return NULL;
        }
        len = og_utf8_len(p, r->end);
        if (len == 0) {
            fault(r, p, "not UTF-8");
            return NULL;
        }
        p += len;
    }
}

static bool spill(struct og_json *r, const char *s, size_t len, const char *at)
{
    if (len > r->spill_cap - r->spill_len) {
        fault(r, at, "no room for an escaped string");
        return false;
    }
    if (len)
        memcpy(r->spill + r->spill_len, s, len);
    r->spill_len += len;
    return true;
}

/* Read a string with escapes: `from` is its first byte, p its first backslash. */
static bool read_escaped(struct og_json *r, const char *from, const char *p)
{
    size_t first = r->spill_len;

    for (;;) {
        char decoded[4];
        size_t len;

        if (!spill(r, from, (size_t)(p - from), p))
            return false;
        if (*p == '"')
            break;
        len = escape(r, &p, decoded);
        if (len == 0 || !spill(r, decoded, len, p))
            return false;
        from = p;
        p = plain_run(r, p);
        if (!p)
            return false;
    }
    r->text = (struct og_str){ r->spill + first, r->spill_len - first };
    r->at = p + 1;
    return true;
}

/* Read the string whose opening quote is at r->at. */
static inline bool read_string(struct og_json *r)
{
    const char *from = r->at + 1, *p = plain_run(r, from);

    if (!p)
        return false;
    if (*p == '\\')
        return read_escaped(r, from, p);
    r->text = (struct og_str){ from, (size_t)(p - from) };
    r->at = p + 1;
    return true;
}

static inline bool is_digit(const char *p, const char *end)
{
    return p < end && (unsigned char)(*p - '0') < 10;
}

static const char *skip_digits(const char *p, const char *end)
{
    while (is_digit(p, end))
        p++;
    return p;
}

/* Returns true if the byte at p must not directly follow a number or a word. */
static inline bool runs_on(const char *p, const char *end)
{
    if (p == end)
        return false;
    return is_digit(p, end) || ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z') || *p == '.' || *p == '+' || *p == '-' ||
           *p == '_';
}

static enum og_json_kind read_number(struct og_json *r)
{
    const char *from = r->at, *end = r->end, *p = from + (*from == '-');

    if (!is_digit(p, end))
        return fault(r, p, "bad number");
    p = *p == '0' ? p + 1 : skip_digits(p, end);
    if (p < end && *p == '.') {
        if (!is_digit(++p, end))
            return fault(r, p, "bad number");
        p = skip_digits(p, end);
    }
    if (p < end && (*p | 0x20) == 'e') {
        p++;
        p += p < end && (*p == '+' || *p == '-');
        if (!is_digit(p, end))
            return fault(r, p, "bad number");
        p = skip_digits(p, end);
    }
    if (runs_on(p, end))
        return fault(r, p, "bad number");
    r->text = (struct og_str){ from, (size_t)(p - from) };
    r->at = p;
    after_value(r);
    return OG_JSON_NUMBER;
}

static enum og_json_kind read_word(struct og_json *r, const char *word, size_t len, enum og_json_kind kind)
{
    const char *after = r->at + len;

    if ((size_t)(r->end - r->at) < len || memcmp(r->at, word, len) != 0 || runs_on(after, r->end))
        return fault(r, r->at, "expected a value");
    r->text = (struct og_str){ r->at, len };
    r->at = after;
    after_value(r);
    return kind;
}

static enum og_json_kind open_container(struct og_json *r, bool object)
{
    uint32_t bit;

    if (r->depth == OG_JSON_DEPTH)
        return fault(r, r->at, "nesting deeper than 32");
    bit = UINT32_C(1) << r->depth;
    r->in_object = object ? r->in_object | bit : r->in_object & ~bit;
    r->depth++;
    r->at++;
    r->expect = object ? KEY_OR_END : ITEM_OR_END;
    return object ? OG_JSON_OBJECT : OG_JSON_ARRAY;
}

static enum og_json_kind close_container(struct og_json *r)
{
    enum og_json_kind kind = in_object(r) ? OG_JSON_OBJECT_END : OG_JSON_ARRAY_END;

    r->depth--;
    r->at++;
    after_value(r);
    return kind;
}

static OG_HOT enum og_json_kind read_value(struct og_json *r)
{
    switch (*r->at) {
    case '{': return open_container(r, true);
    case '[': return open_container(r, false);
    case '"':
        if (!read_string(r))
            return OG_JSON_FAULT;
        after_value(r);
        return OG_JSON_STRING;
    case 't': return read_word(r, "true", 4, OG_JSON_TRUE);
    case 'f': return read_word(r, "false", 5, OG_JSON_FALSE);
    case 'n': return read_word(r, "null", 4, OG_JSON_NULL);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': return read_number(r);
    default: return fault(r, r->at, "expected a value");
    }
}

static OG_HOT enum og_json_kind read_key(struct og_json *r)
{
    if (*r->at != '"')
        return fault(r, r->at, r->expect == KEY ? "expected a key" : "expected a key or '}'");
    if (!read_string(r))
        return OG_JSON_FAULT;
    skip_space(r);
    if (r->at == r->end)
        return fault(r, r->at, "unexpected end");
    if (*r->at != ':')
        return fault(r, r->at, "expected ':'");
    r->at++;
    r->expect = VALUE;
    return OG_JSON_KEY;
}

/* Move to the next token, over a comma if there is one.  Returns false if *kind is set already: a fault or an end. */
static inline bool step(struct og_json *r, enum og_json_kind *kind)
{
    if (r->expect == FAULTED) {
        *kind = OG_JSON_FAULT;
        return false;
    }
    skip_space(r);
    if (r->expect == COMMA_OR_END && r->at < r->end && *r->at == ',') {
        r->at++;
        r->expect = in_object(r) ? KEY : VALUE;
        skip_space(r);
    }
    if (r->expect == NOTHING) {
        *kind = r->at == r->end ? OG_JSON_END : fault(r, r->at, "bytes after the value");
        return false;
    }
    if (r->at == r->end) {
        *kind = fault(r, r->at, "unexpected end");
        return false;
    }
    return true;
}

OG_HOT enum og_json_kind og_json_next(struct og_json *r)
{
    enum og_json_kind kind;

    r->text = (struct og_str){ NULL, 0 };
    if (!step(r, &kind))
        return kind;
    r->token_at = (size_t)(r->at - r->start);
    switch (r->expect) {
    case KEY_OR_END: return *r->at == '}' ? close_container(r) : read_key(r);
    case KEY: return read_key(r);
    case ITEM_OR_END: return *r->at == ']' ? close_container(r) : read_value(r);
    case COMMA_OR_END:
        if (*r->at == (in_object(r) ? '}' : ']'))
            return close_container(r);
        return fault(r, r->at, in_object(r) ? "expected ',' or '}'" : "expected ',' or ']'");
    default: return read_value(r);
    }
}

void og_json_passed(struct og_json *r, const char *to)
{
    r->at = to;
    r->expect = COMMA_OR_END;
}

bool og_json_skip(struct og_json *r, enum og_json_kind first)
{
    int depth = r->depth;

    if (first == OG_JSON_FAULT)
        return false;
    if (first != OG_JSON_OBJECT && first != OG_JSON_ARRAY)
        return true;
    while (r->depth >= depth)
        if (og_json_next(r) == OG_JSON_FAULT)
            return false;
    return true;
}

/* Returns true if the value of a number is whole: with the exponent applied, its last digit other than 0 is left of the
 * decimal point. */
static bool is_whole(struct og_str n)
{
    int64_t place = 0, lowest = 0, exponent = 0;
    bool any = false, negative = false;
    size_t i = 0, point = 0;

    while (point < n.len && n.s[point] != '.' && (n.s[point] | 0x20) != 'e')
        point++;
    place = (int64_t)point - 1;
    for (; i < n.len && (n.s[i] | 0x20) != 'e'; i++) {
        if (n.s[i] == '.')
            continue;
        if (n.s[i] >= '1' && n.s[i] <= '9') {
            lowest = place;
            any = true;
        }
        place--;
    }
    for (i++; i < n.len; i++) {
        negative = negative || n.s[i] == '-';
        if (n.s[i] >= '0' && n.s[i] <= '9' && exponent < INT64_MAX / 100)
            exponent = exponent * 10 + (n.s[i] - '0');
    }
    return !any || lowest + (negative ? -exponent : exponent) >= 0;
}

OG_HOT const char *og_json_type_name(enum og_json_kind kind, struct og_str number)
{
    switch (kind) {
    case OG_JSON_OBJECT: return "object";
    case OG_JSON_ARRAY: return "array";
    case OG_JSON_STRING: return "string";
    case OG_JSON_NUMBER: return is_whole(number) ? "integer" : "number";
    case OG_JSON_TRUE:
    case OG_JSON_FALSE: return "boolean";
    case OG_JSON_NULL: return "null";
    default: return "";
    }
}

void og_json_place(const char *bytes, size_t len, size_t at, int *line, int *col)
{
    size_t from = 0, to = at < len ? at : len; /* bytes may be NULL if len is 0 */
    const char *feed;

    *line = 1;
    while (from < to && (feed = memchr(bytes + from, '\n', to - from))) {
        from = (size_t)(feed - bytes) + 1;
        ++*line;
    }
    *col = (int)(to - from) + 1;
}
