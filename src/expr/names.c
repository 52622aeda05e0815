/*
 * The table of names as compiler and evaluator use it.  A test compares it with the manual's list.
 */
#include "expr/names.h"

#include <stddef.h>
#include <string.h>

#include "ordergate/expressions.h"

#define STR     OG_TYPE_STRING
#define BOOL    OG_TYPE_BOOL
#define INT     OG_TYPE_INT
#define DEC     OG_TYPE_DECIMAL
#define SYMBOL  "/symbol"
#define HELD    OG_FACT_POSITIONS
#define WORKING OG_FACT_ORDERS
#define BOTH    (OG_FACT_POSITIONS | OG_FACT_ORDERS)

#define EVAL(facts)   0
#define GETTER(facts) (facts)
#define OFFSET(field) (int)offsetof(struct og_account, field)

/* column `values`, reduced to whether an unknown value may have bounds */
#define ANY                  false
#define WORDS(list)          false
#define WORDS_OR_EMPTY(list) false
#define FROM(least)          false
#define SUMS_FROM_0          true
#define BETWEEN(least, most) false

enum {
    LEG_ACTION = OG_LEG_KEYS,
    LEG_CONTRACT
}; /* LEG_CONTRACT + enum og_of_contract: a value from the OCC symbol of the leg's contract */

const struct og_expr_named og_expr_named[] = {
#define OG_NAME(name, type, unit, measure, field, facts, asks, getter, key, attribute, values, slots, help) \
    { { name, type, unit, OG_MEASURE_##measure, facts, field, help }, og_expr_get_##getter, key, asks(facts), values },
#define OG_LEG_NAME(name, type, unit, measure, key, attribute, values, slots, help) \
    { { name, type, unit, OG_MEASURE_##measure, 0, "/legs", help }, NULL, key, 0, false },
#include "expr/names.def"
#undef OG_NAME
#undef OG_LEG_NAME
    { .is = { .name = NULL } },
};

struct og_expr_value og_expr_leg_value(const struct og_case *c, struct og_expr_room *room, struct og_expr_value v,
                                       const struct og_expr_named *field)
{
    const struct og_leg *leg = v.as.leg;
    const char *name = field->is.name;

    if (v.state)
        return v;
    if (field->key == OG_LEG_RATIO)
        return og_expr_leg_ratio(leg, name);
    if (field->key < OG_LEG_KEYS)
        return og_expr_leg_text(leg, room, (enum og_leg_key)field->key, name);
    if (field->key == LEG_ACTION)
        return og_expr_action(leg->side, leg->open_close, name);
    if (field->key == LEG_CONTRACT + OG_OF_ROOT && !leg->occ.is)
        return og_expr_leg_text(leg, room, OG_LEG_SYMBOL, name);
    if (field->key == LEG_CONTRACT + OG_OF_RIGHT && !leg->occ.is && leg->symbol.len) /* a stock leg */
        return og_expr_string((struct og_str){ og_expr_absent_text, 0 });
    return og_expr_contract(c, room, &leg->occ, (enum og_of_contract)(field->key - LEG_CONTRACT), name);
}

const struct og_expr_named *og_expr_name_called(const char *name)
{
    const struct og_expr_named *named = og_expr_named;

    while (strcmp(named->is.name, name) != 0)
        named++;
    return named;
}

const struct og_expr_name *og_expr_name_at(size_t i)
{
    return i < sizeof og_expr_named / sizeof *og_expr_named - 1 ? &og_expr_named[i].is : NULL;
}

bool og_expression_name(size_t i, struct og_name_info *info)
{
    const struct og_expr_name *name;
    size_t count = 0;

    if (!info)
        return false;
    name = og_expr_name_at(i);
    if (!name)
        return false;
    *info = (struct og_name_info){ .name = name->name,
                                   .type = og_expr_type_name(name->type),
                                   .unit = name->unit,
                                   .field = name->field,
                                   .help = name->help };
    for (unsigned facts = name->facts; facts && count < OG_NAME_FACTS_MOST; facts &= facts - 1)
        info->facts[count++] = og_fact_name((enum og_fact)(facts & -facts));
    return true;
}
