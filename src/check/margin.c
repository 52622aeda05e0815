/*
 * Buying power of a case: calls src/margin with the policy's settings, for the rule, for reservations and for what-if
 * requests.  The result is kept in the case for later use.
 */
#include "rules/margin.h"

#include "base/attributes.h"
#include "check/book.h"
#include "margin/cover.h"
#include "margin/daytrade.h"
#include "margin/stock.h"
#include "order/roots.h"
#include "rules/limit.h"

static struct og_str root_of(const struct og_order *o)
{
    if (o->security != OG_MLEG)
        return o->occ.is ? o->occ.root : o->symbol;
    for (int i = 0; i < o->legs_kept; i++)
        if (o->leg[i].occ.is)
            return o->leg[i].occ.root;
    return o->symbol;
}

void og_check_keep_margin(struct og_margin *most, const struct og_margin *m)
{
    bool exceeds = most->exceeds || m->exceeds;

    if (m->state == OG_MARGIN_NOT_ASKED)
        return;
    if (most->state == OG_MARGIN_NOT_ASKED || og_money_cmp(m->taken, most->taken) > 0)
        *most = *m;
    most->exceeds = exceeds;
}

/* Compute the margin by the settings of rule buying-power for the case, even if the rule is off. If it is unknown which
 * overrides apply, take the largest result.  Returns false, with nothing computed, if the rule has no settings. */
static OG_COLD bool ask(const struct og_book *b, const struct og_case *c, struct og_scratch *s, bool any_age,
                        bool exact)
{
    const struct og_policy_rule *rule = &b->policy->rules[OG_ENGINE_MARGIN];
    struct og_margin most = { .state = OG_MARGIN_NOT_ASKED };

    for (size_t i = 0; i <= rule->override_count;) {
        const struct og_margin_settings *settings = og_check_next_setting(rule, c, s->room, &i, NULL)->settings;

        if (!settings)
            continue;
        og_case_margin(c, settings, any_age, exact, c->margin);
        if (og_case_may_cost_more(c, c->margin))
            og_case_take_worst(c, c->margin);
        og_check_keep_margin(&most, c->margin);
    }
    if (most.state != OG_MARGIN_NOT_ASKED)
        *c->margin = most;
    return most.state != OG_MARGIN_NOT_ASKED;
}

OG_HOT struct og_money og_book_cost(const struct og_book *b, const struct og_case *c, struct og_scratch *scratch,
                                    bool exact)
{
    const struct og_money least =
        c->margin->state == OG_MARGIN_NEEDS_QUOTE ? c->margin->taken : (struct og_money){ 0, 0 };

    if ((c->margin->state == OG_MARGIN_NOT_ASKED || c->margin->state == OG_MARGIN_NEEDS_QUOTE ||
         (exact && c->margin->bounded)) &&
        !ask(b, c, scratch, true, exact))
        *c->margin = (struct og_margin){ .state = OG_MARGIN_NOT_MODELLED };
    /* the order needs at least the lower bound that its own prices give */
    if (least.coef > 0 && og_money_cmp(least, c->margin->taken) > 0)
        c->margin->taken = least;
    return c->margin->taken;
}

struct og_money og_book_cost_again(const struct og_book *b, const struct og_case *c, struct og_scratch *scratch)
{
    (void)ask(b, c, scratch, false, true);
    return og_book_cost(b, c, scratch, true);
}

static const char *why(const struct og_margin *m)
{
    switch (m->state) {
    case OG_MARGIN_NEEDS_QUOTE: return "it needs a quote";
    case OG_MARGIN_NO_PRICE: return "a spread without a limit has no price";
    case OG_MARGIN_NOT_MODELLED: return m->why ? m->why : "the order is not well formed";
    case OG_MARGIN_NO_BOUND: return "the loss has no bound";
    case OG_MARGIN_OUT_OF_RANGE: return "it is more than can be counted";
    default: return NULL;
    }
}

static void inform(const struct og_margin *m, const struct og_account *a, struct og_margin_info *to)
{
    *to = (struct og_margin_info){ .known = m->state == OG_MARGIN_KNOWN || m->state == OG_MARGIN_NOTHING };
    to->model = m->state == OG_MARGIN_NOTHING                 ? "closing"
                : to->known || m->state == OG_MARGIN_NO_BOUND ? og_margin_binds_name(m->model)
                                                              : NULL;
    to->why = why(m);
    if (to->known) {
        to->bound = m->lonely || m->needs.len;
        to->required = m->required;
        to->gross = m->gross;
        to->proceeds = m->proceeds;
    }
    if (m->needs.len && m->needs.len < sizeof to->needs)
        memcpy(to->needs, m->needs.s, m->needs.len);
    if (!a)
        return;
    to->has_available = a->has_bp;
    to->available = a->bp;
    to->has_overnight = a->has_overnight_bp;
    to->overnight = a->overnight_bp;
}

/* Set *price to what one share costs, in millionths of a dollar: the order's price, or for a spread the last trade in
 * the quote.  Returns false if it is not known. */
static bool price_share(const struct og_case *c, int64_t *price)
{
    const struct og_order *o = c->order;
    const struct og_quote *quote = og_facts_quote(c->facts, og_root_shares(root_of(o)));
    struct og_money cost;

    if (o->security == OG_MLEG)
        return quote && quote->has_last && og_margin_millionths(quote->last, price);
    if (og_order_cost(o, c->mleg, c->quote, c->worth, &cost) != OG_COST_KNOWN || !og_margin_millionths(cost, price))
        return false;
    *price = (*price + o->quantity - 1) / o->quantity;
    return true;
}

/* Set *s and *shares for an order of shares alone, or of shares and one option (covered call, married put).  Returns
 * false for other orders, for orders that open nothing, and if the price is not known. */
static bool stock_of(const struct og_case *c, struct og_margin_stock *s, int64_t *shares)
{
    const struct og_order *o = c->order;
    enum og_strategy strategy = c->mleg->strategy;

    *s = (struct og_margin_stock){ .is_short = o->security == OG_STOCK && o->side == OG_SELL };
    *shares = o->quantity;
    if (!og_order_may_open(o) || o->quantity == 0 || !price_share(c, &s->price))
        return false;
    if (o->security == OG_STOCK)
        return true;
    *shares *= 100;
    for (int i = 0; i < o->legs_kept; i++)
        if (o->leg[i].occ.is)
            *(strategy == OG_COVERED_CALL ? &s->call : &s->put) = o->leg[i].occ.strike * 1000;
    return strategy == OG_COVERED_CALL || strategy == OG_MARRIED_PUT;
}

static void inform_stock(const struct og_case *c, struct og_margin_info *to)
{
    struct og_margin_stock s;
    int64_t shares;

    to->has_stock = c->order->security != OG_OPTION && stock_of(c, &s, &shares) &&
                    og_margin_dollars((og_wide)og_margin_stock_initial(&s) * shares / 100, &to->initial) &&
                    og_margin_dollars((og_wide)og_margin_stock_held(&s) * shares / 100, &to->maintenance);
}

/* Lower *available to what the policy's model of day trading allows.  Returns false if the model's amount is not
 * known. */
static bool limit(const struct og_case *c, const struct og_margin_settings *s, struct og_money *available)
{
    struct og_money power;

    if (s->daytrade == OG_DAYTRADE_NONE)
        return true;
    if (og_daytrade_power((enum og_daytrade)s->daytrade, og_facts_account(c->facts), og_facts_totals(c->facts), &power))
        return false;
    if (og_money_cmp(power, *available) < 0)
        *available = power;
    return true;
}

/* Lower the available amount to what the settings of rule buying-power that may apply allow. The amount becomes unknown
 * if what one of them allows is unknown. */
static void limit_available(const struct og_book *b, const struct og_case *c, struct og_scratch *s,
                            struct og_margin_info *info)
{
    const struct og_policy_rule *rule = &b->policy->rules[OG_ENGINE_MARGIN];

    for (size_t i = 0; i <= rule->override_count && info->has_available;) {
        const struct og_margin_settings *settings = og_check_next_setting(rule, c, s->room, &i, NULL)->settings;

        info->has_available = !settings || limit(c, settings, &info->available);
    }
}

void og_margin_ask(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                   struct og_margin_info *info)
{
    struct og_case c;

    if (!b || !o || !s || !info)
        return;
    pthread_rwlock_rdlock(&b->lock);
    og_book_case(b, o, now, s, &c);
    if (og_facts_bounds(c.facts)) {
        pthread_rwlock_unlock(&b->lock);
        pthread_rwlock_wrlock(&b->lock);
        og_book_tighten(b, og_book_at(b, c.facts), s);
        og_book_case(b, o, now, s, &c);
    }
    if (o->fault || o->op != OG_OP_ORDER)
        s->margin = (struct og_margin){ .state = OG_MARGIN_NOT_MODELLED };
    else if (!ask(b, &c, s, false, true))
        s->margin = (struct og_margin){ .state = OG_MARGIN_NOT_MODELLED, .why = "the policy has no rule buying-power" };
    inform(&s->margin, og_facts_account(c.facts), info);
    if (info->known)
        inform_stock(&c, info);
    limit_available(b, &c, s, info);
    pthread_rwlock_unlock(&b->lock);
}
