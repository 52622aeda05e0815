/*
 * What is known about one underlying, in every spelling of its stock and by every root of its contracts.
 */
#include "base/attributes.h"
#include "facts/data.h"
#include "order/spelling.h"

/* Returns the value in cents of shares at a price, rounded down. */
static og_wide cents_below(struct og_money shares, struct og_money price)
{
    og_wide cents = (og_wide)shares.coef * price.coef;

    for (int scale = shares.scale + price.scale; scale > 2; scale--)
        cents /= 10;
    for (int scale = shares.scale + price.scale; scale < 2; scale++)
        cents *= 10;
    return cents;
}

/* Returns the value in cents of the part of a position in stock that no working order closes, at the lower of its
 * average price and its quote, rounded down. If closes have filled since positions were read, the average price is not
 * known, and without a quote no value is certain. */
static og_wide certain_value(const struct og_facts *f, const struct og_holding_entry *h, struct og_money held,
                             struct og_money closing)
{
    const struct og_quote *q = og_facts_quote(f, h->is.traded);
    const bool carried = !h->is.carried_unpriced && og_money_cmp(h->carried_size, held) == 0;
    og_wide value = h->is.carried, cents;
    struct og_money left;

    if (held.coef <= 0 || (!carried && !q) || !og_money_sub(held, closing, &left) || left.coef <= 0)
        return 0;
    if (closing.coef)
        value = value * og_money_floor(left) / (og_money_floor(held) + (held.scale > 0));
    if (!carried)
        value = OG_CENTS_MOST;
    for (int i = 0; q && i < 3; i++) {
        const bool has = i == 0 ? q->has_bid : i == 1 ? q->has_ask : q->has_last;

        cents = has ? cents_below(left, i == 0 ? q->bid : i == 1 ? q->ask : q->last) : value;
        value = cents < value ? cents : value;
    }
    return value < OG_CENTS_MOST ? value : 0;
}

/* Add to *sum the value by which stock of this name certainly offsets the other side; the stock must be held on one
 * side only. */
static void add_held(const struct og_facts *f, const struct og_holding_entry *h, struct og_on_underlying *sum)
{
    if (!h->is.held_short.coef)
        sum->held_longs += certain_value(f, h, h->is.held_long, h->is.closing_sells);
    else if (!h->is.held_long.coef)
        sum->held_shorts += certain_value(f, h, h->is.held_short, h->is.closing_buys);
}

/* Returns true if a contract of the root is held, or an order may open one. */
static bool has_position(const struct og_root_entry *contracts)
{
    const struct og_holding *h = contracts->first ? &contracts->first->is : NULL;

    if (contracts->value || contracts->unpriced || contracts->beyond.longs || contracts->beyond.shorts)
        return true;
    while (h && !h->lots && !h->opening_buys && !h->opening_sells && !h->opening_buys_maybe && !h->opening_sells_maybe)
        h = h->next_of_root; /* a contract without value is a position too */
    return h != NULL;
}

/* Add what is known under one name: of the stock of that name, of spreads on it, and of the contracts of the root of
 * that name. beyond: count what closes may open, too. */
static void add_name(const struct og_facts *f, struct og_str name, bool beyond, struct og_on_underlying *sum)
{
    const struct og_holding_entry *stock = og_facts_map_get(&f->sums->holdings, name);
    const struct og_root_entry *contracts = og_facts_map_get(&f->sums->roots, name);

    if (stock) {
        const struct og_holding *h = &stock->is;

        sum->longs += h->value - h->sold + (beyond ? h->beyond.longs : 0);
        sum->shorts += h->sold + (beyond ? h->beyond.shorts : 0);
        sum->unpriced += h->unpriced + (beyond ? h->beyond.unpriced : 0);
        sum->orders += h->orders;
        sum->some = sum->some || h->lots || h->value || h->unpriced || h->legless || h->beyond.longs ||
                    h->beyond.shorts || h->beyond.unpriced;
        if (h->lots)
            add_held(f, stock, sum);
    }
    if (contracts) {
        sum->longs += contracts->value - contracts->sold + (beyond ? contracts->beyond.longs : 0);
        sum->shorts += contracts->sold + contracts->lose + (beyond ? contracts->beyond.shorts : 0);
        sum->unpriced += contracts->unpriced + (beyond ? contracts->beyond.unpriced : 0);
        sum->orders += contracts->orders;
        sum->some = sum->some || has_position(contracts);
    }
}

/* Returns the stock or index that the root's contracts are on, as far as the root's name tells. */
static struct og_str underlying_of(struct og_str root)
{
    const struct og_root *known;

    if (og_root_is_derived(root))
        root = og_root_bare(root);
    known = og_root_find(root);
    return known ? known->underlying : root;
}

typedef void each_name(const struct og_facts *f, struct og_str name, void *with);

/* Names that are not in the table of roots: adjusted and flexible roots, and other spellings of the stock. */
static inline __attribute__((always_inline)) void for_others(const struct og_facts *f, struct og_str underlying,
                                                             each_name *each, void *with)
{
    char to[OG_SYMBOL_FOLDED];
    struct og_str name;

    for (const struct og_root_entry *e = f->sums->derived; e; e = e->next_derived)
        if (og_str_eq(underlying_of(e->is.root), underlying))
            each(f, e->is.root, with);
    for (int i = 1; f->sums->spelled && i < OG_SPELLINGS; i++) {
        name = og_spelling(underlying, i, to);
        if (name.len && !og_root_find(name)) /* names in the table of roots are visited by another loop */
            each(f, name, with);
    }
}

/* Call each() once for every name that the underlying of the root may have: of its stock, and of the roots of its
 * contracts. */
static inline __attribute__((always_inline)) void for_names(const struct og_facts *f, struct og_str root,
                                                            each_name *each, void *with)
{
    const bool others = f->sums->spelled || f->sums->derived;
    const struct og_root *known;
    char dotted[OG_SYMBOL_FOLDED];
    struct og_str underlying = underlying_of(root);

    if (others)
        underlying = og_spelling_dotted(underlying, dotted);
    each(f, underlying, with);
    if (others)
        for_others(f, underlying, each, with);
    /* an ordinary root, whose underlying has no other root */
    known = og_root_find(og_root_is_derived(root) ? og_root_bare(root) : root);
    if (!known && !others && (!root.len || !memchr(root.s, '.', root.len)))
        return;
    for (const struct og_root *r = og_root_next_on(underlying, NULL); r; r = og_root_next_on(underlying, r))
        if (!og_str_eq(r->root, underlying))
            each(f, r->root, with);
}

struct adding {
    struct og_on_underlying *sum;
    bool beyond;
};

static inline void add_each(const struct og_facts *f, struct og_str name, void *with)
{
    const struct adding *a = with;

    add_name(f, name, a->beyond, a->sum);
}

void og_facts_add_on(const struct og_facts *f, struct og_str root, struct og_on_underlying *sum)
{
    int64_t as_of;
    struct adding a = { .sum = sum, .beyond = og_facts_known(f, OG_FACT_POSITIONS, &as_of) };

    for_names(f, root, add_each, &a);
}

bool og_facts_has_other_roots(const struct og_facts *f)
{
    return f->sums->derived || f->sums->spelled;
}

void og_facts_each_root_on(const struct og_facts *f, struct og_str root,
                           void (*each)(const struct og_facts *f, struct og_str root, void *with), void *with)
{
    for_names(f, root, each, with);
}

og_wide og_facts_value_on(const struct og_facts *f, struct og_str root, int *unpriced)
{
    struct og_on_underlying sum = { .unpriced = og_facts_has_unknown_symbol(f) }; /* an order of unknown symbol may be
                                                                                   * on this underlying */

    og_facts_add_on(f, root, &sum);
    *unpriced = sum.unpriced;
    return sum.longs + sum.shorts;
}

struct og_str og_underlying_name(struct og_str symbol, char to[OG_SYMBOL_FOLDED])
{
    char capitals[OG_SYMBOL_FOLDED], dotted[OG_SYMBOL_FOLDED];
    struct og_str name = og_symbol_capitals(symbol, capitals);
    struct og_occ occ;

    og_occ_read(name, &occ);
    name = og_spelling_dotted(underlying_of(occ.is ? occ.root : name), dotted);
    if (name.len > OG_SYMBOL_FOLDED)
        return symbol;
    memcpy(to, name.s, name.len);
    return (struct og_str){ to, name.len };
}

bool og_facts_volume(const struct og_facts *f, struct og_str symbol, struct og_money *shares)
{
    const struct og_part *p = f->part[OG_AT_VOLUME];
    const struct og_volume_entry *e = p ? og_facts_by_symbol(p, symbol, og_facts_map_hash(symbol)) : NULL;

    *shares = e ? e->shares : (struct og_money){ 0, 0 };
    return e != NULL;
}

static bool is_before(struct og_str a, struct og_str b)
{
    const int order = memcmp(a.s, b.s, a.len < b.len ? a.len : b.len);

    return order < 0 || (order == 0 && a.len < b.len);
}

static bool is_on(const struct og_holding *h, struct og_str root)
{
    return !root.len || og_str_eq(underlying_of(h->occ.is ? h->occ.root : h->traded), underlying_of(root));
}

bool og_facts_unpriced(const struct og_facts *f, struct og_str root, struct og_str *symbol, struct og_str *id,
                       bool *legless)
{
    const struct og_part *orders = f->part[OG_AT_ORDERS];
    const struct og_holding *found = NULL;
    const struct og_holding_entry *h;
    size_t at = 0;

    *legless = false;
    *id = *symbol = (struct og_str){ NULL, 0 };
    while ((h = og_facts_map_next(&f->sums->holdings, &at)) != NULL) /* find the first one by name, since the map has no
                                                                      * fixed sequence */
        if ((h->is.unpriced | h->is.beyond.unpriced) && is_on(&h->is, root) &&
            (!found || is_before(h->is.traded, found->traded)))
            found = &h->is;
    if (!found)
        return false;
    *symbol = found->traded;
    for (const struct og_change *c = orders ? orders->changes : NULL; c && !id->len; c = c->next)
        if (og_str_eq(c->traded, *symbol) && (c->unpriced | c->legless)) {
            *legless = c->legless && found->legless;
            *id = c->id;
        }
    return true;
}

const struct og_holding *og_facts_holding_next(const struct og_facts *f, size_t *at)
{
    const struct og_holding_entry *h;

    while ((h = og_facts_map_next(&f->sums->holdings, at)) != NULL)
        if (h->is.lots || h->is.value || h->is.unpriced || h->is.working)
            return &h->is;
    return NULL;
}

bool og_facts_unnamed(const struct og_facts *f, const struct og_string_set *names, struct og_str *symbol)
{
    const struct og_holding *h;
    char to[OG_SYMBOL_FOLDED];
    size_t at = 0;

    *symbol = (struct og_str){ NULL, 0 };
    while ((h = og_facts_holding_next(f, &at)) != NULL) /* the first by name, as above */
        if (!og_string_set_contains(names, og_underlying_name(h->traded, to)) &&
            (!symbol->len || is_before(h->traded, *symbol)))
            *symbol = h->traded;
    return symbol->len > 0;
}

/* --- spellings ---------------------------------------------------------------------------------------------------- */

bool og_facts_spelled(const struct og_facts *f)
{
    return f->sums->spelled;
}

/* Returns the name of a holding of the stock under another spelling; empty if there is none. */
static struct og_str held_otherwise(const struct og_facts *f, struct og_str symbol, struct og_str dotted)
{
    char to[OG_SYMBOL_FOLDED];

    for (int i = 0; i < OG_SPELLINGS; i++) {
        const struct og_str name = og_spelling(dotted, i, to);
        const struct og_holding *h = name.len && !og_str_eq(name, symbol) ? og_facts_holding(f, name) : NULL;

        if (h)
            return h->traded;
    }
    return (struct og_str){ NULL, 0 };
}

/* Returns true if there is a quote of the symbol in this very spelling. */
static bool has_quote(const struct og_facts *f, struct og_str symbol)
{
    const struct og_part *p = f->part[OG_AT_QUOTE];
    const struct og_quote_entry *e = p ? og_facts_map_get(&p->map, symbol) : NULL;

    return e && e->quote.fault == OG_QUOTE_SOUND;
}

/* Returns true if the broker is known to use this spelling: a position or working order has it; or it has a quote, and
 * the spelling with the point has none. Quotes of known class shares do not count, since feeds have their own spellings
 * of these. */
static bool is_used(const struct og_facts *f, struct og_str symbol, struct og_str dotted)
{
    return og_facts_holding(f, symbol) ||
           (og_str_eq(og_root_on(dotted), dotted) && has_quote(f, symbol) && !has_quote(f, dotted));
}

enum og_misspelled og_facts_misspelled(const struct og_facts *f, struct og_str symbol, unsigned bytes,
                                       char to[OG_SYMBOL_FOLDED], struct og_str *meant)
{
    struct og_str dotted;

    if (!(bytes & OG_BYTE_SPELLING) && !f->sums->spelled)
        return OG_SPELLED_WELL;
    dotted = og_spelling_dotted(symbol, to);
    *meant = held_otherwise(f, symbol, dotted);
    if (meant->len)
        return OG_HELD_OTHERWISE;
    *meant = dotted;
    return bytes & OG_BYTE_SPELLING && !is_used(f, symbol, dotted) ? OG_WITHOUT_POINT : OG_SPELLED_WELL;
}
