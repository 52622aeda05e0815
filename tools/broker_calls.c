/*
 * ordergate broker: the calls, one for each endpoint.
 * The service's answer is printed as it came; the library has checked that it is readable.
 */
#include "tools/common/broker.h"

#define LIST_CALL(name, type, function)                                                 \
    enum og_status name(struct broker *b, struct og_answer *a, struct og_error *err)    \
    {                                                                                   \
        struct type to = { 0 };                                                         \
        enum og_status status = function(b->client, b->field[FIELD_ACCOUNT], &to, err); \
                                                                                        \
        *a = to.answer;                                                                 \
        return status;                                                                  \
    }

LIST_CALL(broker_account, og_account_detail, og_client_account)
LIST_CALL(broker_pnl, og_pnl_detail, og_client_pnl)
LIST_CALL(broker_positions, og_positions, og_client_positions)
LIST_CALL(broker_closed, og_positions, og_client_closed)
LIST_CALL(broker_routes, og_routes, og_client_routes)
LIST_CALL(broker_orders, og_orders_today, og_client_orders)
LIST_CALL(broker_locate_history, og_locates, og_client_locate_history)
LIST_CALL(broker_locate_inventory, og_locate_inventory, og_client_locate_inventory)

enum og_status broker_position_pnl(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_position_pnl(b->client, b->field[FIELD_ACCOUNT], a, err);
}

enum og_status broker_closed_totals(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_closed_totals(b->client, b->field[FIELD_ACCOUNT], a, err);
}

enum og_status broker_accounts(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_accounts to = { 0 };
    enum og_status status = og_client_accounts(b->client, &to, err);

    *a = to.answer;
    return status;
}

enum og_status broker_order(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_order_detail to = { 0 };
    enum og_status status = og_client_order(b->client, b->field[FIELD_ACCOUNT], b->field[FIELD_ID], &to, err);

    *a = to.answer;
    return status;
}

static struct og_window window_of(const struct broker *b)
{
    return (struct og_window){ .start = b->field[FIELD_START],
                               .days = (int)b->number[FIELD_DAYS],
                               .offset = b->number[FIELD_OFFSET],
                               .limit = (int)b->number[FIELD_LIMIT],
                               .symbol = b->field[FIELD_SYMBOL],
                               .all = b->field[FIELD_ALL] != NULL };
}

enum og_status broker_cash(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_window window = window_of(b);
    struct og_cash to = { 0 };
    enum og_status status = og_client_cash(b->client, b->field[FIELD_ACCOUNT], &window, &to, err);

    *a = to.answer;
    return status;
}

enum og_status broker_history(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_window window = window_of(b);
    struct og_fills to = { 0 };
    enum og_status status = b->field[FIELD_WEEK]
                                ? og_client_week(b->client, b->field[FIELD_ACCOUNT], b->field[FIELD_START], &to, err)
                                : og_client_history(b->client, b->field[FIELD_ACCOUNT], &window, &to, err);

    *a = to.answer;
    return status;
}

enum og_status broker_fills(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_window window = window_of(b);

    return og_client_fill_orders(b->client, b->field[FIELD_ACCOUNT], &window, a, err);
}

enum og_status broker_cancel(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_order_detail to = { 0 };
    enum og_status status = og_client_cancel(b->client, b->field[FIELD_ACCOUNT], b->field[FIELD_ID], &to, err);

    *a = to.answer;
    return status;
}

enum og_status broker_cancel_all(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_cancel_all(b->client, b->field[FIELD_ACCOUNT], b->field[FIELD_SYMBOL], a, err);
}

enum og_status broker_borrow(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_borrow_detail to = { 0 };
    enum og_status status = og_client_borrow(b->client, b->field[FIELD_ACCOUNT], b->field[FIELD_SYMBOL], &to, err);

    *a = to.answer;
    return status;
}

enum og_status broker_locate_quote(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_locate_quote(b->client, b->field[FIELD_ACCOUNT], b->field[FIELD_SYMBOL], b->number[FIELD_QUANTITY],
                                  b->field[FIELD_ID], a, err);
}

enum og_status broker_locate_accept(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_locate_accept(b->client, b->field[FIELD_ACCOUNT], b->field[FIELD_ID], a, err);
}

enum og_status broker_locate_sell(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_locate_sell(b->client, b->field[FIELD_ACCOUNT], b->field[FIELD_SYMBOL], b->field[FIELD_TYPE],
                                 b->number[FIELD_QUANTITY], b->field[FIELD_ID], a, err);
}

enum og_status broker_locate_cancel(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_locate_cancel(b->client, b->field[FIELD_ACCOUNT], b->field[FIELD_ID], a, err);
}

enum og_status broker_facts(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_facts(b->client, b->field[FIELD_ACCOUNT], b->symbol, b->symbols, a, err);
}
