/*
 * Formulates the cheapest pairing of a book of options as an integer linear program.  The variables:
 *   ALONE    how many shorts of a line stand alone
 *   COVERED  how many shorts of a line are covered by shares
 *   MOVED    how many longs of a line cover shorts of an earlier expiry
 *   WORST    what the spread of an expiry loses
 *   LEVEL    if calls and puts of one expiry stand alone: how many of one type have at least a given risk, since of a
 *            call and a put only the greater risk counts
 * The rows (enum kind) say: what a spread loses at one price of the underlying, and above all strikes; the counts for
 * LEVEL; the number of shorts of unknown requirement; that no share, long or short is used twice. Books that are too
 * large, or lack a price that is needed, are rejected.
 */
#include "margin/pairing_ilp.h"

#include <string.h>

#include "base/gcd.h"
#include "margin/pairing.h"

#define LARGE_MOST ((int64_t)1 << 36)
#define CONTRACTS  ((int64_t)1 << 19)
#define TOLERANCE  (OG_ILP_ONE >> 22)

enum kind { LOSS = 0, UPWARDS, LEVEL_CALLS, LEVEL_PUTS, LOTS_CALLS, LOTS_PUTS, UNTOLD, ONCE, OUT };
enum what { ALONE, COVERED, MOVED, WORST, LEVEL };

static bool is_put(const struct og_pairing_ilp *s, int line)
{
    return s->b->line[line].type == 'P';
}

static bool is_unknown(const struct og_margin_line *l)
{
    return l->alone >= OG_MARGIN_UNKNOWN;
}

static int64_t worth(const struct og_pairing_ilp *s, int line, int64_t under)
{
    const struct og_margin_line *l = &s->b->line[line];
    int64_t in = l->type == 'C' ? under - l->strike : l->strike - under;

    return in > 0 ? in : 0;
}

/* --- the rows and columns ----------------------------------------------------------------------------------------- */

static int64_t coefficient(const void *maker, const struct og_ilp_row *r, int column)
{
    const struct og_pairing_ilp *s = maker;
    const struct og_pairing_ilp_column *c = &s->column[column];
    bool is_short = c->what == ALONE || c->what == COVERED;
    int sign = is_short || c->what == MOVED ? (c->group == r->group) - (c->what == MOVED && c->from == r->group) : 0;

    switch ((enum kind)r->kind) {
    case LOSS:
        if (c->what == WORST)
            return c->group == r->group ? s->p.large : 0;
        return sign ? sign * worth(s, c->line, r->at) : 0;
    case UPWARDS: return sign && !is_put(s, c->line) ? sign : 0;
    case LEVEL_CALLS:
    case LEVEL_PUTS:
        if (c->what == LEVEL)
            return c->group == r->group && c->level == r->at;
        return -(c->what == ALONE && c->group == r->group && is_put(s, c->line) == (r->kind == LEVEL_PUTS) &&
                 s->risk[c->line] >= r->at);
    case LOTS_CALLS:
    case LOTS_PUTS: return -(c->what == COVERED && is_put(s, c->line) == (r->kind == LOTS_PUTS));
    case UNTOLD: return -(c->what == ALONE && is_unknown(&s->b->line[c->line]));
    case ONCE: return -(is_short && c->line == r->at);
    case OUT: return -(c->what == MOVED && c->line == r->at);
    }
    return 0;
}

/* Returns the lowest value of a group's spread over all prices; *at: that price; *upwards: its slope above all
 * strikes.  The numbers are in units of `one`. */
static og_wide lowest_of(const struct og_pairing_ilp *s, int group, const int64_t *number, int64_t one, int64_t *at,
                         og_wide *upwards)
{
    const struct og_pairing_ilp_group *g = &s->group[group];
    og_wide net[OG_PAIRING_ILP_ENTRIES], value = 0, slope = 0, lowest;
    int64_t before = 0;

    for (int k = 0; k < g->count; k++)
        net[k] = (og_wide)s->entry[g->first + k].net * one;
    for (int j = 0; j < s->p.columns; j++) {
        const struct og_pairing_ilp_column *c = &s->column[j];

        if (c->what > MOVED)
            continue;
        if (c->group == group)
            net[c->at] += number[j];
        else if (c->from == group)
            net[c->at_from] -= number[j];
    }
    for (int k = 0; k < g->count; k++)
        if (is_put(s, s->entry[g->first + k].line)) {
            value += net[k] * s->b->line[s->entry[g->first + k].line].strike;
            slope -= net[k];
        }
    lowest = value;
    *at = 0;
    for (int k = 0; k < g->count; k++) {
        int64_t strike = s->b->line[s->entry[g->first + k].line].strike;

        value += slope * (strike - before);
        before = strike;
        slope += net[k];
        if (value < lowest) {
            lowest = value;
            *at = strike;
        }
    }
    *upwards = slope;
    return lowest;
}

/* Returns by how much the numbers violate a row; 0 or less: the row holds. */
static og_wide lacks(const struct og_pairing_ilp *s, const struct og_ilp_row *r, const int64_t *number, int64_t one)
{
    og_wide sum = r->least * one;

    for (int j = 0; j < s->p.columns; j++)
        if (number[j])
            sum -= (og_wide)coefficient(s, r, j) * number[j];
    return sum;
}

static og_wide shorts_and_longs_at(const struct og_pairing_ilp *s, int group, int64_t at, bool upwards)
{
    const struct og_pairing_ilp_group *g = &s->group[group];
    og_wide sum = 0;

    for (int k = 0; k < g->count; k++) {
        const struct og_pairing_ilp_entry *e = &s->entry[g->first + k];

        sum -= upwards ? (is_put(s, e->line) ? 0 : e->net) : (og_wide)e->net * worth(s, e->line, at);
    }
    return sum;
}

/* Set *r to the n-th of the rows which ensure that no short, long or share is used twice.  Returns false if there are
 * no more. */
static bool plain_row(const struct og_pairing_ilp *s, int n, struct og_ilp_row *r)
{
    const struct og_pairing_ilp_column *c;

    if (n < 2) {
        *r = (struct og_ilp_row){ n ? LOTS_PUTS : LOTS_CALLS, -1, 0, -(og_wide)s->lots[n] };
        return true;
    }
    if (n == 2) {
        *r = (struct og_ilp_row){ UNTOLD, -1, s->counting ? -1 : 0, -s->unknown };
        return true;
    }
    n -= 3;
    if (n >= s->p.columns)
        return false;
    c = &s->column[n];
    *r = (struct og_ilp_row){ ONCE, -1, -1, 0 }; /* no such row for this column: use a row that always holds */
    if (c->what == COVERED)
        *r = (struct og_ilp_row){ ONCE, c->group, c->line, -(og_wide)s->b->line[c->line].shorts };
    else if (c->what == MOVED)
        *r = (struct og_ilp_row){ OUT, c->group, c->line, -(og_wide)s->b->line[c->line].longs };
    return true;
}

/* Returns how many shorts of a type with at least this risk stand alone in a group. */
static int64_t count_alone(const struct og_pairing_ilp *s, int group, bool puts, int64_t risk, const int64_t *number)
{
    int64_t n = 0;

    for (int j = s->group[group].column; j < s->p.columns && s->column[j].group == group; j++) {
        const struct og_pairing_ilp_column *c = &s->column[j];

        if (c->what == ALONE && is_put(s, c->line) == puts && s->risk[c->line] >= risk)
            n += number[j];
    }
    return n;
}

static int separate_levels(struct og_ilp *p, const int64_t *number)
{
    const struct og_pairing_ilp *s = p->maker;
    int made = 0;

    for (int j = 0; j < p->columns; j++) {
        const struct og_pairing_ilp_column *c = &s->column[j];

        for (int puts = 0; c->what == LEVEL && puts < 2; puts++)
            if (count_alone(s, c->group, puts, c->level, number) > number[j] + TOLERANCE)
                made += og_ilp_row(p, (struct og_ilp_row){ puts ? LEVEL_PUTS : LEVEL_CALLS, c->group, c->level, 0 });
    }
    return made;
}

static int separate(struct og_ilp *p, const int64_t *number)
{
    const struct og_pairing_ilp *s = p->maker;
    struct og_ilp_row r;
    int made = separate_levels(p, number);

    p->steps += 4 * p->columns;
    for (int g = 0; g < s->groups; g++) {
        int64_t at;
        og_wide upwards, lowest = lowest_of(s, g, number, OG_ILP_ONE, &at, &upwards);
        struct og_ilp_row loss = { LOSS, g, at, shorts_and_longs_at(s, g, at, false) };

        if (upwards < -TOLERANCE)
            made += og_ilp_row(p, (struct og_ilp_row){ UPWARDS, g, 0, shorts_and_longs_at(s, g, 0, true) });
        if (lowest < 0 && lacks(s, &loss, number, OG_ILP_ONE) > (og_wide)TOLERANCE * p->large)
            made += og_ilp_row(p, loss);
    }
    for (int n = 0; plain_row(s, n, &r); n++)
        if (r.at >= 0 && lacks(s, &r, number, OG_ILP_ONE) > TOLERANCE)
            made += og_ilp_row(p, r);
    return made;
}

static og_wide judge(const void *maker, const int64_t *number)
{
    const struct og_pairing_ilp *s = maker;
    struct og_ilp_row r;
    og_wide sum = 0;

    for (int n = 0; plain_row(s, n, &r); n++)
        if (r.at >= 0 && lacks(s, &r, number, 1) > 0)
            return -1;
    for (int g = 0; g < s->groups; g++) {
        int64_t at;
        og_wide upwards, lowest = lowest_of(s, g, number, 1, &at, &upwards);

        if (upwards < 0)
            return -1;
        sum -= lowest < 0 && !s->counting ? lowest : 0;
    }
    for (int j = 0; j < s->p.columns; j++) {
        const struct og_pairing_ilp_column *c = &s->column[j];
        int64_t n = c->what == WORST ? 0 : number[j];

        if (c->what == LEVEL) {
            int64_t puts = count_alone(s, c->group, true, c->level, number);

            n = count_alone(s, c->group, false, c->level, number);
            n = n > puts ? n : puts;
        }
        sum += (og_wide)n * s->p.cost[j];
    }
    return sum;
}

/* --- building the program ----------------------------------------------------------------------------------------- */

static bool add_column(struct og_pairing_ilp *s, struct og_pairing_ilp_column c, int64_t cost, int64_t high, bool whole)
{
    struct og_ilp *p = &s->p;
    int j = p->columns;

    if (j == OG_ILP_COLUMNS || high > CONTRACTS || cost > LARGE_MOST || cost < 0)
        return false;
    s->column[j] = c;
    p->cost[j] = cost;
    p->low[j] = 0;
    p->high[j] = high;
    p->whole[j] = whole;
    p->columns++;
    if (c.what != WORST)
        p->quantum = og_gcd(p->quantum, cost);
    p->large = cost > p->large ? cost : p->large;
    return true;
}

static bool add_entry(struct og_pairing_ilp *s, int group, int line, int64_t net)
{
    struct og_pairing_ilp_group *g = &s->group[group];
    int k = g->count;

    if (s->entries == OG_PAIRING_ILP_ENTRIES || s->b->line[line].longs > CONTRACTS ||
        s->b->line[line].shorts > CONTRACTS)
        return false;
    for (; k > 0 && s->b->line[s->entry[g->first + k - 1].line].strike > s->b->line[line].strike; k--)
        s->entry[g->first + k] = s->entry[g->first + k - 1];
    s->entry[g->first + k] = (struct og_pairing_ilp_entry){ line, net };
    g->count++;
    s->entries++;
    s->p.quantum = og_gcd(s->p.quantum, s->b->line[line].strike);
    if (s->b->line[line].strike > s->p.large)
        s->p.large = s->b->line[line].strike;
    return true;
}

static int entry_of(const struct og_pairing_ilp *s, int group, int line)
{
    const struct og_pairing_ilp_group *g = &s->group[group];
    int k = 0;

    while (s->entry[g->first + k].line != line)
        k++;
    return k;
}

/* Add a group's entries: its own lines, and longs of later expiries, which all start as not moved.  Returns false if
 * there is no room. */
static bool add_entries(struct og_pairing_ilp *s, int group)
{
    struct og_pairing_ilp_group *g = &s->group[group];

    g->first = s->entries;
    for (int i = g->from; i < s->b->count; i++) {
        const struct og_margin_line *l = &s->b->line[i];
        bool own = i < g->to;

        if ((l->longs || (own && l->shorts)) && !add_entry(s, group, i, own ? l->longs - l->shorts : 0))
            return false;
    }
    return true;
}

static bool add_listed(struct og_pairing_ilp *s, const struct og_pairing *p, const struct og_pairing_group *group)
{
    s->group[0].first = 0;
    for (int k = 0; k < p->count; k++) {
        const struct og_margin_line *l = &s->b->line[p->list[k]];

        if (!add_entry(s, 0, p->list[k], l->in - (l->expiry == group->expiry ? l->shorts : 0)))
            return false;
    }
    return true;
}

/* Set the risks of a group's shorts.  For a lower bound: where a call and a put stand alone and the one with the larger
 * requirement has the smaller risk, both get the smaller risk. */
static void adjust_risks(struct og_pairing_ilp *s, const struct og_pairing_ilp_group *g, bool lower)
{
    for (int i = g->from; i < g->to; i++)
        s->risk[i] = s->b->line[i].shorts ? s->b->line[i].risk : 0;
    for (int i = g->from; lower && i < g->to; i++)
        for (int k = g->from; k < g->to; k++) {
            const struct og_margin_line *c = &s->b->line[i], *q = &s->b->line[k];
            int64_t counts = c->alone > q->alone ? c->risk : q->risk;

            if (!s->risk[i] || !s->risk[k] || c->type != 'C' || q->type != 'P' || og_pairing_are_fair(c, q))
                continue;
            s->risk[i] = s->risk[i] < counts ? s->risk[i] : counts;
            s->risk[k] = s->risk[k] < counts ? s->risk[k] : counts;
        }
}

static bool add_levels(struct og_pairing_ilp *s, int group)
{
    const struct og_pairing_ilp_group *g = &s->group[group];

    for (int64_t below = 0;;) {
        int64_t next = INT64_MAX, n = 0;

        for (int i = g->from; i < g->to; i++) {
            if (s->risk[i] > below && s->risk[i] < next)
                next = s->risk[i];
            n += s->b->line[i].shorts;
        }
        if (next == INT64_MAX)
            return true;
        if (!add_column(s, (struct og_pairing_ilp_column){ LEVEL, -1, group, -1, 0, 0, next }, next - below, n, false))
            return false;
        below = next;
    }
}

static bool add_shorts(struct og_pairing_ilp *s, int group)
{
    const struct og_pairing_ilp_group *g = &s->group[group];

    for (int i = g->from; i < g->to; i++) {
        const struct og_margin_line *l = &s->b->line[i];
        struct og_pairing_ilp_column c = { ALONE, i, group, -1, 0, 0, 0 };
        og_wide cost = is_unknown(l) ? 0 : g->both && s->risk[i] ? l->price : l->alone;

        if (!l->shorts)
            continue;
        c.at = entry_of(s, group, i);
        if (l->shared || cost > LARGE_MOST || !add_column(s, c, (int64_t)cost, l->shorts, true))
            return false;
        c.what = COVERED;
        if (s->lots[l->type == 'P'] && !add_column(s, c, l->itm, l->shorts, true))
            return false;
    }
    return true;
}

static int group_of(const struct og_pairing_ilp *s, int line)
{
    for (int g = 0; g < s->groups; g++)
        if (line >= s->group[g].from && line < s->group[g].to)
            return g;
    return -1;
}

/* Add columns for longs of later expiries that may move to the group.  Returns false if there is no room. */
static bool add_moves(struct og_pairing_ilp *s, int group)
{
    const struct og_pairing_ilp_group *g = &s->group[group];

    for (int k = 0; k < g->count; k++) {
        int line = s->entry[g->first + k].line;
        struct og_pairing_ilp_column c = { MOVED, line, group, -1, k, 0, 0 };

        if (line < g->to)
            continue;
        c.from = group_of(s, line);
        c.at_from = c.from >= 0 ? entry_of(s, c.from, line) : 0;
        if (!add_column(s, c, 0, s->b->line[line].longs, true))
            return false;
    }
    return true;
}

static bool add_group(struct og_pairing_ilp *s, const struct og_pairing_group *from, bool lower)
{
    struct og_pairing_ilp_group g = { .from = from->from, .to = from->to };
    bool calls = false, puts = false;

    if (s->groups == OG_PAIRING_ILP_GROUPS)
        return false;
    adjust_risks(s, &g, lower && !from->fair);
    for (int i = g.from; i < g.to; i++) {
        calls |= s->risk[i] && s->b->line[i].type == 'C';
        puts |= s->risk[i] && s->b->line[i].type == 'P';
    }
    g.both = calls && puts;
    s->group[s->groups++] = g;
    return true;
}

static bool add_groups(struct og_pairing_ilp *s, const struct og_pairing *p)
{
    for (int i = 0; i < p->groups; i++)
        if (p->group[i].shorts && !add_group(s, &p->group[i], p->lower))
            return false;
    for (int i = 0; i < s->groups; i++)
        if (!add_entries(s, i))
            return false;
    return true;
}

static bool add_columns(struct og_pairing_ilp *s, bool moves)
{
    for (int g = 0; g < s->groups; g++) {
        s->group[g].column = s->p.columns;
        if (!add_column(s, (struct og_pairing_ilp_column){ WORST, -1, g, -1, 0, 0, 0 }, 0, CONTRACTS, false) ||
            !add_shorts(s, g) || (s->group[g].both && !add_levels(s, g)) || (moves && !add_moves(s, g)))
            return false;
    }
    for (int j = 0; j < s->p.columns; j++)
        if (s->column[j].what == WORST)
            s->p.cost[j] = s->p.large;
    return s->p.large > 0 && s->p.large <= LARGE_MOST;
}

/* --- shorts of unknown requirement -------------------------------------------------------------------------------- */

/* Returns the least number of shorts of unknown requirement that must stand alone, given their number `known` in a
 * known pairing; -1 if not found. */
static og_wide fewest_unknown(struct og_pairing_ilp *s, og_wide known)
{
    struct og_ilp *p = &s->p;
    int64_t cost[OG_ILP_COLUMNS], quantum = p->quantum;

    memcpy(cost, p->cost, sizeof cost);
    for (int j = 0; j < p->columns; j++)
        p->cost[j] = s->column[j].what == ALONE && is_unknown(&s->b->line[s->column[j].line]);
    p->quantum = 1;
    p->most = known;
    s->counting = true;
    og_ilp_solve(p);
    s->counting = false;
    memcpy(p->cost, cost, sizeof cost);
    p->quantum = quantum;
    return p->least == p->most ? p->most : -1;
}

static void take(const struct og_pairing_ilp *s, struct og_margin_book *b)
{
    for (int i = s->group[0].from; i < s->group[0].to; i++)
        b->line[i].out = 0;
    for (int j = 0; j < s->p.columns; j++)
        if (s->column[j].what == ALONE || s->column[j].what == COVERED)
            b->line[s->column[j].line].out += s->p.best[j];
}

bool og_pairing_ilp(const struct og_pairing *pairing, const struct og_pairing_group *group, og_wide *least,
                    og_wide *most)
{
    struct og_pairing_ilp *s = &pairing->b->search;
    struct og_ilp *p = &s->p;
    og_wide unknown = *most / OG_MARGIN_UNKNOWN;

    if (!group && pairing->b->count > OG_ILP_COLUMNS)
        return false;
    p->maker = s;
    p->coefficient = coefficient;
    p->separate = separate;
    p->judge = judge;
    p->steps_most = pairing->steps;
    p->columns = 0;
    p->large = p->quantum = 0;
    s->b = pairing->b;
    s->counting = false;
    s->groups = s->entries = 0;
    s->lots[0] = og_pairing_lesser(group ? group->long_lots : s->b->long_lots, CONTRACTS);
    s->lots[1] = og_pairing_lesser(group ? group->short_lots : s->b->short_lots, CONTRACTS);
    if (group ? !add_group(s, group, pairing->lower) || !add_listed(s, pairing, group) : !add_groups(s, pairing))
        return false;
    if (!add_columns(s, !group))
        return false;
    p->quantum = p->quantum ? p->quantum : 1;
    s->unknown = unknown ? fewest_unknown(s, unknown) : 0;
    if (s->unknown < 0)
        return false;
    p->most = *most - s->unknown * OG_MARGIN_UNKNOWN;
    og_ilp_solve(p);
    *least = p->least + s->unknown * OG_MARGIN_UNKNOWN;
    *most = p->most + s->unknown * OG_MARGIN_UNKNOWN;
    if (p->most >= OG_MARGIN_UNKNOWN)
        return false;
    if (group && p->found)
        take(s, pairing->b);
    return true;
}
