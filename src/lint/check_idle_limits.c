/*
 * Checks for limits that never bind because another limit, or the broker, is tighter for every order.  A limit is not
 * reported if it binds even one more order: an exit, another kind of order, an order under an override of the tighter
 * one.
 */
#include "lint/lint.h"

#include "lint/override_match.h"

#include "base/banned.h"

/* The first setting never binds if it is greater than the second times `times`. */
static const struct idle_pair {
    const char *rule, *key, *by_rule, *by_key;
    int64_t times;
    enum og_security shown; /* kind of order for a witness; OG_SECURITY_NONE: no witness */
} idle_pair[] = {
    { "order-notional", "most", "exposure", "gross", 1, OG_STOCK },
    { "order-quantity-limit", "shares", "position-limit", "shares", 1, OG_STOCK },
    { "option-contracts", "an_order", "option-contracts", "in_total", 1, OG_OPTION },
    { "open-orders", "of_symbol", "open-orders", "in_total", 1, OG_SECURITY_NONE },
    { "exposure", "short", "exposure", "gross", 1, OG_SECURITY_NONE },
    { "order-rate", "a_second", "order-rate", "a_minute", 1, OG_SECURITY_NONE },
    { "order-rate", "a_second", "order-rate", "a_day", 1, OG_SECURITY_NONE },
    { "order-rate", "a_minute", "order-rate", "a_day", 1, OG_SECURITY_NONE },
    { "order-rate", "a_minute", "order-rate", "a_second", 61, OG_SECURITY_NONE },
    { "order-rate", "a_day", "order-rate", "a_minute", 1441, OG_SECURITY_NONE },
    { "repeated-order", "most", "order-rate", "a_second", 1, OG_SECURITY_NONE },
};

static bool is_unlimited(size_t rule, const char *key, struct og_money value)
{
    struct og_money most;

    for (const struct og_param *p = og_rules[rule]->params; p && p->key; p++)
        if (strcmp(p->key, key) == 0)
            return p->most && og_money_read(p->most, strlen(p->most), &most) && og_money_cmp(value, most) >= 0;
    return true;
}

/* A limit that binds exits is not idle if the tighter one lets exits pass. */
static bool binds_exits(const struct og_lint_run *l, size_t rule, int k)
{
    struct og_money exits;

    return og_lint_value(l, rule, k, "exits", &exits) && exits.coef != 0;
}

/* Get the greatest value of the tighter limit over the rule and its overrides.  Returns false if it does not bind
 * for some of them. */
static bool widest_value(struct og_lint_run *l, const struct idle_pair *x, size_t rule, int only, struct og_money *out)
{
    int count = (int)l->policy->rules[rule].override_count;
    bool any = false;

    for (int k = -1; k < count; k++) {
        struct og_money value;

        if (only >= -1 && k != only)
            continue;
        if (!og_lint_binds(l, rule, k) || !og_lint_value(l, rule, k, x->by_key, &value) ||
            is_unlimited(rule, x->by_key, value) || !og_money_times(value, x->times, &value))
            return false;
        if (!any || og_money_cmp(value, *out) > 0)
            *out = value;
        any = true;
    }
    return any;
}

/* repeated-order can be compared with orders a second only if its window is a second at most. */
static bool is_comparable(const struct og_lint_run *l, const struct idle_pair *x, size_t rule, int k)
{
    struct og_money window;

    if (strcmp(x->rule, "repeated-order") != 0)
        return true;
    return og_lint_value(l, rule, k, "window", &window) && og_money_cmp(window, og_money_from(1000000000)) <= 0;
}

/* The quantity of the largest order that the limit accepts. */
static int64_t largest_quantity(const struct idle_pair *x, struct og_money value, struct og_money price)
{
    int64_t most = value.coef;

    for (int i = 0; i < value.scale; i++)
        most /= 10;
    if (strcmp(x->rule, "order-notional") == 0)
        most /= price.coef; /* the price is in whole dollars */
    return most < 1 ? 1 : most < 1000000 ? most : 1000000;
}

/* Attach an order that the limit accepts and the tighter one refuses. */
static void witness_idle(struct og_lint_run *l, const struct idle_pair *x, size_t rule, int k, struct og_money value,
                         struct og_lint_finding *f)
{
    const struct og_decision *d;
    struct og_trial_order p;

    if (x->shown == OG_SECURITY_NONE || value.coef <= 0)
        return;
    p = og_trial_ordinary_order(l->trial, x->shown, OG_BUY, OG_LIMIT);
    if (k >= 0 && !og_override_fit_order(l, &l->policy->rules[rule].overrides[k], &p))
        return;
    p.quantity = largest_quantity(x, value, p.security == OG_STOCK ? p.price : og_money_from(500));
    d = og_trial_decide(l->trial, &p);
    if (og_decision_finds(d, x->by_rule, NULL, true) &&
        (rule == og_lint_rule_index(x->by_rule) || !og_decision_finds(d, x->rule, NULL, true)) &&
        og_trial_override(l->trial, rule) == k)
        f->witness = og_trial_witness(l->trial, "within '%s' of %s, and refused by '%s'", x->key, x->rule, x->by_rule);
}

static void check_pair(struct og_lint_run *l, const struct idle_pair *x, int k)
{
    size_t rule = og_lint_rule_index(x->rule), by = og_lint_rule_index(x->by_rule);
    const struct og_yaml *node = og_lint_key_node(l, x->rule, k, x->key);
    struct og_money value, other;
    struct og_lint_finding *f;

    if (!node || !og_lint_binds(l, rule, k) || !og_lint_value(l, rule, k, x->key, &value) ||
        is_unlimited(rule, x->key, value) || !is_comparable(l, x, rule, k))
        return;
    if (rule != by && binds_exits(l, rule, k))
        return;
    if (!widest_value(l, x, by, rule == by ? k : -2, &other) || og_money_cmp(value, other) <= 0)
        return;
    f = og_lint_add(l, node, "limit-idle", "'%s' of %.*s never binds: '%s' of rule '%s' refuses %s first", x->key,
                    (int)node->text.len, node->text.s, x->by_key, x->by_rule,
                    x->times > 1 ? "that many orders" : "every order beyond it");
    witness_idle(l, x, rule, k, value, f);
}

/* order-quantity refuses orders of more than a million shares or contracts, as the broker does. */
static void check_against_broker(struct og_lint_run *l, const char *key, int k)
{
    size_t rule = og_lint_rule_index("order-quantity-limit"), form = og_lint_rule_index("order-quantity");
    const struct og_yaml *node = og_lint_key_node(l, "order-quantity-limit", k, key);
    struct og_money value;

    if (node && og_lint_binds(l, rule, k) && og_lint_binds(l, form, -1) && !l->policy->rules[form].override_count &&
        og_lint_value(l, rule, k, key, &value) && !is_unlimited(rule, key, value) &&
        og_money_cmp(value, og_money_from(1000000)) >= 0)
        og_lint_add(l, node, "limit-idle", "'%s' of %.*s never binds: the broker takes at most 1000000 in one order",
                    key, (int)node->text.len, node->text.s);
}

/* A short sale below price-floor's price is refused by price-floor. */
static void check_price_floors(struct og_lint_run *l)
{
    size_t shorts = og_lint_rule_index("short-sales"), floor = og_lint_rule_index("price-floor");
    const struct og_yaml *node = og_lint_key_node(l, "short-sales", -1, "least_price");
    struct og_money value, least;

    if (!node || !og_lint_binds(l, shorts, -1) || !og_lint_binds(l, floor, -1) ||
        l->policy->rules[floor].override_count || !og_lint_value(l, shorts, -1, "least_price", &value) ||
        !og_lint_value(l, floor, -1, "stock", &least) || value.coef <= 0 || og_money_cmp(value, least) >= 0)
        return;
    og_lint_add(l, node, "limit-idle",
                "'least_price' of %.*s never binds: 'stock' of rule 'price-floor' is higher, and holds for shorts too",
                (int)node->text.len, node->text.s);
}

/* If the least price of the first setting is above the greatest worth of the second, no such order can open
 * anything. */
static const struct contradiction {
    const char *rule, *key; /* of the least price */
    int64_t units;          /* shares that one unit of the order stands for */
    enum og_security security;
    enum og_side side; /* the only side it concerns; NONE: both */
    const char *by_rule, *by_key;
} contradictions[] = {
    { "price-floor", "stock", 1, OG_STOCK, OG_SIDE_NONE, "order-notional", "most" },
    { "price-floor", "option", 100, OG_OPTION, OG_SIDE_NONE, "order-notional", "most" },
    { "price-floor", "stock", 1, OG_STOCK, OG_SIDE_NONE, "exposure", "gross" },
    { "price-floor", "option", 100, OG_OPTION, OG_SIDE_NONE, "exposure", "gross" },
    { "short-sales", "least_price", 1, OG_STOCK, OG_SELL, "order-notional", "most" },
    { "short-sales", "least_price", 1, OG_STOCK, OG_SELL, "exposure", "short" },
};

static void witness_contradiction(struct og_lint_run *l, const struct contradiction *x, struct og_money least,
                                  struct og_lint_finding *f)
{
    struct og_trial_order p =
        og_trial_ordinary_order(l->trial, x->security, x->side == OG_SELL ? OG_SELL : OG_BUY, OG_LIMIT);
    const struct og_decision *d;

    p.price = least;
    d = og_trial_decide(l->trial, &p);
    if (og_decision_finds(d, x->by_rule, NULL, true) && !og_decision_finds(d, x->rule, NULL, true))
        f->witness = og_trial_witness(l->trial, "at the lowest price that '%s' accepts, and refused by '%s'", x->rule,
                                      x->by_rule);
}

static void check_contradiction(struct og_lint_run *l, const struct contradiction *x)
{
    size_t rule = og_lint_rule_index(x->rule), by = og_lint_rule_index(x->by_rule);
    const struct og_yaml *node = og_lint_key_node(l, x->rule, -1, x->key);
    const struct idle_pair as = { .by_key = x->by_key, .times = 1 };
    struct og_money least, worth, most;

    node = node ? node : og_lint_key_node(l, x->by_rule, -1, x->by_key);
    if (!node || !og_lint_binds(l, rule, -1) || l->policy->rules[rule].override_count ||
        !og_lint_value(l, rule, -1, x->key, &least) || !og_money_times(least, x->units, &worth))
        return;
    if (!widest_value(l, &as, by, -2, &most) || most.coef <= 0 || og_money_cmp(worth, most) <= 0)
        return;
    witness_contradiction(
        l, x, least,
        og_lint_add(l, node, "limits-contradict",
                    "no %s can be %s: '%s' of rule '%s' requires a price above the worth that '%s' of rule '%s' allows",
                    x->security == OG_STOCK ? "stock" : "option", x->side == OG_SELL ? "sold short" : "opened", x->key,
                    x->rule, x->by_key, x->by_rule));
}

void og_lint_check_idle_limits(struct og_lint_run *l)
{
    size_t count;

    for (size_t i = 0; i < sizeof idle_pair / sizeof *idle_pair; i++) {
        count = og_lint_override_count(l, og_lint_rule_index(idle_pair[i].rule));
        for (int k = -1; k < (int)(count < 200 ? count : 200); k++)
            check_pair(l, &idle_pair[i], k);
    }
    count = og_lint_override_count(l, og_lint_rule_index("order-quantity-limit"));
    for (int k = -1; k < (int)(count < 200 ? count : 200); k++) {
        check_against_broker(l, "shares", k);
        check_against_broker(l, "contracts", k);
    }
    check_price_floors(l);
    for (size_t i = 0; i < sizeof contradictions / sizeof *contradictions; i++)
        check_contradiction(l, &contradictions[i]);
}
