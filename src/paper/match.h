/*
 * When orders fill, and at what price: against the quotes of the market, within the hours of the session.
 */
#ifndef OG_PAPER_MATCH_H
#define OG_PAPER_MATCH_H

#include "paper/order.h"

/* Try one order.  first: its first try, at which IOC and FOK are settled. */
void og_paper_match_order(struct og_paper_order *o, bool first);
/* The market moves: orders fill, P&L streams hear of it, the database keeps it. */
void og_paper_match_quote(struct og_paper *p, struct og_paper_symbol *symbol, const struct og_paper_quote *quote);

#endif
