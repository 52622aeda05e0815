/*
 * option-contracts (904): more option contracts than the desk allows, in one order and in total.  Each leg of a spread
 * counts, times its ratio.  The total includes contracts that are held, contracts of orders that are working, in
 * flight or of unknown outcome, and contracts of this order. Longs and shorts are added, not netted.
 */
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    int64_t an_order, in_total;
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "an_order",
      .each_order = true,
      OG_MOST_INT(an_order, "1"),
      .idle_by = OG_TIGHTER({ .key = "in_total", .rule = OG_PLACE_option_contracts, .shown = OG_OPTION }),
      .help = "how many contracts one order may trade, all legs together; 1000000000 means no limit",
      OG_REFUSES({ .when = "order.contracts > {}", .exits = OG_EXITS_BY_SETTING }) },
    { .key = "in_total",
      OG_MOST_INT(in_total, "0"),
      .help = "how many contracts may be held and in working orders, this order included; 1000000000 means no limit" },
    OG_EXITS(exits),
};

enum { R_ORDER, R_TOTAL };

static const struct og_reason reasons[] = {
    [R_ORDER] = { .id = "contracts-above-limit",
                  .level = OG_LEVEL_REFUSE,
                  .says = "order trades {0} contracts, the desk allows {1} in one order",
                  .help = "split the order, or allow more in the policy",
                  .where = "policy" },
    [R_TOTAL] = { .id = "contracts-total-above-limit",
                  OG_SET_BY_DESK,
                  .says = "{0} contracts with this order, the desk allows {1} held and working",
                  .help = "close contracts or cancel working orders first, or allow more in the policy" },
};

/* Returns the number of contracts that the order opens, in the worst case. */
static int64_t opening_of(const struct og_case *c)
{
    const struct og_order *o = c->order;
    struct og_money size;
    int64_t opening = 0;

    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (o->security == OG_OPTION || t.occ->is)
            opening += og_case_opening(c, i, &size) ? og_money_floor(size) : t.size;
    }
    return opening;
}

/* Returns the contracts that are held and that working orders open. */
static og_wide held_and_working(const struct og_facts *f)
{
    const struct og_totals *t = og_facts_totals(f);
    int64_t as_of;

    return t->contracts + (og_facts_known(f, OG_FACT_POSITIONS, &as_of) ? t->over : 0);
}

static void check_total(const struct og_case *c, int64_t most, int64_t opening, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_TOTAL];
    const struct og_totals *t = og_facts_totals(c->facts);
    og_wide total = held_and_working(c->facts) + opening;

    if (total > most) /* the known contracts alone exceed the limit */
        OG_FIND(sink, r, "/orderQuantity", og_a_int(total > INT64_MAX ? INT64_MAX : (int64_t)total), og_a_int(most));
    else if (og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, "/orderQuantity") &&
             og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, "/orderQuantity") && t->unsized)
        og_unsure(sink, r, "/orderQuantity",
                  t->legless ? "it is not known what a working order trades"
                             : "the size of a working order is not known");
}

static OG_NOINLINE void check_limits(const struct og_case *c, const struct settings *s, int64_t all,
                                     struct og_sink *sink)
{
    int64_t opening;

    if (og_limit_passes(c, s->exits))
        return;
    if (all > s->an_order)
        OG_FIND(sink, &reasons[R_ORDER], "/orderQuantity", og_a_int(all), og_a_int(s->an_order));
    if (s->in_total != OG_UNLIMITED && (opening = opening_of(c)) > 0)
        check_total(c, s->in_total, opening, sink);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    int64_t all;

    if (s->an_order == OG_UNLIMITED && s->in_total == OG_UNLIMITED)
        return;
    og_sized(c);
    all = og_order_contracts(c->order);
    if (all > s->an_order || s->in_total != OG_UNLIMITED)
        check_limits(c, s, all, sink);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct settings *s = settings;
    const struct og_limit_use use = { .setting = "in_total",
                                      .of = OG_USAGE_ACCOUNT,
                                      .unit = OG_UNIT_CONTRACTS,
                                      .reads = OG_FACT_POSITIONS | OG_FACT_ORDERS,
                                      .at_least = og_facts_totals(u->facts)->unsized };

    if (s->in_total != OG_UNLIMITED)
        og_use_number(u, use, held_and_working(u->facts), s->in_total);
}

const struct og_rule og_rule_option_contracts = {
    OG_PARTS_OF_FILE(option_contracts),
    .id = "option-contracts",
    .summary = "more option contracts than the desk allows",
    .because = "one contract stands for a hundred shares, and one spread for several contracts",
    .stage = OG_STAGE_ACCOUNT,
    .securities = 1u << OG_OPTION | 1u << OG_MLEG,
    .limit = true,
    .limits_size = OG_LIMITS_ORDERS,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_POSITIONS | OG_FACT_ORDERS,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
