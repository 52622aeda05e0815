/*
 * The sentry of a sender: once it has answered that a halt is obeyed, nothing more is posted; it does not answer so
 * while an order may still be sent; it acts for its loop only while that is blocked.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"
#include "ordergate/emergency.h"
#include "send/senders.h"
#include "send/sentry.h"
#include "unit.h"

#define TURNS 20

static char folder[64], path[128];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/og-sentry-XXXXXX");
    if (!mkdtemp(folder) || setenv("XDG_STATE_HOME", folder, 1))
        return -1;
    return og_halt_path(path, sizeof path, NULL) == OG_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    char room[128];

    (void)state;
    unlink(path);
    snprintf(room, sizeof room, "%s/ordergate", folder);
    rmdir(room);
    rmdir(folder);
    return 0;
}

static void write_flag(enum og_trading trading)
{
    struct og_halt halt = { .trading = trading };

    assert_int_equal(og_halt_write(NULL, &halt, NULL), OG_OK);
}

static void keep_own(void *with, const struct og_sender_heard *heard)
{
    if (heard->pid == getpid())
        *(struct og_sender_heard *)with = *heard;
}

/* Returns the answer of this process only: senders of other tests may run at the same time. */
static struct og_sender_heard ask(enum og_trading trading, const char *flag)
{
    const struct og_halt halt = { .trading = trading };
    const struct og_senders_question q = { .halt = &halt, .path = flag, .wait_ms = 5000 };
    struct og_sender_heard heard = { .pid = 0 };

    assert_int_equal(og_senders_ask(&q, keep_own, &heard, NULL), OG_OK);
    assert_int_equal(heard.pid, getpid());
    assert_int_equal(heard.user, geteuid());
    return heard;
}

static bool opens(const void *order, enum og_trading trading)
{
    (void)order;
    return trading == OG_TRADING_ON;
}

/* --- snapshots ---------------------------------------------------------------------------------------------------- */

/* A loop that makes a snapshot when the sentry's thread asks for one; it makes none while it is blocked. */
struct loop {
    struct og_sentry *sentry;
    pthread_t thread;
    sem_t asked;
    atomic_bool blocked, over;
    atomic_int made;
};

static void ask_loop(void *with)
{
    sem_post(&((struct loop *)with)->asked);
}

static void *make_snapshots(void *with)
{
    struct loop *l = with;
    char text[80];

    while (sem_wait(&l->asked) != 0 || !atomic_load(&l->over)) {
        if (atomic_load(&l->blocked))
            continue;
        snprintf(text, sizeof text, "{\"pid\":%ld,\"made\":%d}", (long)getpid(), atomic_fetch_add(&l->made, 1) + 1);
        og_sentry_tell(l->sentry, text, strlen(text));
    }
    return NULL;
}

struct told {
    char text[200];
    int count;
};

static void keep_snapshot(void *with, const struct og_senders_who *who, struct og_str json)
{
    struct told *t = with;

    if (who->pid != getpid())
        return; /* senders of other tests may run at the same time */
    assert_int_equal(who->user, geteuid());
    assert_int_equal(who->process, getpid());
    t->count++;
    snprintf(t->text, sizeof t->text, "%.*s", (int)json.len, json.s ? json.s : "");
}

static struct told ask_status(void)
{
    struct told t = { .count = 0 };

    assert_int_equal(og_senders_ask_status(0, 20000, keep_snapshot, &t, NULL), OG_OK);
    assert_int_equal(t.count, 1);
    return t;
}

/* Returns the number of the snapshot. Processes of other tests may ask this loop too, and then get one of their own. */
static int made(const struct told *t)
{
    const char *at = strstr(t->text, "\"made\":");

    assert_non_null(at);
    return atoi(at + strlen("\"made\":"));
}

static void *ask_often(void *with)
{
    for (int i = 0; i < TURNS; i++)
        (void)ask_status();
    return with;
}

static void the_loop_makes_a_snapshot_when_somebody_asks(void **state)
{
    struct loop l = { .made = 0 };
    const struct og_sentry_options options = { .is_told = true, .snapshot = ask_loop, .with = &l };
    pthread_t askers[3];
    struct told t;
    int first;

    (void)state;
    assert_int_equal(sem_init(&l.asked, 0, 0), 0);
    assert_int_equal(og_sentry_new(&options, &l.sentry, NULL), OG_OK);
    assert_int_equal(pthread_create(&l.thread, NULL, make_snapshots, &l), 0);
    t = ask_status();
    first = made(&t);
    t = ask_status();
    assert_true(made(&t) > first);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&askers[i], NULL, ask_often, NULL), 0);
    assert_true(ask(OG_TRADING_ON, path).answered); /* a halt's question is answered meanwhile */
    for (int i = 0; i < 3; i++)
        pthread_join(askers[i], NULL);
    atomic_store(&l.blocked, true);
    (void)ask_status(); /* may get the snapshot that the loop was making for another process */
    t = ask_status();
    assert_true(strstr(t.text, "\"stuck\":true"));
    atomic_store(&l.over, true);
    sem_post(&l.asked);
    pthread_join(l.thread, NULL);
    og_sentry_free(l.sentry);
    sem_destroy(&l.asked);
}

struct asker {
    atomic_bool obeyed, over;
    atomic_int halts;
};

static void *halt_and_resume(void *with)
{
    struct asker *a = with;

    for (int i = 0; i < TURNS; i++) {
        write_flag(OG_TRADING_HALTED);
        if (ask(OG_TRADING_HALTED, path).obeyed) {
            atomic_store(&a->obeyed, true);
            atomic_fetch_add(&a->halts, 1);
        }
        atomic_store(&a->obeyed, false); /* the variable is set before the flag is written */
        write_flag(OG_TRADING_ON);
    }
    atomic_store(&a->over, true);
    return NULL;
}

static void nothing_leaves_once_it_is_obeyed(void **state)
{
    const struct og_sentry_options options = { .is_told = true };
    struct asker a = { .obeyed = false, .over = false };
    struct og_sentry *s;
    pthread_t thread;
    long passed = 0, stopped = 0;

    (void)state;
    assert_int_equal(og_sentry_new(&options, &s, NULL), OG_OK);
    assert_null(og_sentry_deaf(s));
    assert_int_equal(pthread_create(&thread, NULL, halt_and_resume, &a), 0);
    while (!atomic_load(&a.over)) {
        bool obeyed = atomic_load(&a.obeyed);
        bool went = opens(NULL, og_sentry_look_leaving(s, opens, NULL, NULL, NULL));

        if (obeyed && atomic_load(&a.obeyed))
            assert_false(went);
        passed += went;
        stopped += !went;
        og_sentry_turned(s);
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(atomic_load(&a.halts), TURNS);
    assert_true(passed > 0 && stopped > 0);
    og_sentry_free(s);
}

static void each_halt_has_its_own_end(void **state)
{
    const struct og_sentry_options options = { .is_told = false };
    uint64_t seen_at[OG_TRADING_HALTED_ALL + 1], loosened;
    struct og_sentry *s;

    (void)state;
    write_flag(OG_TRADING_HALTED_ALL);
    assert_int_equal(og_sentry_new(&options, &s, NULL), OG_OK);
    assert_int_equal(og_sentry_look(s, NULL, NULL), OG_TRADING_HALTED_ALL);
    write_flag(OG_TRADING_REDUCE_ONLY);
    assert_int_equal(og_sentry_look(s, NULL, NULL), OG_TRADING_REDUCE_ONLY);
    loosened = og_time_up();
    assert_int_equal(og_sentry_look(s, NULL, NULL), OG_TRADING_REDUCE_ONLY);
    assert_true(og_sentry_halted(s, seen_at));
    assert_true(seen_at[OG_TRADING_HALTED_ALL] != 0 && seen_at[OG_TRADING_HALTED_ALL] < loosened);
    assert_true(seen_at[OG_TRADING_HALTED] == seen_at[OG_TRADING_HALTED_ALL]);
    assert_true(seen_at[OG_TRADING_REDUCE_ONLY] >= loosened);
    write_flag(OG_TRADING_ON);
    (void)og_sentry_look(s, NULL, NULL);
    (void)og_sentry_halted(s, seen_at); /* the thread may have seen the halt since */
    assert_false(og_sentry_halted(s, seen_at));
    assert_true(seen_at[OG_TRADING_REDUCE_ONLY] == 0);
    og_sentry_free(s);
}

static void what_may_be_leaving_is_waited_for(void **state)
{
    const struct og_sentry_options options = { .is_told = true };
    struct og_sender_heard heard;
    struct og_sentry *s;

    (void)state;
    write_flag(OG_TRADING_ON);
    assert_int_equal(og_sentry_new(&options, &s, NULL), OG_OK);
    assert_int_equal(og_sentry_look_leaving(s, opens, NULL, NULL, NULL), OG_TRADING_ON);
    write_flag(OG_TRADING_HALTED);
    heard = ask(OG_TRADING_HALTED, path);
    assert_true(heard.answered && heard.reads && !heard.obeyed);
    assert_int_equal(heard.trading, OG_TRADING_HALTED);
    og_sentry_turned(s);
    assert_true(ask(OG_TRADING_HALTED, path).obeyed);
    assert_int_equal(og_sentry_look_leaving(s, opens, NULL, NULL, NULL), OG_TRADING_HALTED);
    assert_true(ask(OG_TRADING_HALTED, path).obeyed); /* an order that was stopped does not leave */
    og_sentry_free(s);
}

static void another_flag_is_not_obeyed(void **state)
{
    const struct og_sentry_options options = { .is_told = true };
    struct og_sender_heard heard;
    struct og_sentry *s;

    (void)state;
    write_flag(OG_TRADING_HALTED);
    assert_int_equal(og_sentry_new(&options, &s, NULL), OG_OK);
    heard = ask(OG_TRADING_HALTED, "/nowhere/halt.json");
    assert_true(heard.answered && !heard.reads && !heard.obeyed);
    assert_string_equal(heard.path, path);
    heard = ask(OG_TRADING_HALTED_ALL, path); /* the sender obeys the message: this flag demands less */
    assert_true(heard.reads && !heard.obeyed);
    og_sentry_free(s);
}

struct stuck {
    sem_t called;
    atomic_int calls;
};

static void on_stuck(void *with, int64_t stood_ms)
{
    struct stuck *stuck = with;

    atomic_fetch_add(&stuck->calls, stood_ms >= 300 ? 1 : 1000);
    sem_post(&stuck->called);
}

static void it_acts_for_a_stuck_loop(void **state)
{
    struct stuck stuck = { .calls = 0 };
    const struct og_sentry_options options = { .silent_ms = 400, .stuck_ms = 300, .stuck = on_stuck, .with = &stuck };
    const struct timespec moment = { 0, 10 * 1000 * 1000 };
    struct og_sentry *s;
    uint64_t until, turned, now, longest = 0;
    int before;

    (void)state;
    assert_int_equal(sem_init(&stuck.called, 0, 0), 0);
    assert_int_equal(og_sentry_new(&options, &s, NULL), OG_OK);
    turned = og_time_up();
    og_sentry_heard(s, turned, -1);
    until = turned + UINT64_C(1500000000); /* no lines come, but the loop runs, and can cancel by itself */
    while ((now = og_time_up()) < until) {
        longest = now - turned > longest ? now - turned : longest;
        turned = now;
        og_sentry_turned(s);
        nanosleep(&moment, NULL);
    }
    before = atomic_load(&stuck.calls);
    if (longest < UINT64_C(200000000)) /* this check counts only if the test's own thread was not delayed */
        assert_int_equal(before, 0);
    while (atomic_load(&stuck.calls) == before) /* the loop runs no more iterations */
        assert_int_equal(sem_wait(&stuck.called), 0);
    assert_int_equal(atomic_load(&stuck.calls), before + 1);
    og_sentry_turned(s);
    og_sentry_heard(s, 0, -1); /* the dead man's switch is off: it is not called, whether the loop is blocked or not */
    og_sentry_free(s);
    sem_destroy(&stuck.called);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_leaves_once_it_is_obeyed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_halt_has_its_own_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_may_be_leaving_is_waited_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_flag_is_not_obeyed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_acts_for_a_stuck_loop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_loop_makes_a_snapshot_when_somebody_asks, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
