/*
 * Lines of a book that are charged together: the longs and some shorts as one spread, at the spread's maximum loss; the
 * other shorts one by one.  Only for requirement.c, which decides which shorts stand alone.
 */
#pragma once

#include "margin/requirement.h"

#define OG_PAIRING_LATER 8 /* maximum number of longs of later expiries, of each type, that one expiry may use */

/* A requirement being computed: the lines that are charged together, sorted by strike.  They are the lines of one
 * group, and perhaps longs of later groups. */
struct og_pairing {
    struct og_margin_book *b;
    int list[OG_MARGIN_MOST], count;
    struct og_pairing_group *group;
    int groups;
    int steps;      /* maximum number of steps that ILPs may take */
    bool lower;     /* compute a lower bound instead of an upper bound */
    bool cut;       /* the list has no room for some lines */
    int64_t lowest; /* the price at which the spread loses most, from the last og_pairing_loss() */
};

/* Compute what one short of the line requires if it stands alone. */
void og_pairing_price(const struct og_margin_book *b, const struct og_margin_terms *t, struct og_margin_line *l);

/* Returns true if, for a short call and a short put that stand alone, two rules give the same result: (a) the larger
 * requirement counts; (b) the larger risk counts. */
static inline bool og_pairing_are_fair(const struct og_margin_line *call, const struct og_margin_line *put)
{
    return !call->risk || !put->risk || (call->alone > put->alone ? call->risk >= put->risk : put->risk >= call->risk);
}

/* Set up the group of the expiry that begins at line `from`, and price its shorts. */
void og_pairing_group_at(const struct og_margin_book *b, int from, struct og_pairing_group *g);

/* Add lines to the list of those that are charged.  _own: the group's own lines, with all their longs.  _free: the best
 * longs that later expiries do not need, at most `most` of each type.  og_pairing_list(): one line, with its free
 * longs, at its place by strike. */
void og_pairing_list_own(struct og_pairing *p, const struct og_pairing_group *g);
void og_pairing_list_free(struct og_pairing *p, const struct og_pairing_group *g, int most);
void og_pairing_list(struct og_pairing *p, int at);

/* Set *loss to the maximum loss of the spread at expiry.  Returns false if it is unbounded. */
bool og_pairing_loss(struct og_pairing *p, const struct og_pairing_group *g, og_wide *loss);
/* Set *total to the maximum loss of the spread plus what the shorts outside the spread require.  Returns false if the
 * maximum loss is unbounded. */
bool og_pairing_total(struct og_pairing *p, const struct og_pairing_group *g, og_wide *total);
/* Returns a lower bound of the cost of every way to charge the group. It is computed for the price of the underlying at
 * which og_pairing_loss() found the greatest loss last. */
og_wide og_pairing_least(const struct og_pairing *p, const struct og_pairing_group *g);

static inline int64_t og_pairing_shorts_in(const struct og_margin_line *l, const struct og_pairing_group *g)
{
    return l->expiry == g->expiry ? l->shorts - l->out : 0;
}
static inline int64_t og_pairing_lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
