/*
 * An order as input of the margin model: its parts, the book of options on its root, and the amount paid.  Only for
 * files of this folder.
 */
#pragma once

#include "margin/margin.h"
#include "margin/requirement.h"

#define OG_CONTRACT 100 /* shares of one contract */
/* for a root with more contracts than this, an upper bound suffices as the result if the account can pay it; for others
 * the exact amount is always computed if the account's buying power is known */
#define OG_MARGIN_MANY 4

/* One option contract or stock that an order trades. */
struct og_margin_part {
    struct og_str symbol;
    const struct og_occ *occ; /* .is is false for stock */
    enum og_side side;
    bool opens;
    int64_t size;
};

struct og_margin_parts {
    struct og_margin_part part[OG_LEGS_KEPT];
    int count;
    bool opens, closes, stock, sells;
    struct og_str root;
};

/* The shares that are held and working, in addition to the contracts; the members are named like those of a line. */
struct og_margin_shares {
    int64_t held_long, held_short, going_long, coming_long, coming_short, order_long, order_short;
    int64_t spare_long, spare_short;
    int64_t own_long; /* shares that working spreads buy for the calls of the root that they write */
};

/* What working orders do on a root: sell longs or shares that are held, write calls, write puts, sell shares short, buy
 * contracts or shares. */
enum og_margin_coming {
    OG_MARGIN_GOING = 1,
    OG_MARGIN_CALLS = 2,
    OG_MARGIN_PUTS = 4,
    OG_MARGIN_SHARES = 8,
    OG_MARGIN_LONGS = 16
};

/* What the margin of one order is computed from: the order, the positions on its root, and the working orders on its
 * root. */
struct og_margin_inputs {
    const struct og_margin_question *q;
    struct og_margin *m;
    struct og_margin_parts parts;
    struct og_str under;                /* ticker of the underlying: its price gives the contracts' margin */
    const struct og_root_sums *on_root; /* NULL if nothing on the root is held or working */
    struct og_margin_shares shares;
    unsigned coming; /* bit set of enum og_margin_coming: 0 if no working order on the root changes a requirement */
    struct og_money cash;   /* dollars paid for the order; negative: received */
    struct og_str unpriced; /* a written contract of another root whose price is needed and not known; mostly empty */
    int64_t unit;           /* all sizes in the book are divided by this number, a divisor of all of them */
    struct og_margin_book book;
};

/* Split an order into its parts.  Returns false if it is not well formed, or trades several roots. */
bool og_margin_parts_of(const struct og_order *o, struct og_margin_parts *p);

/* og_margin_may_bound() returns true if an upper bound suffices as the result, provided that buying power covers it.
 * og_margin_is_enough() returns true if buying power covers the amount, or is not known: then the amount is compared
 * with nothing, and og_book_tighten() makes the reserved amount exact once it matters. */
bool og_margin_may_bound(const struct og_margin_inputs *a);
bool og_margin_is_enough(const struct og_margin_question *q, struct og_money dollars);

/* Returns the quote of a symbol; NULL if there is none that is fresh enough. */
const struct og_quote *og_margin_quote(const struct og_margin_question *q, struct og_str symbol);
static inline const struct og_quote *og_margin_own_quote(const struct og_margin_question *q)
{
    const struct og_quote *quote = q->quote;

    return quote && og_fact_is_fresh(quote->as_of, q->now, q->quote_age) ? quote : NULL;
}

/* Put everything held and working on the root, the order's changes and the price of the underlying into the book.
 * Returns false if the book has no room for it. */
bool og_margin_fill(struct og_margin_inputs *a);
/* Put only the order into the book.  Returns false if the book has no room for it. */
bool og_margin_fill_alone(struct og_margin_inputs *a);
/* Returns the book's line of an option contract that the order trades; NULL if there is no room, which cannot happen
 * after og_margin_fill(). */
struct og_margin_line *og_margin_line_for(struct og_margin_inputs *a, const struct og_margin_part *x);
/* Set the line's price of one contract: the ask, which is what buying back a short costs; without an ask the bid;
 * without a bid the price of the position. */
void og_margin_price(const struct og_margin_question *q, const struct og_holding *h, struct og_margin_line *l);

/* Set a->cash, the amount paid for the whole order.  Overwrites the book.  Returns false if that is not possible; the
 * result is then set already. */
bool og_margin_pay(struct og_margin_inputs *a);
/* Give the contracts that the order writes the price that it receives for them.  Returns false if the price is out of
 * range. */
bool og_margin_price_written(struct og_margin_inputs *a);

/* Returns the number of contracts of the root that are held or working. */
static inline int og_margin_others(const struct og_margin_inputs *a)
{
    return a->on_root ? a->on_root->contracts : 0;
}
/* Returns the number of contracts of a type on the root that are written already or that working orders will write. */
static inline og_wide og_margin_shorts_of(const struct og_margin_inputs *a, char type)
{
    return !a->on_root ? 0 : type == 'C' ? a->on_root->calls : a->on_root->puts;
}

/* For an order that only closes: returns true if every written contract stays as well covered as before; the result is
 * then set. */
bool og_margin_stays_covered(struct og_margin_inputs *a);
/* Returns an upper bound of the buying power that an order which only closes needs; the bound holds for every pairing
 * of contracts.  The book must be filled. */
og_wide og_margin_close_most(struct og_margin_inputs *a, const struct og_margin_terms *t);

/* An order that closes stock may leave contracts of other roots (AAPL1) without shares: returns what these contracts
 * require. Each is taken to need a hundred shares, and to require what the dearest of them does.  The book must be
 * filled. */
og_wide og_margin_close_others(struct og_margin_inputs *a, const struct og_margin_terms *t);
/* Returns true if there are written contracts, of any root, that shares of the order's root may cover. */
bool og_margin_has_shorts_on_shares(const struct og_margin_inputs *a, struct og_str root);

/* Returns true if a written put takes its whole strike in cash. */
bool og_margin_has_secured_puts(const struct og_margin_question *q);
/* Returns the requirement of the order alone.  The book must be filled: og_margin_fill_alone(). */
og_wide og_margin_alone(struct og_margin_inputs *a, enum og_margin_mode mode);
/* Returns the increment in requirement, kept within limits; the book must be filled.  An opening order adds at most the
 * requirement that it has alone, and at least what it requires with all cover that nothing else needs; a closing order
 * adds at most the requirement of the contracts that it uncovers; an order that writes never lowers the requirement.
 * That is true of the cheapest pairings, and enforced for those that were found. Fills of working orders are tried only
 * if these limits leave a choice. */
og_wide og_margin_added(struct og_margin_inputs *a, enum og_margin_mode mode);

void og_margin_answer(struct og_margin *m, enum og_margin_state state, const char *why);
void og_margin_needs_quote(struct og_margin *m, struct og_str symbol);
