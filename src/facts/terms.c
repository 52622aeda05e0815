/*
 * Reads the terms of a row and compares them with those of an order; reads how much of the order has filled.
 */
#include "facts/terms.h"

#include "base/money.h"

static struct og_money number_of(const cJSON *item, const char *key)
{
    struct og_money m;

    return og_doc_money(item, key, &m) ? m : og_money_from(0);
}

static struct og_str text_of(const cJSON *item, const char *key)
{
    struct og_str s = { NULL, 0 };

    (void)og_doc_str(item, key, &s);
    return s;
}

static enum og_side side_of(struct og_str side)
{
    return og_str_is(side, "SellShort") ? OG_SELL : og_side_of(side);
}

static enum og_security security_of(struct og_str security)
{
    return og_str_is(security, "MLEG") ? OG_MLEG : og_security_of(security);
}

static int bounded_of(struct og_str type)
{
    switch (og_order_type_of(type)) {
    case OG_LIMIT:
    case OG_STOP_LIMIT: return 1;
    case OG_MARKET:
    case OG_STOP: return 0;
    default: return -1;
    }
}

static void read_leg(const cJSON *item, struct og_money units, struct og_shown_leg *leg)
{
    const int64_t of = og_money_floor(units), size = og_money_floor(number_of(item, "qty"));
    int64_t ratio = og_money_floor(number_of(item, "ratio"));

    if (ratio <= 0)
        ratio = of > 0 && size > 0 && size % of == 0 ? size / of : 0;
    *leg = (struct og_shown_leg){ text_of(item, "symbol"), side_of(text_of(item, "side")),
                                  og_opens(og_open_close_of(text_of(item, "openClose"))), ratio };
}

void og_shown_terms_read(const cJSON *row, struct og_shown_terms *t, struct og_shown_leg leg[OG_LEGS_KEPT])
{
    const cJSON *legs = og_doc_get(row, "legs"), *item;
    const struct og_str side = text_of(row, "side");

    *t = (struct og_shown_terms){ .quantity = number_of(row, "orderQuantity"),
                                  .limit = number_of(row, "limitPrice"),
                                  .stop = number_of(row, "priceStop"),
                                  .symbol = text_of(row, "symbol"),
                                  .traded = text_of(row, "tradedSymbol"),
                                  .security = security_of(text_of(row, "securityType")),
                                  .side = side_of(side),
                                  .opens = og_str_is(side, "SellShort")
                                               ? 1
                                               : og_opens(og_open_close_of(text_of(row, "openClose"))),
                                  .bounded = bounded_of(text_of(row, "orderType")),
                                  .leg = leg };
    if (!cJSON_IsArray(legs))
        return;
    cJSON_ArrayForEach (item, legs) {
        if (t->legs == OG_LEGS_KEPT) {
            t->legs = -1;
            return;
        }
        read_leg(item, t->quantity, &leg[t->legs++]);
    }
}

static bool figure_differs(struct og_money shown, struct og_money ours)
{
    return shown.coef && og_money_cmp(shown, ours) != 0;
}

static bool effect_differs(int shown, enum og_open_close ours)
{
    return shown >= 0 && og_opens(ours) >= 0 && shown != og_opens(ours);
}

static bool symbol_differs(const struct og_shown_terms *t, const struct og_order *o)
{
    const struct og_str shown = o->security == OG_OPTION || !t->symbol.len ? t->traded : t->symbol;

    return shown.len && !og_str_eq(shown, o->symbol);
}

static bool is_leg(const struct og_shown_leg *shown, const struct og_leg *ours)
{
    return (!shown->symbol.len || og_str_eq(shown->symbol, ours->symbol)) &&
           (!shown->side || !ours->side || shown->side == ours->side) &&
           (!shown->ratio || !ours->ratio || shown->ratio == ours->ratio) &&
           !effect_differs(shown->opens, ours->open_close);
}

/* Returns true if the row's legs are not those of the order, in whatever sequence. */
static bool legs_differ(const struct og_shown_terms *t, const struct og_order *o)
{
    unsigned found = 0; /* the order's legs that the row shows */

    if (t->legs == 0)
        return false;
    if (o->security != OG_MLEG || t->legs != o->leg_count)
        return true;
    for (int i = 0; i < t->legs; i++) {
        int k = 0;

        while (k < o->legs_kept && (found >> k & 1 || !is_leg(&t->leg[i], &o->leg[k])))
            k++;
        if (k == o->legs_kept)
            return true;
        found |= 1u << k;
    }
    return false;
}

bool og_shown_terms_differ(const struct og_shown_terms *t, const struct og_order *o)
{
    if (figure_differs(t->quantity, og_money_from(o->quantity)) || symbol_differs(t, o) || legs_differ(t, o) ||
        (t->security && o->security && t->security != o->security))
        return true;
    if (o->security != OG_MLEG &&
        ((t->side && o->side && t->side != o->side) || effect_differs(t->opens, o->open_close)))
        return true;
    if (t->bounded >= 0 && o->type && t->bounded != og_order_wants_limit(o))
        return true;
    return (og_order_wants_limit(o) && figure_differs(t->limit, o->limit)) ||
           (og_order_wants_stop(o) && og_order_has(o, OG_KEY_STOP_PRICE) && figure_differs(t->stop, o->stop));
}

/* --- what has filled ---------------------------------------------------------------------------------------------- */

/* Returns a quantity under the key of either shape of a row; 0 if the row does not show it. */
static struct og_money size_of(const cJSON *item, const char *key, const char *other)
{
    const struct og_money size = number_of(item, og_doc_get(item, key) ? key : other);

    return size.coef > 0 ? size : og_money_from(0);
}

/* Returns true if a leg shows that more of the spread has filled than `executed` units. */
static bool leg_has_more(const cJSON *leg, struct og_money quantity, struct og_money executed)
{
    const struct og_money size = size_of(leg, "qty", "qty");
    const int64_t units = og_money_floor(quantity), each = units > 0 ? og_money_floor(size) / units : 0;
    struct og_money filled = size_of(leg, "executed", "executed"), most;

    if (!filled.coef && og_doc_get(leg, "lvsQty") && og_doc_get(leg, "cxlQty") &&
        (!og_money_sub(size, size_of(leg, "lvsQty", "lvsQty"), &filled) ||
         !og_money_sub(filled, size_of(leg, "cxlQty", "cxlQty"), &filled)))
        return true;
    return !og_money_times(executed, each > 0 ? each : 1, &most) || og_money_cmp(filled, most) > 0;
}

/* Returns true if the row shows, beside `executed`, that more has filled. */
static bool has_more(const cJSON *row, struct og_str status, struct og_money quantity, struct og_money executed)
{
    const struct og_money leaves = size_of(row, "leavesQuantity", "lvsQty"),
                          canceled = size_of(row, "canceledQuantity", "cancelledQuantity");
    const cJSON *legs = og_doc_get(row, "legs"), *leg;
    struct og_money rest;

    if (og_str_is(status, "PartiallyFilled") && !executed.coef)
        return true;
    if (quantity.coef > 0 && (leaves.coef || canceled.coef) &&
        (!og_money_sub(quantity, executed, &rest) || !og_money_sub(rest, leaves, &rest) ||
         !og_money_sub(rest, canceled, &rest) || rest.coef > 0))
        return true;
    cJSON_ArrayForEach (leg, legs)
        if (leg_has_more(leg, quantity, executed))
            return true;
    return false;
}

/* Returns true if nothing of an order with this status has filled, unless its row shows more. */
static bool is_untouched(struct og_str status)
{
    return og_str_is(status, "PendingNew") || og_str_is(status, "New") || og_str_is(status, "Accepted") ||
           og_str_is(status, "Rejected");
}

enum og_filled_shown og_shown_filled(const cJSON *row, struct og_str status, struct og_money *executed)
{
    const cJSON *item = og_doc_get(row, "executed");
    const struct og_money quantity = size_of(row, "orderQuantity", "orderQuantity");
    const bool said = item && !cJSON_IsNull(item);
    struct og_money size;

    *executed = og_money_from(0);
    if (said && og_doc_money(row, "executed", &size) && size.coef >= 0 && (!size.scale || quantity.scale) &&
        (!quantity.coef || og_money_cmp(size, quantity) <= 0))
        *executed = size;
    else if (said && !og_str_is(status, "Filled"))
        return OG_FILLED_UNSAID;
    if (og_str_is(status, "Filled")) {
        *executed = quantity.coef ? quantity : *executed;
        return OG_FILLED_WHOLE;
    }
    if (has_more(row, status, quantity, *executed))
        return OG_FILLED_UNSAID;
    if (said || is_untouched(status))
        return OG_FILLED_SAID;
    /* the rest of the row counts every unit as not filled */
    return quantity.coef && (size_of(row, "leavesQuantity", "lvsQty").coef ||
                             size_of(row, "canceledQuantity", "cancelledQuantity").coef)
               ? OG_FILLED_SAID
               : OG_FILLED_UNSAID;
}
