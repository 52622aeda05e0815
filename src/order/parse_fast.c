/*
 * The fast path of the order parser: one pass over the line, which finds a key, and the end of a string, in one step
 * each.  It reports no errors: where it cannot go on, it stops, and the full parser (order/read.c) continues.
 */
#include "order/parse_fast.h"

#include "base/attributes.h"
#include "base/digits.h"
#include "base/utf8.h"
#include "order/fields.h"
#include "order/keys.h"

#define KEYS     ((1u << OG_KEYS) - 1 - (1u << OG_KEY_OP) - (1u << OG_KEY_TAG))
#define LEG_KEYS ((1u << OG_LEG_KEYS) - 1)

static inline char *skip_space(char *p)
{
    if (__builtin_expect(*p == ' ', 0))
        p++;
    return p;
}

/* Returns the name of the known key at p, which is behind an opening quote; NULL if the key is not known. */
static inline char *key_at(char *p, const struct og_key_name **name)
{
    p = skip_space(p);
    return *p == '"' && (*name = og_key_at(p + 1)) != NULL ? p + 1 : NULL;
}

/* Skips to the value after the key at k. The length of the key is given as a constant, although the table has it, so
 * that the processor can read on without waiting for the table. */
#define BEHIND(k, text) skip_space((k) + sizeof(text "\":") - 1)
/* Skips to the string after the key, behind its opening quote; NULL if the value is not a string. */
#define STRING_BEHIND(k, text) string_start(BEHIND(k, text))
static inline char *string_start(char *p)
{
    return *p == '"' ? p + 1 : NULL;
}

/* Returns the number of digits at s, and sets *n to their value; if there are more than 7 digits, returns 8, with *n 0.
 * There is no loop, because its end would often be mispredicted. */
static inline unsigned digits_at(const char *s, uint32_t *n)
{
    uint64_t v = og_digits_eight(s) ^ UINT64_C(0x3030303030303030); /* a digit becomes its value, 0 to 9 */
    uint64_t others = ((v + UINT64_C(0x7676767676767676)) | v) & UINT64_C(0x8080808080808080);
    unsigned bits;

    *n = 0;
    if (!others)
        return 8;
    /* bits of `others` mark bytes that are not digits; only the lowest such bit is exact, since a byte that is not a
     * digit carries into the next one */
    bits = (unsigned)__builtin_ctzll(others) - 7;
    *n = og_digits_number(v << 1 << (63 - bits)); /* shifted so that zeros come before the digits */
    return bits / 8;
}

/* Parse an integer of at most 7 digits without leading zeros.  Returns where it ends; NULL: it is not such an
 * integer. */
static inline char *integer_at(char *p, uint32_t *n)
{
    unsigned count = digits_at(p, n);

    return count - 1 > 6 || (*p == '0' && count > 1) ? NULL : p + count;
}

/* Parse the number after a key.  Returns where it ends; NULL if it is not a plain number, or it is a quantity with
 * decimals. */
static OG_NOINLINE OG_HOT char *number_at(struct og_order *o, unsigned key, char *s)
{
    static const int32_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };
    uint32_t whole, part;
    char *p = integer_at(s + (*s == '-'), &whole);
    struct og_money value;

    if (!p)
        return NULL;
    value = (struct og_money){ whole, 0 };
    if (*p == '.') {
        unsigned decimals = digits_at(p + 1, &part);

        if (decimals - 1 > 6 || OG_WHOLE_KEYS >> key & 1)
            return NULL;
        value = (struct og_money){ value.coef * powers[decimals] + part, (int32_t)decimals };
        p += 1 + decimals;
        for (; value.scale > 0 && value.coef % 10 == 0; value.scale--) /* bring the value into normal form */
            value.coef /= 10;
    }
    if (*p != ',' && *p != '}')
        return NULL;
    if (*s == '-')
        value.coef = -value.coef;
    og_field_set_number(o, key, (struct og_str){ s, (size_t)(p - s) }, value);
    return p;
}

/* Set the field to the string of len bytes at s, and replace the string's closing quote by a NUL.  Returns where it
 * ends. */
static inline char *end_string(struct og_field *field, char *s, size_t len)
{
    s[len] = '\0';
    og_field_set(field, (struct og_str){ s, len });
    return s + len + 1;
}

static inline char *ratio_at(struct og_leg *leg, char *s)
{
    uint32_t ratio;
    char *end = integer_at(s, &ratio);

    if (end)
        og_field_set_ratio(leg, (struct og_str){ s, (size_t)(end - s) }, (struct og_money){ ratio, 0 });
    return end;
}

static inline char *leg_symbol_at(struct og_leg *leg, char *s)
{
    size_t len = s ? og_json_clean_len(s) : 0;

    if (!s || s[len] != '"')
        return NULL;
    og_field_set_leg_symbol(leg, (struct og_str){ s, len });
    return end_string(&leg->field[OG_LEG_SYMBOL], s, len);
}

/* Do what value_at() does, for a key of a leg. */
static inline char *leg_value_at(struct og_leg *leg, unsigned key, char *k)
{
    size_t len = 0;
    char *s = NULL;

    switch (key) {
    case OG_LEG_SYMBOL: return leg_symbol_at(leg, STRING_BEHIND(k, "symbol"));
    case OG_LEG_RATIO: return ratio_at(leg, BEHIND(k, "ratio"));
    case OG_LEG_SIDE:
        if ((s = STRING_BEHIND(k, "side")) != NULL)
            leg->side = og_side_at(s, &len);
        break;
    default:
        if ((s = STRING_BEHIND(k, "openClose")) != NULL)
            leg->open_close = og_open_close_at(s, &len);
    }
    return len ? end_string(&leg->field[key], s, len) : NULL;
}

/* Parse the leg that begins at p.  Returns where it ends; NULL if the full parser must read it. */
static inline char *leg_at(struct og_leg *leg, char *p)
{
    unsigned left = LEG_KEYS;

    og_zero(leg, sizeof *leg);
    leg->is_object = true;
    leg->json_type = "object";
    do {
        const struct og_key_name *name;
        char *k = key_at(p + 1, &name);

        if (!k || !(name->in_leg & left))
            return NULL;
        left ^= name->in_leg;
        p = leg_value_at(leg, name->leg_key, k);
    } while (p && *p == ',');
    return p && *p == '}' ? p + 1 : NULL;
}

/* Parse the array of legs at p.  Returns where it ends; NULL if the full parser must read it. */
static __attribute__((noinline)) OG_HOT char *legs_at(struct og_order *o, char *p)
{
    int count = 0;

    if (*p != '[')
        return NULL;
    do {
        p = skip_space(p + 1);
        if (*p != '{' || count == OG_LEGS_KEPT)
            return NULL;
        p = leg_at(&o->leg[count++], p);
    } while (p && *p == ',');
    if (!p || *p != ']')
        return NULL;
    o->leg_count = o->legs_kept = count;
    o->field[OG_KEY_LEGS].status = OG_VALID;
    o->field[OG_KEY_LEGS].json_type = "array";
    return p + 1;
}

/* Parse a string that may have any value, which is also set in *text.  Returns where it ends; NULL if it has escapes,
 * or is not a string. */
static OG_NOINLINE OG_HOT char *text_at(struct og_field *field, struct og_str *text, char *s)
{
    size_t len = s ? og_json_clean_len(s) : 0;

    if (!s || s[len] != '"')
        return NULL;
    *text = (struct og_str){ s, len };
    return end_string(field, s, len);
}

/* A function of its own: what it needs for the bytes of a symbol would delay every other text. */
static OG_NOINLINE OG_HOT char *symbol_at(struct og_order *o, char *s)
{
    char *end = text_at(&o->field[OG_KEY_SYMBOL], &o->symbol, s);

    if (end)
        o->symbol_bytes = og_symbol_bytes(o->symbol);
    return end;
}

#define VALUE_WORD(id, name, member, e)           \
    case OG_KEY_##id:                             \
        if ((s = STRING_BEHIND(k, name)) != NULL) \
            o->member = og_##e##_at(s, &len);     \
        break;
#define VALUE_TEXT(id, name, member) \
    case OG_KEY_##id:                \
        return text_at(&o->field[key], &o->member, STRING_BEHIND(k, name));
#define VALUE_SYMBOL(id, name, member) \
    case OG_KEY_##id: return symbol_at(o, STRING_BEHIND(k, name));
/* the value must not be empty */
#define VALUE_READ(id, name, member)                           \
    case OG_KEY_##id:                                          \
        if ((s = STRING_BEHIND(k, name)) == NULL || *s == '"') \
            return NULL;                                       \
        return text_at(&o->field[key], &o->member, s);
#define VALUE_NUMBER(id, name, ...) \
    case OG_KEY_##id:               \
        return number_at(o, key, BEHIND(k, name));
#define VALUE_WHOLE VALUE_NUMBER
#define VALUE_OP(...)
#define VALUE_LEGS(id, name, member) \
    case OG_KEY_##id: return legs_at(o, BEHIND(k, name));
/* Parse the value of the key at k.  Returns where it ends; NULL if the full parser must read the value. */
static inline char *value_at(struct og_order *o, unsigned key, char *k)
{
    size_t len = 0;
    char *s = NULL;

    switch (key) {
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) VALUE_##kind(id, name, __VA_ARGS__)
#include "order/fields.def"
    }
    return len ? end_string(&o->field[key], s, len) : NULL;
}

OG_HOT char *og_order_parse_fast(struct og_order *o)
{
    char *p = o->line.s, *end = p + o->line.len;
    unsigned left = KEYS;

    o->keys = 0;
    if (*p != '{')
        return p;
    do {
        const struct og_key_name *name;
        char *k = key_at(p + 1, &name), *next;

        if (!k || !(name->in_order & left))
            break;
        next = value_at(o, name->key, k);
        if (!next)
            break;
        left ^= name->in_order;
        p = next;
    } while (*p == ',');
    o->keys = KEYS ^ left;
    return *p == '}' && p + 1 == end ? NULL : p;
}
