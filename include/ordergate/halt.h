/*
 * Halt flags: small files that stop trading, and that every sender and every linked program obeys (docs/contract.md
 * "ordergate halt and ordergate resume"). There is the user's flag, in the state folder, and the machine's,
 * OG_HALT_MACHINE; the environment variable ORDERGATE_HALT_ALSO may name one more. The strictest flag counts. A flag
 * that exists but cannot be read, is not a regular file, or may be written by others halts trading. If
 * ORDERGATE_HALT_ALSO names a file in a folder that does not exist, trading is halted too, since nobody could set that
 * flag. The folders of the user's and the machine's flag may be missing.
 * A book reads the flags itself: when it is made, and at most five times a second while it decides.
 * Threads: og_halt_* may be called from any thread; a watch belongs to one thread at a time.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_HALT_H
#define ORDERGATE_HALT_H

#include "ordergate/book.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reduce-only and halted stop orders that open, halted-all stops every order; cancels always pass. */
enum og_trading { OG_TRADING_ON = 0, OG_TRADING_REDUCE_ONLY = 1, OG_TRADING_HALTED = 2, OG_TRADING_HALTED_ALL = 3 };
OG_API const char *og_trading_name(enum og_trading trading); /* such as "reduce-only"; static */

struct og_halt {
    enum og_trading trading;
    char at[40]; /* when the flag was written, RFC 3339; "" if there is no flag */
    char by[80]; /* who wrote the flag: "user@host" */
    char reason[400];
};

/* The machine's flag.  Its folder belongs to root, and no environment variable changes its path. */
#define OG_HALT_MACHINE "/etc/ordergate/halt.json"

/* Write the path of the user's flag to to: $XDG_STATE_HOME/ordergate/halt.json.
 *   OG_EIO  there is no state folder (no XDG_STATE_HOME, no HOME and no home in the user database), or its path does
 *           not fit */
OG_API OG_MUST_USE enum og_status og_halt_path(char *to, size_t size, struct og_error *err);

/* Read a flag; path NULL means the user's. If there is no file, the status is OG_OK and trading is on. Never blocks: a
 * FIFO, folder, device or symbolic link is not a flag, and halts.
 *   OG_EIO, OG_ESYNTAX, OG_EFACTS, OG_ENOMEM  the flag cannot be read, or is not one: *halt says halted, and err says
 *                                             what to do */
OG_API enum og_status og_halt_read(const char *path, struct og_halt *halt, struct og_error *err);
/* Write a flag: to a new file beside it, which is synced and renamed over it.  at and by are filled in if they are
 * empty.  The machine's flag is readable for everybody, any other flag only for its owner.
 *   OG_EIO     the flag is unchanged
 *   OG_EINVAL  at, by or reason has no NUL; halt is NULL */
OG_API OG_MUST_USE enum og_status og_halt_write(const char *path, struct og_halt *halt, struct og_error *err);
/* Add a halt to the one in force: write it as og_halt_write() does, unless a stricter one is in force, which then
 * stays. *stands: the halt that is in force afterwards. A flag that cannot be read is overwritten. Errors are those of
 * og_halt_write(); also
 *   OG_EINVAL  stands is NULL; halt->trading is OG_TRADING_ON, which lifts a halt and adds none */
OG_API OG_MUST_USE enum og_status og_halt_add(const char *path, struct og_halt *halt, struct og_halt *stands,
                                              struct og_error *err);

/* Check the path that ORDERGATE_HALT_ALSO names; programs call it once, when they start.
 *   OG_OK   a flag can exist there, or the variable is not set; a flag that exists may still halt
 *   OG_EIO  its folder is missing, or the file cannot be read or is not a flag; err names it */
OG_API OG_MUST_USE enum og_status og_halt_also(struct og_error *err);

/* A watch reads all the flags that apply.  If the watch is NULL, trading counts as halted. */
struct og_halt_watch;
/* Make a watch of the flag at path, the machine's and that of ORDERGATE_HALT_ALSO.  path NULL means the user's flag; ""
 * means no first flag.
 *   OG_EIO     path is NULL and there is no state folder (og_halt_path()); *watch is NULL
 *   OG_ENOMEM  *watch is NULL */
OG_API OG_MUST_USE enum og_status og_halt_watch_new(const char *path, struct og_halt_watch **watch,
                                                    struct og_error *err);
OG_API void og_halt_watch_free(struct og_halt_watch *watch); /* NULL is allowed */
/* Read the flags now: an lstat() of each, and a read of each that changed. Returns the strictest state. *halt is the
 * content of the strictest flag; err->status is OG_OK unless that flag cannot be read. Both may be NULL. */
OG_API enum og_trading og_halt_watch_look(struct og_halt_watch *watch, struct og_halt *halt, struct og_error *err);
/* Get one flag as it was last read; index from 0.  Returns false past the last flag. */
struct og_halt_seen {
    const char *path;                 /* valid as long as the watch */
    unsigned long long device, inode; /* of the file; 0 if there is none */
    enum og_trading trading;
};
OG_API bool og_halt_watch_seen(const struct og_halt_watch *watch, size_t index, struct og_halt_seen *seen);

/* Set which flag the book reads in addition to the machine's. path names the flag (it is copied). NULL means the user's
 * flag, which is the default. "" means no flag at all, not even the machine's: for decisions at another time, and for
 * programs that watch the flags themselves.  While a flag halts, the book refuses by rule trading, whatever the policy
 * says.  Reading is an lstat() of each flag, made by one of the deciding threads.
 *   OG_EIO     path is NULL and there is no state folder (og_halt_path()); a new book then reads only the machine's
 *   OG_ENOMEM  In both nothing changed. */
OG_API OG_MUST_USE enum og_status og_book_halt_source(struct og_book *book, const char *path, struct og_error *err);
/* Halt the book from the program itself. The strictest of this halt and the flags counts. OG_TRADING_ON ends this
 * halt. */
OG_API void og_book_halt(struct og_book *book, enum og_trading trading);
/* Like og_book_halt(), with what findings say about the halt: since when, by whom and why. The halt is copied; each of
 * its texts must have a NUL. */
OG_API void og_book_halt_by(struct og_book *book, const struct og_halt *halt);

#ifdef __cplusplus
}
#endif
#endif
