/*
 * Profit and loss: a row for each lot, and totals that are the sums of the rows as they are written. A lot without a
 * quote has no row on a paper account; on a live account it is valued at its cost.
 */
#include "paper/pnl.h"

#include <stdio.h>

#include "paper/paper.h"

static int64_t cents(int64_t a)
{
    return og_dec_round(a, OG_DEC_CENT);
}

struct sums {
    int64_t unrealized, day_unrealized, day_realized, stock, option;
};

/* Set *row to the P&L row of a lot, and add it to the sums. Returns false if the lot is not shown: the scenario's delay
 * of P&L is not over, or the lot holds options in a paper account and they have no quote. */
static bool row_of(struct og_paper *p, const struct og_paper_account *account, const struct og_paper_lot *lot, char *id,
                   size_t size, struct og_lot_info *row, struct sums *sums)
{
    struct og_paper_quote quote;
    int64_t multiplier = lot->symbol->option ? 100 : 1, exposure, basis, gain, day, *side;

    if (p->delays.pnl && og_paper_clock_now(&p->clock) < lot->updated + p->delays.pnl)
        return false;
    if (lot->shares && lot->symbol->option && account->paper && !og_paper_market_quote(&p->market, lot->symbol, &quote))
        return false;
    exposure = cents(og_dec_scale(og_dec_times(lot->shares, og_paper_lot_mark(p, lot)), multiplier));
    basis = og_dec_scale(lot->cost, multiplier);
    gain = cents(lot->is_long ? og_dec_add(exposure, -basis) : og_dec_add(basis, -exposure));
    day = cents(og_dec_scale(og_dec_times(lot->shares, og_paper_lot_mark(p, lot) - lot->mark), multiplier));
    day = !lot->overnight ? gain : lot->is_long ? day : -day;
    snprintf(id, size, "%lld", (long long)lot->id);
    *row = (struct og_lot_info){
        .position_id = id,
        .symbol = lot->symbol->name.s,
        .exposure = og_dec_money(exposure),
        .realized = og_dec_money(cents(lot->realized)),
        .unrealized = og_dec_money(gain),
        .day_realized = og_dec_money(cents(lot->day_realized)),
        .day_unrealized = og_dec_money(day),
        .pct = og_dec_money(cents(og_dec_scale(og_dec_divide(gain, basis), 100))),
        .day_pct = og_dec_money(cents(og_dec_scale(og_dec_divide(day, basis), 100))),
    };
    side = lot->symbol->option ? &sums->option : &sums->stock;
    sums->unrealized = og_dec_add(sums->unrealized, gain);
    sums->day_unrealized = og_dec_add(sums->day_unrealized, day);
    sums->day_realized = og_dec_add(sums->day_realized, cents(lot->day_realized));
    *side = og_dec_add(*side, exposure);
    return true;
}

static void write_row(struct og_paper *p, const struct og_paper_account *account, const struct og_paper_lot *lot,
                      struct og_buf *b, enum og_paper_pnl_form form, struct sums *sums)
{
    struct og_lot_info row;
    char id[24];

    if (!row_of(p, account, lot, id, sizeof id, &row, sums))
        return;
    if (form == OG_PNL_STREAM)
        og_lot_push_write(b, &row);
    else
        og_document_write(b, OG_DOCUMENT_LOT, &row);
}

static void write_totals(struct og_paper *p, const struct og_paper_account *account, const struct sums *s,
                         struct og_buf *b)
{
    int64_t equity = og_paper_account_equity(p, account), exposure = s->stock;
    struct og_pnl_detail t = {
        .account_value = og_dec_money(cents(equity)),
        .allowed_leverage = og_dec_money(account->figure[OG_FIG_LEVERAGE]),
        .available_cash = og_dec_money(account->figure[OG_FIG_CASH]),
        .day_pnl = og_dec_money(og_dec_add(s->day_realized, s->day_unrealized)),
        .day_realized = og_dec_money(s->day_realized),
        .day_unrealized = og_dec_money(s->day_unrealized),
        .equity_ratio = og_dec_money(og_paper_account_coverage(exposure, equity)),
        .exposure = og_dec_money(exposure),
        .option_cash_used = og_dec_money(s->option),
        .shares_traded = og_dec_money(account->figure[OG_FIG_DAY_SHARES]),
        .total_unrealized = og_dec_money(s->unrealized),
        .used_leverage = og_dec_money(og_paper_account_leverage(exposure, equity)),
    };

    og_document_members(b, OG_DOCUMENT_PNL, &t);
}

void og_paper_pnl_write(struct og_paper *p, const struct og_paper_account *account, struct og_buf *b,
                        enum og_paper_pnl_form form)
{
    struct sums sums = { .unrealized = 0 };
    const struct og_paper_lot *lot;

    og_buf_char(b, '{');
    og_member_key(b, form == OG_PNL_STREAM ? "positions" : "pnl");
    og_buf_char(b, '[');
    for (lot = account->lots; lot; lot = lot->next)
        write_row(p, account, lot, b, form, &sums);
    for (lot = account->closed_lots; lot; lot = lot->next)
        write_row(p, account, lot, b, form, &sums);
    og_buf_char(b, ']');
    write_totals(p, account, &sums, b);
    og_buf_char(b, '}');
}

bool og_paper_pnl_lot_write(struct og_paper *p, const struct og_paper_account *account, const struct og_paper_lot *lot,
                            struct og_buf *b)
{
    struct sums sums = { .unrealized = 0 };
    size_t before = b->len;

    write_row(p, account, lot, b, OG_PNL_STREAM, &sums);
    return b->len > before;
}

void og_paper_pnl_totals_write(struct og_paper *p, const struct og_paper_account *account, struct og_buf *b)
{
    struct sums sums = { .unrealized = 0 };
    const struct og_paper_lot *lot;
    struct og_lot_info row;
    char id[24];

    for (lot = account->lots; lot; lot = lot->next)
        row_of(p, account, lot, id, sizeof id, &row, &sums);
    for (lot = account->closed_lots; lot; lot = lot->next)
        row_of(p, account, lot, id, sizeof id, &row, &sums);
    og_buf_char(b, '{');
    write_totals(p, account, &sums, b);
    og_buf_char(b, '}');
}
