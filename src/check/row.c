/*
 * Applies what the broker says about an order (a row of an answer, or a frame of the stream) to the order's own ticket
 * only.
 *
 * A row counts only if it belongs to the account of the request, has the id under which the order was sent, and shows
 * the order's terms.  The broker rewrites the id of some orders that it rejects (readings Q39, CON-22); such a row
 * counts only if its status is Rejected, no order was ever sent under the rewritten id, and the broker has not yet
 * shown the order under its own id.
 */
#include <strings.h>

#include "base/error.h"
#include "check/book.h"
#include "text/doc.h"
#include "wire/frame.h"

/* Returns true if the account and the id are the same in both places in which a WebSocket row has them. */
static bool agrees(const cJSON *body, const struct og_order_row *row)
{
    const size_t account = row->account_id.len, id = row->client_order_id.len;
    struct og_str user;

    if (!og_doc_id(body, "userOrderId", &user) || !memchr(user.s, ':', user.len))
        return true;
    return user.len == account + 1 + id && user.s[account] == ':' &&
           og_same_account((struct og_str){ user.s, account }, row->account_id) &&
           og_str_eq((struct og_str){ user.s + account + 1, id }, row->client_order_id);
}

bool og_book_is_other(const struct og_known_order *known, const struct og_order *o)
{
    for (; known; known = known->other)
        if (og_shown_terms_differ(&known->terms, o))
            return true;
    return false;
}

static bool is_ours(const struct og_order *o, const cJSON *row)
{
    struct og_shown_leg leg[OG_LEGS_KEPT];
    struct og_shown_terms terms;

    og_shown_terms_read(row, &terms, leg);
    return !og_shown_terms_differ(&terms, o);
}

static og_ticket ticket_of_id(const struct og_book *b, size_t account, struct og_str id)
{
    og_ticket t = account < b->accounts ? og_facts_owner(b->account[account], id) : 0;

    /* also look in account 0: the order may have been reserved before its account had facts */
    return t || account == 0 ? t : og_facts_owner(b->account[0], id);
}

/* Returns the id under which an order was sent, given the id into which the broker rewrote it; len is 0 if this is no
 * rewritten id. */
static struct og_str original_of(struct og_str id)
{
    static const char mark[] = "INVALID";
    const size_t len = sizeof mark - 1;

    if (id.len <= len || memcmp(id.s + id.len - len, mark, len) != 0)
        return (struct og_str){ NULL, 0 };
    return (struct og_str){ id.s, id.len - len };
}

static og_ticket find(const struct og_book *b, size_t account, const struct og_order_row *row)
{
    og_ticket t = ticket_of_id(b, account, row->client_order_id);
    struct og_str original;

    if (t || row->status != OG_ST_REJECTED || account >= b->accounts ||
        og_facts_id(b->account[account], row->client_order_id) != OG_ID_FREE)
        return t;
    original = original_of(row->client_order_id);
    t = original.len ? ticket_of_id(b, account, original) : 0;
    return t && b->ticket[t - 1]->state == OG_TICKET_HELD ? t : 0;
}

/* Returns true if the row belongs to another order, which the broker rejected because the ticket's order already has
 * that id. */
static bool is_of_reuse(const struct og_reservation *r, const struct og_order_row *row)
{
    return row->status == OG_ST_REJECTED && r->state != OG_TICKET_HELD && og_str_is(og_reject_code(row->text), "R114");
}

static bool works_again(const struct og_order *o, const struct og_order_row *row)
{
    return o->tif == OG_GOOD_TILL_CANCEL || o->tif == OG_GTC_PLUS || og_str_is(row->time_in_force, "GoodTillCancel") ||
           og_str_is(row->time_in_force, "GTC_Plus");
}

static enum og_status move(struct og_book *b, og_ticket t, const struct og_order *o, const struct og_frame *frame,
                           int64_t at)
{
    const struct og_order_row *row = &frame->order;
    const struct og_money price = row->has_price_avg && row->price_avg.coef > 0 ? row->price_avg : og_money_from(0);
    /* an answer may report a fill long after it happened, so its earliest time is unknown; the stream reports it at
     * once */
    const int64_t from = row->websocket_shape ? at : OG_TIME_UNKNOWN;
    const bool rejected = row->status == OG_ST_REJECTED,
               over = rejected || row->status == OG_ST_FILLED || row->status == OG_ST_CANCELED ||
                      row->status == OG_ST_EXPIRED || (row->status == OG_ST_DONE_FOR_DAY && !works_again(o, row));
    struct og_money size;
    const enum og_filled_shown filled = og_shown_filled(frame->body, row->status_text, &size);
    const int64_t executed = filled == OG_FILLED_WHOLE ? OG_FILL_WHOLE : og_money_floor(size);
    enum og_status s;

    if (row->has_executed && og_money_cmp(row->executed, og_money_from(o->quantity)) > 0)
        return OG_EINVAL;
    if (over && filled != OG_FILLED_UNSAID)
        return og_book_over(b, t, executed, price, from, at, rejected);
    s = rejected ? OG_OK : og_book_works(b, t, executed, price, from, at);
    return s || !over ? s : og_book_ended(b, t, at, rejected);
}

static enum og_status take_row(struct og_book *b, const char *account_id, const struct og_frame *frame, int64_t at,
                               og_ticket *ticket)
{
    const struct og_order_row *row = &frame->order;
    const struct og_str asked = og_str_of(account_id);
    struct og_str account = row->account_id.len ? row->account_id : asked;
    const struct og_order *o;
    size_t place;
    og_ticket t;

    if (!account.len)
        account = b->default_account                 ? og_str_of(b->default_account)
                  : b->accounts == 2 && !b->nameless ? og_facts_account_id(b->account[1])
                                                     : account;
    if ((asked.len && !og_same_account(account, asked)) || !row->client_order_id.len || !agrees(frame->body, row))
        return OG_OK;
    place = og_book_find(b, account);
    t = find(b, place < b->accounts ? place : 0, row);
    if (!t || is_of_reuse(b->ticket[t - 1], row))
        return OG_OK;
    o = og_book_order(b, b->ticket[t - 1]);
    if (!o)
        return OG_ENOMEM;
    if (!is_ours(o, frame->body) || (o->account.len && account.len && !og_same_account(o->account, account)))
        return OG_OK;
    *ticket = t;
    return move(b, t, o, frame, at);
}

struct account_of {
    struct og_book *book;
    size_t account;
};

/* Returns true if the row is one of an order of this book, which has the order's fills. */
static bool is_own_row(void *with, const struct og_filled_row *row)
{
    const struct account_of *of = with;
    const og_ticket t = og_facts_owner(of->book->account[of->account], row->id);
    const struct og_order *o = t ? og_book_order(of->book, of->book->ticket[t - 1]) : NULL;

    return o && !og_book_is_other(row->order, o);
}

void og_book_find_fills(struct og_book *b, size_t account)
{
    og_facts_find_filled(b->account[account], is_own_row, &(struct account_of){ b, account });
}

enum og_status og_book_row(struct og_book *b, const char *account_id, const char *json, size_t len, int64_t at_ns,
                           og_ticket *ticket, struct og_error *err)
{
    struct og_frame frame;
    enum og_status s = OG_OK;

    if (!b || !json || !ticket)
        return og_missing(err);
    *ticket = 0;
    if (!og_frame_read(json, len, &frame))
        return og_fail(err, OG_ESYNTAX, "the broker's row is not a JSON object");
    if (frame.kind == OG_FRAME_ORDER) {
        pthread_rwlock_wrlock(&b->lock);
        s = take_row(b, account_id, &frame, at_ns, ticket);
        og_book_trip(b);
        pthread_rwlock_unlock(&b->lock);
    }
    og_frame_clear(&frame);
    if (s)
        og_fail(err, s,
                s == OG_EINVAL ? "the filled quantity in the row is more than the order's, or has no exact sum"
                               : "out of memory");
    return s;
}
