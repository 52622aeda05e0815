/*
 * An order put to the margin model: what it trades, the book of its root, what is paid.  Only for the files of this
 * folder.
 */
#ifndef OG_MARGIN_INPUTS_H
#define OG_MARGIN_INPUTS_H

#include "margin/margin.h"
#include "margin/requirement.h"

#define OG_CONTRACT    100 /* shares */
#define OG_MARGIN_MANY 4   /* contracts of a root; beyond, a bound is answer enough where there is enough */

/* One option contract or stock that an order trades. */
struct og_margin_part {
    struct og_str symbol;
    const struct og_occ *occ; /* .is false: stock */
    enum og_side side;
    bool opens;
    int64_t size;
};

struct og_margin_parts {
    struct og_margin_part part[OG_LEGS_KEPT];
    int count;
    bool opens, closes, stock, sells;
    struct og_str root;
};

/* Shares beside the contracts, as their lines have them. */
struct og_margin_shares {
    int64_t held_long, held_short, going_long, coming_long, coming_short, order_long, order_short;
    int64_t spare_long, spare_short;
};

/* An order on a root with options. */
struct og_margin_inputs {
    const struct og_margin_question *q;
    struct og_margin *m;
    struct og_margin_parts parts;
    struct og_str under;                /* whose price counts */
    const struct og_root_sums *on_root; /* NULL: nothing */
    struct og_margin_shares shares;
    bool coming;          /* some order on the root still works */
    struct og_money cash; /* paid; below 0: received */
    int64_t unit;         /* sizes in the book are so many times smaller */
    struct og_margin_book book;
};

/* false: not well formed, or on several roots. */
bool og_margin_parts_of(const struct og_order *o, struct og_margin_parts *p);

/* A bound will do where there is enough to pay it; and there is, where one will do. */
bool og_margin_may_bound(const struct og_margin_question *q);
bool og_margin_is_enough(const struct og_margin_question *q, struct og_money dollars);

/* The quote of a symbol, when it is as fresh as it must be; else NULL. */
const struct og_quote *og_margin_quote(const struct og_margin_question *q, struct og_str symbol);
static inline const struct og_quote *og_margin_own_quote(const struct og_margin_question *q)
{
    const struct og_quote *quote = q->quote;

    return quote && og_fact_is_fresh(quote->as_of, q->now, q->quote_age) ? quote : NULL;
}

/* Everything held and working on the root, the order's changes, and the price of the underlying.  false: too much. */
bool og_margin_fill(struct og_margin_inputs *a);
/* The order alone.  false: likewise. */
bool og_margin_fill_alone(struct og_margin_inputs *a);
/* The line of a part that is a contract.  NULL: no room; never after og_margin_fill(). */
struct og_margin_line *og_margin_line_for(struct og_margin_inputs *a, const struct og_margin_part *x);
/* What one contract is worth: by the quote, the offer first, for it is what a short costs to buy back; else what was
 * paid. */
void og_margin_price(const struct og_margin_question *q, const struct og_holding *h, struct og_margin_line *l);

/* Set what is paid for the whole order; the book is used up.  false: an answer was given. */
bool og_margin_pay(struct og_margin_inputs *a);
/* What the order writes is charged at the price it is written at.  false: out of range. */
bool og_margin_price_written(struct og_margin_inputs *a);

/* How many contracts of the root are held or working. */
static inline int og_margin_others(const struct og_margin_inputs *a)
{
    return a->on_root ? a->on_root->contracts : 0;
}
/* Contracts of a type that are written on the root, or will be. */
static inline og_wide og_margin_shorts_of(const struct og_margin_inputs *a, char type)
{
    return !a->on_root ? 0 : type == 'C' ? a->on_root->calls : a->on_root->puts;
}

/* Of an order that only closes: it leaves all that is written as well covered as before; or what it takes then is
 * set. */
bool og_margin_stays_covered(struct og_margin_inputs *a);
/* And it takes no more than that, whatever is paired with what; the book is filled. */
og_wide og_margin_close_most(struct og_margin_inputs *a, const struct og_margin_terms *t);

void og_margin_answer(struct og_margin *m, enum og_margin_state state, const char *why);
void og_margin_needs_quote(struct og_margin *m, struct og_str symbol);

#endif
