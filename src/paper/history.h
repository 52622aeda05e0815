/*
 * The fills of live accounts, as the calls by start date show them; and what a fill costs.
 */
#ifndef OG_PAPER_HISTORY_H
#define OG_PAPER_HISTORY_H

#include "paper/account.h"

struct og_paper_trade {
    int64_t id;
    struct og_paper_symbol *symbol;
    bool buy;
    int64_t quantity; /* whole */
    int64_t price, commission, fees;
    int64_t at, entered; /* when it was filled, when its order came */
    int64_t mleg_id;     /* 0: of one leg */
    bool busted;
    struct og_paper_trade *next;
};

/* What a fill costs by the service's rates, into the fill. */
void og_paper_history_charge(const struct og_paper *p, struct og_paper_fill *fill);
/* A fill of an order; paper accounts have no history. */
void og_paper_history_add(const struct og_paper_order *o, const struct og_paper_fill *fill);
/* A trade is declared void: its shares and money go back, its row stays and says so.  false: there is none, or it is
 * void. */
bool og_paper_history_bust(struct og_paper *p, int64_t id);
/* A fill as it was stored; it belongs to the arena. */
void og_paper_history_restore(struct og_paper_account *account, struct og_paper_trade *trade);

#endif
