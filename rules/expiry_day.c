/*
 * expiry-day (918): options that are opened on, or shortly before, their expiry.  Counts calendar days from the first
 * session in which the order can fill: today's until it ends, then the next one.  Options are not traded in extended
 * hours.  Orders that only reduce pass.  The rule occ-symbol reports contracts whose date does not exist.
 */
#include "facts/calendar.h"
#include "rules/limit.h"

#define CLOSED_MOST 60 /* maximum length of a closure in days; a longer one is taken to end then */

struct settings {
    int64_t least_days;
};

static const struct og_param params[] = {
    { .key = "least_days",
      .each_order = true,
      OG_INT(least_days),
      .fallback = "1",
      .least = "0",
      .most = "3650",
      .tighter = OG_TIGHTER_HIGHER,
      .help = "how many days before its expiry a contract must be opened at the latest; counted from the first "
              "session in which the order can fill (after the close: the next one), though an order that rests "
              "may fill later; 0: it may be opened on the day of expiry itself; does not bind exits",
      OG_REFUSES({ .when =
                       "(order.securityType == \"Option\" && order.openClose != \"Close\" || order.securityType == "
                       "\"Mleg\" && "
                       "order.legs.exists(l, l.openClose != \"Close\" && has(l.strike))) && order.daysToExpiry >= 0 && "
                       "order.daysToExpiry < {}",
                   .more = "order.securityType != \"Stock\"" /* after the session's end, orders for which `when` is
                                                              * false are refused */ }),
      .plausible = { .most = "365", .why_high = "most contracts are listed for less than a year: it is in days" } },
};

enum { R_TOO_LATE };

static const struct og_reason reasons[] = {
    [R_TOO_LATE] = { .id = "expiry-too-near",
                     OG_SET_BY_DESK,
                     .says = "{0} expires on {1}, in {2} days{4}{5}; the desk opens it {3} days before at the latest",
                     .help = "take a later expiry, or close instead of opening" },
};

static int64_t number_of(const struct og_eastern *e)
{
    return og_days_from_civil(e->year, e->month, e->day);
}

/* Returns true if an order that is sent now can still fill in today's session. */
static bool is_in_time(const struct og_case *c)
{
    const int64_t t = c->eastern.ns_of_day;

    return c->today.kind != OG_DAY_CLOSED && t <= (c->today.kind == OG_DAY_EARLY ? c->today.closes : OG_DAY_CLOSES) &&
           (c->order->tif != OG_AT_THE_OPENING || t < OG_DAY_OPENS);
}

/* Returns the number of a day: the first session in which an order that is sent now can fill. *date: the same day as a
 * date. Beyond the calendar, every weekday counts as a session. */
static int64_t first_session(const struct og_case *c, int *date)
{
    int64_t number = number_of(&c->eastern);
    struct og_day day = c->today;
    int year, month, of_month, weekday;

    *date = c->eastern.date;
    for (int i = 0; i < CLOSED_MOST && (i == 0 ? !is_in_time(c) : day.kind == OG_DAY_CLOSED); i++) {
        og_civil_from_days(++number, &year, &month, &of_month);
        *date = (year * 100 + month) * 100 + of_month;
        day = og_facts_day(c->facts, *date, og_calendar_look_again(c->days, *date, &weekday));
    }
    return number;
}

static void judge(const struct og_case *c, const struct og_occ *occ, struct og_str symbol, int64_t least,
                  const char *field, struct og_sink *sink)
{
    int64_t expires, from, days;
    int date;
    bool later;

    if (!occ->is || !occ->date_exists)
        return;
    expires = og_days_from_civil(occ->expiry / 10000, occ->expiry / 100 % 100, occ->expiry % 100);
    if (expires < number_of(&c->eastern))
        return;
    from = first_session(c, &date);
    days = expires > from ? expires - from : 0; /* 0 if the contract may expire before that session */
    later = date != c->eastern.date && expires >= from;
    if (days < least)
        OG_FIND(sink, &reasons[R_TOO_LATE], field, og_a_str(symbol), og_a_date(occ->expiry), og_a_int(days),
                og_a_int(least), og_a_text(later ? " from the next session, " : ""),
                later ? og_a_date(date) : og_a_text(""));
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;

    for (int i = 0; o->security != OG_STOCK && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);
        struct og_money opening;

        if (!t.occ->is || (og_case_opening(c, i, &opening) && opening.coef == 0)) /* a close of more than is held is
                                                                                   * checked too */
            continue;
        judge(c, t.occ, t.symbol, s->least_days, o->security == OG_MLEG ? og_leg_pointer(i, OG_LEG_SYMBOL) : "/symbol",
              sink);
        return; /* one finding is enough: all legs have the same expiry */
    }
}

const struct og_rule og_rule_expiry_day = {
    OG_PARTS_OF_FILE(expiry_day),
    .id = "expiry-day",
    .summary = "an option opened too near to its expiry",
    .because = "on its last day an option may become worthless, or be assigned, within minutes",
    .stage = OG_STAGE_FLOW,
    .limit = true,
    .counts = true,
    OG_SETTINGS_OF_FILE,
};
