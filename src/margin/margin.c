/*
 * Computes the buying power that an order needs.  Stock, and options bought while nothing is written, need their
 * notional, which is computed directly.  For all other orders, the contracts of the order's root are put into a book,
 * whose requirement is computed with and without the order.  Prices are never guessed. A working order may never
 * fill, so it never lowers what another order needs.
 */
#include <stdlib.h>

#include "base/attributes.h"
#include "base/money.h"
#include "margin/cost.h"
#include "margin/daytrade.h"
#include "margin/inputs.h"
#include "order/roots.h"

#define ALL 10000 /* all of a value, in hundredths of a percent */

static const struct og_money zero = { 0, 0 };

const char *og_margin_binds_name(enum og_margin_binds by)
{
    static const char *const names[] = { NULL, "notional", "cash-secured", "strategy", "payoff" };

    return names[by];
}

void og_margin_answer(struct og_margin *m, enum og_margin_state state, const char *why)
{
    m->state = state;
    m->why = why;
}

void og_margin_needs_quote(struct og_margin *m, struct og_str symbol)
{
    m->state = OG_MARGIN_NEEDS_QUOTE;
    m->needs = symbol;
}

/* --- notional, and fees ------------------------------------------------------------------------------------------- */

static inline bool is_free(const struct og_margin_settings *s)
{
    return !(s->fee_per_contract.coef | s->fee_per_share.coef | s->locate_cost.coef);
}

/* Add the fees per contract and per share, and for borrowing shares that are not known to be easy to borrow. */
static bool add_fees(const struct og_margin_question *q, struct og_money *dollars)
{
    const struct og_margin_settings *s = q->settings;
    struct og_margin_parts parts;
    struct og_money more;

    if (!og_margin_parts_of(q->order, &parts))
        return true;
    for (int i = 0; i < parts.count; i++) {
        const struct og_margin_part *x = &parts.part[i];
        const struct og_borrow *b = x->occ->is ? NULL : og_facts_borrow(q->facts, x->symbol);

        if (!og_money_times(x->occ->is ? s->fee_per_contract : s->fee_per_share, x->size, &more) ||
            !og_money_add(*dollars, more, dollars))
            return false;
        if (x->occ->is || x->side != OG_SELL || !x->opens || (b && b->easy))
            continue;
        if (!og_money_times(s->locate_cost, x->size, &more) || !og_money_add(*dollars, more, dollars))
            return false;
    }
    return true;
}

static void known(const struct og_margin_question *q, struct og_margin *m, struct og_money required,
                  struct og_money proceeds, enum og_margin_binds model)
{
    m->model = model;
    m->proceeds = proceeds;
    m->state = OG_MARGIN_KNOWN;
    if (!is_free(q->settings) && !add_fees(q, &required))
        m->state = OG_MARGIN_OUT_OF_RANGE;
    m->required = m->gross = required;
    if (proceeds.coef && !og_money_add(required, proceeds, &m->gross))
        m->state = OG_MARGIN_OUT_OF_RANGE;
}

/* Set the result to the order's notional cost (cost.h), by the quote of its own symbol. */
static OG_HOT void notional(const struct og_margin_question *q, struct og_margin *m, enum og_margin_binds model)
{
    const bool limited = og_order_wants_limit(q->order); /* with a limit, the quote is not used */
    struct og_money cost;

    switch (og_order_cost(q->order, q->mleg, limited ? NULL : og_margin_own_quote(q), q->worth, &cost)) {
    case OG_COST_NONE: og_margin_answer(m, OG_MARGIN_NOTHING, NULL); break;
    case OG_COST_KNOWN: known(q, m, cost, zero, model); break;
    case OG_COST_NEEDS_QUOTE: og_margin_needs_quote(m, q->order->symbol); break;
    case OG_COST_NOT_MODELLED: og_margin_answer(m, OG_MARGIN_NOT_MODELLED, NULL); break;
    case OG_COST_OUT_OF_RANGE: og_margin_answer(m, OG_MARGIN_OUT_OF_RANGE, NULL); break;
    }
}

/* --- what a requirement comes to ---------------------------------------------------------------------------------- */

/* Returns the symbol whose price is missing: the underlying; if that has a price, a call that is written or will be. */
static struct og_str missing(const struct og_margin_inputs *a)
{
    if (a->book.has_under && a->unpriced.len)
        return a->unpriced;
    for (int i = 0; i < a->book.count && a->book.has_under; i++) {
        const struct og_margin_line *l = &a->book.line[i];

        if (l->type == 'C' && !l->priced && !l->shared && (l->held_short || l->coming_short || l->order_short > 0))
            return l->symbol;
    }
    return a->under;
}

/* Set *dollars to the buying power that closing stock frees.  Returns false if the amount is out of range. */
static bool freed(const struct og_margin_inputs *a, struct og_money *dollars)
{
    *dollars = zero;
    return a->q->order->security != OG_STOCK || !a->book.has_under ||
           og_margin_dollars((og_wide)a->book.under * a->q->order->quantity / OG_CONTRACT, dollars);
}

static bool sum_up(struct og_margin_inputs *a, og_wide more, struct og_money *total, struct og_money *proceeds)
{
    struct og_money back;

    *proceeds = zero;
    return og_margin_dollars(more, total) && freed(a, &back) && og_money_sub(*total, back, total) &&
           og_money_add(*total, a->cash, total) && (a->cash.coef >= 0 || og_money_sub(zero, a->cash, proceeds));
}

static void conclude(struct og_margin_inputs *a, og_wide more, bool payoff)
{
    struct og_margin *m = a->m;
    struct og_money total, proceeds;

    m->model = payoff ? OG_BINDS_PAYOFF : OG_BINDS_STRATEGY;
    if (more < -(OG_MARGIN_UNKNOWN / 2)) /* the order frees an unknown amount, which is not counted */
        more = 0;
    m->lonely &= more != 0; /* a requirement of 0 does not depend on the positions */
    if (more > OG_MARGIN_UNKNOWN / 2) {
        if (payoff)
            og_margin_answer(m, OG_MARGIN_NO_BOUND, NULL);
        else
            og_margin_needs_quote(m, missing(a));
    } else if (m->closes && more <= 0) {
        m->state = OG_MARGIN_NOTHING;
    } else if (!m->closes || a->q->order->security == OG_STOCK || og_margin_pay(a)) {
        if (!sum_up(a, more, &total, &proceeds)) {
            og_margin_answer(m, OG_MARGIN_OUT_OF_RANGE, NULL);
            return;
        }
        if (more != 0 && !payoff && !a->book.has_under)
            m->needs = a->under;
        /* the order buys a long contract that makes a short need less, but the short may be closed before the long */
        if (!m->closes && a->cash.coef > 0)
            m->taken = a->cash;
        /* the model is "notional" if the order is paid in full and requires nothing more; if a written contract
         * requires nothing, the model is the one by which it requires nothing */
        known(a->q, m, total, proceeds, more == 0 && a->cash.coef > 0 ? OG_BINDS_NOTIONAL : m->model);
        if (m->closes && m->required.coef <= 0)
            m->state = OG_MARGIN_NOTHING;
    }
}

/* Returns true if neither model charges more than the premium for the order's options. */
static OG_HOT bool charge(struct og_margin_inputs *a,
                          og_wide (*charged)(struct og_margin_inputs *, enum og_margin_mode))
{
    const int32_t model = a->q->settings->model;
    og_wide strategy = 0, payoff = 0;
    bool binds;

    if (!og_margin_price_written(a)) {
        og_margin_answer(a->m, OG_MARGIN_OUT_OF_RANGE, NULL);
        return false;
    }
    if (model != OG_MARGIN_BY_PAYOFF)
        strategy = charged(a, OG_MARGIN_STRATEGY);
    if (model != OG_MARGIN_BY_STRATEGY)
        payoff = charged(a, OG_MARGIN_PAYOFF);
    binds = model == OG_MARGIN_BY_PAYOFF || (model == OG_MARGIN_BY_BOTH && payoff > strategy);
    conclude(a, binds ? payoff : strategy, binds);
    return !strategy && !payoff;
}

static bool is_enough(const struct og_margin_question *q, const struct og_margin *m)
{
    return m->state == OG_MARGIN_KNOWN && !m->needs.len && og_margin_is_enough(q, m->required);
}

/* For a spread of a known shape, set the result to its maximum loss, which its margin never exceeds. Returns true if
 * buying power covers this loss, so that no pairing has to be searched. */
static bool by_loss(struct og_margin_inputs *a)
{
    const struct og_margin_question *q = a->q;
    struct og_money most, proceeds = zero;

    if (q->settings->model != OG_MARGIN_BY_STRATEGY || a->parts.closes || a->parts.stock)
        return false;
    if (!q->result || !q->result->has_worst || !og_money_sub(zero, q->result->worst, &most) ||
        (a->cash.coef < 0 && !og_money_sub(zero, a->cash, &proceeds)))
        return false;
    known(q, a->m, most, proceeds, og_money_cmp(most, a->cash) == 0 ? OG_BINDS_NOTIONAL : OG_BINDS_STRATEGY);
    return is_enough(q, a->m);
}

/* For an opening order, set the result to the requirement of the order by itself. Returns true if that amount is
 * exact, or suffices. It is exact if no other contract is written and the order by itself requires nothing: other
 * positions then do not matter. */
static bool by_itself(struct og_margin_inputs *a)
{
    const struct og_margin before = *a->m;
    bool sole = !og_margin_others(a) && !og_facts_holding(a->q->facts, og_root_shares(a->parts.root));
    bool bound = og_margin_may_bound(a);
    bool written = og_margin_shorts_of(a, 'C') || og_margin_shorts_of(a, 'P'), nothing = true;

    if (bound && by_loss(a)) {
        a->m->bounded = written || a->m->model != OG_BINDS_NOTIONAL;
        return true;
    }
    *a->m = before;
    if (a->parts.closes || (!sole && !bound && written))
        return false;
    if (!a->parts.sells)
        conclude(a, 0, a->q->settings->model == OG_MARGIN_BY_PAYOFF); /* a bought option needs only its premium */
    else if (og_margin_fill_alone(a))
        nothing = charge(a, og_margin_alone);
    else
        return false;
    a->m->bounded = !sole && (written || !nothing);
    if (!a->m->bounded || (bound && is_enough(a->q, a->m)))
        return true;
    *a->m = before;
    return false;
}

static void by_book(struct og_margin_inputs *a)
{
    if (by_itself(a))
        return;
    if (og_margin_fill(a))
        (void)charge(a, og_margin_added);
    else
        og_margin_answer(a->m, OG_MARGIN_NOT_MODELLED, "an order on a root with very many contracts");
}

/* --- which way the answer is computed ----------------------------------------------------------------------------- */

/* Returns true for a written put that needs its whole strike, without its premium (S5), because no short shares cover
 * it. */
static bool is_secured_put(const struct og_margin_question *q)
{
    const struct og_order *o = q->order;
    const struct og_holding *h;

    if (o->side != OG_SELL || o->security != OG_OPTION || o->occ.type != 'P' || !og_order_may_open(o) ||
        !og_margin_has_secured_puts(q))
        return false;
    h = og_facts_holding(q->facts, og_root_shares(o->occ.root));
    return !h || og_money_floor(h->held_short) / OG_CONTRACT < o->quantity;
}

static int nine_months_from(int date)
{
    int year = date / 10000, month = date / 100 % 100 + 9;

    return month > 12 ? (year + 1) * 10000 + (month - 12) * 100 + date % 100 : year * 10000 + month * 100 + date % 100;
}

/* Set the result to the premium alone: the order writes nothing, and there is no written contract to cover. */
static void notional_premium(struct og_margin_inputs *a)
{
    const struct og_order *o = a->q->order;
    struct og_money takes = a->cash;

    a->m->lonely = false;
    if (a->q->settings->long_dated != ALL && o->security == OG_OPTION && o->occ.expiry > nine_months_from(a->q->date) &&
        !og_money_share(a->cash, a->q->settings->long_dated, &takes))
        takes = a->cash;
    known(a->q, a->m, takes, zero, OG_BINDS_NOTIONAL);
}

/* Compute the result for options, and for closes of stock that may uncover options. */
static void by_root(struct og_margin_inputs *a)
{
    const struct og_margin_question *q = a->q;
    const struct og_margin_parts *parts = &a->parts;
    bool shorts = og_margin_shorts_of(a, 'C') || og_margin_shorts_of(a, 'P') ||
                  (parts->stock && !parts->opens && og_margin_has_shorts_on_shares(a, parts->root));

    a->cash = zero;
    if (is_secured_put(q))
        notional(q, a->m, OG_BINDS_CASH);
    else if (!parts->opens && (!shorts || og_margin_stays_covered(a)))
        a->m->state = OG_MARGIN_NOTHING;
    else if (parts->opens && !og_margin_pay(a))
        return; /* the result is already set */
    else if (shorts || (parts->opens && parts->sells))
        by_book(a);
    else
        notional_premium(a);
}

static bool is_ordinary(struct og_str root)
{
    return root.len && !og_root_is_adjusted(root) && !og_root_is_flex(root);
}

/* Compute the result for an order whose symbols may have many contracts; a close of stock without contracts needs
 * nothing. */
static OG_HOT OG_NOINLINE void by_parts(const struct og_margin_question *q, struct og_margin *m)
{
    const struct og_order *o = q->order;
    struct og_margin_inputs *a = q->room;
    struct og_str root = { NULL, 0 };
    int64_t as_of;

    a->q = q;
    a->m = m;
    if (o->security == OG_STOCK) {
        root = og_root_on(o->symbol);
        a->on_root = og_facts_root(q->facts, root);
        if (!og_margin_others(a) && !og_margin_has_shorts_on_shares(a, root)) {
            m->state = OG_MARGIN_NOTHING;
            return;
        }
    }
    if (!og_margin_parts_of(o, &a->parts))
        return;
    if (a->parts.stock && o->security == OG_MLEG && q->mleg->strategy == OG_STRATEGY_NONE)
        return;
    m->closes = !a->parts.opens;
    m->lonely = a->parts.opens && !og_facts_known(q->facts, OG_FACT_POSITIONS, &as_of);
    if (o->security == OG_STOCK)
        a->parts.root = root;
    else
        a->on_root = q->holding && o->security == OG_OPTION ? og_facts_root_of(q->holding)
                                                            : og_facts_root(q->facts, a->parts.root);
    if (is_ordinary(a->parts.root))
        by_root(a);
    else
        m->why = "a contract that may not be for 100 shares";
}

struct og_margin_inputs *og_margin_room_new(void)
{
    return malloc(sizeof(struct og_margin_inputs)); /* some 350 KB, most of which is usually never written to */
}

void og_margin_room_free(struct og_margin_inputs *room)
{
    free(room);
}

/* Set the members one by one: an assignment of the whole would be compiled to `rep stos`. */
static inline void clear(struct og_margin *m)
{
    m->state = OG_MARGIN_NOT_MODELLED;
    m->required = zero;
    m->gross = zero;
    m->proceeds = zero;
    m->taken = zero;
    m->model = OG_BINDS_NONE;
    m->closes = m->lonely = m->bounded = m->exceeds = m->assumed = false;
    m->needs = (struct og_str){ NULL, 0 };
    m->why = NULL;
}

OG_HOT void og_margin_of(const struct og_margin_question *q, struct og_margin *m)
{
    clear(m);
    if (q->order->security == OG_STOCK && og_order_may_open(q->order))
        notional(q, m, OG_BINDS_NOTIONAL);
    else
        by_parts(q, m);
    if (m->state == OG_MARGIN_KNOWN && !og_money_is_within(m->required, m->taken))
        m->taken = m->required;
}
