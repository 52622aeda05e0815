/*
 * Measures how the cost of one more decision grows with the orders that work beside it: books of 0 to 50,000 working
 * orders in several mixes, and what deciding one order more takes then.  Prints the median and the slowest 0.1 %, and
 * the medians' ratio to an empty book.  It never fails because of a slow result.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "market.h"
#include "ordergate/ordergate.h"

enum { SIZES = 5, PROBES = 4000, TARGET = 150 /* percent */ };

static const size_t sizes[SIZES] = { 0, 10, 100, 1000, 50000 };

static const struct mix {
    const char *name;
    enum market_kind kind;
    enum market_known known;
} mixes[] = {
    { "flow", MARKET_FLOW, MARKET_FULL },
    { "flow, no account facts", MARKET_FLOW, MARKET_NO_ACCOUNT },
    { "options on 8 roots", MARKET_OPTIONS, MARKET_FULL },
    { "options on 8 roots, no account facts", MARKET_OPTIONS, MARKET_NO_ACCOUNT },
    { "stock and options on 8 roots", MARKET_BESIDE, MARKET_FULL },
    { "covered calls on 8 roots", MARKET_COVERED, MARKET_FULL },
    { "several expiries on 8 roots", MARKET_EXPIRIES, MARKET_FULL },
    { "options on 8 roots, no prices", MARKET_OPTIONS, MARKET_NO_PRICES },
};

static void __attribute__((noreturn)) stop(const char *why)
{
    fprintf(stderr, "bench: %s\n", why);
    exit(4);
}

static struct og_book *book_of(const struct mix *mix, const char *policy_name)
{
    struct og_error err = { .status = OG_OK };
    struct og_policy *policy;
    struct og_book *book;
    size_t len;
    char *facts = market_facts(mix->known, &len);

    if (og_policy_load(policy_name, &policy, NULL, NULL, &err) || og_book_new(policy, &book) ||
        og_book_apply(book, NULL, facts, len, "facts", &err))
        stop(err.text[0] ? err.text : "out of memory");
    free(facts);
    return book;
}

/* An order and its line. */
struct reader {
    struct corpus corpus;
    struct og_order *order;
    struct og_scratch *scratch;
    int64_t now;
};

static void read_order(struct reader *r, size_t i)
{
    const size_t len = r->corpus.start[i + 1] - r->corpus.start[i] - 1;

    if (og_order_read(r->order, r->corpus.bytes + r->corpus.start[i], len))
        stop("out of memory");
}

/* Make `size` orders work, whatever the policy says of them.  Returns how many lines were used. */
static size_t fill_book(struct reader *r, struct og_book *book, size_t size)
{
    size_t i = 0;

    for (og_ticket ticket; i < size; i++) {
        read_order(r, i);
        if (og_reserve_sent(book, r->order, r->now, r->scratch, &ticket))
            stop("an order cannot be counted");
    }
    return i;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double nanoseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Decide PROBES orders, the lines after those that work.  Sets the median and the 99.9th percentile of the nanoseconds
 * that one takes. */
static void measure(struct reader *r, struct og_book *book, size_t first, size_t probes, double *median, double *slow)
{
    static double each[PROBES];
    struct og_decision d;

    for (size_t i = 0; i < probes; i++) {
        double begin;

        read_order(r, first + i);
        begin = nanoseconds();
        og_check(book, r->order, r->now, r->scratch, &d);
        each[i] = nanoseconds() - begin;
    }
    qsort(each, probes, sizeof *each, by_size);
    *median = each[probes / 2];
    *slow = each[probes - 1 - probes / 1000];
}

static void run_mix(const struct mix *mix, struct reader *r, const char *policy, size_t most, size_t probes)
{
    double base = 0;

    printf("%s\n", mix->name);
    for (int i = 0; i < SIZES && sizes[i] <= most; i++) {
        struct og_book *book = book_of(mix, policy);
        double median, slow;
        size_t used;

        market_make(&r->corpus, mix->kind, CORPUS_SEED, sizes[i] + probes);
        used = fill_book(r, book, sizes[i]);
        measure(r, book, used, probes, &median, &slow);
        base = i ? base : median;
        printf("  beside %6zu working: %9.0f ns, slowest 0.1%% %9.0f ns, %6.2f of an empty book%s\n", sizes[i], median,
               slow, median / base, median * 100 <= base * TARGET ? "" : " (more than 1.5)");
        og_book_free(book);
        corpus_free(&r->corpus);
    }
}

static int usage(void)
{
    fputs("usage: growth [-p POLICY] [-n WORKING-AT-MOST] [-m MIX] [-k DECISIONS]\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    struct reader r = { .order = og_order_new(), .scratch = og_scratch_new() };
    const char *policy = "live";
    long most = 50000, only = -1, probes = PROBES;
    int option;

    while ((option = getopt(argc, argv, "p:n:m:k:")) != -1) {
        switch (option) {
        case 'p': policy = optarg; break;
        case 'n': most = strtol(optarg, NULL, 10); break;
        case 'm': only = strtol(optarg, NULL, 10); break;
        case 'k': probes = strtol(optarg, NULL, 10); break;
        default: return usage();
        }
    }
    if (optind != argc || most < 0 || probes < 2 || probes > PROBES)
        return usage();
    if (!r.order || !r.scratch || !og_time_read(CORPUS_CLOCK, strlen(CORPUS_CLOCK), &r.now))
        stop("out of memory");
    for (long i = 0; i < (long)(sizeof mixes / sizeof *mixes); i++)
        if (only < 0 || only == i)
            run_mix(&mixes[i], &r, policy, (size_t)most, (size_t)probes);
    og_order_free(r.order);
    og_scratch_free(r.scratch);
    return fflush(stdout) || ferror(stdout) ? 4 : 0;
}
