/*
 * Facts inside: what documents said, a part a kind, and the sums that effects change.
 * Parts are never changed by effects, so that taking a document can start again from them.
 */
#ifndef OG_FACTS_DATA_H
#define OG_FACTS_DATA_H

#include "base/arena.h"
#include "facts/facts_book.h"
#include "facts/lookup_keys.h"
#include "facts/map.h"

/* Parts, by the place of their bit in enum og_fact; the environment is declared, never read. */
enum {
    OG_AT_ACCOUNT,
    OG_AT_POSITIONS,
    OG_AT_ORDERS,
    OG_AT_ROUTES,
    OG_AT_BORROW,
    OG_AT_LOCATES,
    OG_AT_QUOTES,
    OG_AT_USED_IDS,
    OG_AT_ACCOUNT_LIST,
    OG_AT_ENVIRONMENT, /* never a part */
    OG_AT_LOCATE_HISTORY,
    OG_AT_CALLS,
    OG_AT_PNL,
    OG_AT_VOLUME,
    OG_PARTS
};

__extension__ typedef __int128 og_facts_wide;
#define OG_CENTS_MOST INT64_C(1000000000000000000) /* of one row: ten thousand million million dollars */

/* What sums up of a traded symbol: see struct og_holding. */
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

/* What a row, or an order, changes about one traded symbol. */
struct og_change {
    struct og_str traded;
    struct og_sized size[4]; /* what it holds; or what it opens, closes, or may do either of */
    int sizes;
    size_t opening; /* the count of a holding that it is one of, by its place there; 0: none */
    int lots, working;
    int orders, over, unsized, unpriced, legless; /* over: it works no more, and documents may lack what it did */
    int64_t longs, shorts;                        /* cents: what it is worth, on which side */
    int64_t closes;        /* cents, or OG_AT_LEAST(): what it would be worth if it opened, which it does not say */
    struct og_money loose; /* leaves that only a quote bounds, or what is held */
    int64_t least;         /* cents: what those are worth by their own prices */
    struct og_duplicate_key twin; /* what a working order says (duplicate_orders.c) */
    struct og_str id;             /* of an order: one that is listed, in flight or has a ticket counts once */
    struct og_change *next;
};

/* The symbol of an order of which there is the id alone. */
#define OG_FACTS_ANY OG_STR("?")

struct og_route_row {
    struct og_route route;
    struct og_route_row *next;
};

struct og_list_row {
    struct og_str account, type; /* type.s NULL: absent */
    struct og_list_row *next;
};

/* Entries of maps: the key comes first. */
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
struct og_root_entry {
    struct og_root_sums is; /* begins with the key */
    struct og_holding_entry *first;
    og_wide value;
    int unpriced;
    struct og_beyond beyond;
};
struct og_holding_entry {
    struct og_holding is; /* begins with the key */
    struct og_holding_entry *before;
    struct og_root_entry *root; /* NULL: no contract */
    struct og_duplicate_entry *twins;
    og_facts_wide contracts_over; /* its part in og_totals.over */
    bool linked;                  /* in the chain of its root */
};

struct og_volume_entry {
    struct og_str symbol;
    struct og_money shares;
};

/* There is one for every order of a run: as few bytes as may be. */
struct og_id_entry {
    union {
        struct {             /* of the facts' own ids */
            int effects;     /* orders of this run that use it */
            uint32_t ticket; /* whose order the rows with it are; 0: nobody's */
        };
        const struct og_known_order *order; /* of those in the order list */
    };
    uint32_t len; /* of id */
    enum og_id_use use;
    bool pending; /* only ever seen PendingNew: a later Rejected is the same order's end, not a reuse */
    char id[];    /* no NUL */
};

static inline struct og_str og_facts_id_text(const struct og_id_entry *e)
{
    return (struct og_str){ e->id, e->len };
}

/* And about as many of these. */
struct og_duplicate_entry {
    struct og_duplicate_key key;
    struct og_holding_entry *at;     /* the symbol they trade */
    struct og_duplicate_entry *next; /* that works on the same symbol; itself: it is in no chain */
};

/* An order that was sent: when, and what it said. */
struct og_sent_row {
    int64_t at;
    uint64_t terms;
};

/* Facts' gate: what the sender counted, as of the part's as_of. */
struct og_gate_counters {
    enum og_trading trading;
    bool has_sent[OG_SPANS], has_rejections;
    int64_t sent[OG_SPANS], rejections;
    int date; /* of as_of, in New York; 0: not known */
    struct og_sent_row *recent;
    size_t recent_count;
    struct og_posted *posted;
};

/* What this book accepted: a ring, the newest OG_SENT_MOST.  It outlives documents: these are counts of what was done.
 * */
struct og_sent {
    struct og_sent_row *row;
    size_t room, end, count; /* row[(end - 1) % room] is the newest */
    int date;
    int64_t today, rejections;
    size_t told_end;    /* the gate's counts have what is before it */
    int64_t told_today; /* and so many of today's */
    bool broken;        /* an order was taken since the gate's rejections */
};

/* One kind of facts as a document gave it. */
struct og_part {
    int64_t as_of;
    uint32_t taken;            /* og_facts_taken() */
    struct og_arena arena;     /* everything below is in it but the map's slots */
    struct og_facts_map map;   /* borrow, locates, quotes, volumes, ids (of orders, in the gate too) */
    struct og_change *changes; /* positions, orders, those in flight or unknown */
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

/* Lots and working orders summed by traded symbol, effects included. */
struct og_aggregates {
    struct og_arena arena;
    struct og_facts_map holdings, roots, twins;
    og_facts_wide puts; /* short puts, held and to come, in tenths of a dollar: strike in thousandths x 100 shares */
    struct og_totals totals;
};

struct og_facts {
    struct og_arena arena; /* as long-lived as the facts: the account's id and the used ids */
    struct og_str account_id;
    bool account_fits; /* og_symbol_fits() of it */
    enum og_environment declared;
    struct og_part *part[OG_PARTS]; /* NULL: unknown */
    /* told by the parts: which are known, and their ages; of which environment the account is */
    unsigned known;
    uint64_t serial;
    int64_t as_of[OG_PARTS];
    uint32_t takes;
    int64_t newest[OG_PARTS]; /* the latest age that was taken in; OG_TIME_UNKNOWN: none was */
    unsigned older;           /* og_facts_older() */
    enum og_environment environment;
    struct og_list_row *listed; /* the account's own row of the account list */
    struct og_account account;  /* as its part says, less what effects reserve */
    struct og_money reserved;   /* og_money_gather() */
    size_t bounds;              /* effects whose cost is a bound */
    bool tight;                 /* bounds were once in the way since the account was read */
    struct og_aggregates *sums;
    struct og_facts_map ids; /* used for good, or by effects */
    struct og_sent sent;
    int peak_date; /* of peak, the highest P&L of a day */
    struct og_money peak;
    struct og_closures *closures; /* announced (closures.h); NULL: none */
};

struct og_part *og_facts_part_new(void);
void og_facts_part_free(struct og_part *p);
struct og_aggregates *og_facts_aggregates_new(void);
void og_facts_aggregates_free(struct og_aggregates *s);

/* Parts changed: know again what all of them tell. */
void og_facts_told(struct og_facts *f);

/* The entry of a symbol, whose hash it is, made when there is none.  NULL: out of memory. */
struct og_holding_entry *og_facts_holding_entry(struct og_aggregates *s, struct og_str traded, uint64_t hash);
/* Count a change (sign 1) or take it back (sign -1).  false: a sum has no og_money; nothing changed.  Taking back
 * what was counted always fits. */
bool og_facts_count(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign);

/* What working orders that say the same are found by.  The key of what a row says (opens: 1, 0, not known -1; limit,
 * stop:
 * NULL without one), and of an order; its hash, with that of the symbol; the entry, NULL: there is none; the entry,
 * made when there is none, NULL: out of memory. */
void og_facts_duplicate_key(struct og_duplicate_key *to, enum og_side side, int opens, struct og_money quantity,
                            const struct og_money *limit, const struct og_money *stop);
void og_facts_duplicate_of(struct og_duplicate_key *to, const struct og_order *o);
uint64_t og_facts_duplicate_hash(const struct og_duplicate_key *key, uint64_t symbol);
struct og_duplicate_entry *og_facts_duplicate_find(const struct og_aggregates *s, struct og_str traded,
                                                   const struct og_duplicate_key *key, uint64_t hash);
struct og_duplicate_entry *og_facts_duplicate_entry(struct og_aggregates *s, struct og_holding_entry *h,
                                                    const struct og_duplicate_key *key, uint64_t hash);
/* What says the same as an order, itself first: of options also what differs in openClose alone, where one of the two
 * does not say it.  Returns how many, OG_DUPLICATE_LIKES at most. */
#define OG_DUPLICATE_LIKES 3
struct og_duplicate_like {
    struct og_duplicate_key key;
    uint64_t hash;
};
int og_facts_duplicate_likes(const struct og_order *o, struct og_lookup_keys *k, struct og_duplicate_like *like);
/* One begins (1) or ceases (-1) to work as one of those that say the same. */
void og_facts_duplicate_count(struct og_duplicate_entry *e, int sign);
/* A new gate is in force: what it counted of this book's own counts once. */
void og_facts_sent_told(struct og_sent *s, const struct og_part *gate);
void og_facts_pnl_told(struct og_facts *f); /* likewise: the day's highest */
int og_facts_date(int64_t at);              /* yyyymmdd in New York; 0: not known */

/* The entry of an id, whose hash it is; NULL: there is none.  Made when there is none; NULL: out of memory. */
struct og_id_entry *og_facts_id_find(const struct og_facts_map *m, struct og_str id, uint64_t hash);
struct og_id_entry *og_facts_id_entry(struct og_facts_map *m, struct og_str id, uint64_t hash);
/* What is surest: accepted, then rejected, then another account's. */
enum og_id_use og_facts_surer(enum og_id_use a, enum og_id_use b);

/* Effects: account.bp is what the document says less reserved.  false: it has no og_money; bp is then 0. */
bool og_facts_set_bp(struct og_facts *f);
void og_facts_size(struct og_change *c, enum og_size of, struct og_money by);
/* What an order does to a symbol it trades: opens 1, closes 0, not known -1; maybe: it may no longer work. */
void og_facts_working(struct og_change *c, enum og_side side, int opens, bool maybe, struct og_money leaves);
/* What a row that holds or opens is worth, in cents or OG_AT_LEAST() so many. */
void og_facts_worth(struct og_change *c, bool longs, int64_t cents);

bool og_facts_same_account(struct og_str a, struct og_str b); /* ASCII case-insensitive */

#endif
