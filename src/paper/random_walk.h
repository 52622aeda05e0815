/*
 * Prices that walk at random, the same way for the same seed.
 */
#ifndef OG_PAPER_RANDOM_WALK_H
#define OG_PAPER_RANDOM_WALK_H

#include "paper/scenario_settings.h"

struct og_paper;

/* A symbol's walk, which og_paper_random_walks_start() sets off.  false: out of memory. */
bool og_paper_random_walk_add(struct og_paper *p, struct og_paper_symbol *symbol,
                              const struct og_paper_random_walk_item *item);
bool og_paper_random_walks_start(struct og_paper *p);

#endif
