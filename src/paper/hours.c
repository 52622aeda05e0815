/*
 * Session hours, and what happens when they begin and end. When extended hours begin, accounts begin the new session,
 * and orders that trade in extended hours are matched. At the regular open every resting order is matched. At the
 * regular and at the extended close, the orders end whose time in force ends then. The service's document names no
 * holidays, so every weekday is a session unless the scenario lists it as a holiday, or the calendar of the exchange is
 * used.
 */
#include "paper/hours.h"

#include "base/time.h"
#include "paper/expiry.h"
#include "paper/match.h"
#include "paper/paper.h"

#define MINUTE         (60 * OG_NS_PER_S)
#define OPEN           (570 * MINUTE)
#define CLOSE          (960 * MINUTE)
#define EXTENDED_OPEN  (240 * MINUTE)
#define EXTENDED_CLOSE (1200 * MINUTE)
#define EARLY \
    (180 * MINUTE) /* on a day with an early close, both closes are earlier by this time: at 13:00 and 17:00 */
#define LONGEST_BREAK (10 * 1440 * MINUTE) /* longer than any break between sessions */

static bool contains_day(const struct og_paper_days *days, int64_t day)
{
    size_t i;

    for (i = 0; i < days->count && days->day[i] != day; i++)
        ;
    return i < days->count;
}

/* Returns when the regular session of a weekday ends by the calendar, in ns since midnight; 0 if there is none. */
static int64_t calendar_close(const struct og_paper *p, int64_t day)
{
    int year, month, of_month;

    if (!p->exchange)
        return CLOSE;
    og_civil_from_days(day, &year, &month, &of_month);
    return p->exchange(year * 10000 + month * 100 + of_month);
}

bool og_paper_hours_session_day(const struct og_paper *p, int64_t day)
{
    int64_t weekday = (day + 4) % 7; /* 1970-01-01 was a Thursday */

    return weekday != 0 && weekday != 6 && !contains_day(&p->holidays, day) && calendar_close(p, day) != 0;
}

/* Returns by how much both closes of a session day are earlier than on other days. */
static int64_t early_close_shift(const struct og_paper *p, int64_t day)
{
    return contains_day(&p->early_closes, day) ? EARLY : CLOSE - calendar_close(p, day);
}

static bool is_in_session(const struct og_paper *p, int64_t now, int64_t from, int64_t to)
{
    struct og_eastern e;
    int64_t day;

    og_eastern_from(now, &e);
    day = og_days_from_civil(e.year, e.month, e.day);
    return og_paper_hours_session_day(p, day) && e.ns_of_day >= from && e.ns_of_day <= to - early_close_shift(p, day);
}

bool og_paper_hours_regular(const struct og_paper *p, int64_t now)
{
    return is_in_session(p, now, OPEN, CLOSE);
}

bool og_paper_hours_extended(const struct og_paper *p, int64_t now)
{
    return is_in_session(p, now, EXTENDED_OPEN, EXTENDED_CLOSE);
}

/* The times of day at which session hours begin or end. A close takes effect a millisecond late, because at
 * 16:00:00.000 itself the session still trades. */
static const int64_t boundaries[] = { EXTENDED_OPEN, OPEN, CLOSE + OG_NS_PER_MS, EXTENDED_CLOSE + OG_NS_PER_MS };

static int64_t next_boundary(const struct og_paper *p, int64_t now)
{
    struct og_eastern e;
    int64_t day, at;
    int year, month, of_month;
    size_t i;

    og_eastern_from(now, &e);
    for (day = og_days_from_civil(e.year, e.month, e.day);; day++) {
        if (!og_paper_hours_session_day(p, day))
            continue;
        og_civil_from_days(day, &year, &month, &of_month);
        for (i = 0; i < sizeof boundaries / sizeof boundaries[0]; i++) {
            at = og_eastern_instant(year, month, of_month, boundaries[i] - (i < 2 ? 0 : early_close_shift(p, day)));
            if (at > now)
                return at;
        }
    }
}

static void done_for_day(struct og_paper_order *o)
{
    if (og_paper_tif_lasts(o->ticket.tif))
        og_paper_order_set_status(o, OG_ST_DONE_FOR_DAY, NULL);
    else
        og_paper_order_end(o, OG_ST_DONE_FOR_DAY, NULL);
}

/* End the orders whose hours end at this close. A Day order that is placed after it waits for the next session. */
static void close_orders(struct og_paper *p, bool at_extended_close)
{
    struct og_paper_account *a;
    struct og_paper_order *o, *next;

    for (a = p->accounts; a; a = a->next)
        for (o = a->working; o; o = next) {
            next = o->next_working;
            if (og_paper_tif_is_extended(o->ticket.tif) == at_extended_close && o->acknowledged &&
                o->status != OG_ST_DONE_FOR_DAY && o->status != OG_ST_PENDING_CANCEL)
                done_for_day(o);
        }
}

/* Let orders that were DoneForDay work again, since their hours begin; end orders for the opening that did not fill. */
static void open_orders(struct og_paper *p, bool extended)
{
    struct og_paper_account *a;
    struct og_paper_order *o, *next;

    for (a = p->accounts; a; a = a->next)
        for (o = a->working; o; o = next) {
            next = o->next_working;
            if (extended && !og_paper_tif_is_extended(o->ticket.tif))
                continue;
            if (o->status == OG_ST_DONE_FOR_DAY)
                og_paper_order_set_status(o, o->executed ? OG_ST_PARTIALLY_FILLED : OG_ST_NEW, NULL);
            og_paper_match_order(o, false);
            if (o->working && o->ticket.tif == OG_TICKET_TIF_OPENING && o->acknowledged)
                og_paper_order_end(o, OG_ST_EXPIRED, NULL);
        }
}

static void process_boundary(struct og_paper *p, int64_t at)
{
    struct og_paper_account *a;
    struct og_eastern e;
    int64_t time;

    og_eastern_from(at, &e);
    p->session_at = at;
    time = e.ns_of_day;
    if (time > OPEN) /* `at` is a close, which may be an early one */
        time += early_close_shift(p, og_days_from_civil(e.year, e.month, e.day));
    if (time == EXTENDED_OPEN)
        for (a = p->accounts; a; a = a->next)
            og_paper_account_roll(p, a);
    if (time < CLOSE)
        open_orders(p, time == EXTENDED_OPEN);
    else
        close_orders(p, time > EXTENDED_CLOSE);
    if (time > CLOSE && time < EXTENDED_CLOSE)
        og_paper_expiry_run(p);
}

static void on_boundary(void *with)
{
    struct og_paper *p = with;

    process_boundary(p, og_paper_clock_now(&p->clock));
    og_paper_hours_start(p);
}

bool og_paper_hours_start(struct og_paper *p)
{
    int64_t now = og_paper_clock_now(&p->clock);

    p->session_at = now;
    p->session.fire = on_boundary;
    p->session.with = p;
    return og_paper_clock_set(&p->clock, &p->session, next_boundary(p, now));
}

/* Process the opens and closes that were missed while the service was not running. At most the last LONGEST_BREAK is
 * considered, which includes every kind of boundary. No order fills for hours that have passed. */
void og_paper_hours_catch_up(struct og_paper *p)
{
    int64_t now = og_paper_clock_now(&p->clock), at = p->session_at;

    if (at < now - LONGEST_BREAK)
        at = now - LONGEST_BREAK;
    while ((at = next_boundary(p, at)) <= now)
        process_boundary(p, at);
    p->session_at = now;
}
