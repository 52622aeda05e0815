/*
 * Internals of facts: what documents said, one part (struct og_part) for each kind of facts, and the sums over the
 * parts.  The effects of accepted orders change the sums and never a part, so that the sums can be computed again from
 * the parts when a document is loaded.
 */
#pragma once

#include "base/arena.h"
#include "facts/facts_book.h"
#include "facts/lookup_keys.h"
#include "facts/map.h"

/* Index of a part: the index of its kind of facts.  There is no part for the environment, which no document has. */
enum {
#define OG_FACT_KIND(id, name, s) OG_AT_##id,
#include "facts/kinds.def"
    OG_PARTS
};

__extension__ typedef __int128 og_facts_wide;
/* largest value of one row, in cents: ten thousand million million dollars */
#define OG_CENTS_MOST INT64_C(1000000000000000000)

/* The sizes that are summed for a traded symbol: see struct og_holding. */
enum og_size {
    OG_HELD_LONG,
    OG_HELD_SHORT,
    OG_CLOSING_SELLS,
    OG_CLOSING_BUYS,
    OG_OPENING_SELL_LEAVES,
    OG_OPENING_BUY_LEAVES,
    OG_EITHER_SELLS,
    OG_EITHER_BUYS,
    OG_SIZES
};
struct og_sized {
    enum og_size of;
    struct og_money by; /* never negative */
};

/* What a row or an order changes about one traded symbol. */
struct og_change {
    struct og_str traded;
    struct og_sized size[4]; /* the quantities that the row or order holds, opens or closes, or may either open or
                              * close */
    int sizes;
    /* offset in og_holding of the counter for opening orders of this side and certainty; 0: it does not open */
    size_t opening;
    int lots, working;
    int orders, over, unsized, unpriced, legless; /* over: 1 if the order ended, but documents may lack its fills */
    int64_t longs, shorts;                        /* value in cents, by side */
    /* cents, or OG_AT_LEAST() of a lower bound: value of a closing order as if it opened. It is computed, since the
     * order does not state it */
    int64_t closes;
    struct og_money loose; /* quantity whose value is known only by a quote, or by the price at which it was held */
    int64_t least;         /* cents: lower bound of the value of `loose`, by the row's own prices */
    /* without a quote, `least` is the value: it is the price of the position, or that of the order's ticket */
    bool sure;
    struct og_duplicate_key twin; /* key of a working order's terms (duplicate_orders.c) */
    /* id of an order: it is counted once, even if it is in the order list, in flight and has a ticket */
    struct og_str id;
    struct og_change *next;
};

/* Symbol used for an order of which only the id is known. */
#define OG_FACTS_ANY OG_STR("?")

struct og_route_row {
    struct og_route route;
    struct og_route_row *next;
};

struct og_list_row {
    struct og_str account, type; /* type.s is NULL if absent */
    struct og_list_row *next;
};

/* Entries of maps; each begins with its key. */
struct og_quote_entry {
    struct og_str symbol;
    struct og_quote quote;
};
struct og_borrow_entry {
    struct og_str symbol;
    struct og_borrow borrow;
};
struct og_locate_entry {
    struct og_str symbol;
    struct og_money available;
    struct og_inventory *rows;
};
/* The contracts of one type, calls or puts, that are held short on one root (written.c). shorts: their number. In
 * cents, loss: the most that they can lose; filled: the part of the loss that is already counted with orders that
 * filled since positions were read; lose: the part that is not counted with any position or order. */
struct og_written {
    int64_t shorts;
    og_wide loss, filled, lose;
};
struct og_root_entry {
    struct og_root_sums is; /* begins with the key */
    struct og_holding_entry *first;
    og_wide value;
    int unpriced;
    struct og_beyond beyond;
    struct og_written written[2]; /* calls, puts */
    og_wide lose;                 /* cents of the loss of the root's written options that are not counted with any
                                   * position or order */
    bool either;                  /* either the calls can lose or the puts, never both */
    bool stale;                   /* the loss is out of date */
    struct og_root_entry *next_adjusted; /* the next adjusted root of the account; NULL: this is the last */
};
struct og_holding_entry {
    struct og_holding is; /* begins with the key */
    struct og_holding_entry *before;
    struct og_root_entry *root; /* NULL: not an option contract */
    struct og_duplicate_entry *twins;
    og_facts_wide contracts_over; /* the holding's part of og_totals.over */
    /* shorts, longs: contracts held. For the shorts that the document of positions shows, in cents, premium: what they
     * were sold for; counts: the value with which they are counted */
    int64_t shorts, longs;
    og_wide premium, counts;
    bool linked; /* the holding is in the chain of its root */
};

struct og_volume_entry {
    struct og_str symbol;
    struct og_money shares;
};

/* The use of an id.  There is one entry for every order of a run, so it is kept small. */
struct og_id_entry {
    union {
        struct {             /* for ids that this book's orders use */
            int effects;     /* number of effects in force that use the id */
            uint32_t ticket; /* the ticket that owns the id: rows with the id show that ticket's order; 0: none */
        };
        const struct og_known_order *order; /* the order in the order list that has the id */
    };
    uint32_t len; /* length of the id */
    enum og_id_use use;
    /* the order was only seen as PendingNew so far: if it is Rejected later, that is its own end, and not the rejection
     * of another order with the id */
    bool pending;
    char id[]; /* without NUL */
};

/* An order that another one was accepted to replace. */
struct og_replaced_entry {
    struct og_str old, by; /* by: empty if the old order is not replaced any more */
};

static inline struct og_str og_facts_id_text(const struct og_id_entry *e)
{
    return (struct og_str){ e->id, e->len };
}

/* Working orders with identical terms.  There are about as many entries as of ids, so they are kept small. */
struct og_duplicate_entry {
    struct og_duplicate_key key;
    struct og_holding_entry *at; /* the symbol that they trade */
    /* the next entry of the same symbol that has working orders; the entry itself: it is not in the list */
    struct og_duplicate_entry *next;
};

/* An order that was sent: time, and hash of its terms. */
struct og_sent_row {
    int64_t at;
    uint64_t terms;
};

/* Facts of the sender ("gate"): its counts as of the time of their part. */
struct og_gate_counters {
    enum og_trading trading;
    bool has_sent[OG_SPANS], has_rejections;
    int64_t sent[OG_SPANS], rejections;
    int date; /* date of as_of in New York; 0: unknown */
    struct og_sent_row *recent;
    size_t recent_count;
    struct og_posted *posted;
};

/* The orders that this book accepted, as a ring of the newest OG_SENT_MOST. Loading a document does not change it,
 * since it counts orders that were sent. */
struct og_sent {
    struct og_sent_row *row;
    size_t room, end, count; /* the newest order is row[(end - 1) % room] */
    int date;
    int64_t today, rejections;
    size_t told_end;    /* orders before this index are included in the gate's counts */
    int64_t told_today; /* how many of today's orders are before told_end */
    bool broken;        /* the broker accepted an order after the gate counted the rejections, so that they are no
                         * longer in a row */
    bool aside;         /* the order that was sent at aside_at is left out of the counts: og_facts_sent_aside() */
    int64_t aside_at;
};

/* One kind of facts, as a document had it. */
struct og_part {
    int64_t as_of;
    uint32_t taken;        /* number of the document that had it: og_facts_taken() */
    struct og_arena arena; /* owns everything below except the map's slots */
    /* by symbol: entries of borrow, locates, quotes, volumes; by id: orders, also those of the gate */
    struct og_facts_map map;
    struct og_change *changes; /* rows of positions, of orders, of orders in flight or unknown */
    struct og_gate_counters *gate;
    union {
        struct og_account *account;
        struct og_pnl *pnl;
        struct og_route_row *routes;
        struct og_list_row *list;
        struct og_locate *locates;
        struct og_calls *calls;
    } is;
};

/* Positions and working orders summed by traded symbol, including the effects of accepted orders. */
struct og_aggregates {
    bool spelled;                   /* og_facts_spelled() */
    struct og_root_entry *adjusted; /* the first adjusted root; next_adjusted leads to the others */
    bool written_later; /* the loss of written options is not computed now, but by og_facts_written_settle() or
                         * og_facts_written_filled() */
    struct og_arena arena;
    struct og_facts_map holdings, roots, twins;
    /* cash to buy at all strikes of short puts, held and pending, in tenths of a dollar: strike in thousandths x 100
     * shares */
    og_facts_wide puts;
    struct og_totals totals;
};

struct og_facts {
    struct og_arena arena; /* lives as long as the facts: has the account's id and the used ids */
    struct og_str account_id;
    bool account_fits; /* og_symbol_fits() for the account's id */
    enum og_environment declared;
    struct og_part *part[OG_PARTS]; /* NULL: unknown */
    /* computed from the parts: which kinds are known, their ages, and the account's environment */
    unsigned known;
    uint64_t serial;
    bool may_trade; /* og_facts_may_trade() */
    int64_t as_of[OG_PARTS];
    uint32_t takes;
    int64_t newest[OG_PARTS]; /* by kind: the latest time of facts that was loaded; OG_TIME_UNKNOWN: none */
    unsigned older;           /* the account's own row in the account list */
    enum og_environment environment;
    struct og_list_row *listed; /* the row of this account in the account list */
    struct og_account account;  /* the account as in its part, with bp reduced by what effects reserve */
    struct og_money reserved;   /* dollars of bp that effects reserve, summed by og_money_gather() */
    size_t bounds;              /* number of effects whose bp_cost is an upper bound */
    bool tight;                 /* an upper bound caused a refusal since the account was read */
    struct og_aggregates *sums;
    struct og_facts_map ids;      /* ids that stay used, or that orders of this book use */
    struct og_facts_map replaced; /* struct og_replaced_entry, by id of the old order */
    struct og_sent sent;
    /* the highest P&L of two session days: that of the P&L in force, and another one; day 0: none */
    struct og_pnl_peak peak[2];
    struct og_closures *closures; /* announced closures (closures.h); NULL: none */
};

struct og_part *og_facts_part_new(void);
void og_facts_part_free(struct og_part *p);
struct og_aggregates *og_facts_aggregates_new(void);
void og_facts_aggregates_free(struct og_aggregates *s);

/* Recompute what depends on the parts after they changed. */
void og_facts_told(struct og_facts *f);

/* Find the entry of a symbol with this hash, or make it.  Returns NULL if memory runs out. */
struct og_holding_entry *og_facts_holding_entry(struct og_aggregates *s, struct og_str traded, uint64_t hash);
/* Add a change to the sums (sign 1) or subtract it (sign -1). Returns false if a sum has no exact og_money; then
 * nothing changed. Subtracting what was added never fails. */
bool og_facts_count(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign);

/* Count a change of the contracts held, and compute what the written options of their root can lose.
 * og_facts_count_shares() does the latter after a change of shares, which cover calls. */
void og_facts_count_written(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign);
void og_facts_count_shares(struct og_aggregates *s, struct og_holding_entry *h);
void og_facts_written_settle(struct og_aggregates *s);
/* Compute anew what the written options on the holding's root can lose, after units of an order filled. `cents` is the
 * value with which these units are counted, or OG_AT_LEAST() of a lower bound: the part of the loss that is in it is
 * not counted again. */
void og_facts_written_filled(struct og_aggregates *s, struct og_holding_entry *h, const struct og_order *o,
                             int64_t units, int64_t cents);

/* Index of working orders by identical terms.  _key(): make the key of a row (opens: 1, 0, unknown -1; limit, stop:
 * NULL if absent); _of(): of an order; _hash(): returns the hash of a key together with the symbol's; _find(): find the
 * entry (NULL: none); _entry(): find or make it (NULL: no memory). */
void og_facts_duplicate_key(struct og_duplicate_key *to, enum og_side side, int opens, struct og_money quantity,
                            const struct og_money *limit, const struct og_money *stop);
void og_facts_duplicate_of(struct og_duplicate_key *to, const struct og_order *o);
uint64_t og_facts_duplicate_hash(const struct og_duplicate_key *key, uint64_t symbol);
struct og_duplicate_entry *og_facts_duplicate_find(const struct og_aggregates *s, struct og_str traded,
                                                   const struct og_duplicate_key *key, uint64_t hash);
struct og_duplicate_entry *og_facts_duplicate_entry(struct og_aggregates *s, struct og_holding_entry *h,
                                                    const struct og_duplicate_key *key, uint64_t hash);
/* Set the keys of all orders that count as duplicates of this order, its own key first.  For options, an order without
 * openClose is a duplicate of one with it.  Returns how many keys, at most OG_DUPLICATE_LIKES. */
#define OG_DUPLICATE_LIKES 3
struct og_duplicate_like {
    struct og_duplicate_key key;
    uint64_t hash;
};
int og_facts_duplicate_likes(const struct og_order *o, struct og_lookup_keys *k, struct og_duplicate_like *like);
/* Count in the entry one order more (1) or less (-1) that is working. */
void og_facts_duplicate_count(struct og_duplicate_entry *e, int sign);
/* Call when new counts of the gate are in force: orders of this book that the gate's counts include are no longer
 * counted as the book's own. */
void og_facts_sent_told(struct og_sent *s, const struct og_part *gate);
void og_facts_pnl_told(struct og_facts *f); /* call when a new P&L, or its age, is in force: keeps the day's highest */

/* Find the entry of an id with this hash (NULL: there is none); the second function makes the entry if it is missing
 * (NULL: no memory). */
struct og_id_entry *og_facts_id_find(const struct og_facts_map *m, struct og_str id, uint64_t hash);
struct og_id_entry *og_facts_id_entry(struct og_facts_map *m, struct og_str id, uint64_t hash);
/* Returns the more certain of two uses of an id; the sequence is: accepted, rejected, another account's. */
enum og_id_use og_facts_surer(enum og_id_use a, enum og_id_use b);

void og_facts_size(struct og_change *c, enum og_size of, struct og_money by);
/* Record the unfilled quantity of a working order in a change. opens: 1, 0 for a close, -1 if unknown; maybe: the order
 * may no longer be working. */
void og_facts_working(struct og_change *c, enum og_side side, int opens, bool maybe, struct og_money leaves);
/* Returns true if the value of this change, which has one quantity, counts as long. */
bool og_facts_is_long(const struct og_change *c);
/* Record the value of a change that holds or opens: cents, or OG_AT_LEAST() of a lower bound. */
void og_facts_worth(struct og_change *c, bool longs, int64_t cents);

bool og_facts_same_account(struct og_str a, struct og_str b); /* compares without regard to ASCII case */
