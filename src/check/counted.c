/*
 * Finds out why limits cannot count an order: which of its numbers or names the service does not accept.
 * Other rules refuse such orders too, but a policy may turn these rules off, and a limit must not accept an order that
 * it cannot count.
 */
#include "check/counted.h"

#include "order/roots.h"
#include "order/spelling.h"
#include "rules/rule.h"

static const char *why_not_symbol(struct og_str symbol, unsigned bytes)
{
    return symbol.len && !(bytes & OG_BYTE_OTHER) ? NULL : "the service does not accept such a symbol";
}

/* Returns true for a root that is the ticker of a class share (BRK.B): contracts on it have another root (BRKB). */
static bool is_of_class(struct og_str root)
{
    char to[OG_SYMBOL_FOLDED];
    const struct og_str ticker = og_spelling_dotted(root, to);

    return !og_str_eq(og_root_on(ticker), ticker) && !og_root_find(root);
}

static const char *why_not_contract(const struct og_occ *occ, unsigned bytes)
{
    return og_occ_can_exist(occ) && !(bytes & OG_BYTE_SPELLING && is_of_class(occ->root))
               ? NULL
               : "no contract can have this symbol";
}

static const char *why_not_price(const struct og_order *o, enum og_key key, struct og_money price)
{
    return og_order_ok(o, key) && price.coef > 0 ? NULL : "the price is not an amount above 0";
}

/* Returns the first key of a leg that limits cannot count; OG_LEG_KEYS: they can count the leg. */
static int uncounted_key(const struct og_order *o, const struct og_leg *l, const char **why)
{
    if ((*why = why_not_symbol(l->symbol, l->symbol_bytes)) != NULL)
        return OG_LEG_SYMBOL;
    if (l->occ.is ? (*why = why_not_contract(&l->occ, l->symbol_bytes)) != NULL
                  : !og_str_eq(l->symbol, o->symbol) && !og_root_same(l->symbol, o->symbol)) {
        *why = *why ? *why : "the leg is neither a contract nor the stock of the spread";
        return OG_LEG_SYMBOL;
    }
    if (!l->side) {
        *why = "the leg has no side";
        return OG_LEG_SIDE;
    }
    *why = "the ratio is not a whole number from 1 to 100";
    return l->ratio ? OG_LEG_KEYS : OG_LEG_RATIO;
}

static const char *uncounted_leg(const struct og_order *o, const char **why)
{
    int key;

    *why = "a spread has 2 to 4 legs";
    if (o->leg_count < 2 || o->leg_count > 4 || o->leg_count != o->legs_kept)
        return "/legs";
    for (int i = 0; i < o->legs_kept; i++)
        if ((key = uncounted_key(o, &o->leg[i], why)) != OG_LEG_KEYS)
            return og_leg_pointer(i, key);
    return NULL;
}

static const char *uncounted_single(const struct og_order *o, const char **why)
{
    *why = "the order has no side";
    if (!o->side)
        return og_key_pointers[OG_KEY_SIDE];
    if (o->security == OG_OPTION)
        *why = why_not_contract(&o->occ, o->symbol_bytes);
    else
        *why = o->occ.is ? "the symbol is that of a contract, but the order is of stock" : NULL;
    return *why ? og_key_pointers[OG_KEY_SYMBOL] : NULL;
}

static const char *uncounted_part(const struct og_order *o, const char **why)
{
    *why = "the order does not say whether it is of stock, an option or a spread";
    if (!o->security)
        return og_key_pointers[OG_KEY_SECURITY_TYPE];
    if ((*why = why_not_symbol(o->symbol, o->symbol_bytes)) != NULL)
        return og_key_pointers[OG_KEY_SYMBOL];
    *why = "the quantity is not a whole number from 1 to 1,000,000";
    if (!o->quantity)
        return og_key_pointers[OG_KEY_ORDER_QUANTITY];
    *why = "the type of order is not known";
    if (!o->type)
        return og_key_pointers[OG_KEY_ORDER_TYPE];
    if (og_order_wants_limit(o) && (*why = why_not_price(o, OG_KEY_LIMIT_PRICE, o->limit)) != NULL)
        return og_key_pointers[OG_KEY_LIMIT_PRICE];
    /* a spread without a stop price is counted by its limit price */
    if (og_order_wants_stop(o) && (o->security != OG_MLEG || og_order_has(o, OG_KEY_STOP_PRICE)) &&
        (*why = why_not_price(o, OG_KEY_STOP_PRICE, o->stop)) != NULL)
        return og_key_pointers[OG_KEY_STOP_PRICE];
    return o->security == OG_MLEG ? uncounted_leg(o, why) : uncounted_single(o, why);
}

/* Returns the JSON pointer of a symbol that has lower-case letters; NULL if there is none. */
static const char *small_letters(const struct og_order *o)
{
    if (o->symbol_bytes & OG_BYTE_LOWER)
        return og_key_pointers[OG_KEY_SYMBOL];
    for (int i = 0; o->security == OG_MLEG && i < o->legs_kept; i++)
        if (o->leg[i].symbol_bytes & OG_BYTE_LOWER)
            return og_leg_pointer(i, OG_LEG_SYMBOL);
    return NULL;
}

/* Returns the JSON pointer of a stock symbol that the broker spells in another way; NULL if there is none. */
static const char *other_spelling(const struct og_order *o, const struct og_facts *f)
{
    char to[OG_SYMBOL_FOLDED];
    struct og_str meant;

    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);
        const bool leg = o->security == OG_MLEG;

        if (!t.occ->is && og_facts_misspelled(f, t.symbol, leg ? o->leg[i].symbol_bytes : o->symbol_bytes, to, &meant))
            return leg ? og_leg_pointer(i, OG_LEG_SYMBOL) : og_key_pointers[OG_KEY_SYMBOL];
    }
    return NULL;
}

struct og_uncounted og_order_uncounted(const struct og_order *o, const struct og_facts *f)
{
    struct og_uncounted u = { .part = NULL };

    u.part = uncounted_part(o, &u.why);
    if (u.part)
        return u;
    u.part = small_letters(o);
    u.why = "in small letters the symbol may be another one for the service";
    if (!u.part) {
        u.part = other_spelling(o, f);
        u.why = "the broker spells the symbol otherwise, or its spelling is not known";
    }
    u.only_symbol = u.part != NULL;
    return u;
}
