/*
 * Decides orders with the values that a policy names and the values next to them, one by one.  The search is short: a
 * witness may exist even if none is found.
 */
#include "lint/witness_search.h"

#include <stdio.h>

#include "lint/override_match.h"
#include "solver/comparisons.h"

#define TRY_COST 60 /* microseconds */

void og_witness_search_begin(struct og_witness_search *s, uint64_t kinds, int tries)
{
    *s = (struct og_witness_search){ .kinds = kinds, .tries = tries };
}

static void add_quantity(struct og_witness_search *s, struct og_money m)
{
    int64_t n = og_money_floor(m);

    if (n < 1 || n > 1000000 || s->quantities == OG_WITNESS_VALUES_MOST)
        return;
    for (int i = 0; i < s->quantities; i++)
        if (s->quantity[i] == n)
            return;
    s->quantity[s->quantities++] = n;
}

static void add_money(struct og_money *to, int *count, struct og_money m)
{
    if (m.coef > 0 && m.scale <= 2 && *count < OG_WITNESS_VALUES_MOST)
        to[(*count)++] = m;
}

static void add_symbol(struct og_witness_search *s, struct og_str symbol)
{
    if (symbol.len > 0 && symbol.len < OG_TRIAL_SYMBOL && s->symbols < OG_WITNESS_VALUES_MOST)
        s->symbol[s->symbols++] = symbol;
}

/* Add the value and its neighbours. */
static void add_value(struct og_witness_search *s, const struct og_expr_named *name, const struct og_expr_value *v)
{
    const struct og_domain d = og_domain_of(name);
    const struct og_money one = og_money_from(1), cent = { 1, 2 };
    struct og_money more;

    if (d.group != OG_GROUP_ORDER)
        return;
    switch (d.attribute) {
    case OG_ATTRIBUTE_QUANTITY:
    case OG_ATTRIBUTE_CONTRACTS:
        add_quantity(s, v->as.number);
        if (og_money_add(v->as.number, one, &more))
            add_quantity(s, more);
        if (og_money_sub(v->as.number, one, &more))
            add_quantity(s, more);
        break;
    case OG_ATTRIBUTE_NOTIONAL:
    case OG_ATTRIBUTE_LIMIT_NOTIONAL:
        add_money(s->worth, &s->worths, v->as.number);
        if (og_money_add(v->as.number, one, &more))
            add_money(s->worth, &s->worths, more);
        break;
    case OG_ATTRIBUTE_LIMIT:
    case OG_ATTRIBUTE_STOP:
    case OG_ATTRIBUTE_PRICE:
    case OG_ATTRIBUTE_LEAST_PRICE:
        add_money(s->price, &s->prices, v->as.number);
        if (og_money_add(v->as.number, cent, &more))
            add_money(s->price, &s->prices, more);
        if (og_money_sub(v->as.number, cent, &more))
            add_money(s->price, &s->prices, more);
        break;
    case OG_ATTRIBUTE_SYMBOL:
    case OG_ATTRIBUTE_UNDERLYING: add_symbol(s, v->as.text); break;
    default: break;
    }
}

void og_witness_search_add_values(struct og_witness_search *s, const struct og_expr *e)
{
    for (const struct og_expr_node *n = e ? og_expr_first(e->root) : NULL; n && n <= e->root; n++) {
        const struct og_expr_value *v, *first;
        size_t at;
        const struct og_expr_named *name = og_comparison_at(n, &v, &at);
        size_t count = name ? og_comparison_values(n, v, &first) : 0;

        s->legs |= n->op == OG_OP_LEG || n->op == OG_OP_HAS_LEG;
        for (size_t k = 0; k < count && k < OG_WITNESS_VALUES_MOST; k++)
            add_value(s, name, &first[k]);
    }
}

/* --- trying orders ------------------------------------------------------------------------------------------------ */

/* Returns the greatest quantity, from 1 to a million, whose worth at the order's price is at most `worth`. */
static int64_t quantity_of(const struct og_trial_order *p, struct og_money worth)
{
    struct og_money each, n;
    int64_t many;

    if (!og_money_times(p->price, p->security == OG_STOCK ? 1 : 100, &each) || each.coef <= 0 ||
        !og_expr_divide(worth, each, &n))
        return 1;
    many = og_money_floor(n);
    return many < 1 ? 1 : many > 1000000 ? 1000000 : many;
}

static void set_symbol(struct og_lint_run *l, struct og_trial_order *p, struct og_str symbol)
{
    struct og_occ occ;

    og_occ_read(symbol, &occ);
    if (occ.is == (p->security == OG_OPTION))
        snprintf(p->symbol, sizeof p->symbol, "%.*s", (int)symbol.len, symbol.s);
    else if (p->security == OG_OPTION)
        og_trial_option_symbol(l->trial, symbol, 'C', 100, p->symbol);
}

struct trying {
    struct og_lint_run *l;
    const struct og_witness_search *s;
    const struct og_override *match;
    bool (*is)(struct og_lint_run *l, const struct og_decision *d, void *with);
    void *with;
    int tries;
    bool covered;
};

static bool try_one(struct trying *x, int kind, int symbol, int price, int size)
{
    const struct og_witness_search *s = x->s;
    enum og_security security;
    enum og_side side;
    enum og_open_close open_close;
    enum og_order_type type;
    struct og_trial_order p;

    og_order_kind(kind, &security, &side, &open_close, &type);
    p = og_trial_ordinary_order(x->l->trial, security, side == OG_SIDE_NONE ? OG_BUY : side, type);
    p.covered = x->covered;
    p.open_close = security == OG_MLEG ? og_order_kind_opens(kind) ? OG_OPEN : OG_CLOSE : open_close;
    if (symbol > 0)
        set_symbol(x->l, &p, s->symbol[symbol - 1]);
    if (price > 0)
        p.price = s->price[price - 1];
    if (size > s->quantities)
        p.quantity = quantity_of(&p, s->worth[size - s->quantities - 1]);
    else if (size > 0)
        p.quantity = s->quantity[size - 1];
    if (x->match && (!og_override_fit_order(x->l, x->match, &p) || p.security != security || p.type != type))
        return false;
    x->tries--;
    return og_lint_spend(x->l, TRY_COST) && x->is(x->l, og_trial_decide(x->l->trial, &p), x->with);
}

/* Try orders until one is a witness. Values are in the outer loops and kinds in the inner one, so that values named
 * first are tried first. */
static bool try_values(struct trying *x, uint64_t of)
{
    const struct og_witness_search *s = x->s;

    x->tries = s->tries;
    for (int symbol = 0; symbol <= s->symbols; symbol++)
        for (int price = 0; price <= s->prices; price++)
            for (int size = 1; size <= s->quantities + s->worths + 1; size++)
                for (uint64_t kinds = of; kinds; kinds &= kinds - 1) {
                    if (x->tries <= 0 || x->l->budget < 20 * TRY_COST)
                        return false;
                    if (try_one(x, __builtin_ctzll(kinds), symbol, price, size % (s->quantities + s->worths + 1)))
                        return true;
                }
    return false;
}

bool og_witness_search_run(struct og_lint_run *l, const struct og_witness_search *s, const struct og_override *match,
                           bool (*is)(struct og_lint_run *l, const struct og_decision *d, void *with), void *with,
                           bool *covered)
{
    struct trying x = { .l = l, .s = s, .match = match, .is = is, .with = with };
    bool found = try_values(&x, s->kinds);

    if (!found && s->legs) {
        x.covered = true;
        found = try_values(&x, s->kinds & og_order_kinds_of_security(OG_MLEG));
    }
    if (covered)
        *covered = x.covered;
    return found;
}
