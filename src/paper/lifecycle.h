/*
 * Lifecycles of positions: what went into a symbol and out of it on one side, from flat to flat, and the records of
 * those that are completed.
 */
#ifndef OG_PAPER_LIFECYCLE_H
#define OG_PAPER_LIFECYCLE_H

#include "paper/account.h"

struct og_paper_lifecycle {
    int64_t id; /* of the lot it began with */
    struct og_paper_symbol *symbol;
    bool is_long, overnight;
    bool again;                     /* added to after a part of it was closed: more than one trip */
    int64_t entered, entered_value; /* shares, and shares x price without multiplier */
    int64_t left, left_value;
    int64_t charges;
    int64_t created, updated;
    int64_t record_at; /* when its record is written; 0 while it is open */
    struct og_paper_lifecycle *next;
};

/* A fill, or a planted lot, of that many shares goes into a lot or out of the lots of a side.  charges: what it cost.
 * false: out of memory, there will be no record. */
bool og_paper_lifecycle_enter(struct og_paper *p, struct og_paper_account *account, const struct og_paper_lot *lot,
                              int64_t shares, int64_t price, int64_t charges);
void og_paper_lifecycle_leave(struct og_paper *p, struct og_paper_account *account,
                              const struct og_paper_symbol *symbol, bool is_long, int64_t shares, int64_t price,
                              int64_t charges);

/* The session begins: open ones are carried. */
void og_paper_lifecycle_roll(struct og_paper *p, struct og_paper_account *account);
/* The positions are replaced: open ones end without a record. */
void og_paper_lifecycle_drop(struct og_paper *p, struct og_paper_account *account);
/* One as it was stored. */
void og_paper_lifecycle_restore(struct og_paper_account *account, struct og_paper_lifecycle *life);
void og_paper_lifecycle_clear(struct og_paper_account *account);

#endif
