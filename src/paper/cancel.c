/*
 * DELETE accounts/orders: cancel all working orders of an account, or those of one symbol. The filters that the
 * service's document names without giving examples (side, first, last) are not modeled.
 */
#include "paper/call.h"
#include "paper/multipart.h"

static bool is_selected(const struct og_paper_order *o, struct og_str symbol)
{
    return !symbol.len || og_str_eq(o->ticket.symbol, symbol) ||
           (o->symbol && og_str_eq(o->symbol->root->name, symbol));
}

void og_paper_delete_orders(struct og_paper_call *call)
{
    const struct og_paper_request *r = call->request;
    struct og_str boundary, account = { NULL, 0 }, symbol;
    struct og_paper_order *o;

    if (!og_paper_multipart_boundary(r->content_type, &boundary)) {
        og_reply_text(call->reply, 400, "- (root): multipart/form-data is required");
        return;
    }
    account = og_paper_multipart_field(r->body, boundary, "account");
    if (!account.len) {
        og_reply_text(call->reply, 400, "- (root): account is required");
        return;
    }
    call->account = og_paper_key_account(call->key, account);
    if (!call->account) {
        og_reply_refusal(call->reply, 400, "BadRequest", "CancelOrderWithResponse",
                         "Unable to fetch the account's orders");
        return;
    }
    symbol = og_paper_multipart_field(r->body, boundary, "symbol");
    for (o = call->account->working; o; o = o->next_working)
        if (!o->unregistered && is_selected(o, symbol))
            og_paper_order_request_cancel(o);
    og_buf_text(call->reply->body, "{\"message\":\"Cancel request submitted\"}");
}
