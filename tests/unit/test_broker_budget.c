/*
 * The budgets of requests: token buckets, and the file that processes share.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "broker/budget.h"
#include "unit.h"

#define MS INT64_C(1000000)
#define S  (1000 * MS)

static char folder[64];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof(folder), "/tmp/og-budget-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    return setenv("XDG_STATE_HOME", folder, 1);
}

/* Find the only file in the folder; "" if there is none. */
static void find_file(char *to, size_t size)
{
    char path[96];
    struct dirent *e;
    DIR *d;

    to[0] = '\0';
    snprintf(path, sizeof(path), "%s/ordergate/budgets", folder);
    d = opendir(path);
    while (d != NULL && (e = readdir(d)) != NULL)
        if (e->d_name[0] != '.')
            snprintf(to, size, "%s/%.64s", path, e->d_name);
    if (d != NULL)
        closedir(d);
}

static int tear_down(void **state)
{
    char path[192];

    (void)state;
    find_file(path, sizeof(path));
    if (path[0] != '\0')
        unlink(path);
    snprintf(path, sizeof(path), "%s/ordergate/budgets", folder);
    rmdir(path);
    snprintf(path, sizeof(path), "%s/ordergate", folder);
    rmdir(path);
    return rmdir(folder);
}

/* If tokens are taken as fast as possible, never more than burst + rate x time are granted within any time from the
 * start. */
static void buckets_keep_the_rate(void **state)
{
    static const struct {
        int64_t rate, burst;
    } cases[] = { { 2000, 2000 }, { 10000, 10000 }, { 1000, 1000 }, { 500, 1000 }, { 2500, 7000 }, { 3000, 1000 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_bucket b;
        int64_t taken = 0, full_at = 0, began = 5 * S, now = began;

        og_bucket_init(&b, cases[i].rate, cases[i].burst, false);
        while (now < began + 60 * S) {
            int64_t wait = og_bucket_wait(&b, full_at, now, false);

            if (wait == 0) {
                full_at = og_bucket_after(&b, full_at, now);
                taken++;
            }
            assert_true(taken * 1000 <= cases[i].burst + cases[i].rate * ((now - began) / MS) / 1000);
            now += wait;
        }
        assert_true(taken * 1000 >= cases[i].rate * 54); /* nearly all of the budget is used */
    }
}

static void a_part_is_kept_for_what_is_urgent(void **state)
{
    int64_t full_at = 0, now = 9 * S;
    struct og_bucket b;
    int usual = 0, urgent = 0;

    (void)state;
    og_bucket_init(&b, 15000, 15000, true);
    for (; og_bucket_wait(&b, full_at, now, false) == 0; usual++)
        full_at = og_bucket_after(&b, full_at, now);
    for (; og_bucket_wait(&b, full_at, now, true) == 0; urgent++)
        full_at = og_bucket_after(&b, full_at, now);
    assert_int_equal(usual, 9);
    assert_int_equal(urgent, 5);
}

static void a_429_empties_the_bucket(void **state)
{
    int64_t full_at;
    struct og_bucket b;

    (void)state;
    og_bucket_init(&b, 10000, 10000, false);
    full_at = og_bucket_emptied(&b, 0, 7 * S, 1500 * MS);
    assert_int_equal(og_bucket_wait(&b, full_at, 7 * S, true), 1500 * MS);
    assert_int_equal(og_bucket_wait(&b, full_at, 7 * S + 1500 * MS, true), 0);
    assert_int_equal(og_bucket_emptied(&b, full_at, 7 * S, 100 * MS), full_at); /* the longer pause stays in force */
    og_bucket_init(&b, 0, 0, false);
    assert_int_equal(og_bucket_wait(&b, INT64_MAX, 0, false), 0); /* no limit */
}

static void an_instant_that_cannot_be_is_an_empty_bucket(void **state)
{
    struct og_bucket b;

    (void)state;
    og_bucket_init(&b, 1000, 1000, false);
    assert_true(og_bucket_wait(&b, INT64_MAX / 2, 7 * S, false) <= 2 * S);
    assert_int_equal(og_bucket_wait(&b, INT64_MIN / 2, 7 * S, false), 0);
}

static void waits_after_a_429(void **state)
{
    static const int64_t most[] = { 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000 };

    (void)state;
    for (int n = 1; n <= (int)COUNT(most); n++) {
        for (uint32_t random = 0; random < 100000; random += 7) {
            int64_t ms = og_backoff_ms(n, random * 2654435761u);

            assert_true(ms >= most[n - 1] / 2 && ms <= most[n - 1]);
        }
    }
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

#define SLOW 10 /* in thousandths of a request per second: even a long pause adds no token */

static char address[] = "http://127.0.0.1:1", key[] = "k", other_key[] = "l";

static struct og_budget *open_budget(char *key_id, int64_t rate, int64_t burst)
{
    struct og_settings s = { .base_url = address, .key_id = key_id };
    struct og_budget *b;

    for (int i = 0; i < OG_ENDPOINTS; i++) {
        s.budget[i].rate = rate;
        s.budget[i].burst = burst;
    }
    b = og_budget_open(&s);
    if (b == NULL)
        fail();
    return b;
}

static int take_all(struct og_budget *b, enum og_endpoint call)
{
    int n = 0;

    while (n < 1000 && og_budget_take(b, call, false) == 0)
        n++;
    return n;
}

static void two_share_and_another_key_does_not(void **state)
{
    struct og_budget *a = open_budget(key, SLOW, 6000), *b = open_budget(key, SLOW, 6000),
                     *c = open_budget(other_key, SLOW, 6000);
    char file[192];
    struct stat st;

    (void)state;
    assert_int_equal(take_all(a, OG_ENDPOINT_POST), 5);
    assert_int_equal(take_all(b, OG_ENDPOINT_POST), 0);
    assert_true(og_budget_wait(b, OG_ENDPOINT_POST) > 60000);
    assert_int_equal(take_all(b, OG_ENDPOINT_ORDERS), 5); /* each endpoint has its own bucket */
    assert_int_equal(take_all(c, OG_ENDPOINT_POST), 5);
    og_budget_empty(a, OG_ENDPOINT_ROUTES, 120000);
    assert_true(og_budget_wait(b, OG_ENDPOINT_ROUTES) > 60000); /* a 429 pauses all processes */
    find_file(file, sizeof(file));
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    og_budget_close(a);
    og_budget_close(b);
    og_budget_close(c);
    unlink(file);
    a = open_budget(key, 0, 0);
    assert_int_equal(take_all(a, OG_ENDPOINT_POST), 1000); /* off */
    og_budget_close(a);
}

/* Whatever bytes the file contains, requests go on; a file of another boot or format is ignored. */
static void any_bytes_as_a_file(void **state)
{
    static const char *const bytes[] = { "", "x",
                                         "ordergate budgets 1 00000000-0000-0000-0000-000000000000         \n" };
    struct og_budget *b = open_budget(key, SLOW, 6000);
    char file[192];

    (void)state;
    find_file(file, sizeof(file));
    for (size_t i = 0; i < COUNT(bytes); i++) {
        int fd = open(file, O_WRONLY | O_TRUNC);

        assert_int_equal(write(fd, bytes[i], strlen(bytes[i])), (ssize_t)strlen(bytes[i]));
        close(fd);
        assert_int_equal(take_all(b, OG_ENDPOINT_POST), 5);
        assert_int_equal(take_all(b, OG_ENDPOINT_POST), 0);
    }
    og_budget_close(b);
}

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / MS;
}

static void a_file_that_stays_locked_is_done_without(void **state)
{
    struct og_budget *b = open_budget(key, 1000, 6000);
    int64_t began = now_ms();
    char file[192];
    int fd;

    (void)state;
    find_file(file, sizeof(file));
    fd = open(file, O_RDWR);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(og_budget_take(b, OG_ENDPOINT_POST, false), 1);
    while (og_budget_take(b, OG_ENDPOINT_POST, false) != 0)
        if (now_ms() - began > 60000)
            fail();
    assert_true(now_ms() - began >= 900);
    close(fd);
    og_budget_close(b);
}

/* Four processes, one of which is killed, together keep to the rate. */
static void processes_together_keep_the_rate(void **state)
{
    int pipes[2];
    int64_t began = now_ms(), taken = 0, last = 0;
    pid_t child[4];
    char c;

    (void)state;
    assert_int_equal(pipe(pipes), 0);
    for (int i = 0; i < 4; i++) {
        if ((child[i] = fork()) != 0)
            continue;
        for (struct og_budget *b = open_budget(key, 200000, 20000);;) {
            int64_t wait = og_budget_take(b, OG_ENDPOINT_POST, false);
            struct timespec t = { .tv_nsec = wait > 0 ? MS : 0 };

            if (wait == 0 && write(pipes[1], "x", 1) != 1)
                _exit(0);
            nanosleep(&t, NULL);
        }
    }
    close(pipes[1]);
    while (taken < 300 && read(pipes[0], &c, 1) == 1) {
        taken++;
        last = now_ms() - began;
        if (taken == 100)
            kill(child[0], SIGKILL);
        assert_true(taken <= 20 + last / 5 + 1);
    }
    for (int i = 0; i < 4; i++) {
        kill(child[i], SIGKILL);
        waitpid(child[i], NULL, 0);
    }
    close(pipes[0]);
    assert_int_equal(taken, 300);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_keep_the_rate),
        cmocka_unit_test(a_part_is_kept_for_what_is_urgent),
        cmocka_unit_test(a_429_empties_the_bucket),
        cmocka_unit_test(an_instant_that_cannot_be_is_an_empty_bucket),
        cmocka_unit_test(waits_after_a_429),
        TEST(two_share_and_another_key_does_not),
        TEST(any_bytes_as_a_file),
        TEST(a_file_that_stays_locked_is_done_without),
        TEST(processes_together_keep_the_rate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
