/*
 * What runs on this machine: the senders of this user (for root: of every user), and the orders in ledgers that need a
 * person. Senders are asked over their sockets, as `ordergate halt` asks them, and each answers with a snapshot that
 * its loop makes. Nothing is written, and asking does not delay a sender.
 * Threads: any; no function here has state.
 * Passing NULL where it is not allowed returns OG_EINVAL.
 */
#ifndef ORDERGATE_DESK_H
#define ORDERGATE_DESK_H

#include <stdbool.h>
#include <stddef.h>

#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_desk_options {
    /* only these ledgers, and the senders that have one of them open. If ledger_count is 0: all senders, and the
     * ledgers of this user's senders; if there is no sender, the default ledger, if it exists */
    const char *const *ledgers;
    size_t ledger_count;
    const char *account; /* report only this account; NULL: all accounts */
    int wait_ms;         /* how long to wait for the senders' answers; 0 means 3000 */
    int columns; /* print a table whose lines have at most so many characters (40 to 1000); 0: one line of JSON */
    bool colour; /* colour the table */
    /* process id of the only sender to be asked; if ledger_count is 0, only its ledger is read. 0: all senders */
    long sender;
};

/* Called with one line, valid during the call. Returns 0 to go on; any other value ends the function with OG_EIO. A
 * listener may be NULL. */
typedef int og_desk_listener(void *with, const char *line, size_t len);

/* Print the status: the lines of a table, or one line, a JSON object (docs/contract.md "ordergate status").
 * *needs_somebody: set to true if something needs a person: an order of unknown outcome, a sender's ledger that cannot
 * be read, a halt, a tripped latch, a sender that does not answer, keys that are refused, a lost stream, or an account
 * that cannot be read. Text from other processes is masked unless it is plain text.
 *   OG_ENOENT   a ledger that options name does not exist
 *   OG_ELEDGER  such a ledger cannot be read
 *   OG_EIO      the kernel's list of sockets cannot be read, or the listener returned another value than 0
 *   OG_EINVAL   columns is out of range
 *   OG_ENOMEM   nothing was printed */
OG_API OG_MUST_USE enum og_status og_desk_status(const struct og_desk_options *options, og_desk_listener *line,
                                                 void *with, bool *needs_somebody, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
