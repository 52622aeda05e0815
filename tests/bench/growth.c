/*
 * Measures how the cost of one more decision grows with the orders that work beside it: books of 0 to 50,000 working
 * orders in several mixes, and what deciding one order more takes then.  Prints the median and the slowest 0.1 %, and
 * the medians' ratio to the same orders beside none.  It never fails because of a slow result.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "market.h"
#include "ordergate/ordergate.h"

enum { SIZES = 5, PROBES = 4000, TURN = 250, TRIES = 3, TARGET = 150 /* percent */, SLOW_TARGET = 20 };

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

/* Processor time of this thread: other work on the machine then moves a result less. */
static double nanoseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns what reading the clock adds to each measured time. */
static double clock_cost(void)
{
    double each[1000];

    for (int i = 0; i < 1000; i++) {
        const double begin = nanoseconds();

        each[i] = nanoseconds() - begin;
    }
    qsort(each, 1000, sizeof *each, by_size);
    return each[500];
}

struct times {
    double first[PROBES];         /* of the first try */
    double least[PROBES];         /* of TRIES: without what other work on the machine did to one of them */
    double median, slow, slowest; /* slow: the 99.9th percentile */
};

static void sum_up(struct times *t, size_t probes, double clock)
{
    qsort(t->first, probes, sizeof *t->first, by_size);
    qsort(t->least, probes, sizeof *t->least, by_size);
    t->median = t->first[probes / 2] - clock;
    t->slow = t->least[probes - 1 - probes / 1000] - clock;
    t->slowest = t->least[probes - 1] - clock;
}

/* Decide probes `from` to `to` - 1; the corpus has `used` lines before the first one. */
static void decide(struct reader *r, struct og_book *book, size_t used, size_t from, size_t to, struct times *t)
{
    struct og_decision d;

    for (int try = 0; try < TRIES; try++)
        for (size_t i = from; i < to; i++) {
            double begin, took;

            read_order(r, used + i);
            begin = nanoseconds();
            og_check(book, r->order, r->now, r->scratch, &d);
            took = nanoseconds() - begin;
            if (try == 0)
                t->first[i] = t->least[i] = took;
            else if (took < t->least[i])
                t->least[i] = took;
        }
}

/* Decide the orders after those that work, beside nothing and beside what works.  Both take turns, so that the load of
 * the machine changes both alike. */
static void measure(struct reader *r, struct og_book *empty, struct og_book *book, size_t used, size_t probes,
                    struct times *alone, struct times *beside)
{
    for (size_t i = 0; i < probes; i += TURN) {
        const size_t to = probes - i < TURN ? probes : i + TURN;

        decide(r, empty, used, i, to, alone);
        decide(r, book, used, i, to, beside);
    }
}

static void run_mix(const struct mix *mix, struct reader *r, const char *policy, size_t least, size_t most,
                    size_t probes)
{
    static struct times alone, beside;
    const double clock = clock_cost();

    printf("%s\n", mix->name);
    for (int i = 0; i < SIZES && sizes[i] <= most; i++) {
        struct og_book *empty, *book;
        size_t used;

        if (sizes[i] < least)
            continue;
        empty = book_of(mix, policy);
        book = book_of(mix, policy);
        market_make(&r->corpus, mix->kind, CORPUS_SEED, sizes[i] + probes);
        used = fill_book(r, book, sizes[i]);
        measure(r, empty, book, used, probes, &alone, &beside);
        sum_up(&alone, probes, clock);
        sum_up(&beside, probes, clock);
        printf("  beside %6zu working: %7.0f ns, beside none %7.0f ns, ratio %5.2f%s; slowest 0.1 %% %8.0f ns, %6.1f "
               "medians%s;"
               " slowest %8.0f ns\n",
               sizes[i], beside.median, alone.median, beside.median / alone.median,
               beside.median * 100 <= alone.median * TARGET ? "" : " (more than 1.5)", beside.slow,
               beside.slow / beside.median, beside.slow <= SLOW_TARGET * beside.median ? "" : " (more than 20)",
               beside.slowest);
        og_book_free(book);
        og_book_free(empty);
        corpus_free(&r->corpus);
    }
}

static int usage(void)
{
    fputs("usage: growth [-p POLICY] [-l WORKING-AT-LEAST] [-n WORKING-AT-MOST] [-m MIX] [-k DECISIONS]\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    struct reader r = { .order = og_order_new(), .scratch = og_scratch_new() };
    const char *policy = "live";
    long least = 0, most = 50000, only = -1, probes = PROBES;
    int option;

    while ((option = getopt(argc, argv, "p:l:n:m:k:")) != -1) {
        switch (option) {
        case 'p': policy = optarg; break;
        case 'l': least = strtol(optarg, NULL, 10); break;
        case 'n': most = strtol(optarg, NULL, 10); break;
        case 'm': only = strtol(optarg, NULL, 10); break;
        case 'k': probes = strtol(optarg, NULL, 10); break;
        default: return usage();
        }
    }
    if (optind != argc || least < 0 || most < 0 || probes < 2 || probes > PROBES)
        return usage();
    if (!r.order || !r.scratch || !og_time_read(CORPUS_CLOCK, strlen(CORPUS_CLOCK), &r.now))
        stop("out of memory");
    for (long i = 0; i < (long)(sizeof mixes / sizeof *mixes); i++)
        if (only < 0 || only == i)
            run_mix(&mixes[i], &r, policy, (size_t)least, (size_t)most, (size_t)probes);
    og_order_free(r.order);
    og_scratch_free(r.scratch);
    return fflush(stdout) || ferror(stdout) ? 4 : 0;
}
