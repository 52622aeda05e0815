/*
 * Policies through the public functions: statuses, errors and diagnostics, the floor, overrides as the engine reads
 * them.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/policy.h"
#include "unit.h"

struct heard {
    char text[4000];
    int count;
};

static void hear(void *with, const struct og_diagnostic *fault)
{
    struct heard *h = with;
    size_t len = strlen(h->text);

    h->count++;
    snprintf(h->text + len, sizeof h->text - len, "%s:%d:%d %s %s\n", fault->file, fault->line, fault->col,
             fault->severity == OG_ERROR ? "error" : "warning", fault->code);
}

static struct og_policy *read_policy(const char *yaml)
{
    struct og_policy *p;
    struct og_error err = { 0 };

    if (og_policy_read(yaml, strlen(yaml), "t.yaml", &p, NULL, NULL, &err) != OG_OK)
        fail_msg("%d:%d %s", err.line, err.col, err.text);
    return p;
}

static const struct og_policy_rule *rule_of(const struct og_policy *p, const char *id)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (strcmp(p->rules[i].rule->id, id) == 0)
            return &p->rules[i];
    fail_msg("no rule %s", id);
    return NULL;
}

static void the_default(void **state)
{
    struct og_policy *p;

    (void)state;
    assert_int_equal(og_policy_load_all(NULL, 0, NULL, &p, NULL, NULL, NULL), OG_OK);
    assert_string_equal(og_policy_name(p), "default");
    assert_string_equal(og_policy_environment(p), "");
    assert_int_equal(p->unsure, OG_UNSURE_WARN);
    for (size_t i = 0; i < og_rules_size; i++) {
        assert_ptr_equal(p->rules[i].rule, og_rules[i]);
        assert_int_equal(p->rules[i].setting.level, og_rules[i]->limit ? OG_LEVEL_OFF : OG_LEVEL_REFUSE);
        assert_true(p->rules[i].setting.settings != NULL || og_rules[i]->settings_size == 0 || og_rules[i]->limit);
    }
    for (int kind = 0; kind < OG_FACT_KINDS; kind++)
        assert_int_equal(p->max_age[kind], 0);
    og_policy_free(p);
}

static void the_digest(void **state)
{
    struct og_policy *a = read_policy("ordergate: 1\nname: x\nrules: {route: warn}\n");
    struct og_policy *b =
        read_policy("# other bytes, the same policy\n{name: x, rules: {route: {level: warn}}, ordergate: 1}\n");
    struct og_policy *c = read_policy("ordergate: 1\nname: x\nrules: {route: info}\n");

    (void)state;
    assert_int_equal(strlen(og_policy_digest(a)), strlen("x@sha256:") + 64);
    assert_memory_equal(og_policy_digest(a), "x@sha256:", 9);
    assert_string_equal(og_policy_digest(a), og_policy_digest(b));
    assert_string_not_equal(og_policy_digest(a), og_policy_digest(c));
    og_policy_free(a);
    og_policy_free(b);
    og_policy_free(c);
}

static void show_into_the_callers_storage(void **state)
{
    struct og_policy *p = read_policy("ordergate: 1\n");
    size_t need = 0, len = 0;
    char *to;

    (void)state;
    assert_int_equal(og_policy_show(p, NULL, 0, &need), OG_EINVAL);
    to = malloc(need + 1);
    assert_non_null(to);
    assert_int_equal(og_policy_show(p, to, need, &len), OG_EINVAL);
    assert_int_equal(og_policy_show(p, to, need + 1, &len), OG_OK);
    assert_int_equal(len, need);
    assert_int_equal(strlen(to), need);
    free(to);
    og_policy_free(p);
}

static void overrides_as_the_engine_reads_them(void **state)
{
    struct og_policy *p =
        read_policy("ordergate: 1\n"
                    "rules:\n"
                    "  price-collar:\n"
                    "    overrides:\n"
                    "      - match: {symbol: \"SPY|QQQ\", securityType: [Stock, Mleg], side: Sell, orderType: Limit}\n"
                    "        away: 1%\n"
                    "        level: warn\n"
                    "    away: 3%\n");
    const struct og_policy_rule *r = rule_of(p, "price-collar");
    struct og_pattern_room *room = og_pattern_room_new();
    const struct og_override *o = r->overrides;

    (void)state;
    assert_non_null(room);
    assert_int_equal(r->override_count, 1);
    assert_int_equal(o->securities, 1U << OG_STOCK | 1U << OG_MLEG);
    assert_int_equal(o->sides, 1U << OG_SELL);
    assert_int_equal(o->types, 1U << OG_LIMIT);
    assert_null(o->account);
    assert_int_equal(og_pattern_match(o->symbol, OG_STR("QQQ"), room), OG_MATCH_YES);
    assert_int_equal(og_pattern_match(o->symbol, OG_STR("QQQX"), room), OG_MATCH_NO); /* the pattern is anchored at both
                                                                                       * ends */
    assert_int_equal(o->setting.level, OG_LEVEL_WARN);
    assert_int_equal(*(const int32_t *)o->setting.settings, 100);
    assert_int_equal(r->setting.level, OG_LEVEL_REFUSE);
    assert_int_equal(*(const int32_t *)r->setting.settings, 300);
    og_pattern_room_free(room);
    og_policy_free(p);
}

static void the_first_error_and_all_faults(void **state)
{
    static const char yaml[] =
        "ordergate: 1\nunsure: no\nrules:\n  price-collar:\n    overrides: [{match: {}}]\n  rout: warn\n";
    struct heard h = { "", 0 };
    struct og_error err = { 0 };
    struct og_policy *p;

    (void)state;
    assert_int_equal(og_policy_read(yaml, sizeof yaml - 1, "some/t.yaml", &p, hear, &h, &err), OG_EPOLICY);
    assert_null(p);
    assert_string_equal(h.text, "some/t.yaml:2:9 error value-invalid\nsome/t.yaml:5:25 warning override-matches-all\n"
                                "some/t.yaml:6:3 error unknown-rule\n");
    assert_int_equal(err.status, OG_EPOLICY);
    assert_string_equal(err.source, "some/t.yaml");
    assert_int_equal(err.line, 2);
    assert_int_equal(err.col, 9);
    assert_int_equal(og_policy_read(yaml, sizeof yaml - 1, "t.yaml", &p, NULL, NULL, NULL), OG_EPOLICY);
}

static void a_warning_alone_is_no_error(void **state)
{
    static const char yaml[] = "ordergate: 1\nrules: {price-collar: {overrides: [{match: {}}]}}\n";
    struct heard h = { "", 0 };
    struct og_error err = { 0 };
    struct og_policy *p;

    (void)state;
    assert_int_equal(og_policy_read(yaml, sizeof yaml - 1, "t.yaml", &p, hear, &h, &err), OG_OK);
    assert_int_equal(h.count, 1);
    assert_int_equal(err.status, OG_OK);
    og_policy_free(p);
}

static void what_cannot_be_read(void **state)
{
    struct heard h = { "", 0 };
    struct og_error err = { 0 };
    struct og_policy *p;

    (void)state;
    assert_int_equal(og_policy_load("/nowhere/x.yaml", &p, hear, &h, &err), OG_EIO);
    assert_null(p);
    assert_int_equal(err.cause, ENOENT);
    assert_string_equal(err.text, "policy '/nowhere/x.yaml' does not exist");
    err = (struct og_error){ 0 };
    assert_int_equal(og_policy_load("lvie", &p, hear, &h, &err), OG_EIO);
    assert_string_equal(err.text,
                        "there is no policy 'lvie'; did you mean 'live'? known: default, paper, live, cautious, "
                        "small-account, options-income, short-seller (all built in: no folder is searched); to name a "
                        "file, give a path with '/' or ending in .yaml");
    err = (struct og_error){ 0 };
    assert_int_equal(og_policy_load("desk-book", &p, hear, &h, &err), OG_EIO);
    assert_string_equal(err.text, "'desk-book' is a folder of policies: give the path of its desk.yaml, as "
                                  "policies/desk-book/desk.yaml in the source, or share/ordergate/policies/desk-book/"
                                  "desk.yaml where ordergate is installed");
    err = (struct og_error){ 0 };
    assert_int_equal(og_policy_load("/", &p, hear, &h, &err), OG_EIO);
    assert_int_equal(h.count, 0);
}

/* The floor */

static char floor_path[64];

static int make_floor(void **state)
{
    int fd;

    (void)state;
    snprintf(floor_path, sizeof floor_path, "/tmp/og-floor-XXXXXX");
    fd = mkstemp(floor_path);
    return fd < 0 ? -1 : close(fd);
}

static int drop_floor(void **state)
{
    (void)state;
    return unlink(floor_path);
}

static void write_floor(const char *yaml)
{
    FILE *f = fopen(floor_path, "w");

    assert_non_null(f);
    fprintf(f, "ordergate: 1\n%s", yaml);
    assert_int_equal(fclose(f), 0);
}

static enum og_status load_with_floor(const char *name, struct og_policy **p, struct heard *h, struct og_error *err)
{
    *h = (struct heard){ "", 0 };
    *err = (struct og_error){ 0 };
    return og_policy_load_all(&name, 1, floor_path, p, hear, h, err);
}

static void a_floor_tightens_everything(void **state)
{
    const struct og_policy_rule *collar;
    struct og_policy *p;
    struct og_error err;
    struct heard h;
    int at;

    (void)state;
    write_floor("unsure: refuse\n"
                "max_age: {quotes: 5s, account: 20s}\n"
                "rules:\n"
                "  price-collar: {away: 4%}\n"
                "  borrow-locate: refuse\n"
                "  time-in-force: warn\n");
    assert_int_equal(load_with_floor("live", &p, &h, &err), OG_OK);
    for (at = 0; 1U << at != OG_FACT_QUOTE; at++)
        ;
    assert_int_equal(p->max_age[at], 2 * OG_NS_PER_S); /* the value of policy live itself is stricter */
    og_policy_free(p);

    assert_int_equal(load_with_floor("paper", &p, &h, &err), OG_OK);
    assert_int_equal(h.count, 0);
    assert_int_equal(p->unsure, OG_UNSURE_REFUSE);
    assert_int_equal(p->max_age[at], 5 * OG_NS_PER_S);
    for (size_t i = 0; i < og_rules_size; i++)
        assert_int_equal(p->rules[i].setting.unsure, OG_UNSURE_REFUSE);
    collar = rule_of(p, "price-collar");
    assert_int_equal(*(const int32_t *)collar->setting.settings, 400);
    assert_int_equal(rule_of(p, "borrow-locate")->setting.level, OG_LEVEL_REFUSE); /* paper: warn */
    assert_int_equal(rule_of(p, "time-in-force")->setting.level, OG_LEVEL_WARN);
    og_policy_free(p);
}

static void a_floor_holds_for_overrides_too(void **state)
{
    const struct og_policy_rule *collar;
    struct og_policy *p;
    struct og_error err;
    struct heard h;

    (void)state;
    write_floor("rules: {price-collar: {level: warn, away: 4%}}\n");
    assert_int_equal(load_with_floor("live", &p, &h, &err), OG_OK);
    collar = rule_of(p, "price-collar");
    assert_int_equal(collar->override_count, 2);
    assert_int_equal(*(const int32_t *)collar->overrides[0].setting.settings, 400); /* live: 10% */
    assert_int_equal(*(const int32_t *)collar->overrides[1].setting.settings, 400); /* live: 80% */
    assert_int_equal(*(const int32_t *)collar->setting.settings, 400);
    og_policy_free(p);
}

static void a_floor_changes_the_digest(void **state)
{
    struct og_policy *with, *without;
    struct og_error err;
    struct heard h;

    (void)state;
    write_floor("rules: {price-collar: {away: 4%}}\n");
    assert_int_equal(load_with_floor("live", &with, &h, &err), OG_OK);
    assert_int_equal(og_policy_load("live", &without, NULL, NULL, NULL), OG_OK);
    assert_string_equal(og_policy_name(with), "live");
    assert_string_not_equal(og_policy_digest(with), og_policy_digest(without));
    og_policy_free(with);
    og_policy_free(without);
}

static void a_floor_with_faults_stops_the_policy(void **state)
{
    struct og_policy *p;
    struct og_error err;
    struct heard h;
    char expected[600];

    (void)state;
    write_floor("extends: [live]\n"
                "environment: paper\n"
                "rules:\n"
                "  price-collar: {overrides: [{match: {symbol: A}, away: 1%}]}\n"
                "  rout: warn\n");
    assert_int_equal(load_with_floor("default", &p, &h, &err), OG_EPOLICY);
    snprintf(expected, sizeof expected,
             "%s:2:1 error floor-key\n%s:3:1 error floor-key\n%s:5:18 error floor-key\n%s:6:3 error unknown-rule\n",
             floor_path, floor_path, floor_path, floor_path);
    assert_string_equal(h.text, expected);
}

/* Keys that only matter in a stand-alone policy have no effect in a floor: it extends nothing. */
static void a_floor_may_say_that_it_stands_on_nothing(void **state)
{
    struct og_policy *p;
    struct og_error err;
    struct heard h;

    (void)state;
    write_floor("extends: []\nunsure: refuse\n");
    assert_int_equal(load_with_floor("default", &p, &h, &err), OG_OK);
    assert_string_equal(h.text, "");
    og_policy_free(p);
}

static void a_floor_that_cannot_be_used_is_not_skipped(void **state)
{
    const char *name = "live";
    struct og_policy *p;
    struct og_error err;
    struct heard h;

    (void)state;
    write_floor("");
    assert_int_equal(chmod(floor_path, 0646), 0);
    assert_int_equal(load_with_floor("live", &p, &h, &err), OG_EIO);
    assert_non_null(strstr(h.text, "error file-unsafe"));
    err = (struct og_error){ 0 };
    assert_int_equal(og_policy_load_all(&name, 1, "/nowhere/floor.yaml", &p, NULL, NULL, &err), OG_EIO);
    assert_int_equal(err.cause, ENOENT);
}

static void laying_one_twice_is_a_warning(void **state)
{
    const char *names[] = { "cautious", "live" };
    struct heard h = { "", 0 };
    struct og_policy *p;

    (void)state;
    write_floor("");
    assert_int_equal(og_policy_load_all(names, 2, floor_path, &p, hear, &h, NULL), OG_OK);
    assert_string_equal(h.text, "live:0:0 warning laid-already\n");
    assert_string_equal(og_policy_name(p), "cautious");
    og_policy_free(p);
}

int main(void)
{
#define FLOOR(f) cmocka_unit_test_setup_teardown(f, make_floor, drop_floor)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default),
        cmocka_unit_test(the_digest),
        cmocka_unit_test(show_into_the_callers_storage),
        cmocka_unit_test(overrides_as_the_engine_reads_them),
        cmocka_unit_test(the_first_error_and_all_faults),
        cmocka_unit_test(a_warning_alone_is_no_error),
        cmocka_unit_test(what_cannot_be_read),
        FLOOR(a_floor_tightens_everything),
        FLOOR(a_floor_holds_for_overrides_too),
        FLOOR(a_floor_changes_the_digest),
        FLOOR(a_floor_with_faults_stops_the_policy),
        FLOOR(a_floor_may_say_that_it_stands_on_nothing),
        FLOOR(a_floor_that_cannot_be_used_is_not_skipped),
        FLOOR(laying_one_twice_is_a_warning),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
