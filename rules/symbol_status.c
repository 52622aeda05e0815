/*
 * symbol-status (931): what the exchange says of a symbol forbids the order.  Trading is halted, or paused because a
 * limit-up limit-down band was reached; the limit is beyond such a band, so that nothing may trade at it; or short
 * sales are restricted (Rule 201 of Regulation SHO), and a short sale could be at the bid or below it.  Contracts are
 * halted with what they deliver; bands and restriction concern stock alone.  A status that is known but too old is
 * unsure, and with `status: required` an unknown one is too.  Without bands, as outside regular hours, no limit is
 * compared.
 */
#include "order/roots.h"
#include "rules/limit.h"

struct settings {
    int32_t status;
    int32_t exits;
};

enum { STATUS_OPTIONAL, STATUS_REQUIRED };
static const char *const statuses[] = { "optional", "required", NULL };

static const struct og_param params[] = {
    { .key = "status",
      OG_CHOICE(status),
      .fallback = "required",
      .choices = statuses,
      .tighter = OG_TIGHTER_HIGHER,
      .aside = true,
      .help = "whether a symbol of which no status is known passes without a finding, or gets the finding "
              "symbol-status-unknown; if a status is known but too old, every order on its symbol is unsure" },
    OG_EXITS(exits),
};

enum { R_HALTED, R_PAUSED, R_BAND, R_SHORT, R_UNKNOWN };

static const struct og_reason reasons[] = {
    [R_HALTED] = { .id = "symbol-halted",
                   .level = OG_LEVEL_REFUSE,
                   .undecided = OG_LEVEL_REFUSE,
                   .says = "trading of {0} is halted",
                   .help = "wait until the exchange resumes trading: the price may then be another one",
                   .where = "facts symbolStatus" },
    [R_PAUSED] = { .id = "symbol-paused",
                   .level = OG_LEVEL_REFUSE,
                   .undecided = OG_LEVEL_REFUSE,
                   .says = "trading of {0} is paused after it reached a price band",
                   .help = "wait until the pause is over, which takes five minutes or more",
                   .where = "facts symbolStatus" },
    [R_BAND] = { .id = "limit-outside-band",
                 .level = OG_LEVEL_REFUSE,
                 .undecided = OG_LEVEL_REFUSE,
                 .says = "limitPrice {0} is {1} band {2}, beyond which nothing may trade",
                 .help = "set the limit at the band or within it",
                 .where = "facts symbolStatus" },
    [R_SHORT] = { .id = "short-sale-restricted",
                  .level = OG_LEVEL_REFUSE,
                  .undecided = OG_LEVEL_REFUSE,
                  .says = "short sales of {0} are restricted to prices above the bid",
                  .help = "send a limit above the bid",
                  .where = "facts symbolStatus" },
    [R_UNKNOWN] = { .id = "symbol-status-unknown",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_REFUSE,
                    .ignorance = true,
                    .says = "the status of {0} does not say whether {1}",
                    .help = "give the whole status in the facts or in quote lines, or let the policy do without it",
                    .where = "facts symbolStatus" },
};

/* Returns the status of a symbol. If it is unknown or too old, makes an unsure finding, unless it is unknown and the
 * policy does without it, and returns NULL. */
static const struct og_symbol_status *status_of(const struct og_case *c, const struct settings *s, struct og_str symbol,
                                                const char *field, struct og_sink *sink)
{
    const bool wanted = s->status == STATUS_REQUIRED || (c->facts && og_facts_symbol_status(c->facts, symbol) != NULL);

    return wanted && og_need(c, sink, &reasons[R_UNKNOWN], OG_FACT_SYMBOL_STATUS, symbol, field)
               ? og_facts_symbol_status(c->facts, symbol)
               : NULL;
}

/* Returns true if a member of the status is certainly true. If it is unknown, and the policy demands a status, reports
 * that. */
static bool is_so(const struct settings *s, enum og_known known, struct og_str symbol, const char *what,
                  const char *field, struct og_sink *sink)
{
    if (known == OG_NOT_KNOWN && s->status == STATUS_REQUIRED)
        OG_FIND(sink, &reasons[R_UNKNOWN], field, og_a_str(symbol), og_a_text(what));
    return known == OG_KNOWN_TRUE;
}

static void check_trading(const struct settings *s, const struct og_symbol_status *st, struct og_str symbol,
                          const char *field, struct og_sink *sink)
{
    if (is_so(s, st->halted, symbol, "trading is halted", field, sink))
        OG_FIND(sink, &reasons[R_HALTED], field, og_a_str(symbol));
    if (is_so(s, st->paused, symbol, "trading is paused", field, sink))
        OG_FIND(sink, &reasons[R_PAUSED], field, og_a_str(symbol));
}

static void check_band(const struct og_order *o, const struct og_symbol_status *st, struct og_sink *sink)
{
    const bool buy = o->side == OG_BUY;
    const struct og_money band = buy ? st->limit_up : st->limit_down;

    if (o->security == OG_STOCK && og_order_wants_limit(o) && og_order_ok(o, OG_KEY_LIMIT_PRICE) &&
        (buy ? st->has_limit_up && og_price_cmp(o->limit, band) > 0
             : st->has_limit_down && og_price_cmp(o->limit, band) < 0))
        OG_FIND(sink, &reasons[R_BAND], "/limitPrice", og_a_money(o->limit),
                og_a_text(buy ? "above the upper" : "below the lower"), og_a_money(band));
}

/* Check a short sale of stock whose short sales are restricted. Only the limit of a single order keeps it above the
 * bid; once a stop is reached the bid is about the stop, so that the limit must also be above the stop. */
static void check_short(const struct og_case *c, struct og_str symbol, const char *field, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_reason *r = &reasons[R_SHORT];
    const bool limited = o->security == OG_STOCK && og_order_wants_limit(o) && og_order_ok(o, OG_KEY_LIMIT_PRICE);

    if (!limited) {
        OG_FIND(sink, r, field, og_a_str(symbol));
        og_found_add(sink, ", and this one has no limit of its own", NULL, 0);
    } else if (o->type == OG_STOP_LIMIT && og_order_ok(o, OG_KEY_STOP_PRICE) && og_price_cmp(o->limit, o->stop) <= 0) {
        OG_FIND(sink, r, "/limitPrice", og_a_str(symbol));
        og_found_add(sink, ", which is about {0} when the stop is reached",
                     (const struct og_arg[]){ og_a_money(o->stop) }, 1);
    } else if (!og_need(c, sink, r, OG_FACT_QUOTE, symbol, field)) {
        return;
    } else if (!c->quote->has_bid) {
        og_unsure(sink, r, field, "the quote has no bid");
    } else if (og_price_cmp(o->limit, c->quote->bid) <= 0) {
        OG_FIND(sink, r, "/limitPrice", og_a_str(symbol));
        og_found_add(sink, ", which is {0}", (const struct og_arg[]){ og_a_money(c->quote->bid) }, 1);
    }
}

static void check_stock(const struct og_case *c, const struct settings *s, const struct og_symbol_status *st, int i,
                        const char *field, struct og_sink *sink)
{
    const struct og_trade t = og_order_trade(c->order, i);

    check_band(c->order, st, sink);
    if (og_case_sells_short(c, i) &&
        is_so(s, st->short_sale_restricted, t.symbol, "its short sales are restricted", field, sink))
        check_short(c, t.symbol, field, sink);
}

/* Returns the symbol whose halt also stops the contract or stock of a trade; an index has no shares, and its root
 * stands for it. */
static struct og_str market_of(const struct og_trade *t)
{
    const struct og_str shares = t->occ->is ? og_root_shares(t->occ->root) : t->symbol;

    return shares.s ? shares : t->occ->root;
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;
    struct og_str seen = { NULL, 0 };

    if (og_limit_passes(c, s->exits))
        return;
    *c->asked |= OG_FACT_SYMBOL_STATUS;
    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);
        const struct og_str market = market_of(&t);
        const char *field = o->security == OG_MLEG ? og_leg_pointer(i, OG_LEG_SYMBOL) : "/symbol";
        const struct og_symbol_status *st;

        if (!t.symbol.len)
            continue;
        /* a contract may be halted by itself, which few feeds report: its own status is not demanded */
        if (t.occ->is && c->facts && og_facts_symbol_status(c->facts, t.symbol) &&
            (st = status_of(c, s, t.symbol, field, sink)) != NULL)
            check_trading(s, st, t.symbol, field, sink);
        if (t.occ->is && og_str_eq(market, seen))
            continue;
        st = status_of(c, s, market, field, sink);
        if (st && !og_str_eq(market, seen))
            check_trading(s, st, market, field, sink);
        if (st && !t.occ->is)
            check_stock(c, s, st, i, field, sink);
        seen = market;
    }
}

static unsigned only_by(const void *settings, enum og_security security)
{
    (void)security;
    return ((const struct settings *)settings)->status == STATUS_OPTIONAL ? OG_TRAIT_STATUS : 0;
}

const struct og_rule og_rule_symbol_status = {
    OG_PARTS_OF_FILE(symbol_status),
    .id = "symbol-status",
    .summary = "the symbol is halted or paused, or its price bands or short sale restriction forbid the order",
    .because =
        "an order in a halted symbol waits for a price that nobody knows, and a restricted short sale is rejected",
    .stage = OG_STAGE_MARKET,
    .only_by = only_by,
    .limit = true,
    .reads = OG_FACT_SYMBOL_STATUS | OG_FACT_QUOTE,
    OG_SETTINGS_OF_FILE,
};
