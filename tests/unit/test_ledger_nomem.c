/*
 * The ledger when memory runs out: at every allocation in turn, a call reports it or does all of its work, and the
 * record stays complete.  (SQLite's own allocations do not fail.)
 */
#include "ledger_home.h"
#include "nomem.h"

static struct og_ledger_row intent = { .at = 1,
                                       .account = OG_STR("A"),
                                       .id = OG_STR("x"),
                                       .record = "intent",
                                       .state = OG_INTENDED,
                                       .detail = OG_STR("{\"symbol\":\"AAPL\",\"legs\":[1,2]}") };

static enum og_status add(struct og_ledger *l, const char *id, enum og_state state)
{
    struct og_digest_text digest;
    struct og_ledger_row row = intent;
    enum og_status status;

    assert_true(og_digest(row.detail.s, row.detail.len, &digest));
    row.id = og_str_of(id);
    if ((status = og_ledger_begin(l, NULL)) != OG_OK ||
        (status = og_ledger_intend(l, &row, digest.s, false, NULL)) != OG_OK)
        return status;
    row.record = "update";
    row.state = state;
    row.executed = og_money_from(state == OG_FILLED ? 3 : 0);
    row.price_avg = og_money_from(state == OG_FILLED ? 10 : 0);
    row.code = OG_STR("R24");
    row.text = OG_STR("R24: x");
    row.broker_id = OG_STR("b");
    if ((status = og_ledger_append(l, &row, NULL)) == OG_OK)
        status = og_ledger_commit(l, NULL);
    return status;
}

struct told {
    char s[8192];
    size_t len;
};

static int take(void *with, const char *json, size_t len)
{
    struct told *t = with;

    if (t->len + len >= sizeof(t->s))
        fail_msg("too long");
    memcpy(t->s + t->len, json, len);
    t->len += len;
    return 0;
}

static enum og_status opening(int to_write, int try)
{
    struct og_ledger *l = NULL;
    char run[16];
    enum og_status status;

    snprintf(run, sizeof(run), "try%d", try);
    status = to_write ? og_ledger_open(path, og_str_of(run), &l, NULL) : og_ledger_peek(path, &l, NULL);
    if ((status == OG_OK) != (l != NULL))
        fail_msg("status %d", (int)status);
    og_ledger_close(l);
    return status;
}

static void to_open(void **state)
{
    (void)state;
    og_ledger_close(opened("first"));
    for (int to_write = 0; to_write < 2; to_write++) {
        enum og_status status;
        bool hit;
        int n = 0;

        do {
            nomem_at(++n);
            status = opening(to_write, n);
            hit = nomem_hit();
            if (hit && status != OG_ENOMEM)
                fail_msg("allocation %d of %d: status %d", n, to_write, (int)status);
        } while (hit);
        assert_int_equal(status, OG_OK);
        assert_true(n > 1);
    }
}

static void to_append(void **state)
{
    struct og_ledger *l = opened("run");
    long n = 0;
    bool hit;
    enum og_status status;

    (void)state;
    do {
        nomem_at(++n);
        status = add(l, "x", OG_FILLED);
        hit = nomem_hit();
        og_ledger_rollback(l);
        assert_true(hit == (status != OG_OK));
    } while (hit);
    og_ledger_close(l);
}

static enum og_status ask(int what, struct told *t)
{
    struct og_ledger *l = NULL;
    enum og_status status = OG_OK;
    long long faults = 0;
    long left = nomem_left;

    nomem_left = 0;
    assert_int_equal(og_ledger_peek(path, &l, NULL), OG_OK);
    nomem_left = left;
    t->len = 0;
    switch (what) {
    case 0: status = og_ledger_print(l, OG_LEDGER_LIST, NULL, NULL, take, t, NULL); break;
    case 1: status = og_ledger_print(l, OG_LEDGER_EXPORT, NULL, NULL, take, t, NULL); break;
    case 2: status = og_ledger_verify(l, NULL, take, t, &faults, NULL); break;
    case 3: status = og_ledger_stats(l, take, t, NULL); break;
    case 4: status = og_ledger_positions(l, NULL, take, t, NULL); break;
    default: status = og_ledger_facts(l, NULL, take, t, NULL); break;
    }
    left = nomem_left;
    nomem_left = 0;
    og_ledger_close(l);
    nomem_left = left;
    return status;
}

/* A call that reads the ledger either reports that memory ran out, or has its usual result. */
static void to_look(void **state)
{
    static struct told whole, t;
    struct og_ledger *l = opened("run");

    (void)state;
    assert_int_equal(add(l, "x", OG_FILLED), OG_OK);
    assert_int_equal(add(l, "y", OG_OUTCOME_UNKNOWN), OG_OK);
    og_ledger_close(l);
    for (int what = 0; what < 6; what++) {
        long n = 0;
        bool hit;
        enum og_status status;

        assert_int_equal(ask(what, &whole), OG_OK);
        do {
            nomem_at(++n);
            status = ask(what, &t);
            hit = nomem_hit();
            if (hit && status != OG_ENOMEM)
                fail_msg("allocation %ld of %d: status %d", n, what, (int)status);
        } while (hit);
        assert_int_equal(status, OG_OK);
        assert_int_equal(t.len, whole.len);
        if (what < 5) /* facts contain the time, so the output with them is not compared */
            assert_memory_equal(t.s, whole.s, whole.len);
        assert_true(n > 1);
    }
}

static void to_settle(void **state)
{
    const struct og_ledger_settlement s = { .id = "y", .outcome = "filled", .reason = "so", .by = "me" };
    static struct told t;
    struct og_ledger *l = opened("run");
    long n = 0;
    bool hit;
    enum og_status status;

    (void)state;
    assert_int_equal(add(l, "y", OG_OUTCOME_UNKNOWN), OG_OK);
    og_ledger_close(l);
    do {
        t.len = 0;
        nomem_at(++n);
        status = og_ledger_resolve(path, &s, take, &t, NULL);
        hit = nomem_hit();
        if (status == OG_EBUSY)
            break; /* the change was recorded, and memory ran out when the call reported that */
        if (hit != (status != OG_OK))
            fail_msg("allocation %ld: status %d", n, (int)status);
    } while (hit);
    nomem_at(0);
    assert_true(n > 5);
    t.len = 0;
    assert_int_equal(og_ledger_peek(path, &l, NULL), OG_OK);
    assert_int_equal(og_ledger_print(l, OG_LEDGER_SHOW, NULL, "y", take, &t, NULL), OG_OK);
    og_ledger_close(l);
    t.s[t.len] = '\0';
    assert_non_null(strstr(t.s,
                           "\"record\":\"resolve\",\"state\":\"filled\",\"outcome\":\"filled\",\"brokerOrderId\":\"b\""
                           ",\"executed\":0,\"priceAvg\":0,\"code\":\"R24\",\"text\":\"R24: x\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = { TEST(to_open), TEST(to_append), TEST(to_look), TEST(to_settle) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
