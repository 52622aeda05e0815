/*
 * Functions that make and change facts: loading documents, and adding and removing the effects of accepted orders.
 * A facts document is loaded completely or not at all.
 */
#pragma once

#include <cjson/cJSON.h>

#include "facts/facts.h"
#include "ordergate/book.h"
#include "ordergate/status.h"

/* The keys of a facts document. */
enum og_facts_shape { OG_FACTS_TEXT, OG_FACTS_OBJECT, OG_FACTS_LIST, OG_FACTS_MEMBERS };
struct og_facts_key {
    const char *name;
    enum og_facts_shape shape; /* MEMBERS: an object keyed by symbol */
    const char *envelope;      /* a list may be wrapped in an object under this key; NULL: it may not */
    bool aged;                 /* may have an entry in "ages" */
};
bool og_facts_key_at(size_t i, struct og_facts_key *key); /* returns false if i is past the last key */
/* Returns the i-th key of the document's "gate" object; NULL past the last key. */
const char *og_facts_gate_key(size_t i);

struct og_facts *og_facts_new(struct og_str account_id); /* returns NULL if memory runs out */
void og_facts_free(struct og_facts *f);
/* Set the account that the facts are about.  Returns false if memory runs out. */
bool og_facts_name_account(struct og_facts *f, struct og_str account_id);

/* Load a facts document (docs/contract.md "Facts"): the value of each key replaces the earlier one.  Accepts lists
 * inside their service envelope, both shapes of orders, SellShort rows, signed option shares (D20, G23, H1).  The age
 * of a key is "ages".<key>, otherwise an asOf beside the value, otherwise the document's "asOf", otherwise unknown.  A
 * key whose value is older than the one loaded before is skipped (og_facts_older()); one of unknown age is loaded.
 * OG_EFACTS  err->text has the key, the value seen and what is allowed; f is unchanged
 * OG_ENOMEM  f is unchanged */
enum og_status og_facts_load(struct og_facts *f, const cJSON *doc, const char *name, struct og_error *err);

/* Returns the account that a document is for ("accountId", otherwise account.account); {NULL,0} if it has none. */
struct og_str og_facts_document_account(const cJSON *doc);

/* Load one quote (op "quote", or --quotes): {"symbol","bid","ask","last","asOf"}.  A quote whose time is at most
 * `ahead` ns after now gets the time now. */
enum og_status og_facts_take_quote(struct og_facts *f, const cJSON *doc, int64_t now, int64_t ahead,
                                   struct og_error *err);

/* Copy the announced closures.  OG_ENOMEM. */
enum og_status og_facts_copy_closures(struct og_facts *to, const struct og_facts *from);
/* Copy every quote, borrow state and closure, as if `to` had loaded them; for an account that is added later.
 * OG_ENOMEM. */
enum og_status og_facts_copy_market(struct og_facts *to, const struct og_facts *from);

void og_facts_declare(struct og_facts *f, enum og_environment environment);

/* The effects of an accepted order on the facts; og_facts_add() applies them, and og_facts_remove() is its exact
 * inverse.  bp_cost may be 0.  Counts, unfilled quantities, the id and bp change at once.  og_facts_load() drops all
 * effects, and the caller applies them again for its tickets.
 * OG_ENOMEM  nothing changed
 * OG_EINVAL  a sum has no exact og_money; nothing changed */
struct og_effect {
    const struct og_order *order; /* borrowed during the call */
    int64_t done;            /* how much of the order's quantity no longer works: it filled, or ended without filling */
    struct og_money bp_cost; /* dollars taken from bp and overnight_bp */
    bool bound;              /* bp_cost is an upper bound: see og_facts_bounds() */
    /* the order ended, but documents may lack its fills: these still count as working, but the order is not counted as
     * an open one */
    bool over;
    int64_t value; /* worst-case value in cents, or OG_AT_LEAST(), as if the order opened; 0 for a spread that only
                    * closes */
    int64_t sold;  /* for a spread: value in cents of the legs that are sold short */
    const int64_t *closes;            /* for a spread: the worst-case value of each closing leg, as if it opened, in
                                       * cents or OG_AT_LEAST(); NULL: unknown */
    uint32_t ticket;                  /* number of the ticket that becomes the owner of the id if the id has no owner
                                       * and no row; 0: no ticket does */
    struct og_lookup_keys *hashes;    /* the hashes of the order's keys, or NULL */
    const struct og_holding *holding; /* holding of the order's symbol in these facts, or NULL */
};
enum og_status og_facts_add(struct og_facts *f, const struct og_effect *e);
void og_facts_remove(struct og_facts *f, const struct og_effect *e);
/* Set the sizes in bytes of the large tables that will soon be needed to replace present ones; returns how many, at
 * most OG_FACTS_WANTS. */
#define OG_FACTS_WANTS 3
int og_facts_wants(const struct og_facts *f, size_t *bytes);
void og_facts_tighten(struct og_facts *f); /* see og_facts_is_tight() */
/* An order that gate facts list as in flight or unknown.  line: the order as it was posted. */
struct og_posted {
    struct og_str id, line;
    const struct og_posted *next;
};
/* Returns the next posted order that no order list has (after NULL: the first one); NULL after the last. */
const struct og_posted *og_facts_posted(const struct og_facts *f, const struct og_posted *after);
/* Lower bp and overnight_bp by the cost until the next document.  Returns false if a sum has no exact og_money; then
 * nothing changed. */
bool og_facts_reserve(struct og_facts *f, struct og_money cost);
/* Returns the share of `units` units in a value (as in og_effect) of `all` units, rounded up. */
int64_t og_facts_part_worth(int64_t value, int64_t units, int64_t all);
/* Record that units of an order whose effect is applied have filled: the position that they open is now held, with the
 * value `cents` (or OG_AT_LEAST()); the position that they close is gone. e->done must not include these units yet.
 * The id stays used, and bp is unchanged.
 * OG_EINVAL  a sum has no exact og_money; nothing changed */
enum og_status og_facts_fill(struct og_facts *f, const struct og_effect *e, int64_t units, int64_t cents);
/* Returns how many of these units have a position that they can close; all of them if the order does not close. */
int64_t og_facts_closable(struct og_facts *f, const struct og_effect *e, int64_t units);
/* Record that these units neither filled nor work any more; e->done grows by them. */
void og_facts_end_rest(struct og_facts *f, struct og_effect *e, int64_t units);
/* Change the amount of bp that an effect reserves.  Returns false if the sum has no exact og_money; then nothing
 * changed. */
bool og_facts_recost(struct og_facts *f, struct og_money was, struct og_money now);

/* Make a ticket the owner of an id.  An order that has a ticket and is also in documents is counted once: by the
 * ticket, as long as the ticket owns the id.  ticket 0: the rows with the id are counted again at once.  OG_ROWS_OVER:
 * the rows are not counted before another document has them, since the order is over.  Returns false if a sum has no
 * exact og_money or memory runs out; then the owner is unchanged. */
#define OG_ROWS_OVER UINT32_MAX
bool og_facts_own_id(struct og_facts *f, struct og_str id, uint32_t ticket);
/* Leave the rows of an id that no ticket owns out of the sums for one check; og_facts_rows_back() counts them again.
 * Returns false if a sum has no exact og_money or memory runs out; then nothing changed. */
bool og_facts_rows_aside(struct og_facts *f, struct og_str id);
void og_facts_rows_back(struct og_facts *f, struct og_str id);
/* Set *most to an upper bound of the buying power that the rows of an id in the order list take, in dollars: a buy at a
 * limit takes its notional, a close nothing.  Returns false if there is no row, or if no bound is known because a row
 * sells to open, has no price, or has legs that open. */
bool og_facts_rows_cost(const struct og_facts *f, struct og_str id, struct og_money *most);
/* Returns true if the ticket owns the id, and the rows with the id do not show what the order trades: it is a spread
 * without legs, or only an id. */
bool og_facts_rows_lack_legs(const struct og_facts *f, struct og_str id, uint32_t ticket);
/* Raise the value of the order's rows to at least that of the effect until an order list is read again, so that no
 * value is lost when the ticket ends. Call it before the rows are counted again. */
void og_facts_bound_rows(struct og_facts *f, const struct og_effect *e);
uint32_t og_facts_owner(const struct og_facts *f, struct og_str id); /* 0: none */
/* og_facts_taken(): returns the number of the document that had the present facts of the kind, counted from 2 (0: no
 * document had). og_facts_takes(): returns the number of the newest document (1: none yet). */
uint32_t og_facts_taken(const struct og_facts *f, enum og_fact kind);
uint32_t og_facts_takes(const struct og_facts *f);
/* Returns the keys (bit set of enum og_fact) of the last document that were skipped because newer facts are known. */
unsigned og_facts_older(const struct og_facts *f);
/* Set the time of decisions.  Facts dated more than a minute after it were dated by another clock, and do not cause
 * newer documents to be skipped. */
#define OG_CLOCK_SLIP (60 * OG_NS_PER_S)
void og_facts_clock(struct og_facts *f, int64_t now);
/* Count an order as sent: it was accepted at now, on date (yyyymmdd in New York), whatever becomes of it.
 * OG_ENOMEM. */
enum og_status og_facts_count_sent(struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k, int64_t now,
                                   int date);
/* Returns the time of the order that og_facts_count_sent() counted last, as it was counted. */
int64_t og_facts_sent_at(const struct og_facts *f);
/* og_facts_sent_aside() leaves out, for one check, one of the orders counted as sent at that time; og_facts_sent_back()
 * counts it again. */
void og_facts_sent_aside(struct og_facts *f, int64_t at);
void og_facts_sent_back(struct og_facts *f);
/* Count an order that was counted as sent at *at as sent now, on date.  *at: set to its new time. */
void og_facts_sent_anew(struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k, int64_t *at,
                        int64_t now, int date);
/* Count an order that was sent before documents were loaded, some of which may include it; and count its fate. */
enum og_status og_facts_count_before(struct og_facts *f, const struct og_order *o, int64_t at, int date,
                                     enum og_sent_fate fate);
/* Raise the highest P&L of a session day; nothing changes if a higher one is known. */
void og_facts_raise_peak(struct og_facts *f, const struct og_pnl_peak *to);
/* Set *peak to the highest P&L of the session day of the P&L in force.  Returns false if the P&L or its age is
 * unknown. */
bool og_facts_peak(const struct og_facts *f, struct og_pnl_peak *peak);
/* Record that the old order was replaced by another one (empty: by none).  OG_ENOMEM: nothing changed. */
enum og_status og_facts_replaced(struct og_facts *f, struct og_str old, struct og_str by);
/* If an accepted order replaces another one, record that, unless the old order has been replaced already. */
enum og_status og_facts_replaces(struct og_facts *f, const struct og_order *o);
/* Undo og_facts_replaces(): the order was not sent, or was rejected. */
void og_facts_replaces_not(struct og_facts *f, const struct og_order *o);
/* Count the broker's answer to an order: rejected; or accepted, which ends a streak of rejections. */
void og_facts_count_fate(struct og_facts *f, bool rejected);
/* Mark an id as used for good: it stays used even if an effect is removed. */
enum og_status og_facts_use_id(struct og_facts *f, struct og_str id, enum og_id_use use);
