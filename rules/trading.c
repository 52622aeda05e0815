/*
 * trading (901): whether orders may be sent at all, as the sender's own facts ("gate") say: on, reduce-only, halted,
 * halted-all.  Reduce-only and halted stop orders that open; halted-all stops everything.  Without such facts trading
 * is on: a sender that can halt says so in its facts, or by the flag of `ordergate halt`, which no policy can turn off
 * (check/check.c).  If these facts are too old, the finding is unsure.
 */
#include "rules/limit.h"

struct settings {
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "exits",
      OG_CHOICE(exits),
      .fallback = "pass",
      .choices = og_exits,
      .tighter = OG_TIGHTER_HIGHER,
      .aside = true,
      .help =
          "whether a halt also stops orders that only reduce what is held; the state reduce-only never stops them" },
};

enum { R_REDUCE_ONLY, R_HALTED };

static const struct og_reason reasons[] = {
    [R_REDUCE_ONLY] = { .id = "trading-reduce-only",
                        .level = OG_LEVEL_REFUSE,
                        .undecided = OG_LEVEL_WARN,
                        .says = "trading is reduce-only{0}; the order opens",
                        .help = "close what is held, or wait until trading is on again",
                        .where = "facts gate.trading" },
    [R_HALTED] = { .id = "trading-halted",
                   .level = OG_LEVEL_REFUSE,
                   .undecided = OG_LEVEL_WARN,
                   .says = "trading is {0}{1}",
                   .help = "ordergate resume lets orders go again",
                   .where = "facts gate.trading" },
};

/* Returns since when, by whom and why trading is halted, as the end of a sentence; if that is not known, where it is
 * told. */
static const char *since(const struct og_case *c, enum og_trading told)
{
    if (told > c->halt)
        return ", as gate.trading of the facts says";
    return c->halt_since[0] ? c->halt_since : "; ordergate status tells since when, by whom and why";
}

static OG_NOINLINE void check_told(const struct og_case *c, const struct settings *s, bool gate, struct og_sink *sink)
{
    enum og_trading told = og_facts_trading(c->facts), trading = told > c->halt ? told : c->halt;

    if (trading == OG_TRADING_HALTED_ALL)
        OG_FIND(sink, &reasons[R_HALTED], "", og_a_text("halted for orders that close too"), og_a_text(since(c, told)));
    else if (trading == OG_TRADING_HALTED && !og_limit_passes(c, s->exits))
        OG_FIND(sink, &reasons[R_HALTED], "", og_a_text("halted"), og_a_text(since(c, told)));
    else if (trading == OG_TRADING_REDUCE_ONLY && !og_case_reduces(c))
        OG_FIND(sink, &reasons[R_REDUCE_ONLY], "/openClose", og_a_text(since(c, told)));
    else if (gate && !og_case_reduces(c))
        (void)og_need(c, sink, &reasons[R_HALTED], OG_FACT_GATE, (struct og_str){ 0 }, "");
}

/* Check whether trading is on: it is on unless the sender's facts ("gate") or a halt flag say that it is not. */
static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    int64_t as_of;
    bool gate = og_facts_known(c->facts, OG_FACT_GATE, &as_of);

    if (gate || c->halt)
        check_told(c, settings, gate, sink);
}

const struct og_rule og_rule_trading = {
    OG_PARTS_OF_FILE(trading),
    .id = "trading",
    .summary = "trading is halted, or only orders that reduce are allowed",
    .because = "a halt must stop every program that sends orders",
    .stage = OG_STAGE_FORM,
    .unwaivable = true,
    .limit = true,
    .only = OG_TRAIT_GATE,
    .reads = OG_FACT_GATE,
    OG_SETTINGS_OF_FILE,
};
