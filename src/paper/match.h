/*
 * Matching: when orders fill, and at what price, according to the market's quotes and the session hours.
 */
#pragma once

#include "paper/order.h"

/* Try to fill an order.  first: its first try, after which IOC and FOK end. */
void og_paper_match_order(struct og_paper_order *o, bool first);
/* Set a quote, fill the orders that it reaches, update the P&L streams, and store it. */
void og_paper_match_quote(struct og_paper *p, struct og_paper_symbol *symbol, const struct og_paper_quote *quote);
