/*
 * Measures the paper brokerage: requests a second of reads and orders over 64 keep-alive connections, memory after
 * many reads, 1,000 clients of a stream, and a long run of reads among clients that connect, disconnect and send
 * garbage.  Prints medians, and which targets were met on this machine.  It never fails because of a slow result.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "listen.h"
#include "load.h"

enum { CONNECTIONS = 64, RUNS_MOST = 99, STREAMS = 1000, ORDERS = 100, ROUNDS = 20, DESCRIPTORS = STREAMS + 200 };

#define MIB               (1024.0 * 1024.0)
#define REQUESTS_A_SECOND 5000.0
#define GROWTH            0.05

struct bench {
    const char *program;
    long requests, reads;
    int runs;
};

static void mark(bool met, const char *what)
{
    printf("mark: %s: %s\n", what, met ? "met" : "MISSED");
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *run, int runs)
{
    qsort(run, (size_t)runs, sizeof *run, by_size);
    return runs % 2 ? run[runs / 2] : (run[runs / 2 - 1] + run[runs / 2]) / 2;
}

static void bench_mixed(const struct bench *b)
{
    double rates[RUNS_MOST], rate;
    struct load_result result;
    struct service s;
    long errors = 0;

    for (int run = 0; run < b->runs; run++) {
        service_start(&s, b->program);
        result = load_run(&s, CONNECTIONS, b->requests, load_mixed);
        service_stop(&s);
        rates[run] = (double)b->requests / result.seconds;
        errors += result.errors;
    }
    rate = median(rates, b->runs);
    printf("%ld reads and orders over %d connections: %.0f requests/s (median of %d runs, %.0f to %.0f), %ld errors\n",
           b->requests, CONNECTIONS, rate, b->runs, rates[0], rates[b->runs - 1], errors);
    mark(rate >= REQUESTS_A_SECOND, "5,000 requests a second");
    mark(errors == 0, "no error");
}

/* Measure that the memory of the service does not grow after the first tenth of the reads. */
static void bench_memory(const struct bench *b)
{
    struct load_result result, rest;
    struct service s;
    double early, late;

    service_start(&s, b->program);
    load_run(&s, CONNECTIONS, 10 * CONNECTIONS, load_mixed); /* make orders and positions that reads can show */
    result = load_run(&s, CONNECTIONS, b->reads / 10, load_reads);
    early = (double)service_resident(&s);
    rest = load_run(&s, CONNECTIONS, b->reads - b->reads / 10, load_reads);
    late = (double)service_resident(&s);
    service_stop(&s);
    printf("resident after %ld reads %.2f MiB, after %ld %.2f MiB (%+.2f %%); %.0f reads/s, %ld errors\n",
           b->reads / 10, early / MIB, b->reads, late / MIB, (late / early - 1) * 100,
           (double)(b->reads - b->reads / 10) / rest.seconds, result.errors + rest.errors);
    mark(late <= early * (1 + GROWTH) && result.errors + rest.errors == 0, "memory grows by 5 % at most");
}

static void bench_streams(const struct bench *b)
{
    double seconds[RUNS_MOST], middle;
    struct listen_result result = { .pushes = 0 };
    struct service s;

    service_start(&s, b->program);
    for (int run = 0; run < b->runs; run++) {
        result = listen_run(&s, STREAMS, ORDERS);
        seconds[run] = result.seconds;
    }
    service_stop(&s);
    middle = median(seconds, b->runs);
    printf("%d clients of a stream, %d orders: %ld pushes in %.2f s, %.0f a second, %.0f MiB a second\n", STREAMS,
           ORDERS, result.pushes, middle, (double)result.pushes / middle, (double)result.bytes / MIB / middle);
    mark(true, "every client hears every push in order"); /* reached only if all frames were right: listen_run() ends
                                                           * the program otherwise */
}

/* Connect, send half a request or garbage, and disconnect. */
static void disturb(const struct service *s, uint64_t *state)
{
    char bytes[400] = "GET /v1/api/accounts HTTP/1.1\r\nX-Noise: ";
    size_t at = *state % 2 ? strlen(bytes) : 0;
    int fd = service_connect(s);

    for (; at < sizeof bytes; at++) {
        *state = *state * 6364136223846793005U + 1442695040888963407U;
        bytes[at] = (char)(*state >> 56);
    }
    if (write(fd, bytes, sizeof bytes) < 0)
        stop("a connection was not taken");
    close(fd);
}

static void bench_soak(const struct bench *b)
{
    uint64_t state = 1;
    double early = 0, late = 0;
    struct service s;
    long errors = 0;

    service_start(&s, b->program);
    load_run(&s, CONNECTIONS, 10 * CONNECTIONS, load_mixed);
    for (int round = 1; round <= ROUNDS; round++) {
        errors += load_run(&s, CONNECTIONS, b->reads / ROUNDS / 4, load_reads).errors;
        for (int i = 0; i < 100; i++) {
            disturb(&s, &state);
            listen_once(&s);
        }
        late = (double)service_resident(&s);
        if (round == ROUNDS / 4)
            early = late;
    }
    service_stop(&s);
    printf("soak: %d clients that talk nonsense and %d of streams come and go, %ld reads: %.2f MiB after a quarter, "
           "%.2f MiB at the end (%+.2f %%), %ld errors\n",
           ROUNDS * 100, ROUNDS * 100, b->reads / 4, early / MIB, late / MIB, (late / early - 1) * 100, errors);
    mark(late <= early * (1 + GROWTH) && errors == 0, "a soak leaves nothing");
}

static long number(const char *text, long most)
{
    char *end;
    long n = strtol(text, &end, 10);

    if (*end || end == text || n < 1 || n > most) {
        fprintf(stderr, "bench: '%s': expected a number from 1 to %ld\n", text, most);
        exit(2);
    }
    return n;
}

static int usage(void)
{
    fputs("usage: paper [-n REQUESTS] [-m READS] [-r RUNS]\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    struct bench b = { .program = BENCH_PAPER, .requests = 200000, .reads = 2000000, .runs = 3 };
    struct rlimit limit;
    int option;

    while ((option = getopt(argc, argv, "n:m:r:")) != -1) {
        if (option == '?')
            return usage();
        if (option == 'n')
            b.requests = number(optarg, 10000000);
        else if (option == 'm')
            b.reads = number(optarg, 1000000000);
        else
            b.runs = (int)number(optarg, RUNS_MOST);
    }
    if (optind != argc)
        return usage();
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < DESCRIPTORS) {
        limit.rlim_cur = limit.rlim_max < DESCRIPTORS ? limit.rlim_max : DESCRIPTORS;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    bench_mixed(&b);
    bench_memory(&b);
    bench_streams(&b);
    bench_soak(&b);
    return fflush(stdout) || ferror(stdout) ? 4 : 0;
}
