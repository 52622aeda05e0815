/*
 * Reads the service's P&L document, and keeps the day's highest value.  It does not add up positions: it uses
 * dayPnl, or its two parts.
 */
#include "facts/documents.h"

bool og_facts_read_pnl(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    struct og_pnl *pnl = og_arena_take(&p->arena, sizeof *pnl);
    struct og_money realized, unrealized;
    bool has[2], peak;

    p->is.pnl = pnl;
    if (!pnl)
        return og_facts_no_memory(r);
    if (!og_facts_read_money(r, item, "dayPnl", OG_MAY_BE_NULL, &pnl->has_day, &pnl->day) ||
        !og_facts_read_money(r, item, "dayRealized", OG_MAY_BE_NULL, &has[0], &realized) ||
        !og_facts_read_money(r, item, "dayUnrealized", OG_MAY_BE_NULL, &has[1], &unrealized) ||
        !og_facts_read_money(r, item, "dayPnlPeak", OG_MAY_BE_NULL, &peak, &pnl->peak))
        return false;
    if (!pnl->has_day)
        pnl->has_day = has[0] && has[1] && og_money_add(realized, unrealized, &pnl->day);
    return true;
}

void og_facts_pnl_told(struct og_facts *f)
{
    struct og_part *p = f->part[OG_AT_PNL];
    struct og_pnl *pnl = p->is.pnl;
    int date = og_facts_date(p->as_of);

    if (date != f->peak_date)
        f->peak = og_money_from(0); /* a new day begins */
    f->peak_date = date;
    if (pnl->has_day && og_money_cmp(pnl->day, f->peak) > 0)
        f->peak = pnl->day;
    if (og_money_cmp(pnl->peak, f->peak) > 0)
        f->peak = pnl->peak;
    pnl->peak = f->peak;
}
