/*
 * Expiry of options. The service's document says nothing about expiry, so the following is an assumption. At the
 * regular close of its expiry date (or of the next session, if there is none that day) a contract's value is its
 * intrinsic value at the last price of its root. A contract that is out of the money, or whose root has no quote, is
 * closed at 0. A contract that is in the money is closed at its value, and 100 shares per contract are bought or sold
 * at the root's last price, which together amounts to paying the strike; with the switch `expiry: cash` no shares are
 * moved. There are no charges, nothing counts as a trade, and the fill history gets no row.
 */
#include "paper/expiry.h"

#include "base/time.h"
#include "paper/paper.h"

#define SHARES 100

static bool has_expired(const struct og_paper_symbol *symbol, int today)
{
    return symbol && symbol->option && symbol->contract.date <= today;
}

static void expire_orders(struct og_paper_account *account, int today)
{
    struct og_paper_order *o, *next;
    bool ends;
    int i;

    for (o = account->working; o; o = next) {
        next = o->next_working;
        ends = has_expired(o->symbol, today);
        for (i = 0; i < o->ticket.legs; i++)
            ends = ends || has_expired(o->leg[i].symbol, today);
        if (ends)
            og_paper_order_end(o, OG_ST_EXPIRED, NULL);
    }
}

static int64_t intrinsic_value(struct og_paper *p, const struct og_paper_symbol *symbol, int64_t *last)
{
    struct og_paper_quote quote;
    int64_t inside;

    if (!og_paper_market_quote(&p->market, symbol->root, &quote))
        return 0;
    *last = quote.last;
    inside = symbol->contract.call ? quote.last - symbol->contract.strike : symbol->contract.strike - quote.last;
    return inside > 0 ? inside : 0;
}

/* Apply a fill that does not count as a trade. */
static void apply_fill(struct og_paper *p, struct og_paper_account *account, struct og_paper_fill fill)
{
    enum og_paper_figure counter = fill.symbol->option ? OG_FIG_DAY_CONTRACTS : OG_FIG_DAY_SHARES;

    if (fill.shares <= 0)
        return;
    og_paper_account_fill(p, account, &fill);
    account->figure[counter] = og_dec_add(account->figure[counter], -fill.shares);
}

static void deliver(struct og_paper *p, struct og_paper_account *account, struct og_paper_symbol *root, bool buy,
                    int64_t shares, int64_t price)
{
    int64_t held = og_paper_account_held(account, root, !buy), closed = held < shares ? held : shares;

    apply_fill(p, account, (struct og_paper_fill){ root, buy, false, closed, price, 0, 0, 0 });
    shares -= closed;
    apply_fill(p, account, (struct og_paper_fill){ root, buy, true, shares, price, og_dec_times(shares, price), 0, 0 });
}

static void expire_lot(struct og_paper *p, struct og_paper_account *account, const struct og_paper_lot *lot)
{
    struct og_paper_symbol *symbol = lot->symbol;
    bool is_long = lot->is_long;
    int64_t contracts = lot->shares, last = 0, value = intrinsic_value(p, symbol, &last);

    apply_fill(p, account, (struct og_paper_fill){ symbol, !is_long, false, contracts, value, 0, 0, 0 });
    if (value > 0 && !p->switches.cash_expiry)
        deliver(p, account, symbol->root, symbol->contract.call == is_long, og_dec_scale(contracts, SHARES), last);
}

/* Close long lots first: the shares that they deliver may cover what short lots must deliver. */
static void expire_lots(struct og_paper *p, struct og_paper_account *account, int today, bool is_long)
{
    const struct og_paper_lot *lot;

    do {
        for (lot = account->lots; lot && !(lot->is_long == is_long && has_expired(lot->symbol, today)); lot = lot->next)
            ;
        if (lot)
            expire_lot(p, account, lot);
    } while (lot);
}

void og_paper_expiry_run(struct og_paper *p)
{
    struct og_paper_account *account;
    struct og_eastern e;

    og_eastern_from(p->session_at, &e);
    for (account = p->accounts; account; account = account->next) {
        expire_orders(account, e.date);
        expire_lots(p, account, e.date, true);
        expire_lots(p, account, e.date, false);
    }
}
