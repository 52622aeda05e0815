/*
 * order-quantity (103): the quantity is a whole number from 1 to 1,000,000.  The exact decimal decides, so 100.0 and
 * 1e2 are whole and 1.0000000000000000001 is not.  Nothing is rounded.
 */
#include "rules/rule.h"

enum { LEAST = 1, MOST = 1000000 };

enum { R_FRACTION, R_BELOW, R_ABOVE, R_NOTATION };

static const struct og_reason reasons[] = {
    [R_FRACTION] = { .id = "quantity-not-integer",
                     .level = OG_LEVEL_REFUSE,
                     OG_PREDICTS(SCHEMA, HTTP_400, STATED),
                     .predicts.text = "- orderQuantity: Invalid type. Expected: integer, given: number",
                     .says = "orderQuantity is {0}, it must be a whole number",
                     .where = "Q12, Y24" },
    [R_BELOW] = { .id = "quantity-below-one",
                  .level = OG_LEVEL_REFUSE,
                  OG_PREDICTS(SCHEMA, HTTP_400, STATED),
                  .predicts.text = "- orderQuantity: Must be greater than or equal to 1",
                  .says = "orderQuantity is {0}, the least allowed is 1",
                  .help = "side gives the direction, never a sign",
                  .where = "Q11" },
    [R_ABOVE] = { .id = "quantity-above-million",
                  .level = OG_LEVEL_REFUSE,
                  OG_PREDICTS(SCHEMA, HTTP_400, STATED),
                  .predicts.text = "- orderQuantity: Must be less than or equal to 1e+06",
                  .says = "orderQuantity is {0}, the most allowed is 1000000",
                  .where = "Q11, Y27" },
    [R_NOTATION] = { .id = "quantity-notation",
                     .level = OG_LEVEL_INFO,
                     .says = "orderQuantity is written {0}, it is sent as {1}",
                     .help = "write plain digits",
                     .where = "Q12" },
};

static void OG_COLD check_odd(const struct og_case *c, struct og_sink *sink)
{
    const struct og_field *parsed = &c->order->field[OG_KEY_ORDER_QUANTITY];
    const char *field = og_key_pointers[OG_KEY_ORDER_QUANTITY];
    struct og_money value = c->order->quantity_value;
    struct og_arg given = og_a_str(parsed->text);

    if (parsed->status == OG_TOO_FINE)
        OG_FIND(sink, &reasons[R_FRACTION], field, given);
    if (parsed->status == OG_TOO_LARGE)
        OG_FIND(sink, &reasons[parsed->text.s[0] == '-' ? R_BELOW : R_ABOVE], field, given);
    if (parsed->status != OG_VALID)
        return;
    if (value.scale > 0)
        OG_FIND(sink, &reasons[R_FRACTION], field, given);
    else if (og_money_cmp(value, og_money_from(LEAST)) < 0)
        OG_FIND(sink, &reasons[R_BELOW], field, given);
    else if (!c->order->in_digits)
        OG_FIND(sink, &reasons[R_NOTATION], field, given, og_a_money(value));
    if (og_money_cmp(value, og_money_from(MOST)) > 0)
        OG_FIND(sink, &reasons[R_ABOVE], field, given);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    (void)settings;
    if (!c->order->quantity || !c->order->in_digits)
        check_odd(c, sink);
}

const struct og_rule og_rule_order_quantity = {
    OG_PARTS_OF_FILE(order_quantity),
    .id = "order-quantity",
    .summary = "orderQuantity is not a whole number from 1 to 1,000,000",
    .because = "the service answers 400 to fractions and to sizes outside its range",
    .stage = OG_STAGE_FORM,
    .only = OG_TRAIT_ODD,
};
