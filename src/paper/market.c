/*
 * Symbols, quotes and the prices of contracts. No pricing model is used: an option is worth its intrinsic value plus a
 * time value that falls linearly with the distance from the money. So prices are exact, the same in every run, and free
 * of arbitrage between strikes.
 */
#include "paper/market.h"

#include "base/time.h"

#define OCC_TAIL 15

static bool digits(const char *s, size_t len, int64_t *n)
{
    size_t i;

    *n = 0;
    for (i = 0; i < len; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        *n = *n * 10 + (s[i] - '0');
    }
    return true;
}

bool og_paper_contract_read(struct og_str symbol, struct og_paper_contract *contract)
{
    const char *tail;
    int64_t date, strike;

    if (symbol.len <= OCC_TAIL || symbol.len > OCC_TAIL + 6)
        return false;
    tail = symbol.s + symbol.len - OCC_TAIL;
    if (!digits(tail, 6, &date) || !digits(tail + 7, 8, &strike) || (tail[6] != 'C' && tail[6] != 'P'))
        return false;
    contract->root = (struct og_str){ symbol.s, symbol.len - OCC_TAIL };
    contract->date = (int)(20000000 + date);
    contract->call = tail[6] == 'C';
    contract->strike = strike * 1000;
    return true;
}

static struct og_paper_symbol *add_symbol(struct og_paper_market *market, struct og_str name)
{
    struct og_paper_symbol *symbol = og_arena_take(market->arena, sizeof *symbol);

    if (!symbol)
        return NULL;
    symbol->name = og_arena_copy(market->arena, name);
    symbol->root = symbol;
    symbol->option_time = OG_UNSET;
    symbol->quote.bid_size = symbol->quote.ask_size = OG_NO_SIZE;
    if (!symbol->name.s || !og_map_put(&market->symbols, NULL, symbol->name, symbol))
        return NULL;
    return symbol;
}

void og_paper_market_init(struct og_paper_market *market, struct og_arena *arena, struct og_paper_clock *clock)
{
    *market = (struct og_paper_market){ .arena = arena, .clock = clock };
}

static int today(struct og_paper_market *market)
{
    struct og_eastern e;

    og_eastern_from(og_paper_clock_now(market->clock), &e);
    return e.date;
}

/* Returns true if a contract exists: its date exists and has not passed, and its strike is above 0. */
static bool listed_contract(struct og_paper_market *market, const struct og_paper_contract *c)
{
    return c->strike > 0 && og_date_exists(c->date / 10000, c->date / 100 % 100, c->date % 100) &&
           c->date >= today(market);
}

static struct og_paper_symbol *add_contract(struct og_paper_market *market, struct og_str name,
                                            const struct og_paper_contract *contract, struct og_paper_symbol *root)
{
    struct og_paper_symbol *symbol = add_symbol(market, name);

    if (!symbol)
        return NULL;
    symbol->option = true;
    symbol->contract = *contract;
    symbol->contract.root = root->name;
    symbol->root = root;
    return symbol;
}

struct og_paper_symbol *og_paper_market_get(struct og_paper_market *market, struct og_str name)
{
    struct og_paper_symbol *symbol = og_map_get(&market->symbols, name), *root;
    struct og_paper_contract contract;

    if (symbol)
        return symbol->option && !listed_contract(market, &symbol->contract) ? NULL : symbol;
    if (!og_paper_contract_read(name, &contract) || !listed_contract(market, &contract))
        return NULL;
    root = og_map_get(&market->symbols, contract.root);
    return root ? add_contract(market, name, &contract, root) : NULL;
}

struct og_paper_symbol *og_paper_market_add(struct og_paper_market *market, struct og_str name)
{
    struct og_paper_symbol *symbol = og_map_get(&market->symbols, name), *root;
    struct og_paper_contract contract;

    if (symbol)
        return symbol;
    if (!og_paper_contract_read(name, &contract))
        return add_symbol(market, name);
    root = og_paper_market_add(market, contract.root);
    return root ? add_contract(market, name, &contract, root) : NULL;
}

static int64_t root_of(int64_t n)
{
    int64_t r = 0;

    while ((r + 1) * (r + 1) <= n)
        r++;
    return r;
}

static int64_t days_left(struct og_paper_market *market, const struct og_paper_contract *c)
{
    struct og_eastern e;
    int64_t days;

    og_eastern_from(og_paper_clock_now(market->clock), &e);
    days = og_days_from_civil(c->date / 10000, c->date / 100 % 100, c->date % 100) -
           og_days_from_civil(e.year, e.month, e.day);
    return days < 0 ? 0 : days;
}

/* The mid price (between bid and ask) is intrinsic value plus time value. At the money the time value is a fraction of
 * the underlying's price times the square root of the days left; it falls by `slope` times the distance from the money.
 * So the price is piecewise linear and convex in the strike, which excludes arbitrage (with a slope of 1/4 a call's
 * price changes by -1, -3/4, -1/4, 0 for each dollar of strike). */
static void price_contract(struct og_paper_market *market, const struct og_paper_symbol *symbol, int64_t under,
                           struct og_paper_quote *quote)
{
    const struct og_paper_contract *c = &symbol->contract;
    const struct og_paper_surface *s = &market->surface;
    int64_t share = symbol->root->option_time < 0 ? s->time : symbol->root->option_time;
    int64_t distance = under > c->strike ? under - c->strike : c->strike - under;
    int64_t inside = (under > c->strike) == c->call ? distance : 0;
    int64_t time =
        og_dec_scale(og_dec_times(under, share), root_of(days_left(market, c) + 1)) - og_dec_times(distance, s->slope);
    int64_t middle = og_dec_round(inside + (time > 0 ? time : 0), OG_DEC_CENT), half;

    if (middle < s->least)
        middle = s->least;
    half = s->spread + og_dec_round(og_dec_times(middle, s->spread_share), OG_DEC_CENT);
    *quote =
        (struct og_paper_quote){ half < middle ? middle - half : 0, middle + half, middle, OG_NO_SIZE, OG_NO_SIZE };
}

bool og_paper_quote_next(const struct og_paper_quote *before, const struct og_paper_quote *given,
                         struct og_paper_quote *quote)
{
    bool moved = given->bid != OG_UNSET || given->ask != OG_UNSET;

    *quote = *given;
    if (given->bid == OG_UNSET)
        quote->bid = before->bid;
    if (given->ask == OG_UNSET)
        quote->ask = before->ask;
    if (given->last == OG_UNSET)
        quote->last = moved ? og_dec_round((quote->bid + quote->ask) / 2, OG_DEC_TICK) : before->last;
    else if (!moved && !before->bid && !before->ask)
        quote->bid = quote->ask = quote->last;
    return quote->bid >= 0 && quote->ask >= quote->bid && quote->last >= 0;
}

bool og_paper_market_quote(struct og_paper_market *market, const struct og_paper_symbol *symbol,
                           struct og_paper_quote *quote)
{
    if (symbol->state == OG_QUOTE_SET) {
        *quote = symbol->quote;
        return true;
    }
    if (!symbol->option || symbol->state == OG_QUOTE_REMOVED || symbol->root->state != OG_QUOTE_SET ||
        !market->surface.priced)
        return false;
    price_contract(market, symbol, symbol->root->quote.last, quote);
    return true;
}

void og_paper_market_set(struct og_paper_market *market, struct og_paper_symbol *symbol,
                         const struct og_paper_quote *quote)
{
    if (symbol->day != today(market)) {
        symbol->opened = symbol->state == OG_QUOTE_SET ? symbol->quote.last : quote->last;
        symbol->day = today(market);
    }
    symbol->state = OG_QUOTE_SET;
    symbol->quote = *quote;
}

int64_t og_paper_market_opened(struct og_paper_market *market, const struct og_paper_symbol *symbol)
{
    struct og_paper_quote quote;

    if (!og_paper_market_quote(market, symbol, &quote))
        return 0;
    if (symbol->state == OG_QUOTE_SET)
        return symbol->day == today(market) ? symbol->opened : quote.last;
    price_contract(market, symbol, og_paper_market_opened(market, symbol->root), &quote);
    return quote.last;
}
