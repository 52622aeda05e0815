/*
 * Kinds of orders, and which of these kinds a changed setting can concern. This follows from the cases that the
 * setting's rule checks, and from proofs: that an override applies to no order of a kind, or that a custom rule still
 * makes every finding there that it made before.
 */
#include "diff/kinds.h"

#include <stdio.h>

#include "lint/override_condition.h"
#include "policy/overrides.h"
#include "policy/strictness.h"

const char *const og_diff_kind_names[OG_DIFF_KINDS] = {
    [OG_KIND_STOCK_BUY] = "stock buy",
    [OG_KIND_STOCK_SELL] = "stock sell",
    [OG_KIND_STOCK_SHORT] = "stock short",
    [OG_KIND_STOCK_COVER] = "stock cover",
    [OG_KIND_OPTION_BUY] = "option buy",
    [OG_KIND_OPTION_WRITE] = "option write",
    [OG_KIND_OPTION_CLOSE] = "option close",
    [OG_KIND_SPREAD] = "spread",
    [OG_KIND_REPLACE] = "replace",
    [OG_KIND_CANCEL] = "cancel",
    [OG_KIND_LOCATE] = "locate",
    [OG_KIND_READ] = "read",
};

#define STOCKS \
    (1U << OG_KIND_STOCK_BUY | 1U << OG_KIND_STOCK_SELL | 1U << OG_KIND_STOCK_SHORT | 1U << OG_KIND_STOCK_COVER)
#define OPTIONS (1U << OG_KIND_OPTION_BUY | 1U << OG_KIND_OPTION_WRITE | 1U << OG_KIND_OPTION_CLOSE)
#define ORDERS  (STOCKS | OPTIONS | 1U << OG_KIND_SPREAD | 1U << OG_KIND_REPLACE)

/* --- kinds -------------------------------------------------------------------------------------------------------- */

static enum og_diff_kind kind_by(enum og_security security, enum og_side side, enum og_open_close open_close)
{
    bool buys = side == OG_BUY, closes = open_close == OG_CLOSE;

    if (security == OG_MLEG)
        return OG_KIND_SPREAD;
    if (side == OG_SIDE_NONE || security == OG_SECURITY_NONE || (security == OG_STOCK && !open_close))
        return OG_DIFF_KINDS;
    if (security == OG_OPTION)
        return closes ? OG_KIND_OPTION_CLOSE : buys ? OG_KIND_OPTION_BUY : OG_KIND_OPTION_WRITE;
    return buys ? closes ? OG_KIND_STOCK_COVER : OG_KIND_STOCK_BUY : closes ? OG_KIND_STOCK_SELL : OG_KIND_STOCK_SHORT;
}

enum og_diff_kind og_diff_kind_of(const struct og_order *order, const struct og_request *request)
{
    if (!request)
        return order->replaces.len ? OG_KIND_REPLACE : kind_by(order->security, order->side, order->open_close);
    switch (request->subject) {
    case OG_SUBJECT_CANCEL: return OG_KIND_CANCEL;
    case OG_SUBJECT_LOCATE: return OG_KIND_LOCATE;
    case OG_SUBJECT_READ: return OG_KIND_READ;
    default: return OG_DIFF_KINDS;
    }
}

uint64_t og_diff_kind_orders(enum og_diff_kind kind)
{
    uint64_t orders = 0;

    for (int i = 0; i < 64; i++) {
        struct og_order_kind of = og_order_kind(i);

        if (kind_by(of.security, of.side, of.open_close) == kind)
            orders |= UINT64_C(1) << i;
    }
    return orders;
}

unsigned og_diff_kinds_of_rule(const struct og_rule *rule)
{
    static const unsigned of[OG_RUN_KINDS] = { [OG_STOCK] = STOCKS | 1U << OG_KIND_REPLACE,
                                               [OG_OPTION] = OPTIONS | 1U << OG_KIND_REPLACE,
                                               [OG_MLEG] = 1U << OG_KIND_SPREAD | 1U << OG_KIND_REPLACE,
                                               [OG_MLEG + 1] = 1U << OG_KIND_CANCEL,
                                               [OG_MLEG + 2] = 1U << OG_KIND_LOCATE,
                                               [OG_MLEG + 3] = 1U << OG_KIND_READ };
    unsigned cases = og_rule_kinds(rule), kinds = 0;

    for (int i = 0; i < OG_RUN_KINDS; i++)
        kinds |= cases >> i & 1 ? of[i] : 0;
    return kinds;
}

/* --- what a changed setting concerns ------------------------------------------------------------------------------ */

typedef bool og_kind_question(const struct og_settings_diff *d, const void *a, const void *b, uint64_t orders);

/* Returns the kinds for whose orders is_untouched is not proved. A replacement may be an order of any kind, so the kind
 * of replacements is returned whenever another kind of order is. */
static unsigned left_of(const struct og_settings_diff *d, unsigned kinds, og_kind_question *is_untouched, const void *a,
                        const void *b, int *proofs)
{
    unsigned left = kinds & ~ORDERS;

    for (int kind = 0; kind <= OG_KIND_SPREAD; kind++)
        if (kinds >> kind & 1 && !(*proofs > 0 && is_untouched(d, a, b, og_diff_kind_orders((enum og_diff_kind)kind))))
            left |= 1U << kind;
    *proofs -= OG_KIND_SPREAD + 1;
    return left & ORDERS ? left | (kinds & 1U << OG_KIND_REPLACE) : left;
}

/* Returns true if neither override can apply to one of the orders. a, b: overrides; NULL if there is none. */
static bool neither_applies(const struct og_settings_diff *d, const void *a, const void *b, uint64_t orders)
{
    return (!a || og_settings_never_applies(d, a, orders)) && (!b || og_settings_never_applies(d, b, orders));
}

static bool neither_finds(const struct og_settings_diff *d, const void *a, const void *b, uint64_t orders)
{
    return (!a || og_settings_never_finds(d, a, orders)) && (!b || og_settings_never_finds(d, b, orders));
}

static bool finds_no_less(const struct og_settings_diff *d, const void *a, const void *b, uint64_t orders)
{
    return !(og_settings_proved(d, a, b, orders) & OG_CHANGE_LOOSER);
}

static const struct og_override *side_of(const struct og_settings_diff *d, int rule, int side, int k)
{
    return k >= 0 ? &d->policy[side]->rules[rule].overrides[k] : NULL;
}

/* Returns the kinds that a rule's settings concern: those that the rule checks, or all kinds of orders if other rules
 * use a setting. */
static unsigned kinds_of(const struct og_rule *rule)
{
    return og_diff_kinds_of_rule(rule) | (og_param_is_shared(rule, NULL) ? ORDERS : 0);
}

static unsigned of_override(const struct og_settings_diff *d, int rule, int twin, int *proofs)
{
    const struct og_override_pair *t = &d->overrides[rule].twins[twin];
    const struct og_override *a = side_of(d, rule, 0, t->before), *b = side_of(d, rule, 1, t->after);
    unsigned kinds = kinds_of(og_rules[rule]);

    if (!(a && og_override_applies_to_requests((size_t)rule, a)) &&
        !(b && og_override_applies_to_requests((size_t)rule, b)))
        kinds &= ORDERS;
    return left_of(d, kinds, neither_applies, a, b, proofs);
}

static unsigned of_custom(const struct og_settings_diff *d, struct og_str id, bool conditions, int *proofs)
{
    const struct og_custom *a = og_settings_custom(d->policy[0], id), *b = og_settings_custom(d->policy[1], id);

    return left_of(d, ORDERS, a && b && conditions ? finds_no_less : neither_finds, a, b, proofs);
}

static unsigned of_list(const struct og_settings_diff *d, struct og_str list, int *proofs)
{
    unsigned kinds = 0;

    for (size_t i = 0; i < d->policy[0]->custom_count; i++) {
        struct og_str id = og_str_of(d->policy[0]->custom[i]->rule.id);
        char group[160];
        int n = snprintf(group, sizeof group, "custom.%s", id.s);

        if (og_settings_leans(d, (struct og_str){ group, (size_t)n }, list))
            kinds |= of_custom(d, id, true, proofs);
    }
    for (size_t i = 0; i < og_rules_size; i++)
        for (size_t k = 0; k < d->overrides[i].count; k++) {
            const struct og_override_pair *t = &d->overrides[i].twins[k];
            const struct og_override *a = side_of(d, (int)i, 0, t->before), *b = side_of(d, (int)i, 1, t->after);

            if ((a && og_expr_reads_list(a->when, list)) || (b && og_expr_reads_list(b->when, list)))
                kinds |= of_override(d, (int)i, (int)k, proofs);
        }
    return kinds;
}

unsigned og_settings_concerns(const struct og_settings_diff *d, const struct og_setting_pair *p, int *proofs)
{
    if (!p->may_pass)
        return 0;
    if (p->rule >= 0)
        return p->twin >= 0 ? of_override(d, p->rule, p->twin, proofs) : kinds_of(og_rules[p->rule]);
    if (strncmp(p->path.s, "custom.", 7) == 0)
        return of_custom(d, (struct og_str){ p->group.s + 7, p->group.len - 7 },
                         strcmp(p->key, "when") == 0 || strcmp(p->key, "require") == 0, proofs);
    if (strncmp(p->path.s, "lists.", 6) == 0)
        return of_list(d, (struct og_str){ p->path.s + 6, p->path.len - 6 }, proofs);
    return OG_KINDS_ALL;
}
