/*
 * Kinds of orders that open: each by security type, order type and side.
 */
#ifndef OG_LINT_OPENING_KINDS_H
#define OG_LINT_OPENING_KINDS_H

#include "base/buf.h"
#include "lint/trial.h"

/* Some of them, of one symbol or of any. */
struct og_kinds {
    bool has[OG_MLEG + 1][OG_STOP_LIMIT + 1][OG_SELL + 1];
    struct og_str symbol; /* len 0: any */
    int count;
};

/* An ordinary order of each kind in turn, *n from 0; false: there is no more.  A spread has no side: it is bought. */
bool og_kind_next(const struct og_linting *l, int *n, struct og_probe *p);

void og_kinds_add(struct og_kinds *k, const struct og_probe *p);
static inline bool og_kinds_have(const struct og_kinds *k, const struct og_probe *p)
{
    return k->has[p->security][p->type][p->side];
}
/* "every Stock order, Buy Option orders, Mleg Market", put behind what is there. */
void og_kinds_name(struct og_buf *b, const struct og_kinds *k);

#endif
