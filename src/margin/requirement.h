/*
 * The requirement of the options of one root and the shares that cover them (docs/margin.md): the contracts of one
 * expiry as one spread at its maximum loss, or short contracts on their own by the rule for naked options, whichever
 * is less.  A requirement that depends on a missing price is OG_MARGIN_UNKNOWN, which is above every known one.
 * Never allocates; amounts are integers in millionths of a dollar per share.
 */
#pragma once

#include "facts/facts.h"
#include "margin/pairing_ilp.h"

#define OG_MARGIN_DOLLAR 1000000
/* Charged for each naked contract whose requirement is unknown or unbounded. Sums of real amounts stay far below, so
 * that multiples of it can be told apart from them. A requirement that is unknown both before and after an order
 * cancels out in the difference. The sum over two thousand million contracts is representable. */
#define OG_MARGIN_UNKNOWN ((og_wide)1 << 96)

enum og_margin_mode {
    OG_MARGIN_STRATEGY = 0, /* the exchanges' strategy-based rules */
    OG_MARGIN_PAYOFF        /* the maximum loss at expiry, for naked options too */
};

/* How one root is charged; `rate` and `floor` are in basis points. */
struct og_margin_terms {
    enum og_margin_mode mode;
    /* part of the underlying's price that a naked option requires: 20 %; 15 % for a broad index; times the leverage of
     * a fund */
    int32_t rate;
    /* least requirement, as a part of the underlying's price (call) or of the strike (put): 10 %, times the leverage of
     * a fund */
    int32_t floor;
    bool secured_puts; /* true in a cash account or at a level below 4: a put that stands alone requires its whole
                        * strike */
};

struct og_margin_line {   /* one contract */
    struct og_str symbol; /* the caller owns the text */
    int expiry;           /* yyyymmdd */
    char type;            /* 'C' or 'P' */
    bool priced;          /* the price of the contract is known */
    bool shared; /* `price` is the price of all contracts with this mark together, not of this contract alone */
    int64_t strike, price;
    int64_t longs, shorts; /* the numbers of contracts that are charged */
    /* the parts of longs and shorts: held_: positions; going_: held and being sold by working orders; coming_: being
     * opened by working orders; order_: changed by the order */
    int64_t held_long, held_short, going_long, coming_long, coming_short, order_long, order_short;
    /* own_short: the part of coming_short that the legs of the same spreads cover or bound; own_long: the part of
     * coming_long by which they do */
    int64_t own_long, own_short;
    /* result of pairing: */
    int64_t out, best; /* out: number of shorts outside the spread; best: value of `out` in the best pairing so far */
    int64_t in, free;  /* in: number of longs in a spread; free: number of longs that no short needs, if that was
                        * computed */
    int64_t spare;     /* for the caller's own use */
    int64_t risk;      /* what a naked short requires in addition to its price */
    og_wide alone;     /* what one short requires if it stands alone */
    int64_t itm;       /* for a put that short shares cover: by how much it is in the money */
};

/* The lines of one expiry while they are paired (pairing.h). */
struct og_pairing_group {
    int from, to;
    int expiry;
    bool shorts, calls, puts;      /* calls, puts: the types that are short */
    bool fair;                     /* for every short call and short put of the group that stand alone, both rules give
                                    * the same: og_pairing_are_fair() */
    int64_t long_lots, short_lots; /* lots of long and of short shares that the group may use */
    bool proven;                   /* the last pairing found for the listed lines is proved to be the cheapest */
};

/* A book of options.  Some 350 KB: never put it on a stack. */
struct og_margin_book {
    int count;
    int64_t long_lots, short_lots; /* hundreds of shares */
    /* number of requirements that are computed for one result, and that share its limit of steps; 0 means one */
    int chargings;
    bool has_under;
    int64_t under; /* price of the underlying */
    struct og_margin_line line[OG_MARGIN_MOST];
    /* working memory */
    struct og_pairing_group group[OG_MARGIN_MOST];
    struct og_pairing_ilp search;
};

/* Find the line of a contract, or add it in the sequence that pairing needs: expiry, strike, type.  Returns NULL if
 * there is no room. */
struct og_margin_line *og_margin_line_of(struct og_margin_book *b, int expiry, int64_t strike, char type);

/* Returns the requirement of the short options, including the premium of naked ones but not what was paid for longs;
 * at a hundred shares per contract it is dollars x 10,000.  It is the minimum over all pairings of shorts with longs
 * of the same or a later expiry and with shares, in any split.  If that takes too long to find (very many lines, or
 * some ten lines in an expiry most of whose shorts cannot be covered), it is the requirement of some pairing: never
 * less than the minimum. */
og_wide og_margin_options(struct og_margin_book *b, const struct og_margin_terms *terms);

/* Returns the requirement of the short options if the minimum is found; if not, a lower bound of it. */
og_wide og_margin_options_least(struct og_margin_book *b, const struct og_margin_terms *terms);

/* Set *loss to the maximum loss of all contracts at expiry, without premiums, for one share each, as if they all
 * expired together.  Returns false if it is unbounded.  Overwrites the pairing. */
bool og_margin_loss(struct og_margin_book *b, og_wide *loss);

/* Convert dollars to millionths, rounded up.  Returns false if the amount is negative or out of range. */
bool og_margin_millionths(struct og_money dollars, int64_t *millionths);
/* Convert millionths of a dollar per share to dollars per 100 shares.  Returns false if the amount is out of range. */
bool og_margin_dollars(og_wide millionths, struct og_money *dollars);
