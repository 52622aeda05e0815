/*
 * Which multi-leg strategies the brokerage takes, by the decision table of its documentation.
 */
#ifndef OG_PAPER_STRATEGY_H
#define OG_PAPER_STRATEGY_H

#include "paper/ticket.h"

/* The 400 text for well-formed legs (calendar, divisor, strategy); "" when the shape is taken. */
const char *og_paper_strategy_fault(const struct og_paper_ticket *ticket);

#define OG_STRATEGY_UNSUPPORTED "Strategy not supported."
/* Every leg buys, or every leg sells. */
bool og_paper_strategy_one_sided(const struct og_paper_ticket *ticket);

/* Of a shape that is taken: whether its net is paid (Buy) or received (Sell). */
enum og_paper_side og_paper_strategy_net(const struct og_paper_ticket *ticket);

#endif
