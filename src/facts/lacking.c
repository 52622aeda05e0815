/*
 * Fills that the list of orders shows and positions may lack, since positions were read before; and orders that a list
 * shows no more, since they may have filled before they went.
 */
#include "facts/documents.h"

int64_t og_facts_updated(const cJSON *row)
{
    struct og_str text;
    int64_t at;

    return og_doc_str(row, "lastUpdated", &text) && og_time_read(text.s, text.len, &at) ? at : OG_TIME_UNKNOWN;
}

/* Add a fill to the list's. order: NULL if there is no row, or if it has no id. */
static bool remember(struct og_facts_reader *r, struct og_part *p, struct og_str id, const struct og_known_order *order,
                     int64_t updated)
{
    struct og_filled_row *fill;

    if (updated == OG_TIME_UNKNOWN)
        return true;
    fill = og_arena_take(&p->arena, sizeof *fill);
    if (!fill)
        return og_facts_no_memory(r);
    *fill = (struct og_filled_row){ p->filled, og_arena_copy(&p->arena, id), order, updated };
    p->filled = fill;
    return fill->id.s || !id.len || og_facts_no_memory(r);
}

bool og_facts_remember_fill(struct og_facts_reader *r, const cJSON *row, struct og_str id,
                            const struct og_known_order *order, struct og_part *p)
{
    return remember(r, p, id, order, og_facts_updated(row));
}

/* --- what a list shows no more ------------------------------------------------------------------------------------ */

static const struct og_id_entry *entry_of(const struct og_part *list, struct og_str id)
{
    return og_facts_id_find(&list->map, id, og_facts_map_hash(id));
}

/* Returns true if the list has a row without id that may be of the same order: as much of the same symbol works.
 * *budget: how many rows may be looked at yet, since there is no index of them. */
static bool has_nameless(const struct og_part *list, const struct og_change *like, int *budget)
{
    for (const struct og_change *c = list->changes; c && (*budget)-- > 0; c = c->next)
        if (!c->id.len && c->sizes == like->sizes && og_str_eq(c->traded, like->traded) &&
            (c->sizes == 0 ||
             (c->size[0].of == like->size[0].of && og_money_cmp(c->size[0].by, like->size[0].by) == 0)))
            return true;
    return false;
}

/* Returns true if the order of a row works no more, as far as lists tell, and no ticket is or was for it. */
static bool is_gone(const struct og_facts *f, const struct og_change *row, const struct og_part *newer, int *budget)
{
    const struct og_id_entry *mine;

    if (!row->id.len)
        return !has_nameless(newer, row, budget);
    mine = entry_of(newer, row->id) ? NULL : og_facts_id_find(&f->ids, row->id, og_facts_map_hash(row->id));
    return !entry_of(newer, row->id) && !(mine && mine->ticket);
}

static bool remember_gone(struct og_facts_reader *r, const struct og_facts *f, const struct og_two_lists *of)
{
    int budget = 100000;

    for (const struct og_change *c = of->older->changes; c; c = c->next)
        if (is_gone(f, c, of->newer, &budget)) /* any others went at the same time */
            return remember(r, of->newer, c->id, NULL, of->newer_at);
    return true;
}

/* Keep the newest of the fills that the older list shows. Positions that are no older than that list have it. */
static bool remember_older(struct og_facts_reader *r, const struct og_facts *f, const struct og_two_lists *of)
{
    const struct og_filled_row *newest = f->filled;
    int64_t at;

    if (of->older != f->part[OG_AT_ORDERS]) {
        newest = NULL;
        for (const struct og_filled_row *row = of->older->filled; row; row = row->next)
            if ((!newest || row->updated > newest->updated) && !og_facts_owner(f, row->id))
                newest = row;
    }
    at = newest ? newest->updated : OG_TIME_UNKNOWN;
    return remember(r, of->newer, newest ? newest->id : (struct og_str){ NULL, 0 }, NULL,
                    of->older_at != OG_TIME_UNKNOWN && at > of->older_at ? of->older_at : at);
}

/* Returns true if more of an order had filled, or may have, by the newer of two rows. */
static bool has_filled_since(const struct og_known_order *older, const struct og_known_order *newer)
{
    return og_money_cmp(newer->executed, older->executed) > 0 || (newer->filled != OG_FILLED_SAID && !older->over);
}

/* Keep the fills that only the newer list shows, and of which the row does not tell the time, or one that is before the
 * older list. */
static bool remember_undated(struct og_facts_reader *r, const struct og_two_lists *of)
{
    const struct og_id_entry *e, *was;
    size_t place = 0;
    bool ok = true;

    while (ok && (e = og_facts_map_next(&of->newer->map, &place)) != NULL) {
        const struct og_known_order *k = e->order;

        if (!k || (k->filled == OG_FILLED_SAID && k->executed.coef <= 0) ||
            (k->updated != OG_TIME_UNKNOWN && k->updated >= of->older_at))
            continue;
        was = entry_of(of->older, og_facts_id_text(e));
        if (was && was->order ? has_filled_since(was->order, k) : k->updated == OG_TIME_UNKNOWN)
            ok = remember(r, of->newer, og_facts_id_text(e), k, of->newer_at);
    }
    return ok;
}

bool og_facts_remember_older(struct og_facts_reader *r, const struct og_facts *f, const struct og_two_lists *of)
{
    return remember_gone(r, f, of) && remember_undated(r, of) && remember_older(r, f, of);
}

/* --- what positions lack ------------------------------------------------------------------------------------------ */

void og_facts_find_filled(struct og_facts *f, bool (*is_own)(void *with, const struct og_filled_row *row), void *with)
{
    const struct og_filled_row *was = f->filled, *row = f->part[OG_AT_ORDERS] ? f->part[OG_AT_ORDERS]->filled : NULL;

    f->filled = NULL;
    for (; row; row = row->next)
        if ((!f->filled || row->updated > f->filled->updated) && !(is_own && is_own(with, row)))
            f->filled = row;
    if (f->filled != was)
        og_facts_told(f);
}

void og_facts_settle_lag(struct og_facts *f, int64_t lag)
{
    if (f->settle == lag)
        return;
    f->settle = lag;
    og_facts_told(f);
}

/* Returns true if the time is at least the settle lag before another one. */
static bool is_settled(const struct og_facts *f, int64_t at, int64_t by)
{
    int64_t settled;

    return !__builtin_add_overflow(at, f->settle, &settled) && settled <= by;
}

bool og_facts_lacks_fill(const struct og_facts *f, struct og_str *id, int64_t *newer)
{
    int64_t as_of, listed;

    if (!f->filled || !og_facts_known(f, OG_FACT_POSITIONS, &as_of) || as_of == OG_TIME_UNKNOWN ||
        is_settled(f, f->filled->updated, as_of))
        return false;
    /* A fill that is later than the list which shows it, by more than the lag, has a time by a clock that is ahead.
     * Positions that are no older than the list then have the fill. */
    if (og_facts_known(f, OG_FACT_ORDERS, &listed) && listed != OG_TIME_UNKNOWN && as_of >= listed &&
        is_settled(f, listed, f->filled->updated))
        return false;
    *id = f->filled->id;
    *newer = f->filled->updated - as_of;
    return true;
}
