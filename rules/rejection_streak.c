/*
 * rejection-streak (921): the broker rejected too many orders in a row.  Counts the rejections that this gate saw, and
 * the rejections under "gate" in the sender's own facts. An order that the broker accepts ends the streak.  All reasons
 * of rejection count alike.  With `latch`, the rule goes on refusing until a person resumes (`ordergate resume
 * --latch`), or until the next day.
 */
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    int64_t most;
    int32_t latch, exits;
};

static const struct og_param params[] = {
    { .key = "most",
      OG_INT(most),
      .fallback = "5",
      .least = "0",
      .most = "1000000",
      .tighter = OG_TIGHTER_LOWER,
      .help = "how many orders in a row may be rejected; if more are, further orders are refused" },
    OG_LATCHES_BY(latch),
    OG_EXITS(exits),
};

enum { R_STREAK, R_LATCHED };

static const struct og_reason reasons[] = {
    [R_STREAK] = { .id = "rejections-in-a-row",
                   .level = OG_LEVEL_REFUSE,
                   .undecided = OG_LEVEL_WARN,
                   .says = "{0} orders in a row were rejected, the desk allows {1}",
                   .help = "find out why the orders were rejected before you send more",
                   .where = "facts gate.rejectionsInARow" },
    [R_LATCHED] = { .id = "rejections-latched",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_OFF,
                    OG_SAYS_LATCHED,
                    .help = "find out why; whoever is responsible resumes: ordergate resume --latch NAME --reason TEXT",
                    .where = "facts gate.latches" },
};

static OG_NOINLINE void check_count(const struct og_case *c, const struct settings *s, int64_t count,
                                    struct og_sink *sink)
{
    const struct og_latch *l = og_case_latched(c, OG_LATCH_REJECTIONS, og_money_from(s->most));
    int64_t as_of;

    if (og_limit_passes(c, s->exits))
        return;
    if (l)
        og_find_latched(sink, &reasons[R_LATCHED], "", l, false);
    else if (count > s->most)
        OG_FIND(sink, &reasons[R_STREAK], "", og_a_int(count), og_a_int(s->most));
    else if (og_facts_known(c->facts, OG_FACT_GATE, &as_of))
        (void)og_need(c, sink, &reasons[R_STREAK], OG_FACT_GATE, (struct og_str){ 0 }, "");
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    int64_t count = og_facts_rejections(c->facts), as_of;

    if (count > s->most || og_facts_has_latch(c->facts) || og_facts_known(c->facts, OG_FACT_GATE, &as_of))
        check_count(c, s, count, sink);
}

static void trips(const struct og_facts *f, const void *settings, struct og_trips *to)
{
    const struct settings *s = settings;
    const int64_t count = og_facts_rejections(f);

    if (s->latch != OG_LATCH_OFF && count > s->most)
        og_trip(to, OG_LATCH_REJECTIONS, og_money_from(count), og_money_from(s->most), s->latch == OG_LATCH_RESUMED);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct settings *s = settings;
    const struct og_limit_use use = {
        .setting = "most", .of = OG_USAGE_ACCOUNT, .unit = OG_UNIT_ORDERS, .reads = OG_FACT_GATE
    };

    og_use_number(u, use, og_facts_rejections(u->facts), s->most);
}

const struct og_rule og_rule_rejection_streak = {
    OG_PARTS_OF_FILE(rejection_streak),
    .id = "rejection-streak",
    .summary = "too many orders in a row were rejected",
    .because = "a program whose orders are all rejected is not doing what it was meant to",
    .stage = OG_STAGE_FLOW,
    .limit = true,
    .only = OG_TRAIT_GATE,
    .reads = OG_FACT_GATE,
    .trips = trips,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
