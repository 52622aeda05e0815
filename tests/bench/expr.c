/*
 * What a policy of 200 custom rules costs: orders checked by it alone, by the shipped policy live, and by both.  The rules
 * are what desks write, each with other numbers and names, so that no two are the same; none of them refuses.
 * It refuses to judge: it prints processor time on this machine, now, and whether 200 rules are under 20 microseconds.
 */
#include "ordergate/ordergate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/banned.h"

#define CLOCK "2026-01-15T15:00:00Z"

enum { RULES = 200, TRIES = 5 };

/* %d is the number of the rule. */
static const char *const rules[] = {
    "when: order.action == \"Short\"\n    require: order.limitPrice >= 5.0 && !(order.symbol in [\"AMC\", \"GM%d\"])",
    "require: order.notional <= 250000 + %d",
    "when: order.symbol in lists.meme\n    require: order.orderQuantity <= 10%d",
    "when: session.open\n    require: session.minutesToClose > 0 || order.timeInForce != \"Day\" || order.orderQuantity < %d",
    "require: 'has(order.limitPrice) ? order.limitPrice < 10000.%d : order.orderType == \"Market\"'",
    "when: order.securityType == \"Option\"\n    require: order.daysToExpiry >= 1 && order.strike > 0.%d1",
    "when: order.strategy == \"iron-condor\"\n    require: order.maxLoss <= 50%d && order.legs.all(l, l.daysToExpiry > 2)",
    "require: book.gross + order.notional <= account.equity * 4 + %d",
    "require: position.quantity + order.orderQuantity < 20000 + %d",
    "when: order.opens\n    require: counters.ordersLastMinute < 60%d && counters.ordersToday < 5000",
    "require: quote.ask - quote.bid <= quote.mid * 0.05 + 0.%d1",
    "when: order.side == \"Buy\"\n    require: order.limitPrice <= quote.last * 1.1 + %d",
    "require: '!order.symbol.matches(\"^ZZ%d[A-Z]+$\")'",
    "when: now.getHours() < 10\n    require: order.notional < 100000.%d",
    "require: order.legs.all(l, l.ratio <= 4 + %d)",
    "when: order.route == \"CTDL\" || !has(order.route)\n    require: order.orderQuantity < 5000 + %d",
    "require: '!(order.symbol in [\"A%d\", \"B\", \"C\", \"D\", \"E\", \"F1\", \"G\", \"H\", \"I\", \"J\", \"K\", \"L\"])'",
    "when: account.environment == \"live\"\n    require: account.bp >= 100 - %d",
    "require: order.orderQuantity %% 7 != 8 || order.clientOrderId.startsWith(\"x%d\")",
    "when: order.underlying == \"TSLA\"\n    require: order.notional / account.equity < 0.5%d",
};
#define KINDS ((int)(sizeof rules / sizeof *rules))

static const char *const orders[] = {
    "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\","
    "\"orderQuantity\":100,\"timeInForce\":\"Day\",\"limitPrice\":190.01,\"clientOrderId\":\"a1\",\"route\":\"SMART\"}",
    "{\"securityType\":\"Option\",\"symbol\":\"AAPL260220C00190000\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"
    "\"Limit\",\"orderQuantity\":1,\"timeInForce\":\"Day\",\"limitPrice\":1.5,\"clientOrderId\":\"a2\",\"route\":\"SMARTO\"}",
};

static const char facts[] =
    "{\"asOf\":\"2026-01-15T14:59:59Z\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\",\"accountStatus\":\"Active\","
    "\"accountType\":\"Live\",\"bp\":1000000,\"overnightBp\":1000000,\"equity\":500000,\"optLevel\":4},\"positions\":["
    "{\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\",\"shares\":100,"
    "\"priceAvg\":180}],\"orders\":[],\"routes\":[],\"quotes\":{\"AAPL\":{\"bid\":189.98,\"ask\":190.02,\"last\":190},"
    "\"AAPL260220C00190000\":{\"bid\":1.4,\"ask\":1.45,\"last\":1.42}},\"usedClientOrderIds\":[],\"gate\":{\"ordersToday\":3}}";

static void must(int ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void say(void *with, const struct og_fault *fault)
{
    (void)with;
    fprintf(stderr, "%d:%d: %s\n", fault->line, fault->col, fault->text);
}

static struct og_policy *make_policy(const char *extends, int count)
{
    static char yaml[RULES * 400];
    size_t len = (size_t)snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nextends: [%s]\nlists: {meme: [GME, AMC, BB]}\n%s",
                                  extends, count ? "custom:\n" : "");
    struct og_policy *policy = NULL;

    for (int i = 0; i < count; i++) {
        char rule[300];

        /* each a text of our own, with one number in it */
        snprintf(rule, sizeof rule, rules[i % KINDS], i);
        len += (size_t)snprintf(yaml + len, sizeof yaml - len, "  - id: rule-%d\n    %s\n", i, rule);
    }
    must(og_policy_read(yaml, len, "t", &policy, say, NULL, NULL) == OG_OK, "the policy cannot be read");
    return policy;
}

/* Nanoseconds of processor time a check, the best of some tries. */
static long measure(const char *extends, int count, const char *line, int rounds, int *found)
{
    struct og_book *book;
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *order = og_order_new();
    struct og_decision d = { 0 };
    int64_t now;
    long best = 0;

    must(og_book_new(make_policy(extends, count), &book) == OG_OK && scratch && order, "out of memory");
    must(og_book_apply(book, NULL, facts, sizeof facts - 1, "facts", NULL) == OG_OK, "bad facts");
    must(og_order_read(order, line, strlen(line)) == OG_OK && og_time_read(CLOCK, strlen(CLOCK), &now), "bad order");
    for (int t = 0; t < TRIES; t++) {
        struct timespec from, to;
        long ns;

        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        for (int i = 0; i < rounds; i++)
            og_check(book, order, now, scratch, &d);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        ns = ((to.tv_sec - from.tv_sec) * 1000000000L + to.tv_nsec - from.tv_nsec) / rounds;
        best = t == 0 || ns < best ? ns : best;
    }
    *found = d.count;
    for (int i = 0; i < d.count && getenv("BENCH_FINDINGS"); i++)
        printf("  %s: %s\n", d.findings[i].rule, d.findings[i].message);
    og_scratch_free(scratch);
    og_order_free(order);
    og_book_free(book);
    return best;
}

int main(int argc, char **argv)
{
    static const char *const extends[] = { "", "live" }, *const names[] = { "stock", "option" };
    int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 20000;

    printf("%-8s %-22s %12s %12s %s\n", "order", "policy", "none, ns", "200, ns", "the 200 alone");
    for (int o = 0; o < 2; o++)
        for (int e = 0; e < 2; e++) {
            int none_found, found;
            long none = measure(extends[e], 0, orders[o], rounds, &none_found);
            long all = measure(extends[e], RULES, orders[o], rounds, &found);

            printf("%-8s %-22s %12ld %12ld %ld ns, %s; %d findings of them\n", names[o], *extends[e] ? extends[e] : "custom alone",
                   none, all, all - none, all < 20000 ? "under 20 us in all" : "NOT under 20 us in all", found - none_found);
        }
    return 0;
}
