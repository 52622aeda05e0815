/*
 * An order that replaces another, decided as if that one were canceled already: what works of it is taken out of the
 * sums for the check, and put back.  What it takes of buying power stays, since the broker's figures may have it.
 */
#include "check/book.h"

#include "ordergate/requests.h"
#include "ordergate/rules.h"
#include "rules/rule.h"

/* It refuses now, and will after the cancel too. */
static bool refuses(const struct og_finding *f)
{
    const struct og_rule *rule = og_rules_find(f->rule);

    return f->level == OG_LEVEL_REFUSE && !f->unsure && rule && rule->sums_working;
}

/* Another reservation than the owner's has the id: what of the two the broker has is not known. */
static bool is_doubtful(struct og_book *b, size_t account, struct og_str id, og_ticket owner)
{
    for (og_ticket t = 1; t <= b->tickets; t++) {
        const struct og_reservation *r = b->ticket[t - 1];
        const struct og_order *o = r && t != owner && r->account == account ? og_book_order(b, r) : NULL;

        if (o && og_str_eq(o->client_id, id))
            return true;
    }
    return false;
}

/* Of the owner's effect what works, without buying power; its order is the book's own.  Returns false when out of
 * memory. */
static bool work_of(struct og_book *b, og_ticket owner, struct og_effect *e)
{
    const struct og_reservation *r = b->ticket[owner - 1];
    const struct og_order *o = r ? og_book_order(b, r) : NULL;

    if (!o)
        return false;
    *e = og_book_effect(r, o);
    e->bp_cost = og_money_from(0);
    e->bound = false;
    return true;
}

static bool decide(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                   struct og_decision *d)
{
    struct og_facts *f;
    struct og_case c;
    struct og_effect work;
    og_ticket owner;

    og_book_case(b, o, now, s, &c);
    f = b->account[og_book_at(b, c.facts)];
    owner = og_facts_owner(f, o->replaces);
    if (is_doubtful(b, og_book_at(b, f), o->replaces, owner) ||
        !(owner ? work_of(b, owner, &work) : og_facts_rows_aside(f, o->replaces)))
        return false;
    if (owner)
        og_facts_remove(f, &work);
    og_book_case(b, o, now, s, &c);
    og_check_case(b->policy, &c, s, d);
    if (c.mleg->strategy != OG_STRATEGY_NONE)
        d->strategy = og_book_strategy(&c, s);
    og_book_names(b, &c, s, s, d);
    if (owner)
        (void)og_facts_add(f, &work); /* it was there, so there is room, and it fits */
    else
        og_facts_rows_back(f, o->replaces);
    return true;
}

bool og_check_in_place(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                       struct og_decision *d)
{
    bool refused = false;

    if (d)
        *d = (struct og_decision){ 0 };
    if (!b || !o || !s || !d || o->replaces.len == 0)
        return false;
    og_book_look_for_halt(b);
    pthread_rwlock_wrlock(&b->lock);
    og_book_stamp(b, s, now);
    if (decide(b, o, now, s, d))
        for (int i = 0; i < d->count; i++)
            refused |= refuses(&d->findings[i]);
    pthread_rwlock_unlock(&b->lock);
    return refused;
}
