/*
 * Reads rows of positions as changes of what is held (D9, D10, D20).  A position is rejected if its contract,
 * side or size is missing, since none of these may be guessed.
 */
#include "facts/documents.h"

/* Read the size of a position; its absolute value counts. Contracts are whole, shares may be fractional. A long
 * position with a negative size contradicts itself: it may be short. */
static bool read_shares(struct og_facts_reader *r, const cJSON *row, struct og_str traded, bool longs,
                        struct og_money *shares)
{
    bool has;

    if (!og_facts_read_money(r, row, "shares", OG_MUST, &has, shares))
        return false;
    if (shares->coef < 0 && longs)
        return og_facts_refuse(r, "shares", "a number not below 0, as side is \"Long\"", og_doc_get(row, "shares"));
    if (shares->coef < 0 && !og_money_sub((struct og_money){ 0, 0 }, *shares, shares))
        return og_facts_refuse(r, "shares", "a number of at most 18 digits", og_doc_get(row, "shares"));
    if (shares->scale && og_facts_is_contract(traded))
        return og_facts_refuse(r, "shares", "a whole number of contracts", og_doc_get(row, "shares"));
    return true;
}

/* Set what a position is worth while it has no quote: shares at their average price or at the session's opening price,
 * whichever is higher, since a position of an earlier day may be worth much more than it cost. Contracts count at their
 * average price: what was received for written ones lowers what they can lose. */
static void set_worth(const cJSON *item, bool longs, struct og_money shares, struct og_change *c)
{
    const bool contract = og_facts_is_contract(c->traded);
    struct og_money average, opened;

    if (!og_doc_money(item, "priceAvg", &average) || average.coef == 0) { /* as of shares that were transferred in */
        og_facts_worth(c, longs, -1);
        return;
    }
    og_facts_worth(c, longs, og_cents_of(shares, average, contract));
    c->least = longs ? c->longs : c->shorts;
    if (!contract && og_doc_money(item, "priceOpen", &opened) && og_money_cmp(opened, average) > 0)
        og_facts_worth(c, longs, og_cents_of(shares, opened, false));
}

bool og_facts_read_position(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    struct og_change c = { .lots = 1 };
    struct og_money shares;
    struct og_str side;
    bool longs;

    if (!og_facts_read_object(r, item) || !og_facts_read_own_row(r, item) ||
        !og_facts_read_traded(r, item, &c.traded) || !og_facts_read_text(r, item, "side", OG_MUST, &side))
        return false;
    longs = og_str_is(side, "Long");
    if (!read_shares(r, item, c.traded, longs, &shares))
        return false;
    /* no order can trade a contract with such a root, so the position would match nothing */
    if (og_facts_is_contract(c.traded) && !og_symbol_fits(c.traded))
        return og_facts_refuse(r, "tradedSymbol", "an OCC contract as orders have it, without blanks",
                               og_doc_get(item, "tradedSymbol"));
    if (!longs && !og_str_is(side, "Short"))
        return og_facts_refuse(r, "side", "\"Long\" or \"Short\"", og_doc_get(item, "side"));
    og_facts_size(&c, longs ? OG_HELD_LONG : OG_HELD_SHORT, shares);
    set_worth(item, longs, shares, &c);
    c.loose = shares; /* the row's prices are only a lower bound of the position's present value */
    c.sure = c.least != 0;
    return shares.coef == 0 || og_facts_remember(r, p, &c); /* a position of size 0 is not kept */
}
