/*
 * Values that a name can have under limits: a few words, or all between two bounds.
 * It refuses to reason about lists, and about texts in between.
 */
#include "lint/domain.h"

#include "base/banned.h"

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
static const char *const days[] = { "full", "early", "closed", NULL };
static const char *const environments[] = { "paper", "live", NULL };

static const struct {
    const char *name;
    const char *const *words;
} domains[] = {
    { "order.securityType", securities },
    { "order.side", sides },
    { "order.openClose", open_closes },
    { "order.orderType", types },
    { "order.timeInForce", tifs },
    { "order.action", actions },
    { "order.right", rights },
    { "order.direction", directions },
    { "leg.side", sides },
    { "leg.openClose", open_closes },
    { "leg.action", actions },
    { "leg.right", rights },
    { "session.kind", days },
    { "account.environment", environments },
};

/* Those that are "" where the order has none: a spread has no side of its own, stock no right. */
static const char *const lacking[] = { "order.side", "order.openClose", "order.action", "order.right", "leg.right" };

/* Numbers that cannot be below, or above. */
static const struct {
    const char *name;
    int64_t least, most; /* most -1: no bound */
} bounds[] = {
    { "order.orderQuantity", 1, 1000000 },
    { "order.notional", 0, -1 },
    { "account.optLevel", 0, 4 },
    { "account.optionTradingLevel", 0, 4 },
    { "position.long", 0, -1 },
    { "position.short", 0, -1 },
    { "position.buying", 0, -1 },
    { "position.selling", 0, -1 },
    { "position.openOrders", 0, -1 },
    { "position.exposure", 0, -1 },
    { "book.gross", 0, -1 },
    { "book.long", 0, -1 },
    { "book.short", 0, -1 },
    { "book.openOrders", 0, -1 },
    { "book.contracts", 0, -1 },
    { "book.onUnderlying", 0, -1 },
    { "book.shortCalls", 0, -1 },
    { "book.shortPuts", 0, -1 },
    { "counters.ordersLastSecond", 0, -1 },
    { "counters.ordersLastMinute", 0, -1 },
    { "counters.ordersToday", 0, -1 },
    { "counters.rejectionsInARow", 0, -1 },
    { "counters.dayPnlPeak", 0, -1 },
    { "volume.average", 0, -1 },
    { "locates.available", 0, -1 },
};

const char *const *og_domain_words(const char *name)
{
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if (strcmp(domains[i].name, name) == 0)
            return domains[i].words;
    return NULL;
}

bool og_domain_lacks(const char *name)
{
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++)
        if (strcmp(lacking[i], name) == 0)
            return true;
    return false;
}

/* --- one value against the limits --- */

static bool is_listed(const struct og_expr_value *list, const struct og_expr_value *v, unsigned char kind)
{
    for (size_t i = 0; i < list->as.list.count; i++)
        if (og_expr_binary(OG_OP_EQ, kind, *v, list->as.list.at[i], NULL).as.truth)
            return true;
    return false;
}

static bool meets(const struct og_limit *x, const struct og_expr_value *v)
{
    bool truth = x->op == OG_OP_IN ? is_listed(x->value, v, x->aux)
                                   : og_expr_binary(x->op, x->aux, *v, *x->value, NULL).as.truth;

    return truth == x->truth;
}

static bool meets_all(const struct og_limit *limits, int count, const struct og_expr_named *name,
                      const struct og_expr_value *v)
{
    for (int i = 0; i < count; i++)
        if (limits[i].name == name && !meets(&limits[i], v))
            return false;
    return true;
}

/* The limit leaves no more than the values it names. */
static bool is_exact(const struct og_limit *x)
{
    return x->truth ? x->op == OG_OP_EQ || x->op == OG_OP_IN : x->op == OG_OP_NE;
}

static bool some_named(const struct og_limit *limits, int count, const struct og_limit *exact)
{
    if (exact->op != OG_OP_IN)
        return meets_all(limits, count, exact->name, exact->value);
    for (size_t i = 0; i < exact->value->as.list.count; i++)
        if (meets_all(limits, count, exact->name, &exact->value->as.list.at[i]))
            return true;
    return false;
}

/* --- words and truths --- */

static bool some_word(const struct og_limit *limits, int count, const struct og_expr_named *name,
                      const char *environment)
{
    const char *const *words = og_domain_words(name->is.name);
    bool declared = environment[0] && strcmp(name->is.name, "account.environment") == 0;
    struct og_expr_value none = { .as.text = OG_STR("") };

    if (og_domain_lacks(name->is.name) && meets_all(limits, count, name, &none))
        return true;
    for (; words && *words; words++) {
        struct og_expr_value v = { .as.text = og_str_of(*words) };

        if ((!declared || strcmp(*words, environment) == 0) && meets_all(limits, count, name, &v))
            return true;
    }
    return !og_domain_words(name->is.name);
}

/* What an order does, by four names of which each bounds the others; a spread has but the first of them.  An option need
 * not say openClose, and what it does is then the brokerage's to find: NULL, which meets nothing. */
static const char *const action_names[] = { "order.securityType", "order.side", "order.openClose", "order.action" };
static const char *const action_words[][4] = {
    { "Stock", "Buy", "Open", "Buy" },     { "Stock", "Sell", "Close", "Sell" },  { "Stock", "Sell", "Open", "Short" },
    { "Stock", "Buy", "Close", "Cover" },  { "Option", "Buy", "Open", "Buy" },    { "Option", "Sell", "Close", "Sell" },
    { "Option", "Sell", "Open", "Short" }, { "Option", "Buy", "Close", "Cover" }, { "Option", "Buy", "", NULL },
    { "Option", "Sell", "", NULL },        { "Mleg", "", "", "" },
};

static int action_name(const struct og_expr_named *name)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(name->is.name, action_names[i]) == 0)
            return i;
    return -1;
}

static bool meets_row(const struct og_limit *limits, int count, const char *const *row)
{
    for (int i = 0; i < count; i++) {
        int at = action_name(limits[i].name);
        struct og_expr_value v = { .as.text = og_str_of(at < 0 ? NULL : row[at]) };

        if (at >= 0 && (!row[at] || !meets(&limits[i], &v)))
            return false;
    }
    return true;
}

static bool some_action(const struct og_limit *limits, int count)
{
    for (size_t i = 0; i < sizeof action_words / sizeof *action_words; i++)
        if (meets_row(limits, count, action_words[i]))
            return true;
    return false;
}

static bool some_truth(const struct og_limit *limits, int count, const struct og_expr_named *name)
{
    struct og_expr_value no = { .as.truth = false }, yes = { .as.truth = true };

    return meets_all(limits, count, name, &no) || meets_all(limits, count, name, &yes);
}

/* --- numbers --- */

struct range {
    bool has_low, has_high, low_open, high_open;
    struct og_money low, high;
};

static void raise(struct range *r, struct og_money to, bool open)
{
    int side = r->has_low ? og_money_cmp(to, r->low) : 1;

    if (side > 0)
        r->low_open = open;
    else if (side == 0)
        r->low_open = r->low_open || open;
    if (side > 0)
        r->low = to;
    r->has_low = true;
}

static void lower(struct range *r, struct og_money to, bool open)
{
    int side = r->has_high ? og_money_cmp(to, r->high) : -1;

    if (side < 0)
        r->high_open = open;
    else if (side == 0)
        r->high_open = r->high_open || open;
    if (side < 0)
        r->high = to;
    r->has_high = true;
}

static void narrow(struct range *r, const struct og_limit *x)
{
    static const unsigned char opposite[] = { OG_OP_GE, OG_OP_GT, OG_OP_LE, OG_OP_LT }; /* of LT, LE, GT, GE */
    unsigned char op = x->op;

    if (op < OG_OP_LT || op > OG_OP_GE)
        return;
    if (!x->truth)
        op = opposite[op - OG_OP_LT];
    if (op == OG_OP_LT || op == OG_OP_LE)
        lower(r, x->value->as.number, op == OG_OP_LT);
    else
        raise(r, x->value->as.number, op == OG_OP_GT);
}

static struct og_money whole(struct og_money m, bool up)
{
    int64_t unit = 1, n;

    for (int i = 0; i < m.scale; i++)
        unit *= 10;
    n = m.coef / unit;
    if (m.coef % unit)
        n += up ? m.coef > 0 : -(m.coef < 0);
    return og_money_from(n);
}

/* Whole numbers have no open ends. */
static void close_ends(struct range *r)
{
    struct og_money m;

    if (r->has_low) {
        m = whole(r->low, true);
        if (r->low_open && og_money_cmp(m, r->low) == 0)
            (void)!og_money_add(m, og_money_from(1), &m);
        r->low = m;
        r->low_open = false;
    }
    if (r->has_high) {
        m = whole(r->high, false);
        if (r->high_open && og_money_cmp(m, r->high) == 0)
            (void)!og_money_sub(m, og_money_from(1), &m);
        r->high = m;
        r->high_open = false;
    }
}

static bool some_number(const struct og_limit *limits, int count, const struct og_expr_named *name)
{
    struct range r = { 0 };
    struct og_expr_value only;

    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (strcmp(bounds[i].name, name->is.name) == 0) {
            raise(&r, og_money_from(bounds[i].least), false);
            if (bounds[i].most >= 0)
                lower(&r, og_money_from(bounds[i].most), false);
        }
    for (int i = 0; i < count; i++)
        if (limits[i].name == name)
            narrow(&r, &limits[i]);
    if (name->is.type == OG_TYPE_INT)
        close_ends(&r);
    if (!r.has_low || !r.has_high || og_money_cmp(r.low, r.high) < 0)
        return true;
    if (og_money_cmp(r.low, r.high) > 0 || r.low_open || r.high_open)
        return false;
    only = og_expr_number(r.low);
    return meets_all(limits, count, name, &only);
}

bool og_limits_agree(const struct og_limit *limits, int count, const struct og_expr_named *name,
                     const char *environment)
{
    if (action_name(name) >= 0)
        return some_action(limits, count);
    for (int i = 0; i < count; i++)
        if (limits[i].name == name && is_exact(&limits[i]) && name->is.type != OG_TYPE_BOOL)
            return some_named(limits, count, &limits[i]) &&
                   (name->is.type != OG_TYPE_STRING || some_word(limits, count, name, environment));
    switch (name->is.type) {
    case OG_TYPE_STRING:
        return some_word(limits, count, name, environment);
    case OG_TYPE_BOOL:
        return some_truth(limits, count, name);
    case OG_TYPE_INT:
    case OG_TYPE_DECIMAL:
        return some_number(limits, count, name);
    default:
        return true;
    }
}
