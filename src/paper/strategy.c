/*
 * The strategy table of the paper brokerage, as its documentation lists it. It shares no code with the gate's own table
 * (src/mleg), so that a mistake in one of them is not repeated in the other.
 *
 * A sorted set of option legs is written as words, one for each leg: its type, the rank of its strike, its sign and its
 * ratio. If the first sign is not '+', all signs are flipped. Two calls, the lower bought and the higher sold, are
 * "C1+1 C2-1".
 */
#include "paper/strategy.h"

#include <stdio.h>
#include <string.h>

#include "paper/market.h"

struct leg {
    bool stock;
    struct og_paper_contract contract;
    bool buy, open;
    int64_t ratio;
};

static const struct {
    const char *word;
    enum og_paper_side net; /* side of the net price with these signs; with flipped signs it is the opposite side */
} shapes[] = {
    { "C1+1 C2-1", OG_TICKET_SIDE_BUY },      /* call vertical */
    { "P1+1 P2-1", OG_TICKET_SIDE_SELL },     /* put vertical */
    { "C1+1 P1+1", OG_TICKET_SIDE_BUY },      /* straddle */
    { "P1+1 C2+1", OG_TICKET_SIDE_BUY },      /* strangle */
    { "C1+1 C2-2 C3+1", OG_TICKET_SIDE_BUY }, /* butterflies */
    { "P1+1 P2-2 P3+1", OG_TICKET_SIDE_BUY },
    { "C1+1 C2-1 C3-1 C4+1", OG_TICKET_SIDE_BUY }, /* condors */
    { "P1+1 P2-1 P3-1 P4+1", OG_TICKET_SIDE_BUY },
    { "P1+1 C2-1 P2-1 C3+1", OG_TICKET_SIDE_SELL }, /* iron butterfly */
    { "P1+1 P2-1 C3-1 C4+1", OG_TICKET_SIDE_SELL }, /* iron condor */
};

static int read_legs(const struct og_paper_ticket *t, struct leg *legs, int *stocks)
{
    int i;

    *stocks = 0;
    for (i = 0; i < t->legs; i++) {
        legs[i].stock = !og_paper_contract_read(t->leg[i].symbol, &legs[i].contract);
        legs[i].buy = t->leg[i].side == OG_TICKET_SIDE_BUY;
        legs[i].open = t->leg[i].effect != OG_TICKET_EFFECT_CLOSE;
        legs[i].ratio = t->leg[i].ratio;
        *stocks += legs[i].stock;
    }
    return t->legs;
}

static bool sorts_after(const struct leg *a, const struct leg *b)
{
    if (a->contract.strike != b->contract.strike)
        return a->contract.strike > b->contract.strike;
    return !a->contract.call && b->contract.call;
}

static void sort_legs(struct leg *legs, int n)
{
    struct leg swap;
    int i, j;

    for (i = 1; i < n; i++)
        for (j = i; j > 0 && sorts_after(&legs[j - 1], &legs[j]); j--) {
            swap = legs[j];
            legs[j] = legs[j - 1];
            legs[j - 1] = swap;
        }
}

static void describe_legs(const struct leg *legs, int n, char *word, size_t size)
{
    int i, rank = 0;
    size_t at = 0;

    word[0] = '\0';
    for (i = 0; i < n && at < size; i++) {
        if (i == 0 || legs[i].contract.strike != legs[i - 1].contract.strike)
            rank++;
        at += (size_t)snprintf(word + at, size - at, "%s%c%d%c%d", i ? " " : "", legs[i].contract.call ? 'C' : 'P',
                               rank, legs[i].buy == legs[0].buy ? '+' : '-', (int)legs[i].ratio);
    }
}

static enum og_paper_side other_side(enum og_paper_side side)
{
    return side == OG_TICKET_SIDE_BUY ? OG_TICKET_SIDE_SELL : OG_TICKET_SIDE_BUY;
}

static enum og_paper_side option_shape(struct leg *legs, int n)
{
    char word[96];
    size_t i;

    sort_legs(legs, n);
    describe_legs(legs, n, word, sizeof word);
    for (i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (strcmp(word, shapes[i].word) == 0)
            return legs[0].buy ? shapes[i].net : other_side(shapes[i].net);
    return OG_TICKET_SIDE_NONE;
}

/* Returns the side of a covered call or married put; NONE if the legs are neither. A covered call buys stock and sells
 * a call; a married put buys stock and a put. An order that closes one has all sides reversed. */
static enum og_paper_side stock_shape(const struct leg *legs, int n)
{
    const struct leg *stock = legs[0].stock ? &legs[0] : &legs[1];
    const struct leg *option = legs[0].stock ? &legs[1] : &legs[0];
    bool right;

    if (n != 2 || stock->ratio != 100 || option->ratio != 1 || stock->open != option->open)
        return OG_TICKET_SIDE_NONE;
    right = option->contract.call ? option->buy != stock->buy : option->buy == stock->buy;
    if (!right || stock->buy != stock->open)
        return OG_TICKET_SIDE_NONE;
    return stock->buy ? OG_TICKET_SIDE_BUY : OG_TICKET_SIDE_SELL;
}

enum og_paper_side og_paper_strategy_net(const struct og_paper_ticket *ticket)
{
    struct leg legs[OG_TICKET_LEGS];
    int stocks, n = read_legs(ticket, legs, &stocks);

    if (stocks == 0)
        return option_shape(legs, n);
    return stocks == 1 ? stock_shape(legs, n) : OG_TICKET_SIDE_NONE;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

const char *og_paper_strategy_error(const struct og_paper_ticket *ticket)
{
    struct leg legs[OG_TICKET_LEGS];
    int stocks, i, date = 0, n = read_legs(ticket, legs, &stocks);
    int64_t divisor = 0;

    for (i = 0; i < n; i++) {
        divisor = common_divisor(legs[i].ratio, divisor);
        if (legs[i].stock)
            continue;
        if (date && date != legs[i].contract.date)
            return "Calendar orders are not currently supported.";
        date = legs[i].contract.date;
    }
    if (divisor > 1)
        return "Invalid order, leg ratios cannot have a common devisor.";
    return og_paper_strategy_net(ticket) ? "" : OG_STRATEGY_UNSUPPORTED;
}

bool og_paper_strategy_one_sided(const struct og_paper_ticket *ticket)
{
    int i;

    for (i = 1; i < ticket->legs; i++)
        if (ticket->leg[i].side != ticket->leg[0].side)
            return false;
    return ticket->legs > 0;
}
