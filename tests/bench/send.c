/*
 * Measures sending through the gate: orders a second on loopback with the ledger on and, in the same run, a plain
 * libcurl loop that posts the same bodies without a record.  With one order at a time, the difference is the gate's
 * own time per order; most of that is the disk's, so the time of a sync is printed too.  Prints medians.  Orders
 * that did not end as expected are not counted.
 */
#include "ordergate/send.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "service.h"

enum { RUNS_MOST = 99, BODY_MOST = 256, IN_FLIGHT = 64, SYNCS = 51 };

#define ORDERS_A_SECOND 2000.0

struct bench {
    const char *paper;
    long orders, singles; /* number of orders in the run with many orders in flight, and in the run with one at a
                           * time */
    int runs;
    char folder[64], broker[96], ledger[96];
};

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

/* Write an order that does not fill. */
static size_t body(char to[BODY_MOST], const char *who, long n)
{
    return (size_t)snprintf(to, BODY_MOST,
                            "{\"clientOrderId\":\"%s-%ld\",\"securityType\":\"Stock\",\"symbol\":\"F\","
                            "\"side\":\"Buy\","
                            "\"openClose\":\"Open\",\"orderType\":\"Limit\",\"orderQuantity\":1,"
                            "\"timeInForce\":\"Day\",\"limitPrice\":1}",
                            who, n);
}

/* --- bare libcurl ------------------------------------------------------------------------------------------------- */

static size_t drop(char *bytes, size_t size, size_t count, void *with)
{
    (void)bytes;
    (void)with;
    return size * count;
}

static double bare(const struct service *s, long orders)
{
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    CURL *curl = curl_easy_init();
    char url[96], to[BODY_MOST];
    double begun;
    long status = 0;

    headers =
        curl_slist_append(curl_slist_append(headers, "SVC-API-KEY-ID: paper-key"), "SVC-API-SECRET-KEY: paper-secret");
    snprintf(url, sizeof url, "http://127.0.0.1:%d/v1/api/accounts/PAPER0001/order", s->port);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop);
    begun = seconds_now();
    for (long i = 0; i < orders; i++) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)body(to, "bare", i));
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, to);
        if (curl_easy_perform(curl) || curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) || status != 200)
            stop("libcurl: order %ld was answered %ld", i, status);
    }
    begun = seconds_now() - begun;
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    return begun;
}

/* --- the gate ----------------------------------------------------------------------------------------------------- */

struct seen {
    struct og_sender *sender;
    long given, answered, working, orders, ahead;
    double begun, posted; /* time of the first decision, and of the last answer */
};

/* Write lines as long as the pipe has room, as a fast program would. */
static int feed(struct seen *seen)
{
    char to[BODY_MOST];

    while (seen->given < seen->orders && seen->given < seen->answered + seen->ahead) {
        size_t len = body(to, "gate", seen->given++);

        if (og_sender_line(seen->sender, to, len) != OG_OK)
            return -1;
    }
    if (seen->given == seen->orders)
        og_sender_end(seen->sender);
    return 0;
}

static int on_event(void *with, const char *event, size_t len)
{
    struct seen *seen = with;

    if (memmem(event, len, "\"event\":\"decision\"", 18) != NULL) {
        if (seen->begun <= 0)
            seen->begun = seconds_now();
    } else if (memmem(event, len, "\"event\":\"posted\"", 16) != NULL) {
        seen->answered++;
        seen->posted = seconds_now();
        return feed(seen);
    } else if (memmem(event, len, "\"outcome\":\"working\"", 19) != NULL) {
        seen->working++;
    }
    return 0;
}

static void on_word(void *with, const char *text)
{
    (void)with;
    if (strncmp(text, "ledger head", 11) != 0)
        fprintf(stderr, "bench: the gate says: %s\n", text);
}

/* Returns the seconds from the first decision to the last answer; *whole is those of the whole run, including start,
 * acknowledgements and end. */
static double gated(const struct bench *b, const struct service *s, int in_flight, long orders, double *whole)
{
    struct seen seen = { .orders = orders, .ahead = 4L * in_flight };
    struct og_send_options options = { .broker = b->broker,
                                       .ledger = b->ledger,
                                       .max_in_flight = in_flight,
                                       .event = on_event,
                                       .word = on_word,
                                       .with = &seen };
    struct og_error err = { 0 };
    char url[64];
    int code;

    snprintf(url, sizeof url, "http://127.0.0.1:%d", s->port);
    setenv("ORDERGATE_BASE_URL", url, 1);
    *whole = seconds_now();
    if (og_policy_load("default", &options.policy, NULL, NULL, &err) != OG_OK ||
        og_sender_new(&options, &seen.sender, &err) != OG_OK)
        stop("%s", err.text);
    og_sender_hold(seen.sender);
    if (feed(&seen) || og_sender_run(seen.sender, &code, &err) != OG_OK || code != 0 || seen.working != orders)
        stop("%ld of %ld orders work: %s", seen.working, orders, err.text);
    og_sender_free(seen.sender);
    *whole = seconds_now() - *whole;
    return seen.posted - seen.begun;
}

/* --- the disk ----------------------------------------------------------------------------------------------------- */

static double sync_takes(const struct bench *b)
{
    double took[SYNCS], begun;
    char path[96], page[4096] = "";
    int fd;

    snprintf(path, sizeof path, "%s/sync", b->folder);
    if ((fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600)) < 0)
        stop("%s: %s", path, strerror(errno));
    for (int i = 0; i < SYNCS; i++) {
        begun = seconds_now();
        if (write(fd, page, sizeof page) < 0 || fdatasync(fd) != 0)
            stop("%s: %s", path, strerror(errno));
        took[i] = seconds_now() - begun;
    }
    close(fd);
    unlink(path);
    return median(took, SYNCS);
}

static void remove_ledger(const struct bench *b)
{
    static const char *const ends[] = { "", "-wal", "-shm", "-runs" };
    char path[128];

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(path, sizeof path, "%s%s", b->ledger, ends[i]);
        unlink(path);
    }
}

/* --- the runs ----------------------------------------------------------------------------------------------------- */

static void measure(const struct bench *b)
{
    double rate[RUNS_MOST], whole[RUNS_MOST], one[RUNS_MOST], plain[RUNS_MOST], disk[RUNS_MOST], unused, middle;
    struct service s;

    for (int run = 0; run < b->runs; run++) {
        disk[run] = sync_takes(b) * 1e6;
        service_start(&s, b->paper);
        rate[run] = (double)b->orders / gated(b, &s, IN_FLIGHT, b->orders, &whole[run]);
        service_stop(&s);
        remove_ledger(b);
        service_start(&s, b->paper);
        one[run] = gated(b, &s, 1, b->singles, &unused) / (double)b->singles * 1e6;
        plain[run] = bare(&s, b->singles) / (double)b->singles * 1e6;
        service_stop(&s);
        remove_ledger(b);
    }
    middle = median(rate, b->runs);
    printf("%ld orders, %d in flight, ledger on: %.0f orders/s (median of %d runs, %.0f to %.0f), %.2f s from start to "
           "end\n",
           b->orders, IN_FLIGHT, middle, b->runs, rate[0], rate[b->runs - 1], median(whole, b->runs));
    printf("%ld orders, one after the other: bare libcurl %.0f us, through the gate %.0f us an order", b->singles,
           median(plain, b->runs), median(one, b->runs));
    printf(": the gate adds %.0f us; a sync of this disk takes %.0f us\n", one[b->runs / 2] - plain[b->runs / 2],
           median(disk, b->runs));
    printf("mark: 2,000 orders a second: %s\n", middle >= ORDERS_A_SECOND ? "met" : "MISSED");
}

static void set_up(struct bench *b)
{
    FILE *file;

    snprintf(b->folder, sizeof b->folder, "/tmp/bench-send-XXXXXX");
    if (mkdtemp(b->folder) == NULL)
        stop("%s: %s", b->folder, strerror(errno));
    snprintf(b->broker, sizeof b->broker, "%s/broker.yaml", b->folder);
    snprintf(b->ledger, sizeof b->ledger, "%s/ledger.db", b->folder);
    if ((file = fopen(b->broker, "w")) == NULL || fputs("budgets: off\n", file) == EOF || fclose(file) != 0)
        stop("%s: %s", b->broker, strerror(errno));
    setenv("XDG_STATE_HOME", b->folder, 1);
    setenv("ORDERGATE_KEY_ID", "paper-key", 1);
    setenv("ORDERGATE_SECRET_KEY", "paper-secret", 1);
    setenv("ORDERGATE_CLOCK", "broker", 1);
    curl_global_init(CURL_GLOBAL_DEFAULT);
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

int main(int argc, char **argv)
{
    struct bench b = { .paper = BENCH_PAPER, .orders = 10000, .singles = 500, .runs = 5 };
    char state[96];
    int option;

    while ((option = getopt(argc, argv, "n:m:r:")) != -1) {
        if (option == '?' || optind > argc) {
            fputs("usage: send [-n ORDERS] [-m SINGLE_ORDERS] [-r RUNS]\n", stderr);
            return 2;
        }
        if (option == 'n')
            b.orders = number(optarg, 100000);
        else if (option == 'm')
            b.singles = number(optarg, 100000);
        else
            b.runs = (int)number(optarg, RUNS_MOST);
    }
    set_up(&b);
    measure(&b);
    unlink(b.broker);
    snprintf(state, sizeof state, "%s/ordergate", b.folder);
    rmdir(state);
    rmdir(b.folder);
    return fflush(stdout) || ferror(stdout) ? 4 : 0;
}
