/*
 * Internals of the book: its accounts with their facts, the policy in force, and the reservations of accepted orders.
 * One read-write lock guards them: checks share the lock, and a function that changes the book holds it exclusively.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/account_id.h"
#include "base/huge_pages.h"
#include "check/check.h"
#include "facts/facts_book.h"

/* How much of an order had filled by a report of the broker, and how much buying power these fills use. */
struct og_fill_mark {
    int64_t executed;
    int64_t from, at; /* ns: the fills since the previous mark happened between these two times; OG_TIME_UNKNOWN if the
                       * time is not known */
    struct og_money spent;
};
#define OG_FILL_MARKS 4

/* What the broker reported of an order since it was accepted (fills.c). */
struct og_progress {
    int64_t quantity, executed; /* units of the order */
    /* ns: the first time at which the broker is known to have had the order; OG_TIME_UNKNOWN if it is not known to have
     * it yet */
    int64_t acked;
    /* ns: a time by which the order was over, because a list that should have shown the order did not, or by which it
     * had `ended`; OG_TIME_UNKNOWN if every list showed it as working */
    int64_t vanished;
    int64_t worth;              /* value in cents (or OG_AT_LEAST()) of what the executed units opened */
    struct og_money spent;      /* dollars of buying power that the executed units use */
    struct og_money read_spent; /* value of `spent` at the time when the present account facts were loaded */
    struct og_fill_mark mark[OG_FILL_MARKS];
    int marks;
    struct og_traded traded; /* for an order without id: how much of it is counted as traded */
    bool over;               /* nothing more of the order will fill */
    bool ended;              /* the broker showed by `vanished` that it is over, but not what has filled of it */
    bool unpriced;           /* some units filled at an unknown price */
};

/* What a reservation adds to what the loaded documents show of its order. */
struct og_counted {
    int64_t works, held; /* units of the order that count as working, and as held */
    int64_t rests;       /* the part of `works` that has not filled */
    int64_t unpaid;      /* filled units whose price is perhaps not deducted from the account's cash yet */
    struct og_money cost;
};

/* What an accepted order reserves. The order itself is kept packed (og_order_pack()); og_book_order() unpacks it. */
struct og_reservation {
    struct og_money cost;
    int64_t at;                   /* ns: when the order was last accepted */
    int64_t sent_at;              /* ns: when it counts as sent */
    int64_t value, sold;          /* cents: see og_book_amounts() */
    struct og_progress *progress; /* NULL if the broker has reported nothing yet */
    struct og_money counted;      /* dollars that the account's facts count at present for the order's cost and for its
                                   * fills */
    int64_t may_trade;            /* cents: see og_book_may_trade() */
    int64_t open;                 /* units that the account's facts count as still to be traded */
    int64_t works, held;          /* units that the account's facts count at present, as working and as held */
    int64_t paid;                 /* cents that the account's facts count at present as paid by filled units */
    uint64_t bits;                /* og_working_bits() of the order */
    /* og_facts_takes() when the order was accepted; 0 if another run sent the order, since then any document may show
     * it */
    uint32_t made;
    uint32_t account;    /* index in og_book.account */
    uint32_t len;        /* bytes of the packed order in `kept`; an order line has at most OG_LINE_MOST bytes */
    uint32_t closes_at;  /* where `kept` has the values of closing legs (og_book_closes()); 0 if no leg closes */
    unsigned char state; /* enum og_ticket_state */
    bool let_go;         /* og_reserve_again() accepted the order, so that it may be sent; og_ticket_stays() was not
                          * called since */
    bool unknown;        /* the outcome counts as unknown (og_ticket_unknown()) */
    bool bound;          /* the reserved buying power is an upper bound */
    bool pays;           /* the order pays cash when it fills */
    bool ended;          /* the order has ended, and the facts no longer count it as a working order */
    char kept[];
};

/* The halt flags that the book watches itself (halt_watch.c). */
#define OG_HALT_FILE  "halt.json"
#define OG_HALT_SINCE 560 /* size of a text of og_halt_since() */
struct og_halt_watch;
struct og_book_watch {
    _Atomic int64_t due;         /* CLOCK_MONOTONIC_COARSE in ns at which the flags are to be read next */
    pthread_mutex_t lock;        /* guards flags */
    struct og_halt_watch *flags; /* NULL if the book watches no flag */
    enum og_trading trading;     /* what the strictest flag still allows; guarded by the book's lock */
    char since[OG_HALT_SINCE];   /* og_halt_since() of that flag; written by who holds both locks */
};
/* Write since when, by whom and why trading is halted, as the end of a sentence that says that it is; "" if it is on,
 * or the halt does not say it. The texts of *halt may be a caller's: they end with their arrays at the latest. */
void og_halt_since(const struct og_halt *halt, char to[OG_HALT_SINCE]);

/* When working orders are named (working.c), at most this many tickets are searched, newest first, so that a flood of
 * orders with findings stays fast: documents show the orders of older tickets. */
#define OG_TICKETS_SEARCHED 512
/* A bit for each of these tickets that trades a symbol of a hash. The tickets are in blocks of 64; there is one block
 * more than the tickets fill, since the newest block is not full. */
#define OG_TICKET_BLOCKS (OG_TICKETS_SEARCHED / 64 + 1)
#define OG_SYMBOL_HASHES 256
struct og_symbol_tickets {
    uint64_t block[OG_TICKET_BLOCKS][OG_SYMBOL_HASHES];
    size_t unsaid; /* the newest ticket whose order has a part that does not say openClose; 0 if there is none */
};

struct og_book {
    pthread_rwlock_t lock;
    struct og_book *next_book, **at_book; /* previous and next book in the list of all books (fork.c) */
    struct og_policy *policy;
    struct og_facts **account; /* facts by index of the account; account[0]: facts that name no account */
    size_t accounts, account_room;
    char *default_account; /* NULL if there is none */
    char *client_tag;      /* tag set by og_book_client_tag(); NULL if none is set */
    enum og_trading halt;  /* set by og_book_halt() and og_book_halt_by() */
    char halt_since[OG_HALT_SINCE];
    struct og_book_watch watch;
    struct og_waiver_row *waivers;
    bool nameless;      /* account[0] has a document that is about an account but does not name it */
    og_ticket unvalued; /* no ticket above this number is for another run's order whose known value is only a lower
                         * bound */
    /* indexed by ticket number - 1: the ticket's reservation; NULL if the reservation has ended */
    struct og_reservation **ticket;
    struct og_symbol_tickets on_symbol;
    struct og_slab slab; /* memory of the reservations */
    size_t tickets, ticket_room;
    int64_t settle;   /* ns: set by og_book_settle_lag() */
    bool paced;       /* set by og_book_paced() */
    int64_t list_lag; /* ns: as set by og_book_list_lag(); negative: not set */
    /* ns: the earliest `now` of a reservation since a document was loaded; OG_TIME_UNKNOWN if nothing was reserved
     * since */
    int64_t reserved_at;
    int64_t told_at;        /* ns: the latest time given to og_book_distrust_future(); OG_TIME_UNKNOWN if none was
                             * given */
    struct og_order *order; /* memory into which the order of a reservation is unpacked */
    struct og_buf kept;     /* memory in which the bytes of a new reservation are put together */
    char digest[80];
    uint64_t digest_serial; /* a number that changes whenever digest does (base/generation.h) */
};

/* Returns the index of the account's facts, or book->accounts (the number of accounts) if the book has no facts of this
 * account. */
size_t og_book_find(const struct og_book *book, struct og_str id);
/* Set *at to the index of the account's facts, and make facts if it has none.  Returns OG_OK, OG_ENOMEM, or an error of
 * og_book_adopt(). */
enum og_status og_book_account_of(struct og_book *book, struct og_str id, size_t *at);
size_t og_book_at(const struct og_book *book, const struct og_facts *facts); /* returns the index of `facts` in the
                                                                              * book */
/* Count every reservation of the account again: loading a document drops them from the facts.  Also record what the
 * document says about the orders of these reservations. A reservation ends if its order is over and the documents show
 * all its fills. */
enum og_status og_book_reapply(struct og_book *book, size_t account);
/* The facts that name no account become the facts of this account, with all their reservations and counts, and the book
 * gets new facts without a name. So the account that is named first keeps the reservations that were made before any
 * account was named. OG_ENOMEM: nothing changed. */
enum og_status og_book_name_first(struct og_book *book, struct og_str id);
/* Before the account had facts of its own, its orders were reserved in the facts without a name: move these
 * reservations to the account.  Returns OG_OK, OG_ENOMEM, or OG_EINVAL if og_money cannot represent a sum exactly. */
enum og_status og_book_adopt(struct og_book *book, size_t account);
/* Returns the progress of the reservation's order, and makes it if there is none; NULL if memory runs out.  quantity:
 * the order's quantity. */
struct og_progress *og_book_progress(struct og_reservation *r, int64_t quantity);
/* Record that altogether `executed` units of the order have filled, at this average price (0 if not known).  They
 * filled between `from` and `at` (OG_TIME_UNKNOWN if not known).
 *   OG_EINVAL  executed is negative, or more than the quantity
 *   OG_ENOMEM  nothing changed */
enum og_status og_book_heard_fill(const struct og_book *b, struct og_reservation *r, const struct og_order *o,
                                  int64_t executed, struct og_money price, int64_t from, int64_t at);
/* What orders trade and may still trade (traded.c).  _open(): units that may still trade by the broker's reports.
 * _trades(): what the facts count as still to be traded, which is r->open units.  _retrade(): count the units of
 * _open() from now on. */
int64_t og_book_open(const struct og_reservation *r, int64_t quantity);
struct og_traded og_book_trades(const struct og_reservation *r, const struct og_order *o);
void og_book_retrade(struct og_book *book, struct og_reservation *r, const struct og_order *o);
/* Returns what `executed` units traded in all: at their average price, or, if that is not known (0), their part of the
 * order's worst worth. */
struct og_traded og_book_traded(const struct og_reservation *r, const struct og_order *o, int64_t executed,
                                struct og_money price);
/* Count as traded, in the facts of the reservation's account (each returns OG_OK or OG_ENOMEM):
 * _trade_rest(): what a vanished order may have traded without a report;
 * _trade_again(): what the reservation's order traded, if nothing of it counts yet;
 * _trade_rows(): what rows of the order list traded, if the last document has such a list. */
enum og_status og_book_trade_rest(struct og_book *book, struct og_reservation *r, const struct og_order *o);
enum og_status og_book_trade_again(struct og_book *book, const struct og_reservation *r, const struct og_order *o);
enum og_status og_book_trade_rows(struct og_book *book, size_t account);
/* Count what the case's order, which has no reservation, traded by the case's time. */
enum og_status og_book_trade_before(struct og_book *book, const struct og_case *c, int64_t executed,
                                    struct og_money price);
/* Returns a time by which everything that a list shows had happened: the list's request plus the settle lag, or, if
 * that is later, the time that the caller gave last (og_book_distrust_future()), since a request may take long.
 * OG_TIME_UNKNOWN if as_of is unknown. */
int64_t og_book_told_by(const struct og_book *book, int64_t as_of);
/* Returns the units and dollars that the facts count for the reservation at present.  quantity: the quantity of its
 * order. */
struct og_counted og_book_counted(const struct og_book *b, const struct og_reservation *r, int64_t quantity);
/* Change *e, the effect of the reservation (og_book_effect()), to what it would be if loaded documents already showed
 * as much of the order as they may show. Returns false if the order certainly counts only once. */
bool og_book_once(const struct og_book *b, const struct og_reservation *r, struct og_effect *e);
/* Returns what the facts would count for the reservation if its order were canceled now without further fills.  cost:
 * dollars of buying power that the order needs.  *back: the most that the cancel can add to the present bp; 0 if the
 * broker's bp is older than the order. */
struct og_counted og_book_counted_canceled(const struct og_book *b, const struct og_reservation *r, int64_t quantity,
                                           struct og_money cost, struct og_money *back);
/* Returns true if the order is over, and the loaded documents show its end and all its fills. */
bool og_book_is_settled(const struct og_book *b, const struct og_reservation *r);
/* Returns true if a row of an order list, or an earlier one of the list with the same id, belongs to another order: the
 * row shows a term that differs from the order's. */
bool og_book_is_other(const struct og_known_order *known, const struct og_order *o);
/* Record what the order list that was just loaded shows, or does not show, of a ticket's order. */
enum og_status og_book_hear_list(struct og_book *b, og_ticket t, const struct og_order *o);
/* Record what rows with the order's id show of it: `known` and the rows before it. as_of: the list's age. */
enum og_status og_book_hear_rows(struct og_book *b, struct og_reservation *r, const struct og_order *o,
                                 const struct og_known_order *known, int64_t as_of);
/* Set the reservation's state: the broker has the order, so its outcome is no longer unknown. */
void og_book_is_sent(struct og_book *b, struct og_reservation *r);
/* If an order list that was loaded before the ticket was made already shows the ticket's order, count the order only
 * once: by the ticket. */
void og_book_own_row(struct og_book *b, og_ticket ticket);
/* Tell the account's facts which fills in the list of orders are of orders that have no ticket. */
void og_book_find_fills(struct og_book *b, size_t account);
void og_book_reservations_free(struct og_book *b);
/* Returns the order of a reservation, unpacked into book->order, which the next call overwrites; NULL if memory runs
 * out. */
const struct og_order *og_book_order(struct og_book *b, const struct og_reservation *r);
/* og_book_works(): record that the order of a ticket is working, with `executed` units filled. og_book_over(): record
 * that it is over, with `executed` units filled; rejected: the broker rejected it.  Arguments and statuses are those of
 * og_book_heard_fill(). */
enum og_status og_book_works(struct og_book *b, og_ticket ticket, int64_t executed, struct og_money price, int64_t from,
                             int64_t at);
enum og_status og_book_over(struct og_book *b, og_ticket ticket, int64_t executed, struct og_money price, int64_t from,
                            int64_t at, bool rejected);
/* Record that the order of a ticket is over since `at` or earlier, and that nobody knows what has filled of it: what
 * had not filled counts as working until positions are read that show the end. Returns OG_OK or OG_ENOMEM. */
enum og_status og_book_ended(struct og_book *b, og_ticket ticket, int64_t at, bool rejected);
/* Set that an order has ended by `at`, unless that is known already. Returns true if it was not. */
bool og_progress_ends(struct og_progress *p, int64_t at);
/* Returns the effect on the facts' sums by which this reservation counts at present. */
struct og_effect og_book_effect(const struct og_reservation *r, const struct og_order *o);
/* Lower the account's buying power by the cost of the orders that the sender's facts ("gate") list as in flight or
 * unknown. Call it after each document, since loading one drops these costs.  Returns OG_OK, OG_ENOMEM, or OG_EINVAL if
 * og_money cannot represent a sum exactly. */
enum og_status og_book_reserve_in_flight(struct og_book *book, size_t account, const char *name, struct og_error *err);
/* Fill in the case of an order to be decided at `now`: its account, the facts, and the policy's settings.  The caller
 * holds the lock. */
void og_book_case(const struct og_book *book, const struct og_order *order, int64_t now, struct og_scratch *scratch,
                  struct og_case *c);
/* Returns the tag of an order without its case; overrides of rule order-tag do not count. */
struct og_str og_book_tag(const struct og_book *book, const struct og_order *order);
/* If the case's order names an account of which no document was loaded yet, make facts for the account, and fill in the
 * case again: the account's reservations and counts are then in force when its documents are loaded.  Does nothing
 * if orders of such accounts are decided with facts that name no account.  first: has what the orders of a batch
 * share. */
enum og_status og_book_meet(struct og_book *book, struct og_scratch *scratch, struct og_scratch *first,
                            struct og_case *c);
/* Returns true if the order exceeds buying power while some reservations are only upper bounds: call
 * og_book_tighten(), and decide again. */
static inline bool og_book_wants_exact(const struct og_case *c)
{
    return c->margin->exceeds && og_facts_bounds(c->facts);
}
/* Returns a description of the spread for the decision, in the scratch's memory; NULL if its legs have no known
 * shape. */
const struct og_strategy_info *og_book_strategy(const struct og_case *c, struct og_scratch *scratch);
/* Returns how far beyond the quoted price the case's order may fill, in basis points: a setting of rule order-notional,
 * which applies even if that rule is off. */
int32_t og_book_slippage(const struct og_book *book, const struct og_case *c, struct og_scratch *scratch);
/* Returns og_book_may_trade() of an accepted order. *value: set to what the order adds to the exposure, its worst-case
 * value in cents, or OG_AT_LEAST(). *sold: set to the part of a spread's value that is sold short; 0 for other
 * orders. */
int64_t og_book_amounts(const struct og_case *c, int64_t *value, int64_t *sold);
/* Set the value of another run's reservation for which only a lower bound is known. The facts must not count the
 * order yet. The reservation is valued as a row in a document would be: by the newest quotes, whatever their age. */
void og_book_value_other(struct og_book *book, struct og_reservation *reservation, const struct og_order *order);
/* Like og_book_value_other(), for a new reservation that the facts already count: the amount that they count is
 * replaced. */
void og_book_value_new(struct og_book *book, og_ticket ticket);
/* For every counted reservation of another run whose known value is only a lower bound: call og_book_value_other(), and
 * count the new value. For use when a quote arrived. */
void og_book_value_others(struct og_book *book);
/* Set cents[] to the values of a spread's closing legs, as og_closing_legs_worth() does; 0 for a leg that closes
 * more than is held, since og_book_amounts() counts it already.  Returns false if no leg closes. */
bool og_book_closes(const struct og_case *c, int64_t cents[OG_LEGS_KEPT]);
/* Returns the most that the case's order can trade for, in cents, or OG_AT_LEAST(): the amount that counts as traded
 * until the order's fills are known. For a spread it may be more than the order's worth (og_case_traded()). */
int64_t og_book_may_trade(const struct og_case *c);
/* Returns the buying power that an accepted order reserves; 0 if the amount is not known or negative.  Sets
 * c->margin->bounded if the amount is only an upper bound. exact: compute the exact amount. */
struct og_money og_book_cost(const struct og_book *book, const struct og_case *c, struct og_scratch *scratch,
                             bool exact);
/* Returns the exact amount, with quotes of the age that rule buying-power allows, as when the order was decided. */
struct og_money og_book_cost_again(const struct og_book *book, const struct og_case *c, struct og_scratch *scratch);
/* Replace the upper bounds among the account's reservations by exact amounts, computed in the order in which the
 * reservations were made, as if they had been exact from the start.  The caller holds the lock exclusively. */
void og_book_tighten(struct og_book *book, size_t account, struct og_scratch *scratch);
/* Set account, policy, facts and stamp of the decision to copies that stay valid after the lock is released. The
 * account is copied into `scratch`, the others into `first`, the scratch of the batch's first order. */
void og_book_names(const struct og_book *book, const struct og_case *c, struct og_scratch *scratch,
                   struct og_scratch *first, struct og_decision *decision);
/* Write the digests of policy and facts and the time into `first`, once for all orders that are decided before the lock
 * is released. */
void og_book_provenance(const struct og_book *book, struct og_scratch *first, int64_t now);
/* Undo what og_book_meet() did since the book had this number of accounts; no reservation may have been made for the
 * account since.  Where memory runs out, the book goes on knowing the account's name. */
void og_book_unmeet(struct og_book *book, size_t accounts);
/* Decide the order; if it exceeds buying power only because reservations are upper bounds, decide it again with exact
 * amounts.  The caller holds the lock exclusively.  first: the scratch of the first order of a batch. */
void og_book_decide(struct og_book *book, const struct og_order *order, int64_t now, struct og_scratch *scratch,
                    struct og_scratch *first, struct og_decision *decision, struct og_case *c);
/* Reserve what the case's order needs, and count the order as sent.  The caller holds the lock exclusively. OG_ENOMEM;
 * OG_EINVAL (og_money cannot represent a sum exactly): nothing was reserved. */
enum og_status og_book_reserve(struct og_book *book, const struct og_case *c, struct og_scratch *scratch,
                               og_ticket *ticket);
/* Undo the newest reservation, which is for this order and which no caller knows yet: nothing of it remains, not even
 * its ticket number. sent, dearest: og_facts_sent_mark() and og_facts_dearest() before it was made. */
void og_book_unreserve(struct og_book *book, const struct og_order *order, const struct og_sent_mark *sent,
                       const struct og_dearest_mark *dearest);
/* Record in book->on_symbol that the newest ticket trades the symbols of the order. */
void og_book_note_symbols(struct og_book *book, const struct og_order *order, struct og_lookup_keys *hashes);
/* Reserve as og_book_reserve() does, for an order that was sent already, so that documents may show it. */
enum og_status og_book_reserve_other(struct og_book *book, const struct og_case *c, struct og_scratch *scratch,
                                     og_ticket *ticket);
/* Trip the latches of each account whose limits the facts exceed now (latches.c).  Call it, with the lock held
 * exclusively, after a change of facts, counts or policy by which a latch may trip. */
void og_book_trip(struct og_book *book);
/* Remember the earliest `now` at which something was reserved, for og_facts_clock(). */
void og_book_hear_clock(struct og_book *book, int64_t now);
/* Read the halt flags, if it is time to.  Call before a decision, without the lock. */
void og_book_look_for_halt(struct og_book *book);
/* Register the book, so that a child of fork() can use it (returns false if memory runs out); unregister it. */
bool og_book_survives_fork(struct og_book *book);
void og_book_forks_no_more(struct og_book *book);
enum og_status og_book_watch_init(struct og_book *book); /* returns OG_OK or OG_ENOMEM */
void og_book_watch_clear(struct og_book *book);
/* Call after an order was accepted and reserved: removes the waivers that it used, and those that have expired. */
void og_book_waivers_used(struct og_book *book, const struct og_case *c, const struct og_decision *decision);
void og_book_waivers_free(struct og_book *book);
/* Add a waiver as og_book_waive() does; a waiver without a digest is for any order with its id.  For tests of policies,
 * whose author writes both the order and the waiver. */
enum og_status og_book_waive_any(struct og_book *book, const struct og_waiver *waiver, struct og_error *err);
