/*
 * occ-symbol (105): whether an option symbol names a contract that can exist.  The service checks only the characters:
 * it accepts a mistyped date or strike, or last month's contract, and the order fails later.  This rule also checks the
 * date by the calendar and the known roots; it does not know which contracts are listed.
 */
#include "facts/calendar.h"
#include "order/roots.h"
#include "rules/rule.h"

#define LAST_SATURDAY 20150131 /* the last Saturday on which contracts may have expired; later ones expire on Fridays */

enum { SUNDAY = 0, THURSDAY = 4, FRIDAY = 5, SATURDAY = 6 };

enum adjusted { ADJUSTED_ALLOW, ADJUSTED_REFUSE };
enum ended { ENDED_WARN, ENDED_REFUSE };

struct settings {
    int64_t months;
    int32_t adjusted, after_last_trade;
};

static const char *const adjusted_choices[] = { "allow", "refuse", NULL };
static const char *const ended_choices[] = { "warn", "refuse", NULL };

#define LONGER OG_DAY_AT(0, 15)

/* Roots of funds whose contracts are traded a quarter of an hour longer than others, on their last day too. Contracts
 * on indexes are traded longer as well, but those that are settled in the evening not on their last day. */
static const char *const longer[] = {
    "DBA", "DBB", "DBC", "DIA", "EEM", "EFA", "FXI",  "IWM", "IWN", "IWO", "IWV",  "IYR",  "KBE",  "KRE",  "LQD",
    "MDY", "MOO", "OEF", "QQQ", "SLX", "SPY", "SVXY", "TLT", "UNG", "UUP", "UVIX", "UVXY", "VIXM", "VIXY", "VXX",
    "VXZ", "XHB", "XLB", "XLE", "XLF", "XLI", "XLK",  "XLP", "XLU", "XLV", "XLY",  "XME",  "XRT",
};

static const struct og_param params[] = {
    { .key = "months",
      OG_INT(months),
      .fallback = "39",
      .least = "1",
      .most = "180",
      .tighter = OG_TIGHTER_LOWER,
      .finds = "option-expiry-far",
      .help = "how many months away an expiry may be without a warning; index options are listed further ahead" },
    { .key = "adjusted",
      OG_CHOICE(adjusted),
      .fallback = "refuse",
      .choices = adjusted_choices,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "whether orders that open adjusted contracts, whose root ends in a digit, are only noted (allow) or "
              "refused (refuse)" },
    { .key = "after_last_trade",
      OG_CHOICE(after_last_trade),
      .fallback = "warn",
      .choices = ended_choices,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "whether an order that opens a contract after its last trade gets a warning or is refused; the last "
              "trade is at the close (or early close) of the last day, for contracts on funds that trade longer (SPY, "
              "QQQ, IWM, DIA, ...) 15 minutes later, and for contracts settled in the morning in the session before; "
              "an order that closes only gets a warning" },
};

enum { R_NOT_OCC, R_EXPIRY, R_STRIKE, R_EXPIRED, R_SETTLED, R_NOT_SESSION, R_NOT_FRIDAY, R_FAR, R_ADJUSTED, R_FLEX };

static const struct og_reason reasons[] = {
    [R_NOT_OCC] = { .id = "option-symbol-not-occ",
                    .level = OG_LEVEL_REFUSE,
                    .predicts = OG_NOT_STATED,
                    .says = "symbol '{0}' is not an option symbol: root, YYMMDD, C or P, and the strike x 1000 in "
                            "8 digits",
                    .help = "for example AAPL260116C00150000; the service would take it and look for a contract of "
                            "that name",
                    .where = "S2" },
    [R_EXPIRY] = { .id = "option-expiry-invalid",
                   .level = OG_LEVEL_REFUSE,
                   .predicts = OG_NOT_STATED,
                   .says = "option symbol '{0}' expires on {1}, which is not a date",
                   .where = "D21" },
    [R_STRIKE] = { .id = "option-strike-zero",
                   .level = OG_LEVEL_REFUSE,
                   .predicts = OG_NOT_STATED,
                   .says = "option symbol '{0}' has a strike of 0",
                   .help = "the last 8 digits are the strike times 1000: 00150000 is 150",
                   .where = "D21" },
    [R_EXPIRED] = { .id = "option-contract-expired",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_OFF,
                    .predicts = OG_NOT_STATED,
                    .says = "option '{0}' expired on {1}, today is {2} {3} ET",
                    .help = "order a contract that has not expired; on the day of expiry itself, an order after the "
                            "last trade gets a warning; with "
                            "after_last_trade: refuse, as in the policy live, an order that opens is refused",
                    .where = "S2" },
    [R_SETTLED] = { .id = "option-last-trade-passed",
                    .level = OG_LEVEL_WARN,
                    .undecided = OG_LEVEL_OFF,
                    .predicts = OG_NOT_STATED,
                    .says = "option '{0}' is settled on the morning of {1}: its last session was {2}",
                    .help =
                        "contracts of SPX, NDX, RUT and VIX trade until the session before their expiry; with "
                        "after_last_trade: refuse, as in the policy live, an order that opens is refused afterwards",
                    .where = "S2" },
    [R_NOT_SESSION] = { .id = "option-expiry-not-session",
                        .level = OG_LEVEL_REFUSE,
                        .undecided = OG_LEVEL_WARN,
                        .predicts = OG_NOT_STATED,
                        .says = "option symbol '{0}' expires on {1}, {2}",
                        .help = "when the third Friday is a holiday the monthly contracts expire on the Thursday",
                        .where = "S2, D21" },
    [R_NOT_FRIDAY] = { .id = "option-expiry-not-friday",
                       .level = OG_LEVEL_INFO,
                       .undecided = OG_LEVEL_OFF,
                       .says = "option symbol '{0}' expires on {1}, which is not a Friday: few underlyings have such "
                               "contracts",
                       .where = "S2" },
    [R_FAR] = { .id = "option-expiry-far",
                .level = OG_LEVEL_WARN,
                .undecided = OG_LEVEL_OFF,
                .says = "option symbol '{0}' expires on {1}, more than {2} months from now",
                .help = "stocks have contracts for about three years; look at the year",
                .where = "S2" },
    [R_ADJUSTED] = { .id = "option-root-adjusted",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_OFF,
                     .predicts = OG_NOT_STATED,
                     .says = "root '{0}' ends in a digit: an adjusted contract, which delivers something else than 100 "
                             "shares",
                     .help =
                         "what the contract costs, covers and yields is then unknown; the setting 'adjusted' allows "
                         "such contracts, and a close only gets a warning; a root that ends in 7 may be a mini of 10 "
                         "shares",
                     .where = "CON-51" },
    [R_FLEX] = { .id = "option-root-flex",
                 .level = OG_LEVEL_REFUSE,
                 .undecided = OG_LEVEL_OFF,
                 .predicts = OG_NOT_STATED,
                 .says = "root '{0}' begins with a digit: a flexible contract, which cannot be ordered here",
                 .help = "a close only gets a warning: the broker may trade what it lists as a position",
                 .where = "S2" },
};

/* The contract of an order or of a leg. */
struct contract {
    struct og_str symbol;
    const struct og_occ *occ;
    const char *field;
    bool closes;
};

static inline bool is_ordinary(const struct og_occ *occ)
{
    return occ->strike != 0 && !og_root_is_flex(occ->root) && !og_root_is_adjusted(occ->root);
}

static void say_flex(const struct contract *x, struct og_sink *sink)
{
    struct og_found *found = OG_FIND(sink, &reasons[R_FLEX], x->field, og_a_str(x->occ->root));

    if (x->closes) /* the order closes: the holder of the contract must be able to end the position */
        found->natural = OG_LEVEL_WARN;
}

static void say_adjusted(const struct contract *x, const struct settings *s, struct og_sink *sink)
{
    struct og_found *found = OG_FIND(sink, &reasons[R_ADJUSTED], x->field, og_a_str(x->occ->root));

    if (s->adjusted == ADJUSTED_ALLOW)
        found->natural = OG_LEVEL_INFO;
    else if (x->closes) /* the order closes: the holder of the contract must be able to sell it */
        found->natural = OG_LEVEL_WARN;
}

static OG_COLD void check_form(const struct contract *x, const struct settings *s, struct og_sink *sink)
{
    if (og_root_is_flex(x->occ->root))
        say_flex(x, sink);
    if (og_root_is_adjusted(x->occ->root))
        say_adjusted(x, s, sink);
    if (x->occ->strike == 0)
        OG_FIND(sink, &reasons[R_STRIKE], x->field, og_a_str(x->symbol));
}

/* Returns the time of day at which trading ends today; an order at exactly this time is still in time. */
static int64_t last_trade(const struct og_case *c)
{
    return c->today.kind == OG_DAY_EARLY ? c->today.closes : OG_DAY_CLOSES;
}

static bool is_traded_longer(const struct og_occ *occ)
{
    if (occ->known && occ->known->in_the_morning)
        return true;
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (og_str_is(occ->root, longer[i]))
            return true;
    return false;
}

/* Returns the level of an order in a contract whose last session `last` is over at the usual time: refuse if the policy
 * says so, the order opens, and the contract is certainly no longer traded. */
static enum og_level level_after(const struct og_case *c, const struct contract *x, const struct settings *s, int last)
{
    const bool over =
        c->eastern.date > last || c->eastern.ns_of_day > last_trade(c) + (is_traded_longer(x->occ) ? LONGER : 0);

    return s->after_last_trade == ENDED_REFUSE && !x->closes && over ? OG_LEVEL_REFUSE : OG_LEVEL_WARN;
}

/* Report a contract that can no longer be traded, or can be traded only until today's close.  Returns true if it was
 * reported. */
static bool check_expired(const struct og_case *c, const struct contract *x, const struct settings *s,
                          struct og_sink *sink)
{
    const struct og_eastern *now = &c->eastern;
    const int expiry = x->occ->expiry;
    const int morning = x->occ->known && x->occ->known->in_the_morning ? og_calendar_session_before(expiry) : 0;
    struct og_found *found;

    if (expiry < now->date || (expiry == now->date && now->ns_of_day > last_trade(c))) {
        found = OG_FIND(sink, &reasons[R_EXPIRED], x->field, og_a_str(x->symbol), og_a_date(expiry),
                        og_a_date(now->date), og_a_clock(now->ns_of_day));
        if (expiry == now->date)
            found->natural = level_after(c, x, s, morning ? morning : expiry);
        return true;
    }
    if (morning == 0 || now->date < morning || (now->date == morning && now->ns_of_day <= last_trade(c)))
        return false;
    OG_FIND(sink, &reasons[R_SETTLED], x->field, og_a_str(x->symbol), og_a_date(expiry), og_a_date(morning))->natural =
        level_after(c, x, s, morning);
    return true;
}

static const char *closed_why(int weekday)
{
    return weekday == SATURDAY ? "a Saturday" : weekday == SUNDAY ? "a Sunday" : "when the exchanges are closed";
}

static int day_after(int date)
{
    int year, month, day;

    og_civil_from_days(og_days_from_civil(date / 10000, date / 100 % 100, date % 100) + 1, &year, &month, &day);
    return year * 10000 + month * 100 + day;
}

/* Returns true for a Friday, and for the day before a Friday on which the exchanges are closed: weekly contracts expire
 * on such days. */
static bool stands_for_friday(int expiry, int weekday)
{
    return weekday == FRIDAY || (weekday == SATURDAY && expiry <= LAST_SATURDAY) ||
           (weekday == THURSDAY && og_calendar_day(day_after(expiry)).kind == OG_DAY_CLOSED);
}

/* Report a contract that expires on a day on which no contract of its root does, or perhaps does not.  Returns true if
 * it was reported. */
static bool check_day(const struct og_case *c, const struct contract *x, struct og_sink *sink)
{
    int expiry = x->occ->expiry, weekday;
    struct og_day calendar = og_calendar_look_again(c->days, expiry, &weekday),
                  day = og_facts_day(c->facts, expiry, calendar);
    struct og_found *found;

    if (day.kind == OG_DAY_UNKNOWN) {
        og_unsure(sink, &reasons[R_NOT_SESSION], x->field, "ordergate's exchange calendar ends on " OG_CALENDAR_ENDS);
    } else if (day.kind == OG_DAY_CLOSED && !(weekday == SATURDAY && expiry <= LAST_SATURDAY)) {
        found = OG_FIND(sink, &reasons[R_NOT_SESSION], x->field, og_a_str(x->symbol), og_a_date(expiry),
                        og_a_text(closed_why(weekday)));
        /* the exchange calendar alone decides: contracts for a day may have been listed before its closure was
         * announced */
        if (calendar.kind != OG_DAY_CLOSED)
            found->natural = OG_LEVEL_WARN;
    } else if (!(x->occ->known && x->occ->known->any_weekday) && !stands_for_friday(expiry, weekday)) {
        OG_FIND(sink, &reasons[R_NOT_FRIDAY], x->field, og_a_str(x->symbol), og_a_date(expiry));
    } else {
        return false;
    }
    return true;
}

static bool is_far(const struct og_eastern *today, int expiry, int64_t months)
{
    int64_t away = (expiry / 10000 - today->year) * 12 + expiry / 100 % 100 - today->month;

    return away > months || (away == months && expiry % 100 > today->day);
}

/* Check the expiry of a contract.  Returns true if there is nothing to report. */
static OG_HOT bool check_expiry(const struct og_case *c, const struct contract *x, const struct settings *s,
                                struct og_sink *sink)
{
    bool odd;

    if (!x->occ->date_exists) {
        OG_FIND(sink, &reasons[R_EXPIRY], x->field, og_a_str(x->symbol), og_a_date(x->occ->expiry));
        return false;
    }
    if (check_expired(c, x, s, sink))
        return false;
    odd = check_day(c, x, sink);
    if ((x->occ->known && x->occ->known->index) || !is_far(&c->eastern, x->occ->expiry, s->months))
        return !odd;
    OG_FIND(sink, &reasons[R_FAR], x->field, og_a_str(x->symbol), og_a_date(x->occ->expiry), og_a_int(s->months));
    return false;
}

static void check_option(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct contract x = { o->symbol, &o->occ, "/symbol", !og_order_may_open(o) };

    if (o->occ.is) {
        if (!is_ordinary(&o->occ))
            check_form(&x, s, sink);
        check_expiry(c, &x, s, sink);
    } else if (og_order_symbol_fits(o)) {
        OG_FIND(sink, &reasons[R_NOT_OCC], x.field, og_a_str(o->symbol));
    }
}

static void check_legs(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    /* the contract of the leg that was found valid last: legs with the same expiry and root are valid too */
    const struct og_occ *good = NULL;

    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *l = &o->leg[i];
        const struct contract x = { l->symbol, &l->occ, og_leg_pointer(i, OG_LEG_SYMBOL),
                                    og_opens(l->open_close) == 0 };

        if (!l->occ.is)
            continue;
        if (!is_ordinary(&l->occ))
            check_form(&x, s, sink);
        if (good && good->expiry == l->occ.expiry && good->known == l->occ.known)
            continue;
        if (check_expiry(c, &x, s, sink))
            good = &l->occ;
    }
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    if (c->order->security == OG_OPTION)
        check_option(c, settings, sink);
    else if (c->order->security == OG_MLEG)
        check_legs(c, settings, sink);
}

const struct og_rule og_rule_occ_symbol = {
    OG_PARTS_OF_FILE(occ_symbol),
    .id = "occ-symbol",
    .summary = "the option symbol does not name a contract that can be traded",
    .because = "the service checks the characters only, so a mistyped contract is found out late or never",
    .stage = OG_STAGE_FORM,
    .securities = 1u << OG_OPTION | 1u << OG_MLEG,
    .refuses = "order.daysToExpiry < 0",
    OG_SETTINGS_OF_FILE,
};
