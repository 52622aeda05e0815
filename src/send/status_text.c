/*
 * What the run does now, in one line for people: the service manager shows it, and the log has it on request.
 */
#include "send/notify.h"
#include "send/sender.h"

static void count_orders(const struct og_sender *s, int *working, int *unknown, int *posting)
{
    for (const struct og_tracked *o = s->orders; o; o = o->next) {
        if (o->external)
            continue;
        *working += o->execution.state == OG_WORKING || o->execution.state == OG_POSTED;
        *unknown += o->execution.state == OG_OUTCOME_UNKNOWN;
        *posting += o->post.under_way;
    }
}

/* Write what keeps orders from leaving, and what is lost. */
static void write_faults(const struct og_sender *s, struct og_buf *b)
{
    if (s->guard.halt != OG_TRADING_ON)
        og_buf_format(b, "; trading is %s", og_trading_name(s->guard.halt));
    if (s->guard.dead)
        og_buf_text(b, "; the dead man's switch has fired");
    if (og_send_barred(s))
        og_buf_text(b, "; nothing more is posted");
    else if (s->records.behind)
        og_buf_text(b, "; the ledger cannot be written");
    if (s->accounts.blind.status != OG_OK)
        og_buf_format(b, "; the broker cannot be read: %s", s->accounts.blind.text);
    if (s->counts.reload_failed)
        og_buf_text(b, "; the policy on the disk does not load, the one before it is in force");
    for (const struct og_account_state *a = s->accounts.first; a; a = a->next) {
        if (a->stream.lost)
            og_buf_format(b, "; account %s: the stream is lost", a->id);
        if (a->readings.stuck)
            og_buf_format(b, "; account %s: it cannot be read, older facts are used", a->id);
    }
}

void og_send_status_text(const struct og_sender *s, char *to, size_t size)
{
    static const char *const phases[] = { "starting", "running", "stopping", "ended" };
    int working = 0, unknown = 0, posting = 0;
    struct og_buf b;

    count_orders(s, &working, &unknown, &posting);
    og_buf_init(&b, 0);
    og_buf_format(&b,
                  "%s; orders: %d working, %d unknown, %d being posted; %zu line%s wait%s; decisions: %lld accepted, "
                  "%lld refused",
                  phases[s->phase], working, unknown, posting, s->lines.count, s->lines.count == 1 ? "" : "s",
                  s->lines.count == 1 ? "s" : "", (long long)s->counts.accepted, (long long)s->counts.refused);
    write_faults(s, &b);
    snprintf(to, size, "%s", b.s && !b.bad ? b.s : phases[s->phase]);
    og_buf_clear(&b);
    for (char *c = to; *c != '\0'; c++) /* an id or a text of the broker must not begin a line of its own */
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
}

static const char *age_of(int64_t at_ns, int64_t now, char *to, size_t size)
{
    if (at_ns <= 0)
        return "never";
    snprintf(to, size, "%lld ms ago", now > at_ns ? (long long)((now - at_ns) / OG_NS_PER_MS) : 0LL);
    return to;
}

static void say_account(struct og_account_state *a)
{
    const struct og_account_stream *stream = &a->stream;
    char age[40];

    og_send_say(a->sender, "status: account %s: the stream is %s; read %s%s", a->id,
                !stream->handle ? "not open"
                : stream->lost  ? "lost"
                : stream->ready ? "up"
                                : "being opened",
                age_of(a->readings.good_ns, og_clock_now(&a->sender->clock), age, sizeof age),
                a->readings.stuck ? ", and not since" : "");
}

void og_send_on_report(uv_async_t *async)
{
    struct og_sender *s = async->data;
    char text[512];

    og_send_status_text(s, text, sizeof text);
    og_send_say(s, "status: %s; policy %s", text, s->policy.digest ? s->policy.digest : "-");
    for (struct og_account_state *a = s->accounts.first; a; a = a->next)
        say_account(a);
}

void og_sender_report(struct og_sender *s)
{
    if (s)
        uv_async_send(&s->report);
}
