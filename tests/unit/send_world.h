/*
 * A sender without a network: its calls to the broker are kept until the test answers them, the test passes frames to
 * its stream and sets its loop's time (fake_loop.h). The ledger is a real one in a temporary folder; halt flags are
 * not read.
 */
#pragma once

#include "fake_loop.h"
#include "ledger_home.h"
#include "ordergate/ordergate.h"
#include "ordergate/send.h"
#include "send/event.h"
#include "send/sender.h"

enum og_status __wrap_og_broker_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms,
                                    struct og_broker **broker, struct og_error *err);
enum og_status __wrap_og_broker_start(struct og_broker *broker, const struct og_broker_request *request,
                                      og_call_done *done, void *with, struct og_error *err);
enum og_status __wrap_og_broker_call(struct og_broker *broker, enum og_endpoint call, struct og_str account,
                                     struct og_str other, const char *body, size_t len, int64_t wait_ms,
                                     og_call_done *done, void *with, struct og_error *err);
int64_t __wrap_og_broker_wait(struct og_broker *broker, enum og_endpoint call);
const char *__wrap_og_broker_failure(struct og_broker *broker, enum og_endpoint kind);
bool __wrap_og_broker_take_back(struct og_broker *broker, enum og_endpoint call, const void *with, const char *why);
void __wrap_og_broker_stop_posting(struct og_broker *broker);
void __wrap_og_broker_free(struct og_broker *broker);
enum og_status __wrap_og_stream_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_stream_keys *keys,
                                    const struct og_stream_events *events, void *with, struct og_stream **stream,
                                    struct og_error *err);
void __wrap_og_stream_restart(struct og_stream *stream, const char *why);
void __wrap_og_stream_free(struct og_stream *stream);
void __wrap_og_send_guard(struct og_sender *s);
void __wrap_og_send_look_for_halt(struct og_sender *s);

#define CALLS_MOST 4000

static struct {
    struct og_sender *s;
    struct {
        enum og_endpoint endpoint;
        char other[64]; /* id of the order that the call is about */
        og_call_done *done;
        void *with;
        uint64_t began_ns;
        int64_t wait_ms;
        bool answered;
    } call[CALLS_MOST];
    int calls;
    const struct og_stream_events *events;
    void *with;
    int restarts;
    char outcome[64][40]; /* outcomes such as "a: filled", in the order in which they came */
    int outcomes;
    int posts, deletes;
} world;

/* --- calls that the broker would get ------------------------------------------------------------------------------ */

enum og_status __wrap_og_broker_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms,
                                    struct og_broker **broker, struct og_error *err)
{
    (void)loop;
    (void)settings;
    (void)timeout_ms;
    (void)err;
    *broker = (struct og_broker *)&world;
    return OG_OK;
}

enum og_status __wrap_og_broker_start(struct og_broker *broker, const struct og_broker_request *request,
                                      og_call_done *done, void *with, struct og_error *err)
{
    (void)broker;
    (void)err;
    assert_true(world.calls < CALLS_MOST);
    world.posts += request->call == OG_ENDPOINT_POST;
    world.deletes += request->call == OG_ENDPOINT_CANCEL;
    world.call[world.calls].endpoint = request->call;
    snprintf(world.call[world.calls].other, sizeof world.call[0].other, "%.*s", (int)request->other.len,
             request->other.s);
    world.call[world.calls].done = done;
    world.call[world.calls].with = with;
    world.call[world.calls].wait_ms = request->wait_ms;
    world.call[world.calls].answered = false;
    world.call[world.calls++].began_ns = __wrap_og_time_up();
    return OG_OK;
}

enum og_status __wrap_og_broker_call(struct og_broker *broker, enum og_endpoint call, struct og_str account,
                                     struct og_str other, const char *body, size_t len, int64_t wait_ms,
                                     og_call_done *done, void *with, struct og_error *err)
{
    const struct og_broker_request request = {
        .call = call, .account = account, .other = other, .body = body, .len = len, .wait_ms = wait_ms
    };

    return __wrap_og_broker_start(broker, &request, done, with, err);
}

int64_t __wrap_og_broker_wait(struct og_broker *broker, enum og_endpoint call)
{
    (void)broker;
    (void)call;
    return 0;
}

const char *__wrap_og_broker_failure(struct og_broker *broker, enum og_endpoint kind)
{
    (void)broker;
    (void)kind;
    return NULL;
}

bool __wrap_og_broker_take_back(struct og_broker *broker, enum og_endpoint call, const void *with, const char *why)
{
    (void)broker;
    (void)call;
    (void)with;
    (void)why;
    return false;
}

void __wrap_og_broker_stop_posting(struct og_broker *broker)
{
    (void)broker;
}

void __wrap_og_broker_free(struct og_broker *broker)
{
    (void)broker;
}

enum og_status __wrap_og_stream_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_stream_keys *keys,
                                    const struct og_stream_events *events, void *with, struct og_stream **stream,
                                    struct og_error *err)
{
    (void)loop;
    (void)place;
    (void)keys;
    (void)err;
    world.events = events;
    world.with = with;
    *stream = (struct og_stream *)&world.events;
    return OG_OK;
}

void __wrap_og_stream_restart(struct og_stream *stream, const char *why)
{
    (void)stream;
    (void)why;
    world.restarts++;
}

void __wrap_og_stream_free(struct og_stream *stream)
{
    (void)stream;
}

void __wrap_og_send_guard(struct og_sender *s)
{
    (void)s;
}

void __wrap_og_send_look_for_halt(struct og_sender *s)
{
    (void)s;
}

/* --- answers, frames and time ------------------------------------------------------------------------------------- */

/* Advance the time by ms, and pass on the events that the sender reports meanwhile. */
static inline void pass(uint64_t ms)
{
    for (uint64_t step; ms > 0; ms -= step) {
        step = ms < 50 ? ms : 50;
        fake_advance(step);
        og_send_flush(world.s);
    }
}

/* Returns the index of the first call to the endpoint that is not answered yet and is about that order ("": about
 * any); -1 if there is none. */
static inline int waiting(enum og_endpoint endpoint, const char *other)
{
    for (int i = 0; i < world.calls; i++)
        if (!world.call[i].answered && world.call[i].endpoint == endpoint &&
            (other[0] == '\0' || strcmp(other, world.call[i].other) == 0))
            return i;
    return -1;
}

/* Returns how many calls are not answered. */
static inline int count_waiting(enum og_endpoint endpoint)
{
    int count = 0;

    for (int i = 0; i < world.calls; i++)
        count += !world.call[i].answered && world.call[i].endpoint == endpoint;
    return count;
}

/* Answer call i. status 0: the request was written, but no answer came. */
static inline void reply(int i, int status, const char *body)
{
    const struct og_call_reply reply = { .end = status != 0 ? OG_CALL_ANSWERED : OG_CALL_LOST,
                                         .status = status,
                                         .attempts = 1,
                                         .content_type = "application/json",
                                         .body = body,
                                         .len = strlen(body),
                                         .error = status != 0 ? "" : "the connection died",
                                         .date_ns = OG_TIME_UNKNOWN,
                                         .began_ns = world.call[i].began_ns,
                                         .ended_ns = __wrap_og_time_up() };

    assert_true(i >= 0);
    world.call[i].answered = true;
    world.call[i].done(world.call[i].with, &reply);
    fake_advance(0);
    og_send_flush(world.s);
}

/* Answer all requests of a reading of the account; orders: the rows of its list. */
static inline void reply_account(const char *orders)
{
    char list[600];
    int i;

    snprintf(list, sizeof list, "{\"orders\":[%s]}", orders);
    for (bool any = true; any;) {
        any = false;
        if ((i = waiting(OG_ENDPOINT_ORDERS, "")) >= 0)
            reply(i, 200, list);
        else if ((i = waiting(OG_ENDPOINT_POSITIONS, "")) >= 0)
            reply(i, 200, "{\"positions\":[]}");
        else if ((i = waiting(OG_ENDPOINT_ACCOUNT, "")) >= 0)
            reply(i, 200, "{\"account\":\"PAPER0001\",\"accountType\":\"Paper\"}");
        else if ((i = waiting(OG_ENDPOINT_ROUTES, "")) >= 0)
            reply(i, 200, "[]");
        else if ((i = waiting(OG_ENDPOINT_INVENTORY, "")) >= 0)
            reply(i, 200, "[]");
        else
            continue;
        any = true;
    }
}

static inline void line(const char *text)
{
    assert_int_equal(og_sender_line(world.s, text, strlen(text)), OG_OK);
    fake_advance(0);
    og_send_flush(world.s);
}

static inline int on_event(void *with, const char *event, size_t len)
{
    const char *id = strstr(event, "\"clientOrderId\":\""), *outcome = strstr(event, "\"outcome\":\"");

    (void)with;
    (void)len;
    if (id && outcome && strstr(event, "\"event\":\"outcome\"") && world.outcomes < (int)COUNT(world.outcome)) {
        id += strlen("\"clientOrderId\":\"");
        outcome += strlen("\"outcome\":\"");
        snprintf(world.outcome[world.outcomes++], sizeof world.outcome[0], "%.*s: %.*s", (int)strcspn(id, "\""), id,
                 (int)strcspn(outcome, "\""), outcome);
    }
    return 0;
}

/* Returns the newest outcome; "": none. */
static inline const char *newest_outcome(void)
{
    return world.outcomes > 0 ? world.outcome[world.outcomes - 1] : "";
}

/* --- beginning and end -------------------------------------------------------------------------------------------- */

/* Start a sender that has not read its account; it waits for outcomes for so many seconds. */
static inline void begin_sender(int wait_s)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules:\n  buying-power: info\n";
    struct og_send_options options = {
        .ledger = path, .wait_ns = wait_s * OG_NS_PER_S, .event = on_event, .policy_named = true
    };
    struct og_error err = { 0 };

    memset(&world, 0, sizeof world);
    setenv("ORDERGATE_BASE_URL", "http://127.0.0.1:9", 1);
    setenv("ORDERGATE_KEY_ID", "KEY1", 1);
    setenv("ORDERGATE_SECRET_KEY", "SECRET12345", 1);
    setenv("XDG_STATE_HOME", folder, 1);
    assert_int_equal(og_policy_read(yaml, sizeof yaml - 1, "t", &options.policy, NULL, NULL, NULL), OG_OK);
    options.share_account = true; /* the test creates no file that names the sender of the account */
    if (og_sender_new(&options, &world.s, &err) != OG_OK || og_send_open_ledger(world.s, &err) != OG_OK ||
        og_send_others_begin(world.s, &err) != OG_OK)
        fail_msg("%s", err.text);
    og_sender_hold(world.s);
    og_send_start(world.s);
    og_send_wake(world.s);
    fake_advance(0);
}

/* Start a sender as begin_sender() does; then let it read its account and sign in to its stream. */
static inline void begin_ready(int wait_s)
{
    begin_sender(wait_s);
    reply(waiting(OG_ENDPOINT_ACCOUNTS, ""), 200, "[{\"account\":\"PAPER0001\",\"accountType\":\"Paper\"}]");
    reply_account("");
    world.events->ready(world.with);
    pass(OG_READ_DIRTY_MS);
    reply_account("");
}

static inline void end_sender(void)
{
    og_sender_free(world.s);
}

static inline int tear_down_all(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}
