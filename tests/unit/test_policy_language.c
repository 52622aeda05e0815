/*
 * Custom rules, lists, modes and locks in cases that the command line does not reach: under a floor, for requests to
 * a broker, and with thousands of ids.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/map.h"
#include "policy/policy.h"
#include "unit.h"

struct heard {
    char text[4000];
};

static char floor_path[64];

static void hear(void *with, const struct og_diagnostic *fault)
{
    struct heard *h = with;
    size_t len = strlen(h->text);

    snprintf(h->text + len, sizeof h->text - len, "%s:%d:%d %s\n",
             strcmp(fault->file, floor_path) == 0 ? "floor" : fault->file, fault->line, fault->col, fault->code);
}

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

/* Load a policy under a floor; NULL: *h has the error. */
static struct og_policy *under(const char *floor, const char *policy, struct heard *h)
{
    char path[80], text[2000];
    const char *names[] = { path };
    enum og_status status;
    struct og_policy *p;

    snprintf(path, sizeof path, "%s.policy.yaml", floor_path);
    snprintf(text, sizeof text, "ordergate: 1\nextends: []\n%s", policy);
    write_file(path, text);
    snprintf(text, sizeof text, "ordergate: 1\n%s", floor);
    write_file(floor_path, text);
    *h = (struct heard){ "" };
    status = og_policy_load_all(names, 1, floor_path, &p, hear, h, NULL);
    unlink(path);
    assert_int_equal(status, h->text[0] ? OG_EPOLICY : OG_OK);
    return p;
}

static struct og_policy *read_policy(const char *yaml)
{
    struct og_policy *p;
    struct og_error err = { 0 };

    if (og_policy_read(yaml, strlen(yaml), "t.yaml", &p, NULL, NULL, &err) != OG_OK)
        fail_msg("%d:%d %s", err.line, err.col, err.text);
    return p;
}

static const struct og_custom *custom(const struct og_policy *p, const char *id)
{
    for (size_t i = 0; i < p->custom_count; i++)
        if (strcmp(p->custom[i]->rule.id, id) == 0)
            return p->custom[i];
    fail_msg("no rule %s", id);
    return NULL;
}

static int set_up(void **state)
{
    int fd;

    (void)state;
    snprintf(floor_path, sizeof floor_path, "/tmp/og-floor-XXXXXX");
    fd = mkstemp(floor_path);
    if (fd >= 0)
        close(fd);
    return fd < 0;
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(floor_path);
}

#define OWN "lists: {barred: [GME]}\ncustom:\n  - {id: house, require: \"!(order.symbol in lists.barred)\"}\n"

static void a_floor_has_rules_and_lists_of_its_own(void **state)
{
    struct heard h;
    struct og_policy *p = under(OWN, "mode: shadow\nunsure: warn\ncustom:\n  - {id: mine, require: \"true\"}\n", &h);
    const struct og_custom *house;

    (void)state;
    assert_string_equal(h.text, "");
    house = custom(p, "house");
    assert_int_equal(house->entry.setting.mode, OG_MODE_ENFORCE); /* whatever mode the policy sets */
    assert_int_equal(house->entry.setting.level, OG_LEVEL_REFUSE);
    assert_int_equal(house->entry.setting.unsure, OG_UNSURE_WARN);
    assert_int_equal(custom(p, "mine")->entry.setting.mode, OG_MODE_SHADOW);
    assert_int_equal(p->lists.count, 1);
    og_policy_free(p);
}

static void a_floors_names_are_its_own(void **state)
{
    struct heard h;

    (void)state;
    assert_null(under(OWN, "lists: {barred: []}\n", &h));
    assert_string_equal(h.text, "floor:2:9 floor-conflict\n");
    og_policy_free(under(OWN, "lists: {barred: [GME]}\n", &h));
    assert_string_equal(h.text, "");
    /* the floor's rule cannot name a list of the policy */
    assert_null(under("custom:\n  - {id: house, require: order.symbol in lists.mine}\n", "lists: {mine: [A]}\n", &h));
    assert_string_equal(h.text, "floor:3:48 expression-unknown-name\n");
}

/* Returns the setting `exits` of order-rate: of the rule, or of its first override. */
static int32_t exits_of(const struct og_policy *p, bool override)
{
    const struct og_policy_rule *r = &p->rules[OG_PLACE_order_rate];
    const struct og_rule_setting *set = override ? &r->overrides[0].setting : &r->setting;
    size_t i = 0;

    while (strcmp(r->rule->params[i].key, "exits") != 0)
        i++;
    return *(const int32_t *)((const char *)set->settings + r->rule->params[i].at);
}

static void a_floor_binds_exits_of_all_limits(void **state)
{
    static const char *const policies[] = { "", "exits: pass\n", "rules: {order-rate: {a_day: 5, exits: pass}}\n",
                                            "exits: bind\n" };
    struct heard h;
    struct og_policy *p;

    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        p = under("exits: bind\n", policies[i], &h);
        assert_string_equal(h.text, "");
        assert_int_equal(exits_of(p, false), 1);
        og_policy_free(p);
    }
    p = under("exits: bind\n", "rules: {order-rate: {a_day: 5, overrides: [{match: {symbol: A}, exits: pass}]}}\n", &h);
    assert_int_equal(exits_of(p, true), 1);
    og_policy_free(p);
    p = under("exits: pass\n", "exits: bind\n", &h); /* a floor never loosens */
    assert_int_equal(exits_of(p, false), 1);
    og_policy_free(p);
}

static void a_rule_of_the_floors_id_is_the_same_rule(void **state)
{
    struct heard h;
    struct og_policy *p = under(OWN, "mode: warn\n" OWN, &h);

    (void)state;
    assert_string_equal(h.text, "");
    assert_int_equal(p->custom_count, 1);
    assert_int_equal(custom(p, "house")->entry.setting.mode, OG_MODE_ENFORCE);
    og_policy_free(p);
    assert_null(under(OWN, "custom:\n  - {id: house, require: \"true\"}\n", &h));
    assert_string_equal(h.text, "floor:4:5 floor-conflict\n");
}

static void a_floor_counts_under_any_mode(void **state)
{
    struct heard h;
    struct og_policy *p = under("unsure: refuse\nrules:\n  order-notional: {level: refuse, most: 100}\n  route: "
                                "{level: warn, mode: warn}\n",
                                "mode: shadow\nrules:\n  order-notional: {level: refuse, most: 50}\n  account: refuse\n"
                                "custom:\n  - {id: mine, require: \"true\"}\n",
                                &h);

    (void)state;
    assert_string_equal(h.text, "");
    for (size_t i = 0; i < og_rules_size; i++) {
        const char *id = p->rules[i].rule->id;
        enum og_mode mode = p->rules[i].setting.mode;

        if (strcmp(id, "order-notional") == 0 || p->rules[i].rule->locked)
            assert_int_equal(mode, OG_MODE_ENFORCE);
        else
            assert_int_equal(mode, strcmp(id, "route") == 0 ? OG_MODE_WARN : OG_MODE_SHADOW);
    }
    assert_int_equal(custom(p, "mine")->entry.setting.unsure, OG_UNSURE_REFUSE);
    og_policy_free(p);
    p = under("mode: enforce\n", "mode: shadow\ncustom:\n  - {id: mine, require: \"true\"}\n", &h);
    assert_int_equal(p->mode, OG_MODE_ENFORCE);
    assert_int_equal(custom(p, "mine")->entry.setting.mode, OG_MODE_ENFORCE);
    og_policy_free(p);
}

/* A mode that a policy sets at any place is raised to the floor's mode. */
static void a_floors_mode_holds_everywhere(void **state)
{
    static const char *const modes[] = { "shadow", "warn", "enforce" };
    static const enum og_mode values[] = { OG_MODE_SHADOW, OG_MODE_WARN, OG_MODE_ENFORCE };

    (void)state;
    for (size_t i = 0; i < COUNT(modes) * COUNT(modes) * COUNT(modes); i++) {
        const size_t all = i % COUNT(modes), one = i / COUNT(modes) % COUNT(modes), least = i / COUNT(modes) / 3;
        char floor[40], policy[400];
        struct heard h;
        struct og_policy *p;

        snprintf(floor, sizeof floor, "mode: %s\n", modes[least]);
        snprintf(policy, sizeof policy,
                 "mode: %s\nrules:\n  order-notional: {level: refuse, most: 50, mode: %s}\n"
                 "custom:\n  - {id: mine, require: \"true\", mode: %s}\n",
                 modes[all], modes[one], modes[one]);
        p = under(floor, policy, &h);
        assert_string_equal(h.text, "");
        assert_int_equal(p->mode, values[all > least ? all : least]);
        assert_int_equal(custom(p, "mine")->entry.setting.mode, values[one > least ? one : least]);
        for (size_t k = 0; k < og_rules_size; k++)
            if (strcmp(p->rules[k].rule->id, "order-notional") == 0)
                assert_int_equal(p->rules[k].setting.mode, values[one > least ? one : least]);
        og_policy_free(p);
    }
}

static void a_floor_has_no_lock(void **state)
{
    struct heard h;

    (void)state;
    assert_null(under("rules: {route: {lock: true}}\n", "rules: {}\n", &h));
    assert_string_equal(h.text, "floor:2:17 floor-key\n");
    assert_null(under("custom:\n  - {id: a, require: \"true\", lock: true}\n", "rules: {}\n", &h));
    assert_string_equal(h.text, "floor:3:36 floor-key\n");
}

static void what_rules_read_is_asked_for(void **state)
{
    static const struct {
        const char *text;
        bool asks;
    } cases[] = {
        { "rules: {}\n", false },
        { "custom:\n  - {id: a, require: counters.dayPnl > -100.0}\n", true },
        { "custom:\n  - {id: a, require: counters.dayPnl > -100.0, level: off}\n", false },
        { "custom:\n  - {id: a, require: counters.dayPnl > -100.0, mode: shadow}\n", true },
        { "custom:\n  - {id: a, when: counters.dayPnl > 1.0, require: \"false\"}\n", true },
        { "custom:\n  - {id: a, require: \"false\", message: \"{counters.dayPnl}\"}\n", true },
        { "rules:\n  order-quantity-limit: {level: refuse, overrides: [{when: counters.dayPnl > 1.0, shares: 5}]}\n",
          true },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[400];
        struct og_policy *p;

        snprintf(text, sizeof text, "ordergate: 1\nextends: []\n%s", cases[i].text);
        p = read_policy(text);
        if (og_policy_asks(p, "pnl") != cases[i].asks)
            fail_msg("%s", cases[i].text);
        assert_false(og_policy_asks(p, "no such fact"));
        og_policy_free(p);
    }
}

static void where_own_rules_are_written(void **state)
{
    struct og_policy *p = read_policy("ordergate: 1\nextends: []\nlists:\n  a: [X]\ncustom:\n  - id: own\n    require: "
                                      "\"true\"\n"
                                      "rules:\n  route: {level: warn, overrides: [{when: order.symbol in lists.a, "
                                      "level: off}]}\n");
    const struct og_custom *c = custom(p, "own");

    (void)state;
    assert_int_equal(c->where[OG_PART_SELF].line, 6);
    assert_int_equal(c->where[OG_PART_REQUIRE].col, 14);
    assert_null(c->where[OG_PART_WHEN].source);
    assert_int_equal(p->list_where[0].line, 4);
    for (size_t i = 0; i < og_rules_size; i++)
        if (p->rules[i].override_count) {
            assert_int_equal(p->rules[i].overrides[0].where[OG_PART_WHEN].line, 9);
            assert_string_equal(og_expr_text(p->rules[i].overrides[0].when).s, "order.symbol in lists.a");
        }
    og_policy_free(p);
}

static void names_by_the_thousand(void **state)
{
    static const char value[5000];
    struct og_map index = { 0 };
    struct og_arena arena;
    char name[32];

    (void)state;
    og_arena_init(&arena, 0);
    assert_null(og_map_get(&index, OG_STR("a")));
    for (size_t i = 0; i < 5000; i++) {
        int len = snprintf(name, sizeof name, "rule-%zu", i);
        struct og_str kept = og_arena_copy(&arena, (struct og_str){ name, (size_t)len });

        assert_null(og_map_get(&index, kept));
        assert_true(og_map_put(&index, &arena, kept, &value[i]));
    }
    for (size_t i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "rule-%zu", i);
        assert_ptr_equal(og_map_get(&index, og_str_of(name)), &value[i]);
    }
    assert_null(og_map_get(&index, OG_STR("rule-5000")));
    og_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floor_has_rules_and_lists_of_its_own),
        cmocka_unit_test(a_floors_names_are_its_own),
        cmocka_unit_test(a_floor_binds_exits_of_all_limits),
        cmocka_unit_test(a_rule_of_the_floors_id_is_the_same_rule),
        cmocka_unit_test(a_floor_counts_under_any_mode),
        cmocka_unit_test(a_floors_mode_holds_everywhere),
        cmocka_unit_test(a_floor_has_no_lock),
        cmocka_unit_test(what_rules_read_is_asked_for),
        cmocka_unit_test(where_own_rules_are_written),
        cmocka_unit_test(names_by_the_thousand),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
