/*
 * Lifecycles of positions, and GET positions/closed. Long and short are never netted: each side of a symbol has
 * lifecycles of its own.
 */
#include "paper/lifecycle.h"

#include <stdlib.h>

#include "paper/call.h"
#include "paper/db.h"

static struct og_paper_lifecycle *find_open(const struct og_paper_account *account,
                                            const struct og_paper_symbol *symbol, bool is_long)
{
    struct og_paper_lifecycle *life = account->lifecycles;

    while (life && (life->symbol != symbol || life->is_long != is_long))
        life = life->next;
    return life;
}

static struct og_paper_lifecycle *begin_lifecycle(struct og_paper_account *account, const struct og_paper_lot *lot)
{
    struct og_paper_lifecycle *life = calloc(1, sizeof *life);

    if (!life)
        return NULL;
    life->id = lot->id;
    life->symbol = lot->symbol;
    life->is_long = lot->is_long;
    life->created = lot->created;
    life->next = account->lifecycles;
    account->lifecycles = life;
    return life;
}

static void store_lifecycle(struct og_paper *p, const struct og_paper_account *account,
                            const struct og_paper_lifecycle *life)
{
    og_paper_db_put(p, OG_TABLE_LIFECYCLES, life, account);
}

bool og_paper_lifecycle_enter(struct og_paper *p, struct og_paper_account *account, const struct og_paper_lot *lot,
                              int64_t shares, int64_t price, int64_t charges)
{
    struct og_paper_lifecycle *life = find_open(account, lot->symbol, lot->is_long);

    if (!life && !(life = begin_lifecycle(account, lot)))
        return false;
    life->again = life->again || life->left > 0;
    life->overnight = life->overnight || lot->overnight;
    life->entered = og_dec_add(life->entered, shares);
    life->entered_value = og_dec_add(life->entered_value, og_dec_times(shares, price));
    life->charges = og_dec_add(life->charges, charges);
    life->updated = og_paper_clock_now(&p->clock);
    store_lifecycle(p, account, life);
    return true;
}

static void append_closed(struct og_paper_account *account, struct og_paper_lifecycle *life)
{
    life->next = NULL;
    *(account->last_closed ? &account->last_closed->next : &account->closed) = life;
    account->last_closed = life;
}

static void complete_lifecycle(struct og_paper *p, struct og_paper_account *account, struct og_paper_lifecycle *life)
{
    struct og_paper_lifecycle **at = &account->lifecycles;

    while (*at != life)
        at = &(*at)->next;
    *at = life->next;
    life->record_at = life->updated + p->delays.record;
    append_closed(account, life);
}

void og_paper_lifecycle_leave(struct og_paper *p, struct og_paper_account *account,
                              const struct og_paper_symbol *symbol, bool is_long, int64_t shares, int64_t price,
                              int64_t charges)
{
    struct og_paper_lifecycle *life = find_open(account, symbol, is_long);

    if (!life)
        return;
    life->left = og_dec_add(life->left, shares);
    life->left_value = og_dec_add(life->left_value, og_dec_times(shares, price));
    life->charges = og_dec_add(life->charges, charges);
    life->updated = og_paper_clock_now(&p->clock);
    if (life->left >= life->entered)
        complete_lifecycle(p, account, life);
    store_lifecycle(p, account, life);
}

void og_paper_lifecycle_roll(struct og_paper *p, struct og_paper_account *account)
{
    struct og_paper_lifecycle *life;

    for (life = account->lifecycles; life; life = life->next) {
        life->overnight = true;
        store_lifecycle(p, account, life);
    }
}

static void free_list(struct og_paper_lifecycle **list)
{
    struct og_paper_lifecycle *life;

    while ((life = *list)) {
        *list = life->next;
        free(life);
    }
}

void og_paper_lifecycle_drop(struct og_paper *p, struct og_paper_account *account)
{
    const struct og_paper_lifecycle *life;

    free_list(&account->lifecycles);
    og_paper_db_forget(p, OG_TABLE_LIFECYCLES, account);
    for (life = account->closed; life; life = life->next)
        store_lifecycle(p, account, life);
}

/* Add a stored lifecycle. Lifecycles are stored in the sequence of their ids, but completed ones are listed in the
 * sequence of their completion. */
bool og_paper_lifecycle_restore(struct og_paper *p, struct og_paper_account *account, void *row)
{
    struct og_paper_lifecycle **at = &account->closed, *life = row;

    (void)p;
    if (!life->record_at) {
        life->next = account->lifecycles;
        account->lifecycles = life;
    } else if (!account->last_closed || account->last_closed->record_at <= life->record_at) {
        append_closed(account, life);
    } else {
        while ((*at)->record_at <= life->record_at)
            at = &(*at)->next;
        life->next = *at;
        *at = life;
    }
    return true;
}

void og_paper_lifecycle_clear(struct og_paper_account *account)
{
    free_list(&account->lifecycles);
    free_list(&account->closed);
    account->last_closed = NULL;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static int64_t price_of(int64_t value, int64_t shares)
{
    return og_dec_round(og_dec_divide(value, shares), OG_DEC_TICK);
}

static int64_t realized(const struct og_paper_lifecycle *life)
{
    int64_t gain = og_dec_add(life->left_value, -life->entered_value);

    gain = og_dec_scale(life->is_long ? gain : -gain, life->symbol->option ? 100 : 1);
    return og_dec_round(og_dec_add(gain, -life->charges), OG_DEC_CENT);
}

static void write_record(struct og_buf *b, const struct og_paper_account *account,
                         const struct og_paper_lifecycle *life)
{
    struct og_paper_lot lot = {
        .id = life->id,
        .symbol = life->symbol,
        .is_long = life->is_long,
        .overnight = life->overnight,
        .opened = price_of(life->entered_value, life->entered),
        .closed = price_of(life->left_value, life->left),
        .created = life->created,
        .updated = life->updated,
    };
    struct og_paper_lot_room room;
    struct og_position_info row;

    og_paper_lot_row(account, &lot, &room, &row);
    row.price_avg = og_dec_money(life->again ? 0 : lot.opened);
    row.shares_in = og_dec_money(life->is_long ? life->entered : life->left);
    row.shares_out = og_dec_money(life->is_long ? life->left : life->entered);
    row.realized = og_dec_money(realized(life));
    og_document_write(b, OG_DOCUMENT_CLOSED, &row);
}

void og_paper_get_closed(struct og_paper_call *call)
{
    int64_t now = og_paper_clock_now(&call->p->clock);
    struct og_buf *b = call->reply->body;
    const struct og_paper_lifecycle *life;

    og_buf_text(b, "{\"closedPositions\":[");
    for (life = call->account->closed; life; life = life->next)
        if (life->record_at <= now)
            write_record(b, call->account, life);
    og_buf_text(b, "]}");
}
