/*
 * expiry-day (918): options that are opened on, or shortly before, their expiry.  Counts calendar days from the present
 * day in New York.  Orders that only reduce pass.  Contracts whose date does not exist are reported by occ-symbol.
 */
#include "rules/limit.h"

struct settings {
    int64_t least_days;
};

static const struct og_param params[] = {
    { .key = "least_days",
      OG_INT(least_days),
      .fallback = "1",
      .least = "0",
      .most = "3650",
      .tighter = OG_TIGHTER_HIGHER,
      .help =
          "how many days before its expiry a contract may be opened at the latest, counted from the day in New York on "
          "which the order is sent, since an order that rests may fill later; 0: on the day of expiry itself",
      OG_REFUSES({ .when =
                       "(order.securityType == \"Option\" && order.openClose != \"Close\" || order.securityType == "
                       "\"Mleg\" && "
                       "order.legs.exists(l, l.openClose != \"Close\" && has(l.strike))) && order.daysToExpiry >= 0 && "
                       "order.daysToExpiry < {}" }),
      .plausible = { .most = "365", .why_high = "most contracts are listed for less than a year: it is in days" } },
};

enum { R_TOO_LATE };

static const struct og_reason reasons[] = {
    [R_TOO_LATE] = { .id = "expiry-too-near",
                     OG_SET_BY_DESK,
                     .says = "{0} expires on {1}, in {2} days; the desk opens it {3} days before at the latest",
                     .help = "take a later expiry, or close instead of opening" },
};

static void judge(const struct og_case *c, const struct og_occ *occ, struct og_str symbol, int64_t least,
                  const char *field, struct og_sink *sink)
{
    int64_t days;

    if (!occ->is || !occ->date_exists)
        return;
    days = og_days_from_civil(occ->expiry / 10000, occ->expiry / 100 % 100, occ->expiry % 100) -
           og_days_from_civil(c->eastern.year, c->eastern.month, c->eastern.day);
    if (days >= 0 && days < least)
        OG_FIND(sink, &reasons[R_TOO_LATE], field, og_a_str(symbol), og_a_date(occ->expiry), og_a_int(days),
                og_a_int(least));
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;

    for (int i = 0; o->security != OG_STOCK && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);
        struct og_money opening;

        if (!t.occ->is || (og_case_opening(c, i, &opening) && opening.coef == 0)) /* a close counts too, by the part
                                                                                   * that exceeds what is held */
            continue;
        judge(c, t.occ, t.symbol, s->least_days, o->security == OG_MLEG ? og_leg_pointer(i, OG_LEG_SYMBOL) : "/symbol",
              sink);
        return; /* one finding is enough: all legs expire together */
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
