/*
 * Fills that the list of orders shows and positions may lack, since positions were read before.
 */
#include "facts/documents.h"

int64_t og_facts_updated(const cJSON *row)
{
    struct og_str text;
    int64_t at;

    return og_doc_str(row, "lastUpdated", &text) && og_time_read(text.s, text.len, &at) ? at : OG_TIME_UNKNOWN;
}

bool og_facts_remember_fill(struct og_facts_reader *r, const cJSON *row, struct og_str id,
                            const struct og_known_order *order, struct og_part *p)
{
    const int64_t updated = og_facts_updated(row);
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

bool og_facts_lacks_fill(const struct og_facts *f, struct og_str *id, int64_t *newer)
{
    int64_t as_of, listed;

    if (!f->filled || !og_facts_known(f, OG_FACT_POSITIONS, &as_of) || as_of == OG_TIME_UNKNOWN ||
        as_of >= f->filled->updated)
        return false;
    /* positions that are no older than the list have what it shows, whatever the broker's clock says */
    if (og_facts_known(f, OG_FACT_ORDERS, &listed) && listed != OG_TIME_UNKNOWN && as_of >= listed)
        return false;
    *id = f->filled->id;
    *newer = f->filled->updated - as_of;
    return true;
}
