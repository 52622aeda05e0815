/*
 * Lifecycles of positions: a lifecycle records the shares bought and sold on one side of a symbol, from the first share
 * until nothing is held. Completed lifecycles are kept as records.
 */
#pragma once

#include "paper/account.h"

struct og_paper_lifecycle {
    int64_t id; /* id of the lifecycle's first lot */
    struct og_paper_symbol *symbol;
    bool is_long, overnight;
    bool again; /* shares were added after some had been closed: there was more than one round trip */
    /* entered: shares that were added; left: shares that were closed; *_value: these shares x their prices, without the
     * multiplier */
    int64_t entered, entered_value;
    int64_t left, left_value;
    int64_t charges;
    int64_t created, updated;
    int64_t record_at; /* when the record is written; 0 while the position is open */
    struct og_paper_lifecycle *next;
};

/* og_paper_lifecycle_enter(): add shares (of a fill or an initial position) to the lifecycle of a symbol and side.
 * Returns false if memory ran out; the lifecycle then gets no record. og_paper_lifecycle_leave(): remove shares from
 * the lifecycle. charges: commission and fees. */
bool og_paper_lifecycle_enter(struct og_paper *p, struct og_paper_account *account, const struct og_paper_lot *lot,
                              int64_t shares, int64_t price, int64_t charges);
void og_paper_lifecycle_leave(struct og_paper *p, struct og_paper_account *account,
                              const struct og_paper_symbol *symbol, bool is_long, int64_t shares, int64_t price,
                              int64_t charges);

/* Call when a session begins: open lifecycles are then overnight ones. */
void og_paper_lifecycle_roll(struct og_paper *p, struct og_paper_account *account);
/* Call after the positions were replaced: open lifecycles end without a record. */
void og_paper_lifecycle_drop(struct og_paper *p, struct og_paper_account *account);
/* Add a lifecycle that was read from the database. */
bool og_paper_lifecycle_restore(struct og_paper *p, struct og_paper_account *account, void *row);
void og_paper_lifecycle_clear(struct og_paper_account *account);
