/*
 * Orders in both shapes, that of REST and that of the WebSocket, by one table. Reading accepts the keys of either
 * shape, and distinguishes an absent value from zero; each shape is written in the document's order. Rows are not
 * checked: an unknown status, a missing figure or a rewritten id is passed on unchanged.
 */
#include "base/account_id.h"
#include "base/json_write.h"
#include "wire/fields.h"
#include "wire/read.h"

#define CLEAN  OG_WIRE_FIRST
#define SOCKET OG_WIRE_SECOND /* the WebSocket shape */

#define ROW(member) offsetof(struct og_order_row, member)
/* The fields between the ids and the legs. */
static const struct og_wire_field fields[] = {
    { "orderStatus", "status", OG_WIRE_STR, OG_WIRE_TWICE, ROW(status_text), 0 },
    { "text", NULL, OG_WIRE_STR, 0, ROW(text), 0 },
    { "executed", NULL, OG_WIRE_MONEY, 0, ROW(executed), ROW(has_executed) },
    { "leavesQuantity", "lvsQty", OG_WIRE_MONEY, OG_WIRE_TWICE, ROW(leaves), ROW(has_leaves) },
    { "canceledQuantity", "cancelledQuantity", OG_WIRE_MONEY, OG_WIRE_RENAMED, ROW(canceled), ROW(has_canceled) },
    { "orderQuantity", NULL, OG_WIRE_MONEY, 0, ROW(quantity), ROW(has_quantity) },
    { "lastPrice", NULL, OG_WIRE_MONEY, 0, ROW(last_price), 0 },
    { "lastQuantity", "lastQty", OG_WIRE_MONEY, OG_WIRE_RENAMED, ROW(last_quantity), 0 },
    { "limitPrice", NULL, OG_WIRE_MONEY, 0, ROW(limit_price), 0 },
    { "priceStop", NULL, OG_WIRE_MONEY, 0, ROW(price_stop), 0 },
    { "priceAvg", NULL, OG_WIRE_MONEY, 0, ROW(price_avg), ROW(has_price_avg) },
    { "maxDisplayQuantity", "maxDisplayQty", OG_WIRE_MONEY, OG_WIRE_RENAMED, ROW(max_display), 0 },
    { "pegDifference", NULL, OG_WIRE_MONEY, 0, ROW(peg_difference), 0 },
    { "pegOffsetType", NULL, OG_WIRE_STR, 0, ROW(peg_offset_type), 0 },
    { "maintenanceRequirement", NULL, OG_WIRE_MONEY, 0, ROW(maintenance_requirement), 0 },
    { "marginRequirement", NULL, OG_WIRE_MONEY, 0, ROW(margin_requirement), 0 },
    { "openClose", NULL, OG_WIRE_STR, 0, ROW(open_close), 0 },
    { "orderType", NULL, OG_WIRE_STR, 0, ROW(order_type), 0 },
    { "securityType", NULL, OG_WIRE_STR, 0, ROW(security_type), 0 },
    { "side", NULL, OG_WIRE_STR, 0, ROW(side), 0 },
    { "symbol", NULL, OG_WIRE_STR, 0, ROW(symbol), 0 },
    { "tradedSymbol", NULL, OG_WIRE_STR, 0, ROW(traded_symbol), 0 },
    { "strikePrice", NULL, OG_WIRE_MONEY, 0, ROW(strike_price), 0 },
    { "timeInForce", NULL, OG_WIRE_STR, 0, ROW(time_in_force), 0 },
    { "route", NULL, OG_WIRE_STR, 0, ROW(route), 0 },
    { "startTime", NULL, OG_WIRE_STR, 0, ROW(start_time), 0 },
    { "lastUpdated", NULL, OG_WIRE_STR, 0, ROW(last_updated), 0 },
    { "legCount", NULL, OG_WIRE_COUNT, 0, ROW(leg_count), 0 },
    OG_WIRE_END,
};

/* The fields after the legs, which only the WebSocket shape has. */
static const struct og_wire_field last_fields[] = {
    { "accountType", NULL, OG_WIRE_STR, 0, ROW(account_type), 0 },
    { "condition", NULL, OG_WIRE_STR, 0, ROW(condition), 0 },
    { "legIndex", NULL, OG_WIRE_COUNT, 0, ROW(leg_index), 0 },
    { "mlegID", NULL, OG_WIRE_STR_NUMBER, 0, ROW(mleg_id), 0 },
    { "startTimeET", NULL, OG_WIRE_STR, 0, ROW(start_time_et), 0 },
    { "sourceSystem", NULL, OG_WIRE_STR, 0, ROW(source_system), 0 },
    OG_WIRE_END,
};

#define LEG(member) offsetof(struct og_leg_row, member)
static const struct og_wire_field leg_fields[] = {
    { "index", NULL, OG_WIRE_COUNT, 0, LEG(index), 0 },
    { "symbol", NULL, OG_WIRE_STR, 0, LEG(symbol), 0 },
    { "side", NULL, OG_WIRE_STR, 0, LEG(side), 0 },
    { "qty", NULL, OG_WIRE_MONEY, 0, LEG(qty), 0 },
    { "lvsQty", NULL, OG_WIRE_MONEY, 0, LEG(leaves), 0 },
    { "lastQty", NULL, OG_WIRE_MONEY, 0, LEG(last_qty), 0 },
    { "lastPx", NULL, OG_WIRE_MONEY, 0, LEG(last_px), 0 },
    { "avgPx", NULL, OG_WIRE_MONEY, 0, LEG(avg_px), 0 },
    { "cxlQty", NULL, OG_WIRE_MONEY, 0, LEG(canceled), 0 },
    { "openClose", NULL, OG_WIRE_STR, 0, LEG(open_close), 0 },
    OG_WIRE_END,
};

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Read the ids. userOrderId is <account>:<id>, split at its first colon, since an id may contain colons; without a
 * colon, the whole text is the id. */
static void read_ids(const cJSON *object, struct og_order_row *row)
{
    struct og_str user;
    const char *colon;

    if (!og_doc_str(object, "accountId", &row->account_id))
        (void)og_doc_str(object, "account", &row->account_id);
    row->websocket_shape = og_doc_id(object, "userOrderId", &user);
    if (row->websocket_shape) {
        colon = memchr(user.s, ':', user.len);
        row->client_order_id = user;
        if (colon) {
            size_t head = (size_t)(colon - user.s);
            struct og_str named = { user.s, head };

            row->client_order_id = (struct og_str){ colon + 1, user.len - head - 1 };
            row->of_two_accounts = row->account_id.len > 0 && !og_same_account(row->account_id, named);
            row->account_id = named;
        }
    }
    (void)og_doc_id(object, "clientOrderId", &row->client_order_id);
}

bool og_order_row_read(const cJSON *object, struct og_order_row *row)
{
    const cJSON *legs = og_wire_list(object, "legs"), *leg;
    const char *missing;

    memset(row, 0, sizeof *row);
    if (!cJSON_IsObject(object))
        return false;
    read_ids(object, row);
    (void)og_wire_fields_read(fields, OG_WIRE_ALL, object, NULL, row, &missing);
    (void)og_wire_fields_read(last_fields, OG_WIRE_ALL, object, NULL, row, &missing);
    cJSON_ArrayForEach (leg, legs) {
        if (row->legs == OG_ROW_LEGS)
            break;
        row->leg[row->legs].index = row->legs;
        (void)og_wire_fields_read(leg_fields, OG_WIRE_ALL, leg, NULL, &row->leg[row->legs++], &missing);
    }
    row->status = og_order_status_of(row->status_text);
    return row->client_order_id.len > 0 || row->status_text.len > 0;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void write_from_status(struct og_buf *b, const struct og_order_row *r, unsigned shape)
{
    og_wire_fields_write(b, fields, shape, r);
    og_member_key(b, "legs");
    og_buf_text(b, r->legs ? "[" : "null");
    for (int i = 0; i < r->legs; i++) {
        og_member_key(b, NULL);
        og_buf_char(b, '{');
        og_wire_fields_write(b, leg_fields, shape, &r->leg[i]);
        og_buf_text(b, i + 1 < r->legs ? "}" : "}]");
    }
    if (shape == SOCKET)
        og_wire_fields_write(b, last_fields, shape, r);
    og_buf_char(b, '}');
}

void og_order_row_write_clean(struct og_buf *b, const struct og_order_row *r)
{
    og_buf_char(b, '{');
    og_member_str(b, "accountId", r->account_id);
    og_member_str(b, "clientOrderId", r->client_order_id);
    write_from_status(b, r, CLEAN);
}

/* Write userOrderId, which is <account_id>:<client_order_id>, as one JSON string. */
static void write_user_order_id(struct og_buf *b, const struct og_order_row *r)
{
    size_t at;

    og_member_str(b, "userOrderId", r->account_id);
    if (b->bad)
        return;
    b->s[b->len - 1] = ':'; /* this colon replaces the closing quote of the account; the id's opening quote is dropped
                             * below */
    at = b->len;
    og_buf_json_str(b, r->client_order_id);
    if (b->bad)
        return;
    memmove(b->s + at, b->s + at + 1, b->len - at - 1);
    b->s[--b->len] = '\0';
}

void og_order_row_write_websocket(struct og_buf *b, const struct og_order_row *r)
{
    og_buf_char(b, '{');
    og_member_str(b, "account", r->account_id);
    write_user_order_id(b, r);
    write_from_status(b, r, SOCKET);
}

static void write_schema(struct og_buf *b, unsigned shape, const char *account, const char *id)
{
    /* the ids and the legs, which are written beside the table */
    og_buf_text(b, "{\"allOf\":[{");
    og_wire_fields_schema(b, fields, shape);
    og_buf_format(b,
                  "},{\"type\":\"object\",\"properties\":{\"%s\":{\"type\":\"string\"},\"%s\":{\"type\":\"string\"},"
                  "\"orderStatus\":{\"enum\":[",
                  account, id);
    for (int status = OG_ST_PENDING_NEW; status <= OG_ST_EXPIRED; status++)
        og_member_text(b, NULL, og_order_status_name((enum og_order_status)status));
    og_buf_text(b, "]},\"legs\":{\"type\":[\"array\",\"null\"],\"items\":{");
    og_wire_fields_schema(b, leg_fields, shape);
    og_buf_format(b, "}}},\"required\":[\"%s\",\"%s\",\"legs\"]}", account, id);
    if (shape == SOCKET) {
        og_buf_text(b, ",{");
        og_wire_fields_schema(b, last_fields, shape);
        og_buf_char(b, '}');
    }
    og_buf_text(b, "]}");
}

void og_order_row_schema_clean(struct og_buf *b)
{
    write_schema(b, CLEAN, "accountId", "clientOrderId");
}

void og_order_row_schema_websocket(struct og_buf *b)
{
    write_schema(b, SOCKET, "account", "userOrderId");
}
