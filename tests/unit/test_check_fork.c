/*
 * fork() while other threads decide: every child's book answers, reserves and loads facts, and none hangs.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "ordergate/halt.h"
#include "ordergate/ordergate.h"

#define NOW      INT64_C(1768496400000000000)
#define CHILDREN 60

/* The allocator of AddressSanitizer does not hold its locks over a fork() (LLVM 14): if other threads allocate, a
 * child may wait for such a lock for ever. With that sanitizer the children do the same, but no other thread runs. */
#if defined(__SANITIZE_ADDRESS__)
#define THREADS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define THREADS 0
#endif
#endif
#ifndef THREADS
#define THREADS 4
#endif

static struct og_book *books[3];
static atomic_bool enough;

static const char facts[] = "{\"asOf\":\"2026-01-15T17:00:00Z\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\","
                            "\"bp\":100000000},\"positions\":[],\"orders\":[]}";

static bool decide(struct og_book *b, struct og_scratch *s, struct og_order *o, const char *who, int i)
{
    struct og_decision d;
    og_ticket t;
    char line[300];

    snprintf(line, sizeof line,
             "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"
             "\"Limit\","
             "\"orderQuantity\":1,\"limitPrice\":1,\"timeInForce\":\"Day\",\"clientOrderId\":\"%s-%d\"}",
             who, i);
    if (og_order_read(o, line, strlen(line)) || og_reserve(b, o, NOW, s, &d, &t) || !t)
        return false;
    og_check(b, o, NOW, s, &d);
    og_ticket_release(b, t);
    return true;
}

static void *work(void *with)
{
    struct og_scratch *s = og_scratch_new();
    struct og_order *o = og_order_new();
    char who[16];

    snprintf(who, sizeof who, "t%d", (int)(intptr_t)with);
    for (int i = 0; s && o && !enough; i++) {
        (void)decide(books[i % 2], s, o, who, i);
        (void)og_book_make_room(books[i % 2]);
        if (i % 50 == 0)
            (void)!og_book_apply(books[1], NULL, facts, sizeof facts - 1, "facts", NULL);
    }
    og_scratch_free(s);
    og_order_free(o);
    return NULL;
}

static struct og_policy *read_policy(void)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules:\n  buying-power: info\n";
    struct og_policy *policy = NULL;

    (void)!og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, NULL);
    return policy;
}

/* Use a book in all other ways: an order is sent, partly filled, reported by a row, listed and dropped; the policy is
 * replaced; the book is halted. */
static bool use(struct og_book *b, struct og_scratch *s, struct og_order *o)
{
    static const char row[] = "{\"orderId\":\"1\",\"clientOrderId\":\"use\",\"accountId\":\"L1\",\"symbol\":\"AAPL\","
                              "\"orderStatus\":\"PartiallyFilled\",\"orderQuantity\":10,\"executed\":4}";
    static const char line[] = "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":"
                               "\"Open\",\"orderType\":\"Limit\",\"orderQuantity\":10,\"limitPrice\":1,"
                               "\"timeInForce\":\"Day\",\"clientOrderId\":\"use\"}";
    struct og_policy *policy = read_policy();
    struct og_decision d;
    struct og_ticket_info info;
    og_ticket t, told;

    if (!policy || og_order_read(o, line, sizeof line - 1) || og_reserve_all(b, &o, 1, NOW, &s, &d, &t) || !t)
        return false;
    og_ticket_sent(b, t, NOW + 1);
    if (og_ticket_fill(b, t, 3, og_money_from(1), NOW + 2) ||
        og_book_row(b, "L1", row, sizeof row - 1, NOW + 3, &told, NULL))
        return false;
    og_book_swap_policy(b, policy);
    og_book_halt(b, OG_TRADING_HALTED);
    og_check_all(b, &o, 1, NOW, &s, &d);
    if (d.accepted || !og_book_tickets(b, t - 1, o, &info) || info.executed < 3)
        return false;
    og_book_halt(b, OG_TRADING_ON);
    og_ticket_forget(b, t);
    return true;
}

static void child(void)
{
    struct og_scratch *s = og_scratch_new();
    struct og_order *o = og_order_new();
    bool ok = s && o;

    alarm(60); /* a child that hangs is killed, and the test fails */
    for (int i = 0; i < 20 && ok; i++)
        ok = decide(books[i % 3], s, o, "child", i) &&
             og_book_apply(books[i % 3], NULL, facts, sizeof facts - 1, "facts", NULL) == OG_OK;
    for (int i = 0; i < 3; i++) {
        ok = ok && use(books[i], s, o);
        og_book_free(books[i]);
    }
    _exit(ok ? 0 : 1);
}

static struct og_book *open_book(void)
{
    struct og_policy *policy = read_policy();
    struct og_book *b;

    assert_non_null(policy);
    assert_int_equal(og_book_new(policy, &b), OG_OK);
    assert_int_equal(og_book_apply(b, NULL, facts, sizeof facts - 1, "facts", NULL), OG_OK);
    return b;
}

static void children_answer(void **state)
{
    pthread_t thread[THREADS + 1];
    pid_t pid[CHILDREN];

    (void)state;
    for (int i = 0; i < 3; i++)
        books[i] = open_book();
    for (intptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, (void *)i), 0);
    for (int i = 0; i < CHILDREN; i++) {
        pid[i] = fork();
        assert_true(pid[i] >= 0);
        if (pid[i] == 0)
            child();
    }
    for (int i = 0; i < CHILDREN; i++) {
        int status;

        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            fail_msg("child %d: status %d", i, status);
    }
    enough = true;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < 3; i++)
        og_book_free(books[i]);
}

static void a_book_that_is_gone_is_no_trouble(void **state)
{
    struct og_book *a = open_book(), *b = open_book(), *c = open_book();
    int status;
    pid_t pid;

    (void)state;
    og_book_free(b);
    og_book_free(a);
    pid = fork();
    if (pid == 0) {
        og_book_free(c);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    og_book_free(c);
    pid = fork(); /* no child is left */
    if (pid == 0)
        _exit(0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_answer),
        cmocka_unit_test(a_book_that_is_gone_is_no_trouble),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
