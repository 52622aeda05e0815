/*
 * When orders fill, and at what price: against the quotes of the market, within the hours of the session.
 */
#ifndef OG_PAPER_MATCH_H
#define OG_PAPER_MATCH_H

#include "paper/order.h"

/* Try one order.  first: its first try, at which IOC and FOK are settled. */
void og_paper_match_order(struct og_paper_order *o, bool first);
/* Try every working order whose root is that symbol, oldest first. */
void og_paper_match_root(struct og_paper_symbol *root);

#endif
