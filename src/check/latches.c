/*
 * Latches: after each change of what a book knows, each rule says which of its limits the facts exceed, under the
 * policy's setting and under each override.  A latch that has tripped then refuses the orders of its limit until it is
 * resumed or the session day is over (rules/limit.h), whatever the facts show later.
 */
#include "base/latches.h"

#include "base/money.h"
#include "base/time.h"
#include "check/book.h"
#include "policy/policy.h"

/* Trip the latches of the rule whose limits the facts exceed under this setting. A setting that is off or in mode
 * shadow trips none, since it must not stop what a later policy or another sender does. */
static void trip_by(struct og_facts *f, const struct og_rule *rule, const struct og_rule_setting *setting)
{
    struct og_trips t = { .count = 0 };

    if (setting->level == OG_LEVEL_OFF || setting->mode == OG_MODE_SHADOW || !setting->settings)
        return;
    rule->trips(f, setting->settings, &t);
    for (int i = 0; i < t.count; i++)
        og_facts_trip(f, t.trip[i].kind, t.trip[i].value, t.trip[i].limit, t.trip[i].until_resumed);
}

/* Trip latches under every setting of the rule, since which override is in force depends on the order. The settings do
 * not affect each other: a latch refuses only orders whose own limit is below the latch's value. */
static void trip_rule(struct og_facts *f, const struct og_policy_rule *pr)
{
    trip_by(f, pr->rule, &pr->setting);
    for (size_t i = 0; i < pr->override_count; i++)
        trip_by(f, pr->rule, &pr->overrides[i].setting);
}

void og_book_trip(struct og_book *b)
{
    for (size_t i = 0; i < og_rules_size; i++)
        for (size_t at = 0; b->policy->rules[i].rule->trips && at < b->accounts; at++)
            trip_rule(b->account[at], &b->policy->rules[i]);
}

const char *og_latch_name(size_t i)
{
    return i < OG_LATCHES ? og_latch_names[i] : NULL;
}

enum og_status og_book_latch(struct og_book *b, const char *account_id, const char *name, int64_t now_ns,
                             struct og_latch *latch)
{
    const enum og_latch_kind kind = og_latch_find(og_str_of(name));
    enum og_status status = OG_EINVAL;
    const struct og_latch *l = NULL;
    size_t at;

    if (latch)
        *latch = (struct og_latch){ .name = NULL };
    if (!b || !account_id || !latch || kind == OG_LATCHES)
        return OG_EINVAL;
    pthread_rwlock_rdlock(&b->lock);
    at = og_book_find(b, og_str_of(account_id));
    if (at < b->accounts) {
        l = og_facts_latched_at(b->account[at], kind, og_time_within(now_ns));
        status = l ? OG_OK : OG_ENOENT;
    }
    if (l)
        *latch = *l;
    pthread_rwlock_unlock(&b->lock);
    return status;
}

enum og_status og_book_set_latch(struct og_book *b, const char *account_id, const struct og_latch *l)
{
    enum og_status status;
    size_t at;

    if (!b || !account_id || !account_id[0] || !l || og_latch_find(og_str_of(l->name)) == OG_LATCHES ||
        !og_money_is(l->value) || !og_money_is(l->limit) ||
        (l->day != 0 && !og_date_exists(l->day / 10000, l->day / 100 % 100, l->day % 100)))
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    status = og_book_account_of(b, og_str_of(account_id), &at);
    if (!status)
        og_facts_latch(b->account[at], l);
    pthread_rwlock_unlock(&b->lock);
    return status;
}

enum og_status og_book_resume_latch(struct og_book *b, const char *account_id, const char *name)
{
    const enum og_latch_kind kind = og_latch_find(og_str_of(name));
    enum og_status status;
    size_t at;

    if (!b || !account_id || !account_id[0] || kind == OG_LATCHES)
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    status = og_book_account_of(b, og_str_of(account_id), &at);
    if (!status) {
        status = og_facts_resume(b->account[at], kind) ? OG_OK : OG_ENOENT;
        og_book_trip(b);
    }
    pthread_rwlock_unlock(&b->lock);
    return status;
}
