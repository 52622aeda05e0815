/*
 * Functions that make and change facts: loading documents, and adding and removing the effects of accepted orders.
 * A facts document is loaded completely or not at all.
 */
#pragma once

#include <cjson/cJSON.h>

#include "facts/facts.h"
#include "ordergate/book.h"
#include "ordergate/status.h"

/* The keys of a facts document, each with the shape of its value. */
enum og_facts_shape { OG_FACTS_TEXT, OG_FACTS_OBJECT, OG_FACTS_LIST, OG_FACTS_MEMBERS };
struct og_facts_key {
    const char *name;
    enum og_facts_shape shape; /* type of the key's value; MEMBERS: an object with a member for each symbol */
    const char *envelope;      /* key of the object in which the list may be wrapped; NULL if it must not be wrapped */
    bool aged;                 /* the document's "ages" may have an entry for the key */
};
bool og_facts_key_at(size_t i, struct og_facts_key *key); /* returns false if i is past the last key */
/* Returns the i-th key of the document's "gate" object; NULL past the last key. */
const char *og_facts_gate_key(size_t i);

struct og_facts *og_facts_new(struct og_str account_id); /* returns NULL if memory runs out */
void og_facts_free(struct og_facts *f);
/* Set the account whose facts these are.  Returns false if memory runs out. */
bool og_facts_name_account(struct og_facts *f, struct og_str account_id);

/* Load a facts document (docs/contract.md "Facts"): the value of each key replaces the earlier one.  Accepts lists
 * inside their service envelope, both shapes of orders, SellShort rows, signed option shares (D20, G23, H1).  The age
 * of a key is the first of these that the document has: "ages".<key>, an asOf beside the value, the document's "asOf".
 * If it has none of them, the age is unknown.  A key whose value is older than the loaded one is skipped
 * (og_facts_older()); a value of unknown age is loaded.
 * OG_EFACTS  err->text has the key, the value seen and what is allowed; f is unchanged
 * OG_ENOMEM  f is unchanged */
enum og_status og_facts_load(struct og_facts *f, const cJSON *doc, const char *name, struct og_error *err);
/* Load a document made of the broker's answers, as og_facts_load() does; but a row of an order that names another
 * account is left out, where og_facts_load() refuses the document. */
enum og_status og_facts_load_answers(struct og_facts *f, const cJSON *doc, const char *name, struct og_error *err);

/* Returns the account that a document is for: "accountId", or account.account if "accountId" is missing; {NULL,0} if
 * the document has neither. */
struct og_str og_facts_document_account(const cJSON *doc);

/* Load one line about a symbol (op "quote", or --quotes): {"symbol","bid","ask","last","status","asOf"}.  Prices and
 * status whose time is at most `ahead` ns after now get the time now. */
enum og_status og_facts_take_quote(struct og_facts *f, const cJSON *doc, int64_t now, int64_t ahead,
                                   struct og_error *err);

/* Copy the announced closures.  Returns OG_OK or OG_ENOMEM. */
enum og_status og_facts_copy_closures(struct og_facts *to, const struct og_facts *from);
/* Copy every quote, symbol status, borrow state and closure, as if `to` had loaded them; used for an account that is
 * added later.  Returns OG_OK or OG_ENOMEM. */
enum og_status og_facts_copy_market(struct og_facts *to, const struct og_facts *from);

void og_facts_declare(struct og_facts *f, enum og_environment environment);

/* og_facts_remove() leaves the dearest of the closes of a side as it is, since it does not know the next one. So that
 * undoing an effect leaves nothing, og_facts_dearest() is called before it is added, and og_facts_dearest_back() after
 * it was removed. */
struct og_dearest_mark {
    int64_t sells[OG_LEGS_KEPT], buys[OG_LEGS_KEPT];
};
void og_facts_dearest(const struct og_facts *f, const struct og_order *o, struct og_dearest_mark *mark);
void og_facts_dearest_back(struct og_facts *f, const struct og_order *o, const struct og_dearest_mark *mark);

/* The cash that units of an order need, in cents. puts: og_facts_order_puts(); pays: what the units pay if the order
 * buys; 0 if it writes puts, because these count at what they can lose. A spread pays its limit, unless it is for a
 * credit. */
struct og_order_cash {
    og_wide puts;
    int64_t pays;
};

/* The effects of an accepted order on the facts; og_facts_add() applies them, and og_facts_remove() is its exact
 * inverse.  bp_cost may be 0.  Counts, unfilled quantities, the id and bp change at once.  og_facts_load() drops all
 * effects, and the caller applies them again for its tickets.
 * OG_ENOMEM  nothing changed
 * OG_EINVAL  og_money cannot represent a sum exactly; nothing changed */
struct og_effect {
    const struct og_order *order; /* used only during the call */
    int64_t done;                 /* units of the order that no longer work: they filled, or ended without filling */
    struct og_money bp_cost;      /* dollars taken from bp and overnight_bp */
    bool bound;                   /* bp_cost is an upper bound: see og_facts_bounds() */
    /* the order has ended, but documents may not show its fills yet: the fills still count as working, the order itself
     * does not */
    bool over;
    int64_t value; /* worst-case value in cents, or OG_AT_LEAST(), as if the order opened; 0 for a spread that only
                    * closes */
    int64_t sold;  /* for a spread: value in cents of the legs that are sold short */
    int64_t paid;  /* cents that filled units paid, as far as the account may not show it: og_facts_cash_of() */
    /* for a spread: the worst-case value that each closing leg would have if it opened, in cents or OG_AT_LEAST(); NULL
     * if unknown */
    const int64_t *closes;
    /* ticket (reservation) that becomes the owner of the id if the id has no owner and no row; 0 if there is no
     * ticket */
    uint32_t ticket;
    struct og_traded trades;          /* what the order may still trade */
    struct og_lookup_keys *hashes;    /* the hashes of the order's keys, or NULL */
    const struct og_holding *holding; /* the holding of the order's symbol in these facts, or NULL */
    /* What the caller knows already, or NULL. cash: og_facts_cash_of() of the whole order, only if `done` is 0; mleg:
     * og_mleg_of() of the order. */
    const struct og_order_cash *cash;
    const struct og_mleg *mleg;
};
enum og_status og_facts_add(struct og_facts *f, const struct og_effect *e);
void og_facts_remove(struct og_facts *f, const struct og_effect *e);
/* Set the sizes in bytes of the large tables that will soon be needed to replace smaller ones; returns how many, at
 * most OG_FACTS_WANTS. */
#define OG_FACTS_WANTS 3
int og_facts_wants(const struct og_facts *f, size_t *bytes);
void og_facts_tighten(struct og_facts *f); /* see og_facts_is_tight() */
/* An order that the sender's own facts ("gate") list as in flight or unknown.  line: the order as it was posted. */
struct og_posted {
    struct og_str id, line;
    const struct og_posted *next;
};
/* Returns the posted order after `after` that is in no order list; the first such order if `after` is NULL. Returns
 * NULL after the last. */
const struct og_posted *og_facts_posted(const struct og_facts *f, const struct og_posted *after);
/* Lower bp and overnight_bp by the cost until the next document.  Returns false, and changes nothing, if og_money
 * cannot represent a sum exactly. */
bool og_facts_reserve(struct og_facts *f, struct og_money cost);
/* Returns the share of `value` that belongs to `units` units, rounded up. value: the value of all `all` units (as in
 * og_effect). */
int64_t og_facts_part_worth(int64_t value, int64_t units, int64_t all);
/* Record that units of an order whose effect is applied have filled: what these units open is now a position, with the
 * value `cents` (or OG_AT_LEAST()); what they close is no longer held. e->done must not include these units yet. The id
 * stays used, and bp is unchanged.
 * OG_EINVAL  og_money cannot represent a sum exactly; nothing changed */
enum og_status og_facts_fill(struct og_facts *f, const struct og_effect *e, int64_t units, int64_t cents);
/* Returns the cash that `units` units of the order need. */
struct og_order_cash og_facts_cash_of(const struct og_effect *e, int64_t units);
/* Change what filled units of an order paid, in cents, from `was`. */
void og_facts_repay(struct og_facts *f, int64_t was, int64_t now);
/* Returns how many of these units have a position to close; if the order does not close, returns all of them. */
int64_t og_facts_closable(struct og_facts *f, const struct og_effect *e, int64_t units);
/* Record that these units will not fill any more; adds them to e->done. */
void og_facts_end_rest(struct og_facts *f, struct og_effect *e, int64_t units);
/* Change the amount of bp that an effect reserves.  Returns false, and changes nothing, if og_money cannot represent
 * the sum exactly. */
bool og_facts_recost(struct og_facts *f, struct og_money was, struct og_money now);

/* Make a ticket the owner of an id.  An order that has a ticket (reservation) and is also in documents is counted once:
 * by the ticket, as long as the ticket owns the id. ticket 0 means that the rows with the id count again at once.
 * OG_ROWS_OVER: the order is over; count rows with its id only after another document has them.  Returns false, and
 * changes nothing, if og_money cannot represent a sum exactly or memory runs out. */
#define OG_ROWS_OVER UINT32_MAX
bool og_facts_own_id(struct og_facts *f, struct og_str id, uint32_t ticket);
/* For one check, leave the rows of an id out of the sums, if no ticket owns the id; og_facts_rows_back() counts them
 * again. Returns false, and changes nothing, if og_money cannot represent a sum exactly or memory runs out. */
bool og_facts_rows_aside(struct og_facts *f, struct og_str id);
void og_facts_rows_back(struct og_facts *f, struct og_str id);
/* Set *most to an upper bound, in dollars, of the buying power that an order needs: the order to which the rows with
 * this id in the order list belong. A buy at a limit needs its notional, a close needs nothing. Returns false if there
 * is no row, or if there is no bound because a row sells to open, has no price, or has legs that open. */
bool og_facts_rows_cost(const struct og_facts *f, struct og_str id, struct og_money *most);
/* Returns true if the ticket owns the id, and no row with the id shows what the order trades: the row is a spread
 * without legs, or only an id. */
bool og_facts_rows_lack_legs(const struct og_facts *f, struct og_str id, uint32_t ticket);
/* Until an order list is read again, raise the value of the order's rows to at least the value of the effect, so that
 * no value is lost when the ticket ends. Call it before the rows are counted again. */
void og_facts_bound_rows(struct og_facts *f, const struct og_effect *e);
uint32_t og_facts_owner(const struct og_facts *f, struct og_str id); /* 0 if there is none */
/* A fill that the list of orders shows, or one that may have taken an order off it. */
struct og_filled_row {
    struct og_filled_row *next;
    struct og_str id;                   /* empty if the order's row has none */
    const struct og_known_order *order; /* NULL if the list has no row of the order, or one without id */
    int64_t updated;                    /* ns: when the order last changed, or was gone */
};

/* Set for how long after a fill positions may lack it, in ns. */
void og_facts_settle_lag(struct og_facts *f, int64_t lag);
/* Find the newest fill that og_facts_lacks_fill() asks about; is_own: returns true if a ticket has the fills of the
 * row's order, and may be NULL. Call it when a list of orders was loaded, and when an order of its rows got a ticket.
 */
void og_facts_find_filled(struct og_facts *f, bool (*is_own)(void *with, const struct og_filled_row *row), void *with);
/* Documents of all kinds are numbered from 2, in the order in which they are loaded. og_facts_taken(): returns the
 * number of the document that the present facts of the kind came from; 0: none. og_facts_takes(): returns the number of
 * the newest document; 1: none was loaded yet. */
uint32_t og_facts_taken(const struct og_facts *f, enum og_fact kind);
uint32_t og_facts_takes(const struct og_facts *f);
/* Returns the keys (bit set of enum og_fact) of the last document that were skipped because newer facts are known. */
unsigned og_facts_older(const struct og_facts *f);
/* Set the time of decisions.  Facts dated more than a minute later have their time from another clock, and do not cause
 * newer documents to be skipped. */
#define OG_CLOCK_SLIP (60 * OG_NS_PER_S)
void og_facts_clock(struct og_facts *f, int64_t now);
/* Facts dated later than this instant do not cause other documents to be skipped. Returns their kinds (bit set of enum
 * og_fact). */
unsigned og_facts_distrust_after(struct og_facts *f, int64_t most);
/* Count an order as sent, whatever its outcome: it was accepted at now, on date (yyyymmdd in New York). tag: its
 * strategy, empty if it has none.  OG_ENOMEM. */
enum og_status og_facts_count_sent(struct og_facts *f, const struct og_order *o, struct og_str tag,
                                   struct og_lookup_keys *k, int64_t now, int date);
/* An order that was sent: time, hashes by which repetitions of it are found (enum og_same), and og_facts_tag_hash() of
 * its strategy. */
struct og_sent_row {
    int64_t at;
    uint64_t terms, direction, symbol, tag;
};

/* What og_facts_uncount_sent() needs in order to undo the newest og_facts_count_sent(). og_facts_sent_mark() returns
 * it, called before the order is counted. */
struct og_sent_mark {
    struct og_sent_row over; /* the row that is overwritten when the list of rows is full */
    size_t count, days;
    int date, tag_date;
    int64_t today, tag_today;
};
struct og_sent_mark og_facts_sent_mark(const struct og_facts *f, struct og_str tag);
void og_facts_uncount_sent(struct og_facts *f, const struct og_sent_mark *mark);
/* Returns the time that og_facts_count_sent() stored with the order that it counted last. */
int64_t og_facts_sent_at(const struct og_facts *f);
/* og_facts_sent_aside() leaves one order out of the counts for one check: the order that was counted as sent at `at`.
 * og_facts_sent_back() counts that order again. */
void og_facts_sent_aside(struct og_facts *f, int64_t at);
void og_facts_sent_back(struct og_facts *f);
/* Move the count of an order from *at, the time at which it was counted as sent, to the present time and date. Sets *at
 * to the new time. */
void og_facts_sent_anew(struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k, int64_t *at,
                        int64_t now, int date);
/* Count an order that was sent before documents were loaded. Some of the documents may include the order already. The
 * order's outcome is counted too. */
enum og_status og_facts_count_before(struct og_facts *f, const struct og_order *o, struct og_str tag, int64_t at,
                                     int date, enum og_sent_fate fate);
/* Change what an order may still trade, which its effect counts as `was`. */
void og_facts_retrade(struct og_facts *f, const struct og_order *o, const struct og_traded *was,
                      const struct og_traded *now);
/* What an order traded in all so far. */
struct og_traded_fills {
    struct og_str id;        /* of the order; empty if it has none */
    struct og_str symbol;    /* its ticker or contract; of a spread the underlying */
    struct og_traded all;    /* what it traded in all */
    int64_t at;              /* when it had traded all that; OG_TIME_UNKNOWN if that is not known */
    struct og_traded *no_id; /* for an order without id: how much of it is counted; updated */
};
/* Count what an order traded in addition to what is already counted of it.  OG_ENOMEM: nothing changed. */
enum og_status og_facts_count_fills(struct og_facts *f, const struct og_traded_fills *fills);
/* Count what the order list shows that orders without a ticket traded. at: when all of that had happened, for rows that
 * do not say when they changed; OG_TIME_UNKNOWN if not known. Returns OG_OK or OG_ENOMEM. */
enum og_status og_facts_count_rows(struct og_facts *f, int64_t at);
/* Fills whose time is not known count as of `now`. */
enum og_status og_facts_date_fills(struct og_facts *f, int64_t now);
/* Raise the highest P&L of a session day; nothing changes if a higher one is known. */
void og_facts_raise_peak(struct og_facts *f, const struct og_pnl_peak *to);
/* Trip a latch as another process did (og_book_set_latch()). */
void og_facts_latch(struct og_facts *f, const struct og_latch *latch);
/* Trip a latch by what the facts show now, unless the latch already refuses the orders under that limit. */
void og_facts_trip(struct og_facts *f, enum og_latch_kind kind, struct og_money value, struct og_money limit,
                   bool until_resumed);
/* Resume a latch, and begin its counts anew.  Returns whether it was tripped. */
bool og_facts_resume(struct og_facts *f, enum og_latch_kind kind);
/* Count an order of this book as one of unknown outcome (is), or no longer.  Its id may be empty. */
void og_facts_unknown(struct og_facts *f, struct og_str id, bool is);
/* Returns true if the sender's own facts list the order as of unknown outcome. */
bool og_facts_told_unknown(const struct og_facts *f, struct og_str id);
void og_facts_forget_rejections(struct og_facts *f); /* rejections until now no longer count as in a row */
/* Set *peak to the highest P&L of the session day of the P&L in force.  Returns false if the P&L or its age is
 * unknown. */
bool og_facts_peak(const struct og_facts *f, struct og_pnl_peak *peak);
/* Record that `by` replaced the old order (`by` empty if nothing replaced it).  OG_ENOMEM: nothing changed. */
enum og_status og_facts_replaced(struct og_facts *f, struct og_str old, struct og_str by);
/* Record that the order was reported as Canceled after it had filled this many units. OG_ENOMEM: nothing changed. */
enum og_status og_facts_cancel(struct og_facts *f, struct og_str id, int64_t executed);
/* If an accepted order replaces another one, record that, unless the book already has another replacement of the old
 * order. */
enum og_status og_facts_replaces(struct og_facts *f, const struct og_order *o);
/* Undo og_facts_replaces(): the order was not sent, or was rejected. */
void og_facts_replaces_not(struct og_facts *f, const struct og_order *o);
/* Count the broker's answer to an order: rejected; or accepted, which ends a streak of rejections. */
void og_facts_count_fate(struct og_facts *f, bool rejected);
/* Mark an id as used for good: removing an effect does not make the id free again. */
enum og_status og_facts_use_id(struct og_facts *f, struct og_str id, enum og_id_use use);
