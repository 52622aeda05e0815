/*
 * borrow-locate (801): short sales of stock that is hard to borrow need a locate, on live accounts.  The located shares
 * of a symbol must suffice for all its working short sales together.  For paper accounts every symbol counts as easy to
 * borrow; an account of unknown type counts as live.
 */
#include "rules/rule.h"

enum { R_NONE, R_TOO_FEW, R_PAPER };

static const struct og_reason reasons[] = {
    [R_NONE] = { .id = "short-hard-to-borrow-no-locate",
                 .level = OG_LEVEL_REFUSE,
                 .undecided = OG_LEVEL_WARN,
                 OG_PREDICTS(LIVE_ASYNC, REJECTED_OR_ASYNC, STATED),
                 .says = "{0} is hard to borrow and no shares are located, the short needs {1}",
                 .help = "locate the shares first, or do not short the symbol",
                 .where = "Q28" },
    [R_TOO_FEW] = { .id = "short-locate-insufficient",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_WARN,
                    OG_PREDICTS(LIVE_ASYNC, REJECTED_OR_ASYNC, READING),
                    .says = "{0} is hard to borrow and {1} shares are located, this and the working shorts need {2}",
                    .help = "locate more shares, or lower the quantity",
                    .where = "CON-54" },
    [R_PAPER] = { .id = "short-paper-any",
                  .level = OG_LEVEL_INFO,
                  .undecided = OG_LEVEL_OFF,
                  OG_PREDICTS(NONE, ACCEPTED, STATED),
                  .says = "on paper {0} counts as easy to borrow, on live the short may need a locate",
                  .help = "check the borrow state before going to live",
                  .where = "B5" },
};

/* Returns true if the stock is known to be hard to borrow, and the located shares are known. The borrow state is read
 * first, since no other fact is needed if the stock is easy to borrow. */
static bool hard_to_borrow(const struct og_case *c, struct og_sink *sink, const struct og_reason *r, const char *field)
{
    struct og_str symbol = c->order->symbol;

    return og_need(c, sink, r, OG_FACT_BORROW, symbol, field) && !og_facts_borrow(c->facts, symbol)->easy &&
           og_need(c, sink, r, OG_FACT_LOCATES, (struct og_str){ 0 }, field);
}

static void check_none(const struct og_case *c, struct og_money available, struct og_sink *sink)
{
    if (hard_to_borrow(c, sink, &reasons[R_NONE], "/side") && og_money_cmp(available, og_money_from(0)) <= 0)
        og_found_by_environment(
            c, OG_FIND(sink, &reasons[R_NONE], "/side", og_a_str(c->order->symbol), og_a_int(c->order->quantity)));
}

static void check_few(const struct og_case *c, struct og_money available, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_TOO_FEW];
    const char *field = "/orderQuantity";
    struct og_money needed = og_money_from(c->order->quantity);
    const struct og_holding *h;
    bool few;

    if (!hard_to_borrow(c, sink, r, field) || og_money_cmp(available, og_money_from(0)) <= 0)
        return;
    few = og_money_cmp(available, needed) < 0; /* fewer shares are located than this order alone needs */
    h = c->holding;
    if (h && !og_money_add(needed, h->opening_sell_leaves, &needed)) {
        og_unsure(sink, r, field, "the quantity of the working shorts is out of range");
        return;
    }
    if (!few && !og_need_orders(c, sink, r, field, og_money_cmp(available, needed) < 0))
        return;
    if (og_money_cmp(available, needed) < 0)
        og_found_by_environment(
            c, OG_FIND(sink, r, field, og_a_str(c->order->symbol), og_a_money(available), og_a_money(needed)));
}

static OG_NOINLINE void check_short(const struct og_case *c, struct og_sink *sink)
{
    struct og_money available = { 0, 0 };

    if (og_case_is_paper(c)) {
        OG_FIND(sink, &reasons[R_PAPER], "/side", og_a_str(c->order->symbol));
        return;
    }
    /* `available` stays 0 if the inventory is unknown; og_need() then reports that */
    og_facts_available(c->facts, c->order->symbol, &available);
    check_none(c, available, sink);
    check_few(c, available, sink);
}

/* Returns true if the account is live and the stock is known to be easy to borrow, as most stocks are. */
static inline bool is_easy(const struct og_case *c)
{
    const struct og_order *o = c->order;
    const struct og_borrow *b = og_facts_borrow_by(c->facts, o->symbol, og_lookup_keys_symbol(c->hashes, o));

    *c->asked |= OG_FACT_BORROW;
    return b && b->easy && og_fact_is_fresh(b->as_of, c->facts_at, c->max_age[__builtin_ctz(OG_FACT_BORROW)]) &&
           !og_case_is_paper(c);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    (void)settings;
    if (o->security == OG_STOCK && o->side == OG_SELL && og_opens(o->open_close) > 0 && o->symbol.len && !is_easy(c))
        check_short(c, sink);
}

const struct og_rule og_rule_borrow_locate = {
    OG_PARTS_OF_FILE(borrow_locate),
    .id = "borrow-locate",
    .summary = "a short of stock that is hard to borrow has no or too small a locate",
    .because = "a short without a locate is rejected, often after the rest of the trade is done",
    .stage = OG_STAGE_ACCOUNT,
    .securities = 1u << OG_STOCK,
    .only = OG_TRAIT_SELLS,
    .counts_working = true,
    .reads = OG_FACT_BORROW | OG_FACT_LOCATES | OG_FACT_ORDERS,
};
