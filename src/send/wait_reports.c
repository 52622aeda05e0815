/*
 * Reports waits. A line, a decided order or a cancel that has waited for OG_HELD_TELL_NS without an event gets an event
 * "held", and another one once it has waited for a different reason for as long. The file that makes it wait sets the
 * reason; this file has the texts of all reasons.
 */
#include "send/wait_reports.h"

#include <stdio.h>

#include "order/order.h"
#include "send/event.h"
#include "send/sender.h"

#define HELD_LINES_MOST 1000 /* maximum number of lines reported in one iteration of the loop */

/* A line, a decided order or a cancel that may wait. */
struct waiting {
    struct og_sender *sender;
    struct og_account_state *account; /* NULL if the line names no known account, or if the account is not needed */
    struct og_origin origin;
    const char *id;
    bool cancels;
    enum og_held_by by;
    struct og_held *held;
    const struct og_tracked *order; /* the order, if it is decided already or is to be canceled; NULL for a line */
};

static const char *const words[] = {
    [OG_HELD_NOT] = "",
    [OG_HELD_READING] = "reading",
    [OG_HELD_ELSEWHERE] = "elsewhere",
    [OG_HELD_SETTLE] = "settle",
    [OG_HELD_BORROW] = "borrow",
    [OG_HELD_FACT] = "fact",
    [OG_HELD_IN_FLIGHT] = "in-flight",
    [OG_HELD_RATE] = "rate",
    [OG_HELD_BUSY] = "busy",
    [OG_HELD_UNREACHED] = "unreachable",
    [OG_HELD_LEDGER] = "ledger",
    [OG_HELD_EARLIER] = "earlier-line",
    [OG_HELD_CANCEL] = "cancel",
    [OG_HELD_UNKNOWN] = "unknown",
};

/* --- the texts ---------------------------------------------------------------------------------------------------- */

static void say_reading(const struct waiting *w, const char *why, char *to, size_t size)
{
    const struct og_account_state *a = w->account;
    const struct og_reading *r = a ? a->readings.under_way : NULL;

    if (!a)
        snprintf(to, size, "the list of accounts has not been read yet");
    else if (r)
        snprintf(
            to, size,
            "%sa reading of account '%s' has been under way for %s: it is decided once the broker has answered, or "
            "the reading has failed (--timeout limits each of its requests)",
            why, a->id, og_age_text((int64_t)(og_time_up() - r->began)).s);
    else if (!a->stream.heard)
        snprintf(to, size, "the stream of account '%s' is being opened", a->id);
    else
        snprintf(to, size, "%saccount '%s' is to be read again", why, a->id);
}

static void say_posts(const struct waiting *w, char *to, size_t size)
{
    if (w->cancels)
        snprintf(to, size,
                 "the POST of the order has no answer and no row has shown the order yet, or the broker has not "
                 "registered it");
    else
        snprintf(to, size, "%d POST%s no answer yet, --max-in-flight allows %d", w->sender->posting,
                 w->sender->posting == 1 ? " has" : "s have", w->sender->options.max_in_flight);
}

static void say_rate(const struct waiting *w, char *to, size_t size)
{
    const enum og_endpoint call = w->cancels ? OG_ENDPOINT_CANCEL : OG_ENDPOINT_POST;
    const int64_t wait_ns = og_broker_wait(w->sender->broker, call) * OG_NS_PER_MS;

    if (wait_ns == 0 && w->by == OG_HELD_RATE && w->order)
        snprintf(to, size, "its request has not left yet: a connection to the broker is being made");
    else if (w->by == OG_HELD_BUSY)
        snprintf(to, size, "the broker answered 429: it is asked again in %s, for as long as --wait says",
                 og_age_text(wait_ns).s);
    else
        snprintf(to, size,
                 "the next request may leave in %s: the processes of this key pair have used up their request budget, "
                 "or one of them got an answer 429",
                 og_age_text(wait_ns).s);
}

static void say_unreached(const struct waiting *w, char *to, size_t size)
{
    const char *why = og_broker_failure(w->sender->broker, OG_ENDPOINT_CANCEL);

    snprintf(to, size, "its request could not be sent%s%s%s: it is tried again, for as long as --wait says",
             why ? " (" : "", why ? why : "", why ? ")" : "");
}

static void say_earlier(const struct waiting *w, char *to, size_t size)
{
    const struct og_waiting *first = og_send_first_line(w->sender);

    if (first && first->origin.line > 0)
        snprintf(to, size, "line %lld was read earlier, and is decided first", first->origin.line);
    else
        snprintf(to, size, "lines that were read earlier are decided first");
}

static void say_cancel(const struct waiting *w, char *to, size_t size)
{
    const struct og_tracked *o = w->order || !w->account ? w->order : og_send_being_canceled(w->account, og_time_up());

    snprintf(to, size,
             w->order ? "the order '%s' that it replaces is being canceled, and is not over yet"
                      : "the order '%s' is being canceled, and counts until it is over: this one would be refused now",
             o ? o->id : "");
}

/* Write what the order waits for. */
static void say(const struct waiting *w, char *to, size_t size)
{
    char changed[80];

    switch (w->by) {
    case OG_HELD_READING: say_reading(w, "", to, size); break;
    case OG_HELD_ELSEWHERE:
        snprintf(changed, sizeof changed, "%s has changed; ", og_send_elsewhere_text(w->account));
        say_reading(w, changed, to, size);
        break;
    case OG_HELD_SETTLE:
        say_reading(w, "the account's figures may lack a fill, or count an order twice; ", to, size);
        break;
    case OG_HELD_BORROW: snprintf(to, size, "the borrow check and the inventory of locates have been requested"); break;
    case OG_HELD_FACT:
        snprintf(to, size, "%s", w->order && w->order->leave.why ? w->order->leave.why : "a fact is missing");
        break;
    case OG_HELD_IN_FLIGHT: say_posts(w, to, size); break;
    case OG_HELD_RATE:
    case OG_HELD_BUSY: say_rate(w, to, size); break;
    case OG_HELD_UNREACHED: say_unreached(w, to, size); break;
    case OG_HELD_LEDGER:
        snprintf(to, size, "%s", og_send_barred(w->sender) ? og_send_barred(w->sender) : "the ledger is tried again");
        break;
    case OG_HELD_EARLIER: say_earlier(w, to, size); break;
    case OG_HELD_CANCEL: say_cancel(w, to, size); break;
    case OG_HELD_UNKNOWN:
        snprintf(to, size,
                 "it is not known what became of the order; it is looked up until the broker shows it, or has not "
                 "shown it for 60 s");
        break;
    case OG_HELD_NOT: to[0] = '\0'; break;
    }
}

/* --- lines, orders and cancels that wait -------------------------------------------------------------------------- */

void og_send_held_begins(struct og_held *h)
{
    *h = (struct og_held){ .told = OG_HELD_NOT };
}

void og_send_held_anew(struct og_held *h)
{
    h->since = 0;
}

/* Returns true if the wait is to be reported now: it has lasted long enough, and so has its present reason, since a
 * new reason may be over at once. */
static bool is_due(struct og_held *h, enum og_held_by by)
{
    const uint64_t now = og_time_up();

    if (h->since == 0)
        h->since = now;
    if (h->from == 0 || h->by != by) {
        h->by = by;
        h->from = now;
    }
    return by != OG_HELD_NOT && by != h->told && now - h->since >= OG_HELD_TELL_NS && now - h->from >= OG_HELD_TELL_NS;
}

static void tell(const struct waiting *w)
{
    char text[640];

    say(w, text, sizeof text);
    og_send_tell_wait(w->sender, w->origin, w->cancels, w->account ? w->account->id : NULL, w->id, words[w->by], text);
    w->held->told = w->by;
    w->held->since = og_time_up();
}

/* Returns true if an event was written for the line. */
static bool look_at_line(struct og_sender *s, struct og_waiting *w, enum og_held_by by)
{
    struct waiting one = { .sender = s, .origin = w->origin, .cancels = w->cancels, .by = by, .held = &w->held };
    enum og_op op;

    if (!is_due(&w->held, by) || og_order_read(s->order, w->bytes, w->len) != OG_OK)
        return false;
    op = og_order_op(s->order);
    if (op != OG_OP_ORDER && op != OG_OP_CANCEL)
        return false; /* lines of other kinds get no events */
    one.id = op == OG_OP_ORDER && w->id.s[0] != '\0' ? w->id.s : og_order_client_id(s->order);
    one.account = og_order_is_readable(s->order) ? og_send_account_of(s) : NULL;
    tell(&one);
    return true;
}

static void look_at_lines(struct og_sender *s)
{
    const struct og_waiting *first = og_send_first_line(s);
    int told = 0;

    for (struct og_waiting *w = s->lines.cancels.first; w; w = w->next)
        (void)look_at_line(s, w, w->held_by);
    for (struct og_waiting *w = s->lines.aside.first; w && told < HELD_LINES_MOST; w = w->next)
        told += look_at_line(s, w, w->held_by);
    for (struct og_waiting *w = s->lines.others.first; w && told < HELD_LINES_MOST; w = w->next)
        told += look_at_line(s, w, w == first || w->held_by != OG_HELD_NOT ? w->held_by : OG_HELD_EARLIER);
}

/* Returns what the cancel of an order waits for. While the cancel's DELETE is on its way, and after a DELETE was
 * accepted, the cancel waits for nothing but the broker. */
static enum og_held_by cancel_waits(const struct og_tracked *o)
{
    switch (o->cancel.state) {
    case OG_CANCEL_DUE: return OG_HELD_IN_FLIGHT;
    case OG_CANCEL_SENT:
        if (og_broker_failure(o->sender->broker, OG_ENDPOINT_CANCEL))
            return OG_HELD_UNREACHED;
        return og_broker_wait(o->sender->broker, OG_ENDPOINT_CANCEL) >= OG_CANCEL_TELL_MS ? OG_HELD_BUSY : OG_HELD_NOT;
    case OG_CANCEL_UNSURE: return OG_HELD_UNKNOWN;
    default: return OG_HELD_NOT;
    }
}

static void look_at_order(struct og_tracked *o)
{
    struct waiting one = { .sender = o->sender, .account = o->account, .order = o };

    if (o->post.under_way && o->execution.state == OG_INTENDED && is_due(&o->held, o->leave.held_by)) {
        one.origin = o->line.origin;
        one.id = o->id;
        one.by = o->leave.held_by;
        one.held = &o->held;
        tell(&one);
    }
    for (struct og_cancel_line *c = o->cancel.lines; c; c = c->next) {
        one.by = c->after ? OG_HELD_CANCEL : cancel_waits(o);
        if (!is_due(&c->held, one.by))
            continue;
        one.origin = c->origin;
        one.cancels = !c->after;
        one.held = &c->held;
        one.id = c->after && og_order_read(o->sender->order, c->after->bytes, c->after->len) == OG_OK
                     ? og_order_client_id(o->sender->order)
                     : o->id;
        tell(&one);
    }
}

void og_send_tell_held(struct og_sender *s)
{
    if (s->options.dry_run || s->phase != OG_RUNNING || s->fatal != 0 || og_send_ms(s) < s->held_ms)
        return;
    s->held_ms = og_send_ms(s) + OG_HELD_LOOK_MS;
    look_at_lines(s);
    for (struct og_tracked *o = s->orders; o; o = o->next)
        look_at_order(o);
}
