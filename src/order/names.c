/*
 * Spellings of the order's keys and enum values (docs/readings.md, section Q), both directions.  Case matters, as it
 * does to the service.
 */
#include "order/keys.h"

#include "base/attributes.h"

const char *const og_key_names[OG_KEYS] = {
#define OG_FIELD(id, name, type, second, sixth, leg, required) name,
#include "order/fields.def"
};
const char *const og_key_pointers[OG_KEYS] = {
#define OG_FIELD(id, name, type, second, sixth, leg, required) "/" name,
#include "order/fields.def"
};
const char *const og_key_types[OG_KEYS] = {
#define OG_FIELD(id, name, type, second, sixth, leg, required) type,
#include "order/fields.def"
};
const bool og_key_required[OG_KEYS] = {
#define ALWAYS                                                 true
#define SOMETIMES                                              false
#define OG_FIELD(id, name, type, second, sixth, leg, required) required,
#include "order/fields.def"
};
const char *const og_leg_key_names[OG_LEG_KEYS] = {
#define OG_LEG_FIELD(id, name, type) name,
#include "order/fields.def"
};
const char *const og_leg_key_types[OG_LEG_KEYS] = {
#define OG_LEG_FIELD(id, name, type) type,
#include "order/fields.def"
};

#define ORDER(k)   .key = OG_KEY_##k, .in_order = 1u << OG_KEY_##k
#define OF_LEG(k)  .leg_key = OG_LEG_##k, .in_leg = 1u << OG_LEG_##k
#define NOT_OF_LEG .in_leg = 0
#define KEY(name, second, sixth, ...) \
    [OG_KEY_PLACE(second, sixth)] = { .text = name "\":", .len = sizeof(name) + 1, __VA_ARGS__ }
const struct og_key_name og_keys_placed[OG_KEY_PLACES] = {
#define OG_FIELD(id, name, type, second, sixth, leg, required) KEY(name, second, sixth, ORDER(id), leg),
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

/* Returns the index of s among names 1..count-1; 0 if it is none of them. */
static int place_of(struct og_str s, const struct og_str *names, size_t count)
{
    for (size_t i = 1; i < count; i++)
        /* the compiler knows the lengths, so memcmp() becomes a comparison of words */
        if (s.len == names[i].len && memcmp(s.s, names[i].s, s.len) == 0)
            return (int)i;
    return 0;
}

/* Returns the index of the name at s that is followed by a quote, and sets *len; 0 if there is none. */
static inline unsigned place_at(const char *s, size_t *len, const struct og_str *names, size_t count)
{
    for (unsigned i = 1; i < count; i++)
        if (memcmp(s, names[i].s, names[i].len) == 0 && s[names[i].len] == '"') {
            *len = names[i].len;
            return i;
        }
    return 0;
}

const char *og_security_name(enum og_security v)
{
    return (size_t)v < COUNT(securities) ? securities[v].s : "";
}

const char *og_side_name(enum og_side v)
{
    return (size_t)v < COUNT(sides) ? sides[v].s : "";
}

const char *og_open_close_name(enum og_open_close v)
{
    return (size_t)v < COUNT(open_closes) ? open_closes[v].s : "";
}

const char *og_order_type_name(enum og_order_type v)
{
    return (size_t)v < COUNT(types) ? types[v].s : "";
}

const char *og_tif_name(enum og_tif v)
{
    return (size_t)v < COUNT(tifs) ? tifs[v].s : "";
}

enum og_security og_security_of(struct og_str s)
{
    return (enum og_security)place_of(s, securities, COUNT(securities));
}

enum og_side og_side_of(struct og_str s)
{
    return (enum og_side)place_of(s, sides, COUNT(sides));
}

enum og_open_close og_open_close_of(struct og_str s)
{
    return (enum og_open_close)place_of(s, open_closes, COUNT(open_closes));
}

enum og_order_type og_order_type_of(struct og_str s)
{
    return (enum og_order_type)place_of(s, types, COUNT(types));
}

enum og_tif og_tif_of(struct og_str s)
{
    return (enum og_tif)place_of(s, tifs, COUNT(tifs));
}

OG_HOT enum og_security og_security_at(const char *s, size_t *len)
{
    return (enum og_security)place_at(s, len, securities, COUNT(securities));
}

OG_HOT enum og_side og_side_at(const char *s, size_t *len)
{
    return (enum og_side)place_at(s, len, sides, COUNT(sides));
}

OG_HOT enum og_open_close og_open_close_at(const char *s, size_t *len)
{
    return (enum og_open_close)place_at(s, len, open_closes, COUNT(open_closes));
}

OG_HOT enum og_order_type og_order_type_at(const char *s, size_t *len)
{
    return (enum og_order_type)place_at(s, len, types, COUNT(types));
}

OG_HOT enum og_tif og_tif_at(const char *s, size_t *len)
{
    return (enum og_tif)place_at(s, len, tifs, COUNT(tifs));
}
