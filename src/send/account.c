/*
 * What is known of one account: its stream, and its readings.  A reading requests the documents that change, and is put
 * into the book as a whole or not at all.
 *
 * A reservation is kept until a reading that began after the order was seen at the broker has been taken in.  A reading
 * whose time lies before that of known facts, because a clock was set back, does not count.
 *
 * A reading requests the orders first, and positions and figures once it has them.  An order that fills in between
 * counts twice until the next reading; in the opposite order it would not count at all.  After every gap of the stream,
 * and after the first sign-in, everything is read by requests that begin once it is signed in.
 *
 * Orders: a frame is applied when it arrives, a row of an answer as of the moment its request began
 * (outcome/execution.h explains why that is equivalent to buffering).  Working orders that the list lacks are looked
 * up, since the list may leave out finished ones.  Facts: frames never change positions and figures, since the frame of
 * a fill, the row of its order and the account's figures arrive separately; a reading replaces them as a whole, and a
 * change that is heard of after its first request began causes another reading.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "send/peak.h"
#include "send/resume.h"
#include "send/sender.h"
#include "text/doc.h"
#include "wire/read.h"

#define NS_PER_MS UINT64_C(1000000)

static uint64_t age_ms(uint64_t at)
{
    return (og_time_up() - at) / NS_PER_MS;
}

/* --- a reading ---------------------------------------------------------------------------------------------------- */

static const struct {
    enum og_endpoint call;
    const char *key;
    int64_t every_ms; /* read again after so many ms; 0: in every reading */
    bool needed;      /* a reading that lacks this part fails */
} parts[] = {
    { OG_ENDPOINT_ACCOUNT, "account", 0, true },
    { OG_ENDPOINT_POSITIONS, "positions", 0, true },
    { OG_ENDPOINT_ORDERS, "orders", 0, true },
    { OG_ENDPOINT_ROUTES, "routes", OG_ROUTES_EVERY_MS, false },
    { OG_ENDPOINT_INVENTORY, "locateInventory", OG_LOCATES_OLD_MS, false },
    { OG_ENDPOINT_PNL, "pnl", 0, false },
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))
_Static_assert(PARTS == OG_READING_PARTS, "a reading has room for its parts");

static void list_orders(struct og_account_state *a, const cJSON *list, uint64_t at)
{
    struct og_order_row row;
    const cJSON *item;

    for (struct og_tracked *o = a->sender->orders; o; o = o->next)
        if (o->account == a)
            og_absence_list(&o->absence);
    cJSON_ArrayForEach (item, list) {
        if (og_order_row_read(item, &row)) {
            og_send_other_listed(a, &row, at);
            (void)og_send_row(a, &row, "list", at);
        }
    }
}

/* Returns true if positions were read so soon after a fill that they may lack the fill. Such a reading is not used,
 * unless the facts would otherwise grow older than OG_READ_OLD_MS. */
static bool is_torn(const struct og_account_state *a, const struct og_reading *r)
{
    return a->news.filled_at != 0 && a->news.filled_at + og_send_settle_ns(a->sender) > r->rest_began &&
           a->readings.read_at != 0 && age_ms(a->readings.read_at) < OG_READ_OLD_MS;
}

/* Call after the first reading r failed. Returns true if orders must wait for another reading, because the broker
 * denied this one, as it denies the account list to keys that it does not know. Such a denial may be a mistake of the
 * broker. The queue of requests repeats other failed requests, but not denied ones. */
static bool is_denied(struct og_account_state *a, const struct og_reading *r)
{
    return r->denied && ++a->readings.denials < OG_KEYS_REFUSED_MOST;
}

/* The first reading failed: go on without knowing the account, so that cancels can be sent. again: orders wait for
 * another reading. A dry run ends here, since it has nothing to cancel. */
static void cannot_read(struct og_account_state *a, const char *why, bool again)
{
    struct og_error err = { 0 };

    if (!a->sender->options.dry_run) {
        og_send_blind(a, why, again);
        a->readings.denied = again;
        return;
    }
    og_fail(&err, OG_ENET, "account '%s' cannot be read: %s", a->id, why);
    og_send_fatal(a->sender, 4, &err);
}

/* Returns true if the reading requested the optional part `call`. */
static bool asks(const struct og_reading *r, enum og_endpoint call)
{
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i].call == call)
            return r->part[i].reading != NULL;
    return false;
}

/* The reading r is not used: let the next reading request the same optional parts. */
static void ask_again(struct og_account_state *a, const struct og_reading *r)
{
    for (size_t i = 0; i < PARTS; i++)
        if (r->part[i].reading)
            a->readings.asked_ns[i] = 0;
}

/* Put a complete reading into the book. Only afterwards drop the reservations of orders that it counts,
 * since the book may refuse the reading. */
static void take_reading(struct og_account_state *a, struct og_reading *r)
{
    struct og_sender *s = a->sender;
    struct og_error err = { 0 };

    a->readings.good_at = r->began;
    a->readings.good_ns = r->clock_ns;
    if (is_torn(a, r)) {
        ask_again(a, r);
        a->readings.dirty = true;
        return;
    }
    og_buf_char(&r->facts, '}');
    og_send_distrust_future(s);
    if (r->facts.bad)
        og_fail(&err, OG_ENOMEM, "out of memory");
    if (r->facts.bad ||
        og_book_apply_answers(s->book, a->id, r->facts.s, r->facts.len, "the broker's documents", &err) != OG_OK) {
        if (r->first)
            cannot_read(a, err.text, false);
        else
            og_send_warn(s, "account '%s': %s; the older facts are kept", a->id, err.text);
        return;
    }
    a->readings.stuck = err.text[0] != '\0';
    if (a->readings.stuck) {
        og_send_warn(s, "account '%s': %s; the newer facts are kept", a->id, err.text);
        a->readings.failed_at = r->began;
        a->readings.failed_by = og_time_up();
        if (!r->first) /* the book skipped some keys of the reading, since it has newer facts: keep the reservations */
            return;
        /* a first reading counts although the book skipped keys: the book has them from a facts file, which is newer */
    }
    og_send_drop_holds(a, r->began);
    og_send_drop_others(a, r->began);
    a->readings.read_at = r->began;
    a->readings.taken_ns = og_clock_now(&s->clock);
    if (asks(r, OG_ENDPOINT_INVENTORY)) {
        a->readings.locates_ns = a->readings.taken_ns;
        a->readings.locates_at = r->began;
    }
    og_send_pnl_read(a);
}

/* A first reading failed and is not tried again: give the book the list of orders, if the reading has it. Working
 * orders then count, although positions are not known. */
static void take_orders(struct og_account_state *a, const struct og_reading *r)
{
    struct og_sender *s = a->sender;
    struct og_error err = { 0 };
    struct og_buf b;

    if (!r->orders || s->options.dry_run)
        return;
    og_buf_init(&b, 0);
    og_buf_text(&b, "{\"asOf\":");
    og_buf_json_str(&b, og_str_of(og_time_text(r->clock_ns).s));
    og_buf_text(&b, ",\"orders\":");
    if (!og_doc_text(r->orders, &b))
        b.bad = true;
    og_buf_char(&b, '}');
    if (b.bad)
        og_fail(&err, OG_ENOMEM, "out of memory");
    if (b.bad || og_book_apply_answers(s->book, a->id, b.s, b.len, "the broker's list of orders", &err) != OG_OK)
        og_send_warn(s, "account '%s': %s; its orders do not count", a->id, err.text);
    og_buf_clear(&b);
}

static void free_reading(struct og_reading *r)
{
    if (!r)
        return;
    og_buf_clear(&r->facts);
    cJSON_Delete(r->orders);
    free(r);
}

static void end_reading(struct og_reading *r)
{
    struct og_account_state *a = r->account;
    struct og_sender *s = a->sender;
    bool over_gap = a->readings.good_at < a->stream.gap_at && r->began >= a->stream.gap_at;

    a->readings.under_way = NULL;
    if (!r->failed) {
        a->readings.denied = false;
        og_send_ask_missed(a, over_gap);
        take_reading(a, r);
        og_send_compare_positions(a, r->began);
        if (r->first && a->readings.read_at != 0 && s->fatal == 0) {
            og_send_account_step(a, OG_ACCOUNT_READY);
            og_send_count_earlier(a, r);
            og_send_recover(a);
            og_send_reserve_recovered(a);
            og_send_say_externals(a);
            if (og_book_lacks_fills(s->book, a->id, og_clock_now(&s->clock)))
                a->readings.first_at = og_time_up();
            if (og_book_lacks_other_fills(s->book, a->id)) /* the tickets of earlier runs count their fills: no wait */
                og_send_changed_elsewhere(a, OG_STR(""), OG_STR(""), "first", OG_CHANGE_FILLS, false);
        }
        og_send_account_was_good(a, &a->readings.good, r->began);
        a->readings.good = (struct og_absence_moment){ .up = r->began, .at = r->clock_ns, .date = r->date };
    } else if (r->first) {
        cannot_read(a, r->why, is_denied(a, r));
        if (!a->readings.denied)
            take_orders(a, r);
    } else {
        ask_again(a, r);
        a->readings.stuck = a->readings.dirty = true;
        a->readings.failed_at = r->began;
        a->readings.failed_by = og_time_up();
        og_send_warn(s, "account '%s' cannot be read: %s; the older facts are kept", a->id, r->why);
    }
    free_reading(r);
    og_send_wake(s);
}

static void ask_rest(struct og_reading *r);

/* The optional part did not come: request it again after the usual pause. */
static void miss(struct og_account_state *a, size_t i)
{
    if (parts[i].every_ms != 0)
        a->readings.asked_ns[i] =
            og_clock_now(&a->sender->clock) - (parts[i].every_ms - OG_READ_EVERY_MS) * (int64_t)NS_PER_MS;
}

static void take_part(struct og_reading *r, size_t i, const struct og_call_reply *reply)
{
    cJSON *doc = NULL;
    struct og_error err = { 0 };

    if (og_doc_read(reply->body, reply->len, og_endpoints[parts[i].call].name, &doc, &err) != OG_OK) {
        snprintf(r->why, sizeof r->why, "%s: %s", og_endpoints[parts[i].call].name, err.text);
        r->failed |= parts[i].needed;
        miss(r->account, i);
        return;
    }
    og_buf_format(&r->facts, ",\"%s\":", parts[i].key);
    og_buf_bytes(&r->facts, reply->body, reply->len);
    if (parts[i].call == OG_ENDPOINT_POSITIONS)
        og_send_held(r->account, og_wire_list(doc, "positions"));
    if (parts[i].call == OG_ENDPOINT_ORDERS) {
        list_orders(r->account, og_wire_list(doc, "orders"), reply->began_ns);
        r->orders = doc;
        ask_rest(r);
        return;
    }
    cJSON_Delete(doc);
}

static bool is_denial(int status)
{
    return status == 401 || status == 403 || status == 404;
}

static void on_part(void *with, const struct og_call_reply *reply)
{
    struct og_reading_part *p = with;
    struct og_reading *r = p->reading;
    size_t i = p->which;

    og_clock_hear(&r->account->sender->clock, reply->date_ns, reply->began_ns, reply->ended_ns);
    if (reply->date_ns != OG_TIME_UNKNOWN && (r->date == OG_TIME_UNKNOWN || reply->date_ns > r->date))
        r->date = reply->date_ns;
    if (reply->end == OG_CALL_ANSWERED && reply->status == 200) {
        take_part(r, i, reply);
    } else if (parts[i].needed) {
        r->failed = true;
        r->denied |= reply->end == OG_CALL_ANSWERED && is_denial(reply->status);
        if (reply->end == OG_CALL_ANSWERED)
            snprintf(r->why, sizeof r->why, "%s: HTTP %d%s", og_endpoints[parts[i].call].name, reply->status,
                     og_endpoint_denial(parts[i].call, reply->status));
        else
            snprintf(r->why, sizeof r->why, "%s: %s", og_endpoints[parts[i].call].name, reply->error);
    } else {
        miss(r->account, i);
    }
    if (--r->missing == 0)
        end_reading(r);
}

static void ask_part(struct og_reading *r, size_t i)
{
    struct og_account_state *a = r->account;

    r->part[i] = (struct og_reading_part){ r, i };
    if (og_broker_call(a->sender->broker, parts[i].call, og_str_of(a->id), OG_STR(""), NULL, 0,
                       parts[i].needed ? OG_READ_WAIT_MS : OG_READ_EXTRA_MS, on_part, &r->part[i], NULL) == OG_OK) {
        r->missing++;
    } else {
        r->failed = true;
        snprintf(r->why, sizeof r->why, "out of memory");
    }
}

static void ask_rest(struct og_reading *r)
{
    r->rest_began = og_time_up();
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i].every_ms == 0 && parts[i].call != OG_ENDPOINT_ORDERS &&
            (parts[i].call != OG_ENDPOINT_PNL || r->account->sender->policy.reads_pnl))
            ask_part(r, i);
}

/* Returns true if ms have passed since clock_ns by the sender's clock, which jumps ahead when the broker's does. */
static bool is_past(const struct og_account_state *a, int64_t clock_ns, int64_t ms)
{
    return og_clock_now(&a->sender->clock) - clock_ns >= ms * (int64_t)NS_PER_MS;
}

/* Returns true if the optional part is due by the sender's clock (by which the policy judges how old facts are), or if
 * that clock was set back. */
static bool is_due(const struct og_account_state *a, size_t i)
{
    return (parts[i].call != OG_ENDPOINT_INVENTORY || a->readings.sells_short) &&
           (is_past(a, a->readings.asked_ns[i], parts[i].every_ms) ||
            og_clock_now(&a->sender->clock) < a->readings.asked_ns[i]);
}

static bool is_any_due(const struct og_account_state *a)
{
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i].every_ms != 0 && is_due(a, i))
            return true;
    return false;
}

static void begin_reading(struct og_account_state *a)
{
    struct og_sender *s = a->sender;
    struct og_reading *r = calloc(1, sizeof *r);
    struct og_ledger_head head = { 0 };

    if (!r)
        return; /* out of memory: the next tick tries again */
    r->account = a;
    r->first = a->step == OG_ACCOUNT_LOADING || a->step == OG_ACCOUNT_BLIND;
    if (r->first && s->ledger && og_ledger_head(s->ledger, &head, NULL) == OG_OK)
        r->recorded = head.seq; /* if the head cannot be read, recorded stays 0: any record of the ledger may be newer
                                 * than the answers */
    r->began = r->rest_began = og_time_up();
    r->clock_ns = og_clock_now(&s->clock);
    r->date = OG_TIME_UNKNOWN;
    og_buf_init(&r->facts, 0);
    og_buf_text(&r->facts, "{\"asOf\":");
    og_buf_json_str(&r->facts, og_str_of(og_time_text(r->clock_ns).s));
    a->readings.under_way = r;
    a->readings.dirty = false; /* a change from now on may be missing in the answers; it sets dirty again */
    a->readings.next_ms = og_send_ms(s) + OG_READ_DIRTY_MS;
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i].call == OG_ENDPOINT_ORDERS || (parts[i].every_ms != 0 && (r->first || is_due(a, i)))) {
            a->readings.asked_ns[i] = r->clock_ns;
            ask_part(r, i);
        }
    a->readings.sells_short = false;
    if (r->missing == 0)
        end_reading(r);
}

/* --- when to read ------------------------------------------------------------------------------------------------- */

void og_send_account_dirty(struct og_account_state *a)
{
    a->readings.dirty = true;
}

void og_send_account_hurry(struct og_account_state *a)
{
    a->readings.dirty = true;
    if (!a->readings.stuck)
        a->readings.next_ms = og_send_ms(a->sender);
}

void og_send_account_stuck(struct og_account_state *a, int64_t again_ms)
{
    a->readings.stuck = a->readings.dirty = true;
    a->readings.failed_by = og_time_up();
    a->readings.next_ms = again_ms;
}

void og_send_account_unstuck(struct og_account_state *a)
{
    a->readings.stuck = false;
}

void og_send_account_look(struct og_account_state *a)
{
    struct og_sender *s = a->sender;

    if ((a->step != OG_ACCOUNT_READY && a->step != OG_ACCOUNT_BLIND) || a->unlisted || a->readings.under_way ||
        og_send_ms(s) < a->readings.next_ms)
        return;
    if (a->readings.dirty || a->readings.good_at < a->stream.gap_at ||
        age_ms(a->readings.good_at) >= OG_READ_EVERY_MS || is_past(a, a->readings.good_ns, OG_READ_EVERY_MS) ||
        is_any_due(a))
        begin_reading(a);
}

bool og_send_account_ready(struct og_account_state *a, uint64_t asked_at)
{
    if (a->unlisted)
        return a->step == OG_ACCOUNT_BLIND;
    if ((a->step != OG_ACCOUNT_READY && a->step != OG_ACCOUNT_BLIND) ||
        (!a->stream.heard && !a->sender->options.dry_run))
        return false;
    if (a->readings.denied) {
        og_send_account_look(a);
        return false;
    }
    if (a->readings.read_at < a->sender->policy.pnl_from) /* the new policy needs P&L, which the newest reading lacks */
        a->readings.dirty = true;
    og_send_account_look(a);
    if (a->readings.read_at < a->sender->policy.pnl_from && !a->readings.stuck)
        return false;
    /* The age is measured by both clocks: by og_time_up() since the reading began, and by the sender's clock since the
     * reading was put into the book.  Measured by the sender's clock alone, the reading would be too old as soon as
     * its answers come, if the broker's clock runs very fast. */
    return a->readings.stuck || a->readings.read_at > asked_at ||
           (age_ms(a->readings.read_at) < OG_READ_OLD_MS && !is_past(a, a->readings.taken_ns, OG_READ_OLD_MS));
}

bool og_send_locates_known(struct og_account_state *a, uint64_t from)
{
    if (og_send_locates_since(a, from) || !is_past(a, a->readings.locates_ns, OG_LOCATES_OLD_MS))
        return true;
    a->readings.sells_short = true; /* stays true until a reading requests the locates */
    og_send_account_look(a);
    return false;
}

bool og_send_locates_since(const struct og_account_state *a, uint64_t from)
{
    return a->readings.stuck || a->readings.locates_at > from;
}

void og_send_ask_locates(struct og_account_state *a, uint64_t from)
{
    const struct og_reading *r = a->readings.under_way;

    if (r && r->began > from && asks(r, OG_ENDPOINT_INVENTORY))
        return;
    a->readings.sells_short = true;
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i].call == OG_ENDPOINT_INVENTORY)
            a->readings.asked_ns[i] = 0;
    og_send_account_look(a);
}

void og_send_account_open(struct og_account_state *a)
{
    struct og_error err = { 0 };

    if (!a->sender->options.dry_run && og_send_stream_open(a, &err) != OG_OK)
        og_send_fatal(a->sender, 4, &err);
    else
        begin_reading(a);
}

void og_send_account_free(struct og_account_state *a)
{
    og_send_borrow_free(a);
    free_reading(a->readings.under_way);
    og_stream_free(a->stream.handle);
    og_buf_clear(&a->used);
    og_send_positions_free(a);
    og_send_let_go(a);
    free(a->id);
    free(a);
}
