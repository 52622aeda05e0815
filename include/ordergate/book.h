/*
 * The gate a program links: an og_book holds the policy in force, the facts, and what accepted orders reserve, for a
 * set of accounts.  og_check() answers what-if and changes nothing; og_reserve() decides and reserves in one step.
 * It does no I/O and reads no clock: facts and the time are given.  The one thing it looks at itself is the flag that
 * halts trading (ordergate/halt.h says where, and how not to).
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing, and a decision
 * refuses.
 * fork(): a child may use the books of its parent, which are as they were then and its own from there on; fork()
 * waits for what other threads do with them.  Scratches and orders that such threads use are theirs: the child makes
 * others. Threads: every function on a book may be called from any thread; each thread brings its own og_scratch and
 * orders. Deciding, og_margin_ask() and og_suggest() take less than 48 KB of the thread's stack.
 */
#ifndef ORDERGATE_BOOK_H
#define ORDERGATE_BOOK_H

#include "ordergate/decision.h"
#include "ordergate/order.h"
#include "ordergate/policy.h"
#include "ordergate/time.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_book;
struct og_scratch;

enum og_environment_declared { OG_DECLARED_NONE = 0, OG_DECLARED_PAPER = 1, OG_DECLARED_LIVE = 2 };

/* A reservation; 0 is none.  Numbers are never used again in one book. */
typedef unsigned long long og_ticket;

/* Takes the policy (freed with the book or when swapped).  OG_ENOMEM: *book NULL, the policy stays the caller's. */
OG_API OG_MUST_USE enum og_status og_book_new(struct og_policy *policy, struct og_book **book);
OG_API void og_book_free(struct og_book *book); /* NULL is allowed; no call may be under way */

/* Put another policy in force, whole; calls under way finish with the old one.  Reservations and facts stay. */
OG_API void og_book_swap_policy(struct og_book *book, struct og_policy *policy);

/* Take in a facts document (docs/contract.md "Facts"), whole or not at all; account_id may be NULL when the document
 * says whose it is.  One that does not say counts for the default account, else for every account without facts of its
 * own.  name is what errors call it.  Reservations still held are counted on top of it.
 *
 * Documents may arrive in another order than that in which they were asked for.  Each kind of facts that a document
 * names (a key of it) has an age: when its request began.  A kind with an age before the latest that was taken in of it
 * is left out, since it lacks what happened between: the newer one stays, also what tickets ended by, and ids that an
 * older list of orders shows are used all the same.  OG_OK then, and err->text says which kinds ("" where none was).
 * Of the same age the one given last counts; without an age too, and it is as old as can be for every max_age: whoever
 * gives such has to give them in the order they were asked for.  An age more than a minute after an instant that
 * og_reserve() was given since is of another clock, or of one that was set back: it keeps nothing out that began at
 * that instant or later.
 *   OG_EFACTS   err has line and col, or the key, the value seen and the values allowed; nothing changed
 *   OG_ESYNTAX  not JSON; nothing changed
 *   OG_ENOMEM   nothing changed */
OG_API OG_MUST_USE enum og_status og_book_apply(struct og_book *book, const char *account_id, const char *json,
                                                size_t len, const char *name, struct og_error *err);
/* Take in a quote: {"symbol","bid","ask","last","asOf"}; it counts for every account. Statuses as og_book_apply(). */
OG_API OG_MUST_USE enum og_status og_book_quote(struct og_book *book, const char *json, size_t len,
                                                struct og_error *err);
/* What the user says an account is: paper or live (rule account-environment). */
OG_API OG_MUST_USE enum og_status og_book_declare(struct og_book *book, const char *account_id,
                                                  enum og_environment_declared environment);
/* Orders without accountId are for this account; NULL: the only account there are facts of. */
OG_API OG_MUST_USE enum og_status og_book_default_account(struct og_book *book, const char *account_id);

/* What one thread needs to decide; deciding then allocates nothing.  NULL when out of memory. */
OG_API OG_MUST_USE struct og_scratch *og_scratch_new(void);
OG_API void og_scratch_free(struct og_scratch *scratch); /* NULL is allowed */

/* Decide at the instant now_ns.  The decision lives in scratch.  The book is not changed.  Here and below, an instant
 * outside the years that og_time_read() reads counts as the nearest within them. */
OG_API void og_check(struct og_book *book, const struct og_order *order, int64_t now_ns, struct og_scratch *scratch,
                     struct og_decision *decision);

/* The same for several orders at once, each with its scratch: scratch[i] and decisions[i] are of orders[i].  Of one
 * state of the book, which is looked at once; what the decisions have in common lives in one of the scratches. */
OG_API void og_check_all(struct og_book *book, struct og_order *const *orders, size_t count, int64_t now_ns,
                         struct og_scratch *const *scratch, struct og_decision *decisions);

/* What the order takes of buying power, whatever the policy makes of that; by its settings of the rule buying-power.
 * Ask before og_reserve(), which adds the order to what is working.  The book is not changed. */
OG_API void og_margin_ask(struct og_book *book, const struct og_order *order, int64_t now_ns,
                          struct og_scratch *scratch, struct og_margin_info *info);

/* The largest quantity, else the nearest price, else the earliest time within ten days at which the order would be
 * accepted, as og_check() decides; NONE for one that is accepted as it is, and where none of them alone helps.  The
 * decision last made with the scratch is gone.  Facts grow older with the time: a policy that wants them fresh may
 * refuse at any later one. */
OG_API void og_suggest(struct og_book *book, const struct og_order *order, int64_t now_ns, struct og_scratch *scratch,
                       struct og_suggestion *suggestion);

/* Decide and, when accepted, reserve: the id is used, buying power and closable shares are taken, the order counts as
 * working.  *ticket is 0 when refused.
 *   OG_OK      decided
 *   OG_ENOMEM  accepted but nothing reserved; treat as refused
 * What it would reserve may have no exact sum with the rest: order-form refuses it then (reservation-out-of-range). */
OG_API OG_MUST_USE enum og_status og_reserve(struct og_book *book, const struct og_order *order, int64_t now_ns,
                                             struct og_scratch *scratch, struct og_decision *decision,
                                             og_ticket *ticket);

/* The same for several orders in their order, each with its scratch: as og_reserve() of one after the other, with
 * nothing between them and in less time.  What the decisions have in common lives in scratch[0].  tickets has room for
 * count.
 *   OG_ENOMEM  an order was accepted and not reserved: it has no ticket, and those after it are not decided */
OG_API OG_MUST_USE enum og_status og_reserve_all(struct og_book *book, struct og_order *const *orders, size_t count,
                                                 int64_t now_ns, struct og_scratch *const *scratch,
                                                 struct og_decision *decisions, og_ticket *tickets);

/* A book grows with every order it accepts, and now and then og_reserve() would wait for the system to give it memory.
 * Have that ready instead: for some ten thousand orders, in steps of a few milliseconds; true: there is more to do.
 * For a thread that has the time, beside whatever others do with the book; a program of few orders needs it not at all.
 * */
OG_API bool og_book_make_room(struct og_book *book);

/* Move a reservation on.  Each may be repeated; an unknown ticket is ignored.  at_ns: when it was heard, by the
 * clock that og_reserve() and the ages of documents have; OG_TIME_UNKNOWN: no document can then be known to have it.
 *
 * A document that has the order already does not count it twice.  While a ticket is held, rows under its id in "orders"
 * and "gate" (same account, symbol and quantity) are news of it and count for nothing else.  What is filled counts
 * until a document of positions, and buying power until an account document, whose request began (its age) at least
 * the settle lag after the fill; what rests is in the buying power of one that began so long after the ack.  A fill
 * that a document of positions may have or lack counts as an order that works: it takes room under limits and cannot
 * be closed yet. Documents that are older than those a ticket ended by are not taken in again.
 *
 *   sent     its POST was answered with an order that lives: the id is used for good
 *   fill     so much of it has filled in all, in units of orderQuantity (OG_FILL_WHOLE: everything), at this average
 *            price in dollars a share, or net of a spread; {0,0}: not known, and then at what was reserved.  What it
 *            opened is held, what it closed is gone.  One that says less than was heard before changes nothing.
 *              OG_EINVAL  more than the order, below 0, the price has a scale outside 0..18, or a sum has no exact
 *                         og_money; nothing changed
 *              OG_ENOMEM  nothing changed
 *   rejected the broker rejected it: released, with its id used, and one more rejection in a row
 *   release  no more of it will fill: what the rest reserved is free again, and what filled stays until documents
 *            have it. After sent, or a fill, the id stays used; before, it is free again
 *   forget   the documents in force have all of it: it counts for nothing more, its rows count again, the id
 *            stays used.  Where its row in "orders" is a spread without legs, it goes on telling them, and takes no
 *            buying power any more, until a list has it as over or no more */
#define OG_FILL_WHOLE INT64_C(-1)
OG_API void og_ticket_sent(struct og_book *book, og_ticket ticket, int64_t at_ns);
OG_API OG_MUST_USE enum og_status og_ticket_fill(struct og_book *book, og_ticket ticket, int64_t executed,
                                                 struct og_money price, int64_t at_ns);
OG_API void og_ticket_rejected(struct og_book *book, og_ticket ticket);
OG_API void og_ticket_release(struct og_book *book, og_ticket ticket);
OG_API void og_ticket_forget(struct og_book *book, og_ticket ticket);

/* Take in a row of the broker: an order of GET order, GET orders (one of its rows) or POST order, or a frame of the
 * portfolio stream, as it came.  It moves the ticket of its order as the calls above do; *ticket says which, 0:
 * none.  account_id: whose answer or stream it came in; NULL: that of the row, else the default account.  Rows of
 * another account or an unknown id, of an order of other terms, and frames that are no order move nothing.  A row
 * under "<id>INVALID", as the broker rewrites some, counts if it is Rejected, nobody sent that id, and <id> was not
 * yet seen at the broker.  What says that less has filled than was heard before, or that an order lives that is
 * over, changes nothing.
 *   OG_ESYNTAX  not a JSON object
 *   OG_EINVAL   more has filled than the order has, or what it counts for has no exact og_money; nothing changed
 *   OG_ENOMEM   nothing changed */
OG_API OG_MUST_USE enum og_status og_book_row(struct og_book *book, const char *account_id, const char *json,
                                              size_t len, int64_t at_ns, og_ticket *ticket, struct og_error *err);

/* How far behind fills a broker's figures may be: 2 s unless set; from 0 to a day.  OG_EINVAL: not in that range. */
#define OG_SETTLE_LAG  (2 * OG_NS_PER_S)
#define OG_SETTLE_MOST (86400 * OG_NS_PER_S)
OG_API OG_MUST_USE enum og_status og_book_settle_lag(struct og_book *book, int64_t lag_ns);

/* What is reserved: the first ticket after one (0: from the beginning), its order with id and account into order,
 * and how it stands.  Returns 0 if there is none, or when out of memory.  The book may change between two calls. */
enum og_ticket_state {
    OG_TICKET_HELD = 1, /* accepted; not heard of since */
    OG_TICKET_SENT = 2, /* at the broker */
    OG_TICKET_OVER = 3  /* it ended; documents do not have all that filled yet */
};
struct og_ticket_info {
    enum og_ticket_state state;
    int64_t at_ns;              /* when it was accepted, as og_reserve() was told */
    int64_t quantity, executed; /* units of the order; of them filled, as heard */
    struct og_money reserved;   /* dollars of buying power that it takes beside the documents in force */
};
OG_API OG_MUST_USE og_ticket og_book_tickets(struct og_book *book, og_ticket after, struct og_order *order,
                                             struct og_ticket_info *info);

/* Orders that the book did not decide: of another process on the same account, or of an earlier run of this one.  Their
 * terms are as og_order_read() takes them, whose account too.
 *
 * Reserve for one that is sent and not known to be over, without deciding it; its ticket moves on like any other.
 *   OG_ENOMEM, OG_EINVAL (it is no order, or a sum has no exact og_money): nothing is reserved, *ticket is 0 */
OG_API OG_MUST_USE enum og_status og_reserve_sent(struct og_book *book, const struct og_order *order, int64_t at_ns,
                                                  struct og_scratch *scratch, og_ticket *ticket);
/* What became of it: not known or not sent, taken by the broker, rejected by it. */
enum og_sent_fate { OG_SENT_OPEN = 0, OG_SENT_TAKEN = 1, OG_SENT_REJECTED = 2 };
/* Count one for what is limited by second, minute, day, repetition or rejections in a row; oldest first, before the
 * book decides.  What gate facts counted already is not counted again.  Statuses as before. */
OG_API OG_MUST_USE enum og_status og_book_count_sent(struct og_book *book, const struct og_order *order, int64_t at_ns,
                                                     enum og_sent_fate fate, struct og_scratch *scratch);

/* One order, as it stands, let through one named rule: what would have refused it warns, and says whose word that is.
 * An order with other terms under the same id is another order. */
struct og_waiver {
    const char *account_id; /* NULL: whichever account the order is for */
    const char *client_order_id;
    const char *rule;        /* as findings spell it */
    const char *by, *reason; /* 1 to 64 and 1 to 200 bytes without control characters */
    int64_t until_ns;        /* by the clock that og_check() and og_reserve() are given; over from then on */
    const char *digest;      /* of the order that it is for: og_order_digest() */
};

/* Take in a waiver (copied), in place of one for the same account, order and rule.  It is used up by the og_reserve()
 * that accepts the order by it.  Findings of rules that the policy locks, or a floor names, are not waived.
 *   OG_EINVAL  a text is missing or too long, the digest is none, or the rule cannot be waived
 *              (og_rule_may_be_waived())
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_book_waive(struct og_book *book, const struct og_waiver *waiver,
                                                struct og_error *err);
/* Take waivers back; NULL: of any account, order, rule.  How many there were. */
OG_API size_t og_book_revoke(struct og_book *book, const char *account_id, const char *client_order_id,
                             const char *rule);

/* Digest of all facts documents taken so far: "sha256:...", "" before the first; valid until the next apply. */
OG_API const char *og_book_facts_digest(const struct og_book *book);

#ifdef __cplusplus
}
#endif
#endif
