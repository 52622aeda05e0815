/*
 * The multi-leg strategies that the brokerage accepts, by the decision table of its documentation.
 */
#pragma once

#include "paper/ticket.h"

/* Returns the text of the 400 answer if well-formed legs are not accepted (calendar, divisor, strategy); "" if they are
 * accepted. */
const char *og_paper_strategy_error(const struct og_paper_ticket *ticket);

#define OG_STRATEGY_UNSUPPORTED "Strategy not supported."
/* Returns true if every leg buys, or every leg sells. */
bool og_paper_strategy_one_sided(const struct og_paper_ticket *ticket);

/* Returns whether the net price of accepted legs is paid (Buy) or received (Sell). */
enum og_paper_side og_paper_strategy_net(const struct og_paper_ticket *ticket);
