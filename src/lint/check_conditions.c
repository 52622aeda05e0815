/*
 * Proves that conditions never or always hold, and checks the words, symbols, dates and patterns in them.  A claim is
 * dropped if a trial order contradicts it.
 */
#include <ctype.h>
#include <stdio.h>

#include "expr/program.h"
#include "facts/calendar.h"
#include "lint/lint.h"
#include "lint/trial.h"
#include "solver/comparisons.h"
#include "solver/logic.h"
#include "text/pattern.h"

#define WORDS_MOST 20 /* reported for one expression */

/* --- trial orders and proofs -------------------------------------------------------------------------------------- */

static const struct {
    int64_t quantity;
    struct og_money price;
} sizes[] = { { 1, { 100, 0 } }, { 250, { 4, 0 } }, { 10000, { 75, 2 } } };

/* An expression shall have this truth value. */
struct og_demand {
    const struct og_expr *expr; /* NULL: always met */
    bool truth;
};

/* Returns true if some trial order, of all kinds and a few sizes, meets both demands. */
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

#define PROOF_MOST 20000 /* steps of one proof */
#define FUEL_MOST  60000 /* automaton steps of one proof */
#define TRIAL_COST 8000

struct og_universe og_lint_universe(const struct og_lint_run *l)
{
    return (struct og_universe){ .environment = l->policy->environment,
                                 .quote_age = l->policy->max_age[__builtin_ctz(OG_FACT_QUOTE)],
                                 .room = og_trial_expr_room(l->trial) };
}

struct og_logic *og_lint_logic(struct og_lint_run *l)
{
    if (!l->logic)
        l->logic = og_arena_take(l->arena, sizeof *l->logic);
    if (!l->logic) {
        l->oom = true;
        return NULL;
    }
    og_logic_begin(l->logic);
    return l->logic;
}

/* Prove that the node never has such a truth value in decisions at or after `since`; 0: at any time. */
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

    if (!g)
        return OG_UNPROVED;
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
    return g && og_logic_kinds_left(g,
                                    og_logic_and(g, og_logic_is(g, og_logic_expr(g, when), OG_T),
                                                 og_logic_is(g, og_logic_expr(g, e), OG_U)),
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

/* --- words, symbols and dates ------------------------------------------------------------------------------------- */

/* Find the word, in quotes, from a place in the expression on.  Returns false if it is not written there. */
static bool find_word(const struct og_lint_run *l, struct og_srcloc at, struct og_str word, struct og_srcloc *found)
{
    struct og_str bytes = l->sources->bytes;
    size_t end = at.offset;

    if (!og_lint_is_here(l, at) || at.offset >= bytes.len)
        return false;
    while (end < bytes.len && bytes.s[end] != '\n')
        end++;
    for (size_t i = at.offset; i + word.len + 1 < end; i++)
        if ((bytes.s[i] == '"' || bytes.s[i] == '\'') && memcmp(bytes.s + i + 1, word.s, word.len) == 0 &&
            (bytes.s[i + 1 + word.len] == bytes.s[i] || bytes.s[i + 1 + word.len] == '\\')) {
            *found = at;
            found->offset = i + 1;
            found->col += (int)(i + 1 - at.offset);
            return true;
        }
    return false;
}

static void report_word(struct og_lint_run *l, struct og_srcloc at, const struct og_comparison_unknown_word *w)
{
    const char *nearest;
    size_t count = 0;
    struct og_srcloc exact = at;
    bool written = find_word(l, at, w->word, &exact);
    bool action = strcmp(w->name, "order.side") == 0 && (og_str_is(w->word, "Short") || og_str_is(w->word, "Cover"));
    struct og_lint_finding *f;
    char list[200] = "";

    for (; w->words[count]; count++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", count ? ", " : "", w->words[count]);
    nearest = og_lint_expand_abbreviation(w->word, w->words, count);
    nearest = nearest ? nearest : og_nearest(w->word, w->words, count);
    f = og_lint_add_at_place(l, exact, (int)w->word.len, "word-never", "%s is never '%.*s': it is one of %s%s%s%s",
                             w->name, w->word.len < 60 ? (int)w->word.len : 60, w->word.s, list,
                             action    ? "; shorts and covers are values of order.action"
                             : nearest ? "; did you mean '"
                                       : "",
                             nearest && !action ? nearest : "", nearest && !action ? "'?" : "");
    if (f && written && nearest && !action)
        og_lint_add_edit(l, f, exact.offset, exact.offset + w->word.len, nearest,
                         og_lint_format(l, "'%.*s' becomes '%s'", (int)w->word.len, w->word.s, nearest));
}

static void report_symbol(struct og_lint_run *l, struct og_srcloc at, struct og_str word, bool part)
{
    struct og_srcloc exact = at;
    bool written = find_word(l, at, word, &exact);
    struct og_lint_finding *f;
    char upper[60];

    if (word.len >= sizeof upper)
        return;
    for (size_t i = 0; i < word.len; i++)
        upper[i] = (char)toupper((unsigned char)word.s[i]);
    upper[word.len] = '\0';
    f = og_lint_add_at_place(l, exact, (int)word.len, "symbol-case",
                             "'%.*s' is %s symbol as exchanges spell it: did you mean '%s'?", (int)word.len, word.s,
                             part ? "not in any" : "not a", upper);
    if (f && written)
        og_lint_add_edit(l, f, exact.offset, exact.offset + word.len, og_lint_format(l, "%s", upper),
                         og_lint_format(l, "'%.*s' becomes '%s'", (int)word.len, word.s, upper));
}

static void report_date(struct og_lint_run *l, struct og_srcloc at, struct og_str text)
{
    struct og_srcloc exact = at;

    (void)find_word(l, at, text, &exact);
    (void)og_lint_add_at_place(l, exact, (int)text.len, "date-never", "'%.*s' is not a date: write YYYY-MM-DD",
                               text.len < 60 ? (int)text.len : 60, text.s);
}

#define ENDS "the exchange calendar, which ends " OG_CALENDAR_ENDS

static void check_calendar(struct og_lint_run *l, const struct og_expr *e, struct og_srcloc at)
{
    struct og_str text;
    size_t offset;

    for (size_t i = 0; i < WORDS_MOST && og_comparison_date_past_calendar(e, i, &text, &offset); i++) {
        struct og_srcloc exact = og_srcloc_inside(at, offset);

        (void)find_word(l, exact, text, &exact);
        (void)og_lint_add_at_place(l, exact, (int)text.len, "past-calendar", "'%.*s' is beyond " ENDS, (int)text.len,
                                   text.s);
    }
    for (size_t i = 0; i < WORDS_MOST && og_comparison_instant_past_calendar(e, i, &offset); i++)
        (void)og_lint_add_at_place(l, og_srcloc_inside(at, offset), 9, "past-calendar", "this instant is beyond " ENDS);
}

/* Checks dates that are compared for equality.  As the bound of a range, a day on a weekend makes sense. */
static void check_weekends(struct og_lint_run *l, const struct og_expr *e, struct og_srcloc at)
{
    struct og_str text;
    size_t offset;

    for (size_t i = 0; i < WORDS_MOST && og_comparison_weekend(e, i, &text, &offset); i++) {
        struct og_srcloc exact = og_srcloc_inside(at, offset);

        (void)find_word(l, exact, text, &exact);
        (void)og_lint_add_at_place(l, exact, (int)text.len, "date-no-effect",
                                   "'%.*s' is on a weekend: there is no session, and nothing expires", (int)text.len,
                                   text.s);
    }
}

bool og_lint_check_expression(struct og_lint_run *l, const struct og_expr *e, struct og_srcloc at)
{
    struct og_comparison_unknown_word word;
    struct og_str small;
    size_t offset, words = 0;

    if (!og_lint_is_here(l, at))
        return false;
    for (; words < WORDS_MOST && og_comparison_unknown_word(e, words, &word); words++)
        report_word(l, og_srcloc_inside(at, word.at), &word);
    for (size_t i = 0; i < WORDS_MOST && og_comparison_lower_case_symbol(e, i, &small, &offset); i++)
        report_symbol(l, og_srcloc_inside(at, offset), small, false);
    for (size_t i = 0; i < WORDS_MOST && og_comparison_lower_case_part(e, i, &small, &offset); i++)
        report_symbol(l, og_srcloc_inside(at, offset), small, true);
    for (size_t i = 0; i < WORDS_MOST && og_comparison_invalid_date(e, i, &small, &offset); i++)
        report_date(l, og_srcloc_inside(at, offset), small);
    check_calendar(l, e, at);
    check_weekends(l, e, at);
    for (const struct og_expr_node *n = og_expr_first(e->root); n <= e->root; n++)
        if (n->op == OG_OP_CALL && og_expr_functions[n->arg].literal == OG_LITERAL_PATTERN) {
            const struct og_pattern *p = n[-1].value->as.pattern;

            og_lint_check_backtracking(l, og_srcloc_inside(at, n[-1].at), og_pattern_text(p), p);
            if (og_comparison_symbol_call(n, &offset))
                og_lint_check_lower_case_pattern(l, og_srcloc_inside(at, offset), og_pattern_text(p));
        }
    return words > 0;
}
