/*
 * What `ordergate status` shows of a running sender: one JSON object, made by the loop when it is asked for.
 */
#include <unistd.h>

#include "base/json_write.h"
#include "ordergate/usage.h"
#include "send/sender.h"
#include "send/senders.h"

/* once the snapshot has so many bytes, further limits are only counted; everything else takes less than the remaining
 * bytes */
#define LIMITS_UNTIL (OG_SENDERS_SNAPSHOT_MOST - 16384)
/* basis points: a limit of one symbol or underlying is shown if at least so much of it is used */
#define NEAR 8000

struct limits {
    struct og_buf *b;
    int left_out;
};

/* Returns true for the limit of a single symbol or underlying that is far from used up. */
static bool is_far(const struct og_usage *u)
{
    return (u->of == OG_USAGE_SYMBOL || u->of == OG_USAGE_UNDERLYING) && u->name[0] && og_usage_share(u) < NEAR;
}

static int put_limit(void *with, const struct og_usage *u)
{
    struct limits *l = with;
    struct og_buf *b = l->b;

    if (is_far(u))
        return 0;
    if (b->len > LIMITS_UNTIL) {
        l->left_out++;
        return 0;
    }
    if (b->s[b->len - 1] != '[')
        og_buf_char(b, ',');
    og_buf_char(b, '{');
    og_member_text(b, "rule", u->rule);
    og_member_text(b, "setting", u->setting);
    og_member_text(b, "measure", u->measure[0] ? u->measure : NULL);
    og_member_text(b, "of", og_usage_of_name(u->of));
    og_member_text(b, "name", u->name[0] ? u->name : NULL);
    og_member_text(b, "only", u->only[0] ? u->only : NULL);
    og_member_text(b, "unit", og_usage_unit_name(u->unit));
    if (u->has_used)
        og_member_money(b, "used", u->used);
    else
        og_member_text(b, "used", NULL);
    og_member_money(b, u->least ? "least" : "allowed", u->allowed);
    og_member_int(b, "percent", og_usage_share(u) / 100);
    og_member_bool(b, "sure", u->sure);
    og_member_bool(b, "refuses", u->refuses);
    if (u->window_ns)
        og_member_int(b, "windowMs", u->window_ns / OG_NS_PER_MS);
    og_buf_char(b, '}');
    return 0;
}

static void put_age(struct og_buf *b, const char *key, int64_t at_ns, int64_t now)
{
    if (at_ns > 0)
        og_member_int(b, key, now > at_ns ? (now - at_ns) / OG_NS_PER_MS : 0);
    else
        og_member_text(b, key, NULL);
}

static const char *stream_of(const struct og_account_stream *stream)
{
    return !stream->handle ? "none" : stream->lost ? "lost" : stream->ready ? "up" : "opening";
}

static const char *step_of(const struct og_account_state *a)
{
    static const char *const names[] = { "loading", "blind", "ready", "failed" };

    return (size_t)a->step < sizeof names / sizeof names[0] ? names[a->step] : "";
}

/* Write how many orders of the account are followed in each state. */
static void put_orders(struct og_buf *b, const struct og_account_state *a)
{
    int unknown = 0, working = 0, waiting = 0, posting = 0;

    for (const struct og_tracked *o = a->sender->orders; o; o = o->next) {
        if (o->account != a || o->external)
            continue;
        unknown += o->execution.state == OG_OUTCOME_UNKNOWN;
        working += o->execution.state == OG_WORKING || o->execution.state == OG_POSTED;
        waiting += o->leave.waits || o->leave.held;
        posting += o->post.under_way;
    }
    og_member_int(b, "unknown", unknown);
    og_member_int(b, "working", working);
    og_member_int(b, "waiting", waiting);
    og_member_int(b, "posting", posting);
}

static void put_account(struct og_buf *b, const struct og_account_state *a, int64_t now)
{
    struct limits l = { .b = b };

    og_buf_char(b, '{');
    og_member_text(b, "accountId", a->id);
    og_member_text(b, "environment", a->unlisted ? NULL : a->paper ? "Paper" : "Live");
    og_member_text(b, "state", step_of(a));
    og_member_text(b, "stream", stream_of(&a->stream));
    og_member_key(b, "ages");
    og_buf_char(b, '{');
    put_age(b, "readingMs", a->readings.good_ns, now);
    put_age(b, "locatesMs", a->readings.locates_ns, now);
    og_buf_char(b, '}');
    og_member_bool(b, "readingFails", a->readings.stuck);
    og_member_key(b, "orders");
    og_buf_char(b, '{');
    put_orders(b, a);
    og_buf_char(b, '}');
    og_member_key(b, "limits");
    og_buf_char(b, '[');
    b->bad |= og_book_usage(a->sender->book, a->id, now, put_limit, &l) == OG_ENOMEM;
    og_buf_char(b, ']');
    og_member_int(b, "limitsLeftOut", l.left_out);
    og_buf_char(b, '}');
}

static void put_halt(struct og_sender *s, struct og_buf *b)
{
    struct og_sentry_seen seen;
    const enum og_trading trading = og_sentry_look(s->guard.sentry, &seen, NULL);
    const struct og_halt *halt = &seen.halt;

    og_member_key(b, "halt");
    og_buf_char(b, '{');
    og_member_text(b, "trading", og_trading_name(trading));
    og_member_text(b, "at", halt->at[0] ? halt->at : NULL);
    og_member_text(b, "by", halt->by[0] ? halt->by : NULL);
    og_member_text(b, "reason", seen.fault.status != OG_OK ? seen.fault.text : halt->reason[0] ? halt->reason : NULL);
    og_buf_char(b, '}');
}

/* Write the endpoints whose budget is used up, or for which requests wait. */
static void put_budgets(struct og_sender *s, struct og_buf *b)
{
    bool first = true;

    og_member_key(b, "budgets");
    og_buf_char(b, '[');
    for (int e = 0; e < OG_ENDPOINTS; e++) {
        const int queued = og_broker_queued(s->broker, (enum og_endpoint)e);
        const int64_t wait = og_broker_wait(s->broker, (enum og_endpoint)e);

        if (!queued && wait <= 0)
            continue;
        og_buf_text(b, first ? "{" : ",{");
        og_member_text(b, "endpoint", og_endpoints[e].name);
        og_member_int(b, "waitMs", wait);
        og_member_int(b, "queued", queued);
        og_buf_char(b, '}');
        first = false;
    }
    og_buf_char(b, ']');
}

void og_send_snapshot(struct og_sender *s, struct og_buf *b)
{
    const int64_t now = og_clock_now(&s->clock);
    const struct og_account_state *first = s->accounts.first;

    og_buf_char(b, '{');
    og_member_int(b, "pid", (int64_t)getpid());
    og_member_text(b, "run", s->run.s);
    og_member_text(b, "since", og_time_text(s->guard.began_ns).s);
    og_member_text(b, "ledger", s->ledger ? og_ledger_path(s->ledger) : NULL);
    og_member_text(b, "policy", s->policy.digest);
    og_member_text(b, "keys", s->accounts.list ? "good" : s->accounts.refusals ? "refused" : "unknown");
    og_member_text(b, "fault", s->accounts.blind.status != OG_OK ? s->accounts.blind.text : NULL);
    put_halt(s, b);
    og_member_bool(b, "deadManFired", s->guard.dead);
    og_member_int(b, "linesWaiting", (int64_t)s->lines.count);
    put_budgets(s, b);
    og_member_bool(b, "reloadFailed", s->counts.reload_failed);
    og_send_write_counts(s, b);
    og_member_key(b, "accounts");
    og_buf_char(b, '[');
    for (const struct og_account_state *a = first; a && b->len < LIMITS_UNTIL; a = a->next) {
        if (a != first)
            og_buf_char(b, ',');
        put_account(b, a, now);
    }
    og_buf_text(b, "]}");
}

enum og_status og_sender_snapshot(struct og_sender *s, og_event_listener *snapshot, void *with)
{
    enum og_status status = OG_OK;
    struct og_buf b;

    if (!s || !snapshot || !s->begun)
        return OG_EINVAL;
    og_buf_init(&b, 0);
    og_send_snapshot(s, &b);
    if (b.bad)
        status = OG_ENOMEM;
    else if (snapshot(with, b.s, b.len) != 0)
        status = OG_EIO;
    og_buf_clear(&b);
    return status;
}

void og_sender_tell_orders(struct og_sender *s)
{
    if (s)
        s->tells = true;
}
