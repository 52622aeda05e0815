/*
 * What the orders of reservations traded, and may still trade: an accepted order counts at the most that it can trade
 * for, and when it ends only what it traded stays, at the price at which it filled.
 */
#include "base/money.h"
#include "check/book.h"

int64_t og_book_open(const struct og_reservation *r, int64_t quantity)
{
    return !r->progress ? quantity : r->progress->over ? 0 : quantity - r->progress->executed;
}

struct og_traded og_book_trades(const struct og_reservation *r, const struct og_order *o)
{
    /* for another run's order that had no quote when it was valued, a later quote may have set `value`; for an order of
     * one symbol, `value` is also what it trades for */
    const bool by_value = r->may_trade < 0 && r->value > 0 && o->security != OG_MLEG;

    return og_facts_trades_of(o, r->open, by_value ? r->value : r->may_trade);
}

void og_book_retrade(struct og_book *b, struct og_reservation *r, const struct og_order *o)
{
    const struct og_traded was = og_book_trades(r, o);
    struct og_traded now;

    if (r->open == og_book_open(r, o->quantity))
        return;
    r->open = og_book_open(r, o->quantity);
    now = og_book_trades(r, o);
    og_facts_retrade(b->account[r->account], o, &was, &now);
}

static struct og_traded traded_of(const struct og_order *o, int64_t may_trade, int64_t executed, struct og_money price)
{
    struct og_traded t = og_facts_trades_of(o, executed, may_trade);
    const int64_t cents =
        price.coef > 0 ? og_cents_of(og_money_from(executed), price, o->security != OG_STOCK) : INT64_C(-1);

    if (cents >= 0) {
        t.cents = cents;
        t.unpriced = 0;
    }
    return t;
}

struct og_traded og_book_traded(const struct og_reservation *r, const struct og_order *o, int64_t executed,
                                struct og_money price)
{
    return traded_of(o, r->may_trade, executed, price);
}

enum og_status og_book_trade_before(struct og_book *b, const struct og_case *c, int64_t executed, struct og_money price)
{
    struct og_traded counted = { .cents = 0 };
    struct og_traded_fills fills = { .id = c->order->client_id, .symbol = c->order->symbol, .no_id = &counted };

    if (executed == 0)
        return OG_OK;
    fills.all = traded_of(c->order, og_book_may_trade(c), executed, price);
    fills.at = c->now;
    return og_facts_count_fills(b->account[og_book_at(b, c->facts)], &fills);
}

enum og_status og_book_trade_rest(struct og_book *b, struct og_reservation *r, const struct og_order *o)
{
    struct og_traded_fills fills = { .id = o->client_id, .symbol = o->symbol };

    if (!r->progress || r->progress->over || r->progress->vanished == OG_TIME_UNKNOWN)
        return OG_OK;
    fills.all = og_facts_trades_of(o, o->quantity, r->may_trade);
    fills.at = r->progress->vanished;
    fills.no_id = &r->progress->traded;
    return og_facts_count_fills(b->account[r->account], &fills);
}

enum og_status og_book_trade_again(struct og_book *b, const struct og_reservation *r, const struct og_order *o)
{
    const struct og_progress *p = r->progress;
    struct og_traded counted = { .cents = 0 };
    struct og_traded_fills fills = { .id = o->client_id, .symbol = o->symbol, .no_id = &counted };

    if (!p)
        return OG_OK;
    fills.all = p->traded;
    fills.at = p->marks ? p->mark[p->marks - 1].at : OG_TIME_UNKNOWN;
    return og_facts_count_fills(b->account[r->account], &fills);
}

enum og_status og_book_trade_rows(struct og_book *b, size_t account)
{
    struct og_facts *f = b->account[account];
    int64_t as_of;

    if (og_facts_taken(f, OG_FACT_ORDERS) != og_facts_takes(f) || !og_facts_known(f, OG_FACT_ORDERS, &as_of))
        return OG_OK;
    return og_facts_count_rows(f, og_book_told_by(b, as_of));
}
