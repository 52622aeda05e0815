/*
 * open-orders (908): there are more working orders than the desk allows, in total or for one symbol.  Orders in flight
 * and of unknown outcome count too, as do orders accepted in this run and orders that close.
 */
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    int64_t in_total, of_symbol;
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "in_total",
      OG_MOST_INT(in_total, "0"),
      .help = "how many orders may be working at a time, this one included; 1000000000 means no limit",
      OG_REFUSES({ .when = "book.openOrders >= {}", .exits = OG_EXITS_BY_SETTING, .stale = true, .unsure = true }) },
    { .key = "of_symbol",
      OG_MOST_INT(of_symbol, "0"),
      .idle_by = OG_TIGHTER({ .key = "in_total", .rule = OG_PLACE_open_orders }),
      .help = "how many orders may be working on one symbol at a time; 1000000000 means no limit" },
    OG_EXITS(exits),
};

enum { R_TOTAL, R_SYMBOL };

static const struct og_reason reasons[] = {
    [R_TOTAL] = { .id = "open-orders-above-limit",
                  OG_SET_BY_DESK,
                  .says = "{0} orders would be open, the desk allows {1}",
                  .help = "wait until some are filled, or cancel some" },
    [R_SYMBOL] = { .id = "open-orders-of-symbol-above-limit",
                   OG_SET_BY_DESK,
                   .says = "{0} orders would be open on {1}, the desk allows {2}",
                   .help = "wait until some are filled, or cancel some" },
};

static inline int64_t open_on(const struct og_holding *h)
{
    return h ? h->working - h->over : 0;
}

static void check_symbol(const struct og_case *c, int64_t most, const struct og_holding *h, struct og_str symbol,
                         const char *field, struct og_sink *sink)
{
    const int64_t here = open_on(h) + 1;

    if (here > most)
        OG_FIND(sink, &reasons[R_SYMBOL], field, og_a_int(here), og_a_str(symbol), og_a_int(most));
    else if (og_need(c, sink, &reasons[R_SYMBOL], OG_FACT_ORDERS, (struct og_str){ 0 }, field) &&
             here + og_facts_totals(c->facts)->legless > most)
        og_unsure(sink, &reasons[R_SYMBOL], field, "it is not known what a working order trades");
}

/* Check the working orders of each leg's symbol: a working spread counts both for its underlying and for the symbols of
 * its legs. */
static OG_NOINLINE void check_legs(const struct og_case *c, int64_t most, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    for (int i = 0; i < o->legs_kept; i++)
        if (o->leg[i].symbol.len && !og_str_eq(o->leg[i].symbol, o->symbol))
            check_symbol(c, most, og_facts_holding(c->facts, o->leg[i].symbol), o->leg[i].symbol,
                         og_leg_pointer(i, OG_LEG_SYMBOL), sink);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    int64_t total = og_facts_totals(c->facts)->orders + INT64_C(1);

    if ((s->in_total == OG_UNLIMITED && s->of_symbol == OG_UNLIMITED) || og_limit_passes(c, s->exits))
        return;
    if (total > s->in_total)
        OG_FIND(sink, &reasons[R_TOTAL], "", og_a_int(total), og_a_int(s->in_total));
    else if (s->in_total != OG_UNLIMITED)
        (void)og_need(c, sink, &reasons[R_TOTAL], OG_FACT_ORDERS, (struct og_str){ 0 }, "");
    if (s->of_symbol == OG_UNLIMITED)
        return;
    check_symbol(c, s->of_symbol, c->holding, c->order->symbol, "/symbol", sink);
    if (c->order->security == OG_MLEG)
        check_legs(c, s->of_symbol, sink);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct settings *s = settings;
    const struct og_totals *t = og_facts_totals(u->facts);
    struct og_limit_use use = { .of = OG_USAGE_ACCOUNT, .unit = OG_UNIT_ORDERS, .reads = OG_FACT_ORDERS };

    use.setting = "in_total";
    if (s->in_total != OG_UNLIMITED)
        og_use_number(u, use, t->orders, s->in_total);
    use.setting = "of_symbol";
    use.of = OG_USAGE_SYMBOL;
    use.at_least = t->legless;
    OG_EACH_NAME(i, s->of_symbol != OG_UNLIMITED ? u->symbols : 0)
    {
        use.name = og_use_name(u->symbol, u->symbols, i);
        if (s->of_symbol != OG_UNLIMITED)
            og_use_number(u, use, open_on(og_facts_holding(u->facts, use.name)), s->of_symbol);
    }
}

const struct og_rule og_rule_open_orders = {
    OG_PARTS_OF_FILE(open_orders),
    .id = "open-orders",
    .summary = "more orders at work than the desk allows",
    .because = "a program that loses track of its orders keeps sending more",
    .stage = OG_STAGE_FLOW,
    .limit = true,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_ORDERS,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
