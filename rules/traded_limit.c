/*
 * traded-limit (922): more was traded than the desk allows, in dollars, shares or contracts, in a day or a sliding
 * window, in the account or on one underlying.  Buys and sells count alike, and so do opening and closing: a round trip
 * counts twice.  An accepted order counts at its worst worth (rule order-notional) until it ends; then what it traded
 * stays, at the price at which it filled.  Orders of unknown outcome count in whole, and so do orders that work on the
 * account whoever sent them, and their fills as far as the order list shows these.  A day is a day in New York.
 * Dollars of a spread are its net, or the most that it can lose, or for a credit that its legs can lose; shares and
 * contracts are counted by leg.
 */
#include "rules/limit.h"
#include "rules/usage.h"

enum unit { DOLLARS, SHARES, CONTRACTS, UNITS };
enum span { DAY, WINDOW, UNDERLYING_DAY, UNDERLYING_WINDOW, SPANS };

struct settings {
    struct og_money dollars[SPANS];
    int64_t shares[SPANS], contracts[SPANS];
    int64_t window;
    int32_t exits;
};

#define UNLIMITED " means no limit"
/* a spread's legs may trade for many times its net */
#define NET  "; a spread counts as a whole, at its net or the most that it can lose, not at what its legs trade for"
#define LEGS "; those of every leg of a spread count"
#define ON_DAY(what, more) \
    .help = "how many " what " may be traded in a day in New York, buys and sells together" more UNLIMITED
#define IN_WINDOW(what, more) \
    .help = "how many " what " may be traded within the window, buys and sells together" more UNLIMITED
#define TODAY(when_) OG_REFUSES({ .when = when_, .exits = OG_EXITS_BY_SETTING, .stale = true, .unsure = true })

static const struct og_param params[] = {
    { .key = "notional",
      OG_MOST_MONEY(dollars[DAY]),
      ON_DAY("dollars", NET "; 1000000000000"),
      TODAY("counters.tradedToday + order.notional > {}") },
    { .key = "shares",
      OG_MOST_INT(shares[DAY], "0"),
      ON_DAY("shares", "; 1000000000"),
      OG_REFUSES({ .when = "order.securityType == \"Stock\" && counters.sharesTradedToday + order.orderQuantity > {}",
                   .exits = OG_EXITS_BY_SETTING,
                   .stale = true,
                   .unsure = true,
                   .more = "order.securityType == \"Mleg\"" }) },
    { .key = "contracts",
      OG_MOST_INT(contracts[DAY], "0"),
      ON_DAY("contracts", LEGS "; 1000000000"),
      TODAY("order.contracts > 0 && counters.contractsTradedToday + order.contracts > {}") },
    { .key = "window",
      .aside = true,
      OG_DURATION(window),
      .fallback = "5m",
      .least = "1s",
      .most = "24h",
      .tighter = OG_TIGHTER_HIGHER,
      .plausible = { .least = "1000000000", .why_low = "hardly anything is traded in so short a time" },
      .help = "how far back the settings that begin with window_ count, a duration" },
    { .key = "window_notional", OG_MOST_MONEY(dollars[WINDOW]), IN_WINDOW("dollars", NET "; 1000000000000") },
    { .key = "window_shares", OG_MOST_INT(shares[WINDOW], "0"), IN_WINDOW("shares", "; 1000000000") },
    { .key = "window_contracts", OG_MOST_INT(contracts[WINDOW], "0"), IN_WINDOW("contracts", LEGS "; 1000000000") },
    { .key = "underlying_notional",
      OG_MOST_MONEY(dollars[UNDERLYING_DAY]),
      .idle_by = OG_TIGHTER({ .key = "notional", .rule = OG_PLACE_traded_limit }),
      ON_DAY("dollars", ", on one underlying with its options" NET "; 1000000000000") },
    { .key = "underlying_shares",
      OG_MOST_INT(shares[UNDERLYING_DAY], "0"),
      .idle_by = OG_TIGHTER({ .key = "shares", .rule = OG_PLACE_traded_limit }),
      ON_DAY("shares", ", on one underlying; 1000000000") },
    { .key = "underlying_contracts",
      OG_MOST_INT(contracts[UNDERLYING_DAY], "0"),
      .idle_by = OG_TIGHTER({ .key = "contracts", .rule = OG_PLACE_traded_limit }),
      ON_DAY("contracts", ", on one underlying" LEGS "; 1000000000") },
    { .key = "underlying_window_notional",
      OG_MOST_MONEY(dollars[UNDERLYING_WINDOW]),
      .idle_by = OG_TIGHTER({ .key = "window_notional", .rule = OG_PLACE_traded_limit }),
      IN_WINDOW("dollars", ", on one underlying with its options" NET "; 1000000000000") },
    { .key = "underlying_window_shares",
      OG_MOST_INT(shares[UNDERLYING_WINDOW], "0"),
      .idle_by = OG_TIGHTER({ .key = "window_shares", .rule = OG_PLACE_traded_limit }),
      IN_WINDOW("shares", ", on one underlying; 1000000000") },
    { .key = "underlying_window_contracts",
      OG_MOST_INT(contracts[UNDERLYING_WINDOW], "0"),
      .idle_by = OG_TIGHTER({ .key = "window_contracts", .rule = OG_PLACE_traded_limit }),
      IN_WINDOW("contracts", ", on one underlying" LEGS "; 1000000000") },
    OG_EXITS(exits),
};

#define HELP_DAY    "wait until tomorrow, cancel orders that work, or allow more in the policy"
#define HELP_WINDOW "wait, cancel orders that work, or allow more in the policy"

static const struct og_reason reasons[] = {
    [DAY] = { .id = "traded-day",
              OG_SET_BY_DESK,
              .says = "{0} {1} would be traded today, the desk allows {2}",
              .help = HELP_DAY },
    [WINDOW] = { .id = "traded-window",
                 OG_SET_BY_DESK,
                 .says = "{0} {1} would be traded within {3}, the desk allows {2}",
                 .help = HELP_WINDOW },
    [UNDERLYING_DAY] = { .id = "traded-day-underlying",
                         OG_SET_BY_DESK,
                         .says = "{0} {1} would be traded on {4} today, the desk allows {2}",
                         .help = HELP_DAY },
    [UNDERLYING_WINDOW] = { .id = "traded-window-underlying",
                            OG_SET_BY_DESK,
                            .says = "{0} {1} would be traded on {4} within {3}, the desk allows {2}",
                            .help = HELP_WINDOW },
};

#define FIELD "/orderQuantity"

static struct og_str underlying_of(const struct og_order *o)
{
    return o->occ.is ? o->occ.root : o->symbol;
}

/* Set *most to the limit of a span and unit; returns false if there is none. */
static bool limit_of(const struct settings *s, int span, enum unit unit, struct og_money *most)
{
    *most = unit == DOLLARS ? s->dollars[span] : og_money_from(unit == SHARES ? s->shares[span] : s->contracts[span]);
    return unit == DOLLARS ? !og_is_unlimited(*most) : most->coef != OG_UNLIMITED;
}

/* Returns true if the order trades something of this unit, so that the limit applies. */
static bool adds(const struct og_order *o, enum unit unit)
{
    bool stock = o->security == OG_STOCK;

    for (int i = 0; o->security == OG_MLEG && i < o->legs_kept; i++)
        stock = stock || !o->leg[i].occ.is;
    return unit == DOLLARS || (unit == SHARES ? stock : og_order_contracts(o) > 0);
}

/* own: what the order trades; with: what was traded in a span, and this order. */
struct sums {
    struct og_traded own, with;
    enum og_worth worth;
};

/* Set *sum to what was traded in a span.  root: on this underlying; empty: in the account. */
static void traded_in(const struct og_facts *f, const struct settings *s, int span, struct og_str root, int64_t now,
                      int date, struct og_traded *sum)
{
    if (span == DAY || span == UNDERLYING_DAY)
        og_facts_traded_on(f, root, date, sum);
    else
        og_facts_traded_since(f, root, now - s->window, sum);
}

/* Returns how much of a unit was traded, in hundredths of the unit. */
static og_wide amount_of(const struct og_traded *t, enum unit unit)
{
    return unit == DOLLARS ? t->cents : (og_wide)(unit == SHARES ? t->shares : t->contracts) * 100;
}

static void add_up(const struct og_case *c, const struct settings *s, int span, struct sums *sums)
{
    const struct og_str root = span >= UNDERLYING_DAY ? underlying_of(c->order) : (struct og_str){ NULL, 0 };

    traded_in(c->facts, s, span, root, c->now, c->eastern.date, &sums->with);
    og_traded_add(&sums->with, &sums->own, 1);
}

/* Make an unsure finding if it is not known whether the limit is exceeded. */
static OG_NOINLINE void check_known(const struct og_case *c, int span, enum unit unit, const struct sums *sums,
                                    struct og_sink *sink)
{
    const struct og_reason *r = &reasons[span];
    int64_t as_of;

    if (unit == DOLLARS && sums->worth != OG_WORTH_KNOWN)
        og_unsure_worth(c, sink, r, FIELD, sums->worth);
    else if (unit == DOLLARS ? sums->with.unpriced > sums->own.unpriced : sums->with.unsized)
        og_unsure(sink, r, FIELD, "it is not known how much another order traded or may still trade");
    else if (og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, FIELD) && span == DAY &&
             og_facts_known(c->facts, OG_FACT_GATE, &as_of))
        (void)og_need(c, sink, r, OG_FACT_GATE, (struct og_str){ 0 }, FIELD);
}

/* Check the limits of one span.  Returns after the first that is exceeded, or may be. */
static void check_span(const struct og_case *c, const struct settings *s, int span, struct sums *sums,
                       struct og_sink *sink)
{
    static const char *const names[] = { "dollars", "shares", "contracts" };
    bool added = false;
    struct og_money most;

    for (int unit = DOLLARS; unit < UNITS; unit++) {
        og_wide sum;

        if (!limit_of(s, span, (enum unit)unit, &most) || !adds(c->order, (enum unit)unit))
            continue;
        if (!added)
            add_up(c, s, span, sums);
        added = true;
        sum = amount_of(&sums->with, (enum unit)unit);
        if (og_cents_exceed(sum, most))
            OG_FIND(sink, &reasons[span], FIELD, og_a_money(og_dollars(sum)), og_a_text(names[unit]), og_a_money(most),
                    og_a_duration(s->window), og_a_str(underlying_of(c->order)));
        else
            check_known(c, span, (enum unit)unit, sums, sink);
    }
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;
    struct sums sums = { .worth = OG_WORTH_NONE };
    int64_t cents = 0;

    if (o->quantity <= 0 || og_limit_passes(c, s->exits))
        return;
    sums.worth = og_case_traded(c, &cents);
    sums.own = og_facts_trades_of(o, o->quantity, sums.worth == OG_WORTH_KNOWN ? cents : OG_AT_LEAST(cents));
    for (int span = 0; span < SPANS; span++)
        check_span(c, s, span, &sums, sink);
}

static void put_span(const struct og_usage_case *u, const struct settings *s, int span, struct og_str root)
{
    static const char *const keys[SPANS][UNITS] = {
        { "notional", "shares", "contracts" },
        { "window_notional", "window_shares", "window_contracts" },
        { "underlying_notional", "underlying_shares", "underlying_contracts" },
        { "underlying_window_notional", "underlying_window_shares", "underlying_window_contracts" },
    };
    static const enum og_usage_unit units[UNITS] = { OG_UNIT_DOLLARS, OG_UNIT_SHARES, OG_UNIT_CONTRACTS };
    struct og_traded t = { .cents = 0 };

    if (span < UNDERLYING_DAY || root.len)
        traded_in(u->facts, s, span, root, u->now, u->eastern->date, &t);
    for (int unit = DOLLARS; unit < UNITS; unit++) {
        struct og_limit_use use = { .setting = keys[span][unit],
                                    .of = span < UNDERLYING_DAY ? OG_USAGE_ACCOUNT : OG_USAGE_UNDERLYING,
                                    .name = root,
                                    .unit = units[unit],
                                    .used = og_dollars(amount_of(&t, (enum unit)unit)),
                                    .reads = OG_FACT_ORDERS | OG_FACT_GATE,
                                    .at_least = unit == DOLLARS ? t.unpriced : t.unsized,
                                    .window_ns = span == WINDOW || span == UNDERLYING_WINDOW ? s->window : 0 };

        if (limit_of(s, span, (enum unit)unit, &use.allowed))
            og_use_put(u, &use);
    }
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    for (int span = 0; span < UNDERLYING_DAY; span++)
        put_span(u, settings, span, (struct og_str){ NULL, 0 });
    for (int span = UNDERLYING_DAY; span < SPANS; span++)
        OG_EACH_NAME(i, u->underlyings)
    put_span(u, settings, span, og_use_name(u->underlying, u->underlyings, i));
}

const struct og_rule og_rule_traded_limit = {
    OG_PARTS_OF_FILE(traded_limit),
    .id = "traded-limit",
    .summary = "more dollars, shares or contracts were traded in a day or a window than the desk allows",
    .because = "positions that are opened and closed again never grow, while each trade may go wrong and costs money",
    .stage = OG_STAGE_FLOW,
    .limit = true,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_QUOTE | OG_FACT_POSITIONS | OG_FACT_ORDERS | OG_FACT_GATE,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
