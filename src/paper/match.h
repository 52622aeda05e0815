/*
 * Matching: when orders fill, and at what price, according to the market's quotes and the session hours.
 */
#pragma once

#include "paper/order.h"

/* Try to fill an order. first: this is its first try; IOC and FOK orders end after it. */
void og_paper_match_order(struct og_paper_order *o, bool first);
/* Set a quote, fill the orders that the quote reaches, update the P&L streams, and store everything. */
void og_paper_match_quote(struct og_paper *p, struct og_paper_symbol *symbol, const struct og_paper_quote *quote);
/* Remove the quote of its own that a contract has, so that it is priced from its root again, and do the same. */
void og_paper_match_computed(struct og_paper *p, struct og_paper_symbol *contract);
