/*
 * Finds what would pass instead of a refused order: the same order as a replacement of a working one, the largest
 * quantity, a price or the earliest time.  Each is found by asking the same engine: it accepts the suggested order, and
 * refuses the next larger quantity, nearer tick or earlier second.
 *
 * A script may apply what is suggested, so the edge of what the policy allows is not suggested in place of a mistyped
 * price: a buy would pay the collar above the ask, and a stop there protects nothing.  See price_of().
 *
 * Never suggested are a day without a session, since the broker may reject orders on it, and a change that only makes a
 * repeated order look new.  Nor is a time at which the order would pass only because facts have become too old to
 * refuse it: every candidate is decided with the facts' present ages, and is dropped if a rule that certainly refuses
 * the order is unsure about the candidate.
 */
#include "base/money.h"
#include "base/time.h"
#include "check/book.h"
#include "ordergate/requests.h"
#include "rules/sides.h"

/* size of arrays with one element per rule; larger than og_rules_size */
#define OG_RULES_MOST 128

struct probe {
    struct og_book *book;
    struct og_scratch *scratch;
    const struct og_order *order;
    int64_t now;
    bool refuses[OG_RULES_MOST]; /* for each rule, by its index: the rule certainly refuses the order; all custom
                                  * rules share the last entry */
};

/* A copy of the order with one value changed. All other values are the order's own, so the copy is never freed. */
struct trial {
    struct og_order order;
    struct og_money_text text;
};

/* Returns true if the order is refused because it was sent before, so that another quantity or price is no remedy. */
static bool is_again(const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++) {
        const struct og_rule *rule = og_rules_find(d->findings[i].rule);

        if (d->findings[i].level == OG_LEVEL_REFUSE && rule && rule->sent_before)
            return true;
    }
    return false;
}

/* Returns the index in refuses[] of the rule with this id. */
static size_t place_of(const char *id)
{
    const struct og_rule *rule = og_rules_find(id);

    for (size_t i = 0; rule && i < og_rules_size && i < OG_RULES_MOST - 1; i++)
        if (og_rules[i] == rule)
            return i;
    return OG_RULES_MOST - 1;
}

/* Record the rules that certainly refuse the order.  A rule that is unsure about the order may be unsure about a
 * candidate, too. */
static void note_refusals(struct probe *p, const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE && !d->findings[i].unsure)
            p->refuses[place_of(d->findings[i].rule)] = true;
}

/* Returns true if the changed order was accepted, and no rule that certainly refuses the original order is unsure about
 * it. */
static bool is_surely_accepted(const struct probe *p, const struct og_decision *d)
{
    for (int i = 0; d->accepted && i < d->count; i++)
        if (d->findings[i].unsure && p->refuses[place_of(d->findings[i].rule)])
            return false;
    return d->accepted;
}

static bool passes_at(const struct probe *p, const struct og_order *order, int64_t now)
{
    struct og_decision d;

    og_check(p->book, order, now, p->scratch, &d);
    return is_surely_accepted(p, &d);
}

static void change(struct trial *t, enum og_key key, struct og_money value)
{
    t->text = og_money_text(value);
    t->order.field[key] = (struct og_field){ .status = OG_VALID, .text = og_str_of(t->text.s) };
    switch (key) {
    case OG_KEY_ORDER_QUANTITY:
        t->order.quantity_value = value;
        t->order.quantity = value.coef;
        break;
    case OG_KEY_LIMIT_PRICE: t->order.limit = value; break;
    default: t->order.stop = value; break;
    }
}

static bool passes_with(const struct probe *p, struct trial *t, enum og_key key, struct og_money value)
{
    change(t, key, value);
    return passes_at(p, &t->order, p->now);
}

/* --- a working order to replace ----------------------------------------------------------------------------------- */

#define REPLACED_MOST 8 /* maximum number of working orders that are tried */

typedef char working_id[OG_SUGGESTED_ID_MOST + 1];

/* Returns true if this trade closes more than the working orders leave of the position to be closed. */
static bool is_taken(const struct og_case *c, const struct og_trade *t)
{
    const struct og_holding *h = t->opens == 0 ? og_case_holding(c, t) : NULL;
    const bool sells = t->side == OG_SELL;
    struct og_money left;

    if (!h || (sells ? h->closing_sells : h->closing_buys).coef <= 0)
        return false;
    return !og_money_sub(sells ? h->held_long : h->held_short, sells ? h->closing_sells : h->closing_buys, &left) ||
           og_price_cmp(og_money_from(t->size), left) > 0;
}

/* Set id[] to the ids of the working orders that close what the order closes.  Returns how many. */
static int closes_of(const struct probe *p, working_id id[REPLACED_MOST])
{
    struct og_str found[REPLACED_MOST];
    struct og_case c;
    int named = 0, count = 0;

    pthread_rwlock_rdlock(&p->book->lock);
    og_book_case(p->book, p->order, p->now, p->scratch, &c);
    for (int i = 0; i < og_order_trades(p->order) && !named; i++) {
        const struct og_trade t = og_order_trade(p->order, i);
        const struct og_working_of of = { .kind = OG_WORKING_CLOSES, .symbol = t.symbol, .side = t.side };

        if (is_taken(&c, &t))
            (void)og_check_working(&c, &of, -1, found, REPLACED_MOST, &named);
    }
    for (int i = 0; i < named; i++) {
        if (found[i].len > OG_SUGGESTED_ID_MOST)
            continue;
        og_str_copy(id[count], found[i]);
        id[count++][found[i].len] = '\0';
    }
    pthread_rwlock_unlock(&p->book->lock);
    return count;
}

static bool suggest_replaces(const struct probe *p, struct og_suggestion *s)
{
    struct trial t = { .order = *p->order };
    working_id id[REPLACED_MOST];
    const int count = p->order->replaces.len ? 0 : closes_of(p, id);

    t.order.plain = false; /* its keys are no longer those of its line */
    for (int i = 0; i < count; i++) {
        struct og_decision d;

        t.order.replaces = og_str_of(id[i]);
        t.order.field[OG_KEY_REPLACES] = (struct og_field){ .status = OG_VALID, .text = t.order.replaces };
        if (!og_check_replacement(p->book, &t.order, p->now, p->scratch, &d) || !is_surely_accepted(p, &d))
            continue;
        s->what = OG_SUGGEST_REPLACES;
        memcpy(s->replaces, id[i], sizeof id[i]);
        return true;
    }
    return false;
}

/* --- quantity ----------------------------------------------------------------------------------------------------- */

static bool suggest_quantity(const struct probe *p, struct og_suggestion *s)
{
    struct trial t = { .order = *p->order };
    int64_t passes = 1, fails = og_money_floor(p->order->quantity_value);

    if (p->order->field[OG_KEY_ORDER_QUANTITY].status != OG_VALID || fails < 1)
        return false;
    fails += p->order->quantity_value.scale > 0; /* the quantity has a fraction: its whole part may pass */
    if (fails > 1000001)
        fails = 1000001;
    if (fails <= passes || !passes_with(p, &t, OG_KEY_ORDER_QUANTITY, og_money_from(1)))
        return false;
    while (fails - passes > 1) {
        int64_t middle = passes + (fails - passes) / 2;

        if (passes_with(p, &t, OG_KEY_ORDER_QUANTITY, og_money_from(middle)))
            passes = middle;
        else
            fails = middle;
    }
    s->what = OG_SUGGEST_QUANTITY;
    s->quantity = passes;
    return true;
}

/* --- prices ------------------------------------------------------------------------------------------------------- */

/* Set *n to the number of ticks at or below value.  Returns false if n is too large, or if og_money cannot represent a
 * product exactly. */
static bool on_grid(struct og_money value, int64_t per_dollar, int64_t *n)
{
    struct og_money scaled;

    if (!og_money_times(value, per_dollar, &scaled))
        return false;
    *n = og_money_floor(scaled);
    return *n > -INT64_C(100000000000000) && *n < INT64_C(100000000000000);
}

/* Returns the price of n ticks; per_dollar ticks are a dollar.  It is exact, since per_dollar divides 10,000. */
static struct og_money from_grid(int64_t n, int64_t per_dollar)
{
    struct og_money m = { 0, 0 }, unit = { 10000 / per_dollar, 4 };

    if (!og_money_times((struct og_money){ unit.coef, 4 }, n, &m))
        return (struct og_money){ 0, 0 };
    return m;
}

/* Returns, in ticks, the passing price that is nearest to `fails`. It is found by bisection between `fails` and a price
 * that passes. */
static int64_t nearest_between(const struct probe *p, struct trial *t, enum og_key key, int64_t per_dollar,
                               int64_t fails, int64_t passes)
{
    while (fails - passes > 1 || passes - fails > 1) {
        int64_t middle = passes + (fails - passes) / 2;

        if (passes_with(p, t, key, from_grid(middle, per_dollar)))
            passes = middle;
        else
            fails = middle;
    }
    return passes;
}

struct best {
    bool any;
    struct og_money price, away;
};

static void consider(struct best *best, struct og_money given, struct og_money price)
{
    struct og_money away;

    if (!og_money_sub(price, given, &away) || (away.coef < 0 && !og_money_sub(given, price, &away)))
        return;
    if (best->any && og_money_cmp(away, best->away) >= 0)
        return;
    *best = (struct best){ .any = true, .price = price, .away = away };
}

/* Search for a price that passes, tick by tick from the given price to the anchor; *best is set to the one nearest to
 * the given price. */
static void towards(const struct probe *p, struct trial *t, enum og_key key, struct og_money given,
                    struct og_money anchor, int64_t per_dollar, struct best *best)
{
    int64_t from, to;

    if (!on_grid(given, per_dollar, &from) || !on_grid(anchor, per_dollar, &to))
        return;
    for (int64_t at = from; at <= from + 1; at++) { /* try both ticks around a given price that is not on a tick */
        if (passes_with(p, t, key, from_grid(at, per_dollar)))
            consider(best, given, from_grid(at, per_dollar));
    }
    for (int64_t at = to - 1; at <= to + 1; at++) { /* also try the ticks next to the anchor: a stop must lie beyond the
                                                     * quote, not on it */
        if (passes_with(p, t, key, from_grid(at, per_dollar)))
            consider(best, given,
                     from_grid(nearest_between(p, t, key, per_dollar, at > from ? from : from + 1, at), per_dollar));
    }
}

enum { ANCHORS = 5 };

/* Set anchors[] to prices that may pass: the prices of the quote, and the lowest and the highest price that limits
 * allow. Returns how many. */
static size_t anchors_of(const struct probe *p, struct og_money anchors[ANCHORS])
{
    struct og_case c;
    size_t count = 0;

    pthread_rwlock_rdlock(&p->book->lock);
    og_book_case(p->book, p->order, p->now, p->scratch, &c);
    if (c.raw_quote && c.raw_quote->has_bid)
        anchors[count++] = c.raw_quote->bid;
    if (c.raw_quote && c.raw_quote->has_ask)
        anchors[count++] = c.raw_quote->ask;
    if (c.raw_quote && c.raw_quote->has_last)
        anchors[count++] = c.raw_quote->last;
    pthread_rwlock_unlock(&p->book->lock);
    anchors[count++] = (struct og_money){ 1, 2 };
    anchors[count++] = (struct og_money){ 999999, 2 };
    return count;
}

/* Set *price to the price on the other side of the market, at which a limit order fills at once: the ask for a buy, the
 * bid for a sell, even of an unusable quote.  Returns false if that price is not known, and for stop limits and
 * spreads, whose limits are not compared with the quote of the symbol. */
static bool market_of(const struct probe *p, struct og_money *price)
{
    const bool buys = p->order->side == OG_BUY;
    struct og_case c;
    bool known;

    if (p->order->type != OG_LIMIT || p->order->security == OG_MLEG || p->order->side == OG_SIDE_NONE)
        return false;
    pthread_rwlock_rdlock(&p->book->lock);
    og_book_case(p->book, p->order, p->now, p->scratch, &c);
    known = c.raw_quote && (buys ? c.raw_quote->has_ask : c.raw_quote->has_bid);
    if (known)
        *price = buys ? c.raw_quote->ask : c.raw_quote->bid;
    known = known && price->coef > 0;
    pthread_rwlock_unlock(&p->book->lock);
    return known;
}

/* Returns true if two prices are less than a tick apart. */
static bool within_tick(struct og_money a, struct og_money b, int64_t per_dollar)
{
    struct og_money apart;

    if (!og_money_sub(a, b, &apart) || (apart.coef < 0 && !og_money_sub(b, a, &apart)))
        return false;
    return og_money_cmp(apart, from_grid(1, per_dollar)) < 0;
}

static bool is_on_tick(struct og_money price, int64_t per_dollar)
{
    int64_t n;

    return on_grid(price, per_dollar, &n) && og_money_cmp(price, from_grid(n, per_dollar)) == 0;
}

/* Choose between the passing price that is nearest to the given one and the market's price; *price is set to the
 * choice.  The nearest price is chosen if it only rounds the given one to a tick, or if it is a limit that is more
 * careful than both the given one and the market: a lower buy, or a higher sell.  Otherwise the given price is probably
 * mistyped, and the nearest one is the edge of what the policy allows.  Then a limit may be the market's price, and
 * nothing is suggested for a stop. */
static bool price_of(const struct probe *p, struct trial *t, enum og_key key, struct og_money given,
                     struct og_money nearest, int64_t per_dollar, struct og_money *price)
{
    const bool buys = p->order->side == OG_BUY;
    struct og_money market;

    *price = nearest;
    if (within_tick(given, nearest, per_dollar))
        return passes_with(p, t, key, nearest);
    if (key != OG_KEY_LIMIT_PRICE || !market_of(p, &market))
        return false;
    if (buys ? og_money_cmp(nearest, given) > 0 || og_money_cmp(nearest, market) > 0
             : og_money_cmp(nearest, given) < 0 || og_money_cmp(nearest, market) < 0)
        *price = market;
    return is_on_tick(*price, per_dollar) && passes_with(p, t, key, *price);
}

static bool suggest_price(const struct probe *p, enum og_key key, struct og_suggestion *s)
{
    static const int64_t cents[] = { 100, 20, 10, 10000, 0 }, /* ticks to a dollar, the most common first; 0 ends the
                                                               * list */
        small[] = { 10000, 100, 0 },                          /* for shares below a dollar, whose ticks are finer */
        contracts[] = { 20, 10, 100, 0 };                     /* for contracts, most of which trade in nickels */
    struct og_money given = key == OG_KEY_LIMIT_PRICE ? p->order->limit : p->order->stop;
    struct og_money anchors[ANCHORS];
    struct trial t = { .order = *p->order };
    struct best best = { .any = false };
    size_t count = anchors_of(p, anchors);
    const int64_t *tick = p->order->security == OG_OPTION             ? contracts
                          : p->order->security == OG_MLEG             ? cents
                          : og_money_cmp(given, og_money_from(1)) < 0 ? small
                                                                      : cents;

    if (p->order->field[key].status != OG_VALID)
        return false;
    for (;; tick++) {
        if (!*tick)
            return false;
        for (size_t i = 0; i < count; i++)
            towards(p, &t, key, given, anchors[i], *tick, &best);
        if (best.any)
            break;
    }
    if (!price_of(p, &t, key, given, best.price, *tick, &s->price))
        return false;
    s->what = key == OG_KEY_LIMIT_PRICE ? OG_SUGGEST_LIMIT : OG_SUGGEST_STOP;
    return true;
}

/* --- time --------------------------------------------------------------------------------------------------------- */

#define SECOND     OG_NS_PER_S
#define DAYS_AHEAD 10

/* Returns true if the order passes at `at`, and that day is today or has a session: on a later day without a session
 * the policy may only warn, but the broker may reject the order. */
static bool passes_then(const struct probe *p, int64_t at)
{
    struct og_eastern now;
    struct og_case c;
    bool waits;

    og_eastern_from(p->now, &now);
    pthread_rwlock_rdlock(&p->book->lock);
    og_book_case(p->book, p->order, at, p->scratch, &c);
    waits = c.today.kind == OG_DAY_CLOSED && c.eastern.date != now.date;
    pthread_rwlock_unlock(&p->book->lock);
    return !waits && passes_at(p, p->order, at);
}

/* Returns the earliest whole second after `fails`, and at latest `passes`, at which the order passes; found by
 * bisection. */
static int64_t earliest(const struct probe *p, int64_t fails, int64_t passes)
{
    while (passes - fails > SECOND) {
        int64_t middle = fails + (passes - fails) / 2 / SECOND * SECOND;

        if (passes_then(p, middle))
            passes = middle;
        else
            fails = middle;
    }
    return passes;
}

/* Seconds after midnight in New York at or just after which the result of the rules may change: extended hours, the
 * open, the early and the regular close. */
static const int64_t boundaries[] = { 0,         4 * 3600,      9 * 3600 + 1800, 9 * 3600 + 2100,
                                      13 * 3600, 16 * 3600 + 1, 20 * 3600 + 1 };

static bool suggest_time(const struct probe *p, struct og_suggestion *s)
{
    static const int64_t soon[] = { 1, 2, 5, 10, 30, 60, 300, 3600 };
    int64_t second = p->now - p->now % SECOND, before = second, at;
    struct og_eastern e;

    for (size_t i = 0; i < sizeof soon / sizeof soon[0]; i++, before = at) {
        at = second + soon[i] * SECOND;
        if (passes_then(p, at))
            goto found;
    }
    for (int day = 0; day <= DAYS_AHEAD; day++) {
        int64_t noon = second + day * 24 * 3600 * SECOND;

        og_eastern_from(noon, &e);
        for (size_t i = 0; i < sizeof boundaries / sizeof boundaries[0]; i++) {
            at = og_eastern_instant(e.year, e.month, e.day, boundaries[i] * SECOND);
            if (at <= before)
                continue;
            if (passes_then(p, at))
                goto found;
            before = at;
        }
    }
    return false;
found:
    s->what = OG_SUGGEST_AT;
    s->at = earliest(p, before, at);
    return true;
}

void og_suggest(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *scratch,
                struct og_suggestion *s)
{
    struct probe p = { .book = b, .scratch = scratch, .order = o, .now = og_time_within(now) };
    struct og_decision d;

    if (!b || !o || !scratch || !s)
        return;
    *s = (struct og_suggestion){ .what = OG_SUGGEST_NONE };
    if (o->fault || o->op != OG_OP_ORDER)
        return;
    og_check(b, o, p.now, scratch, &d);
    if (d.accepted)
        return;
    note_refusals(&p, &d);
    scratch->common.holds_ages = true;
    scratch->common.ages_at = p.now;
    if (is_again(&d))
        (void)suggest_time(&p, s);
    else
        (void)(suggest_replaces(&p, s) || suggest_quantity(&p, s) || suggest_price(&p, OG_KEY_LIMIT_PRICE, s) ||
               suggest_price(&p, OG_KEY_STOP_PRICE, s) || suggest_time(&p, s));
    scratch->common.holds_ages = false;
}
