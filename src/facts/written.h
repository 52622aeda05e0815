/*
 * The contracts of one root from which the loss of written options is computed: as they are held, and as an order
 * changes them.
 */
#pragma once

#include "facts/data.h"

enum { WRITTEN_CALLS, WRITTEN_PUTS };

static inline int type_of(const struct og_occ *occ)
{
    return occ->type == 'P' ? WRITTEN_PUTS : WRITTEN_CALLS;
}

/* Return the first and the next contract of a root, or NULL; root may be NULL. */
static inline const struct og_holding_entry *first_contract(const struct og_root_entry *root)
{
    return root ? root->first : NULL;
}
static inline const struct og_holding_entry *next_contract(const struct og_holding_entry *e)
{
    /* the cast is valid because the member `is` comes first in struct og_holding_entry */
    return (const struct og_holding_entry *)e->is.next_of_root;
}

/* Returns the part of a loss that is not counted already. */
static inline og_wide beyond(og_wide loss, og_wide counted)
{
    return loss > counted ? loss - counted : 0;
}

static inline og_wide more_of(og_wide a, og_wide b)
{
    return a > b ? a : b;
}

/* How an order changes a contract, or shares, when it fills. either: what is sold beyond the long position is
 * written. */
struct changed {
    int64_t shorts, longs, sold;
    bool either;
};

/* How other working orders are taken into account while one order is examined. FILL: orders that sell cover fill, and
 * orders that add cover do not. WRITE: as FILL, and orders whose written calls only held long calls can cover fill too
 * (og_facts_leans()). WAIT: the reverse: orders that sell cover or write calls do not fill, and orders that buy back
 * short shares do. */
enum others { OTHERS_FILL, OTHERS_WRITE, OTHERS_WAIT };

/* The contracts that a loss is computed from. If there are too many, only `count` grows. */
struct lots {
    struct og_lot lot[OG_LOTS];
    int count;
};

/* Add a contract with `shorts` and `longs` that are held or will be; `sold` of the longs may be sold.  If there is no
 * room, only l->count grows. */
void og_facts_add_lot(struct lots *l, const struct og_occ *occ, int64_t shorts, int64_t longs, int64_t sold);
/* held: shares held long before the order; bare: shares of the short calls that no long call covers. */
struct by_shares {
    int64_t held, bare;
};

/* Returns how many shares that are held long cover calls of a root, before the order. Shares that are also held short
 * do not count, nor, if the others fill, those that working orders sell short. */
int64_t og_facts_shares_held(const struct og_aggregates *s, struct og_str root, enum others others);
/* Returns what calls can lose if shares, less those `sold`, cover some of them. The computation is in shares, not in
 * contracts. */
og_wide og_facts_calls_lose(struct lots *lots, int64_t sold, struct by_shares *by);

/* Which of the calls of a root are there once working orders have filled: those that they sell or write are, unless
 * they are left out, and so are the shorts that they would buy back, unless those are left out. An outcome in which a
 * call has no cover may lose less than one in which it has: without cover the call has no bound, so it counts at its
 * price. So as many are left out as have no cover, those with the highest strikes, since calls with lower strikes use
 * up better cover. */
struct at_work {
    bool sales;          /* closing sales of long calls are among the calls; else only leaners and shorts are */
    int64_t strike, out; /* all above the strike are left out, and `out` of those at it */
};
#define ANY_STRIKE INT64_MAX   /* nothing is left out */
#define NO_STRIKE  INT64_C(-1) /* none of what orders sell or write is there, and all that are held short are */

/* Of a contract: how many shorts stay, how many leaners fill, and how many of the longs are sold. */
struct fills {
    int64_t shorts, leaners, sold;
};

/* Leave out `count` of the calls of working orders. */
void og_facts_leave_out(struct at_work *w, const struct og_root_entry *root, int64_t count);
/* Returns what is there of a contract. w: what is left out of it is taken from w->out. */
struct fills og_facts_at_work(struct at_work *w, const struct og_holding_entry *e);
/* Returns how many of a contract's leaners may close longs instead: those without openClose. */
int64_t og_facts_may_close(const struct og_holding_entry *e, int64_t leaners);
/* Returns how many calls of a root can be left out. */
int64_t og_facts_all_at_work(const struct at_work *w, const struct og_root_entry *root);

/* The amounts with which the contracts that make up a loss count already, in cents: those in the document of positions,
 * and what leaners write if these fill. Calls that nothing covers make up none of it. premium: the price for which they
 * were sold; counts: this price, and the value of the positions or orders. cover: how many of the shares held long
 * cover calls that longs do not fully cover; the other shares cover nothing, or calls without a bound. bare: calls that
 * nothing covers. rest: calls that an order without openClose writes, since other working orders leave too few longs
 * that it could close. */
struct counted {
    og_wide premium, counts;
    int64_t cover, bare, rest;
};

/* Returns what the short contracts of a root and type can lose in all, after the order (NULL if there is none) has
 * filled. If there are too many contracts to pair them, puts count without cover, and calls at their price. at_work:
 * for OTHERS_WRITE, which calls of working orders are there; NULL: all leaners, and perhaps the sales.
 * rest: the loss includes counted->rest, which the order's own worth counts otherwise (og_facts_writes()). */
og_wide og_facts_lose_on(const struct og_aggregates *s, const struct og_root_entry *root, int type,
                         const struct og_order *o, enum others others, const struct at_work *at_work, bool rest,
                         struct counted *counted);
