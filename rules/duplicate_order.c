/*
 * duplicate-order (602): the same order is already working under another id.  Compares symbol, side, openClose,
 * quantity and prices; orders accepted in this run count.  The finding is a warning, since the order may be intended.
 * Spreads are not compared, since most rows do not show their legs.
 */
#include "rules/rule.h"

enum { R_DUPLICATE };

static const struct og_reason reasons[] = {
    [R_DUPLICATE] = { .id = "duplicate-working-order",
                      .level = OG_LEVEL_WARN,
                      .undecided = OG_LEVEL_OFF,
                      .exits_pass = true,
                      .says = "working orders with the same symbol, side, openClose, quantity and price: {0}",
                      .help = "if the same order was sent before, ask what became of it instead of sending it again",
                      .where = "facts orders" },
};

static OG_NOINLINE void check_working(const struct og_case *c, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_DUPLICATE];
    int working = og_facts_duplicates(c->facts, c->order, c->hashes);

    if (working > 0 && og_need_orders(c, sink, r, "", true)) {
        OG_FIND(sink, r, "", og_a_int(working));
        og_found_name(
            c, sink,
            &(struct og_working_of){ .kind = OG_WORKING_SAME, .symbol = c->order->symbol, .key = c->hashes->twin },
            working);
    }
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    (void)settings;
    if (c->holding && c->holding->working) /* if no working order is on the symbol, there is no duplicate */
        check_working(c, sink);
}

const struct og_rule og_rule_duplicate_order = {
    OG_PARTS_OF_FILE(duplicate_order),
    .id = "duplicate-order",
    .summary = "the same order works already under another id",
    .because =
        "a program that lost its answer sends again, and both orders fill; an order that only closes, and fits, is "
        "warned of at most, whatever the level",
    .stage = OG_STAGE_FLOW,
    .local = true,
    .sent_before = true,
    .counts_working = true,
    .only = OG_TRAIT_WORKING,
    .reads = OG_FACT_ORDERS,
};
