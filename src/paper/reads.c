/*
 * The endpoints that only read: accounts, positions, P&L, routes, orders, borrow check. The caller has already checked
 * that the key may use the account.
 */
#include "base/time.h"
#include "paper/call.h"
#include "paper/pnl.h"

#define MOST_ENDED \
    500 /* maximum number of ended orders in a list; the service's document says: "filled market orders may drop out
         * quickly" */

static void open_list(struct og_paper_call *call, const char *key)
{
    og_buf_char(call->reply->body, '{');
    og_member_key(call->reply->body, key);
    og_buf_char(call->reply->body, '[');
}

void og_paper_get_accounts(struct og_paper_call *call)
{
    size_t i, count = call->p->switches.asleep ? 0 : call->key->count;

    open_list(call, "accounts");
    for (i = 0; i < count; i++)
        og_paper_account_write(call->p, call->key->accounts[i], call->reply->body, true);
    og_buf_text(call->reply->body, "]}");
}

void og_paper_get_account(struct og_paper_call *call)
{
    og_paper_account_write(call->p, call->account, call->reply->body, false);
}

void og_paper_get_positions(struct og_paper_call *call)
{
    struct og_paper_lot_room room;
    struct og_position_info row;
    const struct og_paper_lot *lot;

    open_list(call, "positions");
    for (lot = call->account->lots; lot; lot = lot->next) {
        og_paper_lot_row(call->account, lot, &room, &row);
        og_document_write(call->reply->body, OG_DOCUMENT_POSITION, &row);
    }
    og_buf_text(call->reply->body, "]}");
}

void og_paper_get_pnl(struct og_paper_call *call)
{
    og_paper_pnl_write(call->p, call->account, call->reply->body, OG_PNL_REST);
}

void og_paper_get_routes(struct og_paper_call *call)
{
    bool bare = call->p->switches.bare_routes;
    size_t i;

    og_buf_text(call->reply->body, bare ? "[" : "{\"routes\":[");
    for (i = 0; i < call->account->route_count; i++) {
        og_document_write(call->reply->body, OG_DOCUMENT_ROUTE, &call->account->routes[i]);
    }
    og_buf_text(call->reply->body, bare ? "]" : "]}");
}

static void list_order(struct og_buf *b, struct og_paper_order *o)
{
    struct og_paper_order_room room;
    struct og_order_row row;

    og_paper_order_row(o, OG_VIEW_LIST, &room, &row);
    og_member_key(b, NULL);
    og_order_row_write_clean(b, &row);
}

/* Lists every working order, whatever its age, and the newest orders that ended since midnight in New York. */
void og_paper_get_orders(struct og_paper_call *call)
{
    struct og_paper_order *o;
    struct og_eastern e;
    int64_t midnight;
    int ended = 0;

    og_eastern_from(og_paper_clock_now(&call->p->clock), &e);
    midnight = og_eastern_instant(e.year, e.month, e.day, 0);
    open_list(call, "orders");
    for (o = call->account->working; o; o = o->next_working)
        if (!o->unregistered)
            list_order(call->reply->body, o);
    for (o = call->account->orders; o && ended < MOST_ENDED && o->started >= midnight; o = o->older)
        if (!o->working && !o->unregistered) {
            list_order(call->reply->body, o);
            ended++;
        }
    og_buf_text(call->reply->body, "]}");
}

void og_paper_get_order(struct og_paper_call *call)
{
    struct og_paper_order *o = og_paper_order_get(call->account, call->item);
    struct og_paper_order_room room;
    struct og_order_row row;

    if (!o) {
        og_reply_text(call->reply, 404, "Not found");
        return;
    }
    og_paper_order_row(o, OG_VIEW_ORDER, &room, &row);
    if (row.legs)
        og_order_row_write_websocket(call->reply->body, &row);
    else
        og_order_row_write_clean(call->reply->body, &row);
}

void og_paper_get_borrow(struct og_paper_call *call)
{
    const struct og_paper_symbol *s = og_paper_market_get(&call->p->market, call->item);
    bool easy = call->account->paper || (s && !s->option && s->borrow == OG_BORROW_EASY);

    og_buf_char(call->reply->body, '{');
    og_member_bool(call->reply->body, "isEasyToBorrow", easy);
    og_buf_char(call->reply->body, '}');
}
