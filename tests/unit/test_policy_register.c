/*
 * The register: what every rule's descriptor must satisfy, so that policies, manuals and the engine can rely on it.
 */
#include "policy/rule_entry.h"
#include "policy/value.h"
#include "unit.h"

static bool spelled(const char *s, const char *allowed)
{
    return s && s[0] && strspn(s, allowed) == strlen(s);
}

static void ids_are_unique_and_kebab(void **state)
{
    (void)state;
    assert_true(og_rules_size >= 19);
    for (size_t i = 0; i < og_rules_size; i++) {
        assert_true(spelled(og_rules[i]->id, "abcdefghijklmnopqrstuvwxyz0123456789-"));
        assert_ptr_equal(og_rules_find(og_rules[i]->id), og_rules[i]);
        assert_ptr_equal(og_rules_at(i), og_rules[i]);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(og_rules[i]->code, og_rules[k]->code);
        OG_EACH_REASON (r, og_rules[i])
            assert_null(og_rules_find(r->id)); /* explain must not find both a rule and a reason */
    }
    assert_null(og_rules_at(og_rules_size));
    assert_null(og_rules_find("no-such-rule"));
}

static void reasons_are_unique_across_rules(void **state)
{
    const char *seen[1000];
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < og_rules_size; i++) {
        assert_in_range(og_rules[i]->reason_count, 1, OG_REASONS_MOST);
        OG_EACH_REASON (r, og_rules[i]) {
            assert_true(spelled(r->id, "abcdefghijklmnopqrstuvwxyz0123456789-"));
            assert_true(count < COUNT(seen));
            for (size_t k = 0; k < count; k++)
                assert_string_not_equal(seen[k], r->id);
            seen[count++] = r->id;
        }
    }
}

static void every_reason_is_told_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < og_rules_size; i++) {
        const struct og_rule *rule = og_rules[i];
        struct og_reason_info info;
        size_t count = 0;

        assert_true(rule->summary && rule->summary[0] && rule->summary[strlen(rule->summary) - 1] != '.');
        assert_true(rule->because && rule->because[0]);
        for (; og_rule_reason(rule, count, &info); count++) {
            assert_non_null(info.says);
            assert_non_null(info.where);
            assert_in_range(info.level, OG_LEVEL_INFO, OG_LEVEL_REFUSE);
            assert_in_range(info.undecided, OG_LEVEL_OFF, OG_LEVEL_REFUSE);
            /* a predicted rejection has its rank in the broker's order of checks */
            if (info.predicts.channel != OG_CHANNEL_NONE && info.predicts.channel != OG_CHANNEL_ACCEPTED)
                assert_int_not_equal(rule->reasons[count].rank, OG_RANK_NONE);
            if (og_rule_is_local(
                    rule)) { /* `rule` may be missing: then nothing is predicted for it, and other predictions stay
                              * valid */
                assert_int_equal(info.predicts.channel, OG_CHANNEL_NONE);
                assert_int_not_equal(info.predicts.certainty, OG_READING);
            }
            if (info.predicts.channel != OG_CHANNEL_NONE)
                assert_in_range(info.predicts.certainty, OG_STATED, OG_READING);
            if (info.predicts.code)
                assert_non_null(og_reject_code_meaning(info.predicts.code));
            for (int k = 0; k < 3 && info.predicts.codes[k]; k++)
                assert_non_null(og_reject_code_meaning(info.predicts.codes[k]));
        }
        assert_int_equal(count, rule->reason_count);
    }
}

/* A default must be valid and within its own bounds, and no key may hide one of the rule entry's own keys. */
static void settings_have_usable_defaults(void **state)
{
    static const char *const taken[] = { "level", "unsure", "reasons", "overrides", "match",
                                         "when",  "lock",   "until",   "mode" };
    struct og_arena arena;

    (void)state;
    og_arena_init(&arena, 0);
    for (size_t i = 0; i < og_rules_size; i++) {
        const struct og_rule *rule = og_rules[i];
        char *settings = og_arena_take(&arena, rule->settings_size + 1);

        assert_true(rule->param_count <= OG_PARAMS_MOST);
        assert_int_equal(rule->param_count > 0, rule->settings_size > 0);
        for (size_t k = 0; k < rule->param_count; k++) {
            const struct og_param *p = &rule->params[k];
            struct og_param bound = *p;
            char *other = og_arena_take(&arena, rule->settings_size);

            assert_true(spelled(p->key, "abcdefghijklmnopqrstuvwxyz0123456789_"));
            for (size_t t = 0; t < COUNT(taken); t++)
                assert_string_not_equal(p->key, taken[t]);
            assert_true(p->help && p->help[0]);
            assert_int_equal(p->kind == OG_PARAM_CHOICE, p->choices != NULL);
            if (!p->fallback)
                continue;
            assert_true(og_value_fallback(p, &arena, settings));
            bound.fallback = p->least;
            if (p->least) {
                assert_true(og_value_fallback(&bound, &arena, other));
                assert_true(og_value_cmp(p, settings, other) >= 0);
            }
            bound.fallback = p->most;
            if (p->most) {
                assert_true(og_value_fallback(&bound, &arena, other));
                assert_true(og_value_cmp(p, settings, other) <= 0);
            }
        }
        if (rule->settings_agree)
            assert_true(rule->settings_agree(settings, NULL));
    }
    og_arena_clear(&arena);
}

static void facts_have_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < og_rules_size; i++) {
        unsigned kinds = 0;

        for (; og_rule_reads(og_rules[i], kinds); kinds++)
            assert_true(og_rule_reads(og_rules[i], kinds)[0]);
        assert_int_equal(kinds, __builtin_popcount(og_rules[i]->reads));
    }
}

/* A replacement is refused for good, and the old order left working, if a rule refuses it that does not count the old
 * order. */
static void rules_that_read_working_orders_count_them(void **state)
{
    int count = 0;

    (void)state;
    for (size_t i = 0; i < og_rules_size; i++) {
        const struct og_rule *r = og_rules[i];

        if (og_rule_subjects(r) & OG_SUBJECT_ORDER && r->reads & OG_FACT_ORDERS && !r->counts_working &&
            r->code != OG_CODE_facts_age) /* the rule checks how old the list is, not what works */
            fail_msg("%s reads the list of orders and does not say counts_working", r->id);
        count += og_rule_counts_working(r);
    }
    assert_in_range(count, 14, 30);
    assert_false(og_rule_counts_working(NULL));
    assert_false(og_rule_is_of_form(NULL));
    assert_true(og_rule_is_of_form(og_rules_find("stop-price")));
    assert_false(og_rule_is_of_form(og_rules_find("trading")));
}

static const struct og_param *param_called(const struct og_rule *rule, const char *key)
{
    OG_EACH_PARAM (p, rule)
        if (strcmp(p->key, key) == 0)
            return p;
    fail_msg("rule %s has no setting %s", rule->id, key);
    return NULL;
}

/* Returns how many other limits a descriptor names; each has the same kind and direction, except where a price is
 * compared with an order's worth. */
static int named_limits(const struct og_rule *rule, const struct og_param *p, const struct og_tighter_limit *named,
                        bool opposite)
{
    int count = 0;

    for (; named && named->key; named++, count++) {
        const struct og_param *other = param_called(og_rules[named->rule], named->key);

        assert_int_equal(other->kind, p->kind);
        assert_int_equal(other->tighter == p->tighter, !opposite);
        assert_true(other != p);
        if (named->within)
            assert_int_equal(param_called(rule, named->within)->kind, OG_PARAM_DURATION);
    }
    return count;
}

static void limits_name_limits_there_are(void **state)
{
    int count = 0;

    (void)state;
    for (size_t i = 0; i < og_rules_size; i++)
        OG_EACH_PARAM (p, og_rules[i]) {
            assert_true(p->kind == OG_PARAM_WORDS || (!p->words && !p->name && !p->listing));
            count += named_limits(og_rules[i], p, p->idle_by, false);
            if (!p->least_price)
                continue;
            count += named_limits(og_rules[i], p, p->least_price->worth, true);
            count += named_limits(og_rules[i], p, p->least_price->below, false);
        }
    assert_in_range(count, 18, 100);
}

/* The codes of rejected orders and refused locates, in the order of Y37 to Y57 in docs/readings.md. */
static void settings_name_reasons_that_warn(void **state)
{
    int count = 0;

    (void)state;
    for (size_t i = 0; i < og_rules_size; i++)
        for (size_t k = 0; k < og_rules[i]->param_count; k++) {
            const char *finds = og_rules[i]->params[k].finds;
            const struct og_reason *found = NULL;

            for (size_t at = 0; finds && at < og_rules[i]->reason_count; at++)
                if (strcmp(og_rules[i]->reasons[at].id, finds) == 0)
                    found = &og_rules[i]->reasons[at];
            assert_true(!finds || (found && found->level < OG_LEVEL_REFUSE));
            count += finds != NULL;
        }
    assert_in_range(count, 6, 1000);
}

static void reject_codes_are_the_documents(void **state)
{
    static const char *const codes[] = { "R24",  "R54", "R78", "R88", "R95", "R114", "R118", "R130", "R145",
                                         "R152", "R56", "R06", "R67", "11",  "14",   "16",   "1" };

    (void)state;
    for (size_t i = 0; i < COUNT(codes); i++) {
        assert_string_equal(og_reject_code_at(i), codes[i]);
        assert_non_null(og_reject_code_meaning(codes[i]));
    }
    assert_null(og_reject_code_at(COUNT(codes)));
    assert_null(og_reject_code_meaning("R1"));
    assert_null(og_reject_code_meaning("78"));
}

static void near_words_are_found(void **state)
{
    static const char *const words[] = { "check", "lint", "rules" };

    (void)state;
    assert_string_equal(og_nearest_word("lnit", words, COUNT(words)), "lint");
    assert_null(og_nearest_word("policy", words, COUNT(words)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_unique_and_kebab),
        cmocka_unit_test(reasons_are_unique_across_rules),
        cmocka_unit_test(every_reason_is_told_whole),
        cmocka_unit_test(settings_have_usable_defaults),
        cmocka_unit_test(facts_have_names),
        cmocka_unit_test(rules_that_read_working_orders_count_them),
        cmocka_unit_test(limits_name_limits_there_are),
        cmocka_unit_test(settings_name_reasons_that_warn),
        cmocka_unit_test(reject_codes_are_the_documents),
        cmocka_unit_test(near_words_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
