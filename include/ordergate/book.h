/*
 * The gate that a program links: an og_book holds the policy in force, the facts, and the reservations of accepted
 * orders, for a set of accounts.  og_check() decides without changing anything; og_reserve() decides and reserves in
 * one step.  A book does no I/O and reads no clock: the caller passes facts and the time.  There is one exception: a
 * book reads the halt flags itself (ordergate/halt.h says which, and how to switch that off).
 *
 * NULL: passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value, and a decision refuses.
 * Threads: every function on a book may be called from any thread; each thread uses its own og_scratch and orders.
 * Deciding, og_margin_ask() and og_suggest() use less than 48 KB of the thread's stack.
 * fork(): the child gets a copy of each book as it was at the fork, and may use it; fork() waits until other threads
 * have finished with the books.  The child must not use scratches and orders that other threads of the parent were
 * using; it makes new ones.
 */
#ifndef ORDERGATE_BOOK_H
#define ORDERGATE_BOOK_H

#include "ordergate/decision.h"
#include "ordergate/order.h"
#include "ordergate/policy.h"
#include "ordergate/symbol_status.h"
#include "ordergate/time.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_book;
struct og_scratch;

enum og_environment_declared { OG_DECLARED_NONE = 0, OG_DECLARED_PAPER = 1, OG_DECLARED_LIVE = 2 };

/* The handle of a reservation; 0 means none. A book never gives out the same number twice. */
typedef unsigned long long og_ticket;

/* Make a book.  It takes over the policy, and frees it with the book or when another policy replaces it.
 *   OG_ENOMEM  *book is NULL, and the policy stays the caller's */
OG_API OG_MUST_USE enum og_status og_book_new(struct og_policy *policy, struct og_book **book);
OG_API void og_book_free(struct og_book *book); /* NULL is allowed; no other thread may be in a call on the book */

/* Replace the policy; the book owns the new one.  Calls that other threads have begun finish with the old policy, and
 * it is freed after the last of them.  Reservations and facts stay. */
OG_API void og_book_swap_policy(struct og_book *book, struct og_policy *policy);

/* Load a facts document (docs/contract.md "Facts"), all of it or nothing.  account_id may be NULL if the document names
 * its account.  A document without an account applies to the default account, or, if there is none, to every account
 * without facts of its own.  name is what errors call the document, and may be NULL.  Reservations that are still held
 * count in addition to the document's figures.
 *
 * Documents may arrive in another order than their requests began in.  Each kind of facts in a document (each key of
 * the document) has an age, which says when the request for these facts began.  A kind is left out if the book already
 * has facts of the same kind whose request began later, because the older facts lack later events; the newer facts
 * stay, and tickets that they ended stay ended.  Ids in an older list of orders still count as used.  The status is
 * then OG_OK, and err->text names the kinds left out ("" if none).  Of two documents with the same age, or without
 * ages, the one loaded later counts; a caller whose documents have no ages must load them in the order of their
 * requests, and every max_age treats them as too old.  An age more than a minute later than a newer now_ns of
 * og_reserve() is taken to come from another clock, or from a clock that was set back: facts whose request began at
 * that instant or later are loaded all the same.
 *   OG_EFACTS   err has line and col, or the key, the value seen and the values allowed; nothing changed
 *   OG_ESYNTAX  not JSON; nothing changed
 *   OG_ENOMEM   nothing changed */
OG_API OG_MUST_USE enum og_status og_book_apply(struct og_book *book, const char *account_id, const char *json,
                                                size_t len, const char *name, struct og_error *err);
/* Load a document that the program made from the broker's answers. This works like og_book_apply(), except that
 * og_book_apply() refuses a document in which a row names another account than the document does. Here such a row of an
 * order is left out, and its id counts as used on another account, since nobody can correct the broker's answer.
 * Returns the statuses of og_book_apply(). */
OG_API OG_MUST_USE enum og_status og_book_apply_answers(struct og_book *book, const char *account_id, const char *json,
                                                        size_t len, const char *name, struct og_error *err);
/* Tell the book the time. Call this before loading a document that was requested long ago: what a list of orders shows
 * may have happened at any time until now. Otherwise the book assumes that a list shows nothing later than its age plus
 * the settle lag. A document whose age is more than a second later than now_ns has a wrong date: from now on, any
 * document may replace its facts, whatever their age says. Returns true if the book had such facts; err->text names
 * their kinds. */
OG_API bool og_book_distrust_future(struct og_book *book, int64_t now_ns, struct og_error *err);
/* Load a quote of a symbol, its status, or both: {"symbol","bid","ask","last","status","asOf"}. It applies to every
 * account. A quote replaces the symbol's present quote, even a newer one; a status is loaded as og_book_symbol_status()
 * does. A line without status leaves the status unchanged, and one with status but without bid, ask and last leaves the
 * quote unchanged. Returns the statuses of og_book_apply(), and OG_EFACTS for a symbol that no order may have. With
 * OG_OK, err->text is "", or says that the quote or status is not used because it has no asOf and the policy limits its
 * age. */
OG_API OG_MUST_USE enum og_status og_book_quote(struct og_book *book, const char *json, size_t len,
                                                struct og_error *err);
/* Load a quote at the instant now_ns of a clock that may be behind the true time by up to behind_ns. A quote that is
 * dated later than now_ns by at most behind_ns counts as dated now_ns; one that is dated later than that is not used
 * before its time has come. A quote older than the symbol's present one changes nothing, unless the present one is
 * dated later than now_ns. If the present status is dated later than now_ns, its date is wrong: its stricter values
 * stay in force, with the time of this line, until a newer line comes. With OG_OK, err->text is as og_book_quote() sets
 * it; of a quote that is dated later than now_ns by more than behind_ns, it says so, and err->cause is ERANGE.
 *   OG_EINVAL  behind_ns is not from 0 to 10 s */
OG_API OG_MUST_USE enum og_status og_book_quote_at(struct og_book *book, const char *json, size_t len, int64_t now_ns,
                                                   int64_t behind_ns, struct og_error *err);
/* Load what an exchange publishes about a symbol: halts, pauses, price bands and short sale restriction. It applies to
 * every account, and replaces an older status of the symbol as a whole. A status older than the present one changes
 * nothing. If both have the same time, or only one has a time, the stricter value of each member holds, as of the time
 * that is known. If neither has a time, the one loaded later counts.
 *   OG_EFACTS  no order may have the symbol, or it has more than 64 bytes, or a band is negative or out of order;
 *              nothing changed
 *   OG_ENOMEM  some accounts may have the new status already */
OG_API OG_MUST_USE enum og_status og_book_symbol_status(struct og_book *book, const char *symbol,
                                                        const struct og_symbol_status *status, struct og_error *err);
/* Record whether the user declares an account to be paper or live. Rule account-environment compares the declaration
 * with the account. */
OG_API OG_MUST_USE enum og_status og_book_declare(struct og_book *book, const char *account_id,
                                                  enum og_environment_declared environment);
/* Set the account of orders without accountId. NULL means the only account of which the book has facts. */
OG_API OG_MUST_USE enum og_status og_book_default_account(struct og_book *book, const char *account_id);

/* Set the tag (strategy) of the client whose orders the book decides from now on; NULL means that the client has none.
 * The tag counts for every order, except those for which og_order_set_tag() was called. An order whose key, or the
 * prefix of whose id, names another tag is refused by rule order-tag if that rule is on.
 *   OG_EINVAL  longer than 64 bytes
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_book_client_tag(struct og_book *book, const char *tag);

/* Make the memory that one thread needs to decide; deciding then allocates nothing. Returns NULL if memory ran out. */
OG_API OG_MUST_USE struct og_scratch *og_scratch_new(void);
OG_API void og_scratch_free(struct og_scratch *scratch); /* NULL is allowed */
/* Set whether the book's positions and orders were requested after the orders that this scratch decides from now on
 * were written. If they were, an order whose every part closes may be decided with positions and orders of any age: the
 * writer of that order cannot have meant positions that even later facts do not show. max_age applies to
 * all other orders, and to closes that are decided with facts requested earlier. The default is false. */
OG_API void og_scratch_read_since(struct og_scratch *scratch, bool read_since);

/* Decide at the instant now_ns, without changing the book.  The decision is valid until scratch is used again.
 * For this function and those below, an instant outside the years of og_time_read() counts as the nearest instant
 * within them. */
OG_API void og_check(struct og_book *book, const struct og_order *order, int64_t now_ns, struct og_scratch *scratch,
                     struct og_decision *decision);

/* Decide several orders at once: scratch[i] and decisions[i] belong to orders[i].  All are decided on the same state of
 * the book.  Texts that the decisions share live in one of the scratches: keep all of them until the last decision has
 * been read. */
OG_API void og_check_all(struct og_book *book, struct og_order *const *orders, size_t count, int64_t now_ns,
                         struct og_scratch *const *scratch, struct og_decision *decisions);

/* Compute the buying power that the order requires, by the policy's settings of rule buying-power, whether the policy
 * accepts the order or not.  Call it before og_reserve(), which counts the order as working.  The book is not
 * changed. */
OG_API void og_margin_ask(struct og_book *book, const struct og_order *order, int64_t now_ns,
                          struct og_scratch *scratch, struct og_margin_info *info);

/* Find a change that would make og_check() accept a refused order: if working orders already close what it closes, one
 * of them that it may replace (decided by og_check_replacement()); if there is none, the largest quantity; if no
 * quantity helps, a price; if no price helps, the earliest time within ten days. The price is the nearest one if it is
 * less than a tick away, or a limit that is more careful than the order's and the market (a lower buy, a higher sell);
 * otherwise it is the ask for a buy limit, the bid for a sell limit, and none for a stop: the edge of what the policy
 * allows is not suggested in place of a price that is probably mistyped. OG_SUGGEST_NONE: the order is accepted
 * unchanged, or none of these changes alone suffices. Overwrites the decision that the scratch held. When a later time
 * is tried, facts are assumed to be as old as they are now, so that waiting is not suggested merely because the facts
 * that refuse the order would be too old by then; read facts again before sending at that time. A change is suggested
 * only if the rules that refused the order certainly pass it then. */
OG_API void og_suggest(struct og_book *book, const struct og_order *order, int64_t now_ns, struct og_scratch *scratch,
                       struct og_suggestion *suggestion);

/* Decide and, if the order is accepted, reserve: its id counts as used, its buying power and the shares or contracts
 * that it closes are no longer available, and it counts as working. *ticket is 0 if the order is refused.
 *   OG_OK      decided
 *   OG_ENOMEM  accepted, but nothing is reserved: treat the order as refused
 * An order whose amounts cannot be added exactly to those of the other reservations is refused by order-form
 * (reservation-out-of-range). */
OG_API OG_MUST_USE enum og_status og_reserve(struct og_book *book, const struct og_order *order, int64_t now_ns,
                                             struct og_scratch *scratch, struct og_decision *decision,
                                             og_ticket *ticket);

/* Decide and reserve several orders, each with its own scratch.  The result is that of og_reserve() for one after the
 * other with no other change of the book between them, but it is faster.  Texts that the decisions share live in
 * scratch[0].  tickets has room for count tickets.
 *   OG_ENOMEM  an order was accepted but not reserved: it has no ticket, and the orders after it are not decided */
OG_API OG_MUST_USE enum og_status og_reserve_all(struct og_book *book, struct og_order *const *orders, size_t count,
                                                 int64_t now_ns, struct og_scratch *const *scratch,
                                                 struct og_decision *decisions, og_ticket *tickets);

/* Decide the order of a ticket once more, before it leaves, by the present policy and facts and the time now_ns. Two
 * kinds of reservations do not count: the order's own; and those of orders that were reserved later and that this
 * function has not accepted yet, since they have not left either. If the order is accepted, it reserves from now on
 * what it requires now, and counts as sent now. If it is refused, its reservation stays as it was, until
 * og_ticket_release(). Only an order that the broker has not shown yet is decided. order: set to the order, with its id
 * and account.
 *   OG_EINVAL  no ticket of such an order; the decision refuses
 *   OG_ENOMEM  the decision refuses, and nothing changed */
OG_API OG_MUST_USE enum og_status og_reserve_again(struct og_book *book, og_ticket ticket, int64_t now_ns,
                                                   struct og_order *order, struct og_scratch *scratch,
                                                   struct og_decision *decision);
/* Report that an order left at the time at_ns. If that is later than the time that counted so far, limits by second and
 * minute count the order as sent at at_ns. Call this for an order that waited after og_reserve(), or that another
 * process sent; og_reserve_again() does it itself. */
OG_API void og_ticket_left(struct og_book *book, og_ticket ticket, int64_t at_ns);
/* Report that an order accepted by og_reserve_again() did not leave, or had no effect (429), and is waiting again. */
OG_API void og_ticket_stays(struct og_book *book, og_ticket ticket);

/* Allocate memory for some ten thousand more orders in advance, in steps of a few milliseconds, so that og_reserve()
 * need not wait for the system. Returns true if there is more to do: call it again. It is meant for an idle thread, and
 * may run while others use the book; a program that decides few orders does not need it. */
OG_API bool og_book_make_room(struct og_book *book);

/* Report what became of an accepted order.  Each call may be repeated; an unknown ticket is ignored.  at_ns is when the
 * report arrived, by the clock of og_reserve() and of the documents' ages. If at_ns is OG_TIME_UNKNOWN, no document can
 * be known to include the report.
 *
 * No order is counted both by its ticket and by a facts document:
 * - While a ticket is held, rows of "orders" and "gate" with its id (same account, symbol and quantity) update the
 *   ticket and are not counted themselves.
 * - A fill is counted until the book has a document of positions whose request began, by its age, at least the settle
 *   lag after the fill.  With a document of positions that may or may not include the fill, the fill counts as a
 *   working order: it uses room under limits, and cannot be closed yet.
 * - The buying power of a fill is counted until the book has an account document whose request began at least the
 *   settle lag after the fill; that of the unfilled rest, until it has one whose request began that long after the
 *   acknowledgement.
 * - A document older than one that ended a ticket is not loaded again.
 *
 *   unknown  is: the answer to the POST was lost, so that the outcome is unknown; rule unknown-outcomes counts it, and
 *            nothing else changes. Not is: the broker shows the order, though nothing became of it yet. The calls
 *            below and rows end it too; once the broker has shown the order, it changes nothing
 *   sent     the broker answered the POST with a live order: the id stays used
 *   fill     executed is how much has filled in total, in units of orderQuantity (OG_FILL_WHOLE: everything), at this
 *            average price in dollars a share, net for a spread; {0,0}: not known, the reserved price is used.  What it
 *            opened becomes a position, what it closed is gone.  A total below an earlier one changes nothing.
 *              OG_EINVAL  more than the order's quantity, below 0, a price with a scale outside 0..18, or a sum that
 *                         has no exact og_money; nothing changed
 *              OG_ENOMEM  nothing changed
 *   rejected the broker rejected the order: its reservation is released, its id stays used, and it counts as one more
 *            rejection in a row
 *   release  nothing more will fill: the reservation of the rest is released, and fills stay until documents include
 *            them.  The id stays used after sent or a fill; otherwise it is free again
 *   forget   the facts in force include all of the order: the ticket is not counted any more, and the id stays used.
 *            Rows with its id are counted again, at no less than the ticket's worth until a list of orders is read
 *            again.  If its row in "orders" is a spread without legs, the ticket still supplies the legs, without any
 *            buying power, until a list shows the order as over or does not have it */
#define OG_FILL_WHOLE INT64_C(-1)
OG_API void og_ticket_unknown(struct og_book *book, og_ticket ticket, bool is);
OG_API void og_ticket_sent(struct og_book *book, og_ticket ticket, int64_t at_ns);
OG_API OG_MUST_USE enum og_status og_ticket_fill(struct og_book *book, og_ticket ticket, int64_t executed,
                                                 struct og_money price, int64_t at_ns);
OG_API void og_ticket_rejected(struct og_book *book, og_ticket ticket);
OG_API void og_ticket_release(struct og_book *book, og_ticket ticket);
OG_API void og_ticket_forget(struct og_book *book, og_ticket ticket);

/* Read a row of the broker as it came: the answer to GET order or POST order, one row of GET orders, or a frame of the
 * portfolio stream.  It updates the ticket of its order as the calls above do; *ticket is that ticket, or 0 if the row
 * belongs to none.  account_id is the account whose answer or stream had the row; NULL means the account that the row
 * names, or the default account if the row names none.  A row of another account, with an unknown id, or of an order
 * with other terms changes nothing, and neither does a frame that is not an order.  The broker rewrites the id of some
 * rejected orders to "<id>INVALID": such a row counts if it is Rejected, that id was never sent, and <id> was not seen
 * at the broker yet.  A row with less filled than an earlier one, or that shows an ended order as live, changes
 * nothing.  All of a Filled order has filled; if the row of an order that ended otherwise does not say what has filled,
 * the rest counts as working until positions are read that show the end.
 *   OG_ESYNTAX  not a JSON object
 *   OG_EINVAL   more has filled than the order's quantity, or a sum has no exact og_money; nothing changed
 *   OG_ENOMEM   nothing changed */
OG_API OG_MUST_USE enum og_status og_book_row(struct og_book *book, const char *account_id, const char *json,
                                              size_t len, int64_t at_ns, og_ticket *ticket, struct og_error *err);

/* Set the settle lag: how long after a fill the broker's figures may still lack it.  2 s unless set; from 0 to a day.
 *   OG_EINVAL  outside that range */
#define OG_SETTLE_LAG  (2 * OG_NS_PER_S)
#define OG_SETTLE_MOST (86400 * OG_NS_PER_S)
OG_API OG_MUST_USE enum og_status og_book_settle_lag(struct og_book *book, int64_t lag_ns);

/* Returns true if a fill that was reported to the book by the time by_ns counts in addition to the account's positions,
 * because the positions may lack the fill. An order may then be refused because of a fill that the positions already
 * show. Also returns true if the list of orders shows a fill of an order without ticket that the positions may lack. */
OG_API bool og_book_lacks_fills(struct og_book *book, const char *account_id, int64_t by_ns);
/* Like og_book_lacks_fills(), but of the orders with tickets it considers only those that closed, or may have closed.
 * If positions may lack such a fill, the closed position still counts, and an order that opens may be refused because
 * of it. */
OG_API bool og_book_lacks_closing_fills(struct og_book *book, const char *account_id, int64_t by_ns);
/* Returns true if the list of orders shows a fill of an order without ticket that the account's positions may lack. No
 * limit counts such a fill until positions show it. */
OG_API bool og_book_lacks_other_fills(struct og_book *book, const char *account_id);

/* Set for how long after an order was seen at the broker a list of orders may still lack it. An order that is missing
 * in a list requested after that time is over, and its ticket ends. The default is the settle lag; allowed are 0 to a
 * day, or OG_LIST_LAG_FOREVER, for a caller that looks such orders up. With OG_LIST_LAG_FOREVER, an order that a list
 * lacks does not count as over: the order's ticket is held until one of the calls above or a row ends it.
 *   OG_EINVAL  outside that range */
#define OG_LIST_LAG_FOREVER INT64_MAX
OG_API OG_MUST_USE enum og_status og_book_list_lag(struct og_book *book, int64_t lag_ns);

/* Set whether the caller delays each call until the budget of its endpoint has room, as `send` does. If so, rule
 * rate-budget is not unsure when facts lack the calls that were made ("calls" of "gate"); when facts have these calls,
 * the rule decides by them. The default is false. */
OG_API void og_book_paced(struct og_book *book, bool paced);

/* Iterate over the reservations: returns the first ticket after the given one (0 means the first of all), and writes
 * its order, with id and account, to *order and its state to *info. Returns 0 after the last ticket, or if memory ran
 * out. The book may change between two calls. */
enum og_ticket_state {
    OG_TICKET_HELD = 1, /* accepted; nothing reported since */
    OG_TICKET_SENT = 2, /* the broker has the order */
    OG_TICKET_OVER = 3  /* ended; documents do not include all of its fills yet */
};
struct og_ticket_info {
    enum og_ticket_state state;
    int64_t at_ns;              /* time at which the order was accepted: the now_ns of og_reserve() */
    int64_t quantity, executed; /* the quantity of the order, and the part known to be filled, in units of
                                 * orderQuantity */
    struct og_money reserved;   /* dollars of buying power that count in addition to the documents in force */
};
OG_API OG_MUST_USE og_ticket og_book_tickets(struct og_book *book, og_ticket after, struct og_order *order,
                                             struct og_ticket_info *info);

/* The next functions are for orders that the book did not decide, because another process or an earlier run sent them
 * on the same account. The order has its account, as og_order_read() reads it.
 *
 * Reserve without deciding, for an order that was sent and is not known to be over; the calls above update its ticket
 * like that of an order that the book decided.
 *   OG_EINVAL  the bytes are not an order, or a sum has no exact og_money
 *   OG_ENOMEM  In both nothing is reserved, and *ticket is 0. */
OG_API OG_MUST_USE enum og_status og_reserve_sent(struct og_book *book, const struct og_order *order, int64_t at_ns,
                                                  struct og_scratch *scratch, og_ticket *ticket);
/* What became of an order that the book did not decide: OPEN, it is not known, or the order was not sent; TAKEN, the
 * broker accepted it; REJECTED, the broker rejected it. */
enum og_sent_fate { OG_SENT_OPEN = 0, OG_SENT_TAKEN = 1, OG_SENT_REJECTED = 2 };
/* Count towards the limits (by second, minute, day, repetition and rejections in a row) an order that this book did not
 * decide.  Call it for the oldest order first, and before the book decides.  An order that the facts under "gate"
 * already count is not counted again.  Returns the same statuses as og_reserve_sent(). */
OG_API OG_MUST_USE enum og_status og_book_count_sent(struct og_book *book, const struct og_order *order, int64_t at_ns,
                                                     enum og_sent_fate fate, struct og_scratch *scratch);
/* Count towards the limits on traded amounts an order that the book did not decide and that is over. executed: units
 * that filled in total, by at_ns, or OG_FILL_WHOLE; price: their average price in dollars, 0 if it is not known. What
 * the book already counts of an order with this id is not counted again.
 *   OG_EINVAL  the bytes are not an order, executed is negative or exceeds its quantity, or price is negative
 *   OG_ENOMEM  In both nothing is counted. */
OG_API OG_MUST_USE enum og_status og_book_count_traded(struct og_book *book, const struct og_order *order,
                                                       int64_t executed, struct og_money price, int64_t at_ns,
                                                       struct og_scratch *scratch);

/* Record that another process or an earlier run sent order by_id (NULL if there is none) in replacement of old_id: rule
 * replace-order then refuses every other replacement of old_id.  The book itself records the replacements that it
 * accepts, until they are rejected or released.
 *   OG_EINVAL  a NULL account or old_id, or an empty id
 *   OG_ENOMEM  nothing changed */
OG_API OG_MUST_USE enum og_status og_book_replaced(struct og_book *book, const char *account_id, const char *old_id,
                                                   const char *by_id);

/* Record that the broker reported the order `id` as Canceled after it had filled `executed` units.  A list of orders
 * that is older than the report may still show the order as working: rule replace-order goes by the report.
 *   OG_EINVAL  a NULL or empty account or id, or executed is negative
 *   OG_ENOMEM  nothing changed */
OG_API OG_MUST_USE enum og_status og_book_canceled(struct og_book *book, const char *account_id, const char *id,
                                                   int64_t executed);

/* The day's highest P&L, from which rule day-loss measures how far today's P&L fell (drawdown). It is the greatest of
 * 0, of each dayPnl and dayPnlPeak that was loaded for that session day, and of the values given by
 * og_book_raise_pnl_peak(). A session day begins at 04:00 in New York, when the service begins its day, and lasts until
 * the next session begins. The book keeps this value in memory only: a program that may be restarted saves the value
 * when it rises, and gives it to the new book before that book decides. */
struct og_pnl_peak {
    int day; /* the session day, as yyyymmdd */
    struct og_money peak;
};
/* Get the highest P&L for the day of the account's P&L in force.
 *   OG_ENOENT  no P&L is known, or none with an age; *peak is zero
 *   OG_EINVAL  the book has no such account; *peak is zero */
OG_API OG_MUST_USE enum og_status og_book_pnl_peak(struct og_book *book, const char *account_id,
                                                   struct og_pnl_peak *peak);
/* Give the book the highest P&L of a day that another process or an earlier run saw.  A lower value than the known one
 * changes nothing. The book keeps two days: the day of the P&L in force, and the day of the last call.
 *   OG_EINVAL  no account, not a date, or a peak below 0 or with a scale outside 0..18; nothing changed
 *   OG_ENOMEM  nothing changed */
OG_API OG_MUST_USE enum og_status og_book_raise_pnl_peak(struct og_book *book, const char *account_id,
                                                         const struct og_pnl_peak *peak);

/* A latch: a limit of a rule with the setting `latch` was exceeded, and the orders to which the limit applies are
 * refused until the latch is resumed, or until the next session day, even if the value is within the limit again. The
 * book trips a latch when it is given the P&L, when a rejection by the broker is reported, and when another policy
 * comes into force; this does not require that an order is decided. A latch stops the orders whose limit is below its
 * value; it does not stop orders of an override with a higher limit. Like the highest P&L, latches are in memory only:
 * a program that may be restarted saves them, and gives them to the new book. */
struct og_latch {
    /* what was exceeded, a name of og_latch_name(): loss, loss-of-equity, drawdown, consecutive-rejections; NULL if
     * nothing was */
    const char *name;
    /* the value seen, which is above `limit`, the limit then in force; both in dollars, basis points (loss-of-equity),
     * or orders */
    struct og_money value, limit;
    int day;            /* session day of that value, yyyymmdd, as for og_book_pnl_peak(); 0: not known */
    bool until_resumed; /* false: the latch is over on the next session day */
    int64_t at_ns;      /* the time of that value; OG_TIME_UNKNOWN: not known */
};
/* Returns the name of the i-th latch, from 0; NULL past the end. */
OG_API const char *og_latch_name(size_t i);
/* Get an account's latch of that name, if it is tripped and not over at now_ns.
 *   OG_ENOENT  it is not tripped, or over; *latch is zero
 *   OG_EINVAL  an unknown name, or no such account; *latch is zero */
OG_API OG_MUST_USE enum og_status og_book_latch(struct og_book *book, const char *account_id, const char *name,
                                                int64_t now_ns, struct og_latch *latch);
/* Trip a latch that an earlier run or another process tripped. If the latch is tripped already, the greater value, the
 * later day and the longer duration count.
 *   OG_EINVAL  no account, an unknown name, a value or limit with a scale outside 0..18, or not a date; nothing changed
 *   OG_ENOMEM  nothing changed */
OG_API OG_MUST_USE enum og_status og_book_set_latch(struct og_book *book, const char *account_id,
                                                    const struct og_latch *latch);
/* Resume: a person has examined the cause, and orders may be sent again. Counts of orders begin anew: rejections before
 * the resume no longer count as in a row. A limit on money is still in force: while the P&L is beyond it, the rule
 * refuses and the latch trips again.
 *   OG_ENOENT  the latch was not tripped; its counts begin anew nevertheless
 *   OG_EINVAL  no account, or an unknown name
 *   OG_ENOMEM  nothing changed */
OG_API OG_MUST_USE enum og_status og_book_resume_latch(struct og_book *book, const char *account_id, const char *name);

/* A waiver lets one order, with exactly these terms, pass one named rule once: findings that would refuse it warn
 * instead, and name the person who waived them.  It does not apply to an order with other terms under the same id. */
struct og_waiver {
    const char *account_id; /* NULL means any account */
    const char *client_order_id;
    const char *rule;        /* id of the rule, as in findings */
    const char *by, *reason; /* by has 1 to 64 bytes, reason 1 to 200; no control characters */
    int64_t until_ns;        /* when it expires, by the clock of og_check() and og_reserve() */
    const char *digest;      /* digest of the order's terms, from og_order_digest() */
};

/* Add a waiver (copied); it replaces one for the same account, order and rule. The og_reserve() that accepts the order
 * because of the waiver uses the waiver up. Findings of rules that the policy locks or a floor names are not waived.
 *   OG_EINVAL  a text is missing or too long, the digest is malformed, or the rule cannot be waived
 *              (og_rule_may_be_waived())
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_book_waive(struct og_book *book, const struct og_waiver *waiver,
                                                struct og_error *err);
/* Revoke waivers; NULL stands for any account, order or rule.  Returns how many were revoked. */
OG_API size_t og_book_revoke(struct og_book *book, const char *account_id, const char *client_order_id,
                             const char *rule);

/* Returns the digest of all facts documents loaded so far: "sha256:...", "" before the first.  Valid until the next
 * og_book_apply() or og_book_quote(). */
OG_API const char *og_book_facts_digest(const struct og_book *book);

#ifdef __cplusplus
}
#endif
#endif
