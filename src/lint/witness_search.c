/*
 * Decides orders one by one, with the values that a policy names and the values next to these.  The search is short: if
 * it finds no witness, one may still exist.
 */
#include "lint/witness_search.h"

#include <stdio.h>

#include "lint/override_match.h"
#include "solver/comparisons.h"
#include "text/regex_examples.h"

#define TRY_COST 60 /* microseconds */
/* maximum number of orders that one search makes, including orders that the override does not match */
#define LOOKS_MOST 20000

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

static void add_text(char to[][OG_TRIAL_SYMBOL], int *count, struct og_str text)
{
    if (text.len > 0 && text.len < OG_TRIAL_SYMBOL && *count < OG_WITNESS_VALUES_MOST)
        snprintf(to[(*count)++], OG_TRIAL_SYMBOL, "%.*s", (int)text.len, text.s);
}

/* Add a text to try for a name: a constant that the name is compared with, or a text for which a call such as
 * startsWith() is true. */
static void add_text_of(struct og_witness_search *s, const struct og_expr_named *name, struct og_str text)
{
    const struct og_domain d = og_domain_of(name);

    if (d.group == OG_GROUP_ORDER && (d.attribute == OG_ATTRIBUTE_SYMBOL || d.attribute == OG_ATTRIBUTE_UNDERLYING))
        add_text(s->symbol, &s->symbols, text);
    else if (strcmp(name->is.name, "order.clientOrderId") == 0)
        add_text(s->client_id, &s->client_ids, text);
    else if (strcmp(name->is.name, "account.id") == 0)
        add_text(s->account, &s->accounts, text);
    else if (strcmp(name->is.name, "order.tag") == 0)
        add_text(s->tag, &s->tags, text);
}

/* Add texts for which a call with a constant text or pattern is true. The constant text is one of them: it begins with
 * itself, ends with itself and contains itself. */
static void add_call(struct og_witness_search *s, const struct og_expr_node *n)
{
    const struct og_expr_node *of = n->op == OG_OP_CALL && n->operands == 2 ? og_expr_operand(n, 0) : NULL;
    struct og_regex_examples some;

    if (!of || of->op != OG_OP_NAME || n[-1].op != OG_OP_CONST)
        return;
    if (og_expr_functions[n->arg].literal != OG_LITERAL_PATTERN)
        add_text_of(s, &og_expr_named[of->arg], n[-1].value->as.text);
    else if (og_regex_examples_of(og_pattern_text(n[-1].value->as.pattern), &some))
        for (int i = 0; i < some.count && i < 3; i++)
            add_text_of(s, &og_expr_named[of->arg], og_str_of(some.text[i]));
}

/* Add a constant that the name is compared with, and the values next to it. */
static void add_value(struct og_witness_search *s, const struct og_expr_named *name, const struct og_expr_value *v)
{
    const struct og_domain d = og_domain_of(name);
    const struct og_money one = og_money_from(1), cent = { 1, 2 };
    struct og_money more;

    if (name->is.type == OG_TYPE_STRING)
        add_text_of(s, name, v->as.text);
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

        add_call(s, n);
        s->legs |= n->op == OG_OP_LEG || n->op == OG_OP_HAS_LEG;
        for (size_t k = 0; k < count && k < OG_WITNESS_VALUES_MOST; k++)
            add_value(s, name, &first[k]);
    }
}

/* --- trying orders ------------------------------------------------------------------------------------------------ */

/* Returns the greatest quantity, from 1 to a million, that at the order's price is worth at most `worth`. */
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

/* The values of one order, by index from 1 in each list of og_witness_search; 0 means the ordinary value. */
struct choice {
    int symbol, price, size, client_id, account, tag;
};

static bool takes(struct trying *x, const struct og_override *o, struct og_trial_order *p)
{
    enum og_security security = p->security;
    enum og_order_type type = p->type;

    return !o || (og_override_fit_order(x->l, o, p) && p->security == security && p->type == type);
}

static bool try_one(struct trying *x, int kind, struct choice at)
{
    const struct og_witness_search *s = x->s;
    const struct og_order_kind of = og_order_kind(kind);
    struct og_trial_order p =
        og_trial_ordinary_order(x->l->trial, of.security, of.side == OG_SIDE_NONE ? OG_BUY : of.side, of.type);

    p.covered = x->covered;
    p.held = s->held;
    p.made = p.made || s->held;
    p.lost = s->lost;
    p.open_close = of.security == OG_MLEG ? of.opens ? OG_OPEN : OG_CLOSE : of.open_close;
    if (at.symbol > 0)
        set_symbol(x->l, &p, og_str_of(s->symbol[at.symbol - 1]));
    if (at.client_id > 0)
        snprintf(p.client_id, sizeof p.client_id, "%s", s->client_id[at.client_id - 1]);
    if (at.account > 0)
        snprintf(p.account, sizeof p.account, "%s", s->account[at.account - 1]);
    if (at.tag > 0)
        snprintf(p.tag, sizeof p.tag, "%s", s->tag[at.tag - 1]);
    if (at.price > 0)
        p.price = s->price[at.price - 1];
    if (at.size > s->quantities)
        p.quantity = quantity_of(&p, s->worth[at.size - s->quantities - 1]);
    else if (at.size > 0)
        p.quantity = s->quantity[at.size - 1];
    if (!takes(x, x->match, &p) || !takes(x, s->also, &p))
        return false;
    x->tries--;
    return og_lint_spend(x->l, TRY_COST) && x->is(x->l, og_trial_decide(x->l->trial, &p), x->with);
}

/* Try orders until one is a witness. Values are chosen in the outer loops and kinds in the innermost one, so that
 * values that the policy names first are tried first. */
static bool try_values(struct trying *x, uint64_t of)
{
    const struct og_witness_search *s = x->s;

    const int sizes = s->quantities + s->worths + 1, many = (s->accounts + 1) * (s->tags + 1) * (s->client_ids + 1) *
                                                            (s->symbols + 1) * (s->prices + 1) * sizes;

    x->tries = s->tries;
    for (int i = 0, looks = 0; i < many; i++) {
        struct choice at = { .account = i % (s->accounts + 1) };
        int rest = i / (s->accounts + 1);

        at.tag = rest % (s->tags + 1);
        rest /= s->tags + 1;
        at.client_id = rest % (s->client_ids + 1);
        rest /= s->client_ids + 1;
        at.symbol = rest % (s->symbols + 1);
        rest /= s->symbols + 1;
        at.size = (rest % sizes + 1) % sizes;
        at.price = rest / sizes;
        for (uint64_t kinds = of; kinds; kinds &= kinds - 1) {
            if (x->tries <= 0 || looks++ > LOOKS_MOST || x->l->budget < 20 * TRY_COST)
                return false;
            if (try_one(x, __builtin_ctzll(kinds), at))
                return true;
        }
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
