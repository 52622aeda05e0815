/*
 * The network: requests that take time, are lost, fail or are answered, and streams whose frames come late, in another
 * order, or not at all. It replaces src/broker/http.c and src/stream, below the queues of the client.
 */
#include <stdlib.h>

#include "broker/http.h"
#include "world.h"

enum og_status __wrap_og_http_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms,
                                  struct og_http **http, struct og_error *err);
enum og_status __wrap_og_http_start(struct og_http *http, const char *method, const char *path, enum og_http_body kind,
                                    const char *body, size_t len, og_http_before_send *before_send, og_http_done *done,
                                    void *with, struct og_error *err);
void __wrap_og_http_free(struct og_http *http);
enum og_status __wrap_og_stream_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_stream_keys *keys,
                                    const struct og_stream_events *events, void *with, struct og_stream **stream,
                                    struct og_error *err);
void __wrap_og_stream_restart(struct og_stream *stream, const char *why);
void __wrap_og_stream_free(struct og_stream *stream);

#define TIMEOUT_MS 10000

enum fate { ANSWERED, UNSENT, LOST_BEFORE, LOST_AFTER, ERROR_BEFORE, ERROR_AFTER, BUSY };

struct request {
    int run; /* -1: its run has ended */
    char method[8], path[160], id[ID_MOST], *body;
    size_t len;
    og_http_before_send *before_send;
    og_http_done *done;
    void *with;
    uint64_t began;
    enum fate fate;
    int status;
    int64_t date_ns;
    bool left, over; /* over: the sender has its answer, or has waited too long */
    struct text answer;
    long held[SYMBOLS]; /* the positions that an answer shows */
    long pnl;           /* the P&L that it shows */
    struct request *next;
};
static struct request *requests;

/* --- requests ----------------------------------------------------------------------------------------------------- */

static int run_of(const void *handle)
{
    return (int)((const struct run *)handle - w.run);
}

static uint64_t latency(void)
{
    const bool slow = !w.calm && chance_in(&w.dice, 30);

    return (uint64_t)chance_to(&w.dice, slow && w.weather.slow_most_ms > 40 ? w.weather.slow_most_ms : 40);
}

static enum fate draw_fate(void)
{
    const struct weather *x = &w.weather;
    const int percent[] = { 0, x->unsent, x->lost_before, x->lost_after, x->error_before, x->error_after, x->busy };
    int n = (int)chance_to(&w.dice, 100);

    for (int i = 1; !w.calm && i < (int)(sizeof percent / sizeof percent[0]); i++)
        if ((n -= percent[i]) < 0)
            return (enum fate)i;
    return ANSWERED;
}

static void free_request(struct request *q)
{
    struct request **p = &requests;

    while (*p != q)
        p = &(*p)->next;
    *p = q->next;
    free(q->body);
    free(q->answer.s);
    free(q);
}

/* Record what a reading shows, once all its parts have come. */
static void note_reading(const struct request *q)
{
    struct run *r = &w.run[q->run];
    const char *last = strrchr(q->path, '/') + 1;

    if (strcmp(last, "orders") == 0) {
        r->orders_at = q->began;
        r->parts = 0;
    } else if (strcmp(last, "positions") == 0 && q->began >= r->orders_at) {
        memcpy(r->part, q->held, sizeof r->part);
        r->parts |= 1;
    } else if (strcmp(last, ACCOUNT) == 0) {
        r->parts |= 2;
    } else if (strcmp(last, "pnl") == 0 && q->began >= r->orders_at) {
        r->pnl_part = q->pnl;
        r->parts |= 4;
    } else {
        return;
    }
    if (r->parts == (w.limits.loss > 0 || w.limits.drawdown > 0 ? 7 : 3)) {
        note_pnl(r, r->pnl_part);
        r->read_at = r->orders_at;
        r->read_done_at = now_ms();
        memcpy(r->shown, r->part, sizeof r->shown);
    }
}

/* Record whether routes and inventory have come, which a first reading waits for too. status 0: they have not. */
static void note_extra(const struct request *q, long status)
{
    const int bit = strstr(q->path, "/routes") ? 1 : strstr(q->path, "/inventory") ? 2 : 0;
    struct run *r = &w.run[q->run];

    r->lacks = status == 200 ? r->lacks & ~bit : r->lacks | bit;
}

static bool is_reading(const struct request *q)
{
    const char *last = strrchr(q->path, '/') + 1;

    return strcmp(last, "orders") == 0 || strcmp(last, "positions") == 0 || strcmp(last, ACCOUNT) == 0 ||
           strcmp(last, "pnl") == 0;
}

/* Give the sender its answer. */
static void deliver(struct request *q, long status, bool wrote, const char *error)
{
    const bool whole = status != 0;
    const struct og_http_reply reply = { .status = status,
                                         .wrote = wrote,
                                         .whole = whole,
                                         .content_type = whole && q->answer.len > 0 && q->answer.s[0] != '-' &&
                                                                 q->answer.s[0] != 'N'
                                                             ? "application/json"
                                                             : "text/plain",
                                         .body = whole && q->answer.s ? q->answer.s : "",
                                         .len = whole ? q->answer.len : 0,
                                         .error = error,
                                         .date_ns = whole ? q->date_ns : OG_TIME_UNKNOWN,
                                         .began_ns = q->began * UINT64_C(1000000) };

    if (q->over || q->run < 0)
        return;
    q->over = true;
    tell("run %d: %s %s %ld %s", q->run, q->method, q->path, status, error);
    note_extra(q, status);
    if (status == 200 && q->method[0] == 'G')
        note_reading(q);
    else if (q->method[0] == 'G' && is_reading(q))
        w.run[q->run].failed_at = now_ms();
    q->done(q->with, &reply);
}

static void return_it(int number, void *with)
{
    struct request *q = with;

    (void)number;
    if (q->status == 0)
        deliver(q, 0, true, "the connection died");
    else
        deliver(q, q->status, true, "");
    free_request(q);
}

static void time_out(int number, void *with)
{
    (void)with;
    for (struct request *q = requests; q; q = q->next)
        if (q->run >= 0 && !q->over && q->began + TIMEOUT_MS <= now_ms() && q->left)
            deliver(q, 0, true, "it took too long");
    (void)number;
}

/* The request arrives at the broker, or is lost. */
static void arrive(int number, void *with)
{
    struct request *q = with;
    const bool posts = q->method[0] == 'P';
    const bool handled = q->fate == ANSWERED || q->fate == LOST_AFTER || q->fate == ERROR_AFTER;

    (void)number;
    if (handled) {
        for (int i = 0; i < SYMBOLS; i++)
            q->held[i] = held(i, true);
        q->pnl = pnl_now();
        q->status = answer_request(q->method, q->path, q->body, q->len, &q->answer);
    }
    q->date_ns = og_time_now() / OG_NS_PER_S * OG_NS_PER_S;
    if (posts && q->fate == BUSY)
        judge_busy(q->id);
    else if (posts)
        judge_posted(q->id, handled);
    if (q->fate != ANSWERED)
        q->answer.len = 0;
    if (q->fate == BUSY)
        q->status = 429;
    else if (q->fate == ERROR_BEFORE || q->fate == ERROR_AFTER)
        q->status = chance_in(&w.dice, 50) ? 500 : 503;
    else if (q->fate != ANSWERED)
        q->status = 0;
    at(now_ms() + latency(), return_it, 0, q);
}

/* A connection is made: the sender says whether the request may leave. */
static void connect_it(int number, void *with)
{
    struct request *q = with;
    const char *why;

    (void)number;
    if (q->run < 0) {
        free_request(q);
        return;
    }
    if (q->fate == UNSENT) {
        deliver(q, 0, false, "connection refused");
        free_request(q);
        return;
    }
    if ((why = q->before_send ? q->before_send(q->with) : NULL)) {
        deliver(q, 0, false, why);
        free_request(q);
        return;
    }
    q->left = true;
    tell("run %d: %s %s leaves%s%s", q->run, q->method, q->path, q->id[0] != '\0' ? " with " : "", q->id);
    if (q->method[0] == 'P')
        judge_left(q->run, q->id);
    at(now_ms() + latency(), arrive, 0, q);
    at(q->began + TIMEOUT_MS, time_out, 0, NULL);
}

enum og_status __wrap_og_http_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms,
                                  struct og_http **http, struct og_error *err)
{
    (void)loop;
    (void)settings;
    (void)timeout_ms;
    (void)err;
    *http = (struct og_http *)&w.run[w.runs];
    return OG_OK;
}

enum og_status __wrap_og_http_start(struct og_http *http, const char *method, const char *path, enum og_http_body kind,
                                    const char *body, size_t len, og_http_before_send *before_send, og_http_done *done,
                                    void *with, struct og_error *err)
{
    struct request *q = calloc(1, sizeof *q);
    struct order like;

    (void)kind;
    (void)err;
    *q = (struct request){ .run = run_of(http),
                           .before_send = before_send,
                           .done = done,
                           .with = with,
                           .began = now_ms(),
                           .len = len,
                           .fate = draw_fate(),
                           .next = requests };
    snprintf(q->method, sizeof q->method, "%s", method);
    snprintf(q->path, sizeof q->path, "%s", path);
    if (body) {
        q->body = calloc(1, len + 1);
        memcpy(q->body, body, len);
        (void)read_body(body, len, &like);
        snprintf(q->id, sizeof q->id, "%s", like.id);
    }
    requests = q;
    note_extra(q, 0);
    if (q->method[0] == 'P')
        judge_started(q->run, q->id);
    if (q->method[0] == 'D')
        judge_deletes(strrchr(q->path, '/') + 1);
    at(now_ms() + (!w.calm && chance_in(&w.dice, 5) ? latency() : 0), connect_it, 0, q);
    return OG_OK;
}

void __wrap_og_http_free(struct og_http *http)
{
    const int run = run_of(http);

    /* a request that has left may still arrive */
    for (struct request *q = requests; q; q = q->next) {
        if (q->run != run)
            continue;
        q->run = -1;
        if (q->left && q->fate == ANSWERED && chance_in(&w.dice, 30))
            q->fate = LOST_BEFORE;
    }
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

static struct late_frame {
    int connection;
    struct text text;
    struct late_frame *next;
} * frames;

static void free_frame(struct late_frame *f)
{
    struct late_frame **p = &frames;

    while (*p != f)
        p = &(*p)->next;
    *p = f->next;
    free(f->text.s);
    free(f);
}

static void fall(int number, void *with);

static void rise(int number, void *with)
{
    struct run *r = &w.run[number];

    (void)with;
    if (!r->alive || !r->events || r->connected)
        return;
    r->connected = true;
    r->connection++;
    tell("run %d: stream up", number);
    r->events->ready(r->with);
    if (w.weather.stream_falls_ms > 0)
        at(now_ms() + (uint64_t)chance_to(&w.dice, 2 * w.weather.stream_falls_ms), fall, number, NULL);
}

static void lose(struct run *r, uint64_t for_ms)
{
    r->connected = false;
    tell("run %d: stream down", (int)(r - w.run));
    r->events->down(r->with, "gone");
    at(now_ms() + for_ms, rise, (int)(r - w.run), NULL);
}

static void fall(int number, void *with)
{
    struct run *r = &w.run[number];

    (void)with;
    if (r->alive && r->events && r->connected && !w.calm)
        lose(r, 500 + (uint64_t)chance_to(&w.dice, chance_in(&w.dice, 70) ? 3000 : 20000));
}

static void tell_frame(int number, void *with)
{
    struct late_frame *f = with;
    struct run *r = &w.run[number];
    struct og_frame frame;

    if (r->alive && r->events && r->connected && r->connection == f->connection &&
        og_frame_read(f->text.s, f->text.len, &frame)) {
        r->events->frame(r->with, &frame);
        og_frame_clear(&frame);
    }
    free_frame(f);
}

void push_frames(const struct order *o)
{
    for (int i = 0; i < w.runs; i++) {
        struct run *r = &w.run[i];
        struct late_frame *f;
        const bool late = !w.calm && chance_in(&w.dice, 30);

        if (!r->alive || !r->connected || (!w.calm && chance_in(&w.dice, w.weather.lost_frames)))
            continue;
        f = calloc(1, sizeof *f);
        f->connection = r->connection;
        f->next = frames;
        frames = f;
        frame_text(o, &f->text);
        at(now_ms() + (uint64_t)chance_to(&w.dice, late && w.weather.lag_most_ms > 30 ? w.weather.lag_most_ms : 30),
           tell_frame, i, f);
    }
}

enum og_status __wrap_og_stream_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_stream_keys *keys,
                                    const struct og_stream_events *events, void *with, struct og_stream **stream,
                                    struct og_error *err)
{
    struct run *r = w.run;

    (void)loop;
    (void)place;
    (void)keys;
    (void)err;
    while (r->s != ((struct og_account_state *)with)->sender)
        r++;
    r->events = events;
    r->with = with;
    at(now_ms() + (uint64_t)chance_to(&w.dice, w.calm ? 100 : 1 + 1000 * w.weather.stands_s), rise, (int)(r - w.run),
       NULL);
    *stream = (struct og_stream *)r;
    return OG_OK;
}

void __wrap_og_stream_restart(struct og_stream *stream, const char *why)
{
    struct run *r = &w.run[run_of(stream)];

    (void)why;
    if (r->connected)
        lose(r, 500);
}

void __wrap_og_stream_free(struct og_stream *stream)
{
    if (stream)
        w.run[run_of(stream)].events = NULL;
}

void network_end(void)
{
    while (requests)
        free_request(requests);
    while (frames)
        free_frame(frames);
}
