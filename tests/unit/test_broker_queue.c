/*
 * The queues before HTTP, without a network: which requests wait for the budget and which goes first, how a 429
 * affects those behind it, and which are repeated.
 */
#include <stdio.h>

#include "base/str.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "broker/broker.h"
#include "fake_loop.h"
#include "unit.h"

enum og_status __wrap_og_http_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms,
                                  struct og_http **http, struct og_error *err);
enum og_status __wrap_og_http_start(struct og_http *http, const char *method, const char *path, enum og_http_body kind,
                                    const char *body, size_t len, og_http_before_send *before_send, og_http_done *done,
                                    void *with, struct og_error *err);
void __wrap_og_http_free(struct og_http *http);

/* --- requests that are answered when the test says so ------------------------------------------------------------- */

#define MOST 64

static struct {
    char what[8]; /* the end of the call's path, or its body */
    og_http_done *done;
    void *with;
} started[MOST];
static int starts;

enum og_status __wrap_og_http_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms,
                                  struct og_http **http, struct og_error *err)
{
    (void)loop;
    (void)settings;
    (void)timeout_ms;
    (void)err;
    *http = (struct og_http *)&starts;
    return OG_OK;
}

enum og_status __wrap_og_http_start(struct og_http *http, const char *method, const char *path, enum og_http_body kind,
                                    const char *body, size_t len, og_http_before_send *before_send, og_http_done *done,
                                    void *with, struct og_error *err)
{
    const char *end = strrchr(path, '/') + 1;

    (void)http;
    (void)method;
    (void)kind;
    (void)before_send;
    (void)err;
    assert_true(starts < MOST);
    snprintf(started[starts].what, sizeof started[starts].what, "%.*s", (int)(body ? len : strlen(end)),
             body ? body : end);
    started[starts].done = done;
    started[starts++].with = with;
    return OG_OK;
}

void __wrap_og_http_free(struct og_http *http)
{
    (void)http;
}

/* Answer request i; status 0: it was written, but got no answer. */
static void answer(int i, long status)
{
    const struct og_http_reply reply = { .status = status,
                                         .wrote = true,
                                         .whole = status != 0,
                                         .content_type = "",
                                         .body = "",
                                         .error = status != 0 ? "" : "the connection died",
                                         .date_ns = OG_TIME_UNKNOWN };

    started[i].done(started[i].with, &reply);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static struct {
    int count;
    char what[8]; /* path or body of the newest request */
    struct og_call_reply reply;
} ended;

static void on_done(void *with, const struct og_call_reply *reply)
{
    ended.count++;
    snprintf(ended.what, sizeof ended.what, "%s", (const char *)with);
    ended.reply = *reply;
}

enum kind { USUAL, URGENT, LAST };

static void start(struct og_broker *b, enum og_endpoint endpoint, const char *what, int64_t wait_ms, enum kind kind)
{
    const bool posts = endpoint == OG_ENDPOINT_POST;
    const struct og_broker_request request = { .call = endpoint,
                                               .account = OG_STR("A"),
                                               .other = posts ? OG_STR("") : og_str_of(what),
                                               .query = OG_STR(""),
                                               .body = posts ? what : NULL,
                                               .len = posts ? strlen(what) : 0,
                                               .wait_ms = wait_ms,
                                               .urgent = kind == URGENT,
                                               .last = kind == LAST,
                                               .once = endpoint == OG_ENDPOINT_CANCEL };

    assert_int_equal(og_broker_start(b, &request, on_done, (void *)(uintptr_t)what, NULL), OG_OK);
}

static void call(struct og_broker *b, enum og_endpoint endpoint, const char *what, int64_t wait_ms, bool urgent)
{
    start(b, endpoint, what, wait_ms, urgent ? URGENT : USUAL);
}

/* Make a broker whose budgets allow three requests at once and one a second. For cancels, only two of the three may be
 * used by calls that are not urgent. */
static struct og_broker *broker_of(void)
{
    static uv_loop_t loop;
    static struct og_settings settings;
    struct og_broker *b;

    for (int i = 0; i < OG_ENDPOINTS; i++) {
        settings.budget[i].rate = 1000;
        settings.budget[i].burst = 4000;
    }
    settings.base_url = settings.key_id = "x";
    setenv("XDG_STATE_HOME", "/dev/null/none", 1); /* no state folder, so the budgets are not shared */
    starts = 0;
    memset(&ended, 0, sizeof ended);
    fake_loop.random = 0;
    fake_advance(60000); /* by now all budgets are full again */
    assert_int_equal(og_broker_new(&loop, &settings, 1000, &b, NULL), OG_OK);
    return b;
}

/* Assert all requests started so far, in order: "a b c". */
static void assert_started(const char *wanted)
{
    char all[MOST * sizeof started[0].what] = "";

    for (int i = 0; i < starts; i++) {
        if (i > 0)
            strcat(all, " ");
        strcat(all, started[i].what);
    }
    assert_string_equal(all, wanted);
}

/* --- the budget --------------------------------------------------------------------------------------------------- */

static void they_wait_in_order(void **state)
{
    struct og_broker *b = broker_of();

    (void)state;
    for (const char *const *p = (const char *const[]){ "a", "b", "c", "d", "e", NULL }; *p; p++)
        call(b, OG_ENDPOINT_POST, *p, 30000, false);
    assert_int_equal(starts, 0); /* done is never called from inside the call */
    fake_advance(0);
    assert_started("a b c");
    assert_int_equal(og_broker_wait(b, OG_ENDPOINT_POST), 1001); /* one request waits before it */
    call(b, OG_ENDPOINT_ORDER, "x", 30000, false);               /* another endpoint has its own budget */
    fake_advance(999);
    assert_started("a b c x");
    fake_advance(1);
    assert_started("a b c x d");
    fake_advance(1000);
    assert_started("a b c x d e");
    assert_int_equal(og_broker_wait(b, OG_ENDPOINT_ORDER), 0);
    og_broker_free(b);
}

static void urgent_ones_go_first(void **state)
{
    struct og_broker *b = broker_of();

    (void)state;
    for (const char *const *p = (const char *const[]){ "a", "b", "c", "d", NULL }; *p; p++)
        call(b, OG_ENDPOINT_CANCEL, *p, 30000, false);
    fake_advance(0);
    assert_started("a b");
    call(b, OG_ENDPOINT_CANCEL, "U", 30000, true);
    call(b, OG_ENDPOINT_CANCEL, "V", 30000, true);
    fake_advance(0);
    assert_started("a b U"); /* this call uses the part of the budget that is reserved for urgent calls */
    fake_advance(1000);
    assert_started("a b U V");
    fake_advance(5000);
    assert_started("a b U V c d");
    og_broker_free(b);
}

static void those_that_go_last(void **state)
{
    struct og_broker *b = broker_of();

    (void)state;
    for (const char *const *p = (const char *const[]){ "a", "b", "c", NULL }; *p; p++)
        start(b, OG_ENDPOINT_CANCEL, *p, 30000, LAST);
    fake_advance(0);
    call(b, OG_ENDPOINT_CANCEL, "d", 30000, false);
    start(b, OG_ENDPOINT_CANCEL, "e", 30000, LAST);
    call(b, OG_ENDPOINT_CANCEL, "f", 30000, false);
    call(b, OG_ENDPOINT_CANCEL, "U", 30000, true);
    answer(1, 429); /* the repeated call goes before others of its kind, but after all other kinds */
    fake_advance(30000);
    assert_started("a b U d f b c e");
    og_broker_free(b);
}

/* --- 429 ---------------------------------------------------------------------------------------------------------- */

static void a_429_holds_those_behind_it(void **state)
{
    struct og_broker *b = broker_of();

    (void)state;
    call(b, OG_ENDPOINT_POST, "a", 30000, false);
    fake_advance(0);
    call(b, OG_ENDPOINT_POST, "b", 30000, false);
    answer(0, 429);
    fake_advance(999);
    assert_started("a");
    fake_advance(1);
    assert_started("a a"); /* the repeated call goes before the others */
    fake_advance(1000);
    assert_started("a a b"); /* the budget is nearly empty */
    answer(1, 200);
    assert_int_equal(ended.reply.attempts, 2);
    assert_int_equal(ended.reply.end, OG_CALL_ANSWERED);
    og_broker_free(b);
}

static void one_that_may_not_wait_longer_is_told(void **state)
{
    struct og_broker *b = broker_of();

    (void)state;
    call(b, OG_ENDPOINT_POST, "a", 999, false);
    fake_advance(0);
    answer(0, 429);
    assert_int_equal(ended.count, 1);
    assert_int_equal(ended.reply.status, 429);
    assert_int_equal(ended.reply.attempts, 1);
    og_broker_free(b);
}

static void stopped_posts_are_told(void **state)
{
    struct og_broker *b = broker_of();

    (void)state;
    call(b, OG_ENDPOINT_POST, "a", 30000, false);
    call(b, OG_ENDPOINT_POST, "on", 30000, false);
    fake_advance(0);
    answer(0, 429);
    call(b, OG_ENDPOINT_POST, "b", 30000, false);
    og_broker_stop_posting(b);
    assert_int_equal(ended.count, 2);
    assert_string_equal(ended.what, "b");
    assert_int_equal(ended.reply.end, OG_CALL_UNSENT);
    assert_int_equal(ended.reply.attempts, 0);
    answer(1, 429); /* a request whose answer may still come is not sent again */
    assert_int_equal(ended.count, 3);
    assert_int_equal(ended.reply.status, 429);
    fake_advance(60000);
    assert_started("a on");
    og_broker_free(b);
}

/* --- repeated requests -------------------------------------------------------------------------------------------- */

static void a_post_is_sent_once(void **state)
{
    static const long ends[] = { 0, 500, 503, 404, 400 };
    struct og_broker *b = broker_of();

    (void)state;
    for (int i = 0; i < (int)COUNT(ends); i++) {
        call(b, OG_ENDPOINT_POST, "a", 30000, false);
        fake_advance(5000);
        answer(i, ends[i]);
        assert_int_equal(ended.count, i + 1);
        assert_int_equal(ended.reply.end, ends[i] == 0 ? OG_CALL_LOST : OG_CALL_ANSWERED);
        fake_advance(60000);
        assert_int_equal(starts, i + 1);
    }
    og_broker_free(b);
}

/* A cancel of which a byte may have been sent is not repeated. */
static void so_is_a_cancel_that_was_written(void **state)
{
    struct og_broker *b = broker_of();

    (void)state;
    call(b, OG_ENDPOINT_CANCEL, "a", 30000, false);
    fake_advance(0);
    answer(0, 503);
    fake_advance(60000);
    assert_true(starts == 1 && ended.count == 1);
    og_broker_free(b);
}

/* End request i without a byte written: there was no connection. */
static void end_unsent(int i)
{
    const struct og_http_reply reply = {
        .content_type = "", .body = "", .error = "no connection", .date_ns = OG_TIME_UNKNOWN
    };

    started[i].done(started[i].with, &reply);
}

/* A cancel of which no byte could be written is tried for as long as it may wait, and once more at the end of that. */
static void a_cancel_that_cannot_be_written_is_tried_on(void **state)
{
    static const enum og_endpoint kinds[] = { OG_ENDPOINT_CANCEL, OG_ENDPOINT_CANCEL_ALL, OG_ENDPOINT_ORDER };

    (void)state;
    for (int k = 0; k < (int)COUNT(kinds); k++) {
        struct og_broker *b = broker_of();
        int failed = 0;
        int64_t waited = 0;

        call(b, kinds[k], "a", 30000, false);
        fake_advance(0);
        while (ended.count == 0) {
            assert_int_equal(starts, failed + 1);
            end_unsent(failed++);
            assert_true(ended.count > 0 || strcmp(og_broker_failure(b, kinds[k]), "no connection") == 0);
            for (int ms = 0; ms < 2500 && starts == failed && ended.count == 0; ms += 50) {
                fake_advance(50);
                waited += 50;
            }
        }
        assert_int_equal(ended.reply.end, OG_CALL_UNSENT);
        if (kinds[k] == OG_ENDPOINT_ORDER)
            assert_int_equal(failed, 4);
        else
            assert_true(failed > 12 && waited >= 29900 && waited <= 30000);
        og_broker_free(b);
    }
}

/* What makes calls wait is a failure, or a 429: the newest counts, and neither once the pause is over. */
static void a_pause_has_one_cause(void **state)
{
    struct og_broker *b = broker_of();

    (void)state;
    call(b, OG_ENDPOINT_CANCEL, "a", 30000, false);
    fake_advance(0);
    assert_null(og_broker_failure(b, OG_ENDPOINT_CANCEL));
    end_unsent(0);
    assert_non_null(og_broker_failure(b, OG_ENDPOINT_CANCEL));
    assert_null(og_broker_failure(b, OG_ENDPOINT_POST));
    fake_advance(OG_RETRY_PAUSE_MS * 2);
    assert_null(og_broker_failure(b, OG_ENDPOINT_CANCEL));
    answer(1, 429);
    assert_true(og_broker_wait(b, OG_ENDPOINT_CANCEL) > 0 && !og_broker_failure(b, OG_ENDPOINT_CANCEL));
    og_broker_free(b);
}

static void a_read_is_repeated_a_few_times(void **state)
{
    struct og_broker *b = broker_of();
    int answered = 0;

    (void)state;
    call(b, OG_ENDPOINT_ORDER, "a", 60000, false);
    fake_advance(0);
    while (ended.count == 0) {
        assert_int_equal(starts, answered + 1);
        answer(answered, answered % 2 == 0 ? 503 : 0);
        answered++;
        fake_advance(ended.count == 0 ? (UINT64_C(1) << answered) * OG_RETRY_PAUSE_MS : 60000);
    }
    assert_true(answered == 4 && starts == 4 && ended.reply.attempts == 4);
    og_broker_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_wait_in_order),
        cmocka_unit_test(urgent_ones_go_first),
        cmocka_unit_test(those_that_go_last),
        cmocka_unit_test(a_429_holds_those_behind_it),
        cmocka_unit_test(one_that_may_not_wait_longer_is_told),
        cmocka_unit_test(stopped_posts_are_told),
        cmocka_unit_test(a_post_is_sent_once),
        cmocka_unit_test(so_is_a_cancel_that_was_written),
        cmocka_unit_test(a_cancel_that_cannot_be_written_is_tried_on),
        cmocka_unit_test(a_pause_has_one_cause),
        cmocka_unit_test(a_read_is_repeated_a_few_times),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
