/*
 * The endpoints that change something: POST order and DELETE order. They check in the documented sequence: first the
 * body, then the account, then the order.
 */
#include <stdlib.h>

#include "paper/call.h"
#include "paper/decide.h"
#include "paper/schema.h"
#include "paper/strategy.h"

/* Write the short form of the answer for an order that is rejected at once. */
static void answer_subset(struct og_paper_call *call, const struct og_paper_order *o)
{
    struct og_buf *b = call->reply->body;

    og_buf_char(b, '{');
    og_member_text(b, "orderStatus", og_order_status_name(o->status));
    og_member_text(b, "text", o->text);
    og_member_str(b, "clientOrderId", o->ticket.id);
    og_member_int(b, "canceledQuantity", o->canceled);
    og_member_int(b, "executed", o->executed);
    og_member_int(b, "leavesQuantity", og_paper_order_leaves(o));
    og_buf_char(b, '}');
}

static void answer_order(struct og_paper_call *call, struct og_paper_order *o)
{
    struct og_paper_order_room room;
    struct og_order_row row;

    if (call->p->switches.early_subset && call->request->method == OG_METHOD_POST && o->status == OG_ST_REJECTED) {
        answer_subset(call, o);
        return;
    }
    og_paper_order_row(o, OG_VIEW_ORDER, &room, &row);
    row.legs = row.leg_count = 0; /* the service's answer to a POST does not list the legs yet */
    og_order_row_write_clean(call->reply->body, &row);
}

/* Answer a POST whose id is already used by an order object; the order that has the id does not change. */
static void answer_duplicate(struct og_paper_call *call, const struct og_paper_ticket *ticket)
{
    struct og_arena scratch;
    struct og_paper_order *o;

    og_arena_init(&scratch, 0);
    o = og_paper_order_new(call->p, &scratch, call->account, ticket);
    if (o) {
        o->status = OG_ST_REJECTED;
        o->text = "R114: Invalid duplicate UserOrderId";
        o->canceled = ticket->quantity;
        o->started = o->updated = og_paper_clock_now(&call->p->clock);
        answer_order(call, o);
    } else {
        og_reply_text(call->reply, 500, "out of memory");
    }
    og_arena_clear(&scratch);
}

static bool place_decided(struct og_paper *p, struct og_paper_order *o, const struct og_paper_verdict *v, int64_t late)
{
    const char *text = NULL;

    if (v->rejected) {
        text = og_arena_copy(&p->arena, og_str_of(v->text)).s;
        if (!text)
            return false;
    }
    if (v->routed && v->invalid_id && !og_paper_order_rename(o))
        return false;
    if (v->routed)
        o->late_rejection = text;
    return og_paper_order_place(o, v->routed ? NULL : text, late);
}

static void place_order(struct og_paper_call *call, const struct og_paper_ticket *ticket)
{
    struct og_paper *p = call->p;
    struct og_paper_verdict verdict;
    struct og_paper_order *o;

    if (ticket->id.len && og_map_get(&call->account->ids, ticket->id) && !p->switches.duplicate_replaces) {
        answer_duplicate(call, ticket);
        return;
    }
    o = og_paper_order_new(p, &p->arena, call->account, ticket);
    if (o) {
        og_paper_decide(o, &verdict);
        if (place_decided(p, o, &verdict, call->late_ns)) {
            answer_order(call, o);
            return;
        }
    }
    og_reply_text(call->reply, 500, "out of memory");
}

#define MOST_ID 512

void og_paper_post_order(struct og_paper_call *call)
{
    struct og_str body = call->request->body;
    struct og_paper_ticket ticket;
    struct og_buf errors;
    char *spill = malloc(body.len + 1);

    og_buf_init(&errors, 0);
    if (!spill) {
        og_reply_text(call->reply, 500, "out of memory");
    } else if (!og_paper_schema_read(body, spill, &ticket, &errors)) {
        og_reply_text(call->reply, 400, errors.s ? errors.s : "");
    } else if (call->p->switches.strict_sides && og_paper_strategy_one_sided(&ticket)) {
        og_reply_text(call->reply, 400, OG_STRATEGY_UNSUPPORTED);
    } else if (ticket.id.len > MOST_ID) {
        og_reply_text(call->reply, 400, "- clientOrderId: String length must be less than or equal to 512");
    } else if (!call->account) {
        og_reply_refusal(call->reply, 400, "BadRequest", "PlaceOrderWithResponse",
                         "Account was not found or lacks entitlements");
    } else {
        place_order(call, &ticket);
    }
    free(spill);
    og_buf_clear(&errors);
}

void og_paper_delete_order(struct og_paper_call *call)
{
    struct og_paper_order *o;

    if (!call->account) {
        og_reply_refusal(call->reply, 400, "BadRequest", "CancelOrderWithResponse",
                         "Unable to fetch the account's orders");
        return;
    }
    o = og_paper_order_get(call->account, call->item);
    if (o && o->status == OG_ST_REJECTED) {
        og_paper_order_set_status(o, OG_ST_REJECTED, "R130: Cancel request rejected");
    } else if (!o || !o->working) {
        og_reply_text(call->reply, 404, "Order not found");
        return;
    } else {
        og_paper_order_request_cancel(o);
    }
    answer_order(call, o);
}
