/*
 * Checks for limits that never refuse an order because another limit, or the broker, is tighter for every order.  A
 * limit is not reported if it refuses even one order that the tighter limit accepts. Such an order may (a) close a
 * position, (b) be of another kind, (c) fall under an override of the tighter limit.
 */
#include <inttypes.h>

#include "lint/lint.h"
#include "lint/override_match.h"

/* Two limits: one of the rule itself (k < 0) or of its k-th override, and another limit (`by`) that may be tighter. */
struct pair {
    size_t rule;
    const struct og_param *p;
    const struct og_tighter_limit *by;
    int k;
};

static const char *by_id(const struct pair *x)
{
    return og_rules[x->by->rule]->id;
}

static bool is_unlimited(size_t rule, const char *key, struct og_money value)
{
    struct og_money most;

    OG_EACH_PARAM (p, og_rules[rule])
        if (strcmp(p->key, key) == 0)
            return p->most && og_money_read(p->most, strlen(p->most), &most) && og_money_cmp(value, most) >= 0;
    return true;
}

/* Returns true if the limit also applies to exits (orders that close). It may then refuse an exit to which the tighter
 * limit does not apply. */
static bool binds_exits(const struct og_lint_run *l, size_t rule, int k)
{
    struct og_money exits;

    return og_lint_value(l, rule, k, "exits", &exits) && exits.coef != 0;
}

/* Get the greatest value of the tighter limit among the rule and its overrides.  Returns false if the rule, or one of
 * its overrides, does not refuse. */
static bool widest_value(struct og_lint_run *l, const struct og_tighter_limit *by, int only, struct og_money *out)
{
    int count = (int)l->policy->rules[by->rule].override_count;
    bool any = false;

    for (int k = -1; k < count; k++) {
        struct og_money value;

        if (only >= -1 && k != only)
            continue;
        if (!og_lint_binds(l, by->rule, k) || !og_lint_value(l, by->rule, k, by->key, &value) ||
            is_unlimited(by->rule, by->key, value) || !og_money_times(value, by->times ? by->times : 1, &value))
            return false;
        if (!any || og_money_cmp(value, *out) > 0)
            *out = value;
        any = true;
    }
    return any;
}

/* Returns false if the tighter limit counts the orders of one second, and this limit counts over more than a second:
 * such limits cannot be compared. */
static bool is_comparable(const struct og_lint_run *l, const struct pair *x)
{
    struct og_money window;

    return !x->by->within || (og_lint_value(l, x->rule, x->k, x->by->within, &window) &&
                              og_money_cmp(window, og_money_from(OG_NS_PER_S)) <= 0);
}

/* Returns the quantity of the largest order that the limit accepts. */
static int64_t largest_quantity(const struct pair *x, struct og_money value, struct og_money price)
{
    int64_t most = value.coef;

    for (int i = 0; i < value.scale; i++)
        most /= 10;
    if (x->p->kind == OG_PARAM_MONEY)
        most /= price.coef; /* exact, since the prices of trial orders are whole dollars */
    return most < 1 ? 1 : most < 1000000 ? most : 1000000;
}

/* Attach an order that the limit accepts and that the tighter limit refuses. */
static void witness_idle(struct og_lint_run *l, const struct pair *x, struct og_money value, struct og_lint_finding *f)
{
    const char *id = og_rules[x->rule]->id;
    const struct og_decision *d;
    struct og_trial_order p;

    if (x->by->shown == OG_SECURITY_NONE || value.coef <= 0)
        return;
    p = og_trial_ordinary_order(l->trial, x->by->shown, OG_BUY, OG_LIMIT);
    if (x->k >= 0 && !og_override_fit_order(l, &l->policy->rules[x->rule].overrides[x->k], &p))
        return;
    p.quantity = largest_quantity(x, value, p.security == OG_STOCK ? p.price : og_money_from(500));
    d = og_trial_decide(l->trial, &p);
    if (og_decision_finds(d, by_id(x), NULL, true) &&
        (x->rule == x->by->rule || !og_decision_finds(d, id, NULL, true)) &&
        og_trial_override(l->trial, x->rule) == x->k)
        f->witness = og_trial_witness(l->trial, "within '%s' of %s, and refused by '%s'", x->p->key, id, by_id(x));
}

static void check_pair(struct og_lint_run *l, const struct pair *x, const struct og_yaml *node, struct og_money value)
{
    bool own = x->rule == x->by->rule;
    struct og_lint_finding *f;
    struct og_money other;

    if (!is_comparable(l, x) || (!own && binds_exits(l, x->rule, x->k)) ||
        !widest_value(l, x->by, own ? x->k : -2, &other) || og_money_cmp(value, other) <= 0)
        return;
    f = og_lint_add(l, node, "limit-idle", "'%s' of %.*s never binds: '%s' of rule '%s' refuses %s first", x->p->key,
                    (int)node->text.len, node->text.s, x->by->key, by_id(x),
                    x->by->times > 1 ? "that many orders" : "every order beyond it");
    witness_idle(l, x, value, f);
}

static void check_limit(struct og_lint_run *l, size_t rule, const struct og_param *p, int k)
{
    const struct og_yaml *node = og_lint_key_node(l, og_rules[rule]->id, k, p->key);
    struct og_money value;

    if (!node || !og_lint_binds(l, rule, k) || !og_lint_value(l, rule, k, p->key, &value) ||
        is_unlimited(rule, p->key, value))
        return;
    for (const struct og_tighter_limit *by = p->idle_by; by && by->key; by++)
        check_pair(l, &(struct pair){ rule, p, by, k }, node, value);
    if (p->broker.most && og_lint_binds(l, p->broker.rule, -1) && !l->policy->rules[p->broker.rule].override_count &&
        og_money_cmp(value, og_money_from(p->broker.most)) >= 0)
        og_lint_add(l, node, "limit-idle",
                    "'%s' of %.*s never binds: the broker takes at most %" PRId64 " in one order", p->key,
                    (int)node->text.len, node->text.s, p->broker.most);
}

/* Report a least price that has no effect: the other rule's least price is higher, and refuses every order that this
 * one refuses. */
static void check_floor_below(struct og_lint_run *l, size_t rule, const struct og_param *p,
                              const struct og_tighter_limit *by)
{
    const struct og_yaml *node = og_lint_key_node(l, og_rules[rule]->id, -1, p->key);
    struct og_money value, least;

    if (!by || !node || !og_lint_binds(l, rule, -1) || !og_lint_binds(l, by->rule, -1) ||
        l->policy->rules[by->rule].override_count || !og_lint_value(l, rule, -1, p->key, &value) ||
        !og_lint_value(l, by->rule, -1, by->key, &least) || value.coef <= 0 || og_money_cmp(value, least) >= 0)
        return;
    og_lint_add(l, node, "limit-idle",
                "'%s' of %.*s never binds: '%s' of rule '%s' is higher, and holds for shorts too", p->key,
                (int)node->text.len, node->text.s, by->key, og_rules[by->rule]->id);
}

static void witness_contradiction(struct og_lint_run *l, const char *rule, const struct og_least_price *x,
                                  const char *by, struct og_money least, struct og_lint_finding *f)
{
    struct og_trial_order p =
        og_trial_ordinary_order(l->trial, x->security, x->side == OG_SELL ? OG_SELL : OG_BUY, OG_LIMIT);
    const struct og_decision *d;

    p.price = least;
    d = og_trial_decide(l->trial, &p);
    if (og_decision_finds(d, by, NULL, true) && !og_decision_finds(d, rule, NULL, true))
        f->witness = og_trial_witness(l->trial, "at the lowest price that '%s' accepts, and refused by '%s'", rule, by);
}

/* Report a least price above the greatest worth that another limit allows: no opening order can then pass both
 * limits. */
static void check_contradiction(struct og_lint_run *l, size_t rule, const struct og_param *p,
                                const struct og_tighter_limit *worth)
{
    const char *id = og_rules[rule]->id, *by = og_rules[worth->rule]->id;
    const struct og_least_price *x = p->least_price;
    const struct og_yaml *node = og_lint_key_node(l, id, -1, p->key);
    struct og_money least, value, most;

    node = node ? node : og_lint_key_node(l, by, -1, worth->key);
    if (!node || !og_lint_binds(l, rule, -1) || l->policy->rules[rule].override_count ||
        !og_lint_value(l, rule, -1, p->key, &least) ||
        !og_money_times(least, x->security == OG_OPTION ? 100 : 1, &value) || !widest_value(l, worth, -2, &most) ||
        most.coef <= 0 || og_money_cmp(value, most) <= 0)
        return;
    witness_contradiction(
        l, id, x, by, least,
        og_lint_add(l, node, "limits-contradict",
                    "no %s can be %s: '%s' of rule '%s' requires a price above the worth that '%s' of rule '%s' allows",
                    x->security == OG_STOCK ? "stock" : "option", x->side == OG_SELL ? "sold short" : "opened", p->key,
                    id, worth->key, by));
}

void og_lint_check_idle_limits(struct og_lint_run *l)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        size_t count = og_lint_override_count(l, i);

        OG_EACH_PARAM (p, og_rules[i]) {
            for (int k = -1; (p->idle_by || p->broker.most) && k < (int)(count < 200 ? count : 200); k++)
                check_limit(l, i, p, k);
            if (!p->least_price)
                continue;
            check_floor_below(l, i, p, p->least_price->below);
            for (const struct og_tighter_limit *worth = p->least_price->worth; worth->key; worth++)
                check_contradiction(l, i, p, worth);
        }
    }
}
