/*
 * Kinds of opening orders by security type, order type and side, and a short text for a set of them.
 */
#pragma once

#include "base/buf.h"
#include "lint/trial.h"

/* A set of kinds of opening orders (by security type, order type and side), either of one symbol or of all symbols. */
struct og_opening_kinds {
    bool has[OG_MLEG + 1][OG_STOP_LIMIT + 1][OG_SELL + 1];
    struct og_str symbol; /* len 0 means any symbol */
    int count;
};

/* Make an ordinary order of the next kind; *n starts at 0. Returns false after the last kind. Kinds of spreads have no
 * side; their order is a buy. */
bool og_opening_kind_next(const struct og_lint_run *l, int *n, struct og_trial_order *p);

void og_opening_kinds_add(struct og_opening_kinds *k, const struct og_trial_order *p);
static inline bool og_opening_kinds_have(const struct og_opening_kinds *k, const struct og_trial_order *p)
{
    return k->has[p->security][p->type][p->side];
}
/* Append a text such as "every Stock order, Buy Option orders, Mleg Market". */
void og_opening_kinds_name(struct og_buf *b, const struct og_opening_kinds *k);
