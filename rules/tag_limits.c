/*
 * tag-limits (928): more orders of one strategy (tag) in a minute or a day than the desk allows it.  Counts the orders
 * with the order's own tag that this gate accepted, also those of other senders and earlier runs on its ledger, and the
 * orders under "gate" in "recent" of the facts.  Overrides by tag give each strategy limits of its own.  An order
 * without a tag has no count of its own, and is refused where a limit is set: it would escape the limits of its
 * strategy.
 */
#include "rules/limit.h"
#include "rules/usage.h"

enum { A_MINUTE, A_DAY, LIMITS };

struct settings {
    int64_t most[LIMITS];
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "a_minute",
      .kind = OG_PARAM_INT,
      .at = offsetof(struct settings, most[A_MINUTE]),
      .fallback = "8192",
      .least = "0",
      .most = "8192",
      .tighter = OG_TIGHTER_LOWER,
      .idle_by = OG_TIGHTER({ .key = "a_day", .rule = OG_PLACE_tag_limits },
                            { .key = "a_minute", .rule = OG_PLACE_order_rate }),
      .help = "how many orders of one strategy may be sent in any minute; 8192 means no limit" },
    { .key = "a_day",
      .kind = OG_PARAM_INT,
      .at = offsetof(struct settings, most[A_DAY]),
      .fallback = OG_UNLIMITED_TEXT,
      .least = "0",
      .most = OG_UNLIMITED_TEXT,
      .tighter = OG_TIGHTER_LOWER,
      .idle_by = OG_TIGHTER({ .key = "a_minute", .rule = OG_PLACE_tag_limits, .times = 1441 },
                            { .key = "a_day", .rule = OG_PLACE_order_rate }),
      .help = "how many orders of one strategy may be sent in a day; 1000000000 means no limit" },
    OG_EXITS(exits),
};

enum { R_MINUTE, R_DAY, R_UNTAGGED };

static const struct og_reason reasons[] = {
    [R_MINUTE] = { .id = "tag-orders-a-minute-above-limit",
                   OG_SET_BY_DESK,
                   .says = "{0} orders of '{2}' within a minute, the desk allows {1}",
                   .help = "send more slowly" },
    [R_DAY] = { .id = "tag-orders-a-day-above-limit",
                OG_SET_BY_DESK,
                .says = "{0} orders of '{2}' today, the desk allows {1}",
                .help = "allow more in the policy, if the desk means to send so many" },
    [R_UNTAGGED] = { .id = "tag-limits-without-tag",
                     OG_SET_BY_DESK,
                     .says = "the order has no tag, so the limits of its strategy cannot be checked",
                     .help = OG_TAG_HELP },
};

/* For each limit, the value that means "no limit", and the time in which orders count. */
static const int64_t none[LIMITS] = { OG_SENT_MOST, OG_UNLIMITED };
static const enum og_span spans[LIMITS] = { OG_LAST_MINUTE, OG_TODAY };

static OG_COLD void count(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    if (og_limit_passes(c, s->exits))
        return;
    if (!c->tag.is.len) {
        OG_FIND0(sink, &reasons[R_UNTAGGED], "/tag");
        return;
    }
    for (int i = 0; i < LIMITS; i++) {
        int64_t sent, as_of;

        if (s->most[i] == none[i])
            continue;
        sent = og_facts_sent_of_tag(c->facts, c->tag.is, spans[i], c->now, c->eastern.date) + 1;
        if (sent > s->most[i])
            OG_FIND(sink, &reasons[i], "/tag", og_a_int(sent), og_a_int(s->most[i]), og_a_str(c->tag.is));
        else if (og_facts_known(c->facts, OG_FACT_GATE, &as_of))
            (void)og_need(c, sink, &reasons[i], OG_FACT_GATE, (struct og_str){ 0 }, "/tag");
    }
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;

    if (s->most[A_MINUTE] != OG_SENT_MOST || s->most[A_DAY] != OG_UNLIMITED)
        count(c, s, sink);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct settings *s = settings;

    for (int i = 0; i < LIMITS; i++)
        OG_EACH_NAME(k, s->most[i] != none[i] ? u->tags : 0)
        {
            const struct og_limit_use use = { .setting = i == A_MINUTE ? "a_minute" : "a_day",
                                              .of = OG_USAGE_TAG,
                                              .name = og_use_name(u->tag, u->tags, k),
                                              .unit = OG_UNIT_ORDERS,
                                              .reads = OG_FACT_GATE,
                                              .window_ns = i == A_MINUTE ? 60 * OG_NS_PER_S : 0 };

            if (s->most[i] != none[i])
                og_use_number(
                    u, use,
                    use.name.len ? og_facts_sent_of_tag(u->facts, use.name, spans[i], u->now, u->eastern->date) : 0,
                    s->most[i]);
        }
}

const struct og_rule og_rule_tag_limits = {
    OG_PARTS_OF_FILE(tag_limits),
    .id = "tag-limits",
    .summary = "more orders of one strategy in a minute or a day than the desk allows it",
    .because = "a strategy that runs away should be stopped before it uses up what the others may send",
    .stage = OG_STAGE_FLOW,
    .limit = true,
    .by_tag = true,
    .lately = true,
    .reads = OG_FACT_GATE,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
