/*
 * locate-sell (1005): whether located shares can be credited back.  The request names the shares by their symbol, or,
 * without a symbol, by the id of a filled quote.  In the inventory, `available` can be sold; `unavailable` shares
 * are taken to be in use for short positions, or used up (CON-32).
 */
#include "rules/rule.h"

enum { R_MISMATCH, R_INSUFFICIENT, R_NOT_ELIGIBLE, R_UNRESOLVABLE };

static const struct og_reason reasons[] = {
    [R_MISMATCH] = { .id = "locate-sell-type-mismatch",
                     .level = OG_LEVEL_WARN,
                     .undecided = OG_LEVEL_INFO,
                     OG_PREDICTS(STATE, LATER, READING),
                     .predicts.code = "16",
                     .says = "the inventory has no row of locateType {0} for {1}",
                     .help = "types 1 and 2 are Locate, 3 PreBorrow, 4 SingleUse",
                     .where = "V18" },
    [R_INSUFFICIENT] = { .id = "locate-sell-insufficient",
                         .level = OG_LEVEL_REFUSE,
                         .undecided = OG_LEVEL_WARN,
                         OG_PREDICTS(STATE, LATER, STATED),
                         .predicts.code = "16",
                         .says = "{0} shares of {1} are to be sold, {2} are available",
                         .where = "Y54" },
    [R_NOT_ELIGIBLE] = { .id = "locate-sell-not-eligible",
                         .level = OG_LEVEL_REFUSE,
                         .undecided = OG_LEVEL_WARN,
                         OG_PREDICTS(STATE, LATER, STATED),
                         .says = "shares of {0} {1}",
                         .help = "cover the short first; a single-use locate is used up once its shares are sold short",
                         .where = "V26" },
    [R_UNRESOLVABLE] = { .id = "locate-sell-unresolvable",
                         .level = OG_LEVEL_WARN,
                         .undecided = OG_LEVEL_INFO,
                         .predicts = OG_NOT_STATED,
                         .says = "no symbol is given, and no filled quote has the id '{0}': it is not known which "
                                 "shares to sell",
                         .help = "give the symbol",
                         .where = "CON-31" },
};

static const struct og_str none = { NULL, 0 };

/* Returns true if the name is one of this locate type's names; IntraDay is the old name of Locate. */
static bool names_type(struct og_str name, int64_t type)
{
    if (type == 1 || type == 2)
        return og_str_is(name, "Locate") || og_str_is(name, "IntraDay");
    return (type == 3 && og_str_is(name, "PreBorrow")) || (type == 4 && og_str_is(name, "SingleUse"));
}

/* Returns the symbol of the request, or the symbol of the filled quote that the request names; empty if neither gives
 * one. */
static struct og_str symbol_of(const struct og_case *c, struct og_sink *sink)
{
    struct og_str symbol = og_request_text(c->request, OG_REQUEST_SYMBOL);
    struct og_str id = og_request_text(c->request, OG_REQUEST_QUOTE_ID);

    if (symbol.len || !id.len)
        return symbol;
    for (const struct og_locate *l = og_facts_locates(c->facts); l; l = l->next)
        if (og_str_eq(l->id, id) && l->status == OG_LOCATE_FILLED)
            return l->symbol;
    if (og_need(c, sink, &reasons[R_UNRESOLVABLE], OG_FACT_LOCATE_HISTORY, none, "/quoteReqID"))
        OG_FIND(sink, &reasons[R_UNRESOLVABLE], "/quoteReqID", og_a_str(id));
    return none;
}

struct stock {
    struct og_money available, unavailable;
    bool any, single_use_spent;
};

static bool stock_of(const struct og_case *c, struct og_str symbol, struct og_str type, struct stock *s)
{
    *s = (struct stock){ .any = false };
    for (const struct og_inventory *i = og_facts_inventory(c->facts, symbol); i; i = i->next) {
        if (!names_type(type, i->type))
            continue;
        s->any = true;
        s->single_use_spent |= i->type == 4 && i->unavailable.coef > 0;
        if (!og_money_add(s->available, i->available, &s->available) ||
            !og_money_add(s->unavailable, i->unavailable, &s->unavailable))
            return false;
    }
    return true;
}

/* Check how many shares can be sold back.  Shares sold short that the inventory does not show as in use are
 * deducted. */
static void check_eligible(const struct og_case *c, struct og_str symbol, const struct stock *s, struct og_money wanted,
                           struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_NOT_ELIGIBLE];
    const struct og_holding *h = og_facts_holding(c->facts, symbol);
    struct og_money tied, free;

    if (s->single_use_spent) {
        OG_FIND(sink, r, "/quoteReqID", og_a_str(symbol), og_a_text("located for single use were used"));
        return;
    }
    if (!og_need(c, sink, r, OG_FACT_POSITIONS, none, "/quoteReqID") || !h || h->held_short.coef == 0)
        return;
    if (!og_money_sub(h->held_short, s->unavailable, &tied) || !og_money_sub(s->available, tied, &free)) {
        og_unsure(sink, r, "/quoteReqID", "the number of shares is out of range");
        return;
    }
    if (tied.coef > 0 && og_money_cmp(wanted, free) > 0)
        OG_FIND(sink, r, "/quoteReqID", og_a_str(symbol), og_a_text("are tied to an open short"));
}

static void check_stock(const struct og_case *c, struct og_str symbol, struct og_str type, struct og_sink *sink)
{
    bool counted = og_request_ok(c->request, OG_REQUEST_QUANTITY);
    struct og_money wanted = c->request->number[OG_REQUEST_QUANTITY];
    struct stock s;

    if (og_need(c, sink, &reasons[R_MISMATCH], OG_FACT_LOCATES, none, "/locateType") && stock_of(c, symbol, type, &s) &&
        !s.any)
        OG_FIND(sink, &reasons[R_MISMATCH], "/locateType", og_a_str(type), og_a_str(symbol));
    if (!counted || !og_need(c, sink, &reasons[R_INSUFFICIENT], OG_FACT_LOCATES, none, "/quantity"))
        return;
    if (!stock_of(c, symbol, type, &s))
        og_unsure(sink, &reasons[R_INSUFFICIENT], "/quantity", "the sum of the inventory is out of range");
    else if (og_money_cmp(wanted, s.available) > 0)
        OG_FIND(sink, &reasons[R_INSUFFICIENT], "/quantity", og_a_money(wanted), og_a_str(symbol),
                og_a_money(s.available));
    else
        check_eligible(c, symbol, &s, wanted, sink);
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    struct og_str type = og_request_text(c->request, OG_REQUEST_LOCATE_TYPE), symbol;

    (void)settings;
    if (c->request->kind != OG_REQUEST_LOCATE_SELL)
        return;
    symbol = symbol_of(c, sink);
    if (symbol.len && type.len)
        check_stock(c, symbol, type, sink);
}

const struct og_rule og_rule_locate_sell = {
    OG_PARTS_OF_FILE(locate_sell),
    .id = "locate-sell",
    .summary = "located shares that cannot be credited back",
    .because = "the service answers 200 in either case, so a credit that is expected may never come",
    .stage = OG_STAGE_ACCOUNT,
    .subjects = OG_SUBJECT_LOCATE,
    .reads = OG_FACT_LOCATES | OG_FACT_LOCATE_HISTORY | OG_FACT_POSITIONS,
};
