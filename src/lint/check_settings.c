/*
 * Checks for settings that do not have the effect they seem to have: settings of a rule that is off, an `unsure`
 * without effect, and values that are probably in a wrong unit.  The bounds of plausible values are wide, so that no
 * value that a desk may want is reported.
 */

#include "base/time.h"
#include "lint/lint.h"
#include "lint/override_condition.h"
#include "lint/override_match.h"
#include "policy/rule_entry.h"
#include "policy/value.h"

static bool is_metadata_key(const struct og_yaml *n)
{
    static const char *const about[] = { "level", "unsure", "reasons", "overrides", "lock", "mode", NULL };

    return og_str_is_one_of(n->key, about);
}

/* --- rules that are off ------------------------------------------------------------------------------------------- */

static bool is_off(const struct og_lint_run *l, size_t i)
{
    const struct og_policy_rule *r = &l->policy->rules[i];
    bool off = r->setting.level == OG_LEVEL_OFF;

    for (size_t k = 0; k < r->override_count; k++)
        off = off && r->overrides[k].setting.level == OG_LEVEL_OFF;
    for (size_t k = 0; off && k < r->rule->reason_count; k++)
        off = r->setting.reason_level[k] <= OG_LEVEL_OFF;
    return off;
}

/* Attach an accepted order that the limit would refuse if it were on. */
static void witness_off(struct og_lint_run *l, size_t i, struct og_lint_finding *f)
{
    struct og_trial_order p = og_trial_ordinary_order(l->trial, OG_STOCK, OG_BUY, OG_LIMIT);

    if (!og_rule_limits_size(og_rules[i]))
        return;
    if (og_rules[i]->securities && !(og_rules[i]->securities >> OG_STOCK & 1))
        p = og_trial_ordinary_order(l->trial, OG_OPTION, OG_BUY, OG_LIMIT);
    p.quantity = 1000000;
    if (og_trial_decide(l->trial, &p)->accepted)
        f->witness = og_trial_witness(l->trial, "accepted: rule '%s' is off", og_rules[i]->id);
}

static const struct og_yaml *first_set(const struct og_yaml *node)
{
    const struct og_yaml *n = node->first;

    while (n && is_metadata_key(n))
        n = n->next;
    return n;
}

/* Report an entry that turns the rule off and also sets a value. Not reported if the rule was off already in a lower
 * layer: the value may be kept for later. */
static void check_turned_off(struct og_lint_run *l, size_t i, const struct og_yaml *set)
{
    const struct og_policy *base = og_lint_extended(l);

    if (base && base->rules[i].setting.level != OG_LEVEL_OFF)
        (void)og_lint_add_at_key(l, set, "setting-off",
                                 "'%.*s' is set, but 'level: off' beside it turns off rule '%s', which the extended "
                                 "policy has on: remove one of them",
                                 (int)set->key.len, set->key.s, og_rules[i]->id);
}

static void check_off(struct og_lint_run *l, size_t i, const struct og_yaml *node)
{
    const struct og_yaml *level = og_yaml_get(node, "level"), *lock = og_yaml_get(node, "lock"), *set = first_set(node);

    if (!is_off(l, i))
        return;
    if (lock && og_str_is(lock->text, "true"))
        og_lint_add_at_key(l, lock, "lock-off", "rule '%s' is off: there is nothing that later layers could loosen",
                           og_rules[i]->id);
    if (set && level)
        check_turned_off(l, i, set);
    else if (set)
        witness_off(l, i,
                    og_lint_add_at_key(l, set, "setting-off",
                                       "'%.*s' is set, but rule '%s' is off: give it a level, such as "
                                       "level: refuse",
                                       (int)set->key.len, set->key.s, og_rules[i]->id));
}

/* Report an override that turns its rule off and also sets a value. */
static void check_override_off(struct og_lint_run *l, size_t i, size_t k)
{
    const struct og_yaml *node = og_lint_override_node(l, i, k), *level = og_yaml_get(node, "level");
    const struct og_rule_setting *own = &l->policy->rules[i].setting, *s = &l->policy->rules[i].overrides[k].setting;

    if (!level || s->level != OG_LEVEL_OFF || !own->settings || !s->settings)
        return;
    OG_EACH_PARAM (p, og_rules[i]) {
        const struct og_yaml *set = og_yaml_get(node, p->key);

        if (set && og_value_cmp(p, own->settings, s->settings) != 0) {
            (void)og_lint_add_at_key(
                l, set, "setting-off",
                "'%s' is set, but 'level: off' beside it turns rule '%s' off for these orders: remove one of them",
                p->key, og_rules[i]->id);
            return;
        }
    }
}

/* Report `unsure: refuse` of a rule where it has no effect because the rule's own level is below refuse. Not reported
 * if `unsure: refuse` is set for the whole policy. */
static void check_unsure(struct og_lint_run *l, size_t i, const struct og_yaml *node)
{
    const struct og_yaml *unsure = og_yaml_get(node, "unsure");
    const struct og_policy_rule *r = &l->policy->rules[i];
    bool refuses = r->setting.level == OG_LEVEL_REFUSE || r->setting.level == OG_LEVEL_OFF;

    if (l->policy->unsure == OG_UNSURE_REFUSE || !unsure || !og_str_is(unsure->text, "refuse"))
        return;
    for (size_t k = 0; k < r->rule->reason_count; k++)
        refuses = refuses || r->setting.reason_level[k] == OG_LEVEL_REFUSE;
    for (size_t k = 0; k < r->override_count; k++)
        refuses = refuses || r->overrides[k].setting.level == OG_LEVEL_REFUSE;
    if (!refuses)
        og_lint_add_at_key(l, unsure, "unsure-no-effect",
                           "'unsure: refuse' never exceeds the rule's own level, and rule '%s' refuses nothing",
                           og_rules[i]->id);
}

/* Report a rule that is on, but whose settings are all "no limit". */
static void check_limits_nothing(struct og_lint_run *l, size_t i, const struct og_yaml *node)
{
    const struct og_policy_rule *r = &l->policy->rules[i];
    const struct og_yaml *level = node->kind == OG_YAML_MAP ? og_yaml_get(node, "level") : node;

    if (r->setting.idle || r->override_count || !og_limits_nothing(og_rules[i], &r->setting))
        return;
    if (level)
        (void)og_lint_add(l, level, "limit-none",
                          "rule '%s' is on, but all its settings are at 'no limit': it refuses nothing", r->rule->id);
}

/* Report a value that does not apply to some orders, because a stricter override of a lower layer sets the same key for
 * these orders. Returns true if it is reported. */
static bool check_override_stays(struct og_lint_run *l, size_t i, const struct og_yaml *set, int part)
{
    const struct og_policy_rule *r = &l->policy->rules[i];
    const struct og_param *p = part >= OG_ENTRY_PARTS ? &r->rule->params[part - OG_ENTRY_PARTS] : NULL;
    char text[200];
    struct og_buf value;

    for (size_t k = og_lint_override_count(l, i); k < r->override_count; k++) {
        const struct og_override *o = &r->overrides[k];
        const struct og_srcloc at = o->where[part];

        if (o->split || !at.source || og_lint_is_here(l, at) || !o->setting.settings != !r->setting.settings ||
            (p ? og_value_cmp(p, o->setting.settings, r->setting.settings) == 0 : o->setting.level == r->setting.level))
            continue;
        og_buf_init_fixed(&value, text, sizeof text);
        if (p)
            og_value_write(p, o->setting.settings, &value);
        else
            og_buf_text(&value, og_level_name(o->setting.level));
        (void)og_lint_add_at_key(
            l, set, "override-stays",
            "an override of a lower layer (%s:%d) has '%.*s' %s, which is stricter and stays in force for its orders: "
            "if this value is meant for them too, set it in an override of this policy",
            at.source->name, at.line, (int)set->key.len, set->key.s, value.bad ? "otherwise" : value.s);
        return true;
    }
    return false;
}

/* Returns true if overrides of this file apply to all orders of an override of a lower layer. */
static bool is_replaced_here(struct og_lint_run *l, size_t i, size_t k)
{
    int by;

    return og_lint_override_count(l, i) > 0 && og_override_is_shadowed(l, i, k, &by) != OG_UNPROVED;
}

/* Report a value that also replaces the looser values of overrides of lower layers, if these differed from each other
 * or from the rule's own value there: they set orders apart that are now treated alike. */
static void check_tightened(struct og_lint_run *l, size_t i, const struct og_yaml *set, const struct og_param *p)
{
    const struct og_policy *extended = og_lint_extended(l);
    const struct og_policy_rule *r = &l->policy->rules[i], *base = extended ? &extended->rules[i] : NULL;
    const size_t own = og_lint_override_count(l, i);
    const void *first =
                   base && base->where[OG_ENTRY_PARTS + (p - r->rule->params)].source ? base->setting.settings : NULL,
               *loosest = NULL;
    const struct og_override *loose = NULL;
    bool apart = false;
    char text[200];
    struct og_buf value;

    if (!base || (r->override_count && r->override_count - own != base->override_count) ||
        p->tighter == OG_TIGHTER_UNKNOWN || (own == 0 && og_lint_key_node(l, og_rules[i]->id, -1, "overrides")))
        return;
    for (size_t j = 0; j < base->override_count; j++) {
        /* the loader leaves out an override that sets nothing else than the rule does */
        const struct og_override *now = r->override_count ? &r->overrides[own + j] : NULL;
        const void *was = base->overrides[j].setting.settings, *is = now ? now->setting.settings : r->setting.settings;

        if ((now && now->split) || !was || !is || og_value_cmp(p, was, is) == 0 ||
            og_value_cmp(p, is, r->setting.settings) != 0 || (now && is_replaced_here(l, i, own + j)))
            continue;
        apart = apart || (first && og_value_cmp(p, was, first) != 0);
        first = first ? first : was;
        if (!loosest || og_value_cmp(p, was, loosest) == (p->tighter == OG_TIGHTER_LOWER ? 1 : -1)) {
            loosest = was;
            loose = &base->overrides[j];
        }
    }
    if (!apart || !loose->where[OG_ENTRY_PARTS + (p - r->rule->params)].source)
        return;
    og_buf_init_fixed(&value, text, sizeof text);
    og_value_write(p, loosest, &value);
    (void)og_lint_add_at_key(
        l, set, "override-tightened",
        "this value is also for the orders for which an override of a lower layer (%s:%d) has '%s' %s: if they are to "
        "keep a value of their own, set it in an override of this policy; if not, write overrides: []",
        loose->where[OG_ENTRY_PARTS + (p - r->rule->params)].source->name,
        loose->where[OG_ENTRY_PARTS + (p - r->rule->params)].line, p->key, value.bad ? "otherwise" : value.s);
}

static void check_layers_below(struct og_lint_run *l, size_t i, const struct og_yaml *node)
{
    const struct og_yaml *level = og_yaml_get(node, "level");
    const struct og_policy_rule *r = &l->policy->rules[i];

    if (level)
        (void)check_override_stays(l, i, level, OG_PART_LEVEL);
    for (size_t k = 0; r->setting.settings && k < r->rule->param_count; k++) {
        const struct og_yaml *set = og_yaml_get(node, r->rule->params[k].key);

        if (set && !check_override_stays(l, i, set, (int)(OG_ENTRY_PARTS + k)))
            check_tightened(l, i, set, &r->rule->params[k]);
    }
}

/* --- implausible values ------------------------------------------------------------------------------------------- */

#define NARROW \
    10 /* a value for single symbols is plausible down to this fraction of the least plausible value for all
        * symbols */

static bool read_bound(const char *text, struct og_money *bound)
{
    return text && og_money_read(text, strlen(text), bound);
}

static bool is_less(struct og_money value, int64_t times, struct og_money bound)
{
    return og_money_times(value, times, &value) && og_money_cmp(value, bound) < 0;
}

/* Ordinary orders of stock. Members: the order's price, the symbol's bid and ask (0: a cent around the price), the
 * quantity. */
static const struct {
    struct og_money price, bid, ask;
    int64_t quantity;
} ordinary[] = {
    { .price = { 100, 0 }, .quantity = 1 },
    { .price = { 600, 0 }, .quantity = 1 },
    { .price = { 600, 0 }, .quantity = 10 },
    { .price = { 1002, 2 }, .bid = { 999, 2 }, .ask = { 1001, 2 }, .quantity = 1 },
    { .price = { 1002, 2 }, .bid = { 1003, 2 }, .ask = { 1005, 2 }, .quantity = 1 },
};

/* Attach order p as the witness if the rule's k-th override refuses it (k -1: if the rule's own settings do). */
static void try_witness(struct og_lint_run *l, size_t rule, int k, const struct og_trial_order *p,
                        struct og_lint_finding *f)
{
    if (k >= 0 && !og_override_fit_order(l, &l->policy->rules[rule].overrides[k], (struct og_trial_order *)p))
        return;
    if (og_decision_finds(og_trial_decide(l->trial, p), og_rules[rule]->id, NULL, true) &&
        og_trial_override(l->trial, rule) == k)
        f->witness = og_trial_witness(l->trial, "an ordinary order, refused by '%s'", og_rules[rule]->id);
}

/* Look for an ordinary order that the rule refuses because of this value. */
static void witness_unit_slip(struct og_lint_run *l, size_t rule, int k, struct og_lint_finding *f)
{
    struct og_trial_order p;

    for (int side = OG_BUY; side <= OG_SELL; side++) {
        for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary && !f->witness; i++) {
            p = og_trial_ordinary_order(l->trial, OG_STOCK, (enum og_side)side, OG_LIMIT);
            p.price = ordinary[i].price;
            p.quantity = ordinary[i].quantity;
            if (ordinary[i].bid.coef) {
                p.bid = ordinary[i].bid;
                p.ask = ordinary[i].ask;
            }
            try_witness(l, rule, k, &p, f);
        }
    }
    for (int side = OG_BUY; side <= OG_SELL && !f->witness; side++) {
        p = og_trial_ordinary_order(l->trial, OG_OPTION, (enum og_side)side, OG_LIMIT);
        try_witness(l, rule, k, &p, f);
    }
}

/* Report a value outside the range that the setting's table calls plausible. */
static void check_value(struct og_lint_run *l, size_t at, const struct og_param *p, int k)
{
    const struct og_plausible *plausible = &p->plausible;
    const struct og_yaml *node = og_lint_key_node(l, og_rules[at]->id, k, p->key);
    struct og_money value, bound;
    struct og_lint_finding *f;
    bool narrow =
        k >= 0 && l->policy->rules[at].overrides[k].symbol; /* true: the value is for a single symbol, for which smaller
                                                             * values are plausible */

    if (!node || og_lint_setting(l, at, k)->level == OG_LEVEL_OFF || !og_lint_value(l, at, k, p->key, &value))
        return;
    if (value.coef > 0 && read_bound(plausible->least, &bound) && is_less(value, narrow ? NARROW : 1, bound)) {
        f = og_lint_add(l, node, "unit-slip", "'%s' is %.*s: %s", p->key, (int)node->text.len, node->text.s,
                        plausible->why_low);
        witness_unit_slip(l, at, k, f);
    }
    if (read_bound(plausible->most, &bound) && og_money_cmp(value, bound) > 0) {
        f = og_lint_add(l, node, "unit-slip", "'%s' is %.*s: %s", p->key, (int)node->text.len, node->text.s,
                        plausible->why_high);
        if (p->tighter == OG_TIGHTER_HIGHER)
            witness_unit_slip(l, at, k, f);
    }
}

/* Report a limit of 0 that refuses every order that opens.  One that bars a kind of orders, such as short sales, is
 * meant. */
static void check_zero(struct og_lint_run *l, size_t i, const struct og_param *p)
{
    static const struct {
        enum og_security security;
        enum og_side side;
    } kinds[] = { { OG_OPTION, OG_BUY }, { OG_STOCK, OG_SELL }, { OG_STOCK, OG_BUY } };
    const struct og_yaml *set = og_lint_key_node(l, og_rules[i]->id, -1, p->key);
    struct og_money value;
    struct og_lint_finding *f;

    if (!set || p->tighter != OG_TIGHTER_LOWER || p->kind == OG_PARAM_CHOICE || p->aside || p->zero_is_none ||
        !og_rules[i]->limit || !og_lint_value(l, i, -1, p->key, &value) || value.coef != 0)
        return;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct og_trial_order t = og_trial_ordinary_order(l->trial, kinds[k].security, kinds[k].side, OG_LIMIT);
        const struct og_finding *found;

        t.open_close = OG_OPEN;
        t.made = true;
        found = og_decision_finds(og_trial_decide(l->trial, &t), og_rules[i]->id, NULL, true);
        if (!found || found->unsure)
            return;
    }
    f = og_lint_add(l, set, "limit-zero", "'%s' is 0: rule '%s' refuses every order that opens", p->key,
                    og_rules[i]->id);
    f->witness = og_trial_witness(l->trial, "an ordinary order, refused by '%s'", og_rules[i]->id);
}

/* --- max_age ------------------------------------------------------------------------------------------------------ */

/* Report a max_age that is too short or too long: a fact is already as old as the broker's answer took to arrive, and
 * after a day the account and the positions have changed. */
static void check_max_age(struct og_lint_run *l, const struct og_yaml *n)
{
    int64_t ns;

    if (n->kind != OG_YAML_SCALAR || !og_duration_read(n->text.s, n->text.len, &ns))
        return;
    if (ns < 50 * OG_NS_PER_MS)
        og_lint_add(l, n, "unit-slip",
                    "'%.*s' is %.*s: an answer of the broker is older than that when it arrives, so that rules that "
                    "need it are always unsure",
                    (int)n->key.len, n->key.s, (int)n->text.len, n->text.s);
    for (int at = 0; at < OG_FACT_KINDS; at++)
        if (og_str_is(n->key, og_fact_name((enum og_fact)(1U << at))) && og_fact_plausible_s[at] &&
            ns > og_fact_plausible_s[at] * OG_NS_PER_S)
            og_lint_add(l, n, "unit-slip",
                        "'%.*s' is %.*s: facts that old say nothing about the present; seconds are usual",
                        (int)n->key.len, n->key.s, (int)n->text.len, n->text.s);
}

/* --- windows ------------------------------------------------------------------------------------------------------ */

/* Returns "HH:MM" as minutes of the day. */
static int minutes_of(const char *s)
{
    return ((s[0] - '0') * 10 + s[1] - '0') * 60 + (s[3] - '0') * 10 + s[4] - '0';
}

/* Report windows outside all sessions: no session begins before 04:00 or ends after 20:00. A window for the whole day
 * overlaps the sessions, and is not reported. */
static void check_windows(struct og_lint_run *l, const struct og_yaml *list)
{
    for (const struct og_yaml *n = list && list->kind == OG_YAML_LIST ? list->first : NULL; n; n = n->next) {
        int from = n->text.len == 11 ? minutes_of(n->text.s) : 0,
            to = n->text.len == 11 ? minutes_of(n->text.s + 6) : 0;
        bool late = to > 20 * 60 && from > 9 * 60 + 30;

        if (late || (from < 4 * 60 && to && to < 16 * 60))
            (void)og_lint_add(l, n, "unit-slip", "'%.*s' %s: windows are in New York time, not UTC", (int)n->text.len,
                              n->text.s,
                              late ? "reaches beyond 20:00, when the last session ends"
                                   : "begins before 04:00, when the first session does");
    }
}

void og_lint_check_settings(struct og_lint_run *l)
{
    const struct og_yaml *rules = og_yaml_get(l->root, "rules"), *ages = og_yaml_get(l->root, "max_age");

    for (size_t i = 0; i < og_rules_size; i++) {
        const struct og_yaml *node = og_yaml_get(rules, og_rules[i]->id);

        if (node)
            check_limits_nothing(l, i, node);
        if (node && node->kind == OG_YAML_MAP) {
            check_off(l, i, node);
            check_unsure(l, i, node);
            check_layers_below(l, i, node);
            for (size_t k = 0; k < og_lint_override_count(l, i); k++)
                check_override_off(l, i, k);
        }
    }
    for (size_t i = 0; i < og_rules_size; i++) {
        size_t count = og_lint_override_count(l, i);

        OG_EACH_PARAM (p, og_rules[i]) {
            check_zero(l, i, p);
            for (int k = -1; k < (int)(count < 200 ? count : 200); k++) {
                check_value(l, i, p, k);
                if (p->words == OG_WORDS_WINDOWS)
                    check_windows(l, og_lint_key_node(l, og_rules[i]->id, k, p->key));
            }
        }
    }
    for (const struct og_yaml *n = ages && ages->kind == OG_YAML_MAP ? ages->first : NULL; n; n = n->next)
        check_max_age(l, n);
}
