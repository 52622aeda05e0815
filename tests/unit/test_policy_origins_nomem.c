/*
 * Reports where settings come from under a floor that is given as a file. When an allocation fails there is no report.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "nomem.h"
#include "ordergate/origins.h"
#include "unit.h"

static const char floor_text[] = "ordergate: 1\nname: house\nunsure: refuse\nmax_age: {quotes: 3s}\n"
                                 "rules:\n"
                                 "  order-notional: {level: refuse, most: 500}\n"
                                 "  order-quantity-limit: {level: warn, shares: 900}\n"
                                 "  repeated-order: {mode: warn}\n"
                                 "custom:\n  - {id: own, require: \"true\"}\n";
static const char desk[] = "ordergate: 1\nname: desk\nextends: []\nmax_age: {quotes: 2s, account: 5s}\n"
                           "rules:\n"
                           "  order-notional:\n"
                           "    level: warn\n"
                           "    most: 1000\n"
                           "    overrides:\n"
                           "      - match: {symbol: A}\n"
                           "        most: 400\n"
                           "      - match: {symbol: B}\n"
                           "        most: 800\n"
                           "  order-quantity-limit: {level: refuse, shares: 700, unsure: warn}\n"
                           "  repeated-order: {level: warn, mode: shadow, reasons: {order-repeated: refuse}}\n";

static char folder[] = "/tmp/origins.XXXXXX";
static char paths[2][64];

static void write_file(char path[64], const char *name, const char *text)
{
    FILE *f;

    snprintf(path, 64, "%s/%s", folder, name);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    write_file(paths[0], "desk.yaml", desk);
    write_file(paths[1], "floor.yaml", floor_text);
    return 0;
}

static int end(void **state)
{
    (void)state;
    return unlink(paths[0]) || unlink(paths[1]) || rmdir(folder);
}

static struct og_policy *load(void)
{
    const char *name = paths[0];
    struct og_policy *p = NULL;
    struct og_error err = { 0 };

    if (og_policy_load_all(&name, 1, paths[1], &p, NULL, NULL, &err) != OG_OK)
        fail_msg("%s", err.text);
    return p;
}

/* Returns a setting of a rule, or of an override of it, by its key. */
static struct og_origin_setting setting_of(const struct og_origins *o, const char *rule, long override, const char *key)
{
    struct og_origin_setting s;
    struct og_origin_rule r;

    for (size_t i = 0; og_origins_rule(o, i, &r); i++)
        for (size_t k = 0; strcmp(r.rule, rule) == 0 && r.override == override && og_origins_setting(o, i, k, &s); k++)
            if (strcmp(s.key, key) == 0)
                return s;
    fail_msg("%s %ld has no %s", rule, override, key);
    return (struct og_origin_setting){ .value = "", .from.layer = "" };
}

static void told(const struct og_origins *o, const char *rule, long override, const char *key, const char *expected)
{
    struct og_origin_setting s = setting_of(o, rule, override, key);
    static const char *const kinds[] = { "default", "policy", "rule", "override", "floor" };
    struct og_buf seen;

    og_buf_init(&seen, 0);
    og_buf_format(&seen, "%s, %s %s:%d", s.value, kinds[s.from.kind], s.from.layer, s.from.line);
    for (size_t i = 0; i < s.hidden; i++)
        og_buf_format(&seen, "; hides %s %s:%d", s.hides[i].value, s.hides[i].layer, s.hides[i].line);
    if (s.floor)
        og_buf_format(&seen, "; floor %s :%d", s.floor->value, s.floor->line);
    assert_string_equal(seen.s, expected);
    og_buf_clear(&seen);
}

static void the_floor_is_told_where_it_decides(void **state)
{
    struct og_policy *p = load();
    struct og_origins *o = NULL;

    (void)state;
    assert_int_equal(og_origins_all(p, &o), OG_OK);
    og_policy_free(p); /* the report has copies, so the policy can be freed */
    told(o, "order-notional", -1, "level", "refuse, floor house:6; hides warn desk:7; floor refuse :6");
    told(o, "order-notional", -1, "most", "500, floor house:6; hides 1000 desk:8; floor 500 :6");
    told(o, "order-notional", 0, "most", "400, override desk:11; hides 1000 desk:8; floor 500 :6");
    told(o, "order-notional", 1, "most", "500, floor house:6; hides 800 desk:13; hides 1000 desk:8; floor 500 :6");
    told(o, "order-notional", 1, "level", "refuse, floor house:6; hides warn desk:7; floor refuse :6");
    told(o, "order-quantity-limit", -1, "level", "refuse, rule desk:14; floor warn :7");
    told(o, "order-quantity-limit", -1, "shares", "700, rule desk:14; floor 900 :7");
    told(o, "order-quantity-limit", -1, "unsure", "refuse, floor house:3; hides warn desk:14; floor refuse :3");
    told(o, "repeated-order", -1, "mode", "warn, floor house:8; hides shadow desk:15; floor warn :8");
    told(o, "repeated-order", -1, "reasons.order-repeated", "refuse, rule desk:15");
    told(o, "price-collar", -1, "unsure", "refuse, floor house:3; floor refuse :3");
    told(o, "", -1, "max_age.quotes", "2s, policy desk:4; floor 3s :4");
    told(o, "", -1, "max_age.account", "5s, policy desk:4");
    told(o, "", -1, "unsure", "refuse, floor house:3; floor refuse :3");
    told(o, "own", -1, "require", "true, floor house:10; floor true :10");
    og_origins_free(o);
}

static void what_a_floor_names_is_held_by_it(void **state)
{
    static const char *const held[] = { "order-notional", "order-quantity-limit", "repeated-order", "own" };
    struct og_policy *p = load();
    struct og_origins *o = NULL;
    struct og_origin_rule r;
    size_t count = 0;

    (void)state;
    assert_int_equal(og_origins_all(p, &o), OG_OK);
    for (size_t i = 0; og_origins_rule(o, i, &r); i++) {
        bool named = false;

        for (size_t k = 0; k < sizeof held / sizeof *held; k++)
            named = named || strcmp(held[k], r.rule) == 0;
        assert_int_equal(r.lock && r.lock->kind == OG_ORIGIN_FLOOR, named);
        assert_true(!named || (strcmp(r.lock->layer, "house") == 0 && r.lock->line >= 6));
        count += named;
    }
    assert_int_equal(count, 6); /* two of the entries are overrides */
    og_origins_free(o);
    og_policy_free(p);
}

static void every_allocation(void **state)
{
    struct og_policy *p = load();
    int tries = 0;

    (void)state;
    for (long n = 1;; n += 1 + n / 8, tries++) {
        struct og_origins *o = NULL;
        enum og_status status;

        nomem_at(n);
        status = og_origins_all(p, &o);
        if (!nomem_hit()) {
            assert_int_equal(status, OG_OK);
            og_origins_free(o);
            break;
        }
        assert_int_equal(status, OG_ENOMEM);
        assert_null(o);
    }
    assert_true(tries > 3);
    og_policy_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_floor_is_told_where_it_decides),
                                        cmocka_unit_test(what_a_floor_names_is_held_by_it),
                                        cmocka_unit_test(every_allocation) };

    return cmocka_run_group_tests(tests, begin, end);
}
