/*
 * Waivers: one order passes one rule, once, for a limited time. Also what cannot be waived, and that nothing changes
 * without a waiver.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ordergate/halt.h"
#include "ordergate/ordergate.h"
#include "unit.h"

#define NOW    INT64_C(1768496400000000000) /* 2026-01-15T17:00:00Z */
#define MINUTE INT64_C(60000000000)

static const char policy_text[] = "ordergate: 1\nname: t\nextends: []\nunsure: refuse\nrules:\n"
                                  "  order-quantity-limit: {level: refuse, shares: 10}\n"
                                  "  order-notional: {level: refuse, most: 1000}\n"
                                  "  client-order-id: refuse\n"
                                  "  trading: refuse\n";

struct gate {
    struct og_book *book;
    struct og_order *order;
    struct og_scratch *scratch;
    struct og_decision d;
};

static struct gate open_gate_of(struct og_policy *policy)
{
    struct og_error err = { 0 };
    struct gate g = { .order = og_order_new(), .scratch = og_scratch_new() };
    static const char used[] = "{\"accountId\":\"A1\",\"usedClientOrderIds\":[\"old\"]}";

    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_int_equal(og_book_apply(g.book, NULL, used, strlen(used), "t", &err), OG_OK);
    assert_true(g.order && g.scratch);
    return g;
}

static struct gate open_gate_by(const char *yaml)
{
    struct og_error err = { 0 };
    struct og_policy *policy = NULL;

    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    return open_gate_of(policy);
}

static struct gate open_gate(void)
{
    return open_gate_by(policy_text);
}

static void close_gate(struct gate *g)
{
    og_order_free(g->order);
    og_scratch_free(g->scratch);
    og_book_free(g->book);
}

static void read_order(struct gate *g, const char *id, int quantity, int limit)
{
    char line[300];

    snprintf(line, sizeof line,
             "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\","
             "\"orderType\":\"Limit\","
             "\"limitPrice\":%d,\"orderQuantity\":%d,\"timeInForce\":\"Day\",\"clientOrderId\":\"%s\"}",
             limit, quantity, id);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
}

static bool check(struct gate *g, const char *id, int quantity, int limit, int64_t now)
{
    read_order(g, id, quantity, limit);
    og_check(g->book, g->order, now, g->scratch, &g->d);
    return g->d.accepted;
}

static bool reserve(struct gate *g, const char *id, int quantity, int limit, int64_t now)
{
    og_ticket ticket;

    read_order(g, id, quantity, limit);
    assert_int_equal(og_reserve(g->book, g->order, now, g->scratch, &g->d, &ticket), OG_OK);
    assert_int_equal(g->d.accepted, ticket != 0);
    return g->d.accepted;
}

static enum og_status waive_terms(struct gate *g, const char *account, const char *id, const char *rule, int quantity,
                                  int limit)
{
    char digest[OG_ORDER_DIGEST_SIZE];
    struct og_waiver w = { account, id, rule, "ann", "the desk head said so", NOW + 10 * MINUTE, digest };

    read_order(g, id, quantity, limit);
    assert_int_equal(og_order_digest(g->order, digest), OG_OK);
    return og_book_waive(g->book, &w, NULL);
}

static enum og_status waive(struct gate *g, const char *account, const char *id, const char *rule)
{
    return waive_terms(g, account, id, rule, 20, 10);
}

static const struct og_finding *found(const struct gate *g, const char *rule)
{
    for (int i = 0; i < g->d.count; i++)
        if (strcmp(g->d.findings[i].rule, rule) == 0)
            return &g->d.findings[i];
    return NULL;
}

static void one_order_through_one_rule(void **state)
{
    struct gate g = open_gate();
    const struct og_finding *f;

    (void)state;
    assert_false(check(&g, "a", 20, 10, NOW));
    assert_null(found(&g, "order-quantity-limit")->waived_by);
    assert_int_equal(waive(&g, "A1", "a", "order-quantity-limit"), OG_OK);
    assert_true(check(&g, "a", 20, 10, NOW));
    f = found(&g, "order-quantity-limit");
    assert_int_equal(f->level, OG_LEVEL_WARN);
    assert_string_equal(f->waived_by, "ann");
    assert_string_equal(f->waived_because, "the desk head said so");
    assert_int_equal(f->waived_until, NOW + 10 * MINUTE);
    assert_non_null(strstr(f->message, "; waived by ann until 2026-01-15T17:10:00Z: the desk head said so"));
    assert_false(check(&g, "b", 20, 10, NOW)); /* another order */
    assert_int_equal(waive_terms(&g, "A1", "a", "order-quantity-limit", 20, 100), OG_OK);
    assert_false(check(&g, "a", 20, 100, NOW)); /* another rule refuses the order */
    assert_int_equal(found(&g, "order-notional")->level, OG_LEVEL_REFUSE);
    assert_int_equal(found(&g, "order-quantity-limit")->level, OG_LEVEL_WARN);
    close_gate(&g);
}

/* Several orders may have the same id: the waiver is for one of them. */
static void other_terms_are_another_order(void **state)
{
    static const char *const others[] = {
        "{\"securityType\":\"Stock\",\"symbol\":\"TSLA\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"
        "\"Limit\","
        "\"limitPrice\":10,\"orderQuantity\":20,\"timeInForce\":\"Day\",\"clientOrderId\":\"a\"}",
        "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Sell\",\"openClose\":\"Open\",\"orderType\":"
        "\"Limit\","
        "\"limitPrice\":10,\"orderQuantity\":20,\"timeInForce\":\"Day\",\"clientOrderId\":\"a\"}",
        "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"
        "\"Limit\","
        "\"limitPrice\":10,\"orderQuantity\":20,\"timeInForce\":\"GoodTillCancel\",\"clientOrderId\":\"a\"}",
    };
    struct gate g = open_gate();

    (void)state;
    assert_int_equal(waive(&g, "A1", "a", "order-quantity-limit"), OG_OK);
    assert_false(check(&g, "a", 21, 10, NOW));
    assert_int_equal(found(&g, "order-quantity-limit")->level, OG_LEVEL_REFUSE);
    assert_non_null(
        strstr(found(&g, "order-quantity-limit")->message, "; no waiver counts, it was given for other terms"));
    assert_false(check(&g, "a", 20, 11, NOW));
    for (size_t i = 0; i < COUNT(others); i++) {
        assert_int_equal(og_order_read(g.order, others[i], strlen(others[i])), OG_OK);
        og_check(g.book, g.order, NOW, g.scratch, &g.d);
        assert_false(g.d.accepted);
        assert_null(found(&g, "order-quantity-limit")->waived_by);
    }
    assert_true(reserve(&g, "a", 20, 10, NOW)); /* none of the decisions used it up */
    close_gate(&g);
}

static bool check_line(struct gate *g, const char *line)
{
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    og_check(g->book, g->order, NOW, g->scratch, &g->d);
    return g->d.accepted;
}

/* A waiver for an order that replaces another one, or that has a tag, does not apply to the same order without that
 * replacement or tag, or with another one; nor does a waiver for that order apply to this one. */
static void what_it_replaces_and_its_tag_are_part_of_the_order(void **state)
{
#define LINE                                                                                                 \
    "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":" \
    "\"Limit\",\"limitPrice\":10,\"orderQuantity\":20,\"timeInForce\":\"Day\",\"clientOrderId\":\"a\""
    static const char *const lines[] = {
        LINE "}",
        LINE ",\"replaces\":\"old\"}",
        LINE ",\"replaces\":\"older\"}",
        LINE ",\"tag\":\"alpha\"}",
        LINE ",\"tag\":\"mm\"}",
        LINE ",\"replaces\":\"old\",\"tag\":\"mm\"}",
    };
    char digest[COUNT(lines)][OG_ORDER_DIGEST_SIZE];

    (void)state;
    for (size_t given = 0; given < COUNT(lines); given++) {
        struct gate g = open_gate();
        struct og_waiver w = {
            "A1", "a", "order-quantity-limit", "ann", "the desk head said so", NOW + 10 * MINUTE, digest[given]
        };

        assert_int_equal(og_order_read(g.order, lines[given], strlen(lines[given])), OG_OK);
        assert_int_equal(og_order_digest(g.order, digest[given]), OG_OK);
        for (size_t before = 0; before < given; before++)
            assert_string_not_equal(digest[given], digest[before]);
        assert_int_equal(og_book_waive(g.book, &w, NULL), OG_OK);
        for (size_t i = 0; i < COUNT(lines); i++) {
            assert_int_equal(check_line(&g, lines[i]), i == given);
            assert_int_equal(found(&g, "order-quantity-limit")->waived_by != NULL, i == given);
        }
        close_gate(&g);
    }
}

static void it_is_used_once(void **state)
{
    struct gate g = open_gate();

    (void)state;
    assert_int_equal(waive(&g, NULL, "a", "order-quantity-limit"), OG_OK);
    assert_false(reserve(&g, "a", 20, 100, NOW)); /* refused by another rule: not used */
    assert_true(reserve(&g, "a", 20, 10, NOW));
    assert_false(reserve(&g, "a", 20, 10, NOW));
    assert_int_equal(found(&g, "order-quantity-limit")->level, OG_LEVEL_REFUSE);
    assert_int_equal(og_book_revoke(g.book, NULL, "a", NULL), 0);
    /* an order that passes without the waiver does not use it up */
    assert_int_equal(waive_terms(&g, NULL, "c", "order-quantity-limit", 1, 10), OG_OK);
    assert_true(reserve(&g, "c", 1, 10, NOW));
    assert_int_equal(og_book_revoke(g.book, NULL, "c", NULL), 1);
    close_gate(&g);
}

static void it_ends(void **state)
{
    struct gate g = open_gate();

    (void)state;
    assert_int_equal(waive(&g, "a1", "a", "order-quantity-limit"), OG_OK); /* the case of account ids is ignored */
    assert_true(check(&g, "a", 20, 10, NOW + 10 * MINUTE - 1));
    assert_false(check(&g, "a", 20, 10, NOW + 10 * MINUTE));
    assert_int_equal(og_book_revoke(g.book, "A2", "a", NULL), 0);
    assert_int_equal(og_book_revoke(g.book, "A1", "a", "order-notional"), 0);
    assert_int_equal(og_book_revoke(g.book, "A1", "a", "order-quantity-limit"), 1);
    assert_false(check(&g, "a", 20, 10, NOW));
    assert_int_equal(waive(&g, "A2", "a", "order-quantity-limit"), OG_OK);
    assert_false(check(&g, "a", 20, 10, NOW)); /* another account's */
    assert_true(reserve(&g, "z", 1, 10, NOW + 11 * MINUTE));
    assert_int_equal(og_book_revoke(g.book, NULL, NULL, NULL), 0); /* used and expired waivers are forgotten */
    close_gate(&g);
}

static void what_cannot_be_waived(void **state)
{
    static const char *const never[] = { "order-form", "request-fields", "client-order-id", "trading" };
    struct gate g = open_gate();
    struct og_error err = { 0 };
    char by[80];
    static const char digest[] = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    struct og_waiver bad = { NULL, "a", "order-notional", "ann", "why", NOW, digest };

    (void)state;
    for (size_t i = 0; i < COUNT(never); i++) {
        assert_false(og_rule_may_be_waived(og_rules_find(never[i])));
        assert_int_equal(waive(&g, NULL, "old", never[i]), OG_EINVAL);
    }
    assert_int_equal(waive(&g, NULL, "old", "order-notional"), OG_OK);
    assert_false(check(&g, "old", 1, 10, NOW)); /* a waiver is never used twice */
    og_book_halt(g.book, OG_TRADING_HALTED);
    assert_int_equal(waive(&g, NULL, "a", "order-quantity-limit"), OG_OK);
    assert_false(check(&g, "a", 1, 10, NOW));
    bad.by = "";
    assert_int_equal(og_book_waive(g.book, &bad, &err), OG_EINVAL);
    memset(by, 'x', sizeof by);
    by[65] = '\0';
    bad.by = by;
    assert_int_equal(og_book_waive(g.book, &bad, NULL), OG_EINVAL);
    by[64] = '\0';
    assert_int_equal(og_book_waive(g.book, &bad, NULL), OG_OK);
    bad.reason = "two\nlines";
    assert_int_equal(og_book_waive(g.book, &bad, NULL), OG_EINVAL);
    bad.reason = NULL;
    assert_int_equal(og_book_waive(g.book, &bad, NULL), OG_EINVAL);
    bad = (struct og_waiver){ NULL, "", "order-notional", "ann", "why", NOW, digest };
    assert_int_equal(og_book_waive(g.book, &bad, NULL), OG_EINVAL);
    for (const char *const *d = (const char *const[]){ "sha256:", "", digest + 1, NULL }; *d; d++) {
        bad = (struct og_waiver){ NULL, "a", "order-notional", "ann", "why", NOW, *d };
        assert_int_equal(og_book_waive(g.book, &bad, NULL), OG_EINVAL);
    }
    bad.digest = NULL; /* a waiver without a digest is for no order */
    assert_int_equal(og_book_waive(g.book, &bad, NULL), OG_EINVAL);
    close_gate(&g);
}

/* A rule that the policy locks through any of its settings, or that a floor names, cannot be waived. */
static void what_is_locked(void **state)
{
    static const char locked[] = "ordergate: 1\nname: t\nextends: []\nrules:\n"
                                 "  order-quantity-limit: {level: refuse, shares: 100, lock: true, overrides: [{match: "
                                 "{symbol: AAPL}, shares: 10}]}\n"
                                 "  order-notional: {level: refuse, most: 1000}\n";
    static const char floor[] = "ordergate: 1\nname: floor\nrules:\n  order-notional: {level: refuse, most: 5000}\n";
    char folder[] = "/tmp/og-waive-XXXXXX", at[2][64];
    const char *name = at[0];
    const char *const texts[] = { locked, floor };
    struct og_policy *policy = NULL;
    struct gate g = open_gate_by(locked);

    (void)state;
    assert_int_equal(waive_terms(&g, NULL, "a", "order-quantity-limit", 20, 100), OG_OK);
    assert_int_equal(waive_terms(&g, NULL, "a", "order-notional", 20, 100), OG_OK);
    assert_false(check(&g, "a", 20, 100, NOW));
    assert_int_equal(found(&g, "order-quantity-limit")->level, OG_LEVEL_REFUSE);
    assert_null(found(&g, "order-quantity-limit")->waived_by);
    assert_string_equal(found(&g, "order-notional")->waived_by, "ann");
    close_gate(&g);

    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        FILE *f;

        snprintf(at[i], sizeof at[i], "%s/%s.yaml", folder, i ? "floor" : "policy");
        assert_non_null(f = fopen(at[i], "w"));
        fputs(texts[i], f);
        fclose(f);
        assert_int_equal(chmod(at[i], 0600), 0);
    }
    assert_int_equal(og_policy_load_all(&name, 1, at[1], &policy, NULL, NULL, NULL), OG_OK);
    g = open_gate_of(policy);
    assert_int_equal(waive_terms(&g, NULL, "a", "order-notional", 10, 200), OG_OK);
    assert_false(check(&g, "a", 10, 200, NOW));
    assert_null(found(&g, "order-notional")->waived_by);
    close_gate(&g);
    unlink(at[0]);
    unlink(at[1]);
    rmdir(folder);
}

static void written(void **state)
{
    struct gate g = open_gate();
    char json[4096];
    size_t len;

    (void)state;
    assert_int_equal(waive(&g, NULL, "a", "order-quantity-limit"), OG_OK);
    assert_true(check(&g, "a", 20, 10, NOW));
    assert_int_equal(og_decision_write(&g.d, NULL, json, sizeof json, &len), OG_OK);
    assert_non_null(strstr(json, "\"level\":\"warn\""));
    assert_non_null(strstr(json, ",\"waived\":{\"by\":\"ann\",\"reason\":\"the desk head said so\","
                                 "\"until\":\"2026-01-15T17:10:00Z\"},\"predicts\":"));
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_order_through_one_rule),
        cmocka_unit_test(other_terms_are_another_order),
        cmocka_unit_test(what_it_replaces_and_its_tag_are_part_of_the_order),
        cmocka_unit_test(it_is_used_once),
        cmocka_unit_test(it_ends),
        cmocka_unit_test(what_cannot_be_waived),
        cmocka_unit_test(what_is_locked),
        cmocka_unit_test(written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
