/*
 * The book: facts of a set of accounts, the policy in force, and the decisions made with them.  Does no I/O and
 * reads no clock.
 */
#include "check/book.h"

#include <stdlib.h>

#include "base/attributes.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/time.h"
#include "rules/sides.h"

enum og_status og_book_new(struct og_policy *policy, struct og_book **book)
{
    struct og_book *b;

    if (book)
        *book = NULL;
    if (!book || !policy)
        return OG_EINVAL;
    b = calloc(1, sizeof *b);
    if (!b)
        return OG_ENOMEM;
    b->order = og_order_new();
    b->account = calloc(4, sizeof *b->account);
    b->account_room = 4;
    if (!b->order || !b->account || !(b->account[0] = og_facts_new((struct og_str){ "", 0 })) ||
        pthread_rwlock_init(&b->lock, NULL)) {
        if (b->account)
            og_facts_free(b->account[0]);
        free(b->account);
        og_order_free(b->order);
        free(b);
        return OG_ENOMEM;
    }
    b->accounts = 1;
    if (og_book_watch_init(b) || !og_book_survives_fork(b)) {
        og_book_free(b); /* frees everything except the policy, which stays the caller's */
        return OG_ENOMEM;
    }
    b->policy = policy;
    b->settle = OG_SETTLE_LAG;
    og_facts_settle_lag(b->account[0], b->settle);
    b->told_at = OG_TIME_UNKNOWN;
    b->list_lag = -1;
    b->reserved_at = OG_TIME_UNKNOWN;
    *book = b;
    return OG_OK;
}

void og_book_free(struct og_book *b)
{
    if (!b)
        return;
    og_book_forks_no_more(b);
    for (size_t i = 0; i < b->accounts; i++)
        og_facts_free(b->account[i]);
    og_book_reservations_free(b);
    og_book_waivers_free(b);
    og_book_watch_clear(b);
    free(b->account);
    free(b->default_account);
    free(b->client_tag);
    og_buf_clear(&b->kept);
    og_order_free(b->order);
    og_policy_free(b->policy);
    pthread_rwlock_destroy(&b->lock);
    free(b);
}

void og_book_swap_policy(struct og_book *b, struct og_policy *policy)
{
    struct og_policy *old;

    if (!b || !policy)
        return;
    pthread_rwlock_wrlock(&b->lock);
    old = b->policy;
    b->policy = policy;
    og_book_trip(b);
    pthread_rwlock_unlock(&b->lock);
    og_policy_free(old);
}

size_t og_book_find(const struct og_book *b, struct og_str id)
{
    for (size_t i = 0; i < b->accounts; i++)
        if (og_same_account(og_facts_account_id(b->account[i]), id))
            return i;
    return b->accounts;
}

size_t og_book_at(const struct og_book *b, const struct og_facts *facts)
{
    size_t at = 0;

    while (b->account[at] != facts)
        at++;
    return at;
}

enum og_status og_book_account_of(struct og_book *b, struct og_str id, size_t *at)
{
    struct og_facts *f;

    *at = og_book_find(b, id);
    if (*at < b->accounts)
        return OG_OK;
    if (b->accounts == 1 && !b->nameless)
        return og_book_name_first(b, id);
    if (!OG_GROW(b->account, b->accounts, b->account_room, 4))
        return OG_ENOMEM;
    f = og_facts_new(id);
    if (f)
        og_facts_settle_lag(f, b->settle);
    if (!f || og_facts_copy_market(f, b->account[0])) {
        og_facts_free(f);
        return OG_ENOMEM;
    }
    b->account[b->accounts++] = f;
    return b->nameless ? og_book_adopt(b, *at) : OG_OK;
}

const char *og_book_facts_digest(const struct og_book *b)
{
    return b ? b->digest : "";
}

/* Returns the account that the order names, or the default account if it names none. Sets c->account_conflict if the
 * order names another account than the default one. */
static struct og_str named_account(const struct og_book *b, const struct og_order *o, struct og_case *c)
{
    struct og_str fallback = og_str_of(b->default_account);

    if (!o->account.len)
        return fallback;
    c->account_conflict = fallback.len && !og_same_account(fallback, o->account);
    return o->account;
}

/* Set the case's account, and the facts by which it is decided: those of the named account, or those of the only
 * account if none is named.  Sets c->account_open if no account is named and the book has several. */
static inline void set_account(const struct og_book *b, const struct og_order *o, struct og_case *c)
{
    size_t at = 0;

    c->account_conflict = c->account_open = false;
    c->account_id = (struct og_str){ NULL, 0 };
    if (o->account.len || b->default_account)
        c->account_id = named_account(b, o, c);
    if (c->account_id.len)
        at = og_book_find(b, c->account_id);
    else if (b->accounts == 2 && !b->nameless)
        at = 1;
    else
        c->account_open = b->accounts > 2 || (b->accounts == 2 && b->nameless);
    /* facts that name no account count for every account without facts of its own */
    c->facts = b->account[at < b->accounts ? at : 0];
    if (at && at < b->accounts)
        c->account_id = og_facts_account_id(c->facts);
}

/* Let positions and orders of any age decide an order that only closes: they were requested after the batch's orders
 * were written (og_scratch_read_since()). */
static OG_COLD void set_ages(const struct og_book *b, const struct og_order *o, struct og_common *k, struct og_case *c)
{
    c->max_age = b->policy->max_age;
    if (og_order_may_open(o))
        return;
    memcpy(k->closes_age, b->policy->max_age, sizeof k->closes_age);
    k->closes_age[__builtin_ctz(OG_FACT_POSITIONS)] = k->closes_age[__builtin_ctz(OG_FACT_ORDERS)] = 0;
    c->max_age = k->closes_age;
}

/* Set what follows from the facts alone: the kind of day, and which kinds of facts are known and fresh. */
static OG_HOT OG_NOINLINE void see_facts(const struct og_book *b, struct og_common *k, struct og_case *c)
{
    uint64_t facts = og_facts_serial(c->facts);
    struct og_str id;
    int64_t newer;

    k->seen = k->read_since ? NULL : c->facts; /* then max_age differs from order to order */
    c->today = og_facts_day(c->facts, k->today_of, k->today);
    if (c->max_age != k->usable_ages || k->usable_facts != facts || k->usable_policy != b->policy->serial ||
        c->facts_at < k->usable_from || c->facts_at > k->usable_until) {
        k->usable = og_facts_usable(c->facts, c->facts_at, c->max_age, &k->usable_until);
        k->lacks_fill = og_facts_lacks_fill(c->facts, &id, &newer);
        k->usable_from = c->facts_at;
        k->usable_facts = facts;
        k->usable_policy = b->policy->serial;
        k->usable_ages = c->max_age;
    }
}

static OG_HOT OG_NOINLINE void spread_of(const struct og_order *o, struct og_scratch *s)
{
    og_mleg_of(o, &s->mleg);
    og_mleg_payoff_of(o, &s->mleg, &s->result);
}

/* Set the case's tag.  Overrides of order-tag may match by anything but the tag, since they help to find it. */
static OG_NOINLINE void set_tag(const struct og_book *b, const struct og_order *o, struct og_scratch *s,
                                struct og_case *c)
{
    const struct og_policy_rule *rule = &b->policy->rules[OG_ENGINE_TAG];
    const struct og_rule_setting *setting = rule->override_count ? og_check_setting(rule, c, s->room) : &rule->setting;

    if (og_tag_may_be(setting->settings, o, b->client_tag))
        c->tag = og_tag_of(setting->settings, o, og_str_of(b->client_tag));
}

/* Returns true if an order that names no tag may still have one, such as the client's tag.  Few desks use tags. */
static inline bool may_tag(const struct og_book *b)
{
    const struct og_policy_rule *rule = &b->policy->rules[OG_ENGINE_TAG];
    const struct og_tag_settings *settings = rule->setting.settings;

    return rule->override_count || b->client_tag || (settings && settings->from == OG_TAG_FROM_PREFIX);
}

struct og_str og_book_tag(const struct og_book *b, const struct og_order *o)
{
    return og_tag_of(b->policy->rules[OG_ENGINE_TAG].setting.settings, o, og_str_of(b->client_tag)).is;
}

/* Set the batch's time in New York. */
static inline void set_clock(struct og_common *k, int64_t now)
{
    if (now != k->eastern_of) { /* most orders of a batch have the same time */
        og_eastern_from(now, &k->eastern);
        k->eastern_of = now;
    }
    if (k->eastern.date != k->today_of) {
        k->today = og_calendar_day(k->eastern.date);
        k->today_of = k->eastern.date;
    }
}

static enum og_environment declared_by(const struct og_policy *p)
{
    return !p->environment[0] ? OG_ENV_UNKNOWN : p->environment[0] == 'l' ? OG_ENV_LIVE : OG_ENV_PAPER;
}

/* Set what all orders of a batch share. What takes long to compute is kept in the batch's first scratch. */
static inline void shared_case(const struct og_book *b, int64_t now, struct og_scratch *first, struct og_case *c)
{
    struct og_common *k = &first->common;

    now = og_time_within(now);
    /* members are set one by one: an initializer would first write zeros to all */
    c->request = NULL;
    c->now = now;
    c->facts_at = k->holds_ages ? k->ages_at : now;
    c->max_age = b->policy->max_age;
    c->margin_room = first->margin_room;
    c->waivers = b->waivers;
    c->book = b;
    c->asides = 0;
    c->halt = b->halt > b->watch.trading ? b->halt : b->watch.trading;
    c->halt_since = b->halt > b->watch.trading ? b->halt_since : b->watch.since;
    c->days = &k->days;
    c->declared = declared_by(b->policy);
    c->all = b->account;
    c->all_count = b->accounts;
    c->in_place = c->again = false;
    c->paced = b->paced;
    c->tag = (struct og_tag){ .fault = OG_TAG_MISSING };
    k->may_tag = may_tag(b);
    k->seen = NULL;
    set_clock(k, now);
    c->eastern = k->eastern;
}

/* Fill in the rest of the case.  The scratch holds hashes of this order's keys, or none. */
static OG_HOT void own_case(const struct og_book *b, const struct og_order *o, struct og_scratch *s,
                            struct og_scratch *first, struct og_case *c)
{
    static const struct og_mleg no_legs;
    const int quotes = __builtin_ctz(OG_FACT_QUOTE);
    struct og_common *k = &first->common;

    c->order = o;
    c->mleg = &no_legs;
    c->result = NULL;
    if (k->read_since)
        set_ages(b, o, k, c);
    c->expr_reads = b->policy->runs[o->security].expr_reads;
    c->hashes = &s->hashes;
    c->asked = &s->asked;
    c->margin = &s->margin;
    c->expr = &s->expr;
    c->sized = &s->sized;
    if (o->security == OG_MLEG) {
        spread_of(o, s);
        c->mleg = &s->mleg;
        c->result = &s->result;
    }
    set_account(b, o, c);
    if (c->facts != k->seen)
        see_facts(b, k, c);
    og_facts_symbol(c->facts, o->symbol, og_lookup_keys_symbol(c->hashes, o), o->occ.is && !o->symbol_bytes,
                    &c->holding, &c->raw_quote);
    c->quote = c->raw_quote && c->raw_quote->fault == OG_QUOTE_SOUND ? c->raw_quote : NULL;
    c->usable = k->usable;
    if (k->lacks_fill && og_order_may_open(o)) /* what only closes must stay possible: it is decided by what is known */
        c->usable &= ~(unsigned)OG_FACT_POSITIONS;
    if (c->quote && og_fact_is_fresh(c->quote->as_of, c->facts_at, c->max_age[quotes]))
        c->usable |= OG_FACT_QUOTE;
    c->worth = &s->worth;
    s->worth.is = s->worth.worst_is = 0;
    s->margin.state = OG_MARGIN_NOT_ASKED;
    s->margin.exceeds = false;
    c->reduces = false;
    if (c->tag.fault != OG_TAG_MISSING) /* the case still has the tag of the batch's previous order */
        c->tag = (struct og_tag){ .fault = OG_TAG_MISSING };
    if (k->may_tag || o->tag_set || o->tag.len)
        set_tag(b, o, s, c);
    c->slippage = 0;
    if (o->type == OG_MARKET || o->type == OG_STOP)
        c->slippage = og_book_slippage(b, c, s);
    c->reduces = !og_order_may_open(o) && og_case_closes(c);
}

static void keyed_case(const struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                       struct og_scratch *first, struct og_case *c)
{
    shared_case(b, now, first, c);
    own_case(b, o, s, first, c);
}

void og_book_case(const struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                  struct og_case *c)
{
    s->hashes.have = 0;
    keyed_case(b, o, now, s, s, c);
}

/* Decide an order.  The case has what all orders of the batch share: shared_case(). */
static inline __attribute__((always_inline)) void decide(const struct og_book *b, const struct og_order *o,
                                                         struct og_scratch *s, struct og_scratch *first,
                                                         struct og_decision *d, struct og_case *c)
{
    own_case(b, o, s, first, c);
    og_check_case(b->policy, c, s, d);
    if (c->mleg->strategy != OG_STRATEGY_NONE)
        d->strategy = og_book_strategy(c, s);
    og_book_names(b, c, s, first, d);
}

/* Decide the order; if it exceeds buying power only because reservations are upper bounds, decide it again with exact
 * amounts.  The caller holds the lock exclusively.  is_shared: the case has what all orders of the batch share. */
static void decide_exactly(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                           struct og_scratch *first, struct og_decision *d, struct og_case *c, bool is_shared)
{
    for (bool again = false;; again = true) {
        if (again || !is_shared)
            shared_case(b, now, first, c);
        decide(b, o, s, first, d, c);
        if (again || !og_book_wants_exact(c))
            return;
        og_book_tighten(b, og_book_at(b, c->facts), s);
        s->hashes.have = 0; /* og_book_tighten() left the hashes of other orders there */
    }
}

void og_book_decide(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                    struct og_scratch *first, struct og_decision *d, struct og_case *c)
{
    s->hashes.have = 0;
    decide_exactly(b, o, now, s, first, d, c, false);
}

/* Decide the order again with the lock held exclusively. The lock is shared before and afterwards, and released in
 * between. */
static OG_COLD void check_exactly(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                                  struct og_decision *d, struct og_case *c)
{
    pthread_rwlock_unlock(&b->lock);
    pthread_rwlock_wrlock(&b->lock);
    decide_exactly(b, o, now, s, s, d, c, false);
    pthread_rwlock_unlock(&b->lock);
    pthread_rwlock_rdlock(&b->lock);
}

/* Decide one order of a batch. Returns false if the lock was released meanwhile, so that the book may have changed. */
static OG_HOT bool check_one(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                             struct og_scratch *first, struct og_decision *d, struct og_case *c)
{
    s->hashes.have = 0;
    decide(b, o, s, first, d, c);
    if (!og_book_wants_exact(c))
        return true;
    check_exactly(b, o, now, s, d, c);
    return false;
}

/* Returns true if no argument is missing. If one is, returns false and sets the decisions to zero: nothing is
 * accepted. */
static inline bool may_decide(const struct og_book *b, const struct og_order *const *orders, size_t count,
                              struct og_scratch *const *scratch, struct og_decision *d)
{
    size_t given = 0;

    if (b && orders && scratch && d) {
        while (given < count && orders[given] && scratch[given])
            given++;
        if (given == count)
            return true;
    }
    for (size_t i = 0; d && i < count; i++)
        d[i] = (struct og_decision){ 0 };
    return false;
}

OG_HOT void og_check_all(struct og_book *b, struct og_order *const *orders, size_t count, int64_t now,
                         struct og_scratch *const *scratch, struct og_decision *decisions)
{
    struct og_scratch *first = NULL;
    struct og_case c;

    if (!may_decide(b, (const struct og_order *const *)orders, count, scratch, decisions))
        return;
    og_book_look_for_halt(b);
    pthread_rwlock_rdlock(&b->lock);
    for (size_t i = 0; i < count; i++) {
        if (!first) {
            og_book_provenance(b, first = scratch[i], now);
            shared_case(b, now, first, &c);
        }
        if (!check_one(b, orders[i], now, scratch[i], first, &decisions[i], &c))
            first = NULL;
    }
    pthread_rwlock_unlock(&b->lock);
}

OG_HOT void og_check(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                     struct og_decision *d)
{
    struct og_case c;

    if (!may_decide(b, &o, 1, &s, d))
        return;
    og_book_look_for_halt(b);
    pthread_rwlock_rdlock(&b->lock);
    shared_case(b, now, s, &c);
    check_one(b, o, now, s, s, d, &c);
    pthread_rwlock_unlock(&b->lock);
}

/* Prefetch what the look-ups of the next orders need, all at once: the maps grow with every order, far beyond the
 * processor's caches.  Which account's facts will be used is not known yet: the facts of the newest account are
 * prefetched, and a wrong guess only costs time. */
static OG_HOT void expect(const struct og_book *b, struct og_order *const *orders, size_t count,
                          struct og_scratch *const *scratch)
{
    const struct og_facts *f = b->account[b->accounts - 1];

    for (size_t i = 0; i < count; i++) {
        scratch[i]->hashes.have = 0;
        og_facts_expect(f, orders[i], &scratch[i]->hashes);
    }
    for (size_t i = 0; i < count; i++)
        og_facts_fetch(f, orders[i], &scratch[i]->hashes);
}

void og_book_hear_clock(struct og_book *b, int64_t now)
{
    if (b->reserved_at == OG_TIME_UNKNOWN || now < b->reserved_at)
        b->reserved_at = now;
}

enum og_status og_book_meet(struct og_book *b, struct og_scratch *s, struct og_scratch *first, struct og_case *c)
{
    enum og_status status;
    size_t at;

    if (c->facts != b->account[0] || !c->account_id.len || b->nameless)
        return OG_OK;
    status = og_book_account_of(b, c->account_id, &at);
    if (!status) {
        s->hashes.have = 0;
        keyed_case(b, c->order, c->now, s, first, c);
    }
    return status;
}

/* Decide the order, and reserve what it needs if it is accepted. *is_shared: whether the case has what all orders of
 * the batch share (shared_case()). The lock is held for the whole batch, so that only what is done here changes it:
 * waivers that are used, and accounts that og_book_meet() adds; the latter fills in the case itself. */
static OG_HOT enum og_status reserve(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                                     struct og_scratch *first, struct og_decision *d, og_ticket *ticket,
                                     struct og_case *c, bool *is_shared)
{
    enum og_status status = OG_OK;

    decide_exactly(b, o, now, s, first, d, c, *is_shared);
    *is_shared = !b->waivers;
    if (d->accepted && !(status = og_book_meet(b, s, first, c)))
        status = og_book_reserve(b, c, s, ticket);
    if (*ticket && b->waivers)
        og_book_waivers_used(b, c, d);
    if (status == OG_EINVAL) {
        og_check_unreserved(b->policy, c, s, d);
        status = OG_OK;
    }
    return status;
}

#define AHEAD 64 /* orders whose keys are prefetched at once: their map entries fit into a cache of the processor */

enum og_status og_reserve_all(struct og_book *b, struct og_order *const *orders, size_t count, int64_t now,
                              struct og_scratch *const *scratch, struct og_decision *decisions, og_ticket *tickets)
{
    enum og_status status = OG_OK;
    bool is_shared = false;
    struct og_case c;

    if (!tickets || !may_decide(b, (const struct og_order *const *)orders, count, scratch, decisions))
        return OG_EINVAL;
    memset(tickets, 0, count * sizeof *tickets);
    og_book_look_for_halt(b);
    pthread_rwlock_wrlock(&b->lock);
    og_book_hear_clock(b, now);
    if (count)
        og_book_provenance(b, scratch[0], now);
    for (size_t i = 0; i < count && !status; i++) {
        if (i % AHEAD == 0)
            expect(b, orders + i, count - i < AHEAD ? count - i : AHEAD, scratch + i);
        status = reserve(b, orders[i], now, scratch[i], scratch[0], &decisions[i], &tickets[i], &c, &is_shared);
    }
    pthread_rwlock_unlock(&b->lock);
    return status;
}

enum og_status og_reserve(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                          struct og_decision *d, og_ticket *ticket)
{
    enum og_status status;
    bool is_shared = false;
    struct og_case c;

    if (!ticket || !may_decide(b, &o, 1, &s, d))
        return OG_EINVAL;
    *ticket = 0;
    og_book_look_for_halt(b);
    pthread_rwlock_wrlock(&b->lock);
    og_book_hear_clock(b, now);
    s->hashes.have = 0;
    status = reserve(b, o, now, s, s, d, ticket, &c, &is_shared);
    pthread_rwlock_unlock(&b->lock);
    return status;
}
