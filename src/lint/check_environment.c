/*
 * Checks what a policy assumes about the account: live accounts reject orders that paper accounts accept.  Also reports
 * a policy that is used after the end of the exchange calendar, and a mode that refuses nothing.
 * A policy that names no environment, and extends no policy for live accounts, is not checked for orders that only live
 * accounts reject.
 */
#include "base/time.h"
#include "facts/calendar.h"
#include "lint/lint.h"
#include "lint/trial.h"
#include "policy/strictness.h"

static bool extends_policy(const struct og_lint_run *l, const char *name)
{
    const struct og_yaml *extends = og_yaml_get(l->root, "extends");

    if (extends && extends->kind == OG_YAML_SCALAR)
        return og_str_is(extends->text, name);
    for (const struct og_yaml *n = extends && extends->kind == OG_YAML_LIST ? extends->first : NULL; n; n = n->next)
        if (n->kind == OG_YAML_SCALAR && og_str_is(n->text, name))
            return true;
    return false;
}

/* The facts that change from second to second. */
static const enum og_fact aging[] = { OG_FACT_ACCOUNT, OG_FACT_POSITIONS, OG_FACT_ORDERS, OG_FACT_QUOTE };

/* Why a policy is for live accounts, and where it says so. */
struct live {
    const struct og_yaml *at;
    const char *says;
    bool extends; /* it extends a policy for live accounts, and names no environment */
};

/* Report orders that a live account rejects and this policy accepts. */
static void check_rejections(struct og_lint_run *l, const struct live *live)
{
    struct og_trial_order p = og_trial_ordinary_order(l->trial, OG_STOCK, OG_BUY, OG_LIMIT);
    const struct og_decision *d;
    struct og_lint_finding *f;

    p.route[0] = '\0';
    d = og_trial_decide(l->trial, &p);
    if (!d->accepted || d->predicts.channel == OG_CHANNEL_ACCEPTED || d->predicts.channel == OG_CHANNEL_NONE ||
        d->predicts.channel == OG_CHANNEL_UNKNOWN)
        return;
    f = og_lint_add(l, live->at, "live-lets-pass",
                    "%s, and an order without a route passes: a live account rejects it after it was acknowledged",
                    live->says);
    f->witness = og_trial_witness(l->trial, "accepted, though the broker is predicted to reject it");
}

/* Report a policy that accepts short sales of symbols that are hard to borrow: live accounts cannot borrow every
 * symbol, paper accounts can. */
static void check_borrowing(struct og_lint_run *l, const struct live *live)
{
    struct og_trial_order p = og_trial_ordinary_order(l->trial, OG_STOCK, OG_SELL, OG_LIMIT);
    struct og_lint_finding *f;

    p.open_close = OG_OPEN;
    p.hard = p.made = true;
    if (!og_trial_decide(l->trial, &p)->accepted)
        return;
    f = og_lint_add(l, live->at, "live-lets-pass",
                    "%s, and what is hard to borrow may be sold short without a locate: only paper accounts lend "
                    "everything",
                    live->says);
    f->witness = og_trial_witness(l->trial, "accepted: a short sale of what is hard to borrow");
}

/* Report a policy that accepts orders even if no fact is known. */
static void check_unsure(struct og_lint_run *l, const struct live *live)
{
    const struct og_yaml *set = og_yaml_get(l->root, "unsure");
    struct og_trial_order p = og_trial_ordinary_order(l->trial, OG_STOCK, OG_SELL, OG_LIMIT);
    const struct og_decision *d;
    struct og_lint_finding *f;
    int unsure = 0;

    if (l->policy->unsure != OG_UNSURE_WARN || l->options.facts)
        return;
    if (set && og_lint_live_base(l)) {
        og_lint_add(l, live->extends ? set : live->at, "live-unsure",
                    "%s, and unsure findings only warn here: what the extended policies refuse, since a fact is "
                    "missing, would be sent",
                    live->says);
        return;
    }
    p.bare = true;
    d = og_trial_decide(l->trial, &p);
    for (int i = 0; i < d->count; i++)
        unsure += d->findings[i].unsure;
    if (!d->accepted || unsure == 0)
        return;
    f = og_lint_add(l, live->at, "live-unsure", "%s, and unsure findings only warn: write unsure: refuse", live->says);
    f->witness = og_trial_witness(
        l->trial, "accepted without any fact about account, positions or market: %d findings are unsure", unsure);
}

static void check_ages(struct og_lint_run *l, const struct live *live)
{
    const struct og_yaml *ages = live->extends ? og_yaml_get(l->root, "max_age") : NULL;
    const char *old[4];
    int count = 0;

    for (size_t i = 0; i < 4; i++)
        if (l->policy->max_age[__builtin_ctz((unsigned)aging[i])] == 0)
            old[count++] = og_fact_name(aging[i]);
    if (count)
        og_lint_add(l, ages ? ages : live->at, "live-any-age",
                    "%s, and %s%s%s%s%s%s%s may be of any age: give them a max_age", live->says, old[0],
                    count > 1 ? ", " : "", count > 1 ? old[1] : "", count > 2 ? ", " : "", count > 2 ? old[2] : "",
                    count > 3 ? ", " : "", count > 3 ? old[3] : "");
}

/* Report a policy without a size limit that accepts an order of the largest quantity that the broker takes. */
static void check_size(struct og_lint_run *l, const struct live *live)
{
    struct og_trial_order p = og_trial_ordinary_order(l->trial, OG_STOCK, OG_BUY, OG_LIMIT);
    struct og_lint_finding *f;

    for (size_t i = 0; i < og_rules_size; i++)
        if (og_rule_limits_size(og_rules[i]) && og_lint_binds(l, i, -1))
            return; /* the policy has a size limit: check_size_coverage.c reports the kinds of orders that no size limit
                     * covers */
    p.quantity = 1000000;
    if (!og_trial_decide(l->trial, &p)->accepted)
        return;
    f = og_lint_add(l, live->at, "live-unlimited", "%s, and no rule limits the size of an order", live->says);
    f->witness = og_trial_witness(l->trial, "accepted: an order of 1000000 shares");
}

static bool any_enforced(const struct og_lint_run *l)
{
    for (size_t i = 0; i < og_rules_size; i++)
        for (int k = -1; k < (int)l->policy->rules[i].override_count; k++) {
            const struct og_rule_setting *s = og_lint_setting(l, i, k);

            if (s->mode == OG_MODE_ENFORCE && s->level != OG_LEVEL_OFF && !og_rules[i]->locked)
                return true;
        }
    for (size_t i = 0; i < l->policy->custom_count; i++)
        if (l->policy->custom[i]->entry.setting.mode == OG_MODE_ENFORCE &&
            l->policy->custom[i]->entry.setting.level != OG_LEVEL_OFF)
            return true;
    return false;
}

/* Report `environment: paper` in a policy that extends a policy for live accounts.  Returns true if it was reported. */
static bool check_paper_over_live(struct og_lint_run *l)
{
    static const char *const for_live[] = { "live", "cautious", NULL };
    const struct og_yaml *extends = og_yaml_get(l->root, "extends"), *below = NULL;

    for (const struct og_yaml *n = extends && extends->kind == OG_YAML_LIST ? extends->first : NULL; n; n = n->next) {
        if (n->kind == OG_YAML_SCALAR && og_str_is_one_of(n->text, for_live)) {
            below = n;
        } else if (below && n->kind == OG_YAML_SCALAR && og_str_is(n->text, "paper")) {
            og_lint_add(l, n, "live-on-paper",
                        "'paper' lies over '%.*s' here, and only warns about what a live account rejects: leave it out",
                        (int)below->text.len, below->text.s);
            return true;
        }
    }
    return false;
}

static void check_calendar(struct og_lint_run *l)
{
    struct og_eastern e;

    og_eastern_from(l->options.now, &e);
    if (e.date > OG_CALENDAR_LAST)
        og_lint_add_at(l, 1, 1, 1, "calendar-over",
                       "ordergate's exchange calendar ends on " OG_CALENDAR_ENDS
                       ": what depends on sessions is unsure from then on");
}

/* Report a policy that sets limits, and says neither what it extends nor what happens where it is unsure: it extends
 * default, which only warns where a limit cannot be decided. */
static void check_extends_nothing(struct og_lint_run *l, const struct og_yaml *environment)
{
    if (environment || og_yaml_get(l->root, "extends") || og_yaml_get(l->root, "unsure") ||
        l->policy->unsure == OG_UNSURE_REFUSE)
        return;
    for (size_t i = 0; i < og_rules_size; i++) {
        const struct og_yaml *rule = og_lint_rule_node(l, og_rules[i]->id);

        if (!rule || !og_limit_passes_unsure(&l->policy->rules[i]))
            continue;
        og_lint_add_at_key(
            l, rule, "extends-default",
            "this policy has no 'extends', so it extends default, by which orders pass '%s' with a "
            "warning where a quote or another fact is missing: write extends: [live], or unsure: refuse; "
            "or extends: [default] if that is meant",
            og_rules[i]->id);
        return;
    }
}

/* Returns true if the extended policies refuse what is not known, and what is old, as `live` does: they are for live
 * accounts. */
static bool extends_live(struct og_lint_run *l)
{
    const struct og_policy *base = og_lint_live_base(l);

    for (size_t i = 0; base && i < sizeof aging / sizeof aging[0]; i++)
        if (base->max_age[__builtin_ctz((unsigned)aging[i])] == 0)
            return false;
    return base && !extends_policy(l, "paper");
}

/* Returns why the policy is for live accounts; .at is NULL if it is not known to be. */
static struct live why_live(struct og_lint_run *l)
{
    const struct og_yaml *at = og_yaml_get(l->root, "environment");

    if (at)
        return (struct live){ og_str_is(at->text, "live") ? at : NULL, "environment is live", false };
    return (struct live){ extends_live(l) ? og_yaml_get(l->root, "extends") : NULL,
                          "this policy extends one for live accounts", true };
}

void og_lint_check_environment(struct og_lint_run *l)
{
    const struct og_yaml *mode = og_yaml_get(l->root, "mode");
    const struct live live = why_live(l);
    bool over = check_paper_over_live(l);

    check_extends_nothing(l, og_yaml_get(l->root, "environment"));
    if (mode && !any_enforced(l) && (og_str_is(mode->text, "shadow") || (live.at && og_str_is(mode->text, "warn"))))
        og_lint_add_at_key(l, mode, "shadow-all", "with mode: %.*s for the whole policy, it refuses no order",
                           (int)mode->text.len, mode->text.s);
    if (live.at) {
        if (!over && extends_policy(l, "paper"))
            og_lint_add(l, live.at, "live-on-paper",
                        "environment is live, but the policy extends 'paper', which only warns about what a live "
                        "account rejects: extend live");
        else if (!over) {
            check_rejections(l, &live);
            check_borrowing(l, &live);
        }
        check_unsure(l, &live);
        check_ages(l, &live);
        check_size(l, &live);
    }
    check_calendar(l);
}
