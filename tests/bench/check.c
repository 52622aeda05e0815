/*
 * Measures the cost of deciding: a decoded order, an order from bytes, and the filter as a process; for comparison,
 * in the same run, cJSON and simdjson parsing the same lines, and jq copying them.  Prints medians of several runs,
 * and which targets were met on this machine.  It never fails because of a slow result.
 */
#include <cjson/cJSON.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "corpus.h"
#include "ordergate/ordergate.h"
#include "processes.h"
#include "simd.h"

enum { RUNS_MOST = 99, BATCH = 64 }; /* BATCH: as many orders as `ordergate check` decides at once */

enum figure {
    CHECK,        /* seconds for one decoded order */
    DECODE,       /* bytes to a decoded order */
    DECODE_CHECK, /* bytes to a decision; a batch is decoded and then decided, as the filter does it */
    ONE_BY_ONE,   /* like DECODE_CHECK, but each order is decided before the next one is decoded */
    CJSON,
    SIMD_TREE,
    SIMD_DEMAND,
    FILTER_ORDERS, /* processes: seconds of wall clock */
    FILTER_DECISIONS,
    FILTER_ALONE,
    JQ,
    FIGURES
};

static const struct {
    const char *name;
    bool process;
} figures[FIGURES] = {
    [CHECK] = { "check of a decoded order", false },
    [DECODE] = { "decode alone", false },
    [DECODE_CHECK] = { "decode and check, bytes to decision", false },
    [ONE_BY_ONE] = { "the same, order by order", false },
    [CJSON] = { "cJSON, parse and delete", false },
    [SIMD_TREE] = { "simdjson, parse to a tree", false },
    [SIMD_DEMAND] = { "simdjson, on demand, every field", false },
    [FILTER_ORDERS] = { "ordergate check --emit orders", true },
    [FILTER_DECISIONS] = { "ordergate check", true },
    [FILTER_ALONE] = { "ordergate check --independent", true },
    [JQ] = { "jq -c .", true },
};

/* The further arguments of the filter, beside policy, facts and clock. */
static const char *const more[FIGURES][2] = {
    [FILTER_ORDERS] = { "--emit", "orders" }, [FILTER_ALONE] = { "--independent" }
};

struct bench {
    size_t orders;
    int runs;
    uint64_t seed;
    struct corpus corpus;
    char *facts;
    size_t facts_len;
    int64_t now;
    struct og_book *book;
    struct og_scratch *scratch[BATCH];
    struct og_order *order[BATCH];
    struct og_decision decision[BATCH];
    char folder[64], lines_path[96], facts_path[96];
    size_t accepted; /* number of orders accepted in the last pass over the corpus */
    double seconds[FIGURES][RUNS_MOST];
};

static void __attribute__((noreturn, format(printf, 1, 2))) stop(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(4);
}

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t line_len(const struct bench *b, size_t i)
{
    return b->corpus.start[i + 1] - b->corpus.start[i] - 1; /* the length without the newline */
}

static void read_order(const struct bench *b, struct og_order *o, size_t i)
{
    if (og_order_read(o, b->corpus.bytes + b->corpus.start[i], line_len(b, i)) != OG_OK)
        stop("out of memory");
}

/* Orders are decoded one batch at a time, so that they stay in the cache as in real use.  Returns the seconds of
 * checking alone, or of both. */
static double time_check(struct bench *b, size_t batch, bool both)
{
    double checking = 0, start = seconds_now(), begin;

    b->accepted = 0;
    for (size_t i = 0, n; i < b->orders; i += n) {
        n = b->orders - i < batch ? b->orders - i : batch;
        for (size_t k = 0; k < n; k++)
            read_order(b, b->order[k], i + k);
        begin = both ? 0 : seconds_now();
        og_check_all(b->book, b->order, n, b->now, b->scratch, b->decision);
        for (size_t k = 0; k < n; k++)
            b->accepted += b->decision[k].accepted;
        checking += both ? 0 : seconds_now() - begin;
    }
    return both ? seconds_now() - start : checking;
}

static double time_decode(struct bench *b)
{
    double begin = seconds_now();

    for (size_t i = 0; i < b->orders; i++)
        read_order(b, b->order[0], i);
    return seconds_now() - begin;
}

static double time_cjson(struct bench *b)
{
    double begin = seconds_now();

    for (size_t i = 0; i < b->orders; i++)
        cJSON_Delete(cJSON_ParseWithLength(b->corpus.bytes + b->corpus.start[i], line_len(b, i)));
    return seconds_now() - begin;
}

static double time_simd(struct bench *b, bool demand)
{
    double begin = seconds_now();
    size_t good = 0;

    for (size_t i = 0; i < b->orders; i++)
        good +=
            (demand ? simd_demand : simd_tree)(b->corpus.bytes + b->corpus.start[i], line_len(b, i), CORPUS_PADDING);
    if (good * 10 < b->orders * 9)
        stop("simdjson read %zu of %zu lines", good, b->orders);
    return seconds_now() - begin;
}

static double time_process(struct bench *b, enum figure f)
{
    const char *check[] = { BENCH_ORDERGATE, "check",      "-p",       "live",     "-f", b->facts_path,
                            "--at",          CORPUS_CLOCK, more[f][0], more[f][1], NULL };
    const char *jq[] = { BENCH_JQ, "-c", ".", NULL };
    double seconds;
    int code = run_process(f == JQ ? jq : check, b->lines_path, &seconds);

    if (code != 0 && (f == JQ || code != 1)) /* exit code 1 is expected: some orders are refused */
        stop("%s ended with %d", figures[f].name, code);
    return seconds;
}

static double time_figure(struct bench *b, enum figure f)
{
    switch (f) {
    case CHECK: return time_check(b, BATCH, false);
    case DECODE: return time_decode(b);
    case DECODE_CHECK: return time_check(b, BATCH, true);
    case ONE_BY_ONE: return time_check(b, 1, true);
    case CJSON: return time_cjson(b);
    case SIMD_TREE:
    case SIMD_DEMAND: return time_simd(b, f == SIMD_DEMAND);
    default: return time_process(b, f);
    }
}

/* --- setting up --------------------------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *bytes, size_t len)
{
    FILE *f = fopen(path, "w");

    if (!f || fwrite(bytes, 1, len, f) != len || fclose(f) != 0)
        stop("%s: cannot be written", path);
}

static void prepare_files(struct bench *b)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(b->folder, sizeof b->folder, "%.40s/og-bench-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(b->folder))
        stop("%s: cannot be made", b->folder);
    snprintf(b->lines_path, sizeof b->lines_path, "%s/orders.ndjson", b->folder);
    snprintf(b->facts_path, sizeof b->facts_path, "%s/facts.json", b->folder);
    write_file(b->lines_path, b->corpus.bytes, b->corpus.len);
    write_file(b->facts_path, b->facts, b->facts_len);
}

static void prepare(struct bench *b)
{
    static const char *const live[] = { "live" };
    struct og_policy *policy;
    struct og_error err = { OG_OK, 0, 0, 0, "", "" };

    corpus_make(&b->corpus, b->seed, b->orders);
    b->facts = corpus_facts(&b->facts_len);
    if (!og_time_read(CORPUS_CLOCK, strlen(CORPUS_CLOCK), &b->now))
        stop("the clock of the corpus cannot be read");
    if (og_policy_load_all(live, 1, NULL, &policy, NULL, NULL, &err) || og_book_new(policy, &b->book) ||
        og_book_apply(b->book, NULL, b->facts, b->facts_len, "facts", &err))
        stop("%s", err.text[0] ? err.text : "out of memory");
    for (size_t i = 0; i < BATCH; i++)
        if (!(b->order[i] = og_order_new()) || !(b->scratch[i] = og_scratch_new()))
            stop("out of memory");
    prepare_files(b);
}

static void finish(struct bench *b)
{
    unlink(b->lines_path);
    unlink(b->facts_path);
    rmdir(b->folder);
    for (size_t i = 0; i < BATCH; i++) {
        og_order_free(b->order[i]);
        og_scratch_free(b->scratch[i]);
    }
    og_book_free(b->book);
    free(b->facts);
    corpus_free(&b->corpus);
}

/* --- the results -------------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(const struct bench *b, enum figure f)
{
    double run[RUNS_MOST];

    memcpy(run, b->seconds[f], (size_t)b->runs * sizeof *run);
    qsort(run, (size_t)b->runs, sizeof *run, by_size);
    return b->runs % 2 ? run[b->runs / 2] : (run[b->runs / 2 - 1] + run[b->runs / 2]) / 2;
}

static void mark(const char *what, double ratio, double most)
{
    printf("mark: %s: %.3f, to be at most %.3f: %s\n", what, ratio, most, ratio <= most ? "met" : "MISSED");
}

static void report(const struct bench *b)
{
    double per = 1e9 / (double)b->orders, simd = median(b, SIMD_TREE);

    printf("%zu orders, %zu bytes, seed %" PRIu64 ", %zu accepted; medians of %d runs\n", b->orders, b->corpus.len,
           b->seed, b->accepted, b->runs);
    for (int f = 0; f < FIGURES; f++) {
        double s = median(b, (enum figure)f);

        if (figures[f].process)
            printf("%-40s %8.3f s  %10.0f orders/s\n", figures[f].name, s, (double)b->orders / s);
        else
            printf("%-40s %8.1f ns an order\n", figures[f].name, s * per);
    }
    if (median(b, SIMD_DEMAND) < simd)
        simd = median(b, SIMD_DEMAND);
    mark("bytes to decision, in simdjson's faster parses", median(b, DECODE_CHECK) / simd, 4);
    mark("the filter, each order alone, in jq's times", median(b, FILTER_ALONE) / median(b, JQ), 0.1);
    for (int f = FILTER_ORDERS; f <= FILTER_DECISIONS; f++)
        mark(f == FILTER_ORDERS ? "the filter, in jq's times an order" : "the same, writing decisions",
             median(b, (enum figure)f) / median(b, JQ), 0.1);
}

static size_t number(const char *text, size_t most)
{
    char *end;
    unsigned long long n = strtoull(text, &end, 10);

    if (*end || end == text || n == 0 || n > most) {
        fprintf(stderr, "bench: '%s': expected a number from 1 to %zu\n", text, most);
        exit(2);
    }
    return (size_t)n;
}

static int usage(void)
{
    fputs("usage: check [-n ORDERS] [-r RUNS] [-s SEED]\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static struct bench b = { .orders = 1000000, .runs = 5, .seed = CORPUS_SEED };
    int option;

    while ((option = getopt(argc, argv, "n:r:s:")) != -1) {
        if (option == '?')
            return usage();
        if (option == 'n')
            b.orders = number(optarg, 100000000);
        else if (option == 'r')
            b.runs = (int)number(optarg, RUNS_MOST);
        else
            b.seed = number(optarg, SIZE_MAX);
    }
    if (optind != argc)
        return usage();
    prepare(&b);
    for (int run = 0; run < b.runs; run++)
        for (int f = 0; f < FIGURES; f++)
            b.seconds[f][run] = time_figure(&b, (enum figure)f);
    (void)time_check(&b, BATCH, false); /* not measured: it counts the accepted orders */
    report(&b);
    finish(&b);
    return fflush(stdout) || ferror(stdout) ? 4 : 0;
}
