/*
 * The model of buying power: bounds, from below and above, of the amounts that orders use.
 */
#include "adversary.h"

/* Returns true if contracts on the order's stock are, were or may become short: then the order may use less, or more,
 * or be paid from buying power that a close released. */
static bool has_shorts(const struct world *w, const struct order *o)
{
    int stock = w->thing[o->leg[0].thing].stock;

    for (int t = stock + 1; t < stock + 1 + CONTRACTS; t++)
        if (held(w, o, t, false) || works(w, o, t, false, 'O') || works(w, o, t, false, 0) ||
            w->account[o->account].holding[t].freed)
            return true;
    return false;
}

/* Returns true if contracts on the order's stock may be short as far as the gate was told: it may not know that they
 * were closed, or working closes may exceed the position. */
bool may_have_shorts(const struct world *w, const struct order *o)
{
    int stock = w->thing[o->leg[0].thing].stock;

    for (int t = stock + 1; t < stock + 1 + CONTRACTS; t++)
        if (w->account[o->account].holding[t].murky || works(w, o, t, false, 'C') > held(w, o, t, true))
            return true;
    return has_shorts(w, o);
}

wide most_taken(const struct world *w, const struct order *o)
{
    if (closes_all(o) && o->form == STOCK && !may_have_shorts(w, o)) /* otherwise the shares may be cover */
        return 0;
    /* a written contract requires margin whose amount is not modelled here; the amount for an unbounded order is not
     * modelled either */
    bool told = o->form != SPREAD && o->leg[0].buy && !o->unbounded;

    return (told ? o->worth_most : (wide)INT64_MAX * SCALE) * o->leaves;
}

static wide takes(const struct world *w, const struct order *o, bool most)
{
    if (closes_all(o) || (!most && o->form == OPTION && has_shorts(w, o)))
        return 0;
    if (o->form == OPTION && !most && w->thing[o->leg[0].thing].kind == DERIVED) /* not modelled by the gate */
        return 0;
    if (o->form == STOCK || (o->leg[0].buy && o->form == OPTION))
        return (most ? o->worth_most : o->worth) * o->leaves;
    return 0;
}

wide least_taken(const struct world *w, const struct order *o)
{
    return takes(w, o, false);
}

enum verdict judge_power(const struct world *w, const struct order *o, struct measure *m)
{
    const struct account *a = &w->account[o->account];
    wide may = a->bp;

    if (o->form != STOCK && w->thing[o->leg[o->legs - 1].thing].kind == DERIVED)
        return closes_all(o) ? BETWEEN : UNKNOWN; /* what such contracts deliver is not modelled */
    *m = (struct measure){ .unknown = !fresh(w, a->account_at) || o->unbounded };
    for (int i = 0; i < a->orders; i++)
        if (a->order[i].live && !a->order[i].external && &a->order[i] != o)
            m->lo += takes(w, &a->order[i], false);
    m->lo += takes(w, o, false);
    for (int i = 0; i < a->orders; i++)
        /* it is unknown whether bp includes the order */
        m->loose = m->loose || (a->order[i].live && a->order[i].where != IN_ORDERS);
    if (takes(w, o, false) == 0)
        return BETWEEN;
    if (o->form == STOCK || o->form == OPTION) {
        m->hi = a->taken_since + takes(w, o, true);
        if (!m->unknown && !m->loose && o->leg[0].effect == 'O' && o->leg[0].buy && m->hi * 100 <= a->told_bp * 95)
            return m->lo > may ? EXCEEDS : SAFE;
    }
    return m->lo > may && fresh(w, a->account_at) ? EXCEEDS : m->unknown ? UNKNOWN : BETWEEN;
}
