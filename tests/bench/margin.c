/*
 * Measures deciding with a book of 500 option positions: orders of every kind that the margin model handles, with
 * the positions on ten roots, on one root, in one expiry of one root, and with working orders beside them.  Prints
 * processor time on this machine, and whether each takes less than a millisecond.  It never fails because of a slow
 * result.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ordergate/ordergate.h"

#define CLOCK "2026-01-15T15:00:00Z"

enum { POSITIONS = 500, WORKING = 20, ROUNDS_MOST = 100000 };

/* Positions are distributed over the roots in turn, each with that many expiries. */
static const struct {
    const char *name;
    int roots, expiries;
    bool working;
} books[] = {
    { "ten roots, 5 expiries each", 10, 5, false },           { "one root, 10 expiries", 1, 10, false },
    { "one root, 10 expiries, orders at work", 1, 10, true }, { "one root, one expiry", 1, 1, false },
    { "one root, one expiry, orders at work", 1, 1, true },
};

#define LEG(expiry, type, strike, side) \
    "{\"symbol\":\"AAA26" expiry type "00" strike "000\",\"side\":\"" side "\",\"ratio\":1,\"openClose\":\"Open\"}"
#define REST "\"orderType\":\"Limit\",\"orderQuantity\":1,\"timeInForce\":\"Day\",\"limitPrice\":"

static const struct {
    const char *name, *line;
} orders[] = {
    { "stock bought",
      "{\"securityType\":\"Stock\",\"symbol\":\"AAA\",\"side\":\"Buy\",\"openClose\":\"Open\"," REST "100}" },
    { "call written", "{\"securityType\":\"Option\",\"symbol\":\"AAA260116C00131000\",\"side\":\"Sell\","
                      "\"openClose\":\"Open\"," REST "1}" },
    { "long closed", "{\"securityType\":\"Option\",\"symbol\":\"AAA260116C00075000\",\"side\":\"Sell\","
                     "\"openClose\":\"Close\"," REST "25}" },
    { "vertical", "{\"securityType\":\"Mleg\",\"symbol\":\"AAA\",\"legs\":[" LEG("0116", "C", "121", "Sell") "," LEG(
                      "0116", "C", "126", "Buy") "]," REST "1}" },
    { "strangle", "{\"securityType\":\"Mleg\",\"symbol\":\"AAA\",\"legs\":[" LEG("0116", "P", "081", "Sell") "," LEG(
                      "0116", "C", "126", "Sell") "]," REST "2}" },
};
#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

static char facts[POSITIONS * 256];

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
    size_t len = strlen(facts);
    va_list args;

    va_start(args, format);
    vsnprintf(facts + len, sizeof facts - len, format, args);
    va_end(args);
}

/* Write the i-th position: longs and shorts in turn, calls and puts, with strikes around 100. */
static void put_position(int i, int roots, int expiries)
{
    int n = i / roots, expiry = n % expiries, rest = n / expiries, put_ = rest % 2, strike = 60 + rest / 2 % 200;

    put("%s{\"symbol\":\"%c%c%c\",\"tradedSymbol\":\"%c%c%c26%02d16%c%08d\",\"securityType\":\"Option\","
        "\"side\":\"%s\","
        "\"shares\":%d,\"priceAvg\":%d}",
        i ? "," : "", 'A' + i % roots, 'A' + i % roots, 'A' + i % roots, 'A' + i % roots, 'A' + i % roots,
        'A' + i % roots, expiry + 1, "CP"[put_], strike * 1000, (rest / 2 + put_) % 2 ? "Long" : "Short", 1 + i % 3,
        1 + strike % 7);
}

static void make_facts(int roots, int expiries, bool working)
{
    facts[0] = '\0';
    put("{\"asOf\":\"" CLOCK "\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\",\"accountStatus\":\"Active\","
        "\"accountType\":\"Live\",\"bp\":1000000,\"optLevel\":4,\"optionTradingLevel\":4},\"positions\":[");
    for (int i = 0; i < POSITIONS; i++)
        put_position(i, roots, expiries);
    put("],\"orders\":[");
    for (int i = 0; i < WORKING && working; i++)
        put("%s{\"clientOrderId\":\"w%d\",\"securityType\":\"Option\",\"symbol\":\"AAA\",\"tradedSymbol\":"
            "\"AAA260116C%08d\",\"side\":\"%s\",\"openClose\":\"Open\",\"orderStatus\":\"New\",\"orderQuantity\":1,"
            "\"leavesQuantity\":1,\"limitPrice\":1}",
            i ? "," : "", i, (60 + i) * 1000, i % 2 ? "Buy" : "Sell");
    put("],\"quotes\":{\"AAA\":{\"bid\":99.9,\"ask\":100.1,\"last\":100}}}");
}

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void __attribute__((noreturn)) stop(const char *why)
{
    fprintf(stderr, "bench: %s\n", why);
    exit(4);
}

static struct og_book *book_of(int b)
{
    struct og_error err = { .status = OG_OK };
    struct og_policy *policy;
    struct og_book *book;

    make_facts(books[b].roots, books[b].expiries, books[b].working);
    if (og_policy_load("live", &policy, NULL, NULL, &err) || og_book_new(policy, &book) ||
        og_book_apply(book, NULL, facts, strlen(facts), "facts", &err))
        stop(err.text[0] ? err.text : "out of memory");
    return book;
}

static void time_orders(struct og_book *book, struct og_scratch *scratch, struct og_order *order, int rounds)
{
    struct og_margin_info info;
    struct og_decision d;
    int64_t now;

    if (!og_time_read(CLOCK, strlen(CLOCK), &now))
        stop("the clock cannot be read");
    for (int i = 0; i < COUNT(orders); i++) {
        double begin, each;

        if (og_order_read(order, orders[i].line, strlen(orders[i].line)))
            stop("out of memory");
        og_margin_ask(book, order, now, scratch, &info);
        if (!info.known)
            stop(info.why);
        begin = seconds_now();
        for (int k = 0; k < rounds; k++)
            og_check(book, order, now, scratch, &d);
        each = (seconds_now() - begin) * 1e6 / rounds;
        printf("  %-14s %8.1f us an order%s (%s)\n", orders[i].name, each, each < 1000 ? "" : ", OVER a millisecond",
               info.model);
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1000;
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *order = og_order_new();

    if (argc > 2 || rounds < 1 || rounds > ROUNDS_MOST) {
        fputs("usage: margin [ROUNDS]\n", stderr);
        return 2;
    }
    if (!scratch || !order)
        stop("out of memory");
    for (int b = 0; b < COUNT(books); b++) {
        struct og_book *book = book_of(b);

        printf("%d option positions: %s\n", POSITIONS, books[b].name);
        time_orders(book, scratch, order, rounds);
        og_book_free(book);
    }
    og_order_free(order);
    og_scratch_free(scratch);
    return fflush(stdout) || ferror(stdout) ? 4 : 0;
}
