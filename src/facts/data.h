/*
 * Internals of facts: the contents of documents, and the sums over them. There is one part (struct og_part) for each
 * kind of facts. Effects of accepted orders change the sums but never a part, so the sums can be computed anew from the
 * parts after a document is loaded.
 */
#pragma once

#include "base/arena.h"
#include "base/latches.h"
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
/* largest value of one row in cents: 10^16 dollars */
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
    struct og_sized size[4]; /* the quantities that the row or order (a) holds, (b) opens, (c) closes, (d) may either
                              * open or close */
    int sizes;
    /* offset in og_holding of the counter of opening orders that counts this order; 0 if the order does not open */
    size_t opening;
    struct og_own_cover own; /* for a leg: as in og_holding */
    bool trades;             /* a row of a working order: its size and value count as what may still be traded */
    int lots, working;
    int leg; /* a leg of a working spread: 1 if it buys, -1 if it sells; 0: the change is not by such a leg */
    int orders, over, unsized, unpriced, legless; /* over: 1 if the order has ended, but documents may not yet show its
                                                   * fills */
    int64_t longs, shorts;                        /* value in cents, by side */
    /* value in cents (or OG_AT_LEAST() of a lower bound) that a closing order would have if it opened; computed, since
     * the order does not state it */
    int64_t closes;
    bool leans;      /* the order writes calls that only long calls held by the account can cover (og_facts_leans()) */
    int64_t leaning; /* cents: the value at which the calls written by such an order count, plus the premium that they
                      * bring */
    int64_t brings;  /* cents: that premium */
    int64_t puts, buys; /* puts: cents that the puts written by a working order can lose; buys: cents that the order
                         * pays for the positions that it opens */
    /* quantity that has no certain value of its own: a quote decides the value; without a quote, the position's average
     * price or the value in the order's reservation */
    struct og_money loose;
    int64_t least; /* lower bound in cents of the value of `loose`, by the row's own prices */
    /* true: without a quote, `least` is taken as the value: the position's price, or the value in the order's
     * reservation */
    bool sure;
    struct og_duplicate_key twin; /* key made of a working order's terms, to find duplicates (duplicate_orders.c) */
    /* id of the order: an order is counted once, even if it is in the order list, in flight, and reserved by a
     * ticket */
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
struct og_symbol_status_entry {
    struct og_str symbol;
    struct og_symbol_status status;
    int64_t dated; /* time of the status as its source gives it; status.as_of may be the reader's clock instead */
};
struct og_locate_entry {
    struct og_str symbol;
    struct og_money available;
    struct og_inventory *rows;
};
/* The contracts of one type, calls or puts, on one root (written.c). shorts, longs: numbers of contracts held. loss:
 * the most that the shorts can lose, in cents. filled: the part of `loss` that is counted by orders that have filled
 * since positions were read. leaners: calls that working orders will write and that only long calls held can cover
 * (og_facts_leans()). lose: the part of the loss that no position or order counts: the larger of the parts with and
 * without fills of the leaners. */
struct og_written {
    int64_t shorts, longs, leaners;
    og_wide loss, filled, lose;
};
struct og_root_entry {
    struct og_root_sums is; /* begins with the key */
    struct og_holding_entry *first;
    og_wide value, sold; /* of all contracts of the root, as in struct og_holding */
    int unpriced, orders;
    struct og_traded trading; /* what working orders on the root's contracts may still trade */
    struct og_beyond beyond;
    struct og_written written[2]; /* calls, puts */
    og_wide lose;                 /* the part of what the root's written options can lose that no position or order
                                   * counts, in cents */
    /* buys_back: cents that working closes of written puts will pay; frees: the part of buys_back that is paid by the
     * strikes that these closes free */
    og_wide buys_back, frees;
    bool either; /* the calls and the puts cannot both lose, whatever the price is: only the larger
                  * loss counts */
    bool stale;  /* the loss must be computed again */
    struct og_root_entry *next_derived; /* the next adjusted or flexible root of the account; NULL after the last */
};
struct og_holding_entry {
    struct og_holding is; /* begins with the key */
    struct og_holding_entry *before;
    struct og_root_entry *root; /* NULL if not an option contract */
    struct og_duplicate_entry *twins;
    og_facts_wide contracts_over; /* the holding's part of og_totals.over (contracts by which closes exceed the
                                   * position) */
    og_wide puts_lose;            /* the holding's part of og_totals.puts_lose for closes of more puts than are held */
    /* shorts, longs: contracts held. premium and counts are for the shorts in the document of positions, in cents: what
     * the shorts were sold for, and the value with which they count */
    int64_t shorts, longs;
    og_wide premium, counts;
    /* leaners: calls that working orders will write and that only long calls held can cover (og_facts_leans()); beside:
     * calls that the same orders will buy */
    int64_t leaners, beside;
    /* cents. leaning: at which the leaners count; leaning_brings: the part of it that they are sold for */
    og_wide leaning, leaning_brings;
    og_wide buys_back; /* cents that working closes of written puts will pay */
    /* the size whose value is is.carried. Once closes have filled it differs from what is held, since closes do not
     * reduce that value */
    struct og_money carried_size;
    struct og_traded trading; /* what working orders on the symbol may still trade; of a contract the root has it */
    bool linked;              /* the holding is in the chain of its root */
};

struct og_volume_entry {
    struct og_str symbol;
    struct og_money shares;
};

/* The use of an id.  There is one entry for every order of a run, so it is kept small. */
struct og_id_entry {
    union {
        struct {         /* for the id of an order of this book */
            int effects; /* number of applied effects (struct og_effect) whose orders have the id */
            /* the ticket (reservation) that owns the id, or 0 if none does: rows with the id are that ticket's order */
            uint32_t ticket;
        };
        const struct og_known_order *order; /* the order in the order list that has the id */
    };
    uint32_t len; /* length of the id */
    enum og_id_use use;
    /* the order was only seen as PendingNew so far: a Rejected row that follows is the end of this order, not of
     * another order with the same id */
    bool pending;
    char id[]; /* without NUL */
};

/* An order that another one was accepted to replace, or that was reported as canceled. */
struct og_replaced_entry {
    struct og_str old, by; /* by: the order that replaces `old`; empty if none does any more */
    bool canceled;
    int64_t executed; /* units, by the report that it was canceled */
};

static inline struct og_str og_facts_id_text(const struct og_id_entry *e)
{
    return (struct og_str){ e->id, e->len };
}

/* Working orders with identical terms.  There is about one entry for every id, so an entry is kept small. */
struct og_duplicate_entry {
    struct og_duplicate_key key;
    struct og_holding_entry *at; /* the entry of the symbol that the orders trade */
    /* next entry with working orders on the same symbol; points to itself while not in the list */
    struct og_duplicate_entry *next;
};

/* What was traded by one instant: `sum` has all that was traded at `at` or before. */
struct og_traded_row {
    int64_t at;
    struct og_traded sum;
};
/* What orders traded, by time: of the account, or of one underlying. Rows are sorted by time. Rows more than
 * OG_TRADED_NS older than the newest may be dropped; `before` is the sum of the newest dropped row. */
#define OG_TRADED_NS (25 * 3600 * OG_NS_PER_S) /* longer than a day in New York, and than any window */
struct og_turnover {
    struct og_str underlying; /* key in the map; empty for the account */
    struct og_traded_row *row;
    size_t count, room;
    struct og_traded before;
    struct og_traded undated; /* traded at a time that is not known yet: counts in every span */
    struct og_turnover *next; /* the next underlying, or NULL after the last */
};
/* How much of what an order traded is counted.  The key is the order's id: an order counts once, whether its fills are
 * known from its ticket, from its row or from the ledger. */
struct og_traded_order {
    struct og_str id;
    struct og_traded counted;
};

/* How many orders of a strategy were sent on a day (yyyymmdd). */
struct og_tag_day {
    uint64_t tag;
    int date;
    int64_t today;
};
/* Maximum number of strategies that are counted separately; orders of all further ones count as orders of the last. */
#define OG_TAG_DAYS_MOST 1024

/* The sender's own counts (document key "gate"), valid at the time of their part. */
struct og_gate_counters {
    enum og_trading trading;
    bool has_sent[OG_SPANS], has_rejections, has_traded;
    int64_t sent[OG_SPANS], rejections;
    struct og_traded traded; /* traded today; counts that the document lacks are 0 */
    int date;                /* date of as_of in New York; 0 if unknown */
    struct og_sent_row *recent;
    size_t recent_count;
    struct og_posted *posted;
    struct og_str *unknown; /* ids of the orders of unknown outcome; empty where an order has none */
    size_t unknown_count;
    struct og_latch latch[OG_LATCHES]; /* .name NULL: the document does not list it */
};

/* The orders of this book whose outcome is unknown (og_ticket_unknown()). */
struct og_unknown {
    int64_t count;
    struct og_str *id; /* the ids that are known, oldest first */
    size_t named, room;
};

/* The orders that this book accepted, as a ring of the newest OG_SENT_MOST. Loading a document does not change the
 * ring, since the ring counts orders that were sent. */
struct og_sent {
    struct og_sent_row *row;
    size_t room, end, count; /* the newest order is row[(end - 1) % room] */
    int date;
    int64_t today, rejections;
    struct og_tag_day *day;
    size_t days, day_room;
    size_t told_end;    /* orders before this index are included in the sender's own counts ("gate") */
    int64_t told_today; /* how many orders before told_end were sent today */
    /* the broker accepted an order after the sender counted its streak of rejections, which is thus over */
    bool broken;
    bool aside; /* leave the order that was sent at aside_at out of the counts (og_facts_sent_aside()) */
    int64_t aside_at;
};

/* One kind of facts, as a document had it. */
struct og_part {
    int64_t as_of;
    uint32_t taken;        /* number of the document that the part is from: og_facts_taken() */
    struct og_arena arena; /* memory of everything below except the map's table */
    /* by symbol: entries of borrow, locates, quotes, volumes; by id: orders of the order list and of the sender's own
     * counts */
    struct og_facts_map map;
    bool spelled;              /* a key of `map` may have other spellings; for facts by symbol */
    struct og_change *changes; /* rows of positions, of orders, of orders in flight or unknown */
    struct og_filled_row *filled;
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
    bool spelled;                  /* what og_facts_spelled() returns */
    struct og_root_entry *derived; /* the first adjusted or flexible root; next_derived leads to the others */
    bool written_later;            /* do not compute the loss of written options at once: og_facts_written_settle() or
                                    * og_facts_written_filled() will */
    struct og_arena arena;
    struct og_facts_map holdings, roots, twins;
    /* cash needed to buy at the strikes of all short puts, held and to be written by working orders, in tenths of a
     * dollar: strike in thousandths x 100 shares */
    og_facts_wide puts;
    struct og_totals totals;
};

struct og_facts {
    struct og_arena arena; /* lives as long as the facts: has the account's id and the used ids */
    struct og_str account_id;
    bool account_fits; /* the account's id has only bytes that symbols may have (og_symbol_fits()) */
    enum og_environment declared;
    struct og_part *part[OG_PARTS]; /* NULL if unknown */
    /* computed from the parts: the kinds that are known, their ages, and the account's environment */
    unsigned known;
    uint64_t serial;
    bool may_trade; /* what og_facts_may_trade() returns */
    int64_t as_of[OG_PARTS];
    uint32_t takes;
    /* for each kind: the latest time of any loaded facts of this kind; OG_TIME_UNKNOWN if there is none */
    int64_t newest[OG_PARTS];
    unsigned older; /* parts of the last document (bits 1 << index) that were skipped because newer facts were
                     * loaded before */
    enum og_environment environment;
    struct og_list_row *listed; /* the row of this account in the account list */
    /* of the rows of the list of orders that show a fill, and that no ticket is for, the one with the latest change;
     * NULL if there is none */
    const struct og_filled_row *filled;
    int64_t settle;            /* ns: how long after a fill positions may lack it */
    struct og_account account; /* the account as its part has it, with bp lowered by what accepted orders reserve */
    struct og_money reserved;  /* dollars of bp that accepted orders reserve, summed by og_money_gather() */
    bool inexact;              /* og_money cannot represent bp or overnight_bp: it is 0 */
    size_t bounds;             /* number of accepted orders whose reservation is only an upper bound */
    bool tight;                /* since the account was last read, exact amounts have replaced the upper bounds that
                                 * orders reserved */
    struct og_aggregates *sums;
    struct og_facts_map ids;      /* ids that can never be used again, or that orders of this book have */
    struct og_facts_map replaced; /* struct og_replaced_entry, by id of the old order */
    struct og_sent sent;
    struct og_unknown unknown;
    struct og_turnover turnover;     /* what the account's orders traded */
    struct og_facts_map underlyings; /* struct og_turnover, by underlying in its dotted spelling */
    struct og_turnover *turnovers;   /* the first entry of `underlyings` */
    struct og_facts_map traded;      /* struct og_traded_order, by id */
    /* the highest P&L of two session days: the day of the current P&L, and one other. A day of 0 means that the entry
     * is unused */
    struct og_pnl_peak peak[2];
    unsigned latched; /* bits 1 << enum og_latch_kind: the latches that are tripped */
    struct og_latch latch[OG_LATCHES];
    struct og_closures *closures; /* announced closures (closures.h); NULL if there is none */
};

struct og_part *og_facts_part_new(void);
/* Find the entry of a symbol in a part, under this or another spelling.  NULL: there is none. */
void *og_facts_by_symbol(const struct og_part *p, struct og_str symbol, uint64_t hash);
/* Date a part whose facts were current at `age`; a status that is dated later keeps its time. */
void og_facts_set_age(struct og_part *p, int at, int64_t age);
/* Keep known borrow states that are newer than those of the document, or of the same time and stricter. */
void og_facts_keep_borrow(struct og_part *came, const struct og_part *known);
/* Forget the times of statuses that are dated later than `most`, which are wrong. */
void og_facts_undate_after(struct og_part *statuses, int64_t most);
/* Date the statuses of a document (age: their age; NULL if the document has none), and merge the known statuses into
 * them. The known status of a symbol that the document does not name stays unless the document is newer. Returns false
 * if memory runs out. */
bool og_facts_keep_statuses(struct og_part *came, const int64_t *age, const struct og_part *known);
void og_facts_part_free(struct og_part *p);
struct og_aggregates *og_facts_aggregates_new(void);
void og_facts_aggregates_free(struct og_aggregates *s);

/* Compute anew what depends on the parts; call it after parts changed. */
void og_facts_told(struct og_facts *f);

/* Find the entry of a symbol with this hash, or make it.  Returns NULL if memory runs out. */
struct og_holding_entry *og_facts_holding_entry(struct og_aggregates *s, struct og_str traded, uint64_t hash);
/* Add a change to the sums (sign 1) or subtract it (sign -1). Returns false, and changes nothing, if og_money cannot
 * represent a sum exactly. Subtracting what was added never fails. */
bool og_facts_count(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign);

/* Count what a working order may still trade; h: the holding of its symbol. og_facts_count_open_row() takes the order
 * from the change that its row made. */
void og_facts_count_open(struct og_aggregates *s, struct og_holding_entry *h, const struct og_traded *t, int sign);
void og_facts_count_open_row(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign);
void og_facts_traded_free(struct og_facts *f);

/* Count a change of the contracts held, and compute what the written options of the holding's root can lose.
 * og_facts_count_shares() computes the same after a change of shares, because shares cover calls. */
void og_facts_count_written(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign);
void og_facts_count_shares(struct og_aggregates *s, struct og_holding_entry *h);
/* Count a change of a contract by working orders whose written calls only held long calls can cover
 * (og_facts_leans()). */
void og_facts_count_leaning(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign);
/* Returns true if an order writes calls that only long calls held by the account can cover: a single order that may
 * sell to open, or a spread that buys fewer calls, or shares for them, than it writes. Any other spread counts at what
 * its own calls can lose, whatever is held. */
bool og_facts_leans(const struct og_order *o);
void og_facts_written_settle(struct og_aggregates *s);
/* After units of an order filled, compute anew what the written options on the holding's root can lose. These units
 * count at `cents` (or at OG_AT_LEAST() of a lower bound). The part of the loss that `cents` includes is not
 * counted again. */
void og_facts_written_filled(struct og_aggregates *s, struct og_holding_entry *h, const struct og_order *o,
                             int64_t units, int64_t cents);

/* Index of working orders by identical terms. _key(): make the key of a row (opens is 1, 0, or -1 if unknown; limit and
 * stop are NULL if absent). _of(): make the key of an order. _hash(): returns the hash of a key and the symbol's hash
 * together. _find(): returns the entry, or NULL if there is none. _entry(): find or make the entry; NULL if out of
 * memory. */
void og_facts_duplicate_key(struct og_duplicate_key *to, enum og_side side, int opens, struct og_money quantity,
                            const struct og_money *limit, const struct og_money *stop);
void og_facts_duplicate_of(struct og_duplicate_key *to, const struct og_order *o);
uint64_t og_facts_duplicate_hash(const struct og_duplicate_key *key, uint64_t symbol);
struct og_duplicate_entry *og_facts_duplicate_find(const struct og_aggregates *s, struct og_str traded,
                                                   const struct og_duplicate_key *key, uint64_t hash);
struct og_duplicate_entry *og_facts_duplicate_entry(struct og_aggregates *s, struct og_holding_entry *h,
                                                    const struct og_duplicate_key *key, uint64_t hash);
/* Set the keys of all orders that count as duplicates of this order, beginning with the order's own key. An option
 * order without openClose is a duplicate of the same order with openClose. Returns the number of keys, at most
 * OG_DUPLICATE_LIKES. */
#define OG_DUPLICATE_LIKES 3
struct og_duplicate_like {
    struct og_duplicate_key key;
    uint64_t hash;
};
int og_facts_duplicate_likes(const struct og_order *o, struct og_lookup_keys *k, struct og_duplicate_like *like);
/* Update the part of the account's sums that this holding adds because its closes exceed its position. */
void og_facts_put_beyond(struct og_aggregates *s, struct og_holding_entry *h);
/* Add one working order to the entry (sign 1), or remove one (sign -1). */
void og_facts_duplicate_count(struct og_duplicate_entry *e, int sign);
/* Call when new counts of the sender are loaded. Orders of this book that those counts include are then no longer
 * counted as the book's own. */
void og_facts_sent_told(struct og_sent *s, const struct og_part *gate);
void og_facts_pnl_told(struct og_facts *f); /* call when a new P&L is loaded, or its age changes: keeps the day's
                                             * highest */

/* Find the entry of an id with this hash (NULL if there is none). og_facts_id_entry() makes a missing entry (NULL means
 * no memory). */
struct og_id_entry *og_facts_id_find(const struct og_facts_map *m, struct og_str id, uint64_t hash);
struct og_id_entry *og_facts_id_entry(struct og_facts_map *m, struct og_str id, uint64_t hash);
/* Returns the more certain of two uses of an id; from most to least certain: accepted, rejected, another account's. */
enum og_id_use og_facts_surer(enum og_id_use a, enum og_id_use b);

void og_facts_size(struct og_change *c, enum og_size of, struct og_money by);
/* Record the unfilled quantity of a working order in a change. opens: 1, 0 for a close, -1 if unknown; maybe: the order
 * may no longer be working. */
void og_facts_working(struct og_change *c, enum og_side side, int opens, bool maybe, struct og_money leaves);
/* Returns true if the value of this change, which has only one quantity, counts on the long side. */
bool og_facts_is_long(const struct og_change *c);
/* Record the value of a change that holds or opens something: cents, or OG_AT_LEAST() of a lower bound. */
void og_facts_worth(struct og_change *c, bool longs, int64_t cents);
