/*
 * position-limit (905): a position would grow beyond what the desk allows, in shares or contracts of one symbol. The
 * worst case counts: the position on the order's side, plus all working orders that may add to it, among them closes of
 * more than is held.  Each leg of a spread is checked for its own symbol.  Buys and sells are not netted, since either
 * may fill alone.
 */
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    int64_t shares, contracts;
};

static const struct og_param params[] = {
    { .key = "shares",
      .of_shares = true,
      OG_MOST_INT(shares, "0"),
      .help = "how many shares of one symbol may be held and in working orders, on either side; 1000000000 means no "
              "limit; does not bind exits" },
    { .key = "contracts",
      OG_MOST_INT(contracts, "0"),
      .help = "how many of one contract may be held and in working orders, on either side; 1000000000: no limit; does "
              "not bind exits" },
};

enum { R_EXCEEDED };

static const struct og_reason reasons[] = {
    [R_EXCEEDED] = { .id = "position-above-limit",
                     OG_SET_BY_DESK,
                     .says = "{0} of {1} would be held {2}, the desk allows {3}",
                     .help = "lower the quantity, or cancel working orders on the same side" },
};

/* Add up the order's trades 0 to i that have the symbol and side of trade i. *worst: the units that they open in the
 * worst case; *opens: the sizes of those that may open; *closes: the sizes of those that only close. Returns false if
 * a sum is out of range. */
static bool ours(const struct og_case *c, int i, const struct og_trade *t, struct og_money *worst,
                 struct og_money *opens, struct og_money *closes)
{
    struct og_money more;

    *worst = *opens = *closes = og_money_from(0);
    for (int k = 0; k <= i; k++) {
        const struct og_trade other = og_order_trade(c->order, k);
        struct og_money *of = og_trade_may_open(&other) ? opens : closes;

        if (other.side == t->side && og_str_eq(other.symbol, t->symbol) &&
            (!og_case_opening(c, k, &more) || !og_money_add(*worst, more, worst) ||
             !og_money_add(*of, og_money_from(other.size), of)))
            return false;
    }
    return true;
}

/* Add to *sum the position on that side, and what working orders and further closes of this size may add to it. Returns
 * false if the sum is out of range. */
static bool add_held(const struct og_holding *h, enum og_side side, struct og_money closes, struct og_money *sum)
{
    const bool buys = side == OG_BUY;
    struct og_money over;

    return og_money_add(*sum, buys ? h->held_long : h->held_short, sum) &&
           og_money_add(*sum, buys ? h->opening_buy_leaves : h->opening_sell_leaves, sum) &&
           og_holding_over(h, side, closes, &over) && og_money_add(*sum, over, sum);
}

/* Set *sum to the position that may be held on the trade's side after every working order and this order's other trades
 * have filled. An order of unknown openClose counts as opening. If it closes instead, other orders that were to close
 * the same position may open, but no more than its size. Returns false if *sum is out of range. */
static bool worst_case(const struct og_case *c, int i, const struct og_trade *t, struct og_money *sum)
{
    const struct og_holding *h = og_case_holding(c, t);
    struct og_money opens, closes;
    int64_t as_of;

    if (!ours(c, i, t, sum, &opens, &closes))
        return false;
    if (sum->coef == 0 || !h)
        return true;
    if (!og_facts_known(c->facts, OG_FACT_POSITIONS, &as_of))
        closes = og_money_from(0);
    *sum = opens;
    return add_held(h, t->side, closes, sum);
}

/* Returns why the worst case is unknown: the size of a working order is unknown, or the legs of a spread are. Returns
 * NULL if it is known. */
static const char *unknown(const struct og_case *c, const struct og_trade *t)
{
    const struct og_holding *h = og_case_holding(c, t);

    if (h && h->unsized)
        return "the size of a working order is not known";
    return og_facts_has_legless(c->facts, t->occ->is ? t->occ->root : t->symbol)
               ? "it is not known what a working order trades"
               : NULL;
}

static void check_trade(const struct og_case *c, int i, const struct og_trade *t, int64_t most, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_EXCEEDED];
    const char *field = c->order->security == OG_MLEG ? og_leg_pointer(i, -1) : "/orderQuantity", *why;
    struct og_money sum;

    if (!worst_case(c, i, t, &sum))
        og_unsure(sink, r, field, "the sum held and working is out of range");
    else if (og_money_cmp(sum, og_money_from(most)) > 0)
        OG_FIND(sink, r, field, og_a_money(sum), og_a_str(t->symbol), og_a_text(t->side == OG_BUY ? "long" : "short"),
                og_a_int(most));
    else if (sum.coef > 0 && og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, field) &&
             og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, field) && (why = unknown(c, t)))
        og_unsure(sink, r, field, why);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;

    if ((s->shares == OG_UNLIMITED && s->contracts == OG_UNLIMITED) || og_case_reduces(c))
        return;
    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);
        const int64_t most =
            o->security == OG_OPTION || (o->security == OG_MLEG && t.occ->is) ? s->contracts : s->shares;

        if (most != OG_UNLIMITED && t.side != OG_SIDE_NONE && t.symbol.len && t.size > 0)
            check_trade(c, i, &t, most, sink);
    }
}

static void put_side(const struct og_usage_case *u, const struct og_holding *h, enum og_side side,
                     struct og_limit_use use)
{
    use.measure = side == OG_BUY ? "long" : "short";
    use.used = og_money_from(0);
    use.unknown = h && !add_held(h, side, og_money_from(0), &use.used);
    use.at_least = h && (h->unsized || og_facts_has_legless(u->facts, h->occ.is ? h->occ.root : h->traded));
    og_use_put(u, &use);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct settings *s = settings;
    struct og_limit_use use = { .of = OG_USAGE_SYMBOL, .reads = OG_FACT_POSITIONS | OG_FACT_ORDERS };

    for (int contracts = 0; contracts < 2; contracts++) {
        const int64_t most = contracts ? s->contracts : s->shares;
        bool some = most == OG_UNLIMITED;

        use.setting = contracts ? "contracts" : "shares";
        use.unit = contracts ? OG_UNIT_CONTRACTS : OG_UNIT_SHARES;
        use.allowed = og_money_from(most);
        for (size_t i = 0; i < u->symbols && most != OG_UNLIMITED; i++) {
            const struct og_holding *h = og_facts_holding(u->facts, u->symbol[i]);

            if (!h || h->occ.is != (contracts > 0))
                continue;
            some = true;
            use.name = u->symbol[i];
            put_side(u, h, OG_BUY, use);
            put_side(u, h, OG_SELL, use);
        }
        use.name = (struct og_str){ NULL, 0 };
        if (!some)
            put_side(u, NULL, OG_BUY, use);
    }
}

const struct og_rule og_rule_position_limit = {
    OG_PARTS_OF_FILE(position_limit),
    .id = "position-limit",
    .summary = "a position would grow beyond what the desk allows",
    .because = "many small orders make a large position",
    .stage = OG_STAGE_ACCOUNT,
    .limit = true,
    .limits_size = OG_LIMITS_POSITIONS,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_POSITIONS | OG_FACT_ORDERS,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
