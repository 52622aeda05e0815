/*
 * Shares located: what an account may sell short of a stock that is hard to borrow, by type, for a day.
 */
#ifndef OG_PAPER_LOCATE_INVENTORY_H
#define OG_PAPER_LOCATE_INVENTORY_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

struct og_paper;
struct og_paper_account;
struct og_paper_symbol;

/* Numbers of the wire; 2 is the same product as 1 and never given out here. */
enum og_paper_locate_type {
    OG_PAPER_LOCATE_NONE,
    OG_PAPER_LOCATE_STANDARD = 1,
    OG_PAPER_LOCATE_PRE_BORROW = 3,
    OG_PAPER_LOCATE_SINGLE_USE = 4
};

struct og_paper_inventory {
    struct og_paper_symbol *symbol;
    enum og_paper_locate_type type;
    int64_t day; /* the trading day it is good for; a day ends at 20:00 in New York */
    int64_t available, sold, to_be_sold;
    int64_t unavailable; /* tied to shorts; of single use spent as well */
    int64_t paid;        /* for what is not credited back, millionths */
    struct og_paper_inventory *next;
};

/* Located shares come in, for that price altogether.  false: out of memory. */
bool og_paper_inventory_add(struct og_paper *p, struct og_paper_account *account, struct og_paper_symbol *symbol,
                            enum og_paper_locate_type type, int64_t shares, int64_t paid);

/* The pool that can give back so many shares: of that type, or of any where type is NONE.  NULL: there is none, the
 * shares are tied, or they were for a single use that was made of some. */
struct og_paper_inventory *og_paper_inventory_creditable(struct og_paper *p, struct og_paper_account *account,
                                                         const struct og_paper_symbol *symbol,
                                                         enum og_paper_locate_type type, int64_t shares);
/* A credit is queued, undone, or cleared; the last answers what is paid back. */
void og_paper_inventory_queue(struct og_paper *p, struct og_paper_account *account, struct og_paper_inventory *pool,
                              int64_t shares);
void og_paper_inventory_undo(struct og_paper *p, struct og_paper_account *account, const struct og_paper_symbol *symbol,
                             enum og_paper_locate_type type, int64_t shares);
int64_t og_paper_inventory_clear(struct og_paper *p, struct og_paper_account *account,
                                 const struct og_paper_symbol *symbol, enum og_paper_locate_type type, int64_t shares);

/* Shares that one more order may sell short: what is available less what working shorts will take. */
int64_t og_paper_inventory_free(struct og_paper *p, const struct og_paper_account *account,
                                const struct og_paper_symbol *symbol);
/* Shares were sold short; or bought back. */
void og_paper_inventory_short(struct og_paper *p, struct og_paper_account *account,
                              const struct og_paper_symbol *symbol, int64_t shares);
void og_paper_inventory_cover(struct og_paper *p, struct og_paper_account *account,
                              const struct og_paper_symbol *symbol, int64_t shares);

/* The rows of today's inventory, as elements of an array. */
void og_paper_inventory_write(struct og_paper *p, const struct og_paper_account *account, struct og_buf *b);

/* A pool as it was stored. */
void og_paper_inventory_restore(struct og_paper_account *account, struct og_paper_inventory *pool);

#endif
