/*
 * An order's value as the engine itself needs it: the slippage for a case, and the dollars that an accepted order adds
 * to limits.  The calculation is in margin/notional.h.
 */
#include "rules/worth.h"

#include <stdlib.h>

#include "base/attributes.h"
#include "check/book.h"
#include "rules/limit.h"

int32_t og_book_slippage(const struct og_book *b, const struct og_case *c, struct og_scratch *s)
{
    const struct og_policy_rule *rule = &b->policy->rules[OG_ENGINE_WORTH];
    int32_t most = 0;

    for (size_t i = 0; i <= rule->override_count;) {
        const struct og_worth_settings *found = og_check_next_setting(rule, c, s->room, &i, NULL)->settings;

        most = found && found->slippage > most ? found->slippage : most;
    }
    return most;
}

static int64_t value_of(enum og_worth worth, int64_t cents)
{
    if (cents == INT64_MAX) /* the amount is larger than an int64_t can hold */
        return OG_AT_LEAST(0);
    return worth == OG_WORTH_KNOWN ? cents : OG_AT_LEAST(cents);
}

static int64_t worth_of(enum og_worth worth, int64_t cents)
{
    if (cents > INT64_MAX / 8) /* larger than any limit, but small enough that sums of it cannot overflow */
        cents = INT64_MAX / 8;
    return worth == OG_WORTH_KNOWN ? cents : OG_AT_LEAST(worth == OG_WORTH_NEEDS_QUOTE ? cents : 0);
}

static OG_NOINLINE int64_t spread_value(const struct og_case *c, int64_t *sold)
{
    struct og_exposure e = { .gross_is = OG_WORTH_KNOWN };

    if (!og_case_reduces(c))
        og_case_spread(c, &e);
    *sold = e.gross == INT64_MAX ? 0 : e.shorts;
    return value_of(e.gross_is, e.gross);
}

/* Returns true if the order is worth the same whether it closes or opens: it is of stock, and a quote has the side at
 * which it trades. (A position gives a price where no quote does; options that are written may lose more.) */
static bool is_worth_either(const struct og_case *c)
{
    const struct og_quote *q = og_has(c, OG_FACT_QUOTE) ? c->quote : NULL;

    return c->order->security == OG_STOCK && q && (c->order->side == OG_BUY ? q->has_ask : q->has_bid);
}

OG_NOINLINE int64_t og_book_may_trade(const struct og_case *c)
{
    int64_t cents = 0;
    const enum og_worth worth = og_case_traded(c, &cents);

    return worth_of(worth, cents);
}

/* A function of its own, since it is seldom needed. */
static OG_NOINLINE int64_t closing_value(const struct og_case *c)
{
    int64_t cents;
    const enum og_worth worth = og_case_cents_opening(c, &cents);

    return value_of(worth, cents);
}

OG_HOT int64_t og_book_amounts(const struct og_case *c, int64_t *value, int64_t *sold)
{
    int64_t cents = 0;
    enum og_worth worth;

    *sold = 0;
    if (c->order->security == OG_MLEG) {
        *value = spread_value(c, sold);
        return og_book_may_trade(c);
    }
    worth = og_case_cents(c, &cents);
    /* an order that does not reduce opens for what it is worth */
    *value = og_case_reduces(c) && !is_worth_either(c) ? closing_value(c) : value_of(worth, cents);
    return worth_of(worth, cents);
}

bool og_book_closes(const struct og_case *c, int64_t cents[OG_LEGS_KEPT])
{
    const struct og_market m = og_case_market(c);
    struct og_money opening;

    if (!og_closing_legs_worth(c->order, &m, cents))
        return false;
    for (int i = 0; i < og_order_trades(c->order); i++)
        if (!og_case_opening(c, i, &opening) || opening.coef)
            cents[i] = 0;
    return true;
}

/* --- orders of other runs ----------------------------------------------------------------------------------------- */

static int64_t *closes_of(struct og_reservation *r)
{
    return r->closes_at ? (int64_t *)(void *)(r->kept + r->closes_at) : NULL;
}

/* Returns true if only a lower bound of the order's worth is known. */
static bool is_unvalued(struct og_reservation *r)
{
    const int64_t *closes = closes_of(r);
    bool unvalued = r->value < 0;

    for (int i = 0; closes && i < OG_LEGS_KEPT; i++)
        unvalued = unvalued || closes[i] < 0;
    return unvalued;
}

/* Set the value of an order of one symbol by the newest quote, whatever its age. */
static void value_single(const struct og_facts *f, struct og_reservation *r, const struct og_order *o)
{
    const struct og_quote *q = og_facts_quote(f, o->symbol);
    const int64_t least = OG_AT_LEAST(r->value);
    int64_t cents;

    if (!q || q->as_of == OG_TIME_UNKNOWN || !(o->side == OG_BUY ? q->has_ask : q->has_bid))
        return;
    cents = og_cents_of(og_money_from(o->quantity), og_quote_most(q), o->security == OG_OPTION);
    if (cents >= 0)
        r->value = cents > least ? cents : least;
}

/* Set the value of a spread (the book's unpacked order) and of its closing legs, as when it is accepted, but by the
 * newest quotes, whatever their age.  If memory runs out, the lower bounds stay. */
static void value_spread(struct og_book *b, struct og_reservation *r, const struct og_order *o)
{
    static const int64_t any_age[OG_FACT_KINDS] = { [0 ... OG_FACT_KINDS - 1] = INT64_MAX };
    struct og_scratch *s = og_scratch_new();
    const int64_t least = r->value < 0 ? OG_AT_LEAST(r->value) : r->value;
    int64_t closes[OG_LEGS_KEPT], sold, value;
    struct og_case c;

    if (!s)
        return;
    og_book_case(b, o, r->at, s, &c);
    c.facts_at = INT64_MAX; /* the quotes may be newer than the order */
    c.max_age = any_age;
    c.reduces = !og_order_may_open(o) && og_case_closes(&c);
    value = spread_value(&c, &sold);
    if ((value < 0 ? OG_AT_LEAST(value) : value) > least || (r->value < 0 && value >= 0)) {
        r->value = value >= 0 && value < least ? least : value;
        r->sold = sold;
    }
    if (r->closes_at && og_book_closes(&c, closes))
        memcpy(closes_of(r), closes, sizeof closes);
    og_scratch_free(s);
}

void og_book_value_other(struct og_book *b, struct og_reservation *r, const struct og_order *o)
{
    if (r->made != 0 || !is_unvalued(r))
        return;
    if (o->security == OG_MLEG)
        value_spread(b, r, o);
    else if (o->security != OG_SECURITY_NONE)
        value_single(b->account[r->account], r, o);
    if (is_unvalued(r))
        b->unvalued = b->tickets;
}

/* Set the value of a reservation that the sums include. */
static void revalue(struct og_book *b, struct og_reservation *r)
{
    struct og_facts *f = b->account[r->account];
    const struct og_order *o = og_book_order(b, r);
    struct og_effect e;

    if (!o)
        return;
    e = og_book_effect(r, o);
    og_facts_remove(f, &e);
    og_book_value_other(b, r, o);
    e = og_book_effect(r, o);
    if (og_facts_add(f, &e) == OG_OK)
        return;
    r->value = OG_AT_LEAST(0); /* og_money cannot represent a sum with this value exactly: count the order's sizes
                                * alone, as before */
    r->sold = 0;
    e = og_book_effect(r, o);
    (void)og_facts_add(f, &e);
}

void og_book_value_new(struct og_book *b, og_ticket ticket)
{
    struct og_reservation *r = b->ticket[ticket - 1];

    if (r && r->made == 0 && is_unvalued(r))
        revalue(b, r); /* sets b->unvalued if the value stays unknown */
}

void og_book_value_others(struct og_book *b)
{
    const og_ticket end = b->unvalued;
    og_ticket last = 0;

    for (og_ticket t = 1; t <= end; t++) {
        struct og_reservation *r = b->ticket[t - 1];

        if (!r || r->made != 0 || !is_unvalued(r))
            continue;
        revalue(b, r);
        last = is_unvalued(r) ? t : last;
    }
    b->unvalued = last;
}
