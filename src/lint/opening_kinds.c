/*
 * Kinds of opening orders: makes an order of each kind, and a short text for a set of kinds.
 */
#include "lint/opening_kinds.h"

#include <stdio.h>

enum { TYPES = OG_STOP_LIMIT - OG_MARKET + 1, SIDES = OG_SELL - OG_BUY + 1 };

bool og_opening_kind_next(const struct og_lint_run *l, int *n, struct og_trial_order *p)
{
    while (*n < (OG_MLEG - OG_STOCK + 1) * TYPES * SIDES) {
        enum og_security security = (enum og_security)(OG_STOCK + *n / (TYPES * SIDES));
        enum og_order_type type = (enum og_order_type)(OG_MARKET + *n / SIDES % TYPES);
        enum og_side side = (enum og_side)(OG_BUY + *n % SIDES);

        ++*n;
        if (security == OG_MLEG && side != OG_BUY)
            continue;
        *p = og_trial_ordinary_order(l->trial, security, side, type);
        return true;
    }
    return false;
}

void og_opening_kinds_add(struct og_opening_kinds *k, const struct og_trial_order *p)
{
    k->count += !og_opening_kinds_have(k, p);
    k->has[p->security][p->type][p->side] = true;
}

static void append_name(struct og_buf *b, const struct og_opening_kinds *k, const char *side, const char *security,
                        const char *type)
{
    og_buf_format(b, "%s%s%s%s%s%.*s", b->len ? ", " : "", side, security, type, k->symbol.len ? " of " : "",
                  (int)k->symbol.len, k->symbol.len ? k->symbol.s : "");
}

static bool all_types(const struct og_opening_kinds *k, int security, int side)
{
    for (int type = OG_MARKET; type <= OG_STOP_LIMIT; type++)
        if (!k->has[security][type][side])
            return false;
    return true;
}

static void append_side(struct og_buf *b, const struct og_opening_kinds *k, int security, int side)
{
    const char *is = og_security_name((enum og_security)security);
    char of_side[8] = "", of_type[16];

    if (security != OG_MLEG)
        snprintf(of_side, sizeof of_side, "%s ", og_side_name((enum og_side)side));
    if (all_types(k, security, side)) {
        append_name(b, k, of_side, is, " orders");
        return;
    }
    for (int type = OG_MARKET; type <= OG_STOP_LIMIT; type++)
        if (k->has[security][type][side]) {
            snprintf(of_type, sizeof of_type, " %s", og_order_type_name((enum og_order_type)type));
            append_name(b, k, of_side, is, of_type);
        }
}

void og_opening_kinds_name(struct og_buf *b, const struct og_opening_kinds *k)
{
    if (k->count == (2 * SIDES + 1) * TYPES) {
        append_name(b, k, "every order", "", "");
        return;
    }
    for (int security = OG_STOCK; security <= OG_MLEG; security++) {
        bool single = security != OG_MLEG;

        if (all_types(k, security, OG_BUY) && (!single || all_types(k, security, OG_SELL))) {
            append_name(b, k, "every ", og_security_name((enum og_security)security), " order");
            continue;
        }
        append_side(b, k, security, OG_BUY);
        if (single)
            append_side(b, k, security, OG_SELL);
    }
}
