/*
 * size-limit (990): no limit on order size applies to this order.  Such limits are order-quantity-limit, order-notional
 * and option-contracts, if their level is refuse and a value is set for the order.  Orders that only reduce a position
 * pass. The rule runs last, after these rules.
 */
#include "rules/limit.h"

enum { R_UNLIMITED };

static const struct og_reason reasons[] = {
    [R_UNLIMITED] = { .id = "unlimited",
                      .level = OG_LEVEL_REFUSE,
                      .says = "no limit on the size of orders covers this one",
                      .help = "give order-quantity-limit, order-notional or option-contracts a value for such orders; "
                              "exits need none; a limit that only warns, or is in mode shadow or warn, is none",
                      .where = "policy" },
};

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    (void)settings;
    if (!*c->sized && !og_case_reduces(c))
        OG_FIND0(sink, &reasons[R_UNLIMITED], "/orderQuantity");
}

const struct og_rule og_rule_size_limit = {
    OG_PARTS_OF_FILE(size_limit),
    .id = "size-limit",
    .summary = "no limit on the size of orders covers this one",
    .because = "an order of a kind for which no limit is set may be of any size",
    .stage = OG_STAGE_FLOW,
    .limit = true,
    .limits_size = OG_LIMITS_MISSING,
};
