/*
 * volume-share (920): the order is a large fraction of the average daily volume.  The rule checks only stock, and
 * only stock whose volume is in the facts; it finds nothing in other orders.
 */
#include "rules/limit.h"

struct settings {
    int32_t most; /* the limit: basis points of the average volume */
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "most",
      .each_order = true,
      OG_BPS(most),
      .fallback = "5%",
      .least = "0.01%",
      .most = "1000%",
      .tighter = OG_TIGHTER_LOWER,
      .help = "how much of the average day's volume one order may be, in percent",
      .plausible = { .most = "100", .why_high = "no order is more than the day's whole volume" } },
    OG_EXITS(exits),
};

enum { R_EXCEEDED };

static const struct og_reason reasons[] = {
    [R_EXCEEDED] = { .id = "volume-share-above-limit",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_INFO,
                     .says = "order is {0} shares of {1}, {2} trade on an average day, the desk allows {3} of that",
                     .help = "split the order over the day",
                     .where = "facts averageVolume" },
};

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;
    struct og_money volume, most;

    if (o->security != OG_STOCK || !og_facts_volume(c->facts, o->symbol, &volume) || og_limit_passes(c, s->exits))
        return;
    if (og_need(c, sink, &reasons[R_EXCEEDED], OG_FACT_VOLUME, (struct og_str){ 0 }, "/orderQuantity") &&
        og_money_share(volume, s->most, &most) && og_money_cmp(og_money_from(o->quantity), most) > 0)
        OG_FIND(sink, &reasons[R_EXCEEDED], "/orderQuantity", og_a_int(o->quantity), og_a_str(o->symbol),
                og_a_money(volume), og_a_bps(s->most));
}

const struct og_rule og_rule_volume_share = {
    OG_PARTS_OF_FILE(volume_share),
    .id = "volume-share",
    .summary = "an order is a large part of what trades in a day",
    .because = "an order that is a large part of the market moves the price against itself",
    .stage = OG_STAGE_MARKET,
    .limit = true,
    .counts = true,
    .reads = OG_FACT_VOLUME,
    OG_SETTINGS_OF_FILE,
};
