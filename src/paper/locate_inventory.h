/*
 * Located shares: how many shares of a hard-to-borrow stock an account may sell short, by locate type, for one trading
 * day.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct og_paper;
struct og_paper_account;
struct og_paper_symbol;

/* The numbers are those of the service's documents; 2 is the same product as 1, and is never used here. */
enum og_paper_locate_type {
    OG_PAPER_LOCATE_NONE,
    OG_PAPER_LOCATE_STANDARD = 1,
    OG_PAPER_LOCATE_PRE_BORROW = 3,
    OG_PAPER_LOCATE_SINGLE_USE = 4
};

struct og_paper_inventory {
    struct og_paper_symbol *symbol;
    enum og_paper_locate_type type;
    int64_t day; /* the trading day for which the shares are located; it ends at 20:00 in New York */
    int64_t available, sold, to_be_sold;
    int64_t unavailable; /* shares that short positions use; for single-use shares, also those that were used */
    int64_t paid;        /* price paid for the shares that were not credited back, in millionths */
    struct og_paper_inventory *next;
};

/* Add located shares, bought for this total price.  Returns false if out of memory. */
bool og_paper_inventory_add(struct og_paper *p, struct og_paper_account *account, struct og_paper_symbol *symbol,
                            enum og_paper_locate_type type, int64_t shares, int64_t paid);

/* Returns a pool of this type (NONE: of any type) from which so many shares can be returned. Returns NULL if there is
 * none, if working short sales need the shares, or if shares of a single-use pool were used. */
struct og_paper_inventory *og_paper_inventory_creditable(struct og_paper *p, struct og_paper_account *account,
                                                         const struct og_paper_symbol *symbol,
                                                         enum og_paper_locate_type type, int64_t shares);
/* Queue a credit, undo it, or complete it (clear); og_paper_inventory_clear() returns the amount to refund. */
void og_paper_inventory_queue(struct og_paper *p, struct og_paper_account *account, struct og_paper_inventory *pool,
                              int64_t shares);
void og_paper_inventory_undo(struct og_paper *p, struct og_paper_account *account, const struct og_paper_symbol *symbol,
                             enum og_paper_locate_type type, int64_t shares);
int64_t og_paper_inventory_clear(struct og_paper *p, struct og_paper_account *account,
                                 const struct og_paper_symbol *symbol, enum og_paper_locate_type type, int64_t shares);

/* Returns how many shares one further order may sell short: the available shares, less those that working short sales
 * will use. */
int64_t og_paper_inventory_free(struct og_paper *p, const struct og_paper_account *account,
                                const struct og_paper_symbol *symbol);
/* og_paper_inventory_short(): take shares that were sold short out of the inventory. og_paper_inventory_cover(): put
 * shares that were bought back into it. */
void og_paper_inventory_short(struct og_paper *p, struct og_paper_account *account,
                              const struct og_paper_symbol *symbol, int64_t shares);
void og_paper_inventory_cover(struct og_paper *p, struct og_paper_account *account,
                              const struct og_paper_symbol *symbol, int64_t shares);

/* Write the rows of today's inventory as elements of an array. */
void og_paper_inventory_write(struct og_paper *p, const struct og_paper_account *account, struct og_buf *b);

/* Add a pool that was read from the database. */
bool og_paper_inventory_restore(struct og_paper *p, struct og_paper_account *account, void *row);
