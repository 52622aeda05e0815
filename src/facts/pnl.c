/*
 * Reads the service's P&L document, and keeps the day's highest P&L.  The P&L is the document's dayPnl, or the sum of
 * its two parts, not a sum over positions.
 */
#include "base/time.h"
#include "facts/calendar.h"
#include "facts/documents.h"

#define DAY_BEGINS OG_DAY_AT(4, 0) /* start of extended hours, at which the service's day begins */

bool og_facts_read_pnl(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    struct og_pnl *pnl = og_arena_take(&p->arena, sizeof *pnl);
    struct og_money realized, unrealized;
    bool has[2], given;

    p->is.pnl = pnl;
    if (!pnl)
        return og_facts_no_memory(r);
    if (!og_facts_read_own_row(r, item) ||
        !og_facts_read_money(r, item, "dayPnl", OG_MAY_BE_NULL, &pnl->has_day, &pnl->day) ||
        !og_facts_read_money(r, item, "dayRealized", OG_MAY_BE_NULL, &has[0], &realized) ||
        !og_facts_read_money(r, item, "dayUnrealized", OG_MAY_BE_NULL, &has[1], &unrealized) ||
        !og_facts_read_money(r, item, "dayPnlPeak", OG_MAY_BE_NULL, &given, &pnl->given))
        return false;
    if (!pnl->has_day)
        pnl->has_day = has[0] && has[1] && og_money_add(realized, unrealized, &pnl->day);
    return true;
}

/* Nights, weekends and holidays belong to the session before: the service shows the figures of that session until the
 * next one begins, and these figures must not become the next day's highest. */
int og_facts_session_day(int64_t at)
{
    struct og_eastern e;
    int before;

    if (at == OG_TIME_UNKNOWN)
        return 0;
    /* clocks change on Sundays only, which have no session: on all other days this difference is exact */
    og_eastern_from(og_time_within(og_time_within(at) - DAY_BEGINS), &e);
    if (og_calendar_day(e.date).kind != OG_DAY_CLOSED)
        return e.date;
    before = og_calendar_session_before(e.date);
    return before ? before : e.date;
}

static void raise(struct og_pnl_peak *p, struct og_money to)
{
    if (og_money_cmp(to, p->peak) > 0)
        p->peak = to;
}

void og_facts_pnl_told(struct og_facts *f)
{
    struct og_pnl_peak *now = &f->peak[0], *other = &f->peak[1], was = *now;
    const struct og_part *p = f->part[OG_AT_PNL];
    struct og_pnl *pnl = p->is.pnl;
    int day = og_facts_session_day(p->as_of);

    if (day == 0) /* a P&L without an age counts for the day that is known */
        day = now->day ? now->day : other->day;
    if (day != now->day) {
        *now = day == other->day ? *other : (struct og_pnl_peak){ .day = day };
        *other = was; /* keep the other day: a clock that jumped may jump back */
    }
    if (pnl->has_day)
        raise(now, pnl->day);
    raise(now, pnl->given);
    pnl->peak = now->peak;
}

void og_facts_raise_peak(struct og_facts *f, const struct og_pnl_peak *to)
{
    struct og_part *p = f->part[OG_AT_PNL];
    struct og_pnl_peak *at = &f->peak[0];

    if (p && at->day == 0)
        at->day = to->day; /* the P&L has no age: assume that its day is the day of the given peak */
    if (to->day != at->day)
        at = &f->peak[1];
    if (to->day != at->day)
        *at = (struct og_pnl_peak){ .day = to->day };
    raise(at, to->peak);
    if (p)
        p->is.pnl->peak = f->peak[0].peak;
    og_facts_told(f);
}

bool og_facts_peak(const struct og_facts *f, struct og_pnl_peak *peak)
{
    *peak = f->peak[0];
    return f->part[OG_AT_PNL] && peak->day != 0;
}
