/*
 * Creation, funding and reset of accounts; key pairs. A reset restores the account to its state at creation. Only
 * creation, funding and reset add money.
 */
#include "paper/account_setup.h"

#include "paper/cash.h"
#include "paper/db.h"
#include "paper/lifecycle.h"
#include "paper/locate.h"
#include "paper/paper.h"

#define PAPER_LIFETIME (30 * 86400 * OG_NS_PER_S) /* lifetime of a paper account that is not linked to a live one */

/* --- adding accounts and keys ------------------------------------------------------------------------------------- */

void og_paper_account_retype(struct og_paper *p, struct og_paper_account *account, struct og_str type)
{
    account->type = type;
    account->paper = og_str_is(type, "Paper");
    if (account->own_routes)
        return;
    account->routes = p->routes && !account->paper ? p->routes + p->paper_routes : p->routes;
    account->route_count = account->paper ? p->paper_routes : p->route_count - p->paper_routes;
}

static void expire(void *with)
{
    struct og_paper_account *account = with;

    account->status = OG_STR("Expired");
    account->changed = true;
}

struct og_paper_account *og_paper_account_add(struct og_paper *p, struct og_str id, struct og_str type)
{
    struct og_paper_account *account = og_arena_take(&p->arena, sizeof *account), **end = &p->accounts;

    if (!account)
        return NULL;
    account->service = p;
    account->id = og_arena_copy(&p->arena, id);
    account->status = OG_STR("Active");
    account->created = OG_UNSET;
    account->expiry = (struct og_paper_timer){ .fire = expire, .with = account };
    og_paper_account_retype(p, account, og_arena_copy(&p->arena, type));
    while (*end)
        end = &(*end)->next;
    *end = account;
    return account->id.s && account->type.s ? account : NULL;
}

static int64_t position_value(const struct og_paper_initial_position *position)
{
    int64_t worth = og_dec_scale(og_dec_times(position->shares, position->price), position->symbol->option ? 100 : 1);

    return position->is_long ? worth : -worth;
}

/* Set the figures of the first day. A computed figure for which the scenario gives a value is pinned to that value. */
static void set_first_day_figures(struct og_paper_account *account)
{
    static const enum og_paper_figure derived[] = { OG_FIG_EQUITY, OG_FIG_MARGIN_RATIO, OG_FIG_OPTION_CASH,
                                                    OG_FIG_USED_LEVERAGE };
    int64_t *f = account->figure;
    size_t i;

    memcpy(f, account->start, sizeof account->start);
    for (i = 0; i < sizeof derived / sizeof derived[0]; i++) {
        account->pinned[derived[i]] = f[derived[i]] != OG_UNSET;
        if (!account->pinned[derived[i]])
            f[derived[i]] = 0;
    }
}

void og_paper_account_fund(struct og_paper_account *account)
{
    int64_t *f = account->figure;
    size_t i;

    if (f[OG_FIG_BP] == OG_UNSET)
        f[OG_FIG_BP] = og_dec_times(f[OG_FIG_CASH], f[OG_FIG_LEVERAGE]);
    if (f[OG_FIG_OVERNIGHT_BP] == OG_UNSET)
        f[OG_FIG_OVERNIGHT_BP] = f[OG_FIG_BP];
    if (f[OG_FIG_SOD_EQUITY] == OG_UNSET)
        for (f[OG_FIG_SOD_EQUITY] = f[OG_FIG_CASH], i = 0; i < account->initial_position_count; i++)
            f[OG_FIG_SOD_EQUITY] = og_dec_add(f[OG_FIG_SOD_EQUITY], position_value(&account->initial_positions[i]));
    memcpy(account->start, f, sizeof account->start);
    set_first_day_figures(account);
}

struct og_paper_key *og_paper_key_add(struct og_paper *p, struct og_str id, struct og_str secret,
                                      struct og_paper_account **accounts, size_t count)
{
    struct og_paper_key **at = &p->keys, *key;

    while (*at && !og_str_eq((*at)->id, id))
        at = &(*at)->next;
    key = *at ? *at : og_arena_take(&p->arena, sizeof *key);
    if (!key)
        return NULL;
    if (!*at)
        key->id = og_arena_copy(&p->arena, id);
    key->secret = og_arena_copy(&p->arena, secret);
    key->service = p;
    key->accounts = accounts;
    key->count = count;
    if (!key->id.s || !key->secret.s)
        return NULL;
    *at = key;
    return key;
}

/* --- the first day ------------------------------------------------------------------------------------------------ */

bool og_paper_account_add_initial(struct og_paper *p, struct og_paper_account *account,
                                  const struct og_paper_initial_position *position)
{
    struct og_paper_lot *lot = og_paper_account_lot_add(p, account, position->symbol, position->is_long);

    if (!lot)
        return false;
    lot->overnight = position->overnight;
    lot->shares = position->shares;
    lot->opened = og_paper_market_opened(&p->market, position->symbol);
    lot->mark = position->price;
    lot->cost = og_dec_times(position->shares, position->price);
    lot->tied = og_dec_scale(lot->cost, position->symbol->option ? 100 : 1);
    account->figure[OG_FIG_BP] = og_dec_add(account->figure[OG_FIG_BP], lot->tied);
    account->figure[OG_FIG_OVERNIGHT_BP] = og_dec_add(account->figure[OG_FIG_OVERNIGHT_BP], lot->tied);
    return og_paper_lifecycle_enter(p, account, lot, lot->shares, position->price, 0);
}

bool og_paper_account_expire_when_due(struct og_paper *p, struct og_paper_account *account)
{
    int64_t due = account->created + PAPER_LIFETIME;

    og_paper_clock_unset(&p->clock, &account->expiry);
    if (!account->paper || account->linked)
        return true;
    if (due > og_paper_clock_now(&p->clock))
        return og_paper_clock_set(&p->clock, &account->expiry, due);
    expire(account);
    return true;
}

static bool apply_initial_state(struct og_paper *p, struct og_paper_account *account)
{
    struct og_paper_cash *row, *next;
    size_t i;

    for (i = 0; i < account->initial_position_count; i++)
        if (!og_paper_account_add_initial(p, account, &account->initial_positions[i]))
            return false;
    og_paper_account_store_lots(p, account);
    for (row = account->initial_cash; row; row = next) {
        next = row->next;
        row->next = NULL;
        row->number = ++p->cash_rows;
        og_paper_cash_restore(p, account, row);
        og_paper_db_put(p, OG_TABLE_CASH, row, account);
    }
    account->changed = true;
    return true;
}

bool og_paper_accounts_start(struct og_paper *p)
{
    struct og_paper_account *account;

    for (account = p->accounts; account; account = account->next) {
        if (account->created == OG_UNSET)
            account->created = og_paper_clock_now(&p->clock);
        if ((!account->stored && !apply_initial_state(p, account)) || !og_paper_account_expire_when_due(p, account))
            return false;
    }
    return !p->failed;
}

/* --- reset -------------------------------------------------------------------------------------------------------- */

static void drop_orders(struct og_paper_account *account)
{
    struct og_paper_order *o;

    while (account->working)
        og_paper_order_end(account->working, OG_ST_CANCELED, NULL);
    for (o = account->orders; o; o = o->older) {
        o->gone = true;
        og_paper_order_mark_changed(o);
    }
    account->orders = NULL;
}

static void drop_lots(struct og_paper_account *account)
{
    og_paper_account_lots_clear(account);
    account->lots = account->closed_lots;
    account->closed_lots = NULL;
    og_paper_account_lots_clear(account);
    og_paper_lifecycle_clear(account);
    account->priced_at = 0;
}

void og_paper_account_reset(struct og_paper *p, struct og_paper_account *account)
{
    static const enum og_paper_table_name tables[] = { OG_TABLE_LOTS,    OG_TABLE_LIFECYCLES, OG_TABLE_TRADES,
                                                       OG_TABLE_LOCATES, OG_TABLE_INVENTORY,  OG_TABLE_CASH };
    struct og_paper_locate *row;
    size_t i;

    drop_orders(account);
    drop_lots(account);
    for (row = account->locates; row; row = row->older)
        og_paper_clock_unset(&p->clock, &row->timer);
    account->locates = NULL;
    account->inventory = NULL;
    account->trades = account->last_trade = NULL;
    account->cash = account->last_cash = NULL;
    for (i = 0; i < sizeof tables / sizeof tables[0]; i++)
        og_paper_db_forget(p, tables[i], account);
    set_first_day_figures(account);
    account->status = OG_STR("Active");
    account->created = og_paper_clock_now(&p->clock);
    account->changed = true;
    og_paper_account_expire_when_due(p, account);
}
