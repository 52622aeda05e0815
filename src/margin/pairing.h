/*
 * Lines of a book charged together: longs and shorts in one spread at the most it can lose, shorts on their own beside
 * it. Only for requirement.c, which chooses who stands where.
 */
#ifndef OG_MARGIN_PAIRING_H
#define OG_MARGIN_PAIRING_H

#include "margin/requirement.h"

#define OG_PAIRING_LATER 8 /* longs of later expiries, of each type, that an expiry may use */

/* One requirement under way: the lines charged together, of one group and perhaps longs of later ones, by strike. */
struct og_pairing {
    struct og_margin_book *b;
    int list[OG_MARGIN_MOST], count;
    struct og_pairing_group *group;
    int groups;
    int steps;      /* how long to search where it takes one */
    bool lower;     /* the least is asked for */
    bool cut;       /* some that could be listed were not */
    int64_t lowest; /* where the spread loses most: what og_pairing_loss() saw last */
};

/* What one short of the line takes on its own. */
void og_pairing_price(const struct og_margin_book *b, const struct og_margin_terms *t, struct og_margin_line *l);

/* A call and a put on their own, both short: the greater of what they take alone counts, with its risk. */
static inline bool og_pairing_are_fair(const struct og_margin_line *call, const struct og_margin_line *put)
{
    return !call->risk || !put->risk || (call->alone > put->alone ? call->risk >= put->risk : put->risk >= call->risk);
}

/* The expiry from that line on, its first; its shorts are priced. */
void og_pairing_group_at(const struct og_margin_book *b, int from, struct og_pairing_group *g);

/* Choose the lines: the group's own with all their longs; and the best of the longs that later expiries do not need, so
 * many of each type; and any other, by strike, with its free longs. */
void og_pairing_list_own(struct og_pairing *p, const struct og_pairing_group *g);
void og_pairing_list_free(struct og_pairing *p, const struct og_pairing_group *g, int most);
void og_pairing_list(struct og_pairing *p, int at);

/* The most the spread can lose at expiry; false: without bound. */
bool og_pairing_loss(struct og_pairing *p, const struct og_pairing_group *g, og_wide *loss);
/* And what the shorts take that left it. */
bool og_pairing_total(struct og_pairing *p, const struct og_pairing_group *g, og_wide *total);
/* No way to charge the group comes to less: judged where the spread seen last loses most. */
og_wide og_pairing_least(const struct og_pairing *p, const struct og_pairing_group *g);

static inline int64_t og_pairing_shorts_in(const struct og_margin_line *l, const struct og_pairing_group *g)
{
    return l->expiry == g->expiry ? l->shorts - l->out : 0;
}
static inline int64_t og_pairing_lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#endif
