/*
 * Settings as expressions: a rule refuses exactly those orders that lint assumes its settings refuse, over random
 * orders with many or few facts. Where the expression is unknown, the rule is unsure too, except for the settings that
 * are marked.
 */
#include "lint/rule_predicates.h"
#include "lint_world.h"
#include "policy/policy.h"
#include "unit.h"

static const char *values_of(const char *rule, const struct og_param *p, const struct og_refusal *r)
{
    if (r->choice)
        return r->choice == 2 ? "none" : "easy";
    if (p->kind != OG_PARAM_WORDS)
        return strcmp(rule, "order-rate") == 0       ? "1"
               : strcmp(rule, "day-loss") == 0       ? "100"
               : strcmp(rule, "order-notional") == 0 ? "500.5"
                                                     : "5";
    if (strcmp(rule, "allowed-symbols") == 0)
        return "[GME, BRK.B, GME260116C00005000]";
    if (strcmp(p->key, "security_types") == 0)
        return "[Stock, Mleg]";
    return strcmp(p->key, "order_types") == 0 ? "[Limit]"
           : strcmp(p->key, "barred") == 0    ? "[Market, Option, Day_Plus]"
                                              : "[Day]";
}

/* Returns true if the rule certainly refuses the order. Sets *unsure if the rule cannot decide it. */
static bool is_found(const struct lint_world *w, const char *rule, bool unsure)
{
    for (int i = 0; i < w->decision.count; i++)
        if (strcmp(w->decision.findings[i].rule, rule) == 0 && w->decision.findings[i].unsure == unsure)
            return true;
    return false;
}

static const struct og_expr *of_exits, *of_more; /* of_exits: order.reduces; of_more: the setting's .more, or NULL */

static void hold_against(const struct og_predicate *predicate, const char *yaml, struct lint_world *w,
                         struct og_expr_room *room, long orders)
{
    const struct og_refusal *s = predicate->refusal;
    const char *rule = og_rules[predicate->rule]->id, *key = predicate->param->key;
    /* settings that these random facts never reach */
    bool reached = strcmp(key, "drawdown") != 0 && strcmp(rule, "open-orders") != 0;
    long seen[3] = { 0, 0, 0 };

    for (long n = 0; n < orders || (reached && !seen[OG_TRUTH_TRUE] && n < 20 * orders); n++) {
        enum og_truth truth, reduces = OG_TRUTH_FALSE;
        bool refused, wrong, bound;

        if (!lint_world_next(w, yaml))
            continue;
        truth = og_expr_truth(predicate->e, &w->is, room, NULL);
        if (predicate->exits_pass)
            reduces = og_expr_truth(of_exits, &w->is, room, NULL);
        if (reduces != OG_TRUTH_FALSE) /* the order passes because it reduces, or it is not known that it does not */
            truth = reduces == OG_TRUTH_TRUE || truth == OG_TRUTH_FALSE ? OG_TRUTH_FALSE : OG_TRUTH_UNKNOWN;
        refused = is_found(w, rule, false);
        seen[truth]++;
        if (predicate->param->kind == OG_PARAM_WORDS && truth != OG_TRUTH_TRUE)
            continue; /* with these words the rule refuses more orders than the expression says */
        if (of_more && refused && truth != OG_TRUTH_TRUE && og_expr_truth(of_more, &w->is, room, NULL) == OG_TRUTH_TRUE)
            continue; /* the rule also refuses orders of the setting's .more */
        if ((strcmp(rule, "short-sales") == 0 || strcmp(rule, "expiry-day") == 0) && refused &&
            strstr(w->line, "\"Close\""))
            continue; /* these rules also refuse closes of more than is held */
        /* a limit on the size of one order binds a close where positions were never read */
        bound = reduces == OG_TRUTH_UNKNOWN && og_rules[predicate->rule]->limits_size == OG_LIMITS_ORDERS;
        wrong = truth == OG_TRUTH_UNKNOWN ? refused && !s->stale && !bound : refused != (truth == OG_TRUTH_TRUE);
        if (truth == OG_TRUTH_UNKNOWN && reduces == OG_TRUTH_FALSE && s->unsure)
            wrong = !refused && !is_found(w, rule, true);
        if (wrong)
            fail_msg("%s of %s: '%.*s' is %d of %s at %s, facts %s: the rule %s it", key, rule,
                     (int)og_expr_text(predicate->e).len, og_expr_text(predicate->e).s, (int)truth, w->line,
                     lint_instants[w->instant], w->facts, refused ? "refuses" : "does not refuse");
    }
    assert_true(seen[OG_TRUTH_FALSE] > 0);
    if (reached && !seen[OG_TRUTH_TRUE])
        fail_msg("%s of %s refused nothing", key, rule);
}

static void hold_setting(size_t rule, const struct og_param *p, const struct og_refusal *r, bool binds,
                         struct og_predicates *predicates, struct lint_world *w, struct og_expr_room *room, long orders)
{
    struct og_expr_diagnostic fault;
    struct og_patterns *patterns = NULL;
    struct og_arena arena;
    struct og_lint_run l = { .arena = &arena };
    char yaml[400];

    og_arena_init(&arena, 0);
    snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nunsure: warn\nrules:\n  %s: {level: refuse, %s: %s%s}\n",
             og_rules[rule]->id, p->key, values_of(og_rules[rule]->id, p, r), binds ? ", exits: bind" : "");
    assert_int_equal(og_policy_read(yaml, strlen(yaml), "t", &l.policy, NULL, NULL, NULL), OG_OK);
    of_exits = og_expr_compile(OG_STR("order.reduces"), OG_EXPR_BOOL, NULL, &arena, &patterns, &fault);
    assert_non_null(of_exits);
    of_more = r->more ? og_expr_compile(og_str_of(r->more), OG_EXPR_BOOL, NULL, &arena, &patterns, &fault) : NULL;
    assert_true(!r->more || of_more);
    og_predicates_find(&l, predicates);
    assert_int_equal(predicates->count, 1);
    assert_ptr_equal(predicates->one[0].refusal, r);
    hold_against(&predicates->one[0], yaml, w, room, orders);
    og_policy_free(l.policy);
    og_arena_clear(&arena);
}

static void test_settings_are_what_they_refuse(void **state)
{
    long orders = lint_size("OG_ORDERS", 400), seen = 0;
    struct og_expr_room *room = calloc(1, sizeof *room);
    struct og_predicates *predicates = calloc(1, sizeof *predicates);
    struct lint_world w;

    (void)state;
    assert_true(room && predicates);
    lint_seed += (uint64_t)lint_size("OG_SEED", 0) * 2654435761u;
    lint_world_open(&w);
    room->patterns = w.scratch->room;
    for (size_t i = 0; i < og_rules_size; i++)
        OG_EACH_PARAM (p, og_rules[i])
            for (const struct og_refusal *r = p->refuses; r && r->when; r++, seen++)
                for (int binds = 0; binds <= (r->exits == OG_EXITS_BY_SETTING); binds++)
                    hold_setting(i, p, r, binds, predicates, &w, room, orders);
    /* the number of rules' settings with such an expression, so that a change is noticed */
    assert_int_equal(seen, 25);
    lint_world_close(&w);
    free(predicates);
    free(room);
}

/* Rules that refuse orders whatever their settings are: each such order is refused by its rule. */
static void test_rules_refuse_what_they_say(void **state)
{
    long orders = lint_size("OG_ORDERS", 400), seen = 0;
    struct og_expr_room *room = calloc(1, sizeof *room);
    struct lint_world w;

    (void)state;
    assert_non_null(room);
    lint_world_open(&w);
    room->patterns = w.scratch->room;
    for (size_t i = 0; i < og_rules_size; i++) {
        struct og_expr_diagnostic fault;
        struct og_patterns *patterns = NULL;
        struct og_arena arena;
        const struct og_expr *e;
        char yaml[100];
        long met = 0;

        if (!og_rules[i]->refuses)
            continue;
        og_arena_init(&arena, 0);
        e = og_expr_compile(og_str_of(og_rules[i]->refuses), OG_EXPR_BOOL, NULL, &arena, &patterns, &fault);
        assert_non_null(e);
        snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nrules:\n  %s: {level: refuse}\n", og_rules[i]->id);
        for (long n = 0; n < 20 * orders && met < 10; n++) {
            if (!lint_world_next(&w, yaml) || og_expr_truth(e, &w.is, room, NULL) != OG_TRUTH_TRUE)
                continue;
            met++;
            if (!is_found(&w, og_rules[i]->id, false))
                fail_msg("%s: '%s' is true of %s, and the rule passes it", og_rules[i]->id, og_rules[i]->refuses,
                         w.line);
        }
        assert_true(met > 0);
        seen++;
        og_arena_clear(&arena);
    }
    assert_int_equal(seen, 1);
    lint_world_close(&w);
    free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_settings_are_what_they_refuse),
                                        cmocka_unit_test(test_rules_refuse_what_they_say) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
