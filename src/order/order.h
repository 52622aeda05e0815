/*
 * The decoded order as the rules see it: every field with its text, and whether its type and value are those of the
 * service. Wrong types and values are recorded here, and reported by the rules.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "order/occ.h"
#include "order/symbol.h"
#include "ordergate/order.h"

/* The keys of orders and legs, in the sequence of order/fields.def. */
enum og_key {
#define OG_FIELD(id, ...) OG_KEY_##id,
#include "order/fields.def"
    OG_KEYS
};
#define OG_KEY_BIT(key) (1u << OG_KEY_##key)
/* Whether a key must be given: in every order, in every order of stock or options, or only in some. */
enum og_required { OG_REQUIRED_ALWAYS, OG_REQUIRED_SINGLE, OG_REQUIRED_SOMETIMES };
enum {
    OG_KEYS_ALWAYS = 0
#define OG_FIELD(id, name, second, sixth, leg, required, ...) \
    | (OG_REQUIRED_##required == OG_REQUIRED_ALWAYS) << OG_KEY_##id
#include "order/fields.def"
    ,
    OG_KEYS_SINGLE = 0
#define OG_FIELD(id, name, second, sixth, leg, required, ...) \
    | (OG_REQUIRED_##required <= OG_REQUIRED_SINGLE) << OG_KEY_##id
#include "order/fields.def"
};
enum og_leg_key {
#define OG_LEG_FIELD(id, ...) OG_LEG_##id,
#include "order/fields.def"
    OG_LEG_KEYS
};

extern const char *const og_key_names[OG_KEYS];         /* "securityType", ... */
extern const char *const og_key_pointers[OG_KEYS];      /* JSON pointers: "/securityType", ... */
extern const char *const og_key_types[OG_KEYS];         /* JSON types, as in the schema: "string", "integer", ... */
extern const char *const og_leg_key_names[OG_LEG_KEYS]; /* "symbol", ... */
extern const char *const og_leg_key_types[OG_LEG_KEYS];

enum og_field_status {
    OG_ABSENT = 0,
    OG_VALID,       /* the value's JSON type is right; also, the value is one of the enum's, or the number can be
                     * represented as og_money */
    OG_WRONG_TYPE,  /* the value has another JSON type, which is in field.json_type */
    OG_WRONG_VALUE, /* a string that is not one of the enum's values */
    OG_TOO_FINE,    /* a number with more decimals than og_money holds */
    OG_TOO_LARGE    /* a number too large for og_money (10^17 or more, without its sign); text shows the sign */
};

struct og_field {
    enum og_field_status status;
    const char *json_type; /* if the status is OG_WRONG_TYPE: the value's JSON type, as the service's validator calls
                            * it */
    struct og_str text;    /* the decoded string, which ends with a NUL, or the number as written */
};

#define OG_LEGS_KEPT \
    8 /* maximum number of legs that are stored; further legs are only counted, since an order with five legs is refused
       * already */

struct og_leg {
    bool is_object;
    const char *json_type; /* JSON type of the value given as the leg */
    struct og_field field[OG_LEG_KEYS];
    struct og_str symbol;  /* text of the leg's symbol, if it is a string */
    unsigned symbol_bytes; /* og_symbol_bytes(symbol) */
    enum og_side side;
    enum og_open_close open_close;
    struct og_money ratio_value; /* exact value of the ratio, if the field is valid */
    int64_t ratio;               /* the ratio, if it is an integer within 1..100; 0 if it is not */
    struct og_occ occ;           /* .is false: the leg is stock */
};

struct og_unknown_key {
    struct og_str name;
    int leg; /* index of the leg that has the key; -1 if the order itself has it */
};
#define OG_UNKNOWN_KEPT 16

/* Why bytes are not an order. The comment beside each value is the reason that rule order-form reports. */
enum og_order_fault {
    OG_FAULT_NONE = 0,
    OG_FAULT_NOT_JSON,      /* body-not-json */
    OG_FAULT_NOT_OBJECT,    /* body-not-object */
    OG_FAULT_DUPLICATE_KEY, /* body-duplicate-key; fault_key is the key */
    OG_FAULT_TOO_MANY_KEYS, /* body-too-many-keys */
    OG_FAULT_LINE_TOO_LONG, /* line-too-long */
    OG_FAULT_OP,            /* op-unknown */
    OG_FAULT_BASKET         /* basket-malformed */
};

struct og_order {
    enum og_order_fault fault;
    const char *fault_text; /* the parser's message; static text */
    size_t fault_at;        /* byte offset in the line */
    struct og_str fault_key;
    /* which object has fault_key: 0 stands for the order, n for leg n - 1, -1 for an object inside a value */
    int fault_in;

    struct og_field field[OG_KEYS];
    enum og_op op;
    enum og_security security;
    enum og_side side;
    enum og_open_close open_close;
    enum og_order_type type;
    enum og_tif tif;
    struct og_money quantity_value; /* exact value of orderQuantity, if the field is valid */
    int64_t quantity;               /* the quantity, if it is an integer within 1..1,000,000; 0 if it is not */
    bool in_digits;                 /* orderQuantity is absent, or written in digits only, without point and exponent */
    struct og_money limit, stop;    /* exact values, if the fields are valid */
    struct og_str symbol, client_id, route, account, replaces; /* texts; len is 0 if absent, or of the wrong type */
    struct og_str tag;     /* the tag that the line or a setter gives; rules/tag.h says which tag counts */
    bool tag_set;          /* og_order_set_tag() was called: this tag counts, wherever the policy finds tags */
    unsigned symbol_bytes; /* og_symbol_bytes(symbol) */
    struct og_occ occ;     /* the contract that the symbol names, if security is OG_OPTION or OG_STOCK */
    int leg_count;         /* number of legs in the line */
    int legs_kept;         /* number of legs in leg[] */
    int unknown_count;     /* number of unknown keys in the line */
    bool has_order_id;     /* the order has a key "orderId" */
    bool edited;           /* a setter was called after the line was read */
    /* the line had only known keys and valid values, and no setter was called; false if that is not known */
    bool plain;
    unsigned keys; /* for a plain order: 1 << enum og_key for each key in the line */

    /* in an empty order all members above are zero, except in_digits; of the arrays below, only the counted entries are
     * valid */
    struct og_leg leg[OG_LEGS_KEPT];
    struct og_unknown_key unknown[OG_UNKNOWN_KEPT];
    /* memory: the line; strings that had escapes; texts set from C */
    struct og_buf line, spill;
    struct og_arena texts;
};

/* Maximum number of bytes of a line; a longer line is the fault OG_FAULT_LINE_TOO_LONG. */
#define OG_LINE_MOST ((size_t)1 << 20)

/* Return the spelling of an enum value ("Mleg"), "" for NONE. The _of functions return the value that a text spells, in
 * exact case; NONE for any other text. */
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
/* Returns true if the line is a quote or a facts document. */
static inline bool og_op_is_facts(enum og_op op)
{
    return op == OG_OP_QUOTE || op == OG_OP_FACTS;
}
/* Returns true if the order's symbol has only bytes that the service accepts, as og_symbol_fits() does, from the stored
 * symbol_bytes. */
static inline bool og_order_symbol_fits(const struct og_order *o)
{
    return o->symbol.len && !(o->symbol_bytes & OG_BYTE_OTHER);
}
static inline bool og_leg_symbol_fits(const struct og_leg *l)
{
    return l->symbol.len && !(l->symbol_bytes & OG_BYTE_OTHER);
}
/* og_order_wants_limit(): returns true for Limit and StopLimit. og_order_wants_stop(): returns true for Stop and
 * StopLimit. */
static inline bool og_order_wants_limit(const struct og_order *o)
{
    return o->type == OG_LIMIT || o->type == OG_STOP_LIMIT;
}
static inline bool og_order_wants_stop(const struct og_order *o)
{
    return o->type == OG_STOP || o->type == OG_STOP_LIMIT;
}

/* One symbol that an order trades: its own symbol, or the symbol of a spread's leg.  Legs of other orders are
 * ignored. */
struct og_trade {
    struct og_str symbol;
    const struct og_occ *occ; /* .is false: stock */
    enum og_side side;
    int opens;    /* 1: the trade opens; 0: it closes; -1: openClose is missing or invalid, and the broker may do
                   * either */
    int64_t size; /* shares or contracts; 0 if the quantity is not valid */
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
/* Returns how many symbols the order trades; for a spread, the number of stored legs. */
static inline int og_order_trades(const struct og_order *o)
{
    return o->security == OG_MLEG ? o->legs_kept : 1;
}
/* Returns the trade in the order's i-th symbol; its pointers and texts belong to the order. */
static inline struct og_trade og_order_trade(const struct og_order *o, int i)
{
    const struct og_leg *l = &o->leg[i];

    if (o->security != OG_MLEG)
        return (struct og_trade){ o->symbol, &o->occ, o->side, og_opens(o->open_close), o->quantity };
    return (struct og_trade){ l->symbol, &l->occ, l->side, og_opens(l->open_close), l->ratio * o->quantity };
}
/* Returns false if every leg says Close.  A spread without legs, or with more legs than are stored, may open. */
bool og_order_legs_may_open(const struct og_order *o);
static inline bool og_order_may_open(const struct og_order *o)
{
    return o->security == OG_MLEG ? og_order_legs_may_open(o) : og_opens(o->open_close) != 0;
}
/* Returns true if the order may sell short: it is a sell, or a spread with a sold leg that may open. A spread that only
 * closes, but sells a leg, counts too, since it may close more than is held. */
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

/* Append the POST body; with_account: with accountId and replaces too.  Returns false if the order cannot be written,
 * or if b->bad. */
bool og_order_write(const struct og_order *o, bool with_account, struct og_buf *b);
/* Append the terms that a waiver is bound to: the POST body and, if the order replaces another one, `replaces`. Returns
 * false in the cases of og_order_write(). */
bool og_order_write_terms(const struct og_order *o, struct og_buf *b);
/* Append the order in a compact form, from which og_order_unpack() makes an equal order.  Returns false in the cases of
 * og_order_write(). */
bool og_order_pack(const struct og_order *o, struct og_buf *b);
enum og_status og_order_unpack(struct og_order *o, const char *packed, size_t len); /* may return OG_ENOMEM */
/* Set the values of *o to those of a packed order, but neither its keys nor the contract that a symbol names. Texts
 * point into the packed form. Returns false, and sets nothing, if the order is packed as JSON. */
bool og_order_peek(struct og_order *o, const char *packed);
