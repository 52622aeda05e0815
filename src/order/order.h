/*
 * The decoded order as the rules see it: every field with what was given and whether it has the service's type
 * and value.  It refuses judgement: a wrong type is recorded, not reported.
 */
#ifndef OG_ORDER_ORDER_H
#define OG_ORDER_ORDER_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "ordergate/order.h"
#include "order/occ.h"
#include "order/symbol.h"

/* Keys of the request body in the order of the service document, then ours. */
enum og_key {
    OG_KEY_SECURITY_TYPE = 0,
    OG_KEY_SYMBOL,
    OG_KEY_SIDE,
    OG_KEY_OPEN_CLOSE,
    OG_KEY_ORDER_TYPE,
    OG_KEY_ORDER_QUANTITY,
    OG_KEY_TIME_IN_FORCE,
    OG_KEY_LIMIT_PRICE,
    OG_KEY_STOP_PRICE,
    OG_KEY_CLIENT_ORDER_ID,
    OG_KEY_ROUTE,
    OG_KEY_LEGS,
    OG_KEY_ACCOUNT_ID, /* ours: never posted */
    OG_KEY_REPLACES,   /* ours: never posted */
    OG_KEY_OP,         /* ours: never posted */
    OG_KEYS
};
enum og_leg_key { OG_LEG_SYMBOL = 0, OG_LEG_SIDE, OG_LEG_RATIO, OG_LEG_OPEN_CLOSE, OG_LEG_KEYS };

extern const char *const og_key_names[OG_KEYS];    /* "securityType", ... */
extern const char *const og_key_pointers[OG_KEYS]; /* "/securityType", ... */
extern const char *const og_key_types[OG_KEYS];    /* "string", "integer", "number", "array": what the schema expects */
extern const char *const og_leg_key_names[OG_LEG_KEYS]; /* "symbol", ... */
extern const char *const og_leg_key_types[OG_LEG_KEYS];

enum og_field_status {
    OG_ABSENT = 0,
    OG_VALID,       /* right type; enums: one of the values; numbers: an exact og_money */
    OG_WRONG_TYPE,  /* field.json_type says which JSON type stood there */
    OG_WRONG_VALUE, /* a string that is none of the enum's values */
    OG_TOO_FINE,    /* a number with more decimals than og_money holds: surely more than four */
    OG_TOO_LARGE    /* a number whose size is beyond og_money: |x| >= 10^17; text tells the sign */
};

struct og_field {
    enum og_field_status status;
    const char *json_type; /* OG_WRONG_TYPE: the validator's name of the JSON type that stood there */
    struct og_str text;    /* a string decoded, a number as written; NUL-terminated */
};

#define OG_LEGS_KEPT 8 /* legs beyond are counted, not kept: five are refused already */

struct og_leg {
    bool is_object;
    const char *json_type; /* JSON type when it is no object */
    struct og_field field[OG_LEG_KEYS];
    struct og_str symbol;  /* field text when it is a string */
    unsigned symbol_bytes; /* og_symbol_bytes() of it */
    enum og_side side;
    enum og_open_close open_close;
    struct og_money ratio_value; /* valid shape: exact value */
    int64_t ratio;               /* when an integer within 1..100, else 0 */
    struct og_occ occ;           /* .is false: a stock leg */
};

struct og_unknown_key {
    struct og_str name; /* as given */
    int leg;            /* -1: root */
};
#define OG_UNKNOWN_KEPT 16

/* Why bytes are no order; ids are reasons of rule order-form. */
enum og_order_fault {
    OG_FAULT_NONE = 0,
    OG_FAULT_NOT_JSON,      /* body-not-json */
    OG_FAULT_NOT_OBJECT,    /* body-not-object */
    OG_FAULT_DUPLICATE_KEY, /* body-duplicate-key; fault_key names it */
    OG_FAULT_TOO_MANY_KEYS, /* body-too-many-keys */
    OG_FAULT_LINE_TOO_LONG, /* line-too-long */
    OG_FAULT_OP             /* op-unknown */
};

struct og_order {
    enum og_order_fault fault;
    const char *fault_text; /* static: what the reader said */
    size_t fault_at;        /* byte offset */
    struct og_str fault_key;
    int fault_in; /* where fault_key stands: 0 in the order, n in leg n - 1, -1 deeper */

    struct og_field field[OG_KEYS];
    enum og_op op;
    enum og_security security;
    enum og_side side;
    enum og_open_close open_close;
    enum og_order_type type;
    enum og_tif tif;
    struct og_money quantity_value; /* valid shape: exact value */
    int64_t quantity;               /* when an integer within 1..1,000,000, else 0 */
    bool in_digits;                 /* orderQuantity is written in digits alone, or in none */
    struct og_money limit, stop;    /* valid shape only */
    struct og_str symbol, client_id, route, account, replaces; /* field texts; len 0 when absent or wrong type */
    unsigned symbol_bytes;                                     /* og_symbol_bytes() of symbol */
    struct og_occ occ;                                         /* of symbol, when security is OG_OPTION or OG_STOCK */
    int leg_count;                                             /* as given */
    int legs_kept;
    int unknown_count; /* as given */
    bool has_order_id; /* root key "orderId" stood there */
    bool edited;       /* a setter came after reading */
    bool plain;        /* as read: every key of the order is a known one and its value valid; false when in doubt */
    unsigned keys;     /* bit 1 << enum og_key: stood there; of a plain order */

    /* all above is zero in an empty order, but for in_digits; these are guarded by their counts */
    struct og_leg leg[OG_LEGS_KEPT];
    struct og_unknown_key unknown[OG_UNKNOWN_KEPT];
    /* storage: the line as given, its unescaped strings, texts set from C */
    struct og_buf line, spill;
    struct og_arena texts;
};

/* Decode into *o; a longer line than most bytes is OG_FAULT_LINE_TOO_LONG. */
#define OG_LINE_MOST ((size_t)1 << 20)

/* Spellings of the enums ("Mleg", "SellShort" is none of them); "" for NONE. */
const char *og_security_name(enum og_security v);
const char *og_side_name(enum og_side v);
const char *og_open_close_name(enum og_open_close v);
const char *og_order_type_name(enum og_order_type v);
const char *og_tif_name(enum og_tif v);
enum og_security og_security_of(struct og_str s);
enum og_side og_side_of(struct og_str s);
enum og_open_close og_open_close_of(struct og_str s);
enum og_order_type og_order_type_of(struct og_str s);
enum og_tif og_tif_of(struct og_str s);

static inline bool og_order_has(const struct og_order *o, enum og_key k)
{
    return o->field[k].status != OG_ABSENT;
}
static inline bool og_order_ok(const struct og_order *o, enum og_key k)
{
    return o->field[k].status == OG_VALID;
}
/* It is no order, but says what is known. */
static inline bool og_op_is_facts(enum og_op op)
{
    return op == OG_OP_QUOTE || op == OG_OP_FACTS;
}
/* og_symbol_fits(), known since the order was read. */
static inline bool og_order_symbol_fits(const struct og_order *o)
{
    return o->symbol.len && !(o->symbol_bytes & OG_BYTE_OTHER);
}
static inline bool og_leg_symbol_fits(const struct og_leg *l)
{
    return l->symbol.len && !(l->symbol_bytes & OG_BYTE_OTHER);
}
/* Limit or StopLimit; Stop or StopLimit. */
static inline bool og_order_wants_limit(const struct og_order *o)
{
    return o->type == OG_LIMIT || o->type == OG_STOP_LIMIT;
}
static inline bool og_order_wants_stop(const struct og_order *o)
{
    return o->type == OG_STOP || o->type == OG_STOP_LIMIT;
}

/* One symbol that an order trades: its own, or a leg's of a spread.  Legs of anything but a spread mean nothing. */
struct og_trade {
    struct og_str symbol;
    const struct og_occ *occ; /* of the symbol; .is false: stock */
    enum og_side side;
    int opens;    /* 1: it opens, 0: it closes; -1: openClose is missing or unreadable, and the broker does either */
    int64_t size; /* shares or contracts; 0 when it cannot be read */
};
static inline int og_opens(enum og_open_close said)
{
    return said == OG_OPEN ? 1 : said == OG_CLOSE ? 0 : -1;
}
static inline bool og_trade_may_open(const struct og_trade *t)
{
    return t->opens != 0;
}
static inline bool og_trade_may_close(const struct og_trade *t)
{
    return t->opens != 1;
}
/* How many there are; of a spread those that are kept. */
static inline int og_order_trades(const struct og_order *o)
{
    return o->security == OG_MLEG ? o->legs_kept : 1;
}
/* The i-th; pointers and text are the order's. */
static inline struct og_trade og_order_trade(const struct og_order *o, int i)
{
    const struct og_leg *l = &o->leg[i];

    if (o->security != OG_MLEG)
        return (struct og_trade){ o->symbol, &o->occ, o->side, og_opens(o->open_close), o->quantity };
    return (struct og_trade){ l->symbol, &l->occ, l->side, og_opens(l->open_close), l->ratio * o->quantity };
}
/* Returns false if everything it trades says Close.  A spread without legs, or with more than are kept, may open. */
bool og_order_legs_may_open(const struct og_order *o);
static inline bool og_order_may_open(const struct og_order *o)
{
    return o->security == OG_MLEG ? og_order_legs_may_open(o) : og_opens(o->open_close) != 0;
}
/* What it does not close counts as sold short: a sell, and a spread that sells a leg to open, or that closes more than
 * is held. */
static inline bool og_order_sells_short(const struct og_order *o)
{
    const bool opens = og_order_may_open(o);

    if (o->security != OG_MLEG)
        return o->side == OG_SELL;
    for (int i = 0; i < o->legs_kept; i++)
        if (o->leg[i].side != OG_BUY && (!opens || og_opens(o->leg[i].open_close) != 0))
            return true;
    return o->legs_kept != o->leg_count;
}

/* The POST body, or with accountId; false when the order cannot be written. */
bool og_order_write(const struct og_order *o, bool with_account, struct og_buf *b);
/* Few bytes, of which og_order_unpack() makes an order that says the same.  false: as above. */
bool og_order_pack(const struct og_order *o, struct og_buf *b);
enum og_status og_order_unpack(struct og_order *o, const char *packed, size_t len); /* OG_ENOMEM */

#endif
