/*
 * The halt flag: a book obeys it whatever its policy says about halts, closing orders and cancels pass as they
 * should, and a file that cannot be read halts.
 */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ordergate/halt.h"
#include "ordergate/ordergate.h"
#include "ordergate/requests.h"
#include "unit.h"

#define NOW INT64_C(1768496400000000000) /* 2026-01-15T17:00:00Z */

static const char *const policies[] = {
    "ordergate: 1\nname: t\nextends: []\nrules:\n  order-form: refuse\n",
    "ordergate: 1\nname: t\nextends: []\nrules:\n  trading: off\n",
    "ordergate: 1\nname: t\nextends: []\nrules:\n  trading: warn\n",
    "ordergate: 1\nname: t\nextends: []\nrules:\n  trading: refuse\n",
    "ordergate: 1\nname: t\nextends: []\nrules:\n  trading: {level: info, exits: bind}\n",
};

static struct og_book *open_book(const char *yaml)
{
    struct og_error err = { 0 };
    struct og_policy *policy;
    struct og_book *book;

    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s: %s", yaml, err.text);
    assert_int_equal(og_book_new(policy, &book), OG_OK);
    return book;
}

static char message[1024]; /* of the first refusal that decide() found last */

/* Returns the reason of the first refusal, or ""; several refusals of one rule count once. */
static const char *decide(struct og_book *book, const char *open_close, int *refusals)
{
    static char reason[64];
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *order = og_order_new();
    struct og_decision d;
    char line[300];

    reason[0] = '\0';
    *refusals = 0;
    snprintf(line, sizeof line,
             "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Sell\",\"openClose\":\"%s\","
             "\"orderType\":\"Limit\",\"limitPrice\":190,\"orderQuantity\":1,\"timeInForce\":\"Day\"}",
             open_close);
    assert_true(scratch && order && og_order_read(order, line, strlen(line)) == OG_OK);
    og_check(book, order, NOW, scratch, &d);
    for (int i = 0; i < d.count; i++)
        if (d.findings[i].level == OG_LEVEL_REFUSE && (*refusals)++ == 0) {
            snprintf(reason, sizeof reason, "%s", d.findings[i].reason);
            snprintf(message, sizeof message, "%s", d.findings[i].message);
        }
    assert_int_equal(d.accepted, *refusals == 0);
    og_order_free(order);
    og_scratch_free(scratch);
    return reason;
}

static void expect(struct og_book *book, enum og_trading trading, const char *opens, const char *closes)
{
    int refusals;

    og_book_halt(book, trading);
    assert_string_equal(decide(book, "Open", &refusals), opens);
    assert_int_equal(refusals, opens[0] != '\0');
    assert_string_equal(decide(book, "Close", &refusals), closes);
    assert_int_equal(refusals, closes[0] != '\0');
}

static void no_policy_turns_it_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(policies); i++) {
        bool binds = strstr(policies[i], "bind") != NULL;
        struct og_book *book = open_book(policies[i]);

        expect(book, OG_TRADING_ON, "", "");
        expect(book, OG_TRADING_REDUCE_ONLY, "trading-reduce-only", "");
        expect(book, OG_TRADING_HALTED, "trading-halted", binds ? "trading-halted" : "");
        expect(book, OG_TRADING_HALTED_ALL, "trading-halted", "trading-halted");
        expect(book, OG_TRADING_ON, "", "");
        og_book_free(book);
    }
}

static void cancels_pass(void **state)
{
    static const char line[] = "{\"op\":\"cancel\",\"clientOrderId\":\"a1\"}";
    struct og_book *book = open_book(policies[3]);
    struct og_request *request = og_request_new();
    struct og_scratch *scratch = og_scratch_new();
    struct og_decision d;

    (void)state;
    og_book_halt(book, OG_TRADING_HALTED_ALL);
    assert_true(request && scratch && og_request_read(request, line, strlen(line)) == OG_OK);
    og_check_cancel(book, request, NOW, scratch, &d);
    assert_true(d.accepted);
    og_scratch_free(scratch);
    og_request_free(request);
    og_book_free(book);
}

static void put(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_int_equal(chmod(path, mode), 0);
}

static void written_and_read(void **state)
{
    char folder[] = "/tmp/og-halt-XXXXXX", path[64];
    struct og_halt halt, seen;
    struct og_error err = { 0 };
    struct stat st;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/halt.json", folder);
    assert_int_equal(og_halt_read(path, &seen, &err), OG_OK);
    assert_int_equal(seen.trading, OG_TRADING_ON);
    for (int t = OG_TRADING_ON; t <= OG_TRADING_HALTED_ALL; t++) {
        halt = (struct og_halt){ .trading = (enum og_trading)t, .reason = "said \"so\"\n" };
        assert_int_equal(og_halt_write(path, &halt, &err), OG_OK);
        assert_int_equal(og_halt_read(path, &seen, &err), OG_OK);
        assert_int_equal(seen.trading, t);
        assert_string_equal(seen.reason, halt.reason);
        assert_string_equal(seen.by, halt.by);
        assert_int_not_equal(seen.at[0], '\0');
    }
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    unlink(path);
    rmdir(folder);
}

static void what_cannot_be_read_halts(void **state)
{
    static const struct {
        const char *text;
        mode_t mode;
    } bad[] = { { "", 0600 },
                { "{", 0600 },
                { "[]", 0600 },
                { "{}", 0600 },
                { "{\"trading\":\"ON\"}", 0600 },
                { "{\"trading\":1}", 0600 },
                { "[{}]", 0600 },
                { "[[]]", 0600 },
                { "null", 0600 },
                { "{\"trading\":[]}", 0600 },
                { "{\"trading\":{}}", 0600 },
                { "{\"trading\":null}", 0600 },
                { "{\"trading\":[{\"trading\":\"on\"}]}", 0600 },
                { "{\"trading\":\"on\"}", 0622 } };
    char folder[] = "/tmp/og-halt-XXXXXX", path[64];
    struct og_halt seen;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/halt.json", folder);
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct og_error err = { 0 };

        put(path, bad[i].text, bad[i].mode);
        assert_int_not_equal(og_halt_read(path, &seen, &err), OG_OK);
        assert_int_equal(seen.trading, OG_TRADING_HALTED);
        assert_non_null(strstr(err.text, path));
        unlink(path);
    }
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_not_equal(og_halt_read(path, &seen, NULL), OG_OK);
    assert_int_equal(seen.trading, OG_TRADING_HALTED);
    rmdir(path);
    rmdir(folder);
}

/* Decide until the book gives this reason: it reads the flags only from time to time. */
static void until(struct og_book *book, const char *reason)
{
    int refusals;

    for (int i = 0; i < 2000 && strcmp(decide(book, "Open", &refusals), reason) != 0; i++)
        poll(NULL, 0, 1);
    assert_string_equal(decide(book, "Open", &refusals), reason);
}

static void a_book_looks_itself(void **state)
{
    char folder[] = "/tmp/og-halt-XXXXXX", path[64];
    struct og_book *book = open_book(policies[0]);
    struct og_halt halt = { .trading = OG_TRADING_HALTED };
    int refusals;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/halt.json", folder);
    assert_int_equal(og_book_halt_source(book, path, NULL), OG_OK);
    assert_string_equal(decide(book, "Open", &refusals), "");
    assert_int_equal(og_halt_write(path, &halt, NULL), OG_OK);
    until(book, "trading-halted");
    assert_string_equal(decide(book, "Close", &refusals), "");
    halt.trading = OG_TRADING_REDUCE_ONLY;
    assert_int_equal(og_halt_write(path, &halt, NULL), OG_OK);
    until(book, "trading-reduce-only");
    og_book_halt(book, OG_TRADING_HALTED); /* the stricter of the two halts counts */
    assert_string_equal(decide(book, "Open", &refusals), "trading-halted");
    og_book_halt(book, OG_TRADING_ON);
    assert_string_equal(decide(book, "Open", &refusals), "trading-reduce-only");
    put(path, "{", 0600); /* the file cannot be read */
    until(book, "trading-halted");
    halt.trading = OG_TRADING_ON;
    assert_int_equal(og_halt_write(path, &halt, NULL), OG_OK);
    until(book, "");
    put(path, "{\"trading\":\"halted\"}", 0600);
    until(book, "trading-halted");
    unlink(path);
    until(book, "");
    /* a new flag is seen at once, its removal only when the file is read again */
    put(path, "{\"trading\":\"halted\"}", 0600);
    assert_int_equal(og_book_halt_source(book, path, NULL), OG_OK);
    assert_string_equal(decide(book, "Open", &refusals), "trading-halted");
    assert_int_equal(og_book_halt_source(book, "", NULL), OG_OK);
    assert_string_equal(decide(book, "Open", &refusals), "");
    og_book_free(book);
    unlink(path);
    rmdir(folder);
}

static void expect_message(struct og_book *book, const char *wanted)
{
    int refusals;

    (void)decide(book, "Open", &refusals);
    assert_string_equal(message, wanted);
}

/* The finding says since when, by whom and why, whoever halted; if that is not known, where it is told. */
static void who_halted(void **state)
{
    static const char facts[] = "{\"gate\":{\"trading\":\"halted\"}}";
    struct og_book *book = open_book(policies[3]);
    struct og_halt halt = { .trading = OG_TRADING_HALTED, .at = "2026-01-15T16:59:00Z", .by = "ann@desk" };
    char long_[900];

    (void)state;
    og_book_halt_by(book, &halt);
    expect_message(book, "trading is halted since 2026-01-15T16:59:00Z (ann@desk): no reason given");
    snprintf(halt.reason, sizeof halt.reason, "the feed {0} is wrong");
    og_book_halt_by(book, &halt);
    expect_message(book, "trading is halted since 2026-01-15T16:59:00Z (ann@desk): the feed {0} is wrong");
    halt.trading = OG_TRADING_HALTED_ALL;
    og_book_halt_by(book, &halt);
    expect_message(book, "trading is halted for orders that close too since 2026-01-15T16:59:00Z (ann@desk): the feed"
                         " {0} is wrong");
    halt.trading = OG_TRADING_REDUCE_ONLY;
    og_book_halt_by(book, &halt);
    expect_message(book, "trading is reduce-only since 2026-01-15T16:59:00Z (ann@desk): the feed {0} is wrong; the"
                         " order opens");
    assert_int_equal(og_book_apply(book, NULL, facts, sizeof facts - 1, NULL, NULL),
                     OG_OK); /* the stricter one is told */
    expect_message(book, "trading is halted, as gate.trading of the facts says");
    halt.trading = OG_TRADING_HALTED;
    memset(halt.reason, 'x', sizeof halt.reason - 1);
    memset(halt.by, 'b', sizeof halt.by - 1);
    memset(halt.at, '2', sizeof halt.at - 1);
    og_book_halt_by(book, &halt);
    snprintf(long_, sizeof long_, "trading is halted since %s (%s): %s", halt.at, halt.by, halt.reason);
    expect_message(book, long_);
    og_book_halt(book, OG_TRADING_HALTED); /* by a program that does not say */
    expect_message(book, "trading is halted; ordergate status tells since when, by whom and why");
    og_book_free(book);
}

/* A second halt of the same kind has another author and another reason. */
static void who_wrote_the_flag(void **state)
{
    char folder[] = "/tmp/og-halt-XXXXXX", path[64];
    struct og_book *book = open_book(policies[1]);
    const char *const reasons[] = { "the first", "the second" };
    int refusals;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/halt.json", folder);
    for (size_t i = 0; i < COUNT(reasons); i++) {
        struct og_halt halt = { .trading = OG_TRADING_HALTED, .by = "bob@desk" };
        char wanted[600];

        snprintf(halt.reason, sizeof halt.reason, "%s", reasons[i]);
        assert_int_equal(og_halt_write(path, &halt, NULL), OG_OK);
        assert_int_equal(og_book_halt_source(book, path, NULL), OG_OK);
        snprintf(wanted, sizeof wanted, "trading is halted since %s (bob@desk): %s", halt.at, reasons[i]);
        expect_message(book, wanted);
    }
    put(path, "{", 0600);
    assert_int_equal(og_book_halt_source(book, path, NULL), OG_OK);
    (void)decide(book, "Open", &refusals);
    assert_non_null(strstr(message, "trading is halted: '"));
    assert_non_null(strstr(message, "is not JSON"));
    put(path, "{\"trading\":\"halted\"}", 0600); /* written by somebody else */
    assert_int_equal(og_book_halt_source(book, path, NULL), OG_OK);
    expect_message(book, "trading is halted; ordergate status tells since when, by whom and why");
    og_book_free(book);
    unlink(path);
    rmdir(folder);
}

struct decider {
    struct og_book *book;
    pthread_barrier_t *begun;         /* every thread has decided once, while nothing is halted */
    const atomic_bool *halted, *over; /* halted: the book obeys the halt; over: the threads stop */
    bool first;                       /* the first decision accepted the order */
    bool let_pass;                    /* an order passed although the book obeyed the halt */
    long refused;
};

static void *decide_on(void *with)
{
    struct decider *w = with;
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *order = og_order_new();
    struct og_decision d;
    static const char line[] = "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\","
                               "\"openClose\":\"Open\","
                               "\"orderType\":\"Limit\",\"limitPrice\":1,\"orderQuantity\":1,\"timeInForce\":\"Day\"}";

    if (!scratch || !order || og_order_read(order, line, sizeof line - 1))
        abort(); /* otherwise the other threads would wait for ever */
    og_check(w->book, order, NOW, scratch, &d);
    w->first = d.accepted;
    pthread_barrier_wait(w->begun);
    while (!atomic_load(w->over) || !w->refused) {
        bool halted = atomic_load(w->halted);

        og_check(w->book, order, NOW, scratch, &d);
        w->refused += !d.accepted;
        if (halted && d.accepted) {
            w->let_pass = true;
            break;
        }
    }
    og_order_free(order);
    og_scratch_free(scratch);
    return w;
}

/* If one thread reads the flag, all threads obey at once; and nothing passes while another thread changes the flag's
 * path. */
static void several_threads(void **state)
{
    char folder[] = "/tmp/og-halt-XXXXXX", path[64];
    struct og_book *book = open_book(policies[0]);
    struct og_halt halt = { .trading = OG_TRADING_HALTED };
    atomic_bool halted = false, over = false;
    pthread_barrier_t begun;
    struct decider w[4];
    pthread_t thread[4];
    void *done;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/halt.json", folder);
    assert_int_equal(og_book_halt_source(book, path, NULL), OG_OK);
    assert_int_equal(pthread_barrier_init(&begun, NULL, 5), 0);
    for (int i = 0; i < 4; i++) {
        w[i] = (struct decider){ .book = book, .begun = &begun, .halted = &halted, .over = &over };
        assert_int_equal(pthread_create(&thread[i], NULL, decide_on, &w[i]), 0);
    }
    pthread_barrier_wait(&begun);
    assert_int_equal(og_halt_write(path, &halt, NULL), OG_OK);
    until(book, "trading-halted");
    atomic_store(&halted, true);
    for (int i = 0; i < 50; i++)
        assert_int_equal(og_book_halt_source(book, path, NULL), OG_OK);
    atomic_store(&over, true);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(thread[i], &done), 0);
        assert_ptr_equal(done, &w[i]);
        assert_true(w[i].first);
        assert_false(w[i].let_pass);
        assert_true(w[i].refused > 0);
    }
    pthread_barrier_destroy(&begun);
    og_book_free(book);
    unlink(path);
    rmdir(folder);
}

/* A new book reads the user's own flag; without HOME, that of the home directory in the user database. */
static void where_a_new_book_looks(void **state)
{
    char folder[] = "/tmp/og-halt-XXXXXX", path[64];
    struct og_book *book;
    int refusals;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/ordergate", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/ordergate/halt.json", folder);
    put(path, "{\"trading\":\"halted\"}", 0600);
    assert_int_equal(setenv("XDG_STATE_HOME", folder, 1), 0);
    book = open_book(policies[0]);
    assert_string_equal(decide(book, "Open", &refusals), "trading-halted");
    assert_int_equal(setenv("XDG_STATE_HOME", "/nowhere", 1), 0);
    assert_string_equal(decide(book, "Open", &refusals), "trading-halted"); /* the state that was read before stays */
    assert_int_equal(og_book_halt_source(book, NULL, NULL), OG_OK);
    assert_string_equal(decide(book, "Open", &refusals), "");
    og_book_free(book);
    assert_int_equal(setenv("HOME", "here", 1), 0);
    assert_int_equal(unsetenv("XDG_STATE_HOME"), 0);
    book = open_book(policies[0]);
    assert_int_equal(og_book_halt_source(book, NULL, NULL), OG_EIO);
    assert_int_equal(unsetenv("HOME"), 0);
    assert_int_equal(og_book_halt_source(book, NULL, NULL), OG_OK);
    og_book_free(book);
    unlink(path);
    snprintf(path, sizeof path, "%s/ordergate", folder);
    rmdir(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_policy_turns_it_off), cmocka_unit_test(cancels_pass),
        cmocka_unit_test(written_and_read),       cmocka_unit_test(what_cannot_be_read_halts),
        cmocka_unit_test(a_book_looks_itself),    cmocka_unit_test(who_halted),
        cmocka_unit_test(who_wrote_the_flag),     cmocka_unit_test(where_a_new_book_looks),
        cmocka_unit_test(several_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
