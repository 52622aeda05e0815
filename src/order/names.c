/*
 * Spellings of the order's keys and enum values (docs/readings.md, section Q), both directions.  Case matters, as it
 * does to the service.
 */
#include "order/keys.h"

#include "base/attributes.h"

#include "base/banned.h"

const char *const og_key_names[OG_KEYS] = { "securityType",  "symbol",      "side",       "openClose", "orderType",
                                            "orderQuantity", "timeInForce", "limitPrice", "stopPrice", "clientOrderId",
                                            "route",         "legs",        "accountId",  "replaces",  "op" };
const char *const og_key_pointers[OG_KEYS] = { "/securityType", "/symbol",        "/side",        "/openClose",
                                               "/orderType",    "/orderQuantity", "/timeInForce", "/limitPrice",
                                               "/stopPrice",    "/clientOrderId", "/route",       "/legs",
                                               "/accountId",    "/replaces",      "/op" };
const char *const og_key_types[OG_KEYS] = { "string",  "string", "string", "string", "string",
                                            "integer", "string", "number", "number", "string",
                                            "string",  "array",  "string", "string", "string" };
const char *const og_leg_key_names[OG_LEG_KEYS] = { "symbol", "side", "ratio", "openClose" };
const char *const og_leg_key_types[OG_LEG_KEYS] = { "string", "string", "integer", "string" };

#define ORDER(k) .key = OG_KEY_##k, .in_order = 1u << OG_KEY_##k
#define LEG(k)   .leg_key = OG_LEG_##k, .in_leg = 1u << OG_LEG_##k
#define KEY(name, second, sixth, ...) \
    [OG_KEY_PLACE(second, sixth)] = { .text = name "\":", .len = sizeof(name) + 1, __VA_ARGS__ }
const struct og_key_name og_keys_placed[OG_KEY_PLACES] = {
    KEY("securityType", 'e', 'i', ORDER(SECURITY_TYPE)),
    KEY("symbol", 'y', 'l', ORDER(SYMBOL), LEG(SYMBOL)),
    KEY("side", 'i', ':', ORDER(SIDE), LEG(SIDE)),
    KEY("openClose", 'p', 'l', ORDER(OPEN_CLOSE), LEG(OPEN_CLOSE)),
    KEY("orderType", 'r', 'T', ORDER(ORDER_TYPE)),
    KEY("orderQuantity", 'r', 'Q', ORDER(ORDER_QUANTITY)),
    KEY("timeInForce", 'i', 'n', ORDER(TIME_IN_FORCE)),
    KEY("limitPrice", 'i', 'P', ORDER(LIMIT_PRICE)),
    KEY("stopPrice", 't', 'r', ORDER(STOP_PRICE)),
    KEY("clientOrderId", 'l', 't', ORDER(CLIENT_ORDER_ID)),
    KEY("route", 'o', '"', ORDER(ROUTE)),
    KEY("legs", 'e', ':', ORDER(LEGS)),
    KEY("accountId", 'c', 'n', ORDER(ACCOUNT_ID)),
    KEY("replaces", 'e', 'c', ORDER(REPLACES)),
    KEY("ratio", 'a', '"', LEG(RATIO)),
    KEY("op", 'p', '\0', ORDER(OP)), /* found only by og_key_named(): in a line, its sixth byte may be any */
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
        if (s.len == names[i].len && memcmp(s.s, names[i].s, s.len) == 0) /* the lengths are constants */
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
