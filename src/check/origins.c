/*
 * Reports where the settings that decide an order come from. Which settings apply is determined by overrides.c, as in a
 * decision.
 */
#include "policy/origins.h"

#include <stdlib.h>

#include "base/buf.h"
#include "check/book.h"

#define WHY_MOST 200

/* One report while it is made. */
struct explaining {
    struct og_origins *to;
    const struct og_policy *policy;
    const struct og_case *c;
    struct og_scratch *s;
};

/* Returns true if the rule is run for the order. */
static bool is_run(const struct explaining *e, const struct og_rule *rule)
{
    const struct og_run_list *all = &e->policy->runs[e->c->order->security].of[OG_TRAIT_ALL];

    for (size_t i = 0; i < all->count; i++)
        if (all->run[i].rule == rule)
            return true;
    return false;
}

/* Returns the override to which a setting of the rule belongs; NULL if it is the rule's own. */
static const struct og_override *override_of(const struct og_policy_rule *r, const struct og_rule_setting *setting)
{
    for (size_t k = 0; k < r->override_count; k++)
        if (&r->overrides[k].setting == setting)
            return &r->overrides[k];
    return NULL;
}

/* Collect the overrides from the i-th on that may match the order too. */
static size_t matches(const struct explaining *e, const struct og_policy_rule *r, size_t i,
                      const struct og_override **to)
{
    size_t count = 0;

    for (; i < r->override_count; i++) {
        const struct og_policy_rule one = {
            .rule = r->rule, .setting = r->setting, .overrides = &r->overrides[i], .override_count = 1
        };
        size_t at = 0;

        if (og_check_next_setting(&one, e->c, e->s->room, &at, NULL) != &one.setting)
            to[count++] = &r->overrides[i];
    }
    return count;
}

/* Add the rule to the report, with each setting that may apply to the order. */
static bool add_rule(const struct explaining *e, const struct og_policy_rule *r, const struct og_custom *custom)
{
    const struct og_override **later = calloc(r->override_count + 1, sizeof *later);
    struct og_origins_of of = { .rule = r, .custom = custom, .matches = later, .runs = is_run(e, r->rule) };
    char text[WHY_MOST];
    bool ok = later != NULL;

    for (size_t i = 0; i <= r->override_count && ok;) {
        struct og_expr_why why = { 0 };
        struct og_buf b;

        of.override = override_of(r, og_check_next_setting(r, e->c, e->s->room, &i, &why));
        of.match_count = of.override ? matches(e, r, (size_t)(of.override - r->overrides) + 1, later) : 0;
        if (i <= r->override_count) { /* a further setting follows, and it is not known which of them applies */
            og_buf_init_fixed(&b, text, sizeof text);
            og_expr_why_text(&why, e->c, &b);
            of.why = text;
        }
        ok = og_origins_add(e->to, &of);
    }
    free(later);
    e->to->oom |= !ok;
    return ok;
}

static bool add_rules(const struct explaining *e)
{
    const struct og_policy *p = e->policy;
    bool ok = e->to && og_origins_add_policy(e->to);

    for (size_t i = 0; i < og_rules_size && ok; i++)
        if (og_rule_kinds(p->rules[i].rule) >> e->c->order->security & 1)
            ok = add_rule(e, &p->rules[i], NULL);
    for (size_t i = 0; i < p->custom_count && ok; i++)
        ok = add_rule(e, &p->custom[i]->entry, p->custom[i]);
    return ok;
}

enum og_status og_origins_order(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                                struct og_origins **origins)
{
    struct og_case c;
    struct explaining e = { .c = &c, .s = s };

    if (!b || !o || !s || !origins)
        return OG_EINVAL;
    *origins = NULL;
    pthread_rwlock_rdlock(&b->lock);
    og_book_case(b, o, now, s, &c);
    e.policy = b->policy;
    e.to = og_origins_new(e.policy);
    (void)add_rules(&e);
    pthread_rwlock_unlock(&b->lock);
    if (!e.to || !og_origins_finish(e.to))
        return OG_ENOMEM;
    *origins = e.to;
    return OG_OK;
}
