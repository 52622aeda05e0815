/*
 * The queue in front of HTTP: one lane an endpoint, each with its budget.
 * It refuses to hurry: after a 429 the whole lane waits, since the bucket is the lane's.
 */
#include "broker/broker.h"

#include <stdlib.h>

#include "base/crypto.h"
#include "base/error.h"
#include "broker/budget.h"
#include "ordergate/time.h"

#include "base/banned.h"

#define READ_ATTEMPTS 4
#define READ_PAUSE_MS 250

struct call {
    struct call *next;              /* in its lane, while it waits */
    struct call *all_next, **all_at; /* every call that has not ended */
    struct og_broker *broker;
    enum og_call kind;
    char *path, *body;
    size_t len;
    int64_t give_up_ms; /* loop time */
    int attempts, busy_answers, failures;
    og_call_done *done;
    void *with;
};

struct lane {
    struct og_broker *broker;
    struct og_bucket bucket;
    uv_timer_t timer;
    struct call *first, *last;
    int64_t not_before_ms; /* after a 429, and between attempts of a read */
};

struct og_broker {
    uv_loop_t *loop;
    struct og_http *http;
    long timeout_ms;
    struct lane lane[OG_CALLS];
    struct call *all;
    int busy, closings;
    bool no_more_posts;
};

static void run_lane(struct lane *lane);

static int64_t now_ms(const struct og_broker *b)
{
    return (int64_t)uv_now(b->loop);
}

static void free_call(struct call *c)
{
    if (c->all_next != NULL)
        c->all_next->all_at = c->all_at;
    *c->all_at = c->all_next;
    free(c->path);
    free(c->body);
    free(c);
}

static void end(struct call *c, const struct og_call_reply *reply)
{
    c->broker->busy--;
    c->done(c->with, reply);
    free_call(c);
}

static void end_without_answer(struct call *c, const char *error)
{
    struct og_call_reply reply = { .end = OG_CALL_UNSENT, .attempts = c->attempts, .content_type = "", .body = "",
                                   .error = error, .date_ns = OG_TIME_UNKNOWN };

    if (c->busy_answers > 0) {
        reply.end = OG_CALL_ANSWERED;
        reply.status = 429;
    }
    end(c, &reply);
}

static void put_back(struct lane *lane, struct call *c, int64_t pause_ms)
{
    c->next = lane->first;
    lane->first = c;
    if (lane->last == NULL)
        lane->last = c;
    lane->not_before_ms = now_ms(lane->broker) + pause_ms;
    run_lane(lane);
}

/* Whether the call is tried again; a POST only after a 429. */
static bool again(struct lane *lane, struct call *c, const struct og_http_reply *r)
{
    struct og_broker *b = lane->broker;
    uint32_t random = 0;
    int64_t pause;

    (void)og_random(&random, sizeof(random)); /* no jitter without it */
    if (r->status == 429 && r->whole) {
        og_bucket_empty(&lane->bucket, now_ms(b));
        pause = og_backoff_ms(++c->busy_answers, random);
        if (c->body != NULL && b->no_more_posts)
            return false;
    } else if (c->body == NULL && (!r->whole || r->status >= 500) && ++c->failures < READ_ATTEMPTS) {
        pause = (INT64_C(1) << c->failures) * READ_PAUSE_MS + random % READ_PAUSE_MS;
    } else {
        return false;
    }
    if (now_ms(b) + pause > c->give_up_ms)
        return false;
    put_back(lane, c, pause);
    return true;
}

static void on_http(void *with, const struct og_http_reply *r)
{
    struct call *c = with;
    struct lane *lane = &c->broker->lane[c->kind];
    struct og_call_reply reply = { .status = (int)r->status, .content_type = r->content_type, .body = r->body, .len = r->len,
                                   .error = r->error, .date_ns = r->date_ns, .began_ns = r->began_ns, .ended_ns = uv_hrtime() };

    if (r->wrote)
        c->attempts++;
    reply.attempts = c->attempts;
    reply.end = r->whole ? OG_CALL_ANSWERED : r->wrote ? OG_CALL_LOST : OG_CALL_UNSENT;
    if (!again(lane, c, r))
        end(c, &reply);
}

static void on_timer(uv_timer_t *timer)
{
    run_lane(timer->data);
}

static struct call *pop(struct lane *lane)
{
    struct call *c = lane->first;

    lane->first = c->next;
    if (lane->first == NULL)
        lane->last = NULL;
    c->next = NULL;
    return c;
}

static int64_t lane_wait(struct lane *lane)
{
    int64_t now = now_ms(lane->broker), budget = og_bucket_wait(&lane->bucket, now), pause = lane->not_before_ms - now;

    return pause > budget ? pause : budget;
}

static void run_lane(struct lane *lane)
{
    struct og_broker *b = lane->broker;
    struct og_error err = { 0 };
    struct call *c;
    int64_t wait;

    while (lane->first != NULL) {
        if ((wait = lane_wait(lane)) > 0) {
            uv_timer_start(&lane->timer, on_timer, (uint64_t)wait, 0);
            return;
        }
        (void)og_bucket_take(&lane->bucket, now_ms(b)); /* there is one: lane_wait() said so */
        c = pop(lane);
        if (og_http_start(b->http, og_calls[c->kind].method, c->path, c->body, c->len, b->timeout_ms, on_http, c, &err) != OG_OK)
            end_without_answer(c, err.text);
    }
}

enum og_status og_broker_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms, struct og_broker **broker,
                             struct og_error *err)
{
    struct og_broker *b = calloc(1, sizeof(*b));
    enum og_status status;

    *broker = NULL;
    if (b == NULL)
        return og_fail(err, OG_ENOMEM, "out of memory");
    if ((status = og_http_new(loop, settings, &b->http, err)) != OG_OK) {
        free(b);
        return status;
    }
    b->loop = loop;
    b->timeout_ms = timeout_ms;
    uv_update_time(loop);
    for (int i = 0; i < OG_CALLS; i++) {
        b->lane[i].broker = b;
        og_bucket_init(&b->lane[i].bucket, settings->budget[i].rate, settings->budget[i].burst, now_ms(b));
        uv_timer_init(loop, &b->lane[i].timer);
        b->lane[i].timer.data = &b->lane[i];
    }
    *broker = b;
    return OG_OK;
}

static struct call *new_call(struct og_broker *b, enum og_call kind, struct og_str account, struct og_str other,
                             const char *body, size_t len)
{
    struct call *c = calloc(1, sizeof(*c));
    struct og_buf path;

    if (c == NULL)
        return NULL;
    c->all_at = &b->all;
    c->all_next = b->all;
    if (b->all != NULL)
        b->all->all_at = &c->all_next;
    b->all = c;
    og_buf_init(&path, 0);
    og_call_path(kind, account, other, &path);
    c->path = path.s; /* the buffer's memory is the call's now */
    c->broker = b;
    c->kind = kind;
    if (body != NULL && (c->body = malloc(len + 1)) != NULL) {
        memcpy(c->body, body, len);
        c->len = len;
    }
    if (path.bad || path.s == NULL || (body != NULL && c->body == NULL)) {
        free_call(c);
        return NULL;
    }
    return c;
}

enum og_status og_broker_call(struct og_broker *b, enum og_call kind, struct og_str account, struct og_str other,
                              const char *body, size_t len, int64_t wait_ms, og_call_done *done, void *with,
                              struct og_error *err)
{
    struct call *c = new_call(b, kind, account, other, body, len);
    struct lane *lane = &b->lane[kind];

    if (c == NULL)
        return og_fail(err, OG_ENOMEM, "out of memory");
    c->done = done;
    c->with = with;
    c->give_up_ms = now_ms(b) + wait_ms;
    b->busy++;
    if (lane->last != NULL)
        lane->last->next = c;
    else
        lane->first = c;
    lane->last = c;
    uv_timer_start(&lane->timer, on_timer, 0, 0); /* from the loop, so that done never comes from inside */
    return OG_OK;
}

int64_t og_broker_wait(struct og_broker *b, enum og_call kind)
{
    return b->lane[kind].first != NULL ? lane_wait(&b->lane[kind]) + 1 : lane_wait(&b->lane[kind]);
}

void og_broker_stop_posting(struct og_broker *b)
{
    struct lane *lane = &b->lane[OG_CALL_POST];

    b->no_more_posts = true;
    while (lane->first != NULL)
        end_without_answer(pop(lane), "stopped before it was posted");
}

int og_broker_busy(const struct og_broker *b)
{
    return b->busy;
}

static void on_closed(uv_handle_t *handle)
{
    struct lane *lane = handle->data;
    struct og_broker *b = lane->broker;

    if (++b->closings == OG_CALLS)
        free(b);
}

void og_broker_free(struct og_broker *b)
{
    if (b == NULL)
        return;
    og_http_free(b->http);
    while (b->all != NULL)
        free_call(b->all);
    for (int i = 0; i < OG_CALLS; i++) {
        uv_timer_stop(&b->lane[i].timer);
        uv_close((uv_handle_t *)&b->lane[i].timer, on_closed);
    }
}
