/*
 * The flag that halts trading: a small file in the state folder that every sender and every linked program obeys
 * (contract.md "ordergate halt").
 * It refuses to guess: a flag that is there and cannot be read halts.
 * A book looks at it itself: when it is made, and while it is asked to decide five times a second at most.
 */
#ifndef ORDERGATE_HALT_H
#define ORDERGATE_HALT_H

#include "ordergate/book.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reduce-only and halted stop what opens, halted-all everything; cancels always pass. */
enum og_trading { OG_TRADING_ON = 0, OG_TRADING_REDUCE_ONLY = 1, OG_TRADING_HALTED = 2, OG_TRADING_HALTED_ALL = 3 };
OG_API const char *og_trading_name(enum og_trading trading); /* "reduce-only"; static */

struct og_halt {
    enum og_trading trading;
    char at[40]; /* RFC 3339; "" when there is no flag */
    char by[80]; /* whose program wrote it */
    char reason[400];
};

/* path NULL: $XDG_STATE_HOME/ordergate/halt.json.  No file: OG_OK, and trading is on.
 *   OG_EIO, OG_ESYNTAX, OG_EFACTS, OG_ENOMEM  it cannot be read, or is none: trading is halted; err says what to do */
OG_API enum og_status og_halt_read(const char *path, struct og_halt *halt, struct og_error *err);
/* Written beside it, synced, and renamed over it; at and by are filled in.  OG_EIO: it stands as it was. */
OG_API OG_MUST_USE enum og_status og_halt_write(const char *path, struct og_halt *halt, struct og_error *err);

/* Where the book looks: path (copied); NULL: $XDG_STATE_HOME/ordergate/halt.json, as a new book does; "": nowhere, for
 * what-if at another time and for a program that watches the flag itself.  The policy does not matter: while it halts,
 * the book refuses by rule trading what may not go.  The look is a stat(), made by one of the threads that decide.
 *   OG_EIO     NULL, and no place for state: neither XDG_STATE_HOME nor HOME, nor a home in the user database.  A new
 *              book looks nowhere then
 *   OG_ENOMEM  In both nothing changed. */
OG_API OG_MUST_USE enum og_status og_book_halt_source(struct og_book *book, const char *path, struct og_error *err);
/* A halt of the program's own, obeyed in the same way; the stricter of the two counts.  ON: no more. */
OG_API void og_book_halt(struct og_book *book, enum og_trading trading);

#ifdef __cplusplus
}
#endif
#endif
