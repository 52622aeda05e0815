/*
 * Tracks what the broker reported about an order with a ticket (reservation), and how much of it the loaded documents
 * show.
 *
 * A document says when its request began (its age).  Its content dates from some time between that beginning and its
 * loading, and the broker's figures may lack a fill for at most the settle lag.  So a document shows
 *   nothing of a fill  if the document was loaded before the order was made;
 *   all of a fill      if the document's request began no earlier than the fill plus the lag;
 *   some or all of it, nobody knows how much, in all other cases.  Until a later document shows it, the fill counts as
 *   an order that still works: it takes room under every limit, and the position that it opened cannot be closed yet.
 * Buying power (bp) is net of resting orders, and lags fills.  A bp whose request began no earlier than the order's ack
 * plus the lag is net of what rested then.  A fill that happened before that bp was loaded, or within the lag after its
 * request began, may have left what rests without being paid for yet: it counts until a bp certainly includes it.
 */
#include <stdlib.h>

#include "base/money.h"
#include "check/book.h"

struct og_progress *og_book_progress(struct og_reservation *r, int64_t quantity)
{
    if (!r->progress && (r->progress = malloc(sizeof *r->progress)))
        *r->progress =
            (struct og_progress){ .quantity = quantity, .acked = OG_TIME_UNKNOWN, .vanished = OG_TIME_UNKNOWN };
    return r->progress;
}

/* Returns true if a document whose request began at as_of certainly shows what happened at `at`: the lag had passed by
 * then. */
static bool has(int64_t as_of, int64_t at, int64_t lag)
{
    int64_t settled;

    return as_of != OG_TIME_UNKNOWN && at != OG_TIME_UNKNOWN && !__builtin_add_overflow(at, lag, &settled) &&
           settled <= as_of;
}

/* Returns the newest mark whose fills a document of age as_of certainly shows; NULL if there is none. */
static const struct og_fill_mark *mark_of(const struct og_progress *p, int64_t as_of, int64_t lag)
{
    for (int i = p->marks; i-- > 0;)
        if (has(as_of, p->mark[i].at, lag))
            return &p->mark[i];
    return NULL;
}

/* Of the marks whose fills a document of age as_of may no longer show as resting, returns the newest; NULL if there is
 * none. Such fills may have happened before the document's request began, or within the lag after that. */
static const struct og_fill_mark *mark_near(const struct og_progress *p, int64_t as_of, int64_t lag)
{
    int64_t until;

    for (int i = p->marks; i-- > 0;)
        if (__builtin_add_overflow(as_of, lag, &until) || p->mark[i].from < until)
            return &p->mark[i];
    return NULL;
}

/* Returns true if facts of this kind cannot show the order, because no document with such facts was loaded since it was
 * reserved. */
static bool lacks(const struct og_facts *f, const struct og_reservation *r, enum og_fact kind)
{
    return og_facts_taken(f, kind) <= r->made;
}

static int64_t age_of(const struct og_facts *f, const struct og_reservation *r, enum og_fact kind)
{
    int64_t as_of;

    return !lacks(f, r, kind) && og_facts_known(f, kind, &as_of) ? as_of : OG_TIME_UNKNOWN;
}

/* Returns the part of an amount for `all` units that falls to `units` units, rounded up to a hundredth of a cent. */
static struct og_money share(struct og_money m, int64_t units, int64_t all)
{
    og_wide coef = m.coef;
    int scale = m.scale;
    struct og_money part;

    if (units >= all || all > INT64_C(1000000000000000))
        return m;
    for (; scale < 4; scale++)
        coef *= 10;
    coef = (coef * units + all - 1) / all;
    while (coef > INT64_MAX) { /* drop decimals until the part fits; with as many decimals as m it fits, since it is not
                                * larger than m */
        coef = (coef + 9) / 10;
        scale--;
    }
    part = (struct og_money){ (int64_t)coef, scale };
    return og_money_add(part, (struct og_money){ 0, 0 }, &part) ? part : m; /* adding 0 normalizes the number */
}

static struct og_money larger(struct og_money a, struct og_money b)
{
    return og_money_cmp(a, b) < 0 ? b : a;
}

static struct og_money less(struct og_money a, struct og_money b)
{
    struct og_money rest;

    return og_money_sub(a, b, &rest) && rest.coef > 0 ? rest : (struct og_money){ 0, 0 };
}

/* Returns true if the buying power that each fill uses is what was paid for it, as with orders that open stock or
 * bought options. */
static bool is_priced(const struct og_reservation *r, const struct og_order *o, struct og_money price)
{
    return price.coef > 0 && r->cost.coef && o->open_close == OG_OPEN &&
           (o->security == OG_STOCK || (o->security == OG_OPTION && o->side == OG_BUY));
}

/* Set *all to the buying power that `units` filled units use: what was paid for them, and their part of the fees.
 * Returns false if the price is not known. */
static bool paid_for(const struct og_reservation *r, const struct og_order *o, int64_t units, struct og_money price,
                     struct og_money *all)
{
    const int64_t worth = r->value < 0 ? OG_AT_LEAST(r->value) : r->value;
    const struct og_money fees = less(r->cost, (struct og_money){ worth, 2 });

    return is_priced(r, o, price) && og_money_times(price, units * (o->security == OG_OPTION ? 100 : 1), all) &&
           og_money_add(*all, share(fees, units, o->quantity), all);
}

/* Returns the buying power that all fills use; never less than before.  Units without a price use their part of the
 * reserved amount. So do all later units, because the average price does not show what was paid for which unit. */
static struct og_money spent_of(struct og_progress *p, const struct og_reservation *r, const struct og_order *o,
                                int64_t executed, struct og_money price)
{
    struct og_money paid, by_share;
    const bool priced = paid_for(r, o, executed, price, &paid);

    if (priced && !p->unpriced)
        return larger(p->spent, paid);
    p->unpriced = true;
    if (!og_money_add(p->spent, share(r->cost, executed - p->executed, o->quantity), &by_share))
        by_share = larger(p->spent, r->cost);
    return priced ? larger(by_share, paid) : by_share;
}

/* Returns the value in cents of what these units open, or OG_AT_LEAST(); 0 if the order only reduces. */
static int64_t worth_of(const struct og_reservation *r, const struct og_order *o, int64_t units, struct og_money price)
{
    const bool by_price = o->security == OG_STOCK || (o->security == OG_OPTION && o->side == OG_BUY);

    if (price.coef > 0 && r->value > 0 && by_price)
        return og_cents_of(og_money_from(units), price, o->security != OG_STOCK);
    return og_facts_part_worth(r->value, units, o->quantity);
}

static int64_t larger_worth(int64_t a, int64_t b)
{
    const int64_t x = a < 0 ? OG_AT_LEAST(a) : a, y = b < 0 ? OG_AT_LEAST(b) : b, most = x > y ? x : y;

    return a < 0 || b < 0 ? OG_AT_LEAST(most) : most;
}

/* Record that a fill happened earlier than its first report said. */
static void heard_again(struct og_progress *p, int64_t executed, int64_t at)
{
    for (int i = 0; p && i < p->marks; i++)
        if (p->mark[i].executed == executed && at != OG_TIME_UNKNOWN &&
            (p->mark[i].at == OG_TIME_UNKNOWN || at < p->mark[i].at))
            p->mark[i].at = at;
}

/* Drop a mark to make room: the oldest, but not one that the loaded positions or the loaded account still need. Its
 * fills then count with the next mark, whose `from` becomes the earlier of the two times. *from: the `from` of the mark
 * that the caller will append. */
static void make_room(const struct og_book *b, const struct og_reservation *r, struct og_progress *p, int64_t *from)
{
    const struct og_facts *f = b->account[r->account];
    const int64_t positions = age_of(f, r, OG_FACT_POSITIONS), account = age_of(f, r, OG_FACT_ACCOUNT);
    const struct og_fill_mark *const needed[] = { mark_of(p, positions, b->settle), mark_of(p, account, b->settle),
                                                  mark_near(p, account, b->settle) };
    int i = 0;

    while (i < p->marks - 1 && (&p->mark[i] == needed[0] || &p->mark[i] == needed[1] || &p->mark[i] == needed[2]))
        i++;
    if (i < p->marks - 1)
        from = &p->mark[i + 1].from;
    if (p->mark[i].from < *from)
        *from = p->mark[i].from;
    memmove(&p->mark[i], &p->mark[i + 1], (size_t)(--p->marks - i) * sizeof *p->mark);
}

enum og_status og_book_heard_fill(const struct og_book *b, struct og_reservation *r, const struct og_order *o,
                                  int64_t executed, struct og_money price, int64_t from, int64_t at)
{
    struct og_progress *p;
    struct og_traded traded, counted;
    int64_t worth;

    if (executed < 0 || executed > o->quantity || price.coef < 0)
        return OG_EINVAL;
    if (executed == 0 || (r->progress && executed <= r->progress->executed)) {
        heard_again(r->progress, executed, at);
        return OG_OK;
    }
    p = og_book_progress(r, o->quantity);
    if (!p)
        return OG_ENOMEM;
    traded = og_book_traded(r, o, executed, price);
    counted = p->traded;
    if (og_facts_count_fills(b->account[r->account],
                             &(struct og_traded_fills){ o->client_id, o->symbol, traded, at, &counted }) != OG_OK)
        return OG_ENOMEM;
    p->traded = traded;
    if (p->marks && at != OG_TIME_UNKNOWN && at < p->mark[p->marks - 1].at)
        at = p->mark[p->marks - 1].at;
    if (p->acked == OG_TIME_UNKNOWN)
        p->acked = at;
    worth = worth_of(r, o, executed, price);
    p->worth = larger_worth(worth, p->worth);
    p->spent = spent_of(p, r, o, executed, price);
    p->executed = executed;
    if (p->marks == OG_FILL_MARKS)
        make_room(b, r, p, &from);
    p->mark[p->marks++] = (struct og_fill_mark){ executed, from, at, p->spent };
    p->over |= executed == p->quantity;
    return OG_OK;
}

/* Returns true if a list that should have the order lacks it, and a document of that age shows the order's end. */
static bool vanished(const struct og_progress *p, int64_t as_of, int64_t lag)
{
    return has(as_of, p->vanished, lag);
}

static int64_t leaves_of(const struct og_progress *p)
{
    return p->over ? 0 : p->quantity - p->executed;
}

struct og_counted og_book_counted(const struct og_book *b, const struct og_reservation *r, int64_t quantity)
{
    const struct og_facts *f = b->account[r->account];
    const struct og_progress *p = r->progress;
    const int64_t positions = age_of(f, r, OG_FACT_POSITIONS), account = age_of(f, r, OG_FACT_ACCOUNT), lag = b->settle;
    const struct og_fill_mark *mark, *near;
    struct og_money spent, rests;
    int64_t leaves, unpaid;

    if (!p)
        return (struct og_counted){ .works = quantity, .rests = quantity, .cost = r->cost };
    leaves = leaves_of(p);
    mark = mark_of(p, account, lag);
    unpaid = p->executed - (mark ? mark->executed : 0);
    rests = leaves && !vanished(p, account, lag) ? share(r->cost, leaves, p->quantity) : (struct og_money){ 0, 0 };
    spent = p->spent;
    /* the order's resting part is already deducted from this bp: later fills of that part use nothing more of it */
    if (has(account, p->acked, lag)) {
        near = mark_near(p, account, lag);
        spent = near ? larger(p->read_spent, near->spent) : p->read_spent;
        rests = (struct og_money){ 0, 0 };
    }
    spent = mark ? less(spent, mark->spent) : spent;
    if (!og_money_add(spent, rests, &spent))
        spent = r->cost;
    if (lacks(f, r, OG_FACT_POSITIONS))
        return (struct og_counted){ leaves, p->executed, leaves, unpaid, spent };
    if (vanished(p, positions, lag))
        leaves = 0;
    mark = mark_of(p, positions, lag);
    return (struct og_counted){ leaves + p->executed - (mark ? mark->executed : 0), 0, leaves, unpaid, spent };
}

struct og_counted og_book_counted_canceled(const struct og_book *b, const struct og_reservation *r, int64_t quantity,
                                           struct og_money cost, struct og_money *back)
{
    const struct og_facts *f = b->account[r->account];
    struct og_progress p = { .quantity = quantity, .acked = OG_TIME_UNKNOWN, .vanished = OG_TIME_UNKNOWN };
    struct og_reservation canceled = *r; /* copied without its packed order, which is not needed here */
    const struct og_fill_mark *mark;

    if (r->progress)
        p = *r->progress;
    p.over = true;
    canceled.progress = &p;
    mark = mark_of(&p, age_of(f, r, OG_FACT_ACCOUNT), b->settle);
    *back = lacks(f, r, OG_FACT_ACCOUNT) ? (struct og_money){ 0, 0 }
                                         : share(cost, quantity - (mark ? mark->executed : 0), quantity);
    return og_book_counted(b, &canceled, quantity);
}

/* Returns true if positions may lack a fill of the order that was reported by the time `by`. */
static bool lacks_a_fill(const struct og_book *b, const struct og_reservation *r, int64_t by)
{
    const struct og_progress *p = r->progress;
    const int64_t positions = age_of(b->account[r->account], r, OG_FACT_POSITIONS);
    bool lacks_it = false;

    for (int i = 0; p && i < p->marks; i++) /* if a list showed a fill, only the latest possible time of the fill is
                                             * known */
        lacks_it |=
            (p->mark[i].from == OG_TIME_UNKNOWN || p->mark[i].from <= by) && !has(positions, p->mark[i].at, b->settle);
    return lacks_it;
}

/* Returns true if the order closes, or may close, what is held; also if it cannot be unpacked. */
static bool may_close(struct og_book *b, const struct og_reservation *r)
{
    const struct og_order *o = og_book_order(b, r);

    for (int i = 0; o && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (og_trade_may_close(&t))
            return true;
    }
    return !o;
}

/* closing: ask only about orders that close, or may close, a position. */
static bool lacks_fills(struct og_book *b, const char *account_id, int64_t by_ns, bool closing)
{
    bool lacks_it;
    struct og_str id;
    int64_t newer;
    size_t at;

    if (!b || !account_id)
        return false;
    pthread_rwlock_wrlock(&b->lock); /* og_book_order() writes into the book */
    at = og_book_find(b, og_str_of(account_id));
    lacks_it = at < b->accounts && og_facts_lacks_fill(b->account[at], &id, &newer);
    for (og_ticket t = 1; at < b->accounts && t <= b->tickets && !lacks_it; t++) {
        const struct og_reservation *r = b->ticket[t - 1];

        lacks_it = r && r->account == at && lacks_a_fill(b, r, by_ns) && (!closing || may_close(b, r));
    }
    pthread_rwlock_unlock(&b->lock);
    return lacks_it;
}

bool og_book_lacks_fills(struct og_book *b, const char *account_id, int64_t by_ns)
{
    return lacks_fills(b, account_id, by_ns, false);
}

bool og_book_lacks_closing_fills(struct og_book *b, const char *account_id, int64_t by_ns)
{
    return lacks_fills(b, account_id, by_ns, true);
}

bool og_book_lacks_other_fills(struct og_book *b, const char *account_id)
{
    struct og_str id;
    int64_t newer;
    bool lacks_it;
    size_t at;

    if (!b || !account_id)
        return false;
    pthread_rwlock_rdlock(&b->lock);
    at = og_book_find(b, og_str_of(account_id));
    lacks_it = at < b->accounts && og_facts_lacks_fill(b->account[at], &id, &newer);
    pthread_rwlock_unlock(&b->lock);
    return lacks_it;
}

bool og_book_once(const struct og_book *b, const struct og_reservation *r, struct og_effect *e)
{
    const struct og_facts *f = b->account[r->account];
    const struct og_progress *p = r->progress;
    const bool may_be_there = r->state == OG_TICKET_SENT ? p && p->acked != OG_TIME_UNKNOWN : r->let_go || !r->made,
               in_account = may_be_there && !r->unknown && !lacks(f, r, OG_FACT_ACCOUNT),
               in_positions = may_be_there && !r->unknown && !lacks(f, r, OG_FACT_POSITIONS);
    const int64_t filled = p && in_positions ? r->works - leaves_of(p) : 0;

    if (filled <= 0 && !(in_account && (r->counted.coef > 0 || r->paid != 0)))
        return false;
    if (in_account) {
        e->bp_cost = og_money_from(0);
        e->paid = 0;
    }
    if (filled > 0)
        e->done += filled;
    return true;
}

bool og_book_is_settled(const struct og_book *b, const struct og_reservation *r)
{
    const struct og_facts *f = b->account[r->account];
    const struct og_progress *p = r->progress;
    const int64_t lag = b->settle;
    int64_t last;

    if (!p || (!p->over && p->vanished == OG_TIME_UNKNOWN))
        return false;
    if (p->over && p->executed == 0)
        return true;
    last = p->over ? p->mark[p->marks - 1].at : p->vanished;
    return has(age_of(f, r, OG_FACT_POSITIONS), last, lag) &&
           (!(r->cost.coef || p->spent.coef || (r->pays && og_facts_account(f))) ||
            has(age_of(f, r, OG_FACT_ACCOUNT), last, lag));
}
