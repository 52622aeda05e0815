/*
 * The model of cash-secured puts: how much all puts can lose that are written on an account or may still be written,
 * and how much is bought beside them.
 */
#include <string.h>

#include "adversary.h"

/* Returns by how much an order's legs change a thing (a stock or contract) when the order fills, in contracts times
 * SCALE. */
static int64_t does(const struct order *o, int thing, bool buy, char effect)
{
    int64_t sum = 0;

    for (int i = 0; i < o->legs; i++)
        if (o->leg[i].thing == thing && o->leg[i].buy == buy && o->leg[i].effect == effect)
            sum += o->leg[i].ratio * o->leaves * SCALE;
    return sum;
}

/* Count the order as filled: contracts that it writes are short, contracts that a spread buys are long, and contracts
 * that it buys back are no longer short. A single order that buys need not fill before the stock falls. */
static void fill(const struct order *o, int thing, bool own, struct holding *h, int64_t *sold)
{
    const bool all = own || o->form == SPREAD;
    int64_t back = all ? does(o, thing, true, 'C') : 0, maybe = does(o, thing, false, 0);

    h->shares[0] += does(o, thing, false, 'O');
    h->shares[0] -= back < h->shares[0] ? back : h->shares[0];
    h->shares[1] += all ? does(o, thing, true, 'O') + does(o, thing, true, 0) : 0;
    *sold += does(o, thing, false, 'C') + maybe;
}

/* Returns the worst loss of the puts on all stocks once all working orders have filled, with or without the order. */
static wide loss(const struct world *w, const struct order *o, bool with)
{
    const struct account *a = &w->account[o->account];
    struct holding holding[THINGS];
    int64_t sold[CONTRACTS];
    wide sum = 0;

    memcpy(holding, a->holding, sizeof holding);
    for (int stock = 0; stock < THINGS; stock += 1 + CONTRACTS) {
        for (int k = 0; k < CONTRACTS; k++) {
            struct holding *h = &holding[stock + 1 + k];
            const int64_t doubt = h->doubt[0] < h->shares[0] ? h->doubt[0] : h->shares[0];

            h->shares[0] -= doubt;
            h->value[0] = sold[k] = 0;
            for (int i = 0; i < a->orders; i++)
                if (a->order[i].live && &a->order[i] != o)
                    fill(&a->order[i], stock + 1 + k, false, h, &sold[k]);
            if (with)
                fill(o, stock + 1 + k, true, h, &sold[k]);
        }
        sum += puts_lose(w, holding, stock, sold);
    }
    return sum;
}

bool buys_at_worth(const struct order *o)
{
    return o->form != SPREAD && o->leg[0].buy && o->leg[0].effect;
}

static bool buys(const struct order *o)
{
    return buys_at_worth(o) && o->leg[0].effect == 'O';
}

/* Returns the cost of a working order that buys. For a close of puts only the cost beyond their strikes counts,
 * because the strikes count if it does not fill. */
static wide costs(const struct world *w, const struct order *o)
{
    const struct thing *t = &w->thing[o->leg[0].thing];
    const wide frees = buys(o) || t->type != 'P' ? 0 : (wide)t->strike * 100 * SCALE;

    return o->worth > frees ? (o->worth - frees) * o->leaves : 0;
}

/* Returns a lower bound of the cost of working purchases, plus the amount paid since the gate last read the cash. */
static wide cost(const struct world *w, const struct order *o, bool with)
{
    const struct account *a = &w->account[o->account];
    wide sum = a->spent + (with && buys(o) && !o->unbounded ? o->worth * o->leaves : 0);

    for (int i = 0; i < a->orders; i++) {
        const struct order *other = &a->order[i];

        if (other->live && other != o && !other->external && !other->unbounded && buys_at_worth(other))
            sum += costs(w, other);
    }
    return sum;
}

/* Returns an upper bound of the cash that an order may tie up: the strike of each put that it may write, plus its
 * whole worth. */
static wide most_tied(const struct world *w, const struct order *o)
{
    wide sum = o->worth_most * o->leaves;

    for (int i = 0; i < o->legs; i++)
        if (!o->leg[i].buy && w->thing[o->leg[i].thing].type == 'P')
            sum += (wide)w->thing[o->leg[i].thing].strike * 100 * SCALE * o->leg[i].ratio * o->leaves;
    return sum;
}

static void most(const struct world *w, const struct order *o, struct measure *m)
{
    const struct account *a = &w->account[o->account];

    m->hi = most_tied(w, o) + w->account[o->account].spent;
    m->loose = m->loose || o->unbounded;
    for (int i = 0; i < THINGS; i++) {
        m->loose = m->loose || a->holding[i].murky || a->holding[i].untold;
        if (w->thing[i].type == 'P')
            m->hi += (wide)w->thing[i].strike * 100 * a->holding[i].shares[0];
    }
    for (int i = 0; i < a->orders; i++)
        if (a->order[i].live && &a->order[i] != o) {
            m->hi += most_tied(w, &a->order[i]);
            m->loose = m->loose || a->order[i].unbounded || a->order[i].external;
        }
}

static bool sells_puts(const struct world *w, const struct order *o, char effect)
{
    for (int i = 0; i < o->legs; i++)
        if (!o->leg[i].buy && w->thing[o->leg[i].thing].type == 'P' && (!effect || o->leg[i].effect == effect))
            return true;
    return false;
}

/* With `known`, the gate got positions, orders and the account recently, and they lack nothing. */
enum verdict judge_secured(const struct world *w, const struct order *o, bool known, struct measure *m)
{
    const wide cash = (wide)w->account[o->account].equity * SCALE * SCALE;
    const wide before = loss(w, o, false), after = loss(w, o, true);

    *m = (struct measure){ .lo = after + cost(w, o, true), .dark = !known, .unknown = !known };
    most(w, o, m);
    if (!known)
        return o->form == OPTION && sells_puts(w, o, 'O') ? UNKNOWN : BETWEEN;
    /* An account that already exceeds its cash may buy puts. They cover short puts as far as the gate knows of fills,
     * though in truth other puts may cover these already. */
    if (o->form == OPTION && buys(o) && w->thing[o->leg[0].thing].type == 'P' && before + cost(w, o, false) > cash)
        return BETWEEN;
    if (after > 0 && m->lo > cash && m->lo > before + cost(w, o, false) && (sells_puts(w, o, 0) || buys(o)))
        return EXCEEDS;
    return !m->loose && m->hi * 100 <= cash * 95 ? SAFE : BETWEEN;
}
