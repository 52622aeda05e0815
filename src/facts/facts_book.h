/*
 * Making and changing facts: documents in, effects of accepted orders in and out.
 * It refuses half a document: a facts document is taken whole or not at all.
 */
#ifndef OG_FACTS_FACTS_BOOK_H
#define OG_FACTS_FACTS_BOOK_H

#include "facts/facts.h"
#include "ordergate/status.h"

#include <cjson/cJSON.h>

/* The keys a facts document may have, one by one. */
enum og_facts_shape { OG_FACTS_TEXT, OG_FACTS_OBJECT, OG_FACTS_LIST, OG_FACTS_MEMBERS };
struct og_facts_key {
    const char *name;
    enum og_facts_shape shape; /* MEMBERS: an object with a value by symbol */
    const char *envelope;      /* a list may stand in an object under this name; NULL: it may not */
    bool aged;                 /* may stand in "ages" */
};
bool og_facts_key_at(size_t i, struct og_facts_key *key); /* false past the end */
/* The i-th key of its "gate"; NULL: no more. */
const char *og_facts_gate_key(size_t i);

struct og_facts *og_facts_new(struct og_str account_id); /* NULL: out of memory */
void og_facts_free(struct og_facts *f);
/* They are of this account from now on.  Returns false when out of memory. */
bool og_facts_name_account(struct og_facts *f, struct og_str account_id);

/* Take a facts document (docs/contract.md "Facts"): every key it names replaces what was known of it; lists also inside
 * their service envelope.  Both order shapes, SellShort rows, signed option shares (D20, G23, H1).
 * Ages: "ages".<key>, else an asOf beside the value, else the document's "asOf", else unknown.
 * A key with an age before the latest that was taken in of it is left out (og_facts_older()); of one without an age
 * nobody can tell, and it is taken in.
 *   OG_EFACTS  err->text names the key, what stood there and what is allowed; f is unchanged
 *   OG_ENOMEM  f is unchanged */
enum og_status og_facts_load(struct og_facts *f, const cJSON *doc, const char *name, struct og_error *err);

/* The account a document is for ("accountId", else account.account); {NULL,0} when it does not say. */
struct og_str og_facts_document_account(const cJSON *doc);

/* One quote (op "quote", or --quotes): {"symbol","bid","ask","last","asOf"}. */
enum og_status og_facts_take_quote(struct og_facts *f, const cJSON *doc, struct og_error *err);

/* The closures announced to from are announced to to. OG_ENOMEM. */
enum og_status og_facts_copy_closures(struct og_facts *to, const struct og_facts *from);
/* Every quote, borrow state and closure of from, as if taken by to: for an account that is met after they were.
 * OG_ENOMEM. */
enum og_status og_facts_copy_market(struct og_facts *to, const struct og_facts *from);

void og_facts_declare(struct og_facts *f, enum og_environment environment);

/* The consuming effects of an accepted order, and their undoing; both are exact inverses.  bp_cost may be 0.
 * holding counts, leaves, the id and bp are changed at once; documents taken later keep the effects that are still
 * on (the caller re-applies its tickets after og_facts_load: og_facts_load drops all effects).
 *   OG_ENOMEM  nothing changed
 *   OG_EINVAL  a sum has no exact og_money; nothing changed */
struct og_effect {
    const struct og_order *order;  /* borrowed during the call */
    int64_t done;                  /* of its quantity, what works no more: filled, or never to be */
    struct og_money bp_cost;       /* dollars taken from bp and overnight_bp */
    bool bound;                    /* it may take less: see og_facts_bounds() */
    bool over;                     /* it ended: what works is what documents may lack, and is no open order */
    int64_t value;                 /* cents: what it comes to at the worst, or OG_AT_LEAST(): as one that opens, but a
                                       * spread that only closes, which comes to 0 */
    int64_t sold;                  /* of a spread, cents of that which are sold short */
    uint32_t ticket;               /* owns the id where nobody does and no row has it; 0: it does not */
    struct og_lookup_keys *hashes; /* of the order; NULL: the caller has none */
    const struct og_holding *holding; /* of its symbol, in these facts; NULL: the caller has none */
};
enum og_status og_facts_add(struct og_facts *f, const struct og_effect *e);
void og_facts_remove(struct og_facts *f, const struct og_effect *e);
/* Bytes of the large tables that will soon take the place of others, OG_FACTS_WANTS at most; how many. */
#define OG_FACTS_WANTS 3
int og_facts_wants(const struct og_facts *f, size_t *bytes);
void og_facts_tighten(struct og_facts *f); /* see og_facts_is_tight() */
/* An order that the gate says is in flight or unknown, as the facts have it. */
struct og_posted {
    struct og_str id, line;
    const struct og_posted *next;
};
/* The one after it (NULL: the first) that no list of orders has; NULL: no more. */
const struct og_posted *og_facts_posted(const struct og_facts *f, const struct og_posted *after);
/* Take it from bp and overnight_bp, until the next document.  false: a sum has no exact og_money; nothing changed. */
bool og_facts_reserve(struct og_facts *f, struct og_money cost);
/* Of a worth as og_effect has it the part of so many units of all, rounded up. */
int64_t og_facts_part_worth(int64_t value, int64_t units, int64_t all);
/* Of an order whose effect is on, so many units filled: what they open is held and worth so many cents or
 * OG_AT_LEAST(), what they close is gone.  e->done is what worked no more before.  Its id stays used, and bp is as
 * it was.
 *   OG_EINVAL  a sum has no exact og_money; nothing changed */
enum og_status og_facts_fill(struct og_facts *f, const struct og_effect *e, int64_t units, int64_t cents);
/* How many units of that there is something to close for; all of them where nothing is closed. */
int64_t og_facts_closable(struct og_facts *f, const struct og_effect *e, int64_t units);
/* So many units of it work no more, and nothing came of them; e->done follows. */
void og_facts_end_rest(struct og_facts *f, struct og_effect *e, int64_t units);
/* An effect that took was from bp takes now instead.  Returns false if the sum has no exact og_money; nothing
 * changed. */
bool og_facts_recost(struct og_facts *f, struct og_money was, struct og_money now);

/* An order that has a ticket and stands in the documents, too, counts once: by the ticket, while that owns the id.
 * With 0 the rows of the id count again; with OG_ROWS_OVER they do where they are read anew, since the order is over.
 * Returns false if a sum has no exact og_money, or out of memory: the owner is as it was. */
#define OG_ROWS_OVER UINT32_MAX
bool og_facts_own_id(struct og_facts *f, struct og_str id, uint32_t ticket);
/* The ticket owns the id, whose rows do not say what its order trades: a spread without its legs, or an id alone. */
bool og_facts_rows_lack_legs(const struct og_facts *f, struct og_str id, uint32_t ticket);
uint32_t og_facts_owner(const struct og_facts *f, struct og_str id); /* 0: nobody */
/* Which document gave the part that is in force, counted from 2; 0: none did.  And the newest, 1 before the first. */
uint32_t og_facts_taken(const struct og_facts *f, enum og_fact kind);
uint32_t og_facts_takes(const struct og_facts *f);
/* Kinds (enum og_fact) of the document given last that began to be read before what was taken in of them already, and
 * were left out. */
unsigned og_facts_older(const struct og_facts *f);
/* Decisions are made at that instant: what was taken in with an age more than a minute ahead of it was by another
 * clock, and keeps out no more than what is older than the instant. */
#define OG_CLOCK_SLIP (60 * OG_NS_PER_S)
void og_facts_clock(struct og_facts *f, int64_t now);
/* The order was accepted at now, on date (yyyymmdd in New York): it counts as sent, whatever becomes of it.  OG_ENOMEM.
 * */
enum og_status og_facts_count_sent(struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k, int64_t now,
                                   int date);
/* The same of one that was sent before documents were taken, which may have counted it; and what became of it. */
enum og_status og_facts_count_before(struct og_facts *f, const struct og_order *o, int64_t at, int date,
                                     enum og_sent_fate fate);
/* What became of an order at the broker: rejected, or taken, which ends a streak of rejections. */
void og_facts_count_fate(struct og_facts *f, bool rejected);
/* The id stays used for good even when an effect is removed. */
enum og_status og_facts_use_id(struct og_facts *f, struct og_str id, enum og_id_use use);

#endif
