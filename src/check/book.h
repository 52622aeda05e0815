/*
 * The book inside: accounts with their facts, the policy in force, the tickets.
 * One read-write lock: checks share it, whatever changes the book holds it alone.
 */
#pragma once

#include "base/huge_pages.h"
#include "check/check.h"
#include "facts/facts_book.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>

/* How much of an order had filled at an instant, and what that took of buying power. */
struct og_fill_mark {
    int64_t executed;
    int64_t from, at; /* ns: it had filled by `at`, and not before `from`; OG_TIME_UNKNOWN */
    struct og_money spent;
};
#define OG_FILL_MARKS 4

/* What was heard of an order since it was accepted (fills.c). */
struct og_progress {
    int64_t quantity, executed; /* units of the order */
    int64_t acked;              /* ns, the first time it was known to be at the broker; OG_TIME_UNKNOWN */
    int64_t vanished;           /* ns, by then it was over: a list lacks it that would have it; OG_TIME_UNKNOWN: none */
    int64_t worth;              /* cents: what executed opened, or OG_AT_LEAST() */
    struct og_money spent;      /* dollars of buying power that executed takes */
    struct og_money read_spent; /* the same when the account in force was read */
    struct og_fill_mark mark[OG_FILL_MARKS];
    int marks;
    bool over;     /* no more of it will fill */
    bool unpriced; /* some of it filled at a price that was not told */
};

/* What a reservation counts for beside the documents in force. */
struct og_counted {
    int64_t works, held; /* units */
    struct og_money cost;
};

/* What an accepted order reserves, and the order (og_order_pack()), which is recalled when it is needed. */
struct og_reservation {
    struct og_money cost;
    int64_t at;                   /* ns, when it was accepted */
    int64_t value, sold;          /* cents, as og_book_value() says */
    struct og_progress *progress; /* NULL: nothing was heard */
    struct og_money counted;      /* of cost, and of what filled: what facts count now */
    int64_t works, held;          /* likewise, in units */
    uint32_t made;                /* og_facts_takes() when it was accepted; 0: by another, at whatever time */
    uint32_t account;             /* index in the book */
    uint32_t len;                 /* of kept; a line has OG_LINE_MOST bytes at most */
    uint32_t closes_at;           /* in kept, after that: what legs that close would come to; 0: no leg closes */
    unsigned char state;          /* enum og_ticket_state */
    bool bound;                   /* cost may be more than it takes */
    bool ended;                   /* as facts count it: no open order any more */
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
    struct og_book *next_book, **at_book; /* all of them, for fork.c */
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
    int64_t settle;         /* ns: og_book_settle_lag() */
    int64_t list_lag;       /* ns: og_book_list_lag(); below 0: not set */
    int64_t reserved_at;    /* the earliest instant of og_reserve() since a document was taken in; OG_TIME_UNKNOWN */
    struct og_order *order; /* for reading reservations again */
    struct og_buf kept;     /* where the bytes of one are put together */
    char digest[80];
    uint64_t digest_serial; /* base/generation.h */
};

/* The service folds the case of account ids in paths (A13): so do we when comparing. */
static inline bool og_same_account(struct og_str a, struct og_str b)
{
    if (a.len != b.len || a.len == 0 || a.s == b.s) /* as it mostly is another account, or the same text */
        return a.len == b.len;
    return memcmp(a.s, b.s, a.len) == 0 || strncasecmp(a.s, b.s, a.len) == 0;
}
/* Index of the account's facts; book->accounts if there are none. */
size_t og_book_find(const struct og_book *book, struct og_str id);
/* The same, but facts are made for an account that is met for the first time.  OG_ENOMEM. */
enum og_status og_book_account_of(struct og_book *book, struct og_str id, size_t *at);
size_t og_book_at(const struct og_book *book, const struct og_facts *facts); /* index of facts that the book has */
/* Apply every reservation of the account again, after its facts dropped them for a document: what that tells of their
 * orders is heard, and those that it has whole end. */
enum og_status og_book_reapply(struct og_book *book, size_t account);
/* The first account that gets a name also gets what was decided while none had one: the facts without a name take this
 * name, with all that was reserved and counted there, and new facts without a name take their place.  OG_ENOMEM:
 * nothing changed. */
enum og_status og_book_name_first(struct og_book *book, struct og_str id);
/* Reserve and count for the account what was reserved for it while facts without a name stood for it.  OG_ENOMEM,
 * OG_EINVAL. */
enum og_status og_book_adopt(struct og_book *book, size_t account);
/* The reservation's progress, which is made if there is none.  NULL: out of memory. */
struct og_progress *og_book_progress(struct og_reservation *r, int64_t quantity);
/* Take in that `executed` units of the order have filled at that average price (0: not known).  They had filled by
 * `at`, and not before `from` (OG_TIME_UNKNOWN: not known).
 *   OG_EINVAL  executed is more than the quantity, or below 0
 *   OG_ENOMEM  nothing changed */
enum og_status og_book_heard_fill(const struct og_book *b, struct og_reservation *r, const struct og_order *o,
                                  int64_t executed, struct og_money price, int64_t from, int64_t at);
/* What a reservation counts for now; quantity: of its order. */
struct og_counted og_book_counted(const struct og_book *b, const struct og_reservation *r, int64_t quantity);
/* The same, as if the order were canceled now and filled no further.  *back: the most that this would give back of
 * `cost`, the dollars of buying power the order takes: the bp in force may still be without them.  0 if that bp is from
 * before the order. */
struct og_counted og_book_counted_canceled(const struct og_book *b, const struct og_reservation *r, int64_t quantity,
                                           struct og_money cost, struct og_money *back);
/* Returns true if the order is over and the documents in force have all that came of it. */
bool og_book_is_settled(const struct og_book *b, const struct og_reservation *r);
/* Returns true if the row of a list is of another order under the same id: a term that it shows differs. */
bool og_book_is_other(const struct og_known_order *known, const struct og_order *o);
/* If the ticket's order is in a list that was taken in before the ticket was made, count it once, by the ticket. */
void og_book_own_row(struct og_book *b, og_ticket ticket);
void og_book_reservations_free(struct og_book *b);
/* The order of a reservation, read again into the book's own; NULL when out of memory. */
const struct og_order *og_book_order(struct og_book *b, const struct og_reservation *r);
/* A ticket's order is known to work, or to be over (rejected: because the broker rejected it), with so much filled.
 * Arguments and statuses are those of og_book_heard_fill(). */
enum og_status og_book_works(struct og_book *b, og_ticket ticket, int64_t executed, struct og_money price, int64_t from,
                             int64_t at);
enum og_status og_book_over(struct og_book *b, og_ticket ticket, int64_t executed, struct og_money price, int64_t from,
                            int64_t at, bool rejected);
/* The effect of a reservation of that order, as facts have it. */
struct og_effect og_book_effect(const struct og_reservation *r, const struct og_order *o);
/* Take what orders in flight and unknown cost from the account's buying power, after its facts dropped it. */
enum og_status og_book_reserve_posted(struct og_book *book, size_t account, const char *name, struct og_error *err);
/* Decide for the book's state; the lock is held. */
void og_book_case(const struct og_book *book, const struct og_order *order, int64_t now, struct og_scratch *scratch,
                  struct og_case *c);
/* Returns true if there is not enough buying power as far as upper bounds of what orders take can tell: it is decided
 * again after og_book_tighten(). */
static inline bool og_book_wants_exact(const struct og_case *c)
{
    return c->margin->exceeds && og_facts_bounds(c->facts);
}
/* What the decision says of the order's legs, which are a known shape. */
const struct og_strategy_info *og_book_strategy(const struct og_case *c, struct og_scratch *scratch);
/* How far beyond the market the case's order may fill, in basis points, by the policy's setting, even if its rule is
 * off. */
int32_t og_book_slippage(const struct og_book *book, const struct og_case *c, struct og_scratch *scratch);
/* What an accepted order takes of the limits on all that is open: what it comes to in cents, or OG_AT_LEAST(); and of a
 * spread how much of that is sold short. */
int64_t og_book_value(const struct og_case *c, int64_t *sold);
/* Sets what the legs of a spread that close would come to, as og_closing_legs_worth() does; 0 for those that close more
 * than is held, which og_book_value() counts already. */
bool og_book_closes(const struct og_case *c, int64_t cents[OG_LEGS_KEPT]);
/* The buying power that the accepted order reserves: what it takes, where that is known; never below 0.
 * c->margin->bounded is set if that is only an upper bound, which `exact` forbids. */
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
/* The same of an order that was sent at that time already: documents may have it. */
enum og_status og_book_reserve_other(struct og_book *book, const struct og_case *c, struct og_scratch *scratch,
                                     og_ticket *ticket);
/* Before a decision, without the lock: the flags are looked at where it is time. */
void og_book_look_for_halt(struct og_book *book);
/* Let a child of fork() use the book (false: out of memory), and stop that again. */
bool og_book_survives_fork(struct og_book *book);
void og_book_forks_no_more(struct og_book *book);
enum og_status og_book_watch_init(struct og_book *book); /* OG_ENOMEM */
void og_book_watch_clear(struct og_book *book);
/* After an order was accepted and reserved: drop the waivers that let it through, and those that have expired. */
void og_book_waivers_used(struct og_book *book, const struct og_case *c, const struct og_decision *decision);
void og_book_waivers_free(struct og_book *book);
/* As og_book_waive(), for whichever order of that id where the waiver has no digest: for tests of policies, whose
 * author writes both. */
enum og_status og_book_waive_any(struct og_book *book, const struct og_waiver *waiver, struct og_error *err);
