/*
 * The stream of one account: what its frames and its gaps mean. If a stream is open but sends no frames while look-ups
 * show changes, it is closed and opened again.
 */
#include "base/account_id.h"
#include "base/error.h"
#include "send/event.h"
#include "send/sender.h"
#include "send/stream_new.h"
#include "text/doc.h"
#include "wire/read.h"

/* the stream is opened again after this many changes that look-ups or lists show but no frame does */
#define DEAF_AFTER 3

static void on_stream_ready(void *with)
{
    struct og_account_state *a = with;

    a->stream.heard = a->stream.ready = true;
    if (a->stream.lost)
        og_send_tell_stream(a, true, NULL);
    a->stream.lost = false;
    a->stream.unheard = 0;
    a->stream.gap_at = og_time_up(); /* orders may have changed before this sign-in without a frame */
    for (struct og_tracked *o = a->sender->orders; o; o = o->next)
        if (o->account == a && og_send_is_pending(o))
            og_send_ask_soon(o, 0);
    og_send_wake(a->sender);
}

static void on_stream_down(void *with, const char *why)
{
    struct og_account_state *a = with;

    a->stream.heard = true;
    a->stream.ready = false;
    if (!a->stream.lost)
        og_send_tell_stream(a, false, why);
    a->stream.lost = true;
    og_send_warn(a->sender, "account '%s': no stream (%s); orders are followed by look-ups until there is one", a->id,
                 why);
    og_send_wake(a->sender);
}

static void on_stream_refused(void *with, const char *why)
{
    struct og_account_state *a = with;
    struct og_error err = { 0 };

    a->stream.ready = false;
    og_fail(&err, OG_EAUTH, "the broker's stream refused the keys: %s", why);
    og_send_fatal(a->sender, 4, &err);
}

static bool is_for(const struct og_account_state *a, const struct og_frame *frame)
{
    struct og_str account;

    if (frame->kind == OG_FRAME_ORDER)
        return og_send_is_of(a, &frame->order);
    return frame->kind != OG_FRAME_POSITION ||
           !(og_doc_id(frame->body, "accountId", &account) || og_doc_id(frame->body, "account", &account)) ||
           og_same_account(account, og_str_of(a->id));
}

static void on_stream_frame(void *with, const struct og_frame *frame)
{
    struct og_account_state *a = with;

    if (!is_for(a, frame))
        return; /* the frame is about another account */
    a->stream.unheard = 0;
    if (frame->kind == OG_FRAME_POSITION)
        og_send_position_pushed(a);
    if (frame->kind != OG_FRAME_ORDER || !og_send_row(a, &frame->order, "stream", og_time_up()))
        og_send_account_dirty(a); /* a position, or an order that is not ours, has changed: read the account */
    og_send_wake(a->sender);
}

static const struct og_stream_events stream_events = { on_stream_ready, on_stream_down, on_stream_refused,
                                                       on_stream_frame };

enum og_status og_send_stream_new(uv_loop_t *loop, const struct og_settings *settings, const char *account, bool pnl,
                                  const struct og_stream_events *events, void *with, struct og_stream **to,
                                  struct og_error *err)
{
    struct og_stream_keys keys = { og_str_of(settings->key_id), og_str_of(settings->secret), og_str_of(account), pnl };
    struct og_stream_address at;
    enum og_status status = og_settings_stream(settings, pnl ? "pnl" : "portfolio", &at, err);

    if (status != OG_OK)
        return status;
    return og_stream_new(loop,
                         &(struct og_ws_place){ .host = at.host,
                                                .path = at.path,
                                                .ca_file = settings->ca_file,
                                                .port = at.port,
                                                .tls = at.tls,
                                                .loopback = at.loopback },
                         &keys, events, with, to, err);
}

enum og_status og_send_stream_open(struct og_account_state *a, struct og_error *err)
{
    struct og_sender *s = a->sender;

    return og_send_stream_new(&s->loop, &s->settings, a->id, false, &stream_events, a, &a->stream.handle, err);
}

void og_send_heard_elsewhere(struct og_account_state *a)
{
    if (a->stream.unheard++ == 0)
        a->stream.unheard_ms = og_send_ms(a->sender);
}

void og_send_stream_look(struct og_account_state *a)
{
    if (a->stream.unheard < DEAF_AFTER || !a->stream.ready || og_send_ms(a->sender) - a->stream.unheard_ms < OG_DEAF_MS)
        return;
    a->stream.unheard = 0;
    og_stream_restart(a->stream.handle, "it is open but sends nothing");
}
