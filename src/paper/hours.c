/*
 * Session hours and what happens at their ends: the open tries every resting order and brings back what lives on; the
 * regular and the extended close end what ends there.
 * It refuses holidays: the service's document names none, so every weekday is a session.
 */
#include "paper/hours.h"

#include "base/time.h"
#include "paper/match.h"
#include "paper/paper.h"

#include "base/banned.h"

#define MINUTE (60 * OG_NS_PER_S)
#define OPEN (570 * MINUTE)
#define CLOSE (960 * MINUTE)
#define EXTENDED_OPEN (240 * MINUTE)
#define EXTENDED_CLOSE (1200 * MINUTE)

static bool within(int64_t now, int64_t from, int64_t to)
{
    struct og_eastern e;

    og_eastern_from(now, &e);
    return e.weekday >= 1 && e.weekday <= 5 && e.ns_of_day >= from && e.ns_of_day <= to;
}

bool og_paper_hours_regular(int64_t now)
{
    return within(now, OPEN, CLOSE);
}

bool og_paper_hours_extended(int64_t now)
{
    return within(now, EXTENDED_OPEN, EXTENDED_CLOSE);
}

/* The boundaries of a day.  A close acts a millisecond late: at 16:00:00.000 itself the session still trades. */
static const int64_t boundaries[] = { OPEN, CLOSE + OG_NS_PER_MS, EXTENDED_CLOSE + OG_NS_PER_MS };

static int64_t next_boundary(int64_t now)
{
    struct og_eastern e;
    int64_t days, at;
    int ahead, year, month, day;
    size_t i;

    og_eastern_from(now, &e);
    days = og_days_from_civil(e.year, e.month, e.day);
    for (ahead = 0;; ahead++) {
        if ((e.weekday + ahead) % 7 == 0 || (e.weekday + ahead) % 7 == 6)
            continue;
        og_civil_from_days(days + ahead, &year, &month, &day);
        for (i = 0; i < sizeof(boundaries) / sizeof(boundaries[0]); i++) {
            at = og_eastern_instant(year, month, day, boundaries[i]);
            if (at > now)
                return at;
        }
    }
}

static bool plus(const struct og_paper_order *o)
{
    return o->ticket.tif == OG_TIF_DAY_PLUS || o->ticket.tif == OG_TIF_GTC_PLUS || o->ticket.tif == OG_TIF_CROSSING;
}

static bool lives_on(const struct og_paper_order *o)
{
    return o->ticket.tif == OG_TIF_GTC || o->ticket.tif == OG_TIF_GTC_PLUS;
}

static void done_for_day(struct og_paper_order *o)
{
    if (lives_on(o))
        og_paper_order_to(o, OG_ST_DONE_FOR_DAY, NULL);
    else
        og_paper_order_end(o, OG_ST_DONE_FOR_DAY, NULL);
}

/* A Day order placed after this waits for the next session. */
static void close_orders(struct og_paper *p, bool at_extended_close)
{
    struct og_paper_account *a;
    struct og_paper_order *o, *next;

    for (a = p->accounts; a; a = a->next)
        for (o = a->working; o; o = next) {
            next = o->next_working;
            if (plus(o) == at_extended_close && o->acknowledged && o->status != OG_ST_DONE_FOR_DAY &&
                o->status != OG_ST_PENDING_CANCEL)
                done_for_day(o);
        }
}

static void open_orders(struct og_paper *p)
{
    struct og_paper_account *a;
    struct og_paper_order *o, *next;
    struct og_paper_lot *lot;

    for (a = p->accounts; a; a = a->next) {
        og_paper_account_closed_clear(a);
        a->figure[OG_FIG_DAY_REALIZED] = a->figure[OG_FIG_DAY_SHARES] = 0;
        for (lot = a->lots; lot; lot = lot->next) {
            lot->overnight = true;
            lot->mark = og_paper_lot_mark(p, lot);
            lot->day_realized = 0;
        }
        a->changed = a->lots_changed = true;
        for (o = a->working; o; o = next) {
            next = o->next_working;
            if (o->status == OG_ST_DONE_FOR_DAY)
                og_paper_order_to(o, o->executed ? OG_ST_PARTIALLY_FILLED : OG_ST_NEW, NULL);
            og_paper_match_order(o, false);
            if (o->working && o->ticket.tif == OG_TIF_OPENING && o->acknowledged)
                og_paper_order_end(o, OG_ST_EXPIRED, NULL);
        }
    }
}

static void boundary(void *with)
{
    struct og_paper *p = with;
    int64_t now = og_paper_clock_now(&p->clock);
    struct og_eastern e;

    og_eastern_from(now, &e);
    if (e.ns_of_day < CLOSE)
        open_orders(p);
    else
        close_orders(p, e.ns_of_day > EXTENDED_CLOSE);
    og_paper_hours_start(p);
}

void og_paper_hours_start(struct og_paper *p)
{
    p->session.fire = boundary;
    p->session.with = p;
    og_paper_clock_set(&p->clock, &p->session, next_boundary(og_paper_clock_now(&p->clock)));
}
