/*
 * Measures a policy of 200 custom rules: orders checked by it alone, by the shipped policy live, and by both.  The
 * rules are like those of real desks, each with other numbers and names; none of them refuses.  Prints processor
 * time on this machine, and whether 200 rules take less than 20 microseconds.  It never fails because of a slow
 * result.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "custom.h"
#include "ordergate/ordergate.h"

#define CLOCK "2026-01-15T15:00:00Z"

enum { TRIES = 5 };

static void must(int ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void say(void *with, const struct og_diagnostic *fault)
{
    (void)with;
    fprintf(stderr, "%d:%d: %s\n", fault->line, fault->col, fault->text);
}

static struct og_policy *make_policy(const char *extends, int count)
{
    static char yaml[CUSTOM_YAML];
    struct og_policy *policy = NULL;

    must(og_policy_read(yaml, custom_policy(yaml, extends, count), "t", &policy, say, NULL, NULL) == OG_OK,
         "the policy cannot be read");
    return policy;
}

/* Returns the nanoseconds of processor time per check: the best of several attempts. */
static long measure(const char *extends, int count, const char *line, int rounds, int *found)
{
    struct og_book *book;
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *order = og_order_new();
    struct og_decision d = { 0 };
    int64_t now;
    long best = 0;

    must(og_book_new(make_policy(extends, count), &book) == OG_OK && scratch && order, "out of memory");
    must(og_book_apply(book, NULL, custom_facts, sizeof custom_facts - 1, "facts", NULL) == OG_OK, "bad facts");
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
            long none = measure(extends[e], 0, custom_orders[o], rounds, &none_found);
            long all = measure(extends[e], CUSTOM_RULES, custom_orders[o], rounds, &found);

            printf("%-8s %-22s %12ld %12ld %ld ns, %s; %d findings of them\n", names[o],
                   *extends[e] ? extends[e] : "custom alone", none, all, all - none,
                   all < 20000 ? "under 20 us in all" : "NOT under 20 us in all", found - none_found);
        }
    return 0;
}
