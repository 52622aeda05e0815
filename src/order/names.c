/*
 * Spellings of the order's keys and enum values (docs/readings.md, section Q), in both directions.  Case matters, as
 * with the service.
 */
#include "base/attributes.h"
#include "order/keys.h"

#define JSON_WORD   "string"
#define JSON_SYMBOL "string"
#define JSON_TEXT   "string"
#define JSON_READ   "string"
#define JSON_OP     "string"
#define JSON_WHOLE  "integer"
#define JSON_NUMBER "number"
#define JSON_LEGS   "array"
const char *const og_key_names[OG_KEYS] = {
#define OG_FIELD(id, name, ...) name,
#include "order/fields.def"
};
const char *const og_key_pointers[OG_KEYS] = {
#define OG_FIELD(id, name, ...) "/" name,
#include "order/fields.def"
};
const char *const og_key_types[OG_KEYS] = {
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) JSON_##kind,
#include "order/fields.def"
};
const char *const og_leg_key_names[OG_LEG_KEYS] = {
#define OG_LEG_FIELD(id, name, ...) name,
#include "order/fields.def"
};
const char *const og_leg_key_types[OG_LEG_KEYS] = {
#define OG_LEG_FIELD(id, name, kind, ...) JSON_##kind,
#include "order/fields.def"
};

#define ORDER(k)   .key = OG_KEY_##k, .in_order = 1u << OG_KEY_##k
#define OF_LEG(k)  .leg_key = OG_LEG_##k, .in_leg = 1u << OG_LEG_##k
#define NOT_OF_LEG .in_leg = 0
#define KEY(name, second, sixth, ...) \
    [OG_KEY_PLACE(second, sixth)] = { .text = name "\":", .len = sizeof(name) + 1, __VA_ARGS__ }
const struct og_key_name og_keys_placed[OG_KEY_PLACES] = {
#define OG_FIELD(id, name, second, sixth, leg, ...) KEY(name, second, sixth, ORDER(id), leg),
#include "order/fields.def"
    KEY("ratio", 'a', '"', OF_LEG(RATIO)),
};

#define NONE  \
    {         \
        "", 0 \
    }
#define NAME(literal)                \
    {                                \
        literal, sizeof(literal) - 1 \
    }
static const struct og_str securities[] = { NONE, NAME("Stock"), NAME("Option"), NAME("Mleg") };
static const struct og_str sides[] = { NONE, NAME("Buy"), NAME("Sell") };
static const struct og_str open_closes[] = { NONE, NAME("Open"), NAME("Close") };
static const struct og_str types[] = { NONE, NAME("Market"), NAME("Limit"), NAME("Stop"), NAME("StopLimit") };
static const struct og_str tifs[] = { NONE,
                                      NAME("Day"),
                                      NAME("GoodTillCancel"),
                                      NAME("AtTheOpening"),
                                      NAME("ImmediateOrCancel"),
                                      NAME("FillOrKill"),
                                      NAME("GoodTillCrossing"),
                                      NAME("Day_Plus"),
                                      NAME("GTC_Plus") };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Returns the index of s in names[1] to names[count - 1]; 0 if none of them is s. */
static int place_of(struct og_str s, const struct og_str *names, size_t count)
{
    for (size_t i = 1; i < count; i++)
        /* the compiler knows the lengths, so memcmp() becomes a comparison of words */
        if (s.len == names[i].len && memcmp(s.s, names[i].s, s.len) == 0)
            return (int)i;
    return 0;
}

/* Returns the index of the name that is at s and followed by a quote, and sets *len; 0 if there is none. */
static inline unsigned place_at(const char *s, size_t *len, const struct og_str *names, size_t count)
{
    for (unsigned i = 1; i < count; i++)
        if (memcmp(s, names[i].s, names[i].len) == 0 && s[names[i].len] == '"') {
            *len = names[i].len;
            return i;
        }
    return 0;
}

#define WORDS_OF(e, words)                                         \
    const char *og_##e##_name(enum og_##e v)                       \
    {                                                              \
        return (size_t)v < COUNT(words) ? (words)[v].s : "";       \
    }                                                              \
    enum og_##e og_##e##_of(struct og_str s)                       \
    {                                                              \
        return (enum og_##e)place_of(s, words, COUNT(words));      \
    }                                                              \
    OG_HOT enum og_##e og_##e##_at(const char *s, size_t *len)     \
    {                                                              \
        return (enum og_##e)place_at(s, len, words, COUNT(words)); \
    }
WORDS_OF(security, securities)
WORDS_OF(side, sides)
WORDS_OF(open_close, open_closes)
WORDS_OF(order_type, types)
WORDS_OF(tif, tifs)
