/*
 * Watches a stream without sending orders.  Each message is passed on, and nothing is kept, unless snapshots are
 * wanted: then the account is read after each sign-in, frames that come meanwhile are held until it has been read, and
 * the rows of orders are noted, so that no frame tells what a snapshot or an earlier frame told already.
 *
 * Nothing is lost around a gap: what happened before a sign-in is in the reading, whose requests begin after it, and
 * what happens later has a frame.  Held frames are passed on after the snapshot, or before "down" or "unread" if there
 * is none.
 */
#include "ordergate/watch.h"

#include <stdlib.h>
#include <uv.h>

#include "base/error.h"
#include "ordergate/broker.h"
#include "send/stream_new.h"
#include "send/watch_reading.h"
#include "text/doc.h"

/* how many bytes of frames may wait for a snapshot: more come only if something is wrong */
#define HELD_MOST ((size_t)16 << 20)

struct og_watch {
    struct og_watch_options options;
    struct og_settings settings;
    char *account;
    uv_loop_t loop;
    bool loop_made;
    uv_async_t stop;
    uv_timer_t time;
    struct og_stream *stream;
    struct og_watch_reading *reading; /* NULL if no snapshots are wanted */
    struct og_watch_orders orders;    /* what was shown of the orders, if snapshots are wanted */
    struct og_buf line;
    struct og_buf held; /* frames that wait for the snapshot: each the time it came, a blank, the frame, a newline */
    long long seen;
    bool over, running;
    enum og_status end;
    char why[256];
};

static void finish(struct og_watch *w, enum og_status end, const char *why)
{
    if (w->over)
        return;
    w->over = true;
    w->end = end;
    if (why) {
        struct og_error err = { 0 };

        og_fail(&err, end, "%s", why);
        memcpy(w->why, err.text, sizeof w->why);
    }
    uv_stop(&w->loop);
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static void begin(struct og_watch *w, const char *event, int64_t at)
{
    og_buf_reset(&w->line);
    og_buf_format(&w->line, "{\"event\":\"%s\",\"stream\":\"%s\",\"accountId\":", event,
                  w->options.pnl ? "pnl" : "portfolio");
    og_buf_json_str(&w->line, og_str_of(w->account));
    og_buf_format(&w->line, ",\"at\":\"%s\"", og_time_text(at).s);
}

static void hand_on(struct og_watch *w)
{
    og_buf_char(&w->line, '}');
    if (w->over)
        return;
    if (w->line.bad)
        finish(w, OG_ENOMEM, "out of memory");
    else if (w->options.line(w->options.with, w->line.s, w->line.len) != 0)
        finish(w, OG_EIO, "the listener ended the watch");
}

static void say(struct og_watch *w, const char *event, const char *why)
{
    begin(w, event, og_time_now());
    if (why) {
        og_buf_text(&w->line, ",\"why\":");
        og_buf_json_str(&w->line, og_str_of(why));
    }
    hand_on(w);
}

static const struct {
    const char *event, *key;
} kinds[] = {
    [OG_FRAME_OTHER] = { "other", "frame" },
    [OG_FRAME_ORDER] = { "order", "order" },
    [OG_FRAME_POSITION] = { "position", "position" },
    [OG_FRAME_PNL_INIT] = { "pnl-init", "pnl" },
    [OG_FRAME_PNL_POSITION] = { "pnl-position", "pnl" },
    [OG_FRAME_PNL_TOTALS] = { "pnl-totals", "pnl" },
};

/* Returns true if the frame tells something that was not shown. */
static bool is_news(struct og_watch *w, const struct og_frame *f)
{
    bool news = true;

    if (w->reading && f->kind == OG_FRAME_ORDER && !og_watch_orders_note(&w->orders, &f->order, &news))
        finish(w, OG_ENOMEM, "out of memory");
    return news;
}

static void show(struct og_watch *w, const struct og_frame *f, int64_t at)
{
    const cJSON *body = f->body;

    if (w->over || !is_news(w, f))
        return;
    if (f->kind == OG_FRAME_PNL_TOTALS && cJSON_IsObject(og_doc_get(f->doc, "aggCalcs")))
        body = og_doc_get(f->doc, "aggCalcs");
    begin(w, kinds[f->kind].event, at);
    og_buf_format(&w->line, ",\"%s\":", kinds[f->kind].key);
    if (f->kind == OG_FRAME_ORDER)
        og_order_row_write_clean(&w->line, &f->order);
    else if (!og_doc_text(body, &w->line))
        w->line.bad = true;
    hand_on(w);
    if (w->options.count != 0 && ++w->seen >= w->options.count)
        finish(w, OG_OK, NULL);
}

/* --- frames that wait for a snapshot ------------------------------------------------------------------------------ */

static void hold(struct og_watch *w, const struct og_frame *f)
{
    og_buf_format(&w->held, "%lld ", (long long)og_time_now());
    if (!og_doc_text(f->doc, &w->held))
        w->held.bad = true;
    og_buf_char(&w->held, '\n');
    if (w->held.bad)
        finish(w, OG_ENOMEM, "too many changes came while the account was read");
}

static void release_held(struct og_watch *w)
{
    char *at = w->held.s, *frame_text, *line_end;
    struct og_frame f;

    while (!w->over && w->held.len > 0 && at < w->held.s + w->held.len) {
        const int64_t came = strtoll(at, &frame_text, 10);

        frame_text++;
        line_end = strchr(frame_text, '\n'); /* compact JSON has no newline */
        if (og_frame_read(frame_text, (size_t)(line_end - frame_text), &f))
            show(w, &f, came);
        og_frame_clear(&f);
        at = line_end + 1;
    }
    og_buf_reset(&w->held);
}

static void on_taken(void *with, const char *json, size_t len)
{
    struct og_watch *w = with;

    if (json) {
        begin(w, "snapshot", og_time_now());
        og_buf_text(&w->line, ",\"snapshot\":");
        og_buf_bytes(&w->line, json, len);
        hand_on(w);
    }
    release_held(w);
}

static void on_failed(void *with, const char *why)
{
    struct og_watch *w = with;

    release_held(w);
    say(w, "unread", why);
}

static const struct og_watch_reading_events reading_events = { on_taken, on_failed };

/* --- the stream --------------------------------------------------------------------------------------------------- */

static void on_ready(void *with)
{
    struct og_watch *w = with;

    say(w, "ready", NULL);
    if (w->reading && !w->over)
        og_watch_reading_begin(w->reading);
}

static void on_down(void *with, const char *why)
{
    struct og_watch *w = with;

    if (w->reading)
        og_watch_reading_drop(w->reading); /* its answers may be from before the gap, or from after it */
    release_held(w);
    say(w, "down", why);
}

static void on_refused(void *with, const char *why)
{
    finish(with, OG_EAUTH, why);
}

static void on_frame(void *with, const struct og_frame *f)
{
    struct og_watch *w = with;

    if (og_watch_reading_is_under_way(w->reading))
        hold(w, f);
    else
        show(w, f, og_time_now());
}

static const struct og_stream_events events = { on_ready, on_down, on_refused, on_frame };

/* --- the object --------------------------------------------------------------------------------------------------- */

static void on_stop(uv_async_t *async)
{
    finish(async->data, OG_OK, NULL);
}

static void on_time(uv_timer_t *timer)
{
    finish(timer->data, OG_OK, NULL);
}

/* Find the account to watch: the one that is named, or the only one. */
static enum og_status find_account(struct og_watch *w, const struct og_watch_options *o, struct og_error *err)
{
    struct og_client_options client = { .broker = o->broker, .account = o->account };
    struct og_client *c;
    const char *account;
    enum og_status status = og_client_open(&client, &c, err);

    if (status != OG_OK)
        return status;
    status = og_client_account_id(c, &account, err);
    if (status == OG_OK && !(w->account = strdup(account)))
        status = og_fail(err, OG_ENOMEM, "out of memory");
    og_client_close(c);
    return status;
}

static enum og_status make_loop(struct og_watch *w, struct og_error *err)
{
    if (uv_loop_init(&w->loop) != 0)
        return og_fail(err, OG_ENET, "libuv cannot be started");
    w->loop_made = true;
    uv_timer_init(&w->loop, &w->time);
    if (uv_async_init(&w->loop, &w->stop, on_stop) != 0)
        return og_fail(err, OG_ENET, "libuv cannot be started");
    w->time.data = w->stop.data = w;
    return OG_OK;
}

enum og_status og_watch_new(const struct og_watch_options *options, struct og_watch **watch, struct og_error *err)
{
    struct og_watch *w;
    enum og_status status;

    if (!options || !watch)
        return og_missing(err);
    w = calloc(1, sizeof *w);
    *watch = NULL;
    if (!w)
        return og_fail(err, OG_ENOMEM, "out of memory");
    w->options = *options;
    w->options.broker = w->options.account = NULL; /* the caller owns these strings, and they are used only in this
                                                    * function */
    og_buf_init(&w->line, 0);
    og_buf_init(&w->held, HELD_MOST);
    if (!options->line)
        status = og_fail(err, OG_EINVAL, "a watch needs a listener, none was given");
    else if (options->snapshot && options->pnl)
        status = og_fail(err, OG_EINVAL,
                         "there are snapshots of the portfolio stream only: the P&L stream begins with "
                         "one, pnl-init");
    else
        status = og_settings_read(&w->settings, options->broker, err);
    if (status == OG_OK)
        status = find_account(w, options, err);
    if (status == OG_OK)
        status = make_loop(w, err);
    if (status == OG_OK && options->snapshot)
        status =
            og_watch_reading_new(&w->loop, &w->settings, w->account, &w->orders, &reading_events, w, &w->reading, err);
    if (status != OG_OK) {
        og_watch_free(w);
        return status;
    }
    *watch = w;
    return OG_OK;
}

void og_watch_stop(struct og_watch *w)
{
    if (!w)
        return;
    uv_async_send(&w->stop);
}

enum og_status og_watch_run(struct og_watch *w, struct og_error *err)
{
    enum og_status status;

    if (!w)
        return og_missing(err);
    if (w->running)
        return og_fail(err, OG_EINVAL, "a watch runs once");
    w->running = true;
    status = og_send_stream_new(&w->loop, &w->settings, w->account, w->options.pnl, &events, w, &w->stream, err);
    if (status != OG_OK)
        return status;
    if (w->options.for_ns > 0)
        uv_timer_start(&w->time, on_time, (uint64_t)(w->options.for_ns / OG_NS_PER_MS) + 1, 0);
    while (!w->over)
        uv_run(&w->loop, UV_RUN_DEFAULT);
    return w->end == OG_OK ? OG_OK : og_fail(err, w->end, "%s", w->why);
}

static void close_handle(uv_handle_t *handle, void *with)
{
    struct og_watch *w = with;

    if ((handle == (uv_handle_t *)&w->stop || handle == (uv_handle_t *)&w->time) && !uv_is_closing(handle))
        uv_close(handle, NULL);
}

void og_watch_free(struct og_watch *w)
{
    if (!w)
        return;
    w->over = true;
    og_stream_free(w->stream);
    og_watch_reading_free(w->reading);
    if (w->loop_made) {
        uv_walk(&w->loop, close_handle, w);
        uv_run(&w->loop, UV_RUN_DEFAULT);
        uv_loop_close(&w->loop);
    }
    og_buf_clear(&w->line);
    og_buf_clear(&w->held);
    og_watch_orders_clear(&w->orders);
    og_settings_clear(&w->settings);
    free(w->account);
    free(w);
}
