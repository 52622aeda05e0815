/*
 * replace-order (603): checks an order that replaces another.  The service has no request for that: the old order is
 * canceled, and once it is Canceled, the new order is sent, with another id and the remaining quantity.  Only the key
 * "replaces" names the old order; it is never guessed.
 */
#include "rules/rule.h"

enum { R_BEFORE, R_TWICE };

static const struct og_reason reasons[] = {
    [R_BEFORE] = { .id = "replace-before-canceled",
                   .level = OG_LEVEL_WARN,
                   .undecided = OG_LEVEL_WARN,
                   .says = "the order '{0}' that this one replaces {1}{2}",
                   .help = "cancel it, wait until it is Canceled, and lower the quantity by what it filled",
                   .where = "Q36" },
    [R_TWICE] = { .id = "replace-replaced",
                  .level = OG_LEVEL_REFUSE,
                  .undecided = OG_LEVEL_OFF,
                  .says = "the order '{0}' that this one replaces was replaced by '{1}'",
                  .help = "replace that one, or send the order without `replaces`",
                  .where = "Q36" },
};

static void find(const struct og_case *c, struct og_sink *sink, const char *what, struct og_arg more)
{
    OG_FIND(sink, &reasons[R_BEFORE], "/clientOrderId", og_a_str(c->order->replaces), og_a_text(what), more);
}

/* Check the quantity of the new order: what the old order has filled must not be in it. */
static void check_left(const struct og_case *c, struct og_money left, struct og_sink *sink)
{
    if (og_money_cmp(og_money_from(c->order->quantity), left) > 0)
        find(c, sink, "has filled since; left of it are ", og_a_money(left));
}

static void check_canceled(const struct og_case *c, const struct og_known_order *old, struct og_sink *sink)
{
    struct og_money left;

    if (old->executed.coef == 0)
        return;
    if (!og_money_sub(old->terms.quantity, old->executed, &left))
        og_unsure(sink, &reasons[R_BEFORE], "/clientOrderId", "its quantities are out of range");
    else
        check_left(c, left, sink);
}

/* The old order will be canceled first: only the quantity that it has filled matters now. Use the reports of fills if
 * the order list (old NULL: it lacks the order) is older. */
static void check_in_place(const struct og_case *c, const struct og_known_order *old, struct og_sink *sink)
{
    const struct og_money left = og_money_from(c->replaced_left);
    struct og_money listed;

    if (c->replaced_left != INT64_MAX &&
        (!old || (og_money_sub(old->terms.quantity, old->executed, &listed) && og_money_cmp(left, listed) < 0)))
        check_left(c, left, sink);
    else if (old)
        check_canceled(c, old, sink);
}

/* The old order was reported as canceled, which the order list may be too old to show. */
static void check_reported(const struct og_case *c, const struct og_known_order *old, int64_t executed,
                           struct og_sink *sink)
{
    struct og_known_order now = *old;

    if (og_money_cmp(now.executed, og_money_from(executed)) < 0)
        now.executed = og_money_from(executed);
    check_canceled(c, &now, sink);
}

static void OG_COLD check_replaced(const struct og_case *c, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_BEFORE];
    struct og_str id = c->order->replaces;
    const struct og_str by = og_facts_replaced_by(c->facts, id);
    const struct og_known_order *old;
    int64_t executed;

    if (by.len && !og_str_eq(by, c->order->client_id)) {
        OG_FIND(sink, &reasons[R_TWICE], "/clientOrderId", og_a_str(id), og_a_str(by));
        return;
    }
    old = og_facts_order(c->facts, id);
    if (og_str_eq(id, c->order->client_id)) {
        find(c, sink, "has the same id", og_a_text(""));
    } else if (c->in_place && (!old || !(old->over || old->rejected))) {
        check_in_place(c, old, sink);
    } else if (og_facts_canceled(c->facts, id, &executed) && (old || executed == 0)) {
        if (old)
            check_reported(c, old, executed, sink);
    } else if (!old || !og_str_is(old->status, "Canceled")) {
        if (!og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, "/clientOrderId"))
            return;
        if (!old)
            og_unsure(sink, r, "/clientOrderId", "the order it replaces is not in the list of orders");
        else
            find(c, sink, "is not Canceled but ", og_a_str(old->status));
    } else {
        check_canceled(c, old, sink);
    }
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    (void)settings;
    if (c->order->replaces.len)
        check_replaced(c, sink);
}

const struct og_rule og_rule_replace_order = {
    OG_PARTS_OF_FILE(replace_order),
    .id = "replace-order",
    .summary = "an order takes the place of one that still works, has filled since, or was replaced before",
    .because = "two live orders fill twice; a fill that came before the cancel is bought again",
    .stage = OG_STAGE_FLOW,
    .local = true,
    .counts_working = true,
    .reads = OG_FACT_ORDERS,
    .only = OG_TRAIT_ODD,
};
