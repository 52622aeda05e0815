/*
 * Signing in to a stream and staying connected. The service's document does not promise every message, so no message is
 * waited for without limit: if no hello comes, the keys are sent after ten seconds; if no acknowledgement comes, the
 * subscription counts as accepted.
 */
#include "stream/stream.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/crypto.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mask.h"
#include "base/timeouts.h"
#include "text/doc.h"

enum step {
    CLOSED = 0,  /* no connection; when the timer fires: open one */
    OPENING,     /* the connection is being opened; when the timer fires: give up */
    HELLO,       /* waiting for the service's greeting; when the timer fires: send the keys without having got it */
    SIGNING,     /* the keys were sent; when the timer fires: subscribe */
    SUBSCRIBING, /* the subscription was sent; when the timer fires: count it as accepted */
    ASLEEP,      /* the subscription was refused for now; when the timer fires: send it again */
    READY
};

struct og_stream {
    struct og_ws *ws;
    uv_timer_t timer;
    uv_loop_t *loop;
    struct og_stream_keys keys;
    const struct og_stream_events *events;
    void *with;
    enum step step;
    int failures; /* number of failures in a row; the pause before the next attempt grows with it */
    int rehellos; /* number of times that the server has asked for keys again after they were sent */
    bool refused, reported_down, closing;
    long long other_frames;
};

static void on_timer(uv_timer_t *timer);

static void enter_step(struct og_stream *s, enum step step, int64_t ms)
{
    s->step = step;
    uv_timer_start(&s->timer, on_timer, (uint64_t)ms, 0);
}

static int64_t pause_ms(struct og_stream *s)
{
    int64_t most = s->failures >= 6 ? OG_STREAM_PAUSE_MOST_MS : (int64_t)OG_STREAM_PAUSE_FIRST_MS << s->failures;
    uint32_t random = 0;

    (void)og_random(&random, sizeof random);
    s->failures++;
    return most / 2 + (int64_t)(random % (uint32_t)(most / 2 + 1));
}

static void report_down(struct og_stream *s, const char *why)
{
    if (!s->reported_down && !s->closing)
        s->events->down(s->with, why);
    s->reported_down = true;
}

/* --- sending ------------------------------------------------------------------------------------------------------ */

static void send_text(struct og_stream *s, struct og_buf *b)
{
    if (b->bad || !og_ws_send(s->ws, b->s, b->len))
        og_ws_close(s->ws);
    if (b->s)
        og_wipe(b->s, b->len);
    og_buf_clear(b);
}

static void send_keys(struct og_stream *s)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    og_buf_text(&b, "{\"key\":");
    og_buf_json_str(&b, s->keys.key_id);
    og_buf_text(&b, ",\"secret\":");
    og_buf_json_str(&b, s->keys.secret);
    og_buf_text(&b, "}");
    send_text(s, &b);
    enter_step(s, SIGNING, OG_STREAM_SIGNED_MS);
}

static void subscribe(struct og_stream *s)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    og_buf_text(&b, s->keys.pnl ? "{\"account\":" : "{\"accountId\":");
    og_buf_json_str(&b, s->keys.account);
    og_buf_text(&b, s->keys.pnl ? "}" : ",\"subscriptions\":[\"Order\",\"Position\"]}");
    send_text(s, &b);
    enter_step(s, SUBSCRIBING, OG_STREAM_CONFIRMED_MS);
}

static void become_ready(struct og_stream *s)
{
    uv_timer_stop(&s->timer);
    s->step = READY;
    s->failures = s->rehellos = 0;
    s->reported_down = false;
    s->events->ready(s->with);
}

static void on_timer(uv_timer_t *timer)
{
    struct og_stream *s = timer->data;

    switch (s->step) {
    case CLOSED:
        enter_step(s, OPENING,
                   OG_STREAM_OPEN_MS); /* needed because libwebsockets itself would wait for ever for the answer to an
                                        * upgrade */
        og_ws_open(s->ws);
        return;
    case OPENING: og_ws_close(s->ws); return;
    case HELLO: send_keys(s); return;
    case SIGNING:
    case ASLEEP: subscribe(s); return;
    case SUBSCRIBING: become_ready(s); return;
    case READY: return;
    }
}

/* --- receiving ---------------------------------------------------------------------------------------------------- */

static void describe_system(char *to, size_t size, const struct og_frame *f)
{
    const char *status = f->status.len > 0 ? f->status.s : "an error";

    snprintf(to, size, "the stream answered %.40s%s%.160s", status, f->message.len > 0 ? ": " : "",
             f->message.len > 0 ? f->message.s : "");
}

/* The subscription was refused for now: keep the connection and send the subscription again later. */
static void resubscribe_later(struct og_stream *s, const char *why)
{
    enter_step(s, ASLEEP, pause_ms(s) + OG_STREAM_PAUSE_FIRST_MS);
    report_down(s, why);
}

static void on_system(struct og_stream *s, const struct og_frame *f)
{
    char why[256];

    if (og_str_is(f->status, "PENDING_AUTH")) {
        if (s->step == HELLO || (s->step == SIGNING && s->rehellos++ > 0))
            send_keys(s); /* while signing in, the first repeated request is ignored: the server may have sent it before
                           * the keys reached it */
        return;
    }
    if (og_str_is(f->status, "CONNECTED")) {
        if (s->step == HELLO || s->step == SIGNING)
            subscribe(s);
        return;
    }
    describe_system(why, sizeof why, f);
    if (og_str_is(f->status, "FAILED_AUTH")) {
        s->refused = true;
        uv_timer_stop(&s->timer);
        og_ws_close(s->ws);
        s->events->refused(s->with, why);
    } else if (og_str_is(f->status, "TERMINATED") || og_str_is(f->status, "INVALID_DATA")) {
        resubscribe_later(s, why);
    }
}

/* Returns true if a frame is a refused subscription of the P&L stream. */
static bool is_refusal(const struct og_frame *f)
{
    struct og_str action;

    return f->kind == OG_FRAME_OTHER && og_doc_str(f->doc, "action", &action) && og_str_is(action, "error");
}

static void handle_frame(struct og_stream *s, const struct og_frame *f)
{
    char why[256];

    if (is_refusal(f)) {
        describe_system(why, sizeof why, f);
        resubscribe_later(s, why);
        return;
    }
    if (f->kind == OG_FRAME_OTHER)
        s->other_frames++;
    else if (s->step == SUBSCRIBING)
        become_ready(s);
    s->events->frame(s->with, f);
}

static void on_text(void *with, char *bytes, size_t len)
{
    struct og_stream *s = with;
    struct og_frame f;

    og_mask(bytes, len, s->keys.secret);
    if (!og_frame_read(bytes, len, &f)) {
        s->other_frames++;
        og_log(OG_LOG_WARNING, "stream: a frame of %zu bytes is not a JSON object; ignored", len);
        return;
    }
    if (f.kind == OG_FRAME_SYSTEM) {
        on_system(s, &f);
    } else if (f.kind == OG_FRAME_META) {
        if (s->step == SUBSCRIBING && f.confirmed)
            become_ready(s);
    } else {
        handle_frame(s, &f);
    }
    og_frame_clear(&f);
}

static void on_opened(void *with)
{
    enter_step(with, HELLO, OG_STREAM_HELLO_MS);
}

static void on_closed(void *with, const char *why)
{
    struct og_stream *s = with;

    if (s->closing || s->refused)
        return;
    enter_step(s, CLOSED, pause_ms(s));
    report_down(s, why);
}

static const struct og_ws_events ws_events = { on_opened, on_text, on_closed };

/* --- creation and public functions -------------------------------------------------------------------------------- */

enum og_status og_stream_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_stream_keys *keys,
                             const struct og_stream_events *events, void *with, struct og_stream **stream,
                             struct og_error *err)
{
    struct og_stream *s = calloc(1, sizeof *s);
    enum og_status status;

    *stream = NULL;
    if (!s)
        return og_fail(err, OG_ENOMEM, "out of memory");
    if ((status = og_ws_new(loop, place, &ws_events, s, &s->ws, err)) != OG_OK) {
        free(s);
        return status;
    }
    s->loop = loop;
    s->keys = *keys;
    s->events = events;
    s->with = with;
    uv_timer_init(loop, &s->timer);
    s->timer.data = s;
    enter_step(s, CLOSED, 0);
    *stream = s;
    return OG_OK;
}

void og_stream_restart(struct og_stream *s, const char *why)
{
    if (s->step == CLOSED || s->closing || s->refused)
        return;
    report_down(s, why);
    og_ws_close(s->ws);
}

static void on_freed(uv_handle_t *handle)
{
    free(handle->data);
}

void og_stream_free(struct og_stream *s)
{
    if (!s)
        return;
    s->closing = true;
    og_ws_free(s->ws);
    uv_timer_stop(&s->timer);
    uv_close((uv_handle_t *)&s->timer, on_freed);
}
