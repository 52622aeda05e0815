/*
 * Accounts: figures, lots, the effect of fills on lots, and the buying power in use. Margin models are not simulated: a
 * lot uses as much buying power as its opening fills required, and releases it in proportion as the lot is closed.
 * Profits and losses change buying power by the account's leverage.
 */
#include "paper/account.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/account_id.h"
#include "paper/db.h"
#include "paper/hub.h"
#include "paper/lifecycle.h"
#include "paper/locate_inventory.h"
#include "paper/paper.h"

#define REPRICE OG_NS_PER_S /* minimum time between two valuations of the lots */

const char *const og_paper_figure_keys[OG_FIG_COUNT] = {
    [OG_FIG_CASH] = "availableCash",
    [OG_FIG_BP] = "bp",
    [OG_FIG_OVERNIGHT_BP] = "overnightBp",
    [OG_FIG_EQUITY] = "equity",
    [OG_FIG_LEVERAGE] = "leverage",
    [OG_FIG_MAINTENANCE_DEFICIT] = "maintenanceDeficit",
    [OG_FIG_MARGIN_DEFICIT] = "marginDeficit",
    [OG_FIG_MARGIN_RATIO] = "marginRatio",
    [OG_FIG_CONTRACTS_TRADED] = "optContractsTraded",
    [OG_FIG_LEVEL] = "optLevel",
    [OG_FIG_OPTION_CASH] = "optionCashTotalBalance",
    [OG_FIG_REALIZED] = "realized",
    [OG_FIG_SHARES_TRADED] = "sharesTraded",
    [OG_FIG_SOD_EQUITY] = "sodEquity",
    [OG_FIG_COMMISSIONS] = "totalCommissions",
    [OG_FIG_LOCATE_COSTS] = "totalLocateCosts",
    [OG_FIG_USED_LEVERAGE] = "usedLeverage",
};

static void free_lots(struct og_paper_lot **lots)
{
    struct og_paper_lot *lot;

    while ((lot = *lots)) {
        *lots = lot->next;
        free(lot);
    }
}

void og_paper_account_lots_clear(struct og_paper_account *account)
{
    free_lots(&account->lots);
}

void og_paper_account_clear(struct og_paper_account *account)
{
    free_lots(&account->lots);
    free_lots(&account->closed_lots);
    og_paper_lifecycle_clear(account);
    og_map_clear(&account->ids);
}

struct og_paper_account *og_paper_account_get(struct og_paper *p, struct og_str id)
{
    struct og_paper_account *a;

    for (a = p->accounts; a; a = a->next)
        if (og_same_account(a->id, id))
            return a;
    return NULL;
}

/* --- computed figures --------------------------------------------------------------------------------------------- */

int64_t og_paper_account_tied(const struct og_paper_account *account)
{
    const struct og_paper_lot *lot;
    int64_t tied = account->reserved;

    for (lot = account->lots; lot; lot = lot->next)
        tied = og_dec_add(tied, lot->tied);
    return tied;
}

int64_t og_paper_account_bp(const struct og_paper_account *account)
{
    return og_dec_add(account->figure[OG_FIG_BP], -og_paper_account_tied(account));
}

static int64_t lot_average(const struct og_paper_lot *lot)
{
    return og_dec_round(og_dec_divide(lot->cost, lot->shares), OG_DEC_TICK);
}

int64_t og_paper_lot_mark(struct og_paper *p, const struct og_paper_lot *lot)
{
    struct og_paper_quote quote;

    return og_paper_market_quote(&p->market, lot->symbol, &quote) ? quote.last : lot_average(lot);
}

static int64_t lot_value(struct og_paper *p, const struct og_paper_lot *lot)
{
    return og_dec_scale(og_dec_times(lot->shares, og_paper_lot_mark(p, lot)), lot->symbol->option ? 100 : 1);
}

static int64_t lots_value(struct og_paper *p, const struct og_paper_account *account)
{
    const struct og_paper_lot *lot;
    int64_t sum = 0;

    for (lot = account->lots; lot; lot = lot->next)
        sum = og_dec_add(sum, lot->is_long ? lot_value(p, lot) : -lot_value(p, lot));
    return sum;
}

int64_t og_paper_account_equity(struct og_paper *p, const struct og_paper_account *account)
{
    if (account->pinned[OG_FIG_EQUITY])
        return account->figure[OG_FIG_EQUITY];
    return og_dec_add(account->figure[OG_FIG_CASH], lots_value(p, account));
}

/* Returns the equity as the account object shows it, which is not updated with every quote. */
static int64_t shown_equity(struct og_paper *p, struct og_paper_account *account)
{
    int64_t now = og_paper_clock_now(&p->clock);

    if (account->pinned[OG_FIG_EQUITY])
        return account->figure[OG_FIG_EQUITY];
    if (!account->priced_at || now - account->priced_at >= REPRICE) {
        account->priced = lots_value(p, account);
        account->priced_at = now;
    }
    return og_dec_add(account->figure[OG_FIG_CASH], account->priced);
}

int64_t og_paper_account_leverage(int64_t exposure, int64_t equity)
{
    return equity > 0 ? og_dec_round(og_dec_divide(exposure, equity), OG_DEC_TICK) : 0;
}

int64_t og_paper_account_coverage(int64_t exposure, int64_t equity)
{
    return exposure > equity ? og_dec_round(og_dec_divide(equity, exposure), OG_DEC_TICK) : OG_DEC_ONE;
}

static int64_t lots_exposure(struct og_paper *p, const struct og_paper_account *account, bool option)
{
    const struct og_paper_lot *lot;
    int64_t sum = 0;

    for (lot = account->lots; lot; lot = lot->next)
        if (lot->symbol->option == option)
            sum = og_dec_add(sum, lot_value(p, lot));
    return sum;
}

int64_t og_paper_account_held(const struct og_paper_account *account, const struct og_paper_symbol *symbol,
                              bool is_long)
{
    const struct og_paper_lot *lot;
    int64_t held = 0;

    for (lot = account->lots; lot; lot = lot->next)
        if (lot->symbol == symbol && lot->is_long == is_long)
            held = og_dec_add(held, lot->shares);
    return held;
}

const struct og_route_info *og_paper_account_route(const struct og_paper_account *account, struct og_str name)
{
    size_t i;

    for (i = 0; i < account->route_count; i++)
        if (og_str_is(name, account->routes[i].name))
            return &account->routes[i];
    return NULL;
}

/* --- fills -------------------------------------------------------------------------------------------------------- */

static void append_lot(struct og_paper_account *account, struct og_paper_lot *lot)
{
    struct og_paper_lot **end = &account->lots;

    while (*end)
        end = &(*end)->next;
    *end = lot;
}

struct og_paper_lot *og_paper_account_lot_add(struct og_paper *p, struct og_paper_account *account,
                                              struct og_paper_symbol *symbol, bool is_long)
{
    struct og_paper_lot *lot = calloc(1, sizeof *lot);

    if (!lot)
        return NULL;
    lot->id = ++p->lots;
    lot->symbol = symbol;
    lot->is_long = is_long;
    lot->created = lot->updated = og_paper_clock_now(&p->clock);
    append_lot(account, lot);
    return lot;
}

/* Put a stored lot back into its list. Lots that were closed in this session are stored in the sequence of their ids,
 * but listed by closing time, the newest first. */
bool og_paper_account_restore_lot(struct og_paper *p, struct og_paper_account *account, void *row)
{
    struct og_paper_lot **at = &account->closed_lots, *lot = row;

    (void)p;
    if (lot->shares) {
        append_lot(account, lot);
        return true;
    }
    while (*at && (*at)->updated > lot->updated)
        at = &(*at)->next;
    lot->next = *at;
    *at = lot;
    return true;
}

static void lot_changed(struct og_paper *p, struct og_paper_account *account, struct og_paper_lot *lot)
{
    lot->updated = og_paper_clock_now(&p->clock);
    account->priced_at = 0;
    og_paper_db_put(p, OG_TABLE_LOTS, lot, account);
    og_paper_hub_position(p, account, lot);
}

void og_paper_account_store_lots(struct og_paper *p, struct og_paper_account *account)
{
    const struct og_paper_lot *lot;

    account->priced_at = 0;
    og_paper_db_forget(p, OG_TABLE_LOTS, account);
    for (lot = account->closed_lots; lot; lot = lot->next)
        og_paper_db_put(p, OG_TABLE_LOTS, lot, account);
    for (lot = account->lots; lot; lot = lot->next)
        og_paper_db_put(p, OG_TABLE_LOTS, lot, account);
}

/* Open a lot, or add to one. A buy is never added to an overnight lot, since today's purchases have their own
 * figures. */
static void open_lot(struct og_paper *p, struct og_paper_account *account, const struct og_paper_fill *fill)
{
    struct og_paper_lot *lot = account->lots;

    while (lot && (lot->symbol != fill->symbol || lot->is_long != fill->buy || lot->overnight))
        lot = lot->next;
    if (!lot && !(lot = og_paper_account_lot_add(p, account, fill->symbol, fill->buy)))
        return;
    if (!lot->shares)
        lot->opened = og_paper_market_opened(&p->market, fill->symbol);
    lot->shares = og_dec_add(lot->shares, fill->shares);
    lot->cost = og_dec_add(lot->cost, og_dec_times(fill->shares, fill->price));
    lot->tied = og_dec_add(lot->tied, fill->tied);
    lot_changed(p, account, lot);
    og_paper_lifecycle_enter(p, account, lot, fill->shares, fill->price, fill->commission + fill->fees);
}

void og_paper_account_gain(struct og_paper_account *account, int64_t gain)
{
    gain = og_dec_times(gain, account->figure[OG_FIG_LEVERAGE]);
    account->figure[OG_FIG_BP] = og_dec_add(account->figure[OG_FIG_BP], gain);
    account->figure[OG_FIG_OVERNIGHT_BP] = og_dec_add(account->figure[OG_FIG_OVERNIGHT_BP], gain);
}

/* Close a part of a lot; its cost and buying power fall in proportion. */
static void reduce_lot(struct og_paper *p, struct og_paper_account *account, struct og_paper_lot *lot, int64_t part,
                       int64_t price)
{
    int64_t cost = og_dec_share(lot->cost, part, lot->shares), gain = og_dec_add(og_dec_times(part, price), -cost);

    gain = og_dec_scale(lot->is_long ? gain : -gain, lot->symbol->option ? 100 : 1);
    lot->tied = og_dec_add(lot->tied, -og_dec_share(lot->tied, part, lot->shares));
    lot->cost -= cost;
    lot->shares -= part;
    lot->closed = price;
    lot->realized = og_dec_add(lot->realized, gain);
    lot->day_realized = og_dec_add(lot->day_realized, gain);
    account->figure[OG_FIG_DAY_REALIZED] = og_dec_add(account->figure[OG_FIG_DAY_REALIZED], gain);
    og_paper_account_gain(account, gain);
    lot_changed(p, account, lot);
}

static void close_lots(struct og_paper *p, struct og_paper_account *account, const struct og_paper_fill *fill)
{
    struct og_paper_lot **at = &account->lots, *lot;
    struct og_paper_fill rest = *fill;
    int64_t part;

    while ((lot = *at) && rest.shares > 0) {
        if (lot->symbol != fill->symbol || lot->is_long == fill->buy) {
            at = &lot->next;
            continue;
        }
        part = lot->shares < rest.shares ? lot->shares : rest.shares;
        rest.shares -= part;
        reduce_lot(p, account, lot, part, fill->price);
        if (lot->shares > 0) {
            at = &lot->next;
            continue;
        }
        *at = lot->next;
        lot->next = account->closed_lots;
        account->closed_lots = lot;
    }
    og_paper_lifecycle_leave(p, account, fill->symbol, !fill->buy, fill->shares - rest.shares, fill->price,
                             fill->commission + fill->fees);
    rest.tied = rest.commission = rest.fees = 0;
    /* more shares were sold than the positions have, because a control call replaced the positions while the order was
     * working: the rest of the fill opens a position on the other side */
    if (rest.shares > 0)
        open_lot(p, account, &rest);
}

static void add_to_figure(struct og_paper_account *account, enum og_paper_figure figure, int64_t more)
{
    account->figure[figure] = og_dec_add(account->figure[figure], more);
}

void og_paper_account_fill(struct og_paper *p, struct og_paper_account *account, const struct og_paper_fill *fill)
{
    int64_t money = og_dec_scale(og_dec_times(fill->shares, fill->price), fill->symbol->option ? 100 : 1);
    int64_t charges = fill->commission + fill->fees;

    add_to_figure(account, OG_FIG_CASH, (fill->buy ? -money : money) - charges);
    add_to_figure(account, OG_FIG_DAY_COMMISSIONS, fill->commission);
    add_to_figure(account, fill->symbol->option ? OG_FIG_DAY_CONTRACTS : OG_FIG_DAY_SHARES, fill->shares);
    og_paper_account_gain(account, -charges);
    account->changed = true;
    if (fill->open)
        open_lot(p, account, fill);
    else
        close_lots(p, account, fill);
    if (!fill->symbol->option && fill->open && !fill->buy)
        og_paper_inventory_short(p, account, fill->symbol, fill->shares / OG_DEC_ONE);
    else if (!fill->symbol->option && !fill->open && fill->buy)
        og_paper_inventory_cover(p, account, fill->symbol, fill->shares / OG_DEC_ONE);
}

void og_paper_account_roll(struct og_paper *p, struct og_paper_account *account)
{
    static const enum og_paper_figure counters[][2] = {
        { OG_FIG_DAY_REALIZED, OG_FIG_REALIZED },          { OG_FIG_DAY_SHARES, OG_FIG_SHARES_TRADED },
        { OG_FIG_DAY_CONTRACTS, OG_FIG_CONTRACTS_TRADED }, { OG_FIG_DAY_COMMISSIONS, OG_FIG_COMMISSIONS },
        { OG_FIG_DAY_LOCATE_COSTS, OG_FIG_LOCATE_COSTS },
    };
    struct og_paper_lot *lot;
    size_t i;

    for (i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        account->figure[counters[i][1]] = account->figure[counters[i][0]];
        account->figure[counters[i][0]] = 0;
    }
    account->figure[OG_FIG_SOD_EQUITY] = og_paper_account_equity(p, account);
    free_lots(&account->closed_lots);
    for (lot = account->lots; lot; lot = lot->next) {
        lot->overnight = true;
        lot->mark = og_paper_lot_mark(p, lot);
        lot->day_realized = 0;
    }
    account->changed = true;
    og_paper_account_store_lots(p, account);
    og_paper_lifecycle_roll(p, account);
}

/* --- documents ---------------------------------------------------------------------------------------------------- */

/* Returns a figure as the account object shows it. Some figures are computed from others unless a control call pinned
 * them. */
static int64_t shown_figure(struct og_paper *p, struct og_paper_account *a, enum og_paper_figure figure)
{
    switch (figure) {
    case OG_FIG_BP:
    case OG_FIG_OVERNIGHT_BP: return og_dec_add(a->figure[figure], -og_paper_account_tied(a));
    case OG_FIG_EQUITY: return shown_equity(p, a);
    case OG_FIG_MARGIN_RATIO:
    case OG_FIG_OPTION_CASH:
    case OG_FIG_USED_LEVERAGE: break;
    default: return a->figure[figure];
    }
    if (a->pinned[figure])
        return a->figure[figure];
    if (figure == OG_FIG_OPTION_CASH)
        return lots_exposure(p, a, true);
    if (figure == OG_FIG_USED_LEVERAGE)
        return og_paper_account_leverage(lots_exposure(p, a, false), og_paper_account_equity(p, a));
    return og_dec_scale(og_paper_account_coverage(lots_exposure(p, a, false), og_paper_account_equity(p, a)), 100);
}

void og_paper_account_write(struct og_paper *p, struct og_paper_account *a, struct og_buf *b, bool listed)
{
    static const enum og_paper_figure figures[] = {
        OG_FIG_CASH,
        OG_FIG_BP,
        OG_FIG_EQUITY,
        OG_FIG_LEVERAGE,
        OG_FIG_MAINTENANCE_DEFICIT,
        OG_FIG_MARGIN_DEFICIT,
        OG_FIG_MARGIN_RATIO,
        OG_FIG_CONTRACTS_TRADED,
        OG_FIG_LEVEL,
        OG_FIG_OPTION_CASH,
        OG_FIG_OVERNIGHT_BP,
        OG_FIG_REALIZED,
        OG_FIG_SHARES_TRADED,
        OG_FIG_SOD_EQUITY,
        OG_FIG_COMMISSIONS,
        OG_FIG_LOCATE_COSTS,
        OG_FIG_USED_LEVERAGE,
    };

    og_member_key(b, NULL);
    og_buf_char(b, '{');
    og_member_str(b, "account", a->id);
    og_member_str(b, "accountStatus", a->status);
    og_member_str(b, "accountType", a->type);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        struct og_money m = og_dec_money(shown_figure(p, a, figures[i]));

        og_member_money(b, listed && figures[i] == OG_FIG_BP ? "buyingPower" : og_paper_figure_keys[figures[i]], m);
        if (figures[i] == OG_FIG_LEVEL)
            og_member_money(b, "optionTradingLevel", m);
    }
    og_buf_char(b, '}');
}

void og_paper_lot_row(const struct og_paper_account *account, const struct og_paper_lot *lot,
                      struct og_paper_lot_room *room, struct og_position_info *row)
{
    const struct og_paper_symbol *s = lot->symbol;
    int64_t margin = account->figure[OG_FIG_LEVERAGE] > OG_DEC_ONE ? lot->tied : 0; /* margin is 0 for a cash account */

    snprintf(room->id, sizeof room->id, "%lld", (long long)lot->id);
    room->created = og_wire_time_utc(lot->created);
    room->updated = og_wire_time_utc(lot->updated);
    *row = (struct og_position_info){
        .account = account->id.s,
        .position_id = room->id,
        .symbol = s->root->name.s,
        .traded_symbol = s->option ? s->name.s : NULL,
        .security_type = s->option ? "Option" : "Stock",
        .side = lot->is_long ? "Long" : "Short",
        .put_call = !s->option         ? "None"
                    : s->contract.call ? "Call"
                                       : "Put",
        .day_overnight = lot->overnight ? "Overnight" : "Day",
        .shares = og_dec_money(lot->shares),
        .price_avg = og_dec_money(lot_average(lot)),
        .price_open = og_dec_money(lot->opened),
        .price_close = og_dec_money(lot->shares ? 0 : lot->closed),
        .price_strike = og_dec_money(s->option ? s->contract.strike : 0),
        .margin_requirement = og_dec_money(margin),
        .maintenance_requirement = og_dec_money(margin),
        .created = room->created.s,
        .updated = room->updated.s,
    };
}
