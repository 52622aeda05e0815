/*
 * Kinds of orders, sessions and legs, and the values that names have in each, for orders that the service accepts.  The
 * rules of stage "form" check a single order for the same requirements.  Policies are not considered; where the
 * service's document says nothing, any value is assumed.
 */
#include "solver/domain.h"

static const char *const securities[] = { "Stock", "Option", "Mleg", NULL };
static const char *const sides[] = { "Buy", "Sell", NULL };
static const char *const open_closes[] = { "Open", "Close", NULL };
static const char *const types[] = { "Market", "Limit", "Stop", "StopLimit", NULL };
static const char *const tifs[] = { "Day",        "GoodTillCancel",   "AtTheOpening", "ImmediateOrCancel",
                                    "FillOrKill", "GoodTillCrossing", "Day_Plus",     "GTC_Plus",
                                    NULL };
static const char *const actions[] = { "Buy", "Sell", "Short", "Cover", NULL };
static const char *const rights[] = { "Call", "Put", NULL };
static const char *const directions[] = { "debit", "credit", "undetermined", NULL };
static const char *const strategies[] = { "none",        "call-vertical", "put-vertical", "straddle",
                                          "strangle",    "butterfly",     "condor",       "iron-butterfly",
                                          "iron-condor", "covered-call",  "married-put",  NULL };
static const char *const days[] = { "full", "early", "closed", NULL };
static const char *const environments[] = { "paper", "live", NULL };

#define STRIKE_MOST 100000 /* the strike in an option symbol has five digits before the point */

static const struct og_domain domains[] = {
#define ORDER(suffix)        OG_ATTRIBUTE_##suffix, OG_GROUP_ORDER
#define SESSION(suffix)      OG_ATTRIBUTE_##suffix, OG_GROUP_SESSION
#define LEG(suffix)          OG_ATTRIBUTE_##suffix, OG_GROUP_LEG
#define ALONE(suffix)        OG_ATTRIBUTE_##suffix, OG_GROUP_ALONE
#define ANY                  NULL, false, OG_UNBOUNDED, OG_UNBOUNDED
#define WORDS(list)          list, false, OG_UNBOUNDED, OG_UNBOUNDED
#define WORDS_OR_EMPTY(list) list, true, OG_UNBOUNDED, OG_UNBOUNDED
#define FROM(least)          NULL, false, least, OG_UNBOUNDED
#define SUMS_FROM_0          NULL, false, 0, OG_UNBOUNDED
#define BETWEEN(least, most) NULL, false, least, most
#define OG_NAME(name, type, unit, measure, field, facts, asks, getter, key, attribute, values, slots, help) \
    { attribute, values },
#define OG_LEG_NAME(name, type, unit, measure, key, attribute, values, slots, help) { attribute, values },
#include "expr/names.def"
#undef OG_NAME
#undef OG_LEG_NAME
};

const struct og_expr_named og_domain_leg_count = { .is = { .name = "size(order.legs)", .type = OG_TYPE_INT } };

struct og_domain og_domain_of(const struct og_expr_named *name)
{
    return name == &og_domain_leg_count ? (struct og_domain){ ORDER(LEG_COUNT), FROM(0) }
                                        : domains[name - og_expr_named];
}

/* --- kinds of orders ---------------------------------------------------------------------------------------------- */

/* The combinations of security type, side and openClose; each gives four kinds, one for each order type. */
static const struct og_order_kind order_actions[] = {
    { OG_STOCK, OG_BUY, OG_OPEN, true, false, OG_TYPE_NONE },
    { OG_STOCK, OG_SELL, OG_CLOSE, false, false, OG_TYPE_NONE },
    { OG_STOCK, OG_SELL, OG_OPEN, true, false, OG_TYPE_NONE },
    { OG_STOCK, OG_BUY, OG_CLOSE, false, false, OG_TYPE_NONE },
    { OG_OPTION, OG_BUY, OG_OPEN, true, false, OG_TYPE_NONE },
    { OG_OPTION, OG_SELL, OG_CLOSE, false, false, OG_TYPE_NONE },
    { OG_OPTION, OG_SELL, OG_OPEN, true, false, OG_TYPE_NONE },
    { OG_OPTION, OG_BUY, OG_CLOSE, false, false, OG_TYPE_NONE },
    { OG_OPTION, OG_BUY, OG_OPEN_CLOSE_NONE, true, false, OG_TYPE_NONE },
    { OG_OPTION, OG_SELL, OG_OPEN_CLOSE_NONE, true, false, OG_TYPE_NONE },
    { OG_MLEG, OG_SIDE_NONE, OG_OPEN_CLOSE_NONE, true, false, OG_TYPE_NONE },
    { OG_MLEG, OG_SIDE_NONE, OG_OPEN_CLOSE_NONE, false, false, OG_TYPE_NONE },
    { OG_MLEG, OG_SIDE_NONE, OG_OPEN, true, true, OG_TYPE_NONE },
    { OG_MLEG, OG_SIDE_NONE, OG_OPEN, false, true, OG_TYPE_NONE },
    { OG_MLEG, OG_SIDE_NONE, OG_CLOSE, true, true, OG_TYPE_NONE },
    { OG_MLEG, OG_SIDE_NONE, OG_CLOSE, false, true, OG_TYPE_NONE },
};
#define ORDER_ACTIONS (sizeof order_actions / sizeof *order_actions)
#define TYPES         4

struct og_order_kind og_order_kind(int kind)
{
    struct og_order_kind of = order_actions[kind / TYPES];

    of.type = (enum og_order_type)(OG_MARKET + kind % TYPES);
    return of;
}

uint64_t og_order_kinds_of_security(enum og_security security)
{
    uint64_t kinds = 0;

    for (size_t i = 0; i < ORDER_ACTIONS; i++)
        if (order_actions[i].security == security)
            kinds |= UINT64_C(15) << i * TYPES;
    return kinds;
}

uint64_t og_order_kinds_of_side(enum og_side side)
{
    uint64_t kinds = 0;

    for (size_t i = 0; i < ORDER_ACTIONS; i++)
        if (order_actions[i].side == side)
            kinds |= UINT64_C(15) << i * TYPES;
    return kinds;
}

uint64_t og_order_kinds_of_type(enum og_order_type type)
{
    return UINT64_C(0x1111111111111111) << (type - OG_MARKET);
}

static uint64_t kinds_of_orders(const struct og_universe *u)
{
    uint64_t kinds = 0;

    for (size_t i = 0; i < ORDER_ACTIONS; i++)
        if (!u->clean || !order_actions[i].ignored)
            kinds |= UINT64_C(15) << i * TYPES;
    return kinds;
}

/* --- values for each kind of order -------------------------------------------------------------------------------- */

/* Set the value of a text to one of its words; if word < 0, the text is absent. */
static void set_word(struct og_name_values *a, int word)
{
    a->values = word < 0 ? 0 : 1u << word;
    a->states = word < 0 ? OG_NAME_EMPTY : OG_NAME_KNOWN;
}

static void set_truth(struct og_name_values *a, bool truth)
{
    a->values = truth ? 2 : 1;
    a->states = OG_NAME_KNOWN;
}

static void set_positive(struct og_name_values *a)
{
    a->states = OG_NAME_KNOWN;
    og_range_raise(&a->range, og_money_from(0), true);
}

/* Returns the index of "Buy", "Sell", "Short" or "Cover"; -1 if side or openClose is missing. */
static int action_of(enum og_side side, enum og_open_close open_close)
{
    if (side == OG_SIDE_NONE || open_close == OG_OPEN_CLOSE_NONE)
        return -1;
    return side == OG_BUY ? (open_close == OG_OPEN ? 0 : 3) : open_close == OG_OPEN ? 2 : 1;
}

/* Set the possible values of a price field.  If orders of a kind have no such price, the service ignores the field, so
 * any value is possible. */
static void set_price_field(struct og_name_values *a, bool wanted, bool may_lack, const struct og_universe *u)
{
    if (wanted)
        set_positive(a);
    else
        a->states = u->clean ? OG_NAME_ABSENT : OG_NAME_KNOWN | OG_NAME_ABSENT;
    if (wanted && may_lack)
        a->states |= OG_NAME_ABSENT;
}

/* Set the possible values of an estimated price.  The estimate is known if the order's own price bounds it; otherwise
 * it needs a quote.  Overflow (from 10^17) is not considered: an order whose value overflows is never accepted. */
static void estimated_price(struct og_name_values *a, bool bounded, const struct og_universe *u)
{
    a->states = bounded || u->all_known ? OG_NAME_KNOWN : OG_NAME_KNOWN | OG_NAME_UNKNOWN | OG_NAME_BOUNDED;
    if (bounded)
        set_positive(a);
}

static void order_values(enum og_attribute attribute, int kind, const struct og_universe *u, struct og_name_values *a)
{
    const struct og_order_kind of = og_order_kind(kind);
    bool spread = of.security == OG_MLEG;
    bool limited = of.type == OG_LIMIT || of.type == OG_STOP_LIMIT;
    bool stops = of.type == OG_STOP || of.type == OG_STOP_LIMIT;

    switch (attribute) {
    case OG_ATTRIBUTE_SECURITY: set_word(a, (int)of.security - OG_STOCK); break;
    case OG_ATTRIBUTE_SIDE: set_word(a, (int)of.side - OG_BUY); break;
    case OG_ATTRIBUTE_OPEN_CLOSE: set_word(a, (int)of.open_close - OG_OPEN); break;
    case OG_ATTRIBUTE_TYPE: set_word(a, (int)of.type - OG_MARKET); break;
    case OG_ATTRIBUTE_TIF: /* a live account accepts spreads only with time in force Day */
        a->values = spread && strcmp(u->environment, "live") == 0 ? 1u : a->values;
        break;
    case OG_ATTRIBUTE_ACTION: /* without openClose the brokerage decides what an option order does */
        set_word(a, spread ? -1 : action_of(of.side, of.open_close));
        a->states = !spread && a->states == OG_NAME_EMPTY ? OG_NAME_ABSENT : a->states;
        break;
    case OG_ATTRIBUTE_OPENS: set_truth(a, of.opens); break;
    case OG_ATTRIBUTE_REDUCES:
        if (of.opens)
            set_truth(a, false);
        else if (!u->all_known)
            a->states = OG_NAME_KNOWN | OG_NAME_UNKNOWN;
        break;
    case OG_ATTRIBUTE_CONTRACTS:
        if (of.security == OG_STOCK)
            og_range_lower(&a->range, og_money_from(0), false);
        else
            set_positive(a);
        break;
    case OG_ATTRIBUTE_LIMIT:
        set_price_field(a, limited, false, u);
        if (of.security == OG_OPTION)
            og_range_lower(&a->range, (struct og_money){ 999999, 2 }, false);
        break;
    case OG_ATTRIBUTE_STOP: set_price_field(a, stops, spread && of.type == OG_STOP_LIMIT, u); break;
    case OG_ATTRIBUTE_LEGS:
        a->states = spread ? OG_NAME_KNOWN : u->clean ? OG_NAME_ABSENT : OG_NAME_KNOWN | OG_NAME_ABSENT;
        break;
    case OG_ATTRIBUTE_LEG_COUNT: /* the service ignores legs of orders that are not spreads */
        if (spread || u->clean)
            og_range_lower(&a->range, og_money_from(spread ? 4 : 0), false);
        if (spread)
            og_range_raise(&a->range, og_money_from(2), false);
        break;
    case OG_ATTRIBUTE_LIMIT_NOTIONAL:
        if (limited)
            set_positive(a);
        else
            a->states = OG_NAME_ABSENT;
        break;
    case OG_ATTRIBUTE_NOTIONAL: /* the loss of a spread may be unbounded, and its legs may have no quotes */
        estimated_price(a, limited && of.side == OG_BUY, u);
        a->states = spread ? OG_NAME_KNOWN | OG_NAME_UNKNOWN | OG_NAME_BOUNDED : a->states;
        break;
    case OG_ATTRIBUTE_PRICE:
        estimated_price(a, limited && of.side != OG_SELL, u);
        a->states = spread && !limited ? OG_NAME_UNKNOWN : a->states;
        break;
    case OG_ATTRIBUTE_LEAST_PRICE:
        estimated_price(a, (limited && of.side == OG_SELL) || (of.type == OG_STOP && of.side == OG_BUY), u);
        a->states = spread ? OG_NAME_UNKNOWN : a->states;
        break;
    case OG_ATTRIBUTE_CONTRACT: a->states = of.security == OG_OPTION ? OG_NAME_KNOWN : OG_NAME_ABSENT; break;
    case OG_ATTRIBUTE_RIGHT: a->states = of.security == OG_OPTION ? OG_NAME_KNOWN : OG_NAME_EMPTY; break;
    case OG_ATTRIBUTE_EXPIRY: a->states = of.security == OG_STOCK ? OG_NAME_ABSENT : OG_NAME_KNOWN; break;
    case OG_ATTRIBUTE_STRATEGY:
        if (!spread)
            set_word(a, 0);
        break;
    case OG_ATTRIBUTE_DIRECTION:
        if (!spread)
            set_word(a, 2);
        break;
    case OG_ATTRIBUTE_RESULT:
        a->states = spread && limited ? OG_NAME_KNOWN | OG_NAME_ABSENT | OG_NAME_UNKNOWN : OG_NAME_ABSENT;
        break;
    case OG_ATTRIBUTE_TEXT: a->states = OG_NAME_HAS_VALUE; break;
    default: break;
    }
}

/* --- sessions ----------------------------------------------------------------------------------------------------- */

enum { FULL_OPEN, FULL_NOT, EARLY_OPEN, EARLY_NOT, CLOSED, BEYOND_CALENDAR, SESSION_KINDS };
#define MINUTES_OF_SESSION 390

static void set_minutes(struct og_name_values *a, bool open, int most)
{
    og_range_raise(&a->range, og_money_from(open ? 0 : -1440), false);
    og_range_lower(&a->range, og_money_from(open ? most : 1440), false);
}

static void session_values(enum og_attribute attribute, int kind, struct og_name_values *a)
{
    bool open = kind == FULL_OPEN || kind == EARLY_OPEN;

    if (kind == BEYOND_CALENDAR) {
        a->states = OG_NAME_UNKNOWN;
        return;
    }
    switch (attribute) {
    case OG_ATTRIBUTE_SESSION: set_truth(a, open); break;
    case OG_ATTRIBUTE_KIND: set_word(a, kind == CLOSED ? 2 : kind >= EARLY_OPEN); break;
    case OG_ATTRIBUTE_EARLY: set_truth(a, kind == EARLY_OPEN || kind == EARLY_NOT); break;
    default:
        if (kind == CLOSED)
            a->states = OG_NAME_ABSENT;
        else
            set_minutes(a, open, attribute == OG_ATTRIBUTE_TO_CLOSE ? MINUTES_OF_SESSION : MINUTES_OF_SESSION - 1);
        break;
    }
}

/* --- legs --------------------------------------------------------------------------------------------------------- */

#define LEG_KINDS 8 /* bit 0: option, not stock; bit 1: sold; bit 2: closing */

static void leg_values(enum og_attribute attribute, int kind, struct og_name_values *a)
{
    switch (attribute) {
    case OG_ATTRIBUTE_SIDE: set_word(a, kind >> 1 & 1); break;
    case OG_ATTRIBUTE_OPEN_CLOSE: set_word(a, kind >> 2 & 1); break;
    case OG_ATTRIBUTE_ACTION: set_word(a, action_of(kind & 2 ? OG_SELL : OG_BUY, kind & 4 ? OG_CLOSE : OG_OPEN)); break;
    case OG_ATTRIBUTE_CONTRACT: a->states = kind & 1 ? OG_NAME_KNOWN : OG_NAME_ABSENT; break;
    case OG_ATTRIBUTE_RIGHT: a->states = kind & 1 ? OG_NAME_KNOWN : OG_NAME_EMPTY; break;
    default: break;
    }
}

/* --- any name ----------------------------------------------------------------------------------------------------- */

uint64_t og_group_kinds(enum og_name_group group, const struct og_universe *u)
{
    switch (group) {
    case OG_GROUP_ORDER: return kinds_of_orders(u);
    case OG_GROUP_SESSION: return (UINT64_C(1) << (u->all_known ? BEYOND_CALENDAR : SESSION_KINDS)) - 1;
    case OG_GROUP_LEG: return (UINT64_C(1) << LEG_KINDS) - 1;
    case OG_GROUP_ALONE: break;
    }
    return 1;
}

static void alone_values(const struct og_domain *d, const struct og_expr_named *name, const struct og_universe *u,
                         struct og_name_values *a)
{
    if (d->attribute == OG_ATTRIBUTE_ENVIRONMENT && u->environment[0])
        a->values = strcmp(u->environment, "live") == 0 ? 2 : 1;
    if (d->attribute == OG_ATTRIBUTE_NOW && u->since)
        og_range_raise(&a->range, og_money_from(u->since), false);
    if (u->quote_age && d->attribute == OG_ATTRIBUTE_QUOTE_AGE) /* a quote older than u->quote_age counts as unknown */
        og_range_lower(&a->range, og_money_from(u->quote_age), false);
    a->states = OG_NAME_KNOWN;
    if (!u->all_known && (name->is.facts || d->attribute == OG_ATTRIBUTE_ACCOUNT_ID))
        a->states = OG_NAME_KNOWN | OG_NAME_ABSENT | OG_NAME_UNKNOWN | (name->bounded ? OG_NAME_BOUNDED : 0);
}

void og_name_values(const struct og_domain *d, const struct og_expr_named *name, int kind, const struct og_universe *u,
                    struct og_name_values *out)
{
    unsigned words = 0;

    *out = (struct og_name_values){ .states = OG_NAME_KNOWN };
    if (d->least != OG_UNBOUNDED)
        og_range_raise(&out->range, og_money_from(d->least), false);
    if (d->most != OG_UNBOUNDED)
        og_range_lower(&out->range, og_money_from(d->most), false);
    while (d->words && d->words[words])
        words++;
    out->values = d->words ? (1u << words) - 1 : 3;
    switch (d->group) {
    case OG_GROUP_ORDER: order_values(d->attribute, kind, u, out); break;
    case OG_GROUP_SESSION: session_values(d->attribute, kind, out); break;
    case OG_GROUP_LEG: leg_values(d->attribute, kind, out); break;
    case OG_GROUP_ALONE: alone_values(d, name, u, out); break;
    }
}
