/*
 * opposite-orders (701): opening long and short in one traded symbol at the same time (R95).  The traded symbol is the
 * ticker, or the whole OCC symbol.  A conflict is certain only with working orders that open. An order that is being
 * canceled may still fill; and the service does not say whether a position on the other side conflicts.
 */
#include "rules/rule.h"

enum { R_ORDERS, R_MAYBE, R_POSITION };

static const struct og_reason reasons[] = {
    [R_ORDERS] = { .id = "opposite-opening-orders",
                   .level = OG_LEVEL_REFUSE,
                   .undecided = OG_LEVEL_WARN,
                   OG_PREDICTS(OPPOSITE, REJECTED, STATED),
                   .predicts.code = "R95",
                   .says = "order opens a {0} in {1} while working orders open the other side: {2}",
                   .help = "cancel the working order and wait until it is Canceled, or close instead of opening",
                   .where = "Q40, CON-21" },
    [R_MAYBE] = { .id = "opposite-opening-pending-cancel",
                  .level = OG_LEVEL_WARN,
                  .undecided = OG_LEVEL_OFF,
                  OG_PREDICTS(OPPOSITE, REJECTED, READING),
                  .predicts.code = "R95",
                  .says = "order opens a {0} in {1} while orders on the other side may still work: {2}",
                  .help = "wait until that order is Canceled",
                  .where = "CON-43" },
    [R_POSITION] = { .id = "opposite-position-held",
                     .level = OG_LEVEL_WARN,
                     .undecided = OG_LEVEL_INFO,
                     OG_PREDICTS(OPPOSITE, REJECTED, READING),
                     .predicts.code = "R95",
                     .says = "order opens a {0} in {1} against {2} held on the other side",
                     .help = "to reduce what is held, send Close instead of Open",
                     .where = "CON-21" },
};

/* What may conflict with the order: opening orders of the other side (certainly or perhaps working), and the position
 * on the other side. */
struct against {
    int certain, maybe;
    struct og_money held;
};

static inline struct against against(const struct og_holding *h, enum og_side side)
{
    if (!h)
        return (struct against){ 0 };
    return side == OG_BUY ? (struct against){ h->opening_sells, h->opening_sells_maybe, h->held_short }
                          : (struct against){ h->opening_buys, h->opening_buys_maybe, h->held_long };
}

/* Say which working orders open the other side. */
static OG_COLD void name_them(const struct og_case *c, enum og_working_kind kind, int count, struct og_sink *sink)
{
    const struct og_working_of of = { .kind = kind,
                                      .symbol = c->order->symbol,
                                      .side = c->order->side == OG_BUY ? OG_SELL : OG_BUY };

    og_found_name(c, sink, &of, count);
}

static OG_NOINLINE void check_against(const struct og_case *c, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    struct against a = against(c->holding, o->side);
    struct og_arg what = og_a_text(o->side == OG_BUY ? "long" : "short");

    if (og_need_orders(c, sink, &reasons[R_ORDERS], "/side", a.certain > 0) && a.certain > 0) {
        OG_FIND(sink, &reasons[R_ORDERS], "/side", what, og_a_str(o->symbol), og_a_int(a.certain));
        name_them(c, OG_WORKING_OPENS, a.certain, sink);
    }
    if (og_need_orders(c, sink, &reasons[R_MAYBE], "/side", a.maybe > 0) && a.maybe > 0) {
        OG_FIND(sink, &reasons[R_MAYBE], "/side", what, og_a_str(o->symbol), og_a_int(a.maybe));
        name_them(c, OG_WORKING_MAY_OPEN, a.maybe, sink);
    }
    if (og_need(c, sink, &reasons[R_POSITION], OG_FACT_POSITIONS, (struct og_str){ 0 }, "/openClose") &&
        a.held.coef > 0)
        OG_FIND(sink, &reasons[R_POSITION], "/openClose", what, og_a_str(o->symbol), og_a_money(a.held));
}

/* Returns true if the facts are known and show no conflict with the order. */
static inline bool is_free(const struct og_case *c)
{
    struct against a = against(c->holding, c->order->side);

    return og_has(c, OG_FACT_ORDERS | OG_FACT_POSITIONS) && !(a.certain | a.maybe) && a.held.coef == 0;
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    bool single = o->security == OG_STOCK || o->security == OG_OPTION;

    (void)settings;
    if (single && og_opens(o->open_close) > 0 && o->side != OG_SIDE_NONE && o->symbol.len && !is_free(c))
        check_against(c, sink);
}

const struct og_rule og_rule_opposite_orders = {
    OG_PARTS_OF_FILE(opposite_orders),
    .id = "opposite-orders",
    .summary = "an order opens the side opposite to one that is working or held",
    .because = "the broker rejects opening a long and a short on one symbol at the same time",
    .stage = OG_STAGE_FLOW,
    .securities = 1u << OG_STOCK | 1u << OG_OPTION,
    .counts_working = true,
    .reads = OG_FACT_ORDERS | OG_FACT_POSITIONS,
};
