/*
 * One rule's entry with every kind of setting, on a rule made for this test: reading, bounds, layers, tightening.
 */
#include <stdio.h>

#include "base/error.h"
#include "policy/rule_entry.h"
#include "policy/value.h"
#include "unit.h"

struct settings {
    int64_t count;
    struct og_money most;
    int32_t away;
    int64_t wait;
    struct og_string_set only;
    int32_t shape;
    int64_t must;
};

static const char *const shapes[] = { "soft", "firm", "hard", NULL };
static const struct og_param params[] = {
    { .key = "count",
      OG_INT(count),
      .fallback = "10",
      .least = "-5",
      .most = "1000000",
      .help = "n",
      .tighter = OG_TIGHTER_LOWER },
    { .key = "most",
      OG_MONEY(most),
      .fallback = "50000",
      .least = "0.005",
      .help = "dollars",
      .tighter = OG_TIGHTER_LOWER },
    { .key = "away", OG_BPS(away), .fallback = "5%", .least = "0.01%", .most = "100%", .help = "percent" },
    { .key = "wait",
      OG_DURATION(wait),
      .fallback = "2s",
      .least = "1ms",
      .most = "1h",
      .help = "how long",
      .tighter = OG_TIGHTER_HIGHER },
    { .key = "only", OG_WORDS(only), .fallback = "AAPL, GME", .help = "symbols" },
    { .key = "shape",
      OG_CHOICE(shape),
      .fallback = "soft",
      .choices = shapes,
      .help = "how",
      .tighter = OG_TIGHTER_HIGHER },
    { .key = "must", OG_INT(must), .help = "has no default" },
};
static const struct og_reason reasons[] = {
    { .id = "too-much", .level = OG_LEVEL_REFUSE, .undecided = OG_LEVEL_WARN, .says = "x", .where = "x" },
    { .id = "odd", .level = OG_LEVEL_INFO, .says = "x", .where = "x" },
};

static bool agree(const void *settings, struct og_error *err)
{
    const struct settings *s = settings;

    if (s->count <= s->must)
        return true;
    og_fail(err, OG_EPOLICY, "count is above must");
    return false;
}

static const struct og_rule rule = { .code = 1,
                                     .id = "made-up",
                                     .settings_size = sizeof(struct settings),
                                     .params = params,
                                     .param_count = sizeof params / sizeof *params,
                                     .reasons = reasons,
                                     .reason_count = sizeof reasons / sizeof *reasons,
                                     .settings_agree = agree };
static const struct og_policy_file origin = { .name = "t" };

struct table {
    struct og_arena arena;
    struct og_diagnostics faults;
    struct og_entry_context speaker;
    struct og_draft draft;
    struct og_rule_entry said;
    char text[1000];
};

static void no_yaml_fault(void *with, int line, int col, const char *code, const char *text)
{
    (void)with;
    print_error("%d:%d %s %s\n", line, col, code, text);
    fail();
}

static void say(struct table *t, const char *yaml)
{
    struct og_yaml *root = NULL;

    assert_int_equal(og_yaml_read(yaml, strlen(yaml), &t->arena, no_yaml_fault, NULL, &root), OG_OK);
    assert_true(
        og_rule_entry_init(&t->speaker, &rule, (struct og_srcloc){ .source = &origin, .line = 7, .col = 3 }, &t->said));
    for (const struct og_yaml *n = root->first; n; n = n->next)
        if (!og_rule_entry_key(&t->speaker, &rule, n, &t->said))
            og_rule_entry_unknown(&t->speaker, &rule, n, (const char *const[]){ "overrides", NULL });
}

static int set_up(void **state)
{
    struct table *t = calloc(1, sizeof *t);

    if (!t)
        return -1;
    og_arena_init(&t->arena, 0);
    t->faults.arena = &t->arena;
    t->speaker = (struct og_entry_context){ &t->arena, &t->faults, &origin };
    *state = t;
    return og_draft_init(&t->draft, &rule, &t->arena) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct table *t = *state;

    og_arena_clear(&t->arena);
    free(t);
    return 0;
}

static void hear(void *with, const struct og_diagnostic *fault)
{
    struct table *t = with;
    size_t len = strlen(t->text);

    snprintf(t->text + len, sizeof t->text - len, "%d:%d %s: %s\n", fault->line, fault->col, fault->code, fault->text);
}

static const char *faults(struct table *t)
{
    t->text[0] = '\0';
    og_diagnostics_report(&t->faults, OG_EPOLICY, hear, t, NULL);
    return t->text;
}

static void written(struct table *t, const char *expected)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    for (size_t i = 0; i < rule.param_count; i++) {
        og_buf_text(&b, i ? " " : "");
        if (t->draft.given >> i & 1)
            og_value_write(&params[i], t->draft.settings, &b);
        else
            og_buf_char(&b, '-');
    }
    assert_string_equal(b.s, expected);
    og_buf_clear(&b);
}

static void defaults(void **state)
{
    struct table *t = *state;

    written(t, "10 50000 5% 2s [\"AAPL\", \"GME\"] soft -");
    assert_int_equal(t->draft.setting.level, OG_LEVEL_OFF); /* on nothing */
}

static void every_kind_is_read_and_written_the_same(void **state)
{
    struct table *t = *state;

    say(t, "{count: -5, most: 0.005, away: 0.25%, wait: 1h, only: [\"a b\", 'ü\"'], shape: hard, must: 999999999999}");
    og_draft_lay(&t->draft, &rule, &t->said);
    assert_string_equal(faults(t), "");
    written(t, "-5 0.005 0.25% 1h [\"a b\", \"ü\\\"\"] hard 999999999999");
    say(t, "{only: [], away: 100%, wait: 90s}");
    og_draft_lay(&t->draft, &rule, &t->said);
    written(t, "-5 0.005 100% 90s [] hard 999999999999");
}

static void bounds_are_inclusive(void **state)
{
    struct table *t = *state;

    say(t, "{count: -5, most: 0.005, away: 0.01%, wait: 1ms}");
    say(t, "{count: 1000000, away: 100%, wait: 1h}");
    assert_string_equal(faults(t), "");
    say(t, "{count: -6, most: 0.004999, away: 0%, wait: 0s}");
    assert_string_equal(faults(t), "1:9 value-out-of-bounds: 'count' is -6, least allowed is -5\n"
                                   "1:19 value-out-of-bounds: 'most' is 0.004999, least allowed is 0.005\n"
                                   "1:35 value-out-of-bounds: 'away' is 0%, least allowed is 0.01%\n"
                                   "1:45 value-out-of-bounds: 'wait' is 0s, least allowed is 1ms\n");
    assert_int_equal(t->said.given, 0);
}

static void upper_bounds(void **state)
{
    struct table *t = *state;

    say(t, "{count: 1000001, away: 100.01%, wait: 3601s}");
    assert_string_equal(faults(t), "1:9 value-out-of-bounds: 'count' is 1000001, most allowed is 1000000\n"
                                   "1:24 value-out-of-bounds: 'away' is 100.01%, most allowed is 100%\n"
                                   "1:39 value-out-of-bounds: 'wait' is 3601s, most allowed is 1h\n");
}

static void other_spellings_are_refused(void **state)
{
    static const char *const wrong[] = {
        "{count: 1.5}",       "{count: 1e3}",   "{count: ten}",  "{count: 99999999999999999999}",
        "{count: 0x10}",      "{count: \"5\"}", "{count: [5]}",  "{count: }",
        "{most: \"5\"}",      "{most: 1e5}",    "{most: 5%}",    "{most: $5}",
        "{away: 5}",          "{away: 0.001%}", "{away: '%'}",   "{away: 99999999999%}",
        "{wait: 5}",          "{wait: 1h30m}",  "{wait: -1s}",   "{only: AAPL}",
        "{only: [a, [b]]}",   "{only: [\"\"]}", "{shape: Hard}", "{shape: [hard]}",
        "{shape: {hard: 1}}",
    };
    struct table *t = *state;

    for (size_t i = 0; i < COUNT(wrong); i++) {
        say(t, wrong[i]);
        if (t->faults.errors != i + 1)
            print_error("%s: %zu faults\n", wrong[i], t->faults.errors);
        assert_int_equal(t->faults.errors, i + 1);
        assert_int_equal(t->said.given, 0);
    }
}

static void laying_over(void **state)
{
    struct table *t = *state;

    say(t, "{level: refuse, reasons: {odd: refuse}, unsure: refuse}");
    og_draft_lay(&t->draft, &rule, &t->said);
    assert_int_equal(t->draft.setting.level, OG_LEVEL_REFUSE);
    assert_int_equal(t->draft.setting.unsure, OG_UNSURE_REFUSE);
    assert_int_equal(t->draft.setting.reason_level[0], -1);
    assert_int_equal(t->draft.setting.reason_level[1], OG_LEVEL_REFUSE);
    /* the rule's level is the most that a reason gets, unless the reason has a level of its own */
    say(t, "{level: warn, reasons: {too-much: refuse}}");
    og_draft_lay(&t->draft, &rule, &t->said);
    assert_int_equal(t->draft.setting.level, OG_LEVEL_WARN);
    assert_int_equal(t->draft.setting.reason_level[0], OG_LEVEL_REFUSE);
    assert_int_equal(t->draft.setting.reason_level[1], OG_LEVEL_WARN);
    assert_int_equal(t->draft.setting.unsure, OG_UNSURE_REFUSE);
    say(t, "{level: off}");
    og_draft_lay(&t->draft, &rule, &t->said);
    assert_int_equal(t->draft.setting.reason_level[0], OG_LEVEL_OFF);
    assert_string_equal(faults(t), "");
}

static void tighten(struct table *t, const char *yaml)
{
    say(t, yaml);
    og_draft_tighten(&t->draft, &rule, &t->said, &t->speaker);
}

static void tightening_moves_one_way(void **state)
{
    struct table *t = *state;

    tighten(t, "{count: 5, most: 60000, wait: 1s, shape: firm}");
    written(t, "5 50000 5% 2s [\"AAPL\", \"GME\"] firm -");
    tighten(t, "{count: 7, most: 40000.5, wait: 3s, shape: soft, must: 4}");
    written(t, "5 40000.5 5% 3s [\"AAPL\", \"GME\"] firm 4");
    assert_string_equal(faults(t), "");
}

static void tightening_without_a_stricter_side(void **state)
{
    struct table *t = *state;

    tighten(t, "{away: 3%, only: [X]}"); /* the policy has both at their defaults: the floor's values apply */
    written(t, "10 50000 3% 2s [\"X\"] soft -");
    tighten(t, "{away: 3%}");
    assert_string_equal(faults(t), "");
    tighten(t, "{away: 2%}");
    assert_string_equal(faults(t),
                        "7:3 floor-conflict: the floor and the policy set 'away' of rule 'made-up' to different "
                        "values, and neither is the stricter one: take it out of one of them\n");
}

static void tightening_levels(void **state)
{
    struct table *t = *state;

    say(t, "{level: refuse, reasons: {too-much: info}, unsure: warn}");
    og_draft_lay(&t->draft, &rule, &t->said);
    tighten(t, "{level: warn}"); /* the level of a floor applies to each reason, up to its natural level */
    assert_int_equal(t->draft.setting.level, OG_LEVEL_REFUSE);
    assert_int_equal(t->draft.setting.reason_level[0], OG_LEVEL_WARN);
    assert_int_equal(t->draft.setting.reason_level[1], -1);
    tighten(t, "{unsure: refuse, reasons: {odd: warn, too-much: info}}");
    assert_int_equal(t->draft.setting.unsure, OG_UNSURE_REFUSE);
    assert_int_equal(t->draft.setting.reason_level[0], OG_LEVEL_WARN);
    assert_int_equal(t->draft.setting.reason_level[1], OG_LEVEL_WARN);
    tighten(t, "{unsure: warn, level: off}");
    assert_int_equal(t->draft.setting.unsure, OG_UNSURE_REFUSE);
    assert_int_equal(t->draft.setting.level, OG_LEVEL_REFUSE);
}

static void a_floor_turns_a_rule_on(void **state)
{
    struct table *t = *state;

    say(t, "{level: off, reasons: {too-much: off}}");
    og_draft_lay(&t->draft, &rule, &t->said);
    tighten(t, "{level: refuse}");
    assert_int_equal(t->draft.setting.level, OG_LEVEL_REFUSE);
    assert_int_equal(t->draft.setting.reason_level[0], OG_LEVEL_REFUSE);
}

static void a_rule_that_is_on_has_all_it_must(void **state)
{
    struct table *t = *state;

    og_draft_finish(&t->draft, &rule, &t->faults);
    assert_string_equal(faults(t), "");
    assert_null(t->draft.setting.settings); /* the rule is off and cannot run */
    assert_true(og_draft_init(&t->draft, &rule, &t->arena));
    say(t, "{level: warn}");
    og_draft_lay(&t->draft, &rule, &t->said);
    og_draft_finish(&t->draft, &rule, &t->faults);
    assert_string_equal(faults(t),
                        "7:3 setting-missing: rule 'made-up' needs 'must' (has no default); without it, turn the "
                        "rule off\n");
}

static void settings_must_agree(void **state)
{
    struct table *t = *state;

    say(t, "{level: warn, must: 10}");
    og_draft_lay(&t->draft, &rule, &t->said);
    og_draft_finish(&t->draft, &rule, &t->faults);
    assert_string_equal(faults(t), "");
    assert_ptr_equal(t->draft.setting.settings, t->draft.settings);
    say(t, "{must: 9}");
    og_draft_lay(&t->draft, &rule, &t->said);
    og_draft_finish(&t->draft, &rule, &t->faults);
    assert_string_equal(faults(t), "7:3 settings-disagree: rule 'made-up': count is above must\n");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(defaults),
        TEST(every_kind_is_read_and_written_the_same),
        TEST(bounds_are_inclusive),
        TEST(upper_bounds),
        TEST(other_spellings_are_refused),
        TEST(laying_over),
        TEST(tightening_moves_one_way),
        TEST(tightening_without_a_stricter_side),
        TEST(tightening_levels),
        TEST(a_floor_turns_a_rule_on),
        TEST(a_rule_that_is_on_has_all_it_must),
        TEST(settings_must_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
