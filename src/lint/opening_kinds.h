/*
 * Kinds of orders that open: each by security type, order type and side.
 */
#ifndef OG_LINT_OPENING_KINDS_H
#define OG_LINT_OPENING_KINDS_H

#include "base/buf.h"
#include "lint/trial.h"

/* Some of them, of one symbol or of any. */
struct og_opening_kinds {
    bool has[OG_MLEG + 1][OG_STOP_LIMIT + 1][OG_SELL + 1];
    struct og_str symbol; /* len 0: any */
    int count;
};

/* An ordinary order of each kind in turn, *n from 0; false: there is no more.  A spread has no side: it is bought. */
bool og_opening_kind_next(const struct og_lint_run *l, int *n, struct og_trial_order *p);

void og_opening_kinds_add(struct og_opening_kinds *k, const struct og_trial_order *p);
static inline bool og_opening_kinds_have(const struct og_opening_kinds *k, const struct og_trial_order *p)
{
    return k->has[p->security][p->type][p->side];
}
/* "every Stock order, Buy Option orders, Mleg Market", put behind what is there. */
void og_opening_kinds_name(struct og_buf *b, const struct og_opening_kinds *k);

#endif
