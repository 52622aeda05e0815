/*
 * The inventory of located shares: available, used by short positions, queued for credit, used up. Shares that working
 * short sales will use are not stored here but computed from the working orders, so that an order that ends always
 * releases its shares.
 */
#include "paper/locate_inventory.h"

#include "base/time.h"
#include "paper/db.h"
#include "paper/paper.h"
#include "wire/documents.h"

/* the trading day ends and the next one begins this long before midnight, at 20:00 */
#define DAY_ENDS_EARLY (4 * 3600 * OG_NS_PER_S)

static int64_t trading_day(struct og_paper *p)
{
    struct og_eastern e;

    og_eastern_from(og_paper_clock_now(&p->clock) + DAY_ENDS_EARLY, &e);
    return og_days_from_civil(e.year, e.month, e.day);
}

static struct og_paper_inventory *find_pool(const struct og_paper_account *account,
                                            const struct og_paper_symbol *symbol, enum og_paper_locate_type type)
{
    struct og_paper_inventory *pool = account->inventory;

    while (pool && (pool->symbol != symbol || pool->type != type))
        pool = pool->next;
    return pool;
}

static void store_pool(struct og_paper *p, const struct og_paper_account *account,
                       const struct og_paper_inventory *pool)
{
    og_paper_db_put(p, OG_TABLE_INVENTORY, pool, account);
}

/* Put a stored pool into the list, which is sorted by type, so that short sales use reusable shares before single-use
 * ones. */
bool og_paper_inventory_restore(struct og_paper *p, struct og_paper_account *account, void *row)
{
    struct og_paper_inventory **at = &account->inventory, *pool = row;

    (void)p;
    while (*at && (*at)->type <= pool->type)
        at = &(*at)->next;
    pool->next = *at;
    *at = pool;
    return true;
}

bool og_paper_inventory_add(struct og_paper *p, struct og_paper_account *account, struct og_paper_symbol *symbol,
                            enum og_paper_locate_type type, int64_t shares, int64_t paid)
{
    struct og_paper_inventory *pool = find_pool(account, symbol, type), *next;
    int64_t day = trading_day(p);

    if (!pool) {
        pool = og_arena_take(&p->arena, sizeof *pool);
        if (!pool)
            return false;
        *pool = (struct og_paper_inventory){ .symbol = symbol, .type = type, .day = day };
        og_paper_inventory_restore(p, account, pool);
    } else if (pool->day != day) {
        next = pool->next;
        *pool = (struct og_paper_inventory){ .symbol = symbol, .type = type, .day = day, .next = next };
    }
    pool->available += shares;
    pool->paid = og_dec_add(pool->paid, paid);
    store_pool(p, account, pool);
    return true;
}

/* --- credits ------------------------------------------------------------------------------------------------------ */

/* Returns how many whole shares working orders will sell short. */
static int64_t working_shorts(const struct og_paper_account *account, const struct og_paper_symbol *symbol)
{
    const struct og_paper_order *o;
    int64_t shares = 0;

    for (o = account->working; o; o = o->next_working)
        if (o->ticket.security == OG_TICKET_STOCK && o->symbol == symbol && o->ticket.side == OG_TICKET_SIDE_SELL &&
            o->ticket.effect == OG_TICKET_EFFECT_OPEN && !o->late_rejection && o->status != OG_ST_DONE_FOR_DAY)
            shares += og_paper_order_leaves(o);
    return shares;
}

struct og_paper_inventory *og_paper_inventory_creditable(struct og_paper *p, struct og_paper_account *account,
                                                         const struct og_paper_symbol *symbol,
                                                         enum og_paper_locate_type type, int64_t shares)
{
    int64_t taken = working_shorts(account, symbol), day = trading_day(p), left;
    struct og_paper_inventory *pool;

    for (pool = account->inventory; pool; pool = pool->next) {
        if (pool->symbol != symbol || pool->day != day)
            continue;
        left = pool->available - taken;
        taken = left < 0 ? -left : 0;
        if ((type == OG_PAPER_LOCATE_NONE || pool->type == type) && left >= shares &&
            !(pool->type == OG_PAPER_LOCATE_SINGLE_USE && pool->unavailable))
            return pool;
    }
    return NULL;
}

void og_paper_inventory_queue(struct og_paper *p, struct og_paper_account *account, struct og_paper_inventory *pool,
                              int64_t shares)
{
    pool->available -= shares;
    pool->to_be_sold += shares;
    store_pool(p, account, pool);
}

/* Returns the pool with a queued credit. If fewer than *shares are still queued, for example after the end of the day,
 * *shares is lowered to that number. */
static struct og_paper_inventory *queued_pool(struct og_paper_account *account, const struct og_paper_symbol *symbol,
                                              enum og_paper_locate_type type, int64_t *shares)
{
    struct og_paper_inventory *pool = find_pool(account, symbol, type);

    if (pool && *shares > pool->to_be_sold)
        *shares = pool->to_be_sold;
    return pool;
}

void og_paper_inventory_undo(struct og_paper *p, struct og_paper_account *account, const struct og_paper_symbol *symbol,
                             enum og_paper_locate_type type, int64_t shares)
{
    struct og_paper_inventory *pool = queued_pool(account, symbol, type, &shares);

    if (!pool)
        return;
    pool->to_be_sold -= shares;
    pool->available += shares;
    store_pool(p, account, pool);
}

int64_t og_paper_inventory_clear(struct og_paper *p, struct og_paper_account *account,
                                 const struct og_paper_symbol *symbol, enum og_paper_locate_type type, int64_t shares)
{
    struct og_paper_inventory *pool = queued_pool(account, symbol, type, &shares);
    int64_t back;

    if (!pool)
        return 0;
    back = og_dec_round(og_dec_share(pool->paid, shares, pool->available + pool->to_be_sold + pool->unavailable),
                        OG_DEC_CENT);
    pool->paid = og_dec_add(pool->paid, -back);
    pool->to_be_sold -= shares;
    pool->sold += shares;
    store_pool(p, account, pool);
    return back;
}

/* --- shorts ------------------------------------------------------------------------------------------------------- */

int64_t og_paper_inventory_free(struct og_paper *p, const struct og_paper_account *account,
                                const struct og_paper_symbol *symbol)
{
    int64_t shares = -working_shorts(account, symbol), day = trading_day(p);
    const struct og_paper_inventory *pool;

    for (pool = account->inventory; pool; pool = pool->next)
        if (pool->symbol == symbol && pool->day == day)
            shares += pool->available;
    return shares;
}

/* Move shares of today's pools from available to unavailable or, with `back`, the other way; single-use shares never
 * become available again. */
static void move_shares(struct og_paper *p, struct og_paper_account *account, const struct og_paper_symbol *symbol,
                        int64_t shares, bool back)
{
    int64_t day = trading_day(p), part;
    struct og_paper_inventory *pool;

    for (pool = account->inventory; pool && shares > 0; pool = pool->next) {
        int64_t *from = back ? &pool->unavailable : &pool->available;

        if (pool->symbol != symbol || pool->day != day || !*from || (back && pool->type == OG_PAPER_LOCATE_SINGLE_USE))
            continue;
        part = *from < shares ? *from : shares;
        *from -= part;
        *(back ? &pool->available : &pool->unavailable) += part;
        shares -= part;
        store_pool(p, account, pool);
    }
}

void og_paper_inventory_short(struct og_paper *p, struct og_paper_account *account,
                              const struct og_paper_symbol *symbol, int64_t shares)
{
    move_shares(p, account, symbol, shares, false);
}

void og_paper_inventory_cover(struct og_paper *p, struct og_paper_account *account,
                              const struct og_paper_symbol *symbol, int64_t shares)
{
    move_shares(p, account, symbol, shares, true);
}

void og_paper_inventory_write(struct og_paper *p, const struct og_paper_account *account, struct og_buf *b)
{
    const struct og_paper_inventory *pool;
    int64_t day = trading_day(p);

    for (pool = account->inventory; pool; pool = pool->next) {
        struct og_inventory_info row = {
            .account = account->id.s,
            .symbol = pool->symbol->name.s,
            .available = og_money_from(pool->available),
            .sold = og_money_from(pool->sold),
            .to_be_sold = og_money_from(pool->to_be_sold),
            .unavailable = og_money_from(pool->unavailable),
            .type = pool->type,
        };

        if (pool->day == day && pool->available + pool->to_be_sold + pool->unavailable != 0)
            og_document_write(b, OG_DOCUMENT_INVENTORY, &row);
    }
}
