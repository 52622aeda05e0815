/*
 * Records that other processes wrote to the ledger: orders that they are about to post reserve buying power here too,
 * posted orders count against limits, and states that a person recorded are taken over. Orders of another process are
 * not followed while the run that posted them is alive, since that run asks the broker about them.
 */
#include <stdlib.h>

#include "base/error.h"
#include "ordergate/order.h"
#include "send/peak.h"
#include "send/resume.h"
#include "send/sender.h"
#include "wire/read.h"

#define COUNTED_NS \
    (25 * 3600 * OG_NS_PER_S) /* how long a sent order counts against limits: no day in New York is longer */
/* maximum number of working orders for which one look at the ledger checks whether their runs have ended */
#define LOOKS_MOST 20

/* An order of another run. What it may use stays reserved until the order is over and a reading of the account includes
 * all its fills. */
struct og_other {
    struct og_other *next;
    struct og_account_state *account;
    og_ticket ticket;
    bool ended; /* the run that posted it had ended when this run began */
    bool left;  /* the order's POST has ended; before that, its request may still be about to leave */
    bool seen;  /* the broker showed the order, at seen_at */
    bool works; /* the order was working when the broker last showed it */
    uint64_t seen_at;
    /* og_time_up() when the newest list that shows the order was requested; 0 if no list showed it */
    uint64_t listed_at;
    /* loop time of the next check whether the run that posted the order has ended; used while the order works */
    int64_t look_ms;
    char id[];
};

static struct og_other **find(struct og_account_state *a, struct og_str id)
{
    struct og_other **at = &a->sender->peers.first;

    while (*at && ((*at)->account != a || !og_str_is(id, (*at)->id)))
        at = &(*at)->next;
    return at;
}

/* Drop an order of another run and its ticket. known: the order is in the reading that is about to go into the book. */
static void drop(struct og_other **at, bool known)
{
    struct og_other *other = *at;

    (known ? og_ticket_forget : og_ticket_release)(other->account->sender->book, other->ticket);
    *at = other->next;
    free(other);
}

/* Read an order's body and the tag that it counts for into peers.order. Returns false if this version cannot read the
 * body as an order. */
static bool read_body(struct og_account_state *a, struct og_str body, struct og_str tag)
{
    struct og_order *o = a->sender->peers.order;

    return body.len > 0 && og_order_read(o, body.s, body.len) == OG_OK && og_order_is_readable(o) &&
           og_order_set_account(o, a->id) == OG_OK && og_order_set_tag(o, tag.len > 0 ? tag.s : "") == OG_OK;
}

bool og_send_is_held(struct og_account_state *a, struct og_str id)
{
    return *find(a, id) != NULL;
}

/* Returns the time of another run's record by this run's clock. Since the clocks of runs differ, a time that lies ahead
 * counts as now. */
static int64_t time_of(struct og_sender *s, int64_t at)
{
    const int64_t now = og_clock_now(&s->clock);

    return at != OG_TIME_UNKNOWN && at < now ? at : now;
}

/* Reserve what the order in peers.order, sent at that time, may use. Returns its ticket; 0 if that fails. */
static og_ticket reserve(struct og_sender *s, const char *id, int64_t at)
{
    og_ticket ticket = 0;

    if (og_reserve_sent(s->book, s->peers.order, time_of(s, at), s->scratch, &ticket) != OG_OK)
        og_send_warn(s, "order '%s' of another run: what it reserves cannot be counted", id);
    return ticket;
}

void og_send_reserve_found(struct og_tracked *o)
{
    struct og_account_state *a = o->account;

    if (!read_body(a, (struct og_str){ o->post.body, o->post.len }, og_str_of(o->post.tag))) {
        og_send_warn(a->sender,
                     "order '%s': the ledger does not have its body, so what the order reserves is not counted", o->id);
        return;
    }
    og_send_hold(o, reserve(a->sender, o->id, OG_TIME_UNKNOWN));
}

static void hold(struct og_account_state *a, const struct og_ledger_row *intent)
{
    struct og_sender *s = a->sender;
    struct og_other *other;

    if (og_send_is_held(a, intent->id))
        return;
    other = malloc(sizeof *other + intent->id.len + 1);
    if (!other || !read_body(a, intent->detail, intent->tag)) {
        free(other);
        return; /* the broker's list will have the order, so it needs no ticket */
    }
    *other = (struct og_other){ .account = a, .next = s->peers.first };
    memcpy(other->id, intent->id.s, intent->id.len);
    other->id[intent->id.len] = '\0';
    other->ticket = reserve(s, other->id, intent->at);
    s->peers.first = other;
}

/* Note that the broker showed the order in this state. */
static void heard(struct og_other *other, enum og_state state)
{
    other->seen = true;
    other->works = state == OG_WORKING;
    other->seen_at = og_time_up();
    og_send_account_dirty(other->account);
}

/* Note that the order's POST had ended at that time: count the order as sent then, not when its intent was written. */
static void has_left(struct og_other *other, int64_t at)
{
    struct og_sender *s = other->account->sender;

    if (!other->left)
        og_ticket_left(s->book, other->ticket, time_of(s, at));
    other->left = true;
}

/* --- while this run is running ------------------------------------------------------------------------------------ */

/* Report to the book how much of the order has filled according to the record. Returns false if the book could not
 * take it in. */
static bool fill(struct og_book *book, og_ticket ticket, const struct og_ledger_row *row, int64_t now)
{
    const struct og_money price = row->price_avg.coef > 0 ? row->price_avg : og_money_from(0);
    const int64_t executed = row->state == OG_FILLED ? OG_FILL_WHOLE : og_money_floor(row->executed);

    return executed == 0 || og_ticket_fill(book, ticket, executed, price, now) == OG_OK;
}

static void move(struct og_account_state *a, const struct og_ledger_row *row)
{
    struct og_other **at = find(a, row->id), *other = *at;
    struct og_book *book = a->sender->book;
    const int64_t now = og_clock_now(&a->sender->clock);

    if (!other || strcmp(row->record, "decision") == 0 || strcmp(row->record, "replace") == 0 ||
        strcmp(row->record, "cancel") == 0)
        return;
    if (row->state == OG_CANCELED && !other->left && og_str_is(row->text, OG_CANCELED_BEFORE)) {
        drop(at, false); /* no reading will ever show the order */
        return;
    }
    if (strcmp(row->record, "intent") != 0)
        has_left(other, row->at);
    switch (row->state) {
    case OG_INTENDED:
    case OG_POSTED:
    case OG_OUTCOME_UNKNOWN: og_ticket_unknown(book, other->ticket, row->state == OG_OUTCOME_UNKNOWN); return;
    case OG_REJECTED:
        og_ticket_rejected(book, other->ticket);
        drop(at, false);
        return;
    case OG_REFUSED:
    case OG_NOT_SENT: drop(at, false); return;
    default: break;
    }
    og_ticket_sent(book, other->ticket, now);
    if (fill(book, other->ticket, row, now) && row->state == OG_FILLED)
        other->ticket = 0; /* the book itself ends the reservation once its documents include the fill */
    heard(other, row->state);
}

/* Another run that follows the same order has recorded an end or a fill which the broker has not shown to this run:
 * look the order up. If the order belongs to an earlier run, the facts may still count it as working; if it belongs to
 * this run, its ticket does. */
static void changed_elsewhere(struct og_tracked *o, const struct og_ledger_row *row)
{
    const int more = og_money_cmp(row->executed, o->execution.executed);

    if (o->execution.state != OG_WORKING || (!og_state_is_final(row->state) && more <= 0))
        return;
    if (o->recovered)
        og_send_changed_elsewhere(o->account, og_str_of(o->post.traded), OG_STR(""), "ledger",
                                  more > 0 ? OG_CHANGE_FILLS : OG_CHANGE_FREES, true);
    og_send_ask_missing(o, true);
}

static void on_row(void *with, const struct og_ledger_row *row)
{
    struct og_sender *s = with;
    struct og_account_state *a = s->accounts.first;
    struct og_tracked *mine;

    while (a && !og_str_is(row->account, a->id))
        a = a->next;
    if (a) {
        og_send_peak_heard(a, row);
        og_send_latch_heard(a, row);
    }
    if (!a || row->id.len == 0)
        return;
    s->peers.news++;
    mine = og_orders_find(s, a, row->id);
    if (strcmp(row->record, "withdraw") == 0) {
        if (mine)
            og_send_leave_withdrawn(mine);
        return;
    }
    /* done even before the account is ready: a cancel may have caused this run to follow the order */
    if (mine && row->seq > mine->recovered_seq &&
        (strcmp(row->record, "resolve") == 0 || strcmp(row->record, "update") == 0 ||
         strcmp(row->record, "outcome") == 0)) {
        changed_elsewhere(mine, row);
        og_send_adopt(mine, row);
    }
    if (a->step != OG_ACCOUNT_READY || row->seq <= a->taken_from)
        return; /* earlier records are read when the account is set up */
    if (strcmp(row->record, "intent") == 0) {
        if (mine)
            og_send_meant(mine, row);
        hold(a, row);
        return;
    }
    move(a, row);
}

/* Count orders of other runs that are about to be sent as if they were sent now, since they may have waited for long
 * after their decision. */
static void count_leaving(struct og_sender *s)
{
    const int64_t now = og_clock_now(&s->clock);

    for (const struct og_other *other = s->peers.first; other; other = other->next)
        if (!other->left)
            og_ticket_left(s->book, other->ticket, now);
}

void og_send_take_in(struct og_sender *s)
{
    struct og_ledger_head head;
    struct og_error err = { 0 };
    int64_t newest = s->peers.taken;

    if (!s->ledger || s->options.dry_run)
        return;
    if (og_ledger_head(s->ledger, &head, &err) != OG_OK ||
        (head.seq != s->peers.taken && og_ledger_since(s->ledger, s->peers.taken, &newest, on_row, s, &err) != OG_OK))
        og_send_bar(s, &err);
    else
        /* not head.seq: outside a transaction, newest may be greater, and no record may be taken in twice */
        s->peers.taken = newest;
    count_leaving(s);
}

/* Take over what the broker showed this run about another run's order. This run follows that order too, because a line
 * cancels or repeats it, and the other run does not record what the broker shows only here. */
static void move_by_own(struct og_other *other)
{
    const struct og_tracked *o = og_orders_find(other->account->sender, other->account, og_str_of(other->id));

    if (!o || o->execution.state == OG_INTENDED || o->execution.state == OG_POSTED ||
        o->execution.state == OG_OUTCOME_UNKNOWN)
        return;
    if (!other->seen || (other->works && o->execution.state != OG_WORKING))
        heard(other, o->execution.state);
}

/* Follow a working order of another run if that run has ended. */
static void follow_left(struct og_other *other, int *looks)
{
    struct og_account_state *a = other->account;
    struct og_sender *s = a->sender;
    struct og_ledger_known known;

    if (!other->works || s->options.dry_run || *looks >= LOOKS_MOST || og_send_ms(s) < other->look_ms ||
        og_orders_find(s, a, og_str_of(other->id)))
        return;
    ++*looks;
    other->look_ms = og_send_ms(s) + OG_PEERS_ENDED_MS;
    if (og_ledger_find(s->ledger, og_str_of(a->id), og_str_of(other->id), &known, NULL, NULL, NULL) == OG_OK &&
        known.found && !known.alive)
        (void)og_send_from_ledger(a, og_str_of(other->id));
}

/* Follow the orders of runs that have ended, because no other process still records what becomes of them. */
static void inherit(struct og_sender *s)
{
    struct og_other **at = &s->peers.first, *other;
    int looks = 0;

    while ((other = *at) && s->fatal == 0) {
        move_by_own(other);
        follow_left(other, &looks);
        if (other->seen || s->phase != OG_RUNNING || s->options.dry_run ||
            !og_send_inherit(other->account, og_str_of(other->id), other->ticket)) {
            at = &other->next;
            continue;
        }
        *at = other->next; /* the ticket now belongs to the followed order */
        free(other);
    }
}

void og_send_take_in_due(struct og_sender *s)
{
    bool waits = s->peers.first || og_send_has_latch(s);
    int64_t now = og_send_ms(s);

    if (now < s->peers.next_ms)
        return;
    s->peers.next_ms = now + OG_PEERS_LOOK_MS;
    for (const struct og_tracked *o = s->orders; o && !waits; o = o->next)
        waits = (og_send_is_followed(o) && !o->external) || (o->recovered && o->execution.state == OG_WORKING);
    if (waits)
        og_send_take_in(s);
    inherit(s);
}

void og_send_other_listed(struct og_account_state *a, const struct og_order_row *row, uint64_t at)
{
    struct og_other *other = a->sender->peers.first ? *find(a, row->client_order_id) : NULL;

    if (other)
        other->listed_at = at;
}

/* Returns true if a reading that began at og_time_up() `began` includes all fills and the end of the order. If this run
 * follows the order too, what the broker showed this run counts. */
static bool is_in_facts(const struct og_other *other, uint64_t began)
{
    const struct og_tracked *o = og_orders_find(other->account->sender, other->account, og_str_of(other->id));

    if (!other->seen || (other->works && (!o || !og_send_is_gone(o))))
        return false;
    return other->seen_at + og_send_settle_ns(other->account->sender) <= began;
}

/* Look up an order that may be over. Its end is perhaps not recorded, because the run that made it has ended or did not
 * learn of the end. */
static void look_up(struct og_other *other)
{
    struct og_account_state *a = other->account;
    struct og_tracked *o = a->sender->options.dry_run ? NULL : og_send_from_ledger(a, og_str_of(other->id));

    if (!o || og_send_is_gone(o))
        return;
    og_send_ask_missing(o, true);
}

void og_send_drop_others(struct og_account_state *a, uint64_t began)
{
    struct og_other **at = &a->sender->peers.first, *other;

    while ((other = *at) && a->sender->fatal == 0) {
        if (other->account == a && is_in_facts(other, began)) {
            drop(at, true);
            continue;
        }
        if (other->account == a && other->works && other->listed_at < began &&
            other->seen_at + OG_PEERS_TELL_NS <= began)
            look_up(other);
        at = &other->next;
    }
}

bool og_send_counts_ended_others(const struct og_account_state *a, uint64_t by)
{
    const struct og_other *other = a->sender->peers.first;

    while (other && !(other->account == a && other->seen && !other->works && other->seen_at <= by))
        other = other->next;
    return other != NULL;
}

/* --- at the start of this run ------------------------------------------------------------------------------------- */

static enum og_sent_fate fate_of(enum og_state state)
{
    switch (state) {
    case OG_REJECTED: return OG_SENT_REJECTED;
    case OG_WORKING:
    case OG_FILLED:
    case OG_CANCELED:
    case OG_EXPIRED:
    case OG_DONE: return OG_SENT_TAKEN;
    default: return OG_SENT_OPEN;
    }
}

/* Returns true if the first reading's answers include all fills and the end of an order: its end was recorded before
 * the first request. The figures of a real broker lag, so the record must then be older by that lag. All other orders
 * keep their reservations. */
static bool is_in_answers(const struct og_reading *r, const struct og_ledger_sent_row *row)
{
    const enum og_state state = row->intent.state;
    struct og_sender *s = r->account->sender;

    if (state == OG_REJECTED || state == OG_REFUSED || state == OG_NOT_SENT || row->never_left)
        return true;
    return state != OG_WORKING && row->newest <= r->recorded &&
           (og_send_settle_ns(s) == 0 || og_send_up_at(s, row->at) + og_send_settle_ns(s) <= r->began);
}

/* Count what the order in peers.order traded, according to its newest record. */
static enum og_status count_traded(struct og_sender *s, const struct og_ledger_sent_row *row)
{
    const struct og_money price = row->intent.price_avg.coef > 0 ? row->intent.price_avg : og_money_from(0);
    const int64_t executed = row->intent.state == OG_FILLED ? OG_FILL_WHOLE : og_money_floor(row->intent.executed);

    return og_book_count_traded(s->book, s->peers.order, executed, price, time_of(s, row->at), s->scratch);
}

static void on_sent(void *with, const struct og_ledger_sent_row *row)
{
    const struct og_reading *r = with;
    const struct og_ledger_row *intent = &row->intent;
    struct og_account_state *a = r->account;
    struct og_sender *s = a->sender;
    struct og_tracked *mine;
    struct og_other *other;
    bool open = intent->state == OG_INTENDED || intent->state == OG_POSTED || intent->state == OG_OUTCOME_UNKNOWN;

    if (open || !is_in_answers(r, row)) {
        if ((mine = og_orders_find(s, a, intent->id)) && mine->external)
            og_send_meant(mine, intent);
        hold(a, intent);
        if ((other = *find(a, intent->id)) && row->left != OG_TIME_UNKNOWN)
            has_left(other, row->left);
        move(a, intent);
        if ((other = *find(a, intent->id)) && !row->alive)
            other->ended = other->left = true; /* the run is over, so the order's request cannot leave any more */
        if (other && other->ended && intent->state == OG_INTENDED)
            og_ticket_unknown(s->book, other->ticket, true); /* no run will learn of the answer to its POST */
        if (other && other->ended && other->works)
            other->seen_at = 0; /* the order's run is over, and no other process records what becomes of the order */
    } else if (read_body(a, intent->detail, intent->tag) &&
               (og_book_count_sent(
                    s->book, s->peers.order, time_of(s, row->left != OG_TIME_UNKNOWN ? row->left : intent->at),
                    row->never_left || og_send_is_resumed(a, row->newest) ? OG_SENT_OPEN : fate_of(intent->state),
                    s->scratch) != OG_OK ||
                count_traded(s, row) != OG_OK))
        og_send_warn(s, "account '%s': an order of an earlier run cannot be counted: out of memory", a->id);
}

/* Count the newest fill of an order of an earlier day. Once such an order is over, the list of the day leaves it out,
 * so neither the list nor a reservation includes that fill. */
void og_send_count_shown(const struct og_tracked *o)
{
    struct og_sender *s = o->sender;
    const struct og_money price = o->execution.price_avg.coef > 0 ? o->execution.price_avg : og_money_from(0);
    const int64_t executed = og_money_floor(o->execution.executed);

    if (executed > 0 && read_body(o->account, (struct og_str){ o->post.body, o->post.len }, og_str_of(o->post.tag)) &&
        og_book_count_traded(s->book, s->peers.order, executed, price, og_clock_now(&s->clock), s->scratch) != OG_OK)
        og_send_warn(s, "order '%s': what it traded cannot be counted: out of memory", o->id);
}

void og_send_count_earlier(struct og_account_state *a, const struct og_reading *r)
{
    struct og_sender *s = a->sender;
    struct og_ledger_head head = { 0 };
    struct og_error err = { 0 };
    struct og_order_row row;
    const cJSON *item;

    og_send_latches_begin(a);
    if (!s->ledger)
        return;
    if (og_ledger_head(s->ledger, &head, &err) != OG_OK ||
        og_ledger_sent_since(s->ledger, og_str_of(a->id), og_clock_now(&s->clock) - COUNTED_NS, on_sent,
                             (void *)(uintptr_t)r, &err) != OG_OK)
        og_send_bar(s, &err);
    a->taken_from = head.seq;
    cJSON_ArrayForEach (item, og_wire_list(r->orders, "orders"))
        if (og_order_row_read(item, &row))
            og_send_other_listed(a, &row, r->began);
    og_send_drop_others(a, r->began);
}

void og_send_reserve_recovered(struct og_account_state *a)
{
    struct og_other **at, *other;

    for (struct og_tracked *o = a->sender->orders; o; o = o->next) {
        if (o->account != a || !o->recovered || o->hold.ticket != 0 || og_state_is_final(o->execution.state) ||
            (o->execution.state == OG_WORKING && !o->line.owed))
            continue; /* the order has a reservation, or the facts count it */
        at = find(a, og_str_of(o->id));
        if (!(other = *at)) {
            og_send_reserve_found(o);
        } else if (other->ended && !other->seen) {
            og_send_hold(o, other->ticket);
            *at = other->next;
            free(other);
        }
    }
}

enum og_status og_send_others_begin(struct og_sender *s, struct og_error *err)
{
    struct og_ledger_head head = { 0 };
    enum og_status status = OG_OK;

    if (!(s->peers.order = og_order_new()))
        return og_fail(err, OG_ENOMEM, "out of memory");
    if (s->ledger && !s->options.dry_run)
        status = og_ledger_head(s->ledger, &head, err);
    s->peers.taken = head.seq;
    return status;
}

void og_send_others_free(struct og_sender *s)
{
    struct og_other *other;

    while ((other = s->peers.first)) { /* the tickets are not released: this order's account is freed already, and the
                                        * book is freed next */
        s->peers.first = other->next;
        free(other);
    }
    og_order_free(s->peers.order);
}
