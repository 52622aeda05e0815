/*
 * limit-price (106): the limit is there, positive, and written with decimals the service takes.
 *
 * Decided on the decimal text, never on a double: 1.00005 has five decimals, 1.234500 has four.  A limit on an order
 * type without one is ignored by the service, but its schema still reads it, so decimals and the option maximum count
 * there too.  It refuses to compare with the market; price-collar does.
 */
#include "rules/rule.h"

#include "base/banned.h"

enum { DECIMALS_MOST = 4 };

enum { R_MISSING, R_NOT_POSITIVE, R_DECIMALS, R_SUB_PENNY, R_OPTION_MAX, R_MLEG_LARGE };

#define OPTION_MOST ((struct og_money){ 999999, 2 }) /* 9999.99 */
#define PENNY ((struct og_money){ 1, 2 })
#define DOLLAR ((struct og_money){ 1, 0 })

static const struct og_reason reasons[] = {
    [R_MISSING] = { .id = "limit-price-missing",
                    .level = OG_LEVEL_REFUSE,
                    .rank = OG_RANK_PRICE,
                    .predicts = { .channel = OG_CHANNEL_REJECTED_OR_ASYNC, .certainty = OG_STATED, .code = "R145" },
                    .says = "limitPrice is missing on a {0} order",
                    .help = "it would become 0; on paper the rejection comes at once",
                    .where = "Q16, T13" },
    [R_NOT_POSITIVE] = { .id = "limit-price-not-positive",
                         .level = OG_LEVEL_REFUSE,
                         .rank = OG_RANK_PRICE,
                         .predicts = { .channel = OG_CHANNEL_REJECTED, .certainty = OG_READING, .code = "R145" },
                         .says = "limitPrice is {0}, it must be above 0",
                         .help = "the net price of a spread is positive too: debit or credit follows from the legs",
                         .where = "S7, T12, Y45" },
    [R_DECIMALS] = { .id = "limit-price-decimals",
                     .level = OG_LEVEL_REFUSE,
                     .rank = OG_RANK_SCHEMA,
                     .predicts = { .channel = OG_CHANNEL_HTTP_400, .certainty = OG_READING,
                                   .text = "- limitPrice: Must be a multiple of 0.0001" },
                     .says = "limitPrice is {0}, allowed are up to 4 decimals",
                     .where = "Q15, CON-18" },
    [R_SUB_PENNY] = { .id = "stock-sub-penny",
                      .level = OG_LEVEL_REFUSE,
                      .rank = OG_RANK_PRICE,
                      .predicts = { .channel = OG_CHANNEL_REJECTED, .certainty = OG_READING, .code = "R145" },
                      .says = "limitPrice is {0}, stocks at 1.00 or above take 2 decimals",
                      .where = "Q17, CON-18" },
    [R_OPTION_MAX] = { .id = "option-limit-above-max",
                       .level = OG_LEVEL_REFUSE,
                       .rank = OG_RANK_SCHEMA,
                       .predicts = { .channel = OG_CHANNEL_HTTP_400, .certainty = OG_STATED,
                                     .text = "- limitPrice: Must be less than or equal to 9999.99" },
                       .says = "limitPrice is {0}, the most allowed for an option is 9999.99",
                       .help = "the price of an option is dollars per share of premium, not per contract",
                       .where = "S7, Y28" },
    [R_MLEG_LARGE] = { .id = "mleg-limit-large",
                       .level = OG_LEVEL_WARN,
                       .rank = OG_RANK_SCHEMA,
                       .predicts = { .channel = OG_CHANNEL_HTTP_400, .certainty = OG_READING,
                                     .text = "- limitPrice: Must be less than or equal to 9999.99" },
                       .says = "limitPrice is {0}, the most allowed for an option is 9999.99 and may hold for a spread",
                       .where = "CON-20" },
    { .id = NULL },
};

static void check_missing(const struct og_case *c, const char *field, struct og_sink *sink)
{
    struct og_found *found = OG_FIND(sink, &reasons[R_MISSING], field, og_a_text(og_order_type_name(c->order->type)));

    if (og_case_is_paper(c))
        found->predicts.channel = OG_CHANNEL_REJECTED;
}

static void check_not_positive(const struct og_order *o, const char *field, struct og_arg given, struct og_sink *sink)
{
    struct og_found *found = OG_FIND(sink, &reasons[R_NOT_POSITIVE], field, given);

    if (o->security == OG_OPTION && o->cell[OG_KEY_LIMIT_PRICE].text.s[0] == '-')
        found->predicts.certainty = OG_STATED;
}

/* A number without an exact og_money still shows its sign, and that it is too large or too fine. */
static void check_inexact(const struct og_order *o, const char *field, struct og_arg given, struct og_sink *sink)
{
    const struct og_cell *cell = &o->cell[OG_KEY_LIMIT_PRICE];
    bool negative = cell->text.s[0] == '-';

    if (negative && og_order_wants_limit(o))
        check_not_positive(o, field, given, sink);
    if (cell->shape == OG_TOO_FINE)
        OG_FIND(sink, &reasons[R_DECIMALS], field, given);
    else if (!negative && o->security == OG_OPTION)
        OG_FIND(sink, &reasons[R_OPTION_MAX], field, given);
    else if (!negative && o->security == OG_MLEG)
        OG_FIND(sink, &reasons[R_MLEG_LARGE], field, given);
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_cell *cell = &o->cell[OG_KEY_LIMIT_PRICE];
    const char *field = og_key_pointers[OG_KEY_LIMIT_PRICE];
    struct og_arg given = og_a_str(cell->text);

    (void)settings;
    if (cell->shape == OG_ABSENT && og_order_wants_limit(o))
        check_missing(c, field, sink);
    if (cell->shape == OG_TOO_FINE || cell->shape == OG_TOO_LARGE)
        check_inexact(o, field, given, sink);
    if (cell->shape != OG_VALID)
        return;
    if (og_order_wants_limit(o) && o->limit.coef <= 0)
        check_not_positive(o, field, given, sink);
    if (o->limit.scale > DECIMALS_MOST)
        OG_FIND(sink, &reasons[R_DECIMALS], field, given);
    if (o->security == OG_STOCK && og_order_wants_limit(o) && og_money_cmp(o->limit, DOLLAR) >= 0 &&
        !og_money_is_multiple(o->limit, PENNY))
        OG_FIND(sink, &reasons[R_SUB_PENNY], field, given);
    if (o->security != OG_STOCK && og_money_cmp(o->limit, OPTION_MOST) > 0) {
        if (o->security == OG_OPTION)
            OG_FIND(sink, &reasons[R_OPTION_MAX], field, given);
        else if (o->security == OG_MLEG)
            OG_FIND(sink, &reasons[R_MLEG_LARGE], field, given);
    }
}

const struct og_rule og_rule_limit_price = {
    .code = OG_CODE_limit_price,
    .id = "limit-price",
    .summary = "limitPrice is missing, not positive, too fine or too large",
    .because = "the service answers 400 or rejects the order; a missing limit becomes 0",
    .stage = OG_STAGE_FORM,
    .reasons = reasons,
    .check = check,
};
