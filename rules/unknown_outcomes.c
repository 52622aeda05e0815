/*
 * unknown-outcomes (929): the outcome of too many orders of the account is unknown: their POSTs left, the answers were
 * lost, and the broker has not shown the orders since.  Counts the orders that this gate sent, those of the other
 * senders and earlier runs on its ledger, and those under "gate" in "unknown" of the facts.  An order counts until the
 * broker shows it, until it is proved absent, or until a person says what became of it (`ordergate ledger resolve`).
 */
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    int64_t most;
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "most",
      OG_INT(most),
      .fallback = "0",
      .least = "0",
      .most = "1000000",
      .tighter = OG_TIGHTER_LOWER,
      .help = "how many orders may have an unknown outcome; if more have, further orders are refused" },
    OG_EXITS(exits),
};

enum { R_UNKNOWN };

static const struct og_reason reasons[] = {
    [R_UNKNOWN] = { .id = "outcomes-unknown",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_WARN,
                    .says = "orders of unknown outcome: {0}, the desk allows {1}",
                    .help = "each is looked up until the broker shows what became of it; if you know that, say so: "
                            "ordergate ledger resolve ID --as OUTCOME --reason TEXT",
                    .where = "facts gate.unknown" },
};

#define NAMED 4 /* maximum number of ids that a message names */

static void name_them(const struct og_case *c, int64_t count, struct og_sink *sink)
{
    struct og_str id[NAMED];
    const int named = og_facts_unknown_ids(c->facts, id, NAMED);

    for (int i = 0; i < named; i++)
        og_found_add(sink, i ? ", '{0}'" : ": '{0}'", (const struct og_arg[]){ og_a_str(id[i]) }, 1);
    if (named && count > named)
        og_found_add(sink, " and {0} more", (const struct og_arg[]){ og_a_int(count - named) }, 1);
}

static OG_NOINLINE void check_count(const struct og_case *c, const struct settings *s, int64_t count,
                                    struct og_sink *sink)
{
    int64_t as_of;

    if (og_limit_passes(c, s->exits))
        return;
    if (count > s->most) {
        OG_FIND(sink, &reasons[R_UNKNOWN], "", og_a_int(count), og_a_int(s->most));
        name_them(c, count, sink);
    } else if (og_facts_known(c->facts, OG_FACT_GATE, &as_of)) {
        (void)og_need(c, sink, &reasons[R_UNKNOWN], OG_FACT_GATE, (struct og_str){ 0 }, "");
    }
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const int64_t count = og_facts_unknown_outcomes(c->facts);
    int64_t as_of;

    if (count > s->most || og_facts_known(c->facts, OG_FACT_GATE, &as_of))
        check_count(c, s, count, sink);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct settings *s = settings;
    const struct og_limit_use use = {
        .setting = "most", .of = OG_USAGE_ACCOUNT, .unit = OG_UNIT_ORDERS, .reads = OG_FACT_GATE
    };

    og_use_number(u, use, og_facts_unknown_outcomes(u->facts), s->most);
}

const struct og_rule og_rule_unknown_outcomes = {
    OG_PARTS_OF_FILE(unknown_outcomes),
    .id = "unknown-outcomes",
    .summary = "the outcome of too many orders is unknown",
    .because = "while nobody knows what was sent, each further order may be one too many",
    .stage = OG_STAGE_FLOW,
    .limit = true,
    .only = OG_TRAIT_GATE,
    .reads = OG_FACT_GATE,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
