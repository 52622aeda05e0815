/*
 * Locates: quotes for shares to sell short, offers, their acceptance, and credits for unused shares.
 */
#pragma once

#include "paper/account.h"
#include "paper/clock.h"
#include "paper/locate_inventory.h"

/* Numbers as in the service's documents. */
enum og_paper_locate_status {
    OG_LS_FILLED = 50,
    OG_LS_CANCELED = 52,
    /* a quote without shares to offer, while the pair's other row may have some; or a credit that is not complete
     * yet */
    OG_LS_PENDING = 54,
    OG_LS_REJECTED = 56,
    OG_LS_OFFERED = 65,
    OG_LS_EXPIRED = 67,
    OG_LS_QUOTING = 81
};

/* A row of the locate history. */
struct og_paper_locate {
    struct og_paper *paper;
    struct og_paper_account *account;
    struct og_str name, id;
    struct og_paper_symbol *symbol; /* NULL if the symbol is unknown, and the row is rejected */
    int64_t number;
    int64_t pair;           /* in both rows of a pair: the number of the base row; 0 if the row is not of a pair */
    int64_t shares, filled; /* number of shares; negative for located shares that are returned for credit */
    enum og_paper_locate_status status;
    enum og_paper_locate_type type;
    int error;
    const char *text;
    int64_t price;
    int64_t created, updated;
    int64_t due; /* when the row's timer fires; 0 if the row has none */
    struct og_paper_timer timer;
    struct og_paper_locate *older;
};

#define OG_PAPER_LOCATE_LOT 100

/* Functions that add a row, which may be a rejected one. Nothing is added if the id names no row to which the call
 * applies. Each returns false if memory ran out. */
bool og_paper_locate_quote(struct og_paper *p, struct og_paper_account *account, struct og_str name, int64_t shares,
                           struct og_str id);
/* type NONE means any type of which so many shares can be returned; name.s NULL means the symbol of the filled quote
 * with this id. */
bool og_paper_locate_sell(struct og_paper *p, struct og_paper_account *account, struct og_str name,
                          enum og_paper_locate_type type, int64_t shares, struct og_str id);
bool og_paper_locate_accept(struct og_paper *p, struct og_paper_account *account, struct og_str id);
void og_paper_locate_cancel(struct og_paper *p, struct og_paper_account *account, struct og_str id);

/* Write the newest rows, oldest first, as elements of an array. */
void og_paper_locate_write(const struct og_paper_account *account, struct og_buf *b);

/* Add a row that was read from the database.  Returns false if out of memory. */
bool og_paper_locate_restore(struct og_paper *p, struct og_paper_account *account, void *row);
