/*
 * Proves that conditions never or always hold.  A claim is dropped if a trial order contradicts it.
 */
#include "expr/program.h"
#include "lint/lint.h"
#include "lint/trial.h"
#include "solver/logic.h"

/* --- trial orders and proofs -------------------------------------------------------------------------------------- */

static const struct {
    int64_t quantity;
    struct og_money price;
} sizes[] = { { 1, { 100, 0 } }, { 250, { 4, 0 } }, { 10000, { 75, 2 } } };

/* A requirement that an order must meet: the expression has this truth value for the order. */
struct og_demand {
    const struct og_expr *expr; /* NULL: always met */
    bool truth;
};

/* Returns true if some trial order meets both requirements. Orders of all kinds, in a few sizes, are tried. */
static bool some_order_meets(struct og_lint_run *l, struct og_demand a, struct og_demand b)
{
    for (int security = OG_STOCK; security <= OG_MLEG; security++)
        for (int type = OG_MARKET; type <= OG_STOP_LIMIT; type++)
            for (int side = OG_BUY; side <= OG_SELL; side++)
                for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
                    struct og_trial_order p = og_trial_ordinary_order(l->trial, (enum og_security)security,
                                                                      (enum og_side)side, (enum og_order_type)type);

                    p.open_close = i % 2 ? OG_CLOSE : OG_OPEN;
                    p.quantity = sizes[i / 2].quantity;
                    p.price = sizes[i / 2].price;
                    og_trial_decide(l->trial, &p);
                    if ((!a.expr || og_trial_truth(l->trial, a.expr) == (enum og_truth)a.truth) &&
                        (!b.expr || og_trial_truth(l->trial, b.expr) == (enum og_truth)b.truth))
                        return true;
                }
    return false;
}

#define PROOF_MOST 20000 /* maximum number of steps of one proof */
#define FUEL_MOST  60000 /* maximum number of steps of pattern automata in one proof */
#define TRIAL_COST 8000

struct og_universe og_lint_universe(const struct og_lint_run *l)
{
    return (struct og_universe){ .environment = l->policy->environment,
                                 .quote_age = l->policy->max_age[__builtin_ctz(OG_FACT_QUOTE)],
                                 .room = og_trial_expr_room(l->trial) };
}

struct og_logic *og_lint_logic(struct og_lint_run *l)
{
    og_logic_begin(l->logic);
    return l->logic;
}

/* Prove that the node's truth value is never one of `set`, for decisions at or after `since` (0: at any time). */
static enum og_proof never_since(struct og_lint_run *l, const struct og_logic *g, int node, unsigned set, int64_t since)
{
    struct og_universe u = og_lint_universe(l);
    long steps = PROOF_MOST, fuel = FUEL_MOST;
    enum og_proof proof;

    u.fuel = &fuel;
    u.since = since;
    proof = l->exhausted ? OG_UNPROVED : og_logic_never(g, node, set, &u, &steps);
    return og_lint_spend(l, (PROOF_MOST - steps) / 4 + (FUEL_MOST - fuel) / 8 + 1) ? proof : OG_UNPROVED;
}

enum og_proof og_lint_never(struct og_lint_run *l, const struct og_logic *g, int node, unsigned set)
{
    return never_since(l, g, node, set, 0);
}

const char *og_lint_exception_text(enum og_proof proof)
{
    return proof == OG_PROVED_CLEAN ? " (except for an order with a field that the service ignores on its kind)" : "";
}

static int is_as_demanded(struct og_logic *g, struct og_demand d)
{
    return og_logic_is(g, og_logic_expr(g, d.expr), d.truth ? OG_T : OG_F);
}

static enum og_proof prove_excludes(struct og_lint_run *l, struct og_demand a, struct og_demand b, int64_t since)
{
    struct og_logic *g = og_lint_logic(l);
    enum og_proof proof;
    int node;

    node = is_as_demanded(g, a);
    if (b.expr)
        node = og_logic_and(g, node, is_as_demanded(g, b));
    proof = never_since(l, g, node, OG_T, since);
    return proof && og_lint_spend(l, TRIAL_COST) && !some_order_meets(l, a, b) ? proof : OG_UNPROVED;
}

bool og_lint_may_be_unknown(struct og_lint_run *l, const struct og_expr *when, const struct og_expr *e)
{
    struct og_universe u = og_lint_universe(l);
    struct og_logic *g = og_lint_logic(l);
    long steps = PROOF_MOST;

    u.all_known = true;
    return og_logic_kinds_left(
               g,
               og_logic_and(g, og_logic_is(g, og_logic_expr(g, when), OG_T), og_logic_is(g, og_logic_expr(g, e), OG_U)),
               OG_T, &u, &steps) != 0;
}

struct og_condition og_lint_condition(struct og_lint_run *l, const struct og_expr *e)
{
    static const char *const times[] = { "now", "session.date", NULL };
    struct og_demand none = { 0 };
    struct og_condition is = { .is = OG_CONDITION_NEVER,
                               .proof = prove_excludes(l, (struct og_demand){ e, true }, none, 0) };

    if (!is.proof && og_expr_reads_one_of(e, times)) {
        is.proof = prove_excludes(l, (struct og_demand){ e, true }, none, l->options.now);
        is.past = is.proof != OG_UNPROVED;
    }
    if (!is.proof)
        is = (struct og_condition){ .is = OG_CONDITION_ALWAYS,
                                    .proof = prove_excludes(l, (struct og_demand){ e, false }, none, 0) };
    if (!is.proof)
        is.is = OG_CONDITION_OPEN;
    is.may_be_unknown = is.proof && og_lint_may_be_unknown(l, NULL, e);
    return is;
}

enum og_proof og_lint_follows(struct og_lint_run *l, const struct og_expr *a, const struct og_expr *b, bool truth)
{
    return prove_excludes(l, (struct og_demand){ a, true }, (struct og_demand){ b, !truth }, 0);
}
