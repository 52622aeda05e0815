/*
 * The gate a program links: an og_book holds the policy in force, the facts, and what accepted orders reserve, for a
 * set of accounts.  og_check() answers what-if and changes nothing; og_reserve() decides and reserves in one step.
 * It refuses I/O and clocks: facts and the time are given.  One thing it looks at itself, the flag that halts trading
 * (ordergate/halt.h says where, and how not to).
 * Threads: every function on a book may be called from any thread; each thread brings its own og_scratch and orders.
 * Deciding, og_margin_ask() and og_suggest() take less than 48 KB of the thread's stack.
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

/* Take in a facts document (contract.md "Facts"), whole or not at all; account_id may be NULL when the document says
 * whose it is.  One that does not say counts for the default account, else for every account without facts of its own.
 * name is what errors call it.  Reservations still held are counted on top of it.
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

/* Decide at the instant now_ns.  The decision lives in scratch.  The book is not changed. */
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

/* Move a reservation on.  Each may be repeated; an unknown ticket is ignored.
 *   sent     its POST was answered with an order that lives: the id is used for good
 *   fill     it filled: what it opened is held, what it closed is gone, until facts with positions are applied.
 *            OG_ENOMEM, OG_EINVAL (a sum has no exact og_money): nothing changed
 *   rejected the broker rejected it: released, with its id used, and one more rejection in a row
 *   release  it ended without (or with all its) fills: what it reserved is free again; after sent the id stays used,
 *            before sent the id is free again */
OG_API void og_ticket_sent(struct og_book *book, og_ticket ticket);
OG_API OG_MUST_USE enum og_status og_ticket_fill(struct og_book *book, og_ticket ticket);
OG_API void og_ticket_rejected(struct og_book *book, og_ticket ticket);
OG_API void og_ticket_release(struct og_book *book, og_ticket ticket);

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
