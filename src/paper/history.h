/*
 * The fill history of live accounts, as the start-date endpoints show it, and the charges of a fill.
 */
#pragma once

#include "paper/account.h"

struct og_paper_trade {
    int64_t id;
    struct og_paper_symbol *symbol;
    bool buy;
    int64_t quantity; /* whole shares or contracts */
    int64_t price, commission, fees;
    int64_t at, entered; /* at: time of the fill; entered: time at which the order arrived */
    int64_t mleg_id;     /* 0 if the order is not a multi-leg order */
    bool busted;
    struct og_paper_trade *next;
};

/* Set the commission and fees of a fill by the service's rates. */
void og_paper_history_charge(const struct og_paper *p, struct og_paper_fill *fill);
/* Record a fill of an order, unless its account is a paper account, which has no history. */
void og_paper_history_add(const struct og_paper_order *o, const struct og_paper_fill *fill);
/* Bust (cancel) a trade: its shares and money are returned, and its row is marked. Returns false if there is no trade
 * with this id, or if it was already busted. */
bool og_paper_history_bust(struct og_paper *p, int64_t id);
/* Append a fill that was read from the database; the arena owns it. */
bool og_paper_history_restore(struct og_paper *p, struct og_paper_account *account, void *row);
