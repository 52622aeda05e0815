/*
 * Checks custom rules against each other and against rules of the register: a rule that is redundant because another
 * rule refuses all its orders, and two rules that together refuse every order.  Comparisons stop when the budget is
 * spent; rules not compared are not reported.
 */

#include "lint/rule_predicates.h"
#include "lint/witness_search.h"

#define CUSTOMS_MOST 150
#define TRIES_MOST   250
#define BUDGET_LEFT  150000 /* microseconds of the budget that are left for other checks */

struct comparison {
    struct og_lint_run *l;
    struct og_predicates predicates;
    size_t count;
    const struct og_custom *custom[CUSTOMS_MOST];
    bool here[CUSTOMS_MOST]; /* for each custom rule: true if the rule is in the linted file */
    bool redundant[CUSTOMS_MOST];
};

/* The rule that a custom rule is compared with: another custom rule or, if `custom` is NULL, a rule of the register. */
struct other_rule {
    const struct og_custom *custom;
    size_t rule;
};

static const char *name_of(const struct other_rule *r)
{
    return r->custom ? r->custom->rule.id : og_rules[r->rule]->id;
}

static int refused_by(struct comparison *v, struct og_logic *g, const struct other_rule *r)
{
    return r->custom ? og_refused_by_custom(v->l, g, r->custom) : og_refused_by_rule(v->l, g, &v->predicates, r->rule);
}

static const char *line_text_of(struct comparison *v, const struct other_rule *r)
{
    struct og_srcloc at = r->custom ? r->custom->where[OG_PART_REQUIRE] : (struct og_srcloc){ .line = 0 };

    return r->custom && og_lint_is_here(v->l, at) ? og_lint_format(v->l, " (line %d)", at.line) : "";
}

/* --- related rules ------------------------------------------------------------------------------------------------ */

/* Returns the one name that stands for several names with usually the same value, such as order.limitPrice and
 * order.price. */
static const char *canonical_name(const char *name)
{
    return strcmp(name, "order.contracts") == 0    ? "order.orderQuantity"
           : strcmp(name, "order.limitPrice") == 0 ? "order.price"
                                                   : name;
}

static bool share_names(const struct og_expr *a, const struct og_expr *b)
{
    const char *x, *y;

    for (size_t i = 0; a && (x = og_expr_name_used(a, i)); i++)
        for (size_t k = 0; b && (y = og_expr_name_used(b, k)); k++)
            if (x == y || strcmp(canonical_name(x), canonical_name(y)) == 0)
                return true;
    return false;
}

static bool are_related(const struct comparison *v, const struct og_custom *a, const struct other_rule *b)
{
    bool constant, truth;

    if (b->custom) {
        constant = og_expr_is_constant(b->custom->require, &truth); /* the requirement is a constant, as in "require:
                                                                     * false" */
        return share_names(a->require, b->custom->require) || share_names(a->when, b->custom->require) ||
               share_names(a->require, b->custom->when) || (constant && share_names(a->when, b->custom->when));
    }
    for (size_t i = 0; i < v->predicates.count; i++)
        if (v->predicates.one[i].rule == b->rule &&
            (share_names(a->require, v->predicates.one[i].e) || share_names(a->when, v->predicates.one[i].e)))
            return true;
    return false;
}

/* Returns true if the rule itself reads whether an order opens or closes. */
static bool is_about_exits(const struct og_custom *c)
{
    static const char *const about[] = { "order.opens", "order.reduces", "order.openClose", "order.action", NULL };

    return og_expr_reads_one_of(c->when, about) || og_expr_reads_one_of(c->require, about);
}

/* --- witnesses ---------------------------------------------------------------------------------------------------- */

struct witness_wanted {
    const char *passes, *refuses; /* ids of rules */
};

static bool is_witness(struct og_lint_run *l, const struct og_decision *d, void *with)
{
    const struct witness_wanted *w = with;
    const struct og_finding *f = og_decision_finds(d, w->refuses, NULL, true);

    (void)l;
    return f && !f->unsure && !og_decision_finds(d, w->passes, NULL, false);
}

/* Find an order that rule `passes` accepts (if possible exactly at its limit) and rule `by` refuses. */
static const struct og_lint_witness *find_witness(struct comparison *v, const struct og_expr *wide,
                                                  const struct og_expr *more, const char *passes,
                                                  const struct other_rule *by)
{
    struct witness_wanted w = { passes, name_of(by) };
    struct og_universe u = og_lint_universe(v->l);
    struct og_witness_search s;

    u.clean = true;
    og_witness_search_begin(&s, og_group_kinds(OG_GROUP_ORDER, &u), TRIES_MOST);
    og_witness_search_add_values(&s, wide);
    og_witness_search_add_values(&s, more);
    og_witness_search_add_values(&s, by->custom ? by->custom->require : NULL);
    return og_witness_search_run(v->l, &s, NULL, is_witness, &w, NULL)
               ? og_trial_witness(v->l->trial, "within what '%s' allows, and refused by '%s'", passes, w.refuses)
               : NULL;
}

/* --- rules that never bind ---------------------------------------------------------------------------------------- */

/* Prove that b refuses every order that a refuses. exits_aside: orders that only reduce a position do not count. */
static enum og_proof is_redundant(struct comparison *v, const struct og_custom *a, const struct other_rule *b,
                                  bool exits_aside)
{
    struct og_logic *g = og_lint_logic(v->l);
    int node;

    node = og_logic_and(g, og_refused_by_custom(v->l, g, a), og_logic_not(g, refused_by(v, g, b)));
    node = og_logic_and(g, og_refused_by_no_form(v->l, g), node);
    if (exits_aside)
        node = og_logic_and(g, og_logic_is(g, og_logic_name(g, "order.reduces"), OG_F), node);
    return og_lint_never(v->l, g, node, OG_T);
}

static void report_redundant(struct comparison *v, size_t i, const struct other_rule *b, enum og_proof proof,
                             bool exits_aside)
{
    const struct og_custom *a = v->custom[i];
    struct og_lint_finding *f;

    v->redundant[i] = !exits_aside;
    if (!v->here[i])
        return;
    f = exits_aside ? og_lint_add_at_place(v->l, a->where[OG_PART_REQUIRE], (int)a->require_text.len, "limit-idle",
                                           "rule '%s' binds only exits%s: '%s' refuses every other order that it would "
                                           "refuse; if that is meant, write when: order.reduces",
                                           a->rule.id, og_lint_exception_text(proof), name_of(b))
                    : og_lint_add_at_place(v->l, a->where[OG_PART_REQUIRE], (int)a->require_text.len, "limit-idle",
                                           "rule '%s' never binds%s: '%s'%s refuses every order that it would refuse",
                                           a->rule.id, og_lint_exception_text(proof), name_of(b), line_text_of(v, b));
    if (f)
        f->witness = find_witness(v, a->require, a->when, a->rule.id, b);
}

static bool has_budget(const struct comparison *v)
{
    return !v->l->exhausted && v->l->budget > BUDGET_LEFT;
}

/* Compare custom rule i with rule b. Returns true if rule i was reported. */
static bool check_against(struct comparison *v, size_t i, const struct other_rule *b)
{
    const struct og_custom *a = v->custom[i];
    enum og_proof proof;

    if (!has_budget(v) || !are_related(v, a, b))
        return false;
    proof = is_redundant(v, a, b, false);
    if (proof) {
        report_redundant(v, i, b, proof, false);
        return true;
    }
    if (b->custom || is_about_exits(a))
        return false;
    proof = is_redundant(v, a, b, true);
    if (proof)
        report_redundant(v, i, b, proof, true);
    return proof != OG_UNPROVED;
}

/* Report rules that another rule makes redundant, beginning with the last: of two equal rules the later one is
 * reported. */
static void check_redundant(struct comparison *v)
{
    for (size_t i = v->count; i-- > 0;) {
        bool reported = false;

        for (size_t k = 0; k < v->count && !reported; k++)
            if (k != i && !v->redundant[k])
                reported = check_against(v, i, &(struct other_rule){ v->custom[k], 0 });
        for (size_t k = 0; k < v->predicates.count && !reported; k++)
            if (k == 0 || v->predicates.one[k].rule != v->predicates.one[k - 1].rule)
                reported = check_against(v, i, &(struct other_rule){ NULL, v->predicates.one[k].rule });
    }
}

/* --- settings that never bind ------------------------------------------------------------------------------------- */

static void check_setting(struct comparison *v, const struct og_predicate *s)
{
    const struct og_yaml *node = og_lint_key_node(v->l, og_rules[s->rule]->id, s->k, s->param->key);

    for (size_t i = 0; node && s->param->kind != OG_PARAM_WORDS && !s->refusal->choice && i < v->count; i++) {
        struct other_rule by = { v->custom[i], 0 };
        struct og_logic *g =
            v->redundant[i] || !has_budget(v) || !share_names(s->e, v->custom[i]->require) ? NULL : og_lint_logic(v->l);
        enum og_proof proof;
        struct og_lint_finding *f;

        if (!g)
            continue;
        proof = og_lint_never(
            v->l, g, og_logic_and(g, og_refused_perhaps(v->l, g, s), og_logic_not(g, refused_by(v, g, &by))), OG_T);
        if (!proof)
            continue;
        f = og_lint_add(v->l, node, "limit-idle", "'%s' of %.*s never binds%s: '%s'%s refuses every order beyond it",
                        s->param->key, (int)node->text.len, node->text.s, og_lint_exception_text(proof),
                        by.custom->rule.id, line_text_of(v, &by));
        f->witness = find_witness(v, s->e, NULL, og_rules[s->rule]->id, &by);
        return;
    }
}

/* --- rules that contradict each other ----------------------------------------------------------------------------- */

/* Prove that no order that meets the `when` of rule a passes rule a (checked only with past_a) and rule b (NULL: not
 * checked). opening: prove it for opening orders only. */
static enum og_proof no_order_passes(struct comparison *v, const struct og_custom *a, bool past_a,
                                     const struct other_rule *b, bool opening)
{
    struct og_logic *g = og_lint_logic(v->l);
    int node;

    node = og_logic_is(g, og_logic_expr(g, a->when), OG_T);
    if (past_a)
        node = og_logic_and(g, node, og_logic_not(g, og_refused_by_custom(v->l, g, a)));
    if (b)
        node = og_logic_and(g, node, og_logic_not(g, refused_by(v, g, b)));
    if (opening)
        node = og_logic_and(g, og_logic_is(g, og_logic_name(g, "order.opens"), OG_T), node);
    return og_lint_never(v->l, g, node, OG_T);
}

/* Prove that no order passes both rules, provided that neither rule alone refuses all these orders. */
static enum og_proof contradicts(struct comparison *v, const struct og_custom *a, const struct other_rule *b,
                                 bool opening)
{
    enum og_proof proof = no_order_passes(v, a, true, b, opening);

    return proof && !no_order_passes(v, a, true, NULL, opening) && !no_order_passes(v, a, false, b, opening)
               ? proof
               : OG_UNPROVED;
}

static bool report_contradiction(struct comparison *v, size_t i, const struct other_rule *b, bool opening)
{
    const struct og_custom *a = v->custom[i];
    enum og_proof proof = has_budget(v) && are_related(v, a, b) ? contradicts(v, a, b, opening) : OG_UNPROVED;
    struct og_lint_finding *f;

    if (!proof)
        return false;
    f = og_lint_add_at_place(v->l, a->where[OG_PART_REQUIRE], (int)a->require_text.len, "limits-contradict",
                             "no order%s%s passes%s: what '%s' accepts, '%s'%s refuses", opening ? " that opens" : "",
                             a->when ? ", of those this rule applies to," : "", og_lint_exception_text(proof),
                             a->rule.id, name_of(b), line_text_of(v, b));
    if (f)
        f->witness = find_witness(v, a->require, a->when, a->rule.id, b);
    return true;
}

static void check_contradictions(struct comparison *v)
{
    for (size_t i = 0; i < v->count; i++) {
        bool reported = v->redundant[i] || !v->here[i] || v->custom[i]->term.until != OG_TIME_UNKNOWN;

        for (size_t k = 0; k < i && !reported; k++)
            reported = !v->redundant[k] && report_contradiction(v, i, &(struct other_rule){ v->custom[k], 0 }, false);
        for (size_t k = 0; k < v->predicates.count && !reported; k++)
            if (k == 0 || v->predicates.one[k].rule != v->predicates.one[k - 1].rule)
                reported = report_contradiction(v, i, &(struct other_rule){ NULL, v->predicates.one[k].rule }, true);
    }
}

void og_lint_check_redundant_rules(struct og_lint_run *l, const bool *wrong)
{
    struct comparison *v = og_arena_take(l->arena, sizeof *v);

    if (!v) {
        l->oom = true;
        return;
    }
    v->l = l;
    v->count = 0;
    og_predicates_find(l, &v->predicates);
    for (size_t i = 0; i < l->policy->custom_count && v->count < CUSTOMS_MOST; i++) {
        const struct og_custom *c = l->policy->custom[i];

        if ((i < OG_LINT_CUSTOMS && wrong[i]) || !og_custom_refuses(c) || og_term_is_over(&c->term, l->options.now))
            continue;
        v->redundant[v->count] = false;
        v->here[v->count] = og_lint_is_here(l, c->where[OG_PART_REQUIRE]);
        v->custom[v->count++] = c;
    }
    check_redundant(v);
    for (size_t i = 0; i < v->predicates.count; i++)
        check_setting(v, &v->predicates.one[i]);
    check_contradictions(v);
}
