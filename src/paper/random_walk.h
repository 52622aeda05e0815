/*
 * Prices that follow a random walk, reproducible by seed.
 */
#pragma once

#include "paper/scenario_settings.h"

struct og_paper;

/* Add a walk for a symbol; og_paper_random_walks_start() starts it.  Returns false if out of memory. */
bool og_paper_random_walk_add(struct og_paper *p, struct og_paper_symbol *symbol,
                              const struct og_paper_random_walk_item *item);
bool og_paper_random_walks_start(struct og_paper *p);
