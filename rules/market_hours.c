/*
 * market-hours (201): whether the time of day allows the order.  The service takes market orders from 09:30:00.000 to
 * 16:00:00.000 Eastern, both included, Monday to Friday, and rejects them at other times (R78).  Its document does not
 * mention holidays, so findings that follow from the exchange calendar are warnings or notes.  Eastern time is part of
 * the case; no time zone database is used.
 */
#include "base/error.h"
#include "facts/calendar.h"
#include "rules/rule.h"

#define OPENS          OG_DAY_OPENS
#define CLOSES         OG_DAY_CLOSES
#define EXTENDED_FROM  OG_DAY_AT(4, 0)
#define EXTENDED_TO    OG_DAY_AT(20, 0)
#define OPENING_TO     OG_DAY_AT(9, 25)
#define EXTENDED_EARLY OG_DAY_AT(17, 0) /* time of day at which extended hours end on a day with an early close */

struct settings {
    int64_t margin;
    struct og_string_set closed, holidays, early_closes;
};

static const struct og_param params[] = {
    { .key = "margin",
      OG_DURATION(margin),
      .fallback = "5s",
      .least = "0s",
      .most = "5m",
      .tighter = OG_TIGHTER_HIGHER,
      .finds = "market-near-boundary",
      .help = "how near to the open or the close a market order gets a warning, a duration; 0s: never" },
    { .key = "closed",
      OG_WORDS(closed),
      .fallback = "",
      .words = OG_WORDS_CLOSED_DAYS,
      .help = "dates without a session, in addition to those of the exchange calendar (which ends " OG_CALENDAR_ENDS
              "), YYYY-MM-DD" },
    { .key = "holidays",
      OG_WORDS(holidays),
      .fallback = "",
      .words = OG_WORDS_CLOSED_DAYS,
      .help = "an older name of the setting closed" },
    { .key = "early_closes",
      OG_WORDS(early_closes),
      .fallback = "",
      .words = OG_WORDS_EARLY_CLOSES,
      .help = "dates on which the session ends at 13:00 Eastern, in addition to those of the exchange calendar, "
              "YYYY-MM-DD" },
};

enum {
    R_OUTSIDE,
    R_HOLIDAY,
    R_NEAR,
    R_QUEUES,
    R_AFTER_CLOSE,
    R_NO_SESSION,
    R_EXTENDED,
    R_EXTENDED_OVER,
    R_OPENING_LATE,
    R_OPENING_WINDOW
};

static const struct og_reason reasons[] = {
    [R_OUTSIDE] = { .id = "market-outside-hours",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_WARN,
                    OG_PREDICTS(HOURS, REJECTED, STATED),
                    .predicts.code = "R78",
                    .says = "market order at {0} ET{1}, regular hours are 09:30:00-16:00:00 ET",
                    .help = "send it Monday to Friday within regular hours, or send a limit order",
                    .where = "Q37" },
    [R_HOLIDAY] = { .id = "market-holiday",
                    .level = OG_LEVEL_WARN,
                    .undecided = OG_LEVEL_WARN,
                    OG_PREDICTS(HOURS, REJECTED, READING),
                    .predicts.code = "R78",
                    .says = "market order at {0} ET on {1}, {2}{3}{4}",
                    .help = "send it in the next session; ordergate's exchange calendar ends on " OG_CALENDAR_ENDS
                            "; set other closures with the settings closed and early_closes, or give the fact calendar",
                    .where = "CON-14" },
    [R_NEAR] = { .id = "market-near-boundary",
                 .level = OG_LEVEL_WARN,
                 .undecided = OG_LEVEL_OFF,
                 .exits_pass = true,
                 .predicts = OG_NOT_STATED,
                 .says = "market order at {0} ET, within {1} of {2}: the market may be closed by the broker's clock",
                 .help = "wait, or send a limit order",
                 .where = "Q37" },
    [R_QUEUES] = { .id = "limit-day-queues",
                   .level = OG_LEVEL_INFO,
                   .undecided = OG_LEVEL_OFF,
                   OG_PREDICTS(NONE, ACCEPTED, STATED),
                   .says = "Day limit order sent at {0} ET, before the open: it is queued until 09:30:00 ET",
                   .help = "for the early session use Day_Plus",
                   .where = "M22" },
    [R_AFTER_CLOSE] = { .id = "limit-day-after-close",
                        .level = OG_LEVEL_INFO,
                        .undecided = OG_LEVEL_OFF,
                        .predicts = OG_NOT_STATED,
                        .says = "Day limit order sent at {0} ET{1}: it is queued or refused, the service does not say "
                                "which",
                        .help = "for the late session use Day_Plus; for the next day, send it then",
                        .where = "CON-14" },
    [R_NO_SESSION] = { .id = "limit-day-no-session",
                       .level = OG_LEVEL_INFO,
                       .undecided = OG_LEVEL_INFO,
                       .predicts = OG_NOT_STATED,
                       .says = "Day limit order sent at {0} ET on {1}, {2}{3}{4}: the service does not say what "
                               "becomes of it",
                       .help = "send it in the next session",
                       .where = "CON-14" },
    [R_EXTENDED] = { .id = "extended-hours-rest",
                     .level = OG_LEVEL_INFO,
                     .undecided = OG_LEVEL_OFF,
                     OG_PREDICTS(NONE, ACCEPTED, STATED),
                     .says = "Day_Plus order at {0} ET{1}: it rests into extended hours and may fill there",
                     .help = "for regular hours only, use Day",
                     .where = "M22" },
    [R_EXTENDED_OVER] = { .id = "extended-hours-over",
                          .level = OG_LEVEL_INFO,
                          .undecided = OG_LEVEL_OFF,
                          .says = "Day_Plus order at {0} ET{1}: extended hours are 04:00:00-{2} ET, it waits until "
                                  "they begin",
                          .where = "M22" },
    [R_OPENING_LATE] = { .id = "at-the-opening-late",
                         .level = OG_LEVEL_WARN,
                         .undecided = OG_LEVEL_OFF,
                         .predicts = OG_NOT_STATED,
                         .says = "AtTheOpening order at {0} ET, the opening was at 09:30:00 ET: it likely expires",
                         .help = "send it before the open",
                         .where = "M10" },
    [R_OPENING_WINDOW] = { .id = "at-the-opening-window",
                           .level = OG_LEVEL_WARN,
                           .undecided = OG_LEVEL_OFF,
                           .predicts = OG_NOT_STATED,
                           .says = "AtTheOpening order at {0} ET, such orders are taken from 04:00:00 to 09:25:00 ET",
                           .help = "send it between 04:00 and 09:25 ET, or use another time in force",
                           .where = "SEEN-22" },
};

static bool is_digits(const char *s, size_t len, int *n)
{
    *n = 0;
    for (size_t i = 0; i < len; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        *n = *n * 10 + (s[i] - '0');
    }
    return true;
}

static bool is_date(struct og_str w)
{
    int year, month, day;

    return w.len == 10 && w.s[4] == '-' && w.s[7] == '-' && is_digits(w.s, 4, &year) && is_digits(w.s + 5, 2, &month) &&
           is_digits(w.s + 8, 2, &day) && og_date_exists(year, month, day);
}

static bool all_dates(const char *key, const struct og_string_set *dates, struct og_error *err)
{
    for (size_t i = 0; i < dates->count; i++) {
        struct og_str w = dates->word[i];

        if (!is_date(w)) {
            og_fail(err, OG_EPOLICY, "%s: '%.*s' is not a date, write YYYY-MM-DD", key, (int)w.len, w.s);
            return false;
        }
    }
    return true;
}

/* Returns true if the set has the date.  The settings' dates are texts of ten bytes, which are compared as bytes. */
static bool names(const struct og_string_set *dates, int date)
{
    char text[10];

    for (int i = 9; i >= 0; i--) {
        text[i] = (char)(i == 4 || i == 7 ? '-' : '0' + date % 10);
        if (text[i] != '-')
            date /= 10;
    }
    for (size_t i = 0; i < dates->count; i++)
        if (og_str_eq(dates->word[i], (struct og_str){ text, sizeof text }))
            return true;
    return false;
}

static bool settings_agree(const void *settings, struct og_error *err)
{
    const struct settings *s = settings;

    return all_dates("closed", &s->closed, err) && all_dates("holidays", &s->holidays, err) &&
           all_dates("early_closes", &s->early_closes, err);
}

static bool weekend(const struct og_eastern *e)
{
    return e->weekday == 0 || e->weekday == 6;
}

static bool outside(const struct og_eastern *e)
{
    return weekend(e) || e->ns_of_day < OPENS || e->ns_of_day > CLOSES;
}

/* Returns the weekday, for a message about a weekend: the time alone would look valid at noon on a Saturday. */
static struct og_arg on_weekend(const struct og_eastern *e)
{
    return og_a_text(e->weekday == 6 ? " on a Saturday" : e->weekday == 0 ? " on a Sunday" : "");
}

static bool within(int64_t t, int64_t boundary, int64_t margin)
{
    return margin > 0 && t >= boundary - margin && t <= boundary + margin;
}

/* Returns what kind of day today is, by the calendar, announced closures and settings. */
static struct og_day day_of(const struct og_case *c, const struct settings *s)
{
    int date = c->eastern.date;

    if (c->today.kind == OG_DAY_CLOSED)
        return c->today;
    if ((s->closed.count && names(&s->closed, date)) || (s->holidays.count && names(&s->holidays, date)))
        return (struct og_day){ OG_DAY_CLOSED, 0 };
    if (c->today.kind != OG_DAY_EARLY && s->early_closes.count && names(&s->early_closes, date))
        return (struct og_day){ OG_DAY_EARLY, OG_DAY_CLOSES_EARLY };
    return c->today;
}

/* Returns true if there is no session although the service's own hours may allow orders: on a holiday, or after an
 * early close. */
static bool no_session(const struct og_eastern *e, struct og_day day)
{
    return !weekend(e) && (day.kind == OG_DAY_CLOSED || (day.kind == OG_DAY_EARLY && e->ns_of_day > day.closes));
}

#define NOT_REACHED "ordergate's exchange calendar ends on " OG_CALENDAR_ENDS
/* Three message arguments that say why there is no session. */
#define WHY(day)                                                                               \
    og_a_text((day).kind == OG_DAY_CLOSED ? "a market holiday" : "when the session ends at "), \
        (day).kind == OG_DAY_CLOSED ? og_a_text("") : og_a_clock((day).closes),                \
        og_a_text((day).kind == OG_DAY_CLOSED ? "" : " ET")

static void check_market(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_eastern *e = &c->eastern;
    struct og_day day = day_of(c, s);
    int64_t t = e->ns_of_day;

    if (outside(e))
        OG_FIND(sink, &reasons[R_OUTSIDE], "/orderType", og_a_clock(t), on_weekend(e));
    if (no_session(e, day))
        OG_FIND(sink, &reasons[R_HOLIDAY], "/orderType", og_a_clock(t), og_a_date(e->date), WHY(day));
    else if (day.kind == OG_DAY_UNKNOWN)
        og_unsure(sink, &reasons[R_HOLIDAY], "/orderType", NOT_REACHED);
    if (weekend(e))
        return;
    if (within(t, OPENS, s->margin) || within(t, CLOSES, s->margin))
        OG_FIND(sink, &reasons[R_NEAR], "/orderType", og_a_clock(t), og_a_duration(s->margin),
                og_a_text(within(t, OPENS, s->margin) ? "the open" : "the close"));
}

static void check_extended(const struct og_case *c, struct og_day day, struct og_sink *sink)
{
    const struct og_eastern *e = &c->eastern;
    int64_t t = e->ns_of_day, to = day.kind == OG_DAY_EARLY ? EXTENDED_EARLY : EXTENDED_TO;

    if (outside(e))
        OG_FIND(sink, &reasons[R_EXTENDED], "/timeInForce", og_a_clock(t), on_weekend(e));
    if (day.kind == OG_DAY_CLOSED || t < EXTENDED_FROM || t > to)
        OG_FIND(sink, &reasons[R_EXTENDED_OVER], "/timeInForce", og_a_clock(t),
                weekend(e)                  ? on_weekend(e)
                : day.kind == OG_DAY_CLOSED ? og_a_text(" on a market holiday")
                                            : og_a_text(""),
                og_a_clock(to));
}

static void check_limit(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_eastern *e = &c->eastern;
    struct og_day day = day_of(c, s);

    if (c->order->tif == OG_DAY_PLUS)
        check_extended(c, day, sink);
    if (c->order->tif != OG_DAY)
        return;
    if (no_session(e, day))
        OG_FIND(sink, &reasons[R_NO_SESSION], "/timeInForce", og_a_clock(e->ns_of_day), og_a_date(e->date), WHY(day));
    else if (day.kind == OG_DAY_UNKNOWN)
        og_unsure(sink, &reasons[R_NO_SESSION], "/timeInForce", NOT_REACHED);
    if (!weekend(e) && e->ns_of_day < OPENS)
        OG_FIND(sink, &reasons[R_QUEUES], "/timeInForce", og_a_clock(e->ns_of_day));
    else if (outside(e))
        OG_FIND(sink, &reasons[R_AFTER_CLOSE], "/timeInForce", og_a_clock(e->ns_of_day), on_weekend(e));
}

static OG_NOINLINE void check_time(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_eastern *e = &c->eastern;

    if (c->order->type == OG_MARKET)
        check_market(c, s, sink);
    else if (c->order->type == OG_LIMIT)
        check_limit(c, s, sink);
    if (c->order->tif != OG_AT_THE_OPENING || day_of(c, s).kind == OG_DAY_CLOSED)
        return;
    if (e->ns_of_day >= OPENS)
        OG_FIND(sink, &reasons[R_OPENING_LATE], "/timeInForce", og_a_clock(e->ns_of_day));
    else if (e->ns_of_day < EXTENDED_FROM || e->ns_of_day > OPENING_TO)
        OG_FIND(sink, &reasons[R_OPENING_WINDOW], "/timeInForce", og_a_clock(e->ns_of_day));
}

/* Returns true in the middle of a full session: the rule can then find only that the time for orders at the opening is
 * over. */
static inline bool is_amid(const struct og_case *c, const struct settings *s)
{
    int64_t t = c->eastern.ns_of_day;

    return c->today.kind == OG_DAY_FULL && !(s->closed.count | s->holidays.count | s->early_closes.count) &&
           t > OPENS + s->margin && t < CLOSES - s->margin;
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;

    if (c->order->tif == OG_AT_THE_OPENING || !is_amid(c, s))
        check_time(c, s, sink);
}

const struct og_rule og_rule_market_hours = {
    OG_PARTS_OF_FILE(market_hours),
    .id = "market-hours",
    .summary = "the time of day does not suit the order",
    .because = "a market order outside regular hours is rejected, and a limit order may rest where nobody expected it",
    .stage = OG_STAGE_MARKET,
    OG_SETTINGS_OF_FILE,
    .settings_agree = settings_agree,
};
