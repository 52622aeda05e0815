/*
 * Reports what happens: events for the program and rows for the ledger, those of one iteration of the loop together
 * (deliver.c).
 */
#include "send/event.h"

#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/account_id.h"
#include "base/error.h"
#include "base/json_write.h"
#include "order/order.h"
#include "text/doc.h"

static struct og_str or_null(const char *s)
{
    return s && s[0] != '\0' ? og_str_of(s) : (struct og_str){ NULL, 0 };
}

static struct og_buf *begin(struct og_sender *s, const char *event, struct og_origin origin)
{
    struct og_buf *b = &s->told.events;
    const char *file = origin.line > 0 && origin.file >= 0 ? s->file[origin.file].name : NULL;

    og_buf_format(b, "{\"event\":\"%s\",\"run\":\"%s\",\"seq\":%lld,\"line\":", event, s->run.s,
                  (long long)++s->told.seq);
    if (origin.line > 0)
        og_buf_int(b, origin.line);
    else
        og_buf_text(b, "null");
    if (file)
        og_member_str(b, "file", og_str_of(file));
    if (origin.writer > 0)
        og_member_int(b, "writer", (int64_t)origin.writer);
    og_buf_bytes(&s->told.writers, (const char *)&origin.writer, sizeof origin.writer);
    return b;
}

/* Write the strategy that the order counts for; nothing if it has none. */
static void write_tag(struct og_buf *b, const struct og_tracked *o)
{
    if (o && o->post.tag)
        og_member_str(b, "tag", og_str_of(o->post.tag));
}

static void end(struct og_sender *s, struct og_buf *b)
{
    og_member_str(b, "at", og_str_of(og_time_text(og_clock_now(&s->clock)).s));
    og_buf_text(b, "}\n");
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

bool og_send_record(struct og_tracked *o, const char *record, const char *outcome, struct og_str detail)
{
    struct og_sender *s = o->sender;
    struct og_ledger_row row = { .at = og_clock_now(&s->clock),
                                 .account = og_str_of(o->account->id),
                                 .id = og_str_of(o->id),
                                 .tag = og_str_of(o->post.tag),
                                 .record = record,
                                 .state = o->execution.state,
                                 .outcome = or_null(outcome),
                                 .broker_id = or_null(o->execution.broker_id),
                                 .executed = o->execution.executed,
                                 .price_avg = o->execution.price_avg,
                                 .code = or_null(o->execution.code),
                                 .text = or_null(o->execution.text),
                                 .detail = detail };

    return og_send_append(s, &row);
}

/* Write the members of a decision to *to, which the caller frees. Returns false if out of memory. */
static bool write_members(const struct og_decision *d, char **to, size_t *len)
{
    size_t room = 8192;

    *to = NULL;
    for (;;) {
        char *more = realloc(*to, room);

        if (!more)
            return false;
        *to = more;
        if (og_decision_write_members(d, *to, room, len) == OG_OK)
            return true;
        if (*len < room)
            return false;
        room = *len + 1;
    }
}

/* Add the order's digest, by which a waiver names the order. If the order was refused, also add its terms, for the
 * person who decides on a waiver. */
static void write_order(struct og_sender *s, const struct og_decision *d, struct og_buf *detail)
{
    char digest[OG_ORDER_DIGEST_SIZE];

    if (d->op || og_order_op(s->order) != OG_OP_ORDER || og_order_digest(s->order, digest) != OG_OK)
        return; /* the line is not an order, or the order has no body */
    og_member_str(detail, "digest", og_str_of(digest));
    if (d->accepted)
        return; /* the order's intent will have the body */
    og_member_key(detail, "order");
    (void)og_order_write_terms(s->order, detail);
}

/* Record a decision. With `ends`, the decision is a refusal and is the line's outcome. `why` is the reason if no
 * finding gives it, otherwise NULL. */
static bool record_decision(struct og_sender *s, const struct og_decision *d, struct og_str members, bool ends,
                            const char *why)
{
    struct og_ledger_row row = { .at = d->at,
                                 .account = og_str_of(d->account_id),
                                 .id = or_null(d->client_order_id),
                                 .tag = or_null(d->tag),
                                 .record = "decision",
                                 .state = d->accepted ? OG_INTENDED : OG_REFUSED,
                                 .text = or_null(why) };
    struct og_buf detail;
    bool ok;

    og_buf_init(&detail, 0);
    og_buf_char(&detail, '{');
    og_buf_str(&detail, members);
    write_order(s, d, &detail);
    og_buf_char(&detail, '}');
    row.detail = (struct og_str){ detail.s, detail.len };
    if (!d->accepted && ends)
        row.outcome = OG_STR("refused");
    for (int i = 0; i < d->count && !d->accepted && !why; i++) {
        if (d->findings[i].level == OG_LEVEL_REFUSE) {
            row.text = og_str_of(d->findings[i].message);
            break;
        }
    }
    ok = !detail.bad && og_send_append(s, &row);
    og_buf_clear(&detail);
    return ok;
}

/* Add the order, if it can be written. */
static void add_order(const struct og_order *order, struct og_buf *b)
{
    const size_t before = b->len;

    og_member_key(b, "order");
    if (!og_order_write_terms(order, b) && !b->bad)
        b->len = before;
}

static bool tell_decision(struct og_sender *s, struct og_origin origin, const struct og_decision *d, bool ends,
                          const char *why)
{
    char *members = NULL;
    size_t len = 0;
    bool ok = write_members(d, &members, &len);
    struct og_buf *b;

    if (ok && (ok = record_decision(s, d, (struct og_str){ members, len }, ends, why))) {
        og_send_count_decision(s, d);
        b = begin(s, "decision", origin);
        og_buf_char(b, ',');
        og_buf_bytes(b, members, len);
        if (why)
            og_member_str(b, "text", og_str_of(why));
        if (s->tells && !d->op)
            add_order(s->order, b);
        og_buf_text(b, "}\n");
    }
    free(members);
    return ok;
}

bool og_send_tell_decision(struct og_sender *s, struct og_origin origin, const struct og_decision *d)
{
    return tell_decision(s, origin, d, true, NULL);
}

bool og_send_tell_refusal(struct og_sender *s, struct og_origin origin, struct og_decision *d, const char *why)
{
    d->accepted = false;
    return tell_decision(s, origin, d, true, why);
}

bool og_send_tell_refused_later(struct og_tracked *o, const struct og_decision *d)
{
    return tell_decision(o->sender, o->line.origin, d, false, NULL);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Write the members that say how a request ended: HTTP status, error, times. */
static void write_end(struct og_buf *b, const struct og_call_reply *reply, struct og_str status)
{
    og_buf_text(b, "\"http\":");
    if (reply->status != 0)
        og_buf_int(b, reply->status);
    else
        og_buf_text(b, "null");
    og_member_str(b, "orderStatus", status.len > 0 ? status : (struct og_str){ NULL, 0 });
    og_member_str(b, "error", or_null(reply->error));
    og_member_key(b, "attempts");
    og_buf_int(b, reply->attempts);
    og_member_key(b, "tookUs");
    og_buf_int(b, reply->ended_ns > reply->began_ns ? (int64_t)((reply->ended_ns - reply->began_ns) / 1000) : 0);
}

/* Record how the POST ended. The record after this one says what that means for the order. */
static void record_post(struct og_tracked *o, const struct og_call_reply *reply, struct og_str status,
                        struct og_str text)
{
    struct og_buf detail;

    og_buf_init(&detail, 0);
    og_buf_char(&detail, '{');
    write_end(&detail, reply, status);
    og_member_str(&detail, "text", text.len > 0 ? text : (struct og_str){ NULL, 0 });
    og_buf_char(&detail, '}');
    (void)og_send_record(o, "post", NULL, (struct og_str){ detail.s, detail.len });
    og_buf_clear(&detail);
}

void og_send_tell_posted(struct og_tracked *o, const struct og_call_reply *reply, struct og_str status,
                         struct og_str text)
{
    struct og_buf *b;

    record_post(o, reply, status, text);
    if (reply->attempts == 0)
        return; /* no event, since no request was sent */
    og_send_count_post(o->sender, reply->ended_ns > reply->began_ns ? reply->ended_ns - reply->began_ns : 0);
    b = begin(o->sender, "posted", o->line.origin);
    og_member_str(b, "clientOrderId", og_str_of(o->id));
    og_member_str(b, "accountId", og_str_of(o->account->id));
    write_tag(b, o);
    og_member_key(b, "http");
    if (reply->status != 0)
        og_buf_int(b, reply->status);
    else
        og_buf_text(b, "null");
    og_member_str(b, "orderStatus", status.len > 0 ? status : (struct og_str){ NULL, 0 });
    if (text.len > 0)
        og_member_str(b, "text", text);
    if (reply->error[0] != '\0')
        og_member_str(b, "error", og_str_of(reply->error));
    end(o->sender, b);
}

void og_send_tell_stream(struct og_account_state *a, bool up, const char *why)
{
    struct og_buf *b = begin(a->sender, "stream", (struct og_origin){ 0, -1, 0 });

    og_member_str(b, "state", up ? OG_STR("up") : OG_STR("down"));
    og_member_str(b, "accountId", og_str_of(a->id));
    og_member_str(b, "text", or_null(why));
    end(a->sender, b);
}

void og_send_tell_update(struct og_tracked *o, const struct og_order_row *row, const char *source)
{
    static const struct og_order_row none;
    struct og_buf *b = begin(o->sender, o->external ? "external" : "update", o->line.origin);
    /* true if another run made the order and reported its outcome, and no line of this run names it */
    const bool is_left = o->recovered && o->line.origin.line == 0 && !o->line.owed;
    struct og_str code, text;
    char more[OG_END_TEXT_SIZE];

    if (!row)
        row = &none;
    text = row != &none ? row->text
                        : or_null(og_send_end_text(o->sender, o->account->id, o->id, og_state_name(o->execution.state),
                                                   o->execution.text, more));
    code = og_reject_code(text);

    og_member_str(b, "clientOrderId", og_str_of(o->id));
    og_member_str(b, "accountId", og_str_of(o->account->id));
    write_tag(b, o);
    og_member_str(b, "source", og_str_of(source));
    og_member_str(b, "orderStatus", row->status_text);
    if (o->recovered)
        og_buf_text(b, ",\"otherRun\":true");
    if (og_send_settles(o) || (is_left && og_state_is_final(o->execution.state)))
        og_member_str(b, "outcome", og_str_of(og_state_name(o->execution.state)));
    if (o->external || is_left) {
        og_member_str(b, "symbol", row->symbol);
        og_member_str(b, "side", row->side);
    }
    og_member_str(b, "code", code.len > 0 ? code : (struct og_str){ NULL, 0 });
    og_member_str(b, "text", text.len > 0 ? text : (struct og_str){ NULL, 0 });
    og_member_money(b, "executed", o->execution.executed);
    og_member_money(b, "priceAvg", o->execution.price_avg);
    og_member_money(b, "leavesQuantity", o->execution.leaves);
    if (o->execution.broker_id)
        og_member_str(b, "brokerOrderId", og_str_of(o->execution.broker_id));
    end(o->sender, b);
}

static struct og_str user_name(void)
{
    const struct passwd *user = getpwuid(geteuid());

    return or_null(user ? user->pw_name : NULL);
}

bool og_send_record_damage(struct og_sender *s, const struct og_ledger_damage *damage)
{
    struct og_ledger_row row = { .at = og_time_now(), /* the machine's time: the broker's clock is not known yet */
                                 .account = OG_STR(""),
                                 .record = OG_LEDGER_ACCEPTANCE,
                                 .state = OG_DONE,
                                 .code = og_str_of(damage->digest.s),
                                 .text = og_str_of(damage->first) };
    struct og_buf detail;
    bool ok;

    og_buf_init(&detail, 0);
    og_buf_format(&detail, "{\"faults\":%lld", damage->faults);
    og_member_str(&detail, "by", user_name());
    og_buf_char(&detail, '}');
    row.detail = (struct og_str){ detail.s, detail.len };
    ok = !detail.bad && og_send_append(s, &row) && og_send_commit(s);
    og_buf_clear(&detail);
    return ok;
}

bool og_send_tell_policy(struct og_sender *s, const char *old, const char *new, const char *why)
{
    struct og_ledger_row row = {
        .at = og_clock_now(&s->clock), .account = OG_STR(""), .record = "policy", .state = OG_DONE
    };
    struct og_buf detail, *b;
    bool ok;

    og_buf_init(&detail, 0);
    og_buf_text(&detail, "{\"old\":");
    og_buf_json_str(&detail, og_str_of(old));
    og_member_str(&detail, "new", og_str_of(new));
    og_member_str(&detail, "why", og_str_of(why));
    og_member_str(&detail, "by", user_name());
    og_buf_char(&detail, '}');
    row.detail = (struct og_str){ detail.s, detail.len };
    ok = !detail.bad && og_send_append(s, &row);
    if (ok) {
        b = begin(s, "policy", (struct og_origin){ 0, -1, 0 });
        og_member_str(b, "old", og_str_of(old));
        og_member_str(b, "new", og_str_of(new));
        og_member_str(b, "why", og_str_of(why));
        end(s, b);
    }
    og_buf_clear(&detail);
    return ok;
}

void og_send_tell_latched(struct og_account_state *a, const struct og_latch *latch, const char *source)
{
    struct og_buf *b = begin(a->sender, "latched", (struct og_origin){ 0, -1, 0 });

    og_send_warn(a->sender,
                 "account '%s': a latch is tripped: %s of %s, the limit is %s: limits below %s count as exceeded until "
                 "%s: ordergate resume --latch %s --reason TEXT",
                 a->id, latch->name, og_money_text(latch->value).s, og_money_text(latch->limit).s,
                 og_money_text(latch->value).s, latch->until_resumed ? "somebody resumes" : "the next session day",
                 latch->name);
    og_member_str(b, "accountId", og_str_of(a->id));
    og_ledger_write_latch(b, latch);
    og_member_str(b, "source", og_str_of(source));
    end(a->sender, b);
}

bool og_send_record_latch(struct og_account_state *a, const struct og_latch *latch)
{
    struct og_ledger_row row = { .at = og_clock_now(&a->sender->clock), .account = og_str_of(a->id) };
    struct og_buf text, detail;
    bool ok;

    og_buf_init(&text, 0);
    og_buf_init(&detail, 0);
    ok = og_ledger_latch_row(&row, &text, &detail, latch) && og_send_append(a->sender, &row);
    og_buf_clear(&text);
    og_buf_clear(&detail);
    return ok;
}

void og_send_tell_unlatched(struct og_account_state *a, const char *latch, struct og_str detail)
{
    struct og_buf *b = begin(a->sender, "resumed", (struct og_origin){ 0, -1, 0 });
    struct og_str by = { NULL, 0 }, reason = { NULL, 0 };
    cJSON *doc = NULL;

    if (detail.len > 0 && og_doc_read(detail.s, detail.len, "detail", &doc, NULL) == OG_OK) {
        (void)og_doc_str(doc, "by", &by);
        (void)og_doc_str(doc, "reason", &reason);
    }
    og_member_str(b, "accountId", og_str_of(a->id));
    og_member_str(b, "latch", og_str_of(latch));
    og_member_str(b, "by", by);
    og_member_str(b, "reason", reason);
    end(a->sender, b);
    cJSON_Delete(doc);
}

void og_send_tell_position(struct og_account_state *a, const char *symbol, struct og_money before,
                           struct og_money by_orders, struct og_money after)
{
    struct og_buf *b = begin(a->sender, "external", (struct og_origin){ 0, -1, 0 });

    og_member_str(b, "clientOrderId", (struct og_str){ NULL, 0 });
    og_member_str(b, "accountId", og_str_of(a->id));
    og_member_str(b, "source", OG_STR("positions"));
    og_member_str(b, "symbol", og_str_of(symbol));
    og_member_money(b, "before", before);
    og_member_money(b, "byOrders", by_orders);
    og_member_money(b, "after", after);
    end(a->sender, b);
}

void og_send_tell_clock(struct og_sender *s, int64_t ahead_ms)
{
    struct og_buf *b = begin(s, "clock", (struct og_origin){ 0, -1, 0 });

    og_buf_format(b, ",\"brokerAheadMs\":%lld", (long long)ahead_ms);
    end(s, b);
}

void og_send_tell_wait(struct og_sender *s, struct og_origin origin, bool cancels, const char *account, const char *id,
                       const char *reason, const char *text)
{
    struct og_buf *b = begin(s, "held", origin);

    if (cancels)
        og_member_str(b, "op", OG_STR("cancel"));
    og_member_str(b, "clientOrderId", or_null(id));
    og_member_str(b, "accountId", or_null(account));
    og_member_str(b, "reason", og_str_of(reason));
    og_member_str(b, "text", og_str_of(text));
    end(s, b);
}

void og_send_tell_anomaly(struct og_tracked *o, struct og_str detail, const char *format, ...)
{
    struct og_buf *b;
    char text[600];
    va_list args;

    va_start(args, format);
    og_text_format(text, sizeof text, format, args);
    va_end(args);
    (void)og_send_record(o, "anomaly", NULL, detail);
    og_send_warn(o->sender, "order '%s': %s", o->id, text);
    b = begin(o->sender, "anomaly", o->line.origin);
    og_member_str(b, "clientOrderId", og_str_of(o->id));
    og_member_str(b, "accountId", og_str_of(o->account->id));
    write_tag(b, o);
    og_member_str(b, "text", og_str_of(text));
    end(o->sender, b);
}

void og_send_tell_trading(struct og_sender *s, const struct og_ledger_trading *t)
{
    struct og_buf *b = begin(s, "trading", (struct og_origin){ 0, -1, 0 });

    og_member_str(b, "trading", og_str_of(t->trading));
    og_member_str(b, "was", og_str_of(t->was));
    og_member_str(b, "since", or_null(t->since));
    og_member_str(b, "by", or_null(t->by));
    og_member_str(b, "reason", or_null(t->reason));
    end(s, b);
}

void og_send_tell_writer(struct og_sender *s, uint64_t writer, const char *state, const char *text)
{
    struct og_buf *b = begin(s, "writer", (struct og_origin){ 0, -1, writer });

    og_member_str(b, "state", og_str_of(state));
    og_member_str(b, "text", og_str_of(text));
    end(s, b);
}

void og_send_tell_dead_man(struct og_sender *s, int canceled)
{
    struct og_buf *b = begin(s, "dead-man", (struct og_origin){ 0, -1, 0 });

    og_buf_format(b, ",\"canceling\":%d", canceled);
    end(s, b);
}

void og_send_tell_cancel(struct og_tracked *o, struct og_origin origin, const struct og_call_reply *reply,
                         struct og_str status)
{
    struct og_buf *b = begin(o->sender, "cancel", origin), detail;

    og_buf_init(&detail, 0);
    og_buf_char(&detail, '{');
    write_end(&detail, reply, status);
    og_buf_char(&detail, '}');
    (void)og_send_record(o, "cancel", NULL, (struct og_str){ detail.s, detail.len });
    og_member_str(b, "clientOrderId", og_str_of(o->id));
    og_member_str(b, "accountId", og_str_of(o->account->id));
    write_tag(b, o);
    og_buf_char(b, ',');
    write_end(b, reply, status);
    end(o->sender, b);
    og_buf_clear(&detail);
}

/* Count an outcome for the exit code. The outcome of an earlier run's order does not make this run fail. */
static void count(struct og_sender *s, struct og_origin origin, const char *outcome)
{
    if (origin.line == 0)
        return;
    s->told.refused |= strcmp(outcome, "refused") == 0 || strcmp(outcome, "rejected") == 0;
    /* in a dry run all accepted orders are not-sent, so only lines that were undecided when the run was stopped
     * count */
    s->told.not_sent |= strcmp(outcome, "not-sent") == 0 && (!s->options.dry_run || s->phase != OG_RUNNING);
}

void og_send_count_unknown(struct og_sender *s)
{
    s->told.unknown++;
}

void og_send_count_settled(struct og_sender *s, struct og_origin origin, const char *outcome)
{
    s->told.unknown--;
    count(s, origin, outcome);
}

/* Returns the followed order with that id; NULL if there is none. */
static const struct og_tracked *find(struct og_sender *s, const char *account, const char *id)
{
    for (const struct og_account_state *a = s->accounts.first; a && account && id; a = a->next)
        if (og_same_account(og_str_of(a->id), og_str_of(account)))
            return og_orders_find(s, a, og_str_of(id));
    return NULL;
}

static void tell_outcome(struct og_sender *s, struct og_origin origin, const char *op, const char *account,
                         const char *id, const struct og_execution *execution, const char *outcome, const char *text,
                         bool other_run)
{
    static const struct og_execution nothing;
    struct og_buf *b = begin(s, "outcome", origin);
    struct og_str own = or_null(id);
    char more[OG_END_TEXT_SIZE];

    if (!execution)
        execution = &nothing;
    if (!op || (text && strcmp(text, OG_CANCELED_BEFORE) == 0) ||
        (execution->text && strcmp(execution->text, OG_CANCELED_BEFORE) == 0))
        text = og_send_end_text(s, account, id, outcome, text ? text : execution->text, more);
    if (op)
        og_member_str(b, "op", og_str_of(op));
    og_member_str(b, "clientOrderId", own);
    og_member_str(b, "accountId", or_null(account));
    write_tag(b, find(s, account, id));
    og_member_str(b, "outcome", og_str_of(outcome));
    og_member_str(b, "code", or_null(execution->code));
    og_member_str(b, "text", or_null(text ? text : execution->text));
    og_member_money(b, "executed", execution->executed);
    og_member_money(b, "priceAvg", execution->price_avg);
    og_member_str(b, "brokerOrderId",
                  execution->posts > 0 ? or_null(og_execution_id(execution, own).s) : (struct og_str){ NULL, 0 });
    if (other_run)
        og_buf_text(b, ",\"otherRun\":true");
    end(s, b);
    count(s, origin, outcome);
    if (!op)
        og_send_count_outcome(s, outcome);
}

void og_send_tell_outcome(struct og_sender *s, struct og_origin origin, const char *account, const char *id,
                          const struct og_execution *execution, const char *outcome)
{
    tell_outcome(s, origin, NULL, account, id, execution, outcome, NULL, false);
}

void og_send_tell_resumed(struct og_sender *s, struct og_origin origin, const char *account, const char *id,
                          const struct og_execution *execution, const char *outcome)
{
    tell_outcome(s, origin, NULL, account, id, execution, outcome, NULL, true);
}

void og_send_tell_cancel_outcome(struct og_sender *s, struct og_origin origin, const char *account, const char *id,
                                 const struct og_execution *execution, const char *outcome, const char *text)
{
    tell_outcome(s, origin, "cancel", account, id, execution, outcome, text, false);
}
