/*
 * The flags that halt trading: small files that every sender and every linked program obeys (docs/contract.md
 * "ordergate halt and ordergate resume").  One is the user's, in the state folder; one is the machine's,
 * OG_HALT_MACHINE; one more may be named by the environment variable ORDERGATE_HALT_ALSO, which adds a flag and takes
 * none away.  The strictest counts.  A flag that is there and cannot be read, is not a regular file, or may be written
 * by others halts.  So does one that ORDERGATE_HALT_ALSO names in a folder that is not there, since nobody could write
 * it; the user's and the machine's own folders need not be there.
 * A book looks at them itself: when it is made, and while it is asked to decide five times a second at most.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
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

/* The machine's flag.  Its folder is root's; no environment variable moves it. */
#define OG_HALT_MACHINE "/etc/ordergate/halt.json"

/* The user's own flag: $XDG_STATE_HOME/ordergate/halt.json.
 *   OG_EIO  no place for state: neither XDG_STATE_HOME nor HOME, nor a home in the user database; or it is too long */
OG_API OG_MUST_USE enum og_status og_halt_path(char *to, size_t size, struct og_error *err);

/* path NULL: the user's own.  No file: OG_OK, and trading is on.  It never blocks: a FIFO, a folder, a device or a link
 * is no flag, and halts.
 *   OG_EIO, OG_ESYNTAX, OG_EFACTS, OG_ENOMEM  it cannot be read, or is none: trading is halted; err says what to do */
OG_API enum og_status og_halt_read(const char *path, struct og_halt *halt, struct og_error *err);
/* Written beside it, synced, and renamed over it; at and by are filled in unless they are set.  The machine's flag may
 * be read by everybody, others by their owner alone.
 *   OG_EIO     the flag stands as it was
 *   OG_EINVAL  at, by or reason has no NUL; halt is NULL */
OG_API OG_MUST_USE enum og_status og_halt_write(const char *path, struct og_halt *halt, struct og_error *err);

/* Whether a flag can be where ORDERGATE_HALT_ALSO says: for programs to ask once, at their start.
 *   OG_OK   it can, or none is named; one that is there may still halt
 *   OG_EIO  its folder is not there, or what lies there cannot be read or is no flag; err names it */
OG_API OG_MUST_USE enum og_status og_halt_also(struct og_error *err);

/* Several flags looked at together.  A watch that is NULL says that trading is halted.  One thread at a time. */
struct og_halt_watch;
/* path: the first of them; NULL: the user's own; "": none, those of the machine and of ORDERGATE_HALT_ALSO alone.
 *   OG_EIO     NULL, and there is no place for state (og_halt_path()); *watch NULL
 *   OG_ENOMEM  *watch NULL */
OG_API OG_MUST_USE enum og_status og_halt_watch_new(const char *path, struct og_halt_watch **watch,
                                                    struct og_error *err);
OG_API void og_halt_watch_free(struct og_halt_watch *watch); /* NULL is allowed */
/* Look now: an lstat() each, and a read of those that changed.  Returns the strictest; halt (NULL: not asked) is what
 * it says, err (NULL likewise) why it cannot be read, else its status is OG_OK. */
OG_API enum og_trading og_halt_watch_look(struct og_halt_watch *watch, struct og_halt *halt, struct og_error *err);
/* One flag as the newest look saw it; index from 0.  Returns false if there are no more. */
struct og_halt_seen {
    const char *path;                 /* lives as long as the watch */
    unsigned long long device, inode; /* 0: no file */
    enum og_trading trading;
};
OG_API bool og_halt_watch_seen(const struct og_halt_watch *watch, size_t index, struct og_halt_seen *seen);

/* Where the book looks beside the machine's flag: path (copied); NULL: the user's own, as a new book does; "": nowhere,
 * the machine's neither, for what-if at another time and for a program that watches the flags itself.  The policy does
 * not matter: while one halts, the book refuses by rule trading what may not go.  The look is an lstat() a flag, made
 * by one of the threads that decide.
 *   OG_EIO     NULL, and there is no place for state (og_halt_path()).  A new book then looks at the machine's alone
 *   OG_ENOMEM  In both nothing changed. */
OG_API OG_MUST_USE enum og_status og_book_halt_source(struct og_book *book, const char *path, struct og_error *err);
/* A halt of the program's own, obeyed in the same way; the stricter of the two counts.  ON: no more. */
OG_API void og_book_halt(struct og_book *book, enum og_trading trading);

#ifdef __cplusplus
}
#endif
#endif
