/*
 * order-rate (909): more orders in a second, a minute or a day than the desk allows.  Counts the orders that this gate
 * accepted, each at the time at which it left or, if it was not sent, was accepted; and the orders under "gate" in
 * the facts.  A day is a day in New York. Orders are refused, never delayed.
 */
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    int64_t most[OG_SPANS];
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "a_second",
      .kind = OG_PARAM_INT,
      .at = offsetof(struct settings, most[OG_LAST_SECOND]),
      .fallback = "8192",
      .least = "0",
      .most = "8192",
      .tighter = OG_TIGHTER_LOWER,
      .idle_by = OG_TIGHTER({ .key = "a_minute", .rule = OG_PLACE_order_rate },
                            { .key = "a_day", .rule = OG_PLACE_order_rate }),
      .help = "how many orders may be sent in any second; 8192 means no limit",
      OG_REFUSES(
          { .when = "counters.ordersLastSecond >= {}", .exits = OG_EXITS_BY_SETTING, .stale = true, .unsure = true }) },
    { .key = "a_minute",
      .kind = OG_PARAM_INT,
      .at = offsetof(struct settings, most[OG_LAST_MINUTE]),
      .fallback = "8192",
      .least = "0",
      .most = "8192",
      .tighter = OG_TIGHTER_LOWER,
      .idle_by = OG_TIGHTER({ .key = "a_day", .rule = OG_PLACE_order_rate },
                            { .key = "a_second", .rule = OG_PLACE_order_rate, .times = 61 }),
      .help = "how many orders may be sent in any minute; 8192 means no limit",
      OG_REFUSES(
          { .when = "counters.ordersLastMinute >= {}", .exits = OG_EXITS_BY_SETTING, .stale = true, .unsure = true }) },
    { .key = "a_day",
      .kind = OG_PARAM_INT,
      .at = offsetof(struct settings, most[OG_TODAY]),
      .fallback = OG_UNLIMITED_TEXT,
      .least = "0",
      .most = OG_UNLIMITED_TEXT,
      .tighter = OG_TIGHTER_LOWER,
      .idle_by = OG_TIGHTER({ .key = "a_minute", .rule = OG_PLACE_order_rate, .times = 1441 }),
      .help = "how many orders may be sent in a day; 1000000000 means no limit",
      OG_REFUSES(
          { .when = "counters.ordersToday >= {}", .exits = OG_EXITS_BY_SETTING, .stale = true, .unsure = true }) },
    OG_EXITS(exits),
};

static const struct og_reason reasons[] = {
    [OG_LAST_SECOND] = { .id = "orders-a-second-above-limit",
                         OG_SET_BY_DESK,
                         .says = "{0} orders within a second, the desk allows {1}",
                         .help = "send more slowly" },
    [OG_LAST_MINUTE] = { .id = "orders-a-minute-above-limit",
                         OG_SET_BY_DESK,
                         .says = "{0} orders within a minute, the desk allows {1}",
                         .help = "send more slowly" },
    [OG_TODAY] = { .id = "orders-a-day-above-limit",
                   OG_SET_BY_DESK,
                   .says = "{0} orders today, the desk allows {1}",
                   .help = "allow more in the policy, if the desk means to send so many" },
};

/* For each span, the value that means "no limit". */
static const int64_t none[OG_SPANS] = { OG_SENT_MOST, OG_SENT_MOST, OG_UNLIMITED };

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    bool asked = false;
    int64_t as_of, sent;

    for (int span = 0; span < OG_SPANS; span++) {
        if (s->most[span] == none[span] || (!asked && og_limit_passes(c, s->exits)))
            continue;
        asked = true;
        sent = og_facts_sent(c->facts, (enum og_span)span, c->now, c->eastern.date) + 1;
        if (sent > s->most[span])
            OG_FIND(sink, &reasons[span], "", og_a_int(sent), og_a_int(s->most[span]));
        else if (og_facts_known(c->facts, OG_FACT_GATE, &as_of))
            (void)og_need(c, sink, &reasons[span], OG_FACT_GATE, (struct og_str){ 0 }, "");
    }
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    static const char *const keys[OG_SPANS] = { "a_second", "a_minute", "a_day" };
    static const int64_t windows[OG_SPANS] = { OG_NS_PER_S, 60 * OG_NS_PER_S, 0 };
    const struct settings *s = settings;

    for (int span = 0; span < OG_SPANS; span++) {
        const struct og_limit_use use = { .setting = keys[span],
                                          .of = OG_USAGE_ACCOUNT,
                                          .unit = OG_UNIT_ORDERS,
                                          .reads = OG_FACT_GATE,
                                          .window_ns = windows[span] };

        if (s->most[span] != none[span])
            og_use_number(u, use, og_facts_sent(u->facts, (enum og_span)span, u->now, u->eastern->date), s->most[span]);
    }
}

const struct og_rule og_rule_order_rate = {
    OG_PARTS_OF_FILE(order_rate),
    .id = "order-rate",
    .summary = "more orders in a second, a minute or a day than the desk allows",
    .because = "a program that runs away should be stopped by its first hundred orders",
    .stage = OG_STAGE_FLOW,
    .limit = true,
    .lately = true,
    .reads = OG_FACT_GATE,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
