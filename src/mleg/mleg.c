/*
 * Recognizes strategies by a table of shapes, with which the sorted legs are compared. Only the legs decide;
 * underlyings, prices and positions are checked elsewhere.
 */
#include "mleg/mleg.h"

#include "base/attributes.h"
#include "base/gcd.h"

#define LEGS_MOST 4
#define LETTERS   8 /* one letter for each leg, padded with zeros, so that all letters are compared at once */

/* A shape of option legs, sorted by strike and then by type. The signs may also be all reversed, which exchanges debit
 * and credit. */
struct shape {
    char types[LETTERS];   /* C or P for each leg */
    char strikes[LETTERS]; /* how each strike compares with the next: '<' or '=' */
    char ratios[LETTERS];
    char signs[LETTERS];
    enum og_strategy strategy;
    enum og_net net;
};

static const struct shape shapes[] = {
    { "CC", "<", "11", "+-", OG_CALL_VERTICAL, OG_DEBIT },
    { "PP", "<", "11", "-+", OG_PUT_VERTICAL, OG_DEBIT },
    { "CP", "=", "11", "++", OG_STRADDLE, OG_DEBIT },
    { "PC", "<", "11", "++", OG_STRANGLE, OG_DEBIT },
    { "CCC", "<<", "121", "+-+", OG_BUTTERFLY, OG_DEBIT },
    { "PPP", "<<", "121", "+-+", OG_BUTTERFLY, OG_DEBIT },
    { "CCCC", "<<<", "1111", "+--+", OG_CONDOR, OG_DEBIT },
    { "PPPP", "<<<", "1111", "+--+", OG_CONDOR, OG_DEBIT },
    { "PCPC", "<=<", "1111", "+--+", OG_IRON_BUTTERFLY, OG_CREDIT },
    { "PPCC", "<<<", "1111", "+--+", OG_IRON_CONDOR, OG_CREDIT },
};

/* Shapes of 100 shares and one option. Each entry says Open or Close, so its signs are never reversed. */
static const struct {
    char type;
    enum og_side stock, option;
    enum og_open_close open_close;
    enum og_strategy strategy;
    enum og_net net;
} covers[] = {
    { 'C', OG_BUY, OG_SELL, OG_OPEN, OG_COVERED_CALL, OG_DEBIT },
    { 'C', OG_SELL, OG_BUY, OG_CLOSE, OG_COVERED_CALL, OG_CREDIT },
    { 'P', OG_BUY, OG_BUY, OG_OPEN, OG_MARRIED_PUT, OG_DEBIT },
    { 'P', OG_SELL, OG_SELL, OG_CLOSE, OG_MARRIED_PUT, OG_CREDIT },
};

/* The sorted option legs, and strings that describe them with one letter for each leg, as in struct shape. */
struct view {
    int count;
    const struct og_leg *leg[LEGS_MOST];
    char types[LETTERS], strikes[LETTERS], ratios[LETTERS], signs[LETTERS], flipped[LETTERS];
};

static bool leg_is_formed(const struct og_leg *l)
{
    if (!l->is_object || l->field[OG_LEG_SYMBOL].status != OG_VALID || !og_leg_symbol_fits(l))
        return false;
    if (l->side == OG_SIDE_NONE || l->ratio == 0)
        return false;
    /* a leg with a misspelt openClose counts as well formed, since the broker answers it with 200 and status
     * Rejected */
    return l->field[OG_LEG_OPEN_CLOSE].status == OG_VALID || l->field[OG_LEG_OPEN_CLOSE].status == OG_WRONG_VALUE;
}

static bool sorts_after(const struct og_leg *a, const struct og_leg *b)
{
    return a->occ.strike != b->occ.strike ? a->occ.strike > b->occ.strike : a->occ.type > b->occ.type;
}

static void view_of(const struct og_order *o, struct view *v)
{
    *v = (struct view){ .count = 0 };
    for (int i = 0; i < o->leg_count; i++) {
        if (!o->leg[i].occ.is)
            continue;
        int at = v->count++;
        for (; at > 0 && sorts_after(v->leg[at - 1], &o->leg[i]); at--)
            v->leg[at] = v->leg[at - 1];
        v->leg[at] = &o->leg[i];
    }
    for (int i = 0; i < v->count; i++) {
        const struct og_leg *l = v->leg[i];

        v->types[i] = l->occ.type;
        v->ratios[i] = l->ratio < 10 ? (char)('0' + l->ratio) : '*';
        v->signs[i] = l->side == OG_BUY ? '+' : '-';
        v->flipped[i] = l->side == OG_BUY ? '-' : '+';
        if (i > 0)
            v->strikes[i - 1] = v->leg[i - 1]->occ.strike < l->occ.strike ? '<' : '=';
    }
}

static bool letters_equal(const char *a, const char *b)
{
    return memcmp(a, b, LETTERS) == 0;
}

static const struct shape *shape_of(const struct view *v, bool *flipped)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const struct shape *s = &shapes[i];

        if (!letters_equal(s->types, v->types) || !letters_equal(s->strikes, v->strikes) ||
            !letters_equal(s->ratios, v->ratios))
            continue;
        *flipped = letters_equal(s->signs, v->flipped);
        if (*flipped || letters_equal(s->signs, v->signs))
            return s;
    }
    return NULL;
}

/* Set the widths of the wings. Two legs have one width. Three legs have two, which share the middle strike. Four legs
 * have one between the first two and one between the last two; in iron shapes these are the puts and the calls. */
static void measure_widths(const struct view *v, struct og_mleg *m)
{
    int64_t low, high;

    if (m->strategy == OG_STRADDLE || m->strategy == OG_STRANGLE)
        return;
    low = v->leg[1]->occ.strike - v->leg[0]->occ.strike;
    high = v->leg[v->count - 1]->occ.strike - v->leg[v->count - 2]->occ.strike;
    m->unequal_wings = low != high;
    m->width = low > high ? low : high;
}

static bool recognise_options(const struct view *v, struct og_mleg *m, bool opens, bool closes)
{
    bool flipped = false;
    const struct shape *s = shape_of(v, &flipped);

    if (!s)
        return false;
    m->strategy = s->strategy;
    m->net = !flipped ? s->net : s->net == OG_DEBIT ? OG_CREDIT : OG_DEBIT;
    m->mixed_open_close = opens && closes;
    measure_widths(v, m);
    if (m->strategy == OG_BUTTERFLY && m->unequal_wings)
        m->net = OG_NET_UNDETERMINED;
    return true;
}

static bool recognise_cover(const struct og_leg *stock, const struct og_leg *option, struct og_mleg *m)
{
    if (stock->ratio != 100 || option->ratio != 1)
        return false;
    for (size_t i = 0; i < sizeof covers / sizeof covers[0]; i++) {
        if (covers[i].type != option->occ.type || covers[i].stock != stock->side || covers[i].option != option->side ||
            covers[i].open_close != stock->open_close || covers[i].open_close != option->open_close)
            continue;
        m->strategy = covers[i].strategy;
        m->net = covers[i].net;
        return true;
    }
    return false;
}

/* Returns true for shapes that the service's document does not mention, so that it is only assumed that the broker
 * rejects them. */
static bool is_borderline(const struct og_order *o, const struct view *v)
{
    bool ones = strspn(v->ratios, "1") == (size_t)v->count;
    int calls = 0;

    /* a leg is stock: with two legs, the order is either 100 shares and one option in a combination that the document
     * does not name, or shares without an option */
    if (v->count < o->leg_count)
        return o->leg_count == 2;
    for (int i = 0; i < v->count; i++)
        calls += v->types[i] == 'C';
    for (int i = 1; i < v->count; i++)
        if (v->strikes[i - 1] == '=' && v->types[i - 1] == v->types[i])
            return true; /* two legs are the same contract */
    if (v->count == 2)
        return ones && calls == 1; /* the borderline shapes: synthetic, risk reversal and guts */
    if (v->count != 4 || calls == 0 || calls == 4)
        return false;
    if (calls != 2)
        return true;
    /* two calls and two puts are borderline, except for shapes that the document mentions: boxes (two strikes), and
     * legs with the strikes of an iron shape but other signs */
    return strcmp(v->strikes, "=<=") != 0 && strcmp(v->types, "PPCC") != 0 &&
           !(strcmp(v->types, "PCPC") == 0 && strcmp(v->strikes, "<=<") == 0);
}

static enum og_mleg_fault recognise(const struct og_order *o, struct og_mleg *m)
{
    struct view v;
    bool opens = false, closes = false, buys = false, sells = false, known;

    m->all_open = m->all_close = true;
    for (int i = 0; i < o->leg_count; i++) {
        opens |= o->leg[i].open_close == OG_OPEN;
        closes |= o->leg[i].open_close == OG_CLOSE;
        m->all_open &= o->leg[i].open_close == OG_OPEN;
        m->all_close &= o->leg[i].open_close == OG_CLOSE;
        buys |= o->leg[i].side == OG_BUY;
        sells |= o->leg[i].side == OG_SELL;
    }
    view_of(o, &v);
    if (v.count == o->leg_count)
        known = recognise_options(&v, m, opens, closes);
    else
        known = o->leg_count == 2 && v.count == 1 && recognise_cover(&o->leg[m->stock_leg], v.leg[0], m);
    if (known) {
        m->one_sided = buys != sells;
        return OG_MLEG_FINE;
    }
    m->borderline = is_borderline(o, &v);
    return buys != sells ? OG_MLEG_ONE_SIDED : OG_MLEG_UNSUPPORTED;
}

/* Find the properties of the legs, also of legs that are not all well formed. */
static void examine_legs(const struct og_order *o, struct og_mleg *m)
{
    const struct og_leg *before = NULL;
    bool all_ratios = o->leg_count == o->legs_kept && o->legs_kept > 1;

    m->stock_leg = -1;
    m->ascending = true;
    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *l = &o->leg[i];

        all_ratios &= l->ratio != 0;
        m->common_divisor = og_gcd(m->common_divisor, l->ratio);
        if (!l->occ.is) {
            if (m->stock_leg < 0 && l->symbol.len > 0)
                m->stock_leg = i;
            continue;
        }
        if (before) {
            m->calendar |= l->occ.expiry != before->occ.expiry;
            m->ascending &= l->occ.strike >= before->occ.strike;
        }
        before = l;
    }
    if (!all_ratios)
        m->common_divisor = 0;
    m->divisor = m->common_divisor > 1;
}

OG_HOT void og_mleg_of(const struct og_order *o, struct og_mleg *m)
{
    *m = (struct og_mleg){ .stock_leg = -1 };
    if (o->security != OG_MLEG)
        return;
    examine_legs(o, m);
    for (int i = 0; i < o->legs_kept; i++)
        if (!leg_is_formed(&o->leg[i]))
            m->fault = OG_MLEG_LEG_FORM;
    if (o->leg_count < 2)
        m->fault = OG_MLEG_TOO_FEW;
    else if (o->leg_count > LEGS_MOST)
        m->fault = OG_MLEG_TOO_MANY;
    else if (m->fault == OG_MLEG_FINE)
        m->fault = m->calendar ? OG_MLEG_CALENDAR : m->divisor ? OG_MLEG_DIVISOR : recognise(o, m);
}

const char *og_strategy_name(enum og_strategy s)
{
    static const char *const names[] = {
        [OG_STRATEGY_NONE] = "",
        [OG_CALL_VERTICAL] = "call-vertical",
        [OG_PUT_VERTICAL] = "put-vertical",
        [OG_STRADDLE] = "straddle",
        [OG_STRANGLE] = "strangle",
        [OG_BUTTERFLY] = "butterfly",
        [OG_CONDOR] = "condor",
        [OG_IRON_BUTTERFLY] = "iron-butterfly",
        [OG_IRON_CONDOR] = "iron-condor",
        [OG_COVERED_CALL] = "covered-call",
        [OG_MARRIED_PUT] = "married-put",
    };

    return (size_t)s < sizeof names / sizeof names[0] ? names[s] : "";
}

const char *og_net_name(enum og_net n)
{
    return n == OG_DEBIT ? "debit" : n == OG_CREDIT ? "credit" : "undetermined";
}
