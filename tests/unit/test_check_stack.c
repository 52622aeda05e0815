/*
 * How much stack deciding takes, since threads of linked programs may have little (ordergate/book.h).  The worst
 * cases are patterns, and options on a root with many positions, whose pairing needs a search.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#include "ordergate/ordergate.h"
#include "unit.h"

#define NOON "2026-01-15T17:00:00Z"
#define POLICY                                                                                                 \
    "ordergate: 1\nname: x\nextends: []\nrules:\n  buying-power: refuse\n"                                     \
    "  order-notional:\n    {level: refuse, most: 1000, overrides: [{match: {symbol: \"(A|X)[A-Z]*\"}, most: " \
    "9000}]}\n"                                                                                                \
    "custom:\n  - {id: mine, require: 'order.symbol.matches(\"([A-Z]+)+[0-9CP]*\")', message: no such symbol}\n"

enum { SIZE = 1 << 20, PAINT = 0xA5, ORDERS = 200, STRIKES = 40, EXPIRIES = 3 };

/* sanitizers put unused room around every variable */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MOST (SIZE / 2)
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MOST (SIZE / 2)
#endif
#endif
#ifndef MOST
#define MOST (48 * 1024) /* the limit that ordergate/book.h states */
#endif

static uint64_t seed = 1;
static char text[1 << 20];

static int rnd(int n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((seed >> 33) % (uint64_t)n);
}

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
    size_t len = strlen(text);
    va_list args;

    va_start(args, format);
    vsnprintf(text + len, sizeof text - len, format, args);
    va_end(args);
}

static void put_symbol(int c)
{
    put("XYZ26%02d20%c%08d", 2 + c / (2 * STRIKES), c / STRIKES % 2 ? 'P' : 'C', (80 + c % STRIKES) * 1000);
}

static void put_facts(void)
{
    text[0] = '\0';
    put("{\"asOf\":\"" NOON "\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\",\"bp\":100000,\"optLevel\":4},"
        "\"orders\":[],\"quotes\":{\"XYZ\":{\"last\":100,\"bid\":99,\"ask\":101}},\"positions\":[");
    for (int c = 0; c < 2 * STRIKES * EXPIRIES; c++) {
        put("%s{\"symbol\":\"XYZ\",\"tradedSymbol\":\"", c ? "," : "");
        put_symbol(c);
        put("\",\"securityType\":\"Option\",\"side\":\"%s\",\"shares\":%d,\"priceOpen\":%d}", rnd(2) ? "Long" : "Short",
            1 + rnd(7), 1 + rnd(9));
    }
    put("]}");
}

/* A vertical, or a contract bought, written or closed. */
static void put_order(int n)
{
    int c = rnd(2 * STRIKES * EXPIRIES), buys = rnd(2), opens = rnd(4) != 0, other = c - c % STRIKES + rnd(STRIKES);

    text[0] = '\0';
    put("{\"clientOrderId\":\"o%d\",\"orderType\":\"Limit\",\"timeInForce\":\"Day\",\"orderQuantity\":%d,"
        "\"limitPrice\":1.5,\"openClose\":\"%s\",\"side\":\"%s\",\"securityType\":\"%s\",\"symbol\":\"",
        n, 1 + rnd(5), opens ? "Open" : "Close", buys ? "Buy" : "Sell", n % 3 && other != c ? "Mleg" : "Option");
    if (n % 3 == 0 || other == c) {
        put_symbol(c);
        put("\"}");
        return;
    }
    put("XYZ\",\"legs\":[{\"symbol\":\"");
    put_symbol(c < other ? c : other);
    put("\",\"side\":\"%s\",\"ratio\":1,\"openClose\":\"Open\"},{\"symbol\":\"", buys ? "Buy" : "Sell");
    put_symbol(c < other ? other : c);
    put("\",\"side\":\"%s\",\"ratio\":1,\"openClose\":\"Open\"}]}", buys ? "Sell" : "Buy");
}

struct job {
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order[ORDERS];
    int64_t now;
    uintptr_t top; /* end of the stack at which deciding began */
    int accepted, suggested;
};

static void *decide(void *with)
{
    struct job *j = with;
    struct og_decision d;
    struct og_margin_info info;
    struct og_suggestion suggestion;
    og_ticket ticket;

    j->top = (uintptr_t)__builtin_frame_address(0);
    for (int i = 0; i < ORDERS; i++) {
        og_check(j->book, j->order[i], j->now, j->scratch, &d);
        og_margin_ask(j->book, j->order[i], j->now, j->scratch, &info);
        if (i % 10 == 0) {
            og_suggest(j->book, j->order[i], j->now, j->scratch, &suggestion);
            j->suggested += suggestion.what != OG_SUGGEST_NONE;
        }
        if (og_reserve(j->book, j->order[i], j->now, j->scratch, &d, &ticket) != OG_OK)
            return NULL;
        j->accepted += d.accepted;
    }
    return j;
}

static void deciding_takes_little_stack(void **state)
{
    unsigned char *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct job job = { .scratch = og_scratch_new() };
    struct og_policy *policy = NULL;
    struct og_error err = { 0 };
    pthread_attr_t attr;
    pthread_t thread;
    void *done;
    size_t low = 0, used;

    (void)state;
    assert_true(stack != MAP_FAILED && job.scratch);
    if (og_policy_read(POLICY, sizeof POLICY - 1, "x.yaml", &policy, NULL, NULL, &err))
        fail_msg("%d: %s", err.line, err.text);
    assert_int_equal(og_book_new(policy, &job.book), OG_OK);
    put_facts();
    if (og_book_apply(job.book, NULL, text, strlen(text), "facts", &err))
        fail_msg("%s", err.text);
    assert_true(og_time_read(NOON, strlen(NOON), &job.now));
    for (int i = 0; i < ORDERS; i++) {
        job.order[i] = og_order_new();
        put_order(i);
        assert_int_equal(og_order_read(job.order[i], text, strlen(text)), OG_OK);
    }
    memset(stack, PAINT, SIZE);
    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstack(&attr, stack, SIZE), 0);
    assert_int_equal(pthread_create(&thread, &attr, decide, &job), 0);
    assert_int_equal(pthread_join(thread, &done), 0);
    assert_ptr_equal(done, &job);
    while (low < SIZE && stack[low] == PAINT)
        low++;
    used = job.top - (uintptr_t)stack - low;
    assert_in_range(used, 4096, MOST);
    assert_in_range(job.accepted, 1, ORDERS - 1);
    assert_in_range(job.suggested, 1, ORDERS - 1);
    for (int i = 0; i < ORDERS; i++)
        og_order_free(job.order[i]);
    pthread_attr_destroy(&attr);
    og_book_free(job.book);
    og_scratch_free(job.scratch);
    munmap(stack, SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(deciding_takes_little_stack) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
