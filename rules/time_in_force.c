/*
 * time-in-force (502): which times in force an order of its kind may have.  For live accounts both multi-leg routes
 * advertise only Day; for paper accounts the service accepts all eight.  Day_Plus and GTC_Plus were seen to accept only
 * limit orders, though the service's document does not say so.  The times in force of a named route are checked by rule
 * route.
 */
#include "rules/rule.h"

enum { R_MLEG, R_EXTENDED };

static const struct og_reason reasons[] = {
    [R_MLEG] = { .id = "mleg-time-in-force",
                 .level = OG_LEVEL_REFUSE,
                 .undecided = OG_LEVEL_OFF,
                 OG_PREDICTS(LIVE_ASYNC, ASYNC, STATED),
                 .says = "multi-leg order with time in force {0}, multi-leg routes take Day",
                 .help = "use Day, and send it again the next day",
                 .where = "T16, CON-5" },
    [R_EXTENDED] = { .id = "extended-not-limit",
                     .level = OG_LEVEL_WARN,
                     .undecided = OG_LEVEL_OFF,
                     .predicts = OG_NOT_STATED,
                     .says = "{0} order with time in force {1}, which takes limit orders only",
                     .help = "send a Limit order, or use Day or GoodTillCancel",
                     .where = "SEEN-22" },
};

static OG_COLD void found_beyond_day(const struct og_case *c, struct og_sink *sink)
{
    struct og_found *found = OG_FIND(sink, &reasons[R_MLEG], "/timeInForce", og_a_text(og_tif_name(c->order->tif)));

    if (og_case_is_paper(c)) {
        found->natural = OG_LEVEL_INFO;
        found->predicts.channel = OG_CHANNEL_ACCEPTED;
    }
}

static OG_COLD void found_extended(const struct og_case *c, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    OG_FIND(sink, &reasons[R_EXTENDED], "/timeInForce", og_a_text(og_order_type_name(o->type)),
            og_a_text(og_tif_name(o->tif)));
    if (og_case_is_paper(c))
        og_found_last(sink)->natural = OG_LEVEL_INFO;
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    (void)settings;
    if (o->security == OG_MLEG && o->tif != OG_TIF_NONE && o->tif != OG_DAY)
        found_beyond_day(c, sink);
    else if ((o->tif == OG_DAY_PLUS || o->tif == OG_GTC_PLUS) && o->type != OG_LIMIT && o->type != OG_TYPE_NONE)
        found_extended(c, sink);
}

const struct og_rule og_rule_time_in_force = {
    OG_PARTS_OF_FILE(time_in_force),
    .id = "time-in-force",
    .summary = "the time in force does not suit the kind of order",
    .because = "a multi-leg order that should last beyond the day is acknowledged and then rejected",
    .stage = OG_STAGE_ACCOUNT,
    .only = OG_TRAIT_ODD,
};
