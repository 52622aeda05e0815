/*
 * The reader of what orders mostly are: one pass over the line, which knows a key and the end of a string in one step.
 * It refuses to say why something is no order: it stops before what it does not know, and the JSON reader goes on.
 */
#include "order/usual.h"

#include "base/often.h"
#include "base/utf8.h"
#include "order/keys.h"
#include "order/take.h"

#include "base/banned.h"

#define KEYS     ((1u << OG_KEYS) - 1 - (1u << OG_KEY_OP))
#define LEG_KEYS ((1u << OG_LEG_KEYS) - 1)
#define LEGS     (1u << OG_KEY_LEGS)
#define DIGITS_MOST 18 /* of a number that fits an int64_t for certain */

static inline char *past_space(char *p)
{
    return p + (*p == ' ');
}

/* The value of the known key at p, a string; NULL: no such key. */
static inline char *key_at(char *p, const struct og_key_name **name)
{
    p = past_space(p);
    if (*p != '"' || (*name = og_key_at(p + 1)) == NULL)
        return NULL;
    return past_space(p + 1 + (*name)->len);
}

/* The string at p, which gets a NUL in the place of its closing quote: what follows it; NULL: none without escapes. */
static inline char *string_at(char *p, struct og_str *text)
{
    char *end;

    if (*p != '"')
        return NULL;
    end = p + 1 + og_json_clean_len(p + 1);
    if (*end != '"')
        return NULL;
    *end = '\0';
    *text = (struct og_str){ p + 1, (size_t)(end - p - 1) };
    return end + 1;
}

/* A number as people write it, before a comma or a brace: what follows it; NULL: something else, or it has more digits
 * than an int64_t. */
static OG_OFTEN char *number_at(char *p, struct og_money *value, bool *in_digits)
{
    bool negative = *p == '-';
    const char *digits = p += negative, *point = NULL;
    uint64_t coef = 0;
    int64_t signed_coef;
    int decimals = 0;

    for (; (unsigned char)(*p - '0') < 10; p++)
        coef = coef * 10 + (uint64_t)(*p - '0');
    if (p == digits || (*digits == '0' && p > digits + 1))
        return NULL;
    if (*p == '.') {
        point = p++;
        for (; (unsigned char)(*p - '0') < 10; p++)
            coef = coef * 10 + (uint64_t)(*p - '0');
        decimals = (int)(p - point - 1);
        if (decimals == 0)
            return NULL;
    }
    if (p - digits > DIGITS_MOST || (*p != ',' && *p != '}'))
        return NULL;
    *in_digits = !point;
    signed_coef = negative ? -(int64_t)coef : (int64_t)coef;
    *value = (struct og_money){ signed_coef, decimals };
    if (!point || p[-1] != '0')
        return p;
    return og_money_mul((struct og_money){ signed_coef, 0 }, (struct og_money){ 1, decimals }, value) ? p : NULL;
}

/* The members of the leg that begins at p: what follows its brace, or NULL. */
static OG_OFTEN char *leg_at(struct og_order *o, struct og_leg *leg, char *p)
{
    unsigned left = LEG_KEYS;

    og_zero(leg, sizeof *leg);
    leg->is_object = true;
    leg->given = "object";
    do {
        const struct og_key_name *name;
        char *value = key_at(p + 1, &name);
        struct og_str text;

        if (!value || !(name->in_leg & left))
            return NULL;
        left ^= name->in_leg;
        if (name->in_leg & OG_LEG_NUMBER_KEYS) {
            struct og_money ratio;
            bool in_digits;

            p = number_at(value, &ratio, &in_digits);
            if (!p)
                return NULL;
            og_take_ratio(leg, (struct og_str){ value, (size_t)(p - value) }, ratio);
        } else {
            p = string_at(value, &text);
            if (!p)
                return NULL;
            og_take_leg_text(o, leg, name->leg_key, text);
        }
    } while (*p == ',');
    return *p == '}' ? p + 1 : NULL;
}

/* The legs at p: what follows them, or NULL. */
static OG_OFTEN char *legs_at(struct og_order *o, char *p)
{
    int count = 0;

    if (*p != '[')
        return NULL;
    do {
        p = past_space(p + 1);
        if (*p != '{' || count == OG_LEGS_KEPT)
            return NULL;
        p = leg_at(o, &o->leg[count++], p);
        if (!p)
            return NULL;
    } while (*p == ',');
    if (*p != ']')
        return NULL;
    o->leg_count = o->legs_kept = count;
    o->cell[OG_KEY_LEGS].shape = OG_VALID;
    o->cell[OG_KEY_LEGS].given = "array";
    return p + 1;
}

OG_OFTEN char *og_order_usual(struct og_order *o)
{
    char *p = o->line.s, *end = p + o->line.len;
    unsigned left = KEYS;

    o->keys = 0;
    if (*p != '{')
        return p;
    for (;;) {
        const struct og_key_name *name;
        char *value = key_at(p + 1, &name), *next;
        struct og_str text;

        if (!value || !(name->in_order & left))
            break;
        if (name->in_order & OG_NUMBER_KEYS) {
            struct og_money number;
            bool in_digits;

            next = number_at(value, &number, &in_digits);
            if (!next)
                break;
            og_take_number(o, name->key, (struct og_str){ value, (size_t)(next - value) }, number, in_digits);
        } else if (name->in_order & LEGS) {
            next = legs_at(o, value);
            if (!next)
                break;
        } else {
            next = string_at(value, &text);
            if (!next)
                break;
            og_take_text(o, name->key, text);
        }
        left ^= name->in_order;
        p = next;
        if (*p != ',')
            break;
    }
    o->keys = KEYS ^ left;
    return *p == '}' && p + 1 == end ? NULL : p;
}
