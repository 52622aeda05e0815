/*
 * Branch and bound over a dual simplex that calculates in units of 2^-40.  The simplex only proposes multipliers. The
 * lower bound is computed from them in whole numbers, and is valid for any multipliers, also for ones that are not the
 * best.  If numbers get too large, the solver stops with the bounds found so far.
 */
#include "margin/ilp_solver.h"

#define ONE        OG_ILP_ONE
#define NEAR       (ONE >> 20) /* a smaller number counts as zero */
#define FITS       ((og_wide)1 << 61)
#define ROUNDS     60
#define DEEP       48
#define MUCH       32
#define TIMES_MOST ((og_wide)1 << 48)

enum outcome { SOLVED, PRUNED, GIVEN_UP };

static bool is_slack(int id)
{
    return id >= OG_ILP_COLUMNS;
}

static int64_t low_of(const struct og_ilp *p, int id)
{
    return is_slack(id) ? 0 : p->low[id] * ONE;
}

static int64_t high_of(const struct og_ilp *p, int id)
{
    return is_slack(id) ? INT64_MAX : p->high[id] * ONE;
}

static int64_t kept(struct og_ilp *p, og_wide x)
{
    p->lost |= x >= FITS || x <= -FITS;
    return p->lost ? 0 : (int64_t)x;
}

static og_wide times(int64_t a, int64_t b)
{
    return ((og_wide)a * b + ONE / 2) >> 40;
}

/* --- bounds that hold exactly ------------------------------------------------------------------------------------- */

static og_wide rounded_up(og_wide x, og_wide to)
{
    return x <= 0 ? 0 : (x + to - 1) / to * to;
}

static int64_t scale_of(const struct og_ilp *p, const struct og_ilp_row *r)
{
    return r->kind == 0 ? p->large : 1;
}

/* Returns a lower bound of the cost of every solution: the sum of the rows times these multipliers, plus what the
 * bounds of the variables guarantee for the rest of the cost. */
static og_wide bound(struct og_ilp *p, const og_wide *times_row)
{
    int some[OG_ILP_ROWS], count = 0;
    og_wide sum = 0;

    for (int r = 0; r < p->rows; r++)
        if (times_row[r]) {
            sum += times_row[r] * p->row[r].least;
            some[count++] = r;
        }
    for (int j = 0; j < p->columns; j++) {
        og_wide left = (og_wide)p->cost[j] * ONE;

        for (int k = 0; k < count; k++)
            if (p->coefficients[some[k]][j])
                left -= times_row[some[k]] * p->coefficients[some[k]][j];
        sum += left * (left > 0 ? p->low[j] : p->high[j]);
    }
    p->steps += (int64_t)count * p->columns;
    return rounded_up(rounded_up(sum, ONE) / ONE, p->quantum);
}

/* Returns the lower bound that follows from the current multipliers. told: a basic variable that is out of its bounds
 * and cannot be moved back in the direction `towards`; its row gets a large multiplier. -1: there is none. */
static og_wide bound_here(struct og_ilp *p, int told, int towards)
{
    og_wide often[OG_ILP_ROWS] = { 0 };

    for (int q = 0; q <= p->columns; q++) {
        int row = (q < p->columns ? p->free[q] : told >= 0 ? p->told[told] : 0) - OG_ILP_COLUMNS;
        og_wide x = q < p->columns ? p->price[q] : 0;

        if (row < 0)
            continue;
        if (told >= 0)
            x += (og_wide)MUCH * towards * (q < p->columns ? -p->slope[told][q] : ONE);
        x = x < 0 ? 0 : x < TIMES_MOST ? x : TIMES_MOST;
        often[row] = x * p->large / scale_of(p, &p->row[row]);
    }
    return bound(p, often);
}

/* --- the simplex -------------------------------------------------------------------------------------------------- */

static void shift(struct og_ilp *p, int q, int64_t to)
{
    int64_t by = to - p->value[p->free[q]];

    if (!by)
        return;
    p->value[p->free[q]] = to;
    for (int i = 0; i < p->rows; i++)
        p->value[p->told[i]] = kept(p, p->value[p->told[i]] + times(p->slope[i][q], by));
}

/* Exchange basic variable i with nonbasic variable q. */
static void pivot(struct og_ilp *p, int i, int q)
{
    int64_t *row = p->slope[i], by = row[q];
    int some[OG_ILP_COLUMNS], count = 0, id = p->told[i];

    for (int k = 0; k < p->columns; k++) {
        if (!row[k])
            continue;
        row[k] = k == q ? kept(p, (og_wide)ONE * ONE / by) : kept(p, -(og_wide)row[k] * ONE / by);
        some[count++] = k;
    }
    for (int n = 0; n <= p->rows; n++) {
        int64_t *other = n == p->rows ? p->price : p->slope[n], at = other[q];

        if (n == i || !at)
            continue;
        other[q] = 0;
        for (int k = 0; k < count; k++)
            other[some[k]] = kept(p, other[some[k]] + times(at, row[some[k]]));
        p->steps += count;
    }
    p->told[i] = p->free[q];
    p->free[q] = id;
    p->steps += p->columns;
}

static int64_t distance(int64_t x)
{
    return x < 0 ? -x : x;
}

/* Returns the basic variable that violates its bounds most; -1 if none does.  *towards: 1 if it is too low, -1 if too
 * high. */
static int worst(const struct og_ilp *p, int *towards)
{
    int64_t most = NEAR;
    int at = -1;

    for (int i = 0; i < p->rows; i++) {
        int64_t x = p->value[p->told[i]], below = low_of(p, p->told[i]) - x;
        int64_t above = is_slack(p->told[i]) ? 0 : x - high_of(p, p->told[i]);

        if (below > most || above > most) {
            most = below > above ? below : above;
            *towards = below > above ? 1 : -1;
            at = i;
        }
    }
    return at;
}

/* Returns the nonbasic variable to exchange with basic variable i: the exchange brings i into its bounds at the least
 * reduced cost; -1 if no variable does. */
static int entering(const struct og_ilp *p, int i, int towards)
{
    int at = -1;

    for (int q = 0; q < p->columns; q++) {
        int64_t slope = towards * p->slope[i][q] * (p->at_high[q] ? -1 : 1);
        int id = p->free[q];

        if (slope <= NEAR || (!is_slack(id) && p->low[id] == p->high[id]))
            continue;
        if (at >= 0) {
            og_wide here = (og_wide)distance(p->price[q]) * distance(p->slope[i][at]);
            og_wide there = (og_wide)distance(p->price[at]) * distance(p->slope[i][q]);

            if (here > there || (here == there && distance(p->slope[i][q]) <= distance(p->slope[i][at])))
                continue;
        }
        at = q;
    }
    return at;
}

static enum outcome settle(struct og_ilp *p)
{
    int i, towards = 0;

    while (!p->lost && (i = worst(p, &towards)) >= 0) {
        int q = entering(p, i, towards), id = p->told[i];
        int64_t to = towards > 0 ? low_of(p, id) : high_of(p, id), by;

        if (q < 0)
            return bound_here(p, i, towards) >= p->most ? PRUNED : GIVEN_UP;
        if (p->steps > p->steps_most)
            return GIVEN_UP;
        by = kept(p, (og_wide)(to - p->value[id]) * ONE / p->slope[i][q]);
        shift(p, q, kept(p, (og_wide)p->value[p->free[q]] + by));
        p->value[id] = to;
        pivot(p, i, q);
        p->at_high[q] = towards < 0;
    }
    return p->lost ? GIVEN_UP : SOLVED;
}

/* Returns the index for a new row: a free one, or the index of a row that is not binding, which is dropped; -1 if none
 * is free, and every row is binding. */
static int room(struct og_ilp *p)
{
    if (p->rows < OG_ILP_ROWS) {
        p->told[p->rows] = OG_ILP_COLUMNS + p->rows;
        return p->rows++;
    }
    for (int i = 0; i < p->rows; i++)
        if (is_slack(p->told[i]) && p->value[p->told[i]] > NEAR)
            return i;
    return -1;
}

bool og_ilp_row(struct og_ilp *p, struct og_ilp_row row)
{
    int at = room(p), r = at < 0 ? 0 : p->told[at] - OG_ILP_COLUMNS;
    int64_t scale = scale_of(p, &row), part[OG_ILP_COLUMNS];
    og_wide value = -row.least * ONE / scale;

    if (at < 0)
        return false;
    p->row[r] = row;
    p->steps += p->columns;
    for (int j = 0; j < p->columns; j++) {
        p->coefficients[r][j] = p->coefficient(p->maker, &row, j);
        part[j] = kept(p, (og_wide)p->coefficients[r][j] * ONE / scale);
        value += times(part[j], p->value[j]);
    }
    for (int q = 0; q < p->columns; q++)
        p->slope[at][q] = is_slack(p->free[q]) ? 0 : part[p->free[q]];
    for (int i = 0; i < p->rows; i++) {
        int64_t by = i == at || is_slack(p->told[i]) ? 0 : part[p->told[i]];

        for (int q = 0; by && q < p->columns; q++)
            p->slope[at][q] = kept(p, p->slope[at][q] + times(by, p->slope[i][q]));
        p->steps += by ? p->columns : 0;
    }
    p->value[p->told[at]] = kept(p, value);
    return true;
}

/* Solve the relaxation, add the rows that the solution violates, and repeat this until it violates none. */
static enum outcome relax(struct og_ilp *p, og_wide *least)
{
    *least = 0;
    for (int round = 0; round < ROUNDS; round++) {
        enum outcome o = settle(p);

        if (o != SOLVED)
            return o;
        *least = bound_here(p, -1, 0);
        if (*least >= p->most)
            return PRUNED;
        if (!p->separate(p, p->value))
            return p->lost ? GIVEN_UP : SOLVED;
    }
    return GIVEN_UP;
}

/* --- integer solutions -------------------------------------------------------------------------------------------- */

static void consider(struct og_ilp *p, int64_t most_part)
{
    int64_t number[OG_ILP_COLUMNS];
    og_wide cost;

    for (int j = 0; j < p->columns; j++) {
        number[j] = (p->value[j] + most_part) >> 40;
        number[j] = number[j] < p->low[j] ? p->low[j] : number[j] > p->high[j] ? p->high[j] : number[j];
    }
    cost = p->judge(p->maker, number);
    if (cost < 0 || cost >= p->most)
        return;
    p->most = cost;
    p->found = true;
    for (int j = 0; j < p->columns; j++)
        p->best[j] = number[j];
}

/* Returns the column whose number is furthest from a whole number; -1 if all numbers are whole, within rounding. */
static int fractional(const struct og_ilp *p)
{
    int64_t most = NEAR << 4;
    int at = -1;

    for (int j = 0; j < p->columns; j++) {
        int64_t part = p->value[j] & (ONE - 1), from = part < ONE - part ? part : ONE - part;

        if (p->whole[j] && p->low[j] < p->high[j] && from > most) {
            most = from;
            at = j;
        }
    }
    return at;
}

static void restrict_to(struct og_ilp *p, int column, int64_t low, int64_t high)
{
    p->low[column] = low;
    p->high[column] = high;
    for (int q = 0; q < p->columns; q++)
        if (p->free[q] == column) {
            p->at_high[q] = p->price[q] < 0;
            shift(p, q, (p->at_high[q] ? high : low) * ONE);
        }
}

struct branch {
    int column;
    int64_t low, high, at; /* low, high: bounds of the variable before branching; at: upper bound of the variable in the
                            * lower branch */
    bool up, second;       /* up: the upper branch is being explored; second: the other branch has been explored */
    og_wide least;         /* lower bound of the cost in both branches */
};

static void take(struct og_ilp *p, const struct branch *b)
{
    restrict_to(p, b->column, b->up ? b->at + 1 : b->low, b->up ? b->high : b->at);
}

static void branch_on(struct og_ilp *p, struct branch *b, int column, og_wide least)
{
    int64_t at = p->value[column] >> 40;

    at = at < p->low[column] ? p->low[column] : at >= p->high[column] ? p->high[column] - 1 : at;
    *b = (struct branch){ column, p->low[column], p->high[column], at, (p->value[column] & (ONE - 1)) > ONE / 2,
                          false,  least };
    take(p, b);
}

struct tree {
    struct branch branch[DEEP];
    int depth;
    og_wide open; /* lowest of the lower bounds of all branches that are not explored yet */
};

/* Go to the next unexplored branch.  Returns false if every branch is explored. */
static bool next(struct og_ilp *p, struct tree *t)
{
    while (t->depth) {
        struct branch *b = &t->branch[t->depth - 1];

        if (!b->second) {
            b->second = true;
            b->up = !b->up;
            take(p, b);
            return true;
        }
        restrict_to(p, b->column, b->low, b->high);
        t->depth--;
    }
    return false;
}

static void begin(struct og_ilp *p)
{
    p->rows = 0;
    p->steps = 0;
    p->lost = p->found = false;
    for (int j = 0; j < p->columns; j++) {
        p->price[j] = kept(p, (og_wide)p->cost[j] * ONE / p->large);
        p->value[j] = p->low[j] * ONE;
        p->at_high[j] = false;
        p->free[j] = j;
    }
}

/* Explore the current branch.  Returns true if it was split; the current branch is then its first half. */
static bool look(struct og_ilp *p, struct tree *t)
{
    og_wide least = 0, known = t->depth ? t->branch[t->depth - 1].least : 0;
    enum outcome o = p->steps <= p->steps_most ? relax(p, &least) : GIVEN_UP;
    int column;

    if (o == PRUNED)
        return false;
    least = least > known ? least : known;
    if (o == SOLVED) {
        consider(p, ONE / 2);
        consider(p, ONE - NEAR);
        column = fractional(p);
        if (column >= 0 && t->depth < DEEP && least < p->most) {
            branch_on(p, &t->branch[t->depth++], column, least);
            return true;
        }
    }
    t->open = least < t->open ? least : t->open;
    return false;
}

void og_ilp_solve(struct og_ilp *p)
{
    struct tree t;

    t.depth = 0;
    t.open = p->most;
    begin(p);
    do
        while (look(p, &t)) {
        }
    while (next(p, &t));
    p->least = t.open < p->most ? t.open : p->most;
}
