/*
 * The strategy table (docs/readings.md "Which strategy a set of legs is"): every row with its legs in every order,
 * inverted, and closed; every near miss listed there.  Legs are written in short: "+C100*2@260220c" buys two calls
 * of strike 100, expiring then, to close; S is stock.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mleg/mleg.h"

#define LEGS     5
#define LEG_TEXT 24

static struct og_order *order;

static int set_up(void **state)
{
    (void)state;
    order = og_order_new();
    return order ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    og_order_free(order);
    return 0;
}

/* Splits "a b c" into words; returns their number. */
static int split(const char *text, char word[LEGS][LEG_TEXT])
{
    int n = 0;

    while (*text) {
        size_t len = strcspn(text, " ");

        assert_true(n < LEGS && len < LEG_TEXT);
        memcpy(word[n], text, len);
        word[n++][len] = '\0';
        text += len;
        text += strspn(text, " ");
    }
    return n;
}

static void put_leg(struct og_buf *b, const char *leg)
{
    char *end;
    char type = leg[1];
    long strike = strtol(leg + 2, &end, 10), ratio = 1, expiry = 260116;

    if (*end == '*')
        ratio = strtol(end + 1, &end, 10);
    if (*end == '@')
        expiry = strtol(end + 1, &end, 10);
    og_buf_format(b, "%s{\"symbol\":\"", b->s[b->len - 1] == '[' ? "" : ",");
    if (type == 'S')
        og_buf_text(b, "AAPL");
    else
        og_buf_format(b, "AAPL%06ld%c%08ld", expiry, type, strike * 1000);
    og_buf_format(b, "\",\"side\":\"%s\",\"ratio\":%ld,\"openClose\":\"%s\"}", leg[0] == '+' ? "Buy" : "Sell", ratio,
                  *end == 'c'   ? "Close"
                  : *end == 'x' ? "open"
                                : "Open");
}

static void look_at(char word[LEGS][LEG_TEXT], const int *place, int n, struct og_mleg *m)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    og_buf_text(&b, "{\"securityType\":\"Mleg\",\"symbol\":\"AAPL\",\"legs\":[");
    for (int i = 0; i < n; i++)
        put_leg(&b, word[place[i]]);
    og_buf_text(&b, "]}");
    assert_false(b.bad);
    assert_int_equal(og_order_read(order, b.s, b.len), OG_OK);
    assert_int_equal(order->fault, OG_FAULT_NONE);
    og_buf_clear(&b);
    og_mleg_of(order, m);
}

static void look(const char *legs, struct og_mleg *m)
{
    static const int straight[LEGS] = { 0, 1, 2, 3, 4 };
    char word[LEGS][LEG_TEXT];
    int n = split(legs, word);

    look_at(word, straight, n, m);
}

struct expected {
    enum og_mleg_fault fault;
    enum og_strategy strategy;
    enum og_net net;
    int64_t width;
    bool one_sided, wings, mixed;
};

static void compare(const char *legs, const struct og_mleg *m, const struct expected *e)
{
    if (m->fault != e->fault || m->strategy != e->strategy || m->net != e->net)
        print_message("%s: fault %d, %s, %s\n", legs, (int)m->fault, og_strategy_name(m->strategy),
                      og_net_name(m->net));
    assert_int_equal(m->fault, e->fault);
    assert_int_equal(m->strategy, e->strategy);
    assert_int_equal(m->net, e->net);
    assert_int_equal(m->width, e->width);
    assert_int_equal(m->one_sided, e->one_sided);
    assert_int_equal(m->unequal_wings, e->wings);
    assert_int_equal(m->mixed_open_close, e->mixed);
}

/* Try every permutation of the legs.  Returns how many there are. */
static int permute(const char *legs, char word[LEGS][LEG_TEXT], int *place, int done, int n, const struct expected *e)
{
    struct og_mleg m;
    int count = 0;

    if (done == n) {
        look_at(word, place, n, &m);
        compare(legs, &m, e);
        return 1;
    }
    for (int i = done; i < n; i++) {
        int keep = place[done];

        place[done] = place[i];
        place[i] = keep;
        count += permute(legs, word, place, done + 1, n, e);
        place[i] = place[done];
        place[done] = keep;
    }
    return count;
}

static void every_order(const char *legs, const struct expected *e)
{
    static const int factorial[] = { 1, 1, 2, 6, 24, 120 };
    char word[LEGS][LEG_TEXT];
    int place[LEGS] = { 0, 1, 2, 3, 4 };
    int n = split(legs, word);

    assert_int_equal(permute(legs, word, place, 0, n, e), factorial[n]);
}

/* Write the legs, with every side inverted if `flip`, and with every leg Close if `closing`. `into` holds LEGS *
 * LEG_TEXT. */
static const char *turned(const char *legs, bool flip, bool closing, char *into)
{
    char *to = into;

    for (const char *p = legs;; p++) {
        if (closing && (*p == ' ' || *p == '\0'))
            *to++ = 'c';
        *to++ = !flip ? *p : *p == '+' ? '-' : *p == '-' ? '+' : *p;
        if (*p == '\0')
            return into;
    }
}

static const struct {
    const char *legs;
    enum og_strategy strategy;
    enum og_net net;
    int width;
    bool one_sided, wings;
} options[] = {
    { "+C100 -C110", OG_CALL_VERTICAL, OG_DEBIT, 10, false, false },
    { "-P100 +P110", OG_PUT_VERTICAL, OG_DEBIT, 10, false, false },
    { "+C100 +P100", OG_STRADDLE, OG_DEBIT, 0, true, false },
    { "+P95 +C105", OG_STRANGLE, OG_DEBIT, 0, true, false },
    { "+C90 -C100*2 +C110", OG_BUTTERFLY, OG_DEBIT, 10, false, false },
    { "+P90 -P100*2 +P110", OG_BUTTERFLY, OG_DEBIT, 10, false, false },
    { "+C90 -C100*2 +C115", OG_BUTTERFLY, OG_NET_UNDETERMINED, 15, false, true },
    { "+C90 -C100 -C110 +C120", OG_CONDOR, OG_DEBIT, 10, false, false },
    { "+P90 -P100 -P110 +P120", OG_CONDOR, OG_DEBIT, 10, false, false },
    { "+C90 -C95 -C110 +C120", OG_CONDOR, OG_DEBIT, 10, false, true },
    { "+P90 -P100 -C100 +C110", OG_IRON_BUTTERFLY, OG_CREDIT, 10, false, false },
    { "+P80 -P100 -C100 +C110", OG_IRON_BUTTERFLY, OG_CREDIT, 20, false, true },
    { "+P90 -P100 -C110 +C120", OG_IRON_CONDOR, OG_CREDIT, 10, false, false },
    { "+P90 -P100 -C110 +C115", OG_IRON_CONDOR, OG_CREDIT, 10, false, true },
};

static enum og_net opposite(enum og_net n)
{
    return n == OG_DEBIT ? OG_CREDIT : n == OG_CREDIT ? OG_DEBIT : OG_NET_UNDETERMINED;
}

static void option_shapes_in_every_order_and_direction(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        char text[LEGS * LEG_TEXT];
        struct expected e = { .strategy = options[i].strategy,
                              .net = options[i].net,
                              .width = options[i].width * 1000,
                              .one_sided = options[i].one_sided,
                              .wings = options[i].wings };

        every_order(options[i].legs, &e);
        e.net = opposite(options[i].net);
        every_order(turned(options[i].legs, true, false, text), &e);
        every_order(turned(options[i].legs, true, true, text), &e); /* the same with every leg to close */
        e.net = options[i].net;
        every_order(turned(options[i].legs, false, true, text), &e);
    }
}

static void covers_are_bound_to_direction_and_effect(void **state)
{
    static const struct {
        const char *legs;
        struct expected e;
    } rows[] = {
        { "+S0*100 -C110", { .strategy = OG_COVERED_CALL, .net = OG_DEBIT } },
        { "-S0*100c +C110c", { .strategy = OG_COVERED_CALL, .net = OG_CREDIT } },
        { "+S0*100 +P110", { .strategy = OG_MARRIED_PUT, .net = OG_DEBIT, .one_sided = true } },
        { "-S0*100c -P110c", { .strategy = OG_MARRIED_PUT, .net = OG_CREDIT, .one_sided = true } },
        { "-S0*100 +C110", { .fault = OG_MLEG_UNSUPPORTED } },
        { "+S0*100c -C110c", { .fault = OG_MLEG_UNSUPPORTED } },
        { "+S0*100 -C110c", { .fault = OG_MLEG_UNSUPPORTED } },
        { "-S0*100c +C110", { .fault = OG_MLEG_UNSUPPORTED } },
        { "+S0*100 +P110c", { .fault = OG_MLEG_ONE_SIDED } },
        { "-S0*100 -P110", { .fault = OG_MLEG_ONE_SIDED } },
        { "+S0*100 +C110", { .fault = OG_MLEG_ONE_SIDED } },
        { "+S0*100 -P110", { .fault = OG_MLEG_UNSUPPORTED } },
        { "+S0*100x -C110x", { .fault = OG_MLEG_UNSUPPORTED } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        every_order(rows[i].legs, &rows[i].e);
}

/* Legs that the service's document does not accept, or that only our reading of it does not accept (borderline). */
static void named_misses(void **state)
{
    static const struct {
        const char *legs;
        enum og_mleg_fault fault;
        bool borderline;
    } misses[] = {
        { "+C100 +C110", OG_MLEG_ONE_SIDED, false },
        { "-P100 -P110", OG_MLEG_ONE_SIDED, false },
        { "+C100 -C110*2", OG_MLEG_UNSUPPORTED, false },
        { "+P100*2 -P110", OG_MLEG_UNSUPPORTED, false },
        { "+C100 -C110*3", OG_MLEG_UNSUPPORTED, false },
        { "+C100*2 -C110*3", OG_MLEG_UNSUPPORTED, false },
        { "+C100 -P100", OG_MLEG_UNSUPPORTED, true },
        { "+C110 -P100", OG_MLEG_UNSUPPORTED, true },
        { "+P110 +C100", OG_MLEG_ONE_SIDED, true },
        { "+C100 -C100", OG_MLEG_UNSUPPORTED, true },
        { "+C100 +C100", OG_MLEG_ONE_SIDED, true },
        { "+C90 -C100 +C110", OG_MLEG_UNSUPPORTED, false },
        { "+C90 -C100*3 +C110*2", OG_MLEG_UNSUPPORTED, false },
        { "+C90*2 -C100*3 +C110", OG_MLEG_UNSUPPORTED, false },
        { "+C90 -P100*2 +C110", OG_MLEG_UNSUPPORTED, false },
        { "+C90 +C100*2 +C110", OG_MLEG_ONE_SIDED, false },
        { "+C90*2 -C100 +C110", OG_MLEG_UNSUPPORTED, false },
        { "+C90 -C100 +C110*2", OG_MLEG_UNSUPPORTED, false },
        { "+S0*100 -C110 +P90", OG_MLEG_UNSUPPORTED, false },
        { "+C90 -C110 -P90 +P110", OG_MLEG_UNSUPPORTED, false },
        { "+P100 -P110 -C100 +C120", OG_MLEG_UNSUPPORTED, true },
        { "+P110 -P120 -C90 +C100", OG_MLEG_UNSUPPORTED, true },
        { "+P90 -P105 -C100 +C120", OG_MLEG_UNSUPPORTED, true },
        { "+P90 +P100 -C110 -C120", OG_MLEG_UNSUPPORTED, false },
        { "+P90 -P100 +C110 -C120", OG_MLEG_UNSUPPORTED, false },
        { "+P90 -P100 +C100 -C110", OG_MLEG_UNSUPPORTED, false },
        { "+C90 -C100 +C110 -C120", OG_MLEG_UNSUPPORTED, false },
        { "+C90 -C100*2 +C110*2 -C120", OG_MLEG_UNSUPPORTED, false },
        { "+C90 -C100 -C110 +P120", OG_MLEG_UNSUPPORTED, true },
        { "+C90 -C100 -C100 +C110", OG_MLEG_UNSUPPORTED, true },
        { "+S0*1 -C110", OG_MLEG_UNSUPPORTED, true },
        { "+S0*50 -C110", OG_MLEG_UNSUPPORTED, true },
        { "+S0*99 -C110", OG_MLEG_UNSUPPORTED, true },
        { "+S0*99 -C110*2", OG_MLEG_UNSUPPORTED, true },
        { "+S0*100 -S0*99", OG_MLEG_UNSUPPORTED, true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof misses / sizeof misses[0]; i++) {
        struct expected e = { .fault = misses[i].fault };
        struct og_mleg m;

        every_order(misses[i].legs, &e);
        look(misses[i].legs, &m);
        if (m.borderline != misses[i].borderline)
            print_message("%s: borderline %d\n", misses[i].legs, m.borderline);
        assert_int_equal(m.borderline, misses[i].borderline);
    }
}

/* The broker checks count, form, expiries, ratios and shape: the first violation is the finding, and further
 * violations that are certain are added. */
static void faults_in_the_order_of_the_broker(void **state)
{
    static const struct {
        const char *legs;
        enum og_mleg_fault fault;
        bool calendar, divisor;
    } rows[] = {
        { "", OG_MLEG_TOO_FEW, false, false },
        { "+C100", OG_MLEG_TOO_FEW, false, false },
        { "+C90 +C90*2@260220 -C100 -C110 +C120", OG_MLEG_TOO_MANY, true, false },
        { "+C100*2 +C110*2 +C120*2 +C130*2 +C140*2", OG_MLEG_TOO_MANY, false, true },
        { "+C100*0 -C110@260220", OG_MLEG_LEG_FORM, true, false },
        { "+C100*101 -C110", OG_MLEG_LEG_FORM, false, false },
        { "+C100*2 -C110*2@260220", OG_MLEG_CALENDAR, true, true },
        { "+C100 -P110@260117", OG_MLEG_CALENDAR, true, false },
        { "+C100*2 -C110*2", OG_MLEG_DIVISOR, false, true },
        { "+C90*2 -C100*4 +C110*2", OG_MLEG_DIVISOR, false, true },
        { "+S0*100 -C110*2", OG_MLEG_DIVISOR, false, true },
        { "+C100*2 +C110*2", OG_MLEG_DIVISOR, false, true },
        { "+C100*100 -C110", OG_MLEG_UNSUPPORTED, false, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct og_mleg m;

        look(rows[i].legs, &m);
        if (m.fault != rows[i].fault)
            print_message("'%s': fault %d\n", rows[i].legs, (int)m.fault);
        assert_int_equal(m.fault, rows[i].fault);
        assert_int_equal(m.calendar, rows[i].calendar);
        assert_int_equal(m.divisor, rows[i].divisor);
        assert_int_equal(m.strategy, OG_STRATEGY_NONE);
    }
}

static void legs_without_form_are_not_shapes(void **state)
{
    static const char *const legs[] = {
        "7",
        "{}",
        "{\"symbol\":\"AAPL260116C00110000\",\"side\":\"Sell\",\"ratio\":1}",
        "{\"symbol\":\"AAPL260116C00110000\",\"side\":\"sell\",\"ratio\":1,\"openClose\":\"Open\"}",
        "{\"symbol\":\"AAPL260116C00110000\",\"side\":\"Sell\",\"ratio\":1.5,\"openClose\":\"Open\"}",
        "{\"symbol\":\"AAPL260116C00110000\",\"side\":\"Sell\",\"ratio\":\"1\",\"openClose\":\"Open\"}",
        "{\"symbol\":\"AAPL  260116C00110000\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Open\"}",
        "{\"symbol\":\"\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Open\"}",
        "{\"symbol\":\"AAPL260116C00110000\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":null}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof legs / sizeof legs[0]; i++) {
        struct og_mleg m;
        char line[512];
        int len = snprintf(line, sizeof line,
                           "{\"securityType\":\"Mleg\",\"symbol\":\"AAPL\","
                           "\"legs\":[{\"symbol\":\"AAPL260116C00100000\","
                           "\"side\":\"Buy\",\"ratio\":1,\"openClose\":\"Open\"},%s]}",
                           legs[i]);

        assert_int_equal(og_order_read(order, line, (size_t)len), OG_OK);
        og_mleg_of(order, &m);
        assert_int_equal(m.fault, OG_MLEG_LEG_FORM);
    }
}

static void what_else_is_told(void **state)
{
    struct og_mleg m;

    (void)state;
    look("+C100 -C110c", &m);
    assert_int_equal(m.strategy, OG_CALL_VERTICAL);
    assert_true(m.mixed_open_close && !m.all_open && !m.all_close);
    look("+C100 -C110x", &m); /* a wrong spelling is not accepted, and neither is a mixture */
    assert_int_equal(m.strategy, OG_CALL_VERTICAL);
    assert_true(!m.mixed_open_close && !m.all_open && !m.all_close);
    look("+C100c -C110c", &m);
    assert_true(m.all_close && !m.all_open && m.ascending);
    assert_int_equal(m.stock_leg, -1);
    look("-C110 +C100", &m);
    assert_true(m.all_open && !m.ascending);
    look("+P100 -C100 -P100 +C110", &m);
    assert_true(m.ascending);
    look("-C110 +S0*100", &m);
    assert_int_equal(m.stock_leg, 1);
    assert_true(m.ascending);
}

static void what_is_no_mleg_has_no_shape(void **state)
{
    static const char line[] = "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"legs\":[{},{}]}";
    struct og_mleg m;

    (void)state;
    assert_int_equal(og_order_read(order, line, sizeof line - 1), OG_OK);
    og_mleg_of(order, &m);
    assert_int_equal(m.fault, OG_MLEG_FINE);
    assert_int_equal(m.strategy, OG_STRATEGY_NONE);
    assert_int_equal(m.stock_leg, -1);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(og_strategy_name(OG_STRATEGY_NONE), "");
    assert_string_equal(og_strategy_name(OG_IRON_CONDOR), "iron-condor");
    assert_string_equal(og_strategy_name((enum og_strategy)99), "");
    assert_string_equal(og_net_name(OG_DEBIT), "debit");
    assert_string_equal(og_net_name(OG_CREDIT), "credit");
    assert_string_equal(og_net_name(OG_NET_UNDETERMINED), "undetermined");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(option_shapes_in_every_order_and_direction),
        cmocka_unit_test(covers_are_bound_to_direction_and_effect),
        cmocka_unit_test(named_misses),
        cmocka_unit_test(faults_in_the_order_of_the_broker),
        cmocka_unit_test(legs_without_form_are_not_shapes),
        cmocka_unit_test(what_else_is_told),
        cmocka_unit_test(what_is_no_mleg_has_no_shape),
        cmocka_unit_test(names),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
