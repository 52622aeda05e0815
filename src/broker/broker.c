/*
 * The queues in front of HTTP: one for each endpoint, with its budget.  Urgent calls go first.  After a 429 the whole
 * queue waits, since the service counts by endpoint.
 */
#include "broker/broker.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/crypto.h"
#include "base/error.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "broker/budget.h"

#define READ_ATTEMPTS 4
#define PAUSE_GROWS   3 /* the pause between attempts grows only for this many failures */

struct call {
    struct call *next;               /* next call in its queue, while the call waits */
    struct call *all_next, **all_at; /* list of all calls that have not ended */
    struct og_broker *broker;
    enum og_endpoint kind;
    char *path, *body;
    enum og_http_body body_kind;
    size_t len;
    bool urgent, once;
    int rank; /* the queue has calls of a lower rank first: 0: urgent calls; 1: other calls; 2: calls that go last */
    og_call_before_send *before_send;
    int64_t give_up_ms; /* loop time at which the call is given up */
    int attempts, busy_answers, failures;
    og_call_done *done;
    void *with;
};

struct queue {
    struct og_broker *broker;
    enum og_endpoint kind;
    uv_timer_t timer;
    struct call *first, *last;
    bool waits;            /* the queue's first call must still wait for its budget or a pause */
    int64_t not_before_ms; /* loop time before which no call is sent: after a 429, and between attempts */
    char failure[120]; /* why the newest request failed, if the present pause is due to that failure; otherwise "" */
};

struct og_broker {
    uv_loop_t *loop;
    struct og_http *http;
    struct og_budget *budget;
    struct queue queue[OG_ENDPOINTS];
    struct call *all;
    int closings;
    bool no_more_posts;
};

static void run_queue(struct queue *queue);

static int64_t now_ms(const struct og_broker *b)
{
    return (int64_t)uv_now(b->loop);
}

static void free_call(struct call *c)
{
    if (c->all_next)
        c->all_next->all_at = c->all_at;
    *c->all_at = c->all_next;
    free(c->path);
    free(c->body);
    free(c);
}

static void end_call(struct call *c, const struct og_call_reply *reply)
{
    c->done(c->with, reply);
    free_call(c);
}

static void end_without_answer(struct call *c, const char *error)
{
    struct og_call_reply reply = { .end = OG_CALL_UNSENT,
                                   .attempts = c->attempts,
                                   .content_type = "",
                                   .body = "",
                                   .error = error,
                                   .date_ns = OG_TIME_UNKNOWN };

    if (c->busy_answers > 0) {
        reply.end = OG_CALL_ANSWERED;
        reply.status = 429;
    }
    end_call(c, &reply);
}

/* Queue the call before or after the calls of its rank. */
static void enqueue(struct queue *queue, struct call *c, bool before)
{
    const bool ends = !before && queue->last && queue->last->rank <= c->rank;
    struct call **at = ends ? &queue->last->next : &queue->first;

    while (*at && ((*at)->rank < c->rank || (!before && (*at)->rank == c->rank)))
        at = &(*at)->next;
    c->next = *at;
    *at = c;
    if (!c->next)
        queue->last = c;
}

static void requeue(struct queue *queue, struct call *c, int64_t pause_ms)
{
    enqueue(queue, c, true);
    queue->not_before_ms = now_ms(queue->broker) + pause_ms;
    run_queue(queue);
}

/* Returns true if the call is made again after this failure. A cancel of which no byte was written is repeated for as
 * long as it may wait, since cancels reduce risk. */
static bool is_repeated(struct call *c, const struct og_http_reply *r)
{
    const bool exits = c->kind == OG_ENDPOINT_CANCEL || c->kind == OG_ENDPOINT_CANCEL_ALL;

    if (!og_endpoint_is_repeatable(c->kind) || (c->once && r->wrote) || (r->whole && r->status < 500))
        return false;
    return ++c->failures < READ_ATTEMPTS || (exits && !r->wrote);
}

/* Returns the pause after a failure. A pause that would last beyond the end of the call's wait is shortened to end
 * there, so that the call is made once more at that time. */
static int64_t pause_of(const struct call *c, uint32_t random)
{
    const int grown = c->failures < PAUSE_GROWS ? c->failures : PAUSE_GROWS;
    const int64_t pause = (INT64_C(1) << grown) * OG_RETRY_PAUSE_MS + random % OG_RETRY_PAUSE_MS;
    const int64_t left = c->give_up_ms - now_ms(c->broker);

    return c->failures >= READ_ATTEMPTS && left < pause && left >= OG_RETRY_PAUSE_MS ? left : pause;
}

/* Queue the call again after a 429, which had no effect, or after a failure if the call is repeatable. Returns false if
 * the call is not repeated. */
static bool should_retry(struct queue *queue, struct call *c, const struct og_http_reply *r)
{
    struct og_broker *b = queue->broker;
    uint32_t random = 0;
    int64_t pause;

    (void)og_random(&random, sizeof random); /* without random bytes the pause is not varied */
    if (r->status == 429 && r->whole) {
        pause = og_backoff_ms(++c->busy_answers, random);
        og_budget_empty(b->budget, c->kind, pause);
        queue->not_before_ms = now_ms(b) + pause; /* the queue pauses even without budgets, and even if the caller
                                                   * repeats the call itself */
        if (c->kind == OG_ENDPOINT_POST && b->no_more_posts)
            return false;
        queue->failure[0] = '\0';
    } else if (is_repeated(c, r)) {
        pause = pause_of(c, random);
        if (r->whole)
            snprintf(queue->failure, sizeof queue->failure, "HTTP %ld", r->status);
        else
            snprintf(queue->failure, sizeof queue->failure, "%s", r->error);
    } else {
        return false;
    }
    if (now_ms(b) + pause > c->give_up_ms)
        return false;
    requeue(queue, c, pause);
    return true;
}

static void on_http(void *with, const struct og_http_reply *r)
{
    struct call *c = with;
    struct queue *queue = &c->broker->queue[c->kind];
    struct og_call_reply reply = { .status = (int)r->status,
                                   .content_type = r->content_type,
                                   .body = r->body,
                                   .len = r->len,
                                   .error = r->error,
                                   .date_ns = r->date_ns,
                                   .began_ns = r->began_ns,
                                   .ended_ns = og_time_up() };

    if (r->wrote)
        c->attempts++;
    reply.attempts = c->attempts;
    reply.end = r->whole ? OG_CALL_ANSWERED : r->wrote ? OG_CALL_LOST : OG_CALL_UNSENT;
    if (!should_retry(queue, c, r))
        end_call(c, &reply);
}

/* Called when the connection is established. Since that may take long, before_send can still stop a request that is no
 * longer wanted. Returns NULL, or why the request must not be sent. */
static const char *check_before_send(void *with)
{
    const struct call *c = with;

    return c->before_send ? c->before_send(c->with) : NULL;
}

static void on_timer(uv_timer_t *timer)
{
    run_queue(timer->data);
}

static struct call *pop_call(struct queue *queue)
{
    struct call *c = queue->first;

    queue->first = c->next;
    if (!queue->first)
        queue->last = NULL;
    c->next = NULL;
    return c;
}

static int64_t queue_pause(const struct queue *queue)
{
    int64_t pause = queue->not_before_ms - now_ms(queue->broker);

    return pause > 0 ? pause : 0;
}

static void run_queue(struct queue *queue)
{
    struct og_broker *b = queue->broker;
    struct og_error err = { 0 };
    struct call *c;
    int64_t wait;

    while (queue->first) {
        wait = queue_pause(queue);
        if (wait == 0)
            wait = og_budget_take(b->budget, queue->kind, queue->first->urgent);
        queue->waits = wait > 0;
        if (wait > 0) {
            uv_timer_start(&queue->timer, on_timer, (uint64_t)wait, 0);
            return;
        }
        c = pop_call(queue);
        if (og_http_start(b->http, og_endpoints[c->kind].method, c->path, c->body_kind, c->body, c->len,
                          check_before_send, on_http, c, &err) != OG_OK)
            end_without_answer(c, err.text);
    }
}

enum og_status og_broker_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms,
                             struct og_broker **broker, struct og_error *err)
{
    struct og_broker *b = calloc(1, sizeof *b);
    enum og_status status;

    *broker = NULL;
    if (!b)
        return og_fail(err, OG_ENOMEM, "out of memory");
    b->budget = og_budget_open(settings);
    status =
        b->budget ? og_http_new(loop, settings, timeout_ms, &b->http, err) : og_fail(err, OG_ENOMEM, "out of memory");
    if (status != OG_OK) {
        og_budget_close(b->budget);
        free(b);
        return status;
    }
    b->loop = loop;
    uv_update_time(loop);
    for (int i = 0; i < OG_ENDPOINTS; i++) {
        b->queue[i].broker = b;
        b->queue[i].kind = (enum og_endpoint)i;
        uv_timer_init(loop, &b->queue[i].timer);
        b->queue[i].timer.data = &b->queue[i];
    }
    *broker = b;
    return OG_OK;
}

static struct call *new_call(struct og_broker *b, const struct og_broker_request *r)
{
    struct call *c = calloc(1, sizeof *c);
    struct og_buf path;

    if (!c)
        return NULL;
    c->all_at = &b->all;
    c->all_next = b->all;
    if (b->all)
        b->all->all_at = &c->all_next;
    b->all = c;
    og_buf_init(&path, 0);
    og_endpoint_path(r->call, r->account, r->other, &path);
    og_buf_str(&path, r->query);
    c->path = path.s; /* the call now owns the buffer's memory */
    c->broker = b;
    c->kind = r->call;
    c->urgent = r->urgent;
    c->rank = r->urgent ? 0 : r->last ? 2 : 1;
    c->once = r->once;
    c->busy_answers = r->busy_answers;
    c->before_send = r->before_send;
    c->body_kind = r->kind;
    c->give_up_ms = now_ms(b) + r->wait_ms;
    if (r->body && (c->body = malloc(r->len + 1))) {
        memcpy(c->body, r->body, r->len);
        c->len = r->len;
    }
    if (path.bad || !path.s || (r->body && !c->body)) {
        free_call(c);
        return NULL;
    }
    return c;
}

enum og_status og_broker_start(struct og_broker *b, const struct og_broker_request *request, og_call_done *done,
                               void *with, struct og_error *err)
{
    struct queue *queue = &b->queue[request->call];
    struct call *c;

    uv_update_time(b->loop);
    if (!(c = new_call(b, request)))
        return og_fail(err, OG_ENOMEM, "out of memory");
    c->done = done;
    c->with = with;
    enqueue(queue, c, false);
    /* the loop starts the call, so that done is never called from inside og_broker_start() */
    uv_timer_start(&queue->timer, on_timer, 0, 0);
    return OG_OK;
}

enum og_status og_broker_call(struct og_broker *b, enum og_endpoint kind, struct og_str account, struct og_str other,
                              const char *body, size_t len, int64_t wait_ms, og_call_done *done, void *with,
                              struct og_error *err)
{
    const struct og_broker_request request = { .call = kind,
                                               .account = account,
                                               .other = other,
                                               .query = OG_STR(""),
                                               .body = body,
                                               .len = len,
                                               .wait_ms = wait_ms };

    return og_broker_start(b, &request, done, with, err);
}

bool og_broker_take_back(struct og_broker *b, enum og_endpoint kind, const void *with, const char *why)
{
    struct queue *queue = &b->queue[kind];
    struct call **at = &queue->first, *before = NULL, *c;
    struct og_call_reply reply = {
        .end = OG_CALL_UNSENT, .content_type = "", .body = "", .error = why, .date_ns = OG_TIME_UNKNOWN
    };

    while (queue->waits && *at && (*at)->with != with) {
        before = *at;
        at = &before->next;
    }
    if (!queue->waits || !(c = *at))
        return false;
    *at = c->next;
    if (queue->last == c)
        queue->last = before;
    queue->waits = queue->first != NULL;
    reply.attempts = c->attempts;
    reply.status = c->busy_answers > 0 ? 429 : 0;
    end_call(c, &reply);
    return true;
}

int64_t og_broker_wait(struct og_broker *b, enum og_endpoint kind)
{
    int64_t budget = og_budget_wait(b->budget, kind), pause = queue_pause(&b->queue[kind]);

    return (pause > budget ? pause : budget) + (b->queue[kind].first != NULL);
}

int og_broker_queued(const struct og_broker *b, enum og_endpoint kind)
{
    int n = 0;

    for (const struct call *c = b->queue[kind].first; c; c = c->next)
        n++;
    return n;
}

const char *og_broker_failure(struct og_broker *b, enum og_endpoint kind)
{
    const struct queue *queue = &b->queue[kind];
    const int64_t pause = queue_pause(queue);

    return queue->failure[0] != '\0' && pause > 0 && pause >= og_budget_wait(b->budget, kind) ? queue->failure : NULL;
}

void og_broker_stop_posting(struct og_broker *b)
{
    struct queue *queue = &b->queue[OG_ENDPOINT_POST];

    b->no_more_posts = true;
    while (queue->first)
        end_without_answer(pop_call(queue), "stopped before it was posted");
}

static void on_closed(uv_handle_t *handle)
{
    struct queue *queue = handle->data;
    struct og_broker *b = queue->broker;

    if (++b->closings == OG_ENDPOINTS)
        free(b);
}

void og_broker_free(struct og_broker *b)
{
    if (!b)
        return;
    og_http_free(b->http);
    og_budget_close(b->budget);
    while (b->all)
        free_call(b->all);
    for (int i = 0; i < OG_ENDPOINTS; i++) {
        uv_timer_stop(&b->queue[i].timer);
        uv_close((uv_handle_t *)&b->queue[i].timer, on_closed);
    }
}
