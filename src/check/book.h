/*
 * The book inside: accounts with their facts, the policy in force, the tickets.
 * One read-write lock: checks share it, whatever changes the book holds it alone.
 */
#ifndef OG_CHECK_BOOK_H
#define OG_CHECK_BOOK_H

#include "base/pages.h"
#include "check/check.h"
#include "facts/facts_book.h"

#include <pthread.h>
#include <stdatomic.h>

enum og_ticket_state { OG_TICKET_HELD = 1, OG_TICKET_SENT, OG_TICKET_FILLED };

/* What an accepted order reserves, and the order (og_order_keep()), which is recalled when it is needed. */
struct og_reservation {
    struct og_money cost;
    int64_t at;          /* ns, when it was accepted */
    int64_t value;       /* cents; -1: not known */
    uint32_t account;    /* index in the book */
    uint32_t len;        /* of kept; a line has OG_LINE_MOST bytes at most */
    unsigned char state; /* enum og_ticket_state */
    bool bound;          /* cost may be more than it takes */
    char kept[];
};

/* The halt flags as a book sees them itself (halt_watch.c). */
#define OG_HALT_FILE "halt.json"
struct og_halt_watch;
struct og_book_watch {
    _Atomic int64_t due;         /* of the next look, CLOCK_MONOTONIC_COARSE in ns */
    pthread_mutex_t lock;        /* flags */
    struct og_halt_watch *flags; /* NULL: none */
    enum og_trading trading;     /* under the book's lock */
};

struct og_book {
    pthread_rwlock_t lock;
    struct og_policy *policy;
    struct og_facts **account; /* account[0]: facts that did not say whose they are */
    size_t accounts, account_room;
    char *default_account; /* NULL: none */
    enum og_trading halt;  /* og_book_halt() */
    struct og_book_watch watch;
    struct og_waiver_row *waivers;
    bool nameless;                  /* account[0] was given facts of its own, not only quotes */
    struct og_reservation **ticket; /* by number - 1; NULL when it ended */
    struct og_slab slab;            /* where reservations are */
    size_t tickets, ticket_room;
    struct og_order *order; /* for reading reservations again */
    struct og_buf kept;     /* where the bytes of one are put together */
    char digest[80];
    uint64_t digest_serial; /* base/serial.h */
};

/* The service folds the case of account ids in paths (matrix A13): so do we when comparing. */
bool og_same_account(struct og_str a, struct og_str b);
/* Index of the account's facts; count when there are none. */
size_t og_book_find(const struct og_book *book, struct og_str id);
size_t og_book_at(const struct og_book *book, const struct og_facts *facts); /* of facts that are the book's */
/* Apply every reservation of the account again, after its facts dropped them.  positions_named: the new document had
 * positions, so that filled orders are in it. */
enum og_status og_book_reapply(struct og_book *book, size_t account, bool positions_named);
/* Take what orders in flight and unknown cost from the account's buying power, after its facts dropped it. */
enum og_status og_book_reserve_posted(struct og_book *book, size_t account, const char *name, struct og_error *err);
/* Decide for the book's state; the lock is held. */
void og_book_case(const struct og_book *book, const struct og_order *order, int64_t now, struct og_scratch *scratch,
                  struct og_case *c);
/* What the decision says of the order's legs, which are a known shape. */
const struct og_strategy_info *og_book_strategy(const struct og_case *c, struct og_scratch *scratch);
/* How far beyond the market the case's order may fill, in basis points, as the policy has it, of a rule that is off
 * too. */
int32_t og_book_slippage(const struct og_book *book, const struct og_case *c, struct og_scratch *scratch);
/* What an accepted order takes of the limits on all that is open: its worth in cents, or OG_AT_LEAST(). */
int64_t og_book_value(const struct og_case *c);
/* What the accepted order reserves: what it takes, where that is known, and never less than nothing. */
struct og_money og_book_cost(const struct og_book *book, const struct og_case *c, struct og_scratch *scratch,
                             bool exact);
/* Give every reservation of the account the exact amount it takes, in the order they were made, instead of a bound:
 * what would have been reserved had no bound ever been taken for an answer.  The lock is held alone. */
void og_book_tighten(struct og_book *book, size_t account, struct og_scratch *scratch);
/* Texts that the decision keeps beyond the lock: the account's in its scratch, the others in the first of those decided
 * together. */
void og_book_names(const struct og_book *book, const struct og_case *c, struct og_scratch *scratch,
                   struct og_scratch *first, struct og_decision *decision);
/* Policy, facts and instant spelled once, for all that are decided before the lock is opened. */
void og_book_stamp(const struct og_book *book, struct og_scratch *first, int64_t now);
/* Reserve what the case's order takes, and count it as sent; the lock is held alone.  OG_ENOMEM, OG_EINVAL: nothing
 * was. */
enum og_status og_book_reserve(struct og_book *book, const struct og_case *c, struct og_scratch *scratch,
                               og_ticket *ticket);
/* Before a decision, without the lock: the flags are looked at where it is time. */
void og_book_look_for_halt(struct og_book *book);
enum og_status og_book_watch_init(struct og_book *book); /* OG_ENOMEM */
void og_book_watch_clear(struct og_book *book);
/* The order was accepted and reserved: those it went through by, and those that are over, are gone. */
void og_book_waivers_used(struct og_book *book, const struct og_case *c, const struct og_decision *decision);
void og_book_waivers_free(struct og_book *book);
/* As og_book_waive(), for whichever order of that id where the waiver has no digest: for tests of policies, whose
 * author writes both. */
enum og_status og_book_waive_any(struct og_book *book, const struct og_waiver *waiver, struct og_error *err);

#endif
