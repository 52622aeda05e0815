/*
 * What the options of one root, and the shares that cover them, require (docs/margin.md): the contracts of an expiry as
 * one spread at its maximum loss, or short contracts on their own by the naked rule, whichever is less.  A requirement
 * that depends on a missing price is OG_MARGIN_UNKNOWN, which is above every known one.  Never allocates; amounts are
 * integers, millionths of a dollar a share.
 */
#ifndef OG_MARGIN_REQUIREMENT_H
#define OG_MARGIN_REQUIREMENT_H

#include "facts/facts.h"
#include "margin/pairing_ilp.h"

#define OG_MARGIN_DOLLAR 1000000
/* Charged for each naked contract whose requirement cannot be told, or has no bound.  Sums of real amounts stay far
 * below, so that sums of these can be told from them, and what is unknown before and after an order falls out of the
 * difference; two thousand million contracts of it have a sum. */
#define OG_MARGIN_UNKNOWN ((og_wide)1 << 96)

enum og_margin_mode {
    OG_MARGIN_STRATEGY = 0, /* the rules of the exchanges */
    OG_MARGIN_PAYOFF        /* the worst result at expiry, of naked options too */
};

/* How one root is charged; shares are in basis points. */
struct og_margin_terms {
    enum og_margin_mode mode;
    int32_t rate;      /* of the underlying, for a naked option: 20%; 15% for a broad index; times the leverage of a
                        * fund */
    int32_t floor;     /* at least this, of the underlying for a call, of the strike for a put: 10%, likewise */
    bool secured_puts; /* a cash account, or a level below 4: a put on its own takes its whole strike */
};

struct og_margin_line {   /* a contract */
    struct og_str symbol; /* the caller's */
    int expiry;           /* yyyymmdd */
    char type;            /* 'C' or 'P' */
    bool priced;          /* price is known */
    bool shared;          /* price is what those shared fetch together: any of them, but not each */
    int64_t strike, price;
    int64_t longs, shorts; /* what is charged */
    /* what longs and shorts may be made of: held, going and coming by working orders, changed by the order */
    int64_t held_long, held_short, going_long, coming_long, coming_short, order_long, order_short;
    /* how it was paired */
    int64_t out, best; /* shorts not in the spread */
    int64_t in, free;  /* longs in a spread; longs that none needs, where they were looked for */
    int64_t spare;     /* the caller's */
    int64_t risk;      /* the naked requirement beside the price */
    og_wide alone;     /* of one short on its own */
    int64_t itm;       /* of one put that short stock covers */
};

/* The lines of one expiry, as they are paired (pairing.h). */
struct og_pairing_group {
    int from, to;
    int expiry;
    bool shorts, calls, puts;      /* calls, puts: that are short */
    bool fair;                     /* og_pairing_are_fair() any two that are short */
    int64_t long_lots, short_lots; /* that it may use */
    bool proven;                   /* nothing is cheaper than what was found, of the lines listed last */
};

/* Some 350 KB, which nobody should ask of a stack. */
struct og_margin_book {
    int count;
    int64_t long_lots, short_lots; /* hundreds of shares */
    int chargings;                 /* that one answer takes, and share its time; 0: one */
    bool has_under;
    int64_t under; /* price of the underlying */
    struct og_margin_line line[OG_MARGIN_MOST];
    /* what a requirement is worked out in */
    struct og_pairing_group group[OG_MARGIN_MOST];
    struct og_pairing_ilp search;
};

/* Find the line of a contract, or add it, in the order that pairing needs: expiry, strike, type.  NULL: no room. */
struct og_margin_line *og_margin_line_of(struct og_margin_book *b, int expiry, int64_t strike, char type);

/* What the short options require, the premium of naked ones included, what was paid for long ones not: for a hundred
 * shares a contract that is dollars x 10,000.  It is what the cheapest pairing takes of shorts with longs of their
 * expiry or a later one, and with shares, whatever the sizes.  Where that takes too long to find it is what a pairing
 * takes that was found, never less: of books of very many lines, or of some ten lines an expiry of which most shorts
 * can have no cover. */
og_wide og_margin_options(struct og_margin_book *b, const struct og_margin_terms *terms);

/* The same where the cheapest is found; else what no pairing takes less than. */
og_wide og_margin_options_least(struct og_margin_book *b, const struct og_margin_terms *terms);

/* The most the contracts can lose together at expiry, premiums not counted, for one share each; every expiry counts as
 * the same.  false: without bound.  It forgets how the book was paired. */
bool og_margin_loss(struct og_margin_book *b, og_wide *loss);

/* Dollars to millionths, rounded up; false: below 0, or out of range. */
bool og_margin_millionths(struct og_money dollars, int64_t *millionths);
/* Millionths x 100 shares to dollars; false: out of range. */
bool og_margin_dollars(og_wide millionths, struct og_money *dollars);

#endif
