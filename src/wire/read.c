/*
 * Readers of the service's objects: each key from either shape, absent kept apart from zero.  Rows are not checked: an
 * unknown status, a missing figure or a rewritten id is passed on unchanged.
 */
#include "wire/read.h"

#include <strings.h>

#include "text/doc.h"

#define ERROR_TEXT_MOST 500

struct text_key {
    const char *key, *other; /* the clean shape's spelling and the WebSocket shape's (NULL: the same) */
    size_t at;
};

struct money_key {
    const char *key, *other;
    size_t at, has_at; /* has_at: offset of the has_ flag, 0 if there is none */
};

#define ROW(member) offsetof(struct og_order_row, member)

static const struct text_key text_keys[] = {
    { "accountId", "account", ROW(account_id) },
    { "orderStatus", "status", ROW(status_text) },
    { "pegOffsetType", NULL, ROW(peg_offset_type) },
    { "openClose", NULL, ROW(open_close) },
    { "orderType", NULL, ROW(order_type) },
    { "securityType", NULL, ROW(security_type) },
    { "side", NULL, ROW(side) },
    { "symbol", NULL, ROW(symbol) },
    { "tradedSymbol", NULL, ROW(traded_symbol) },
    { "timeInForce", NULL, ROW(time_in_force) },
    { "route", NULL, ROW(route) },
    { "startTime", NULL, ROW(start_time) },
    { "lastUpdated", NULL, ROW(last_updated) },
    { "accountType", NULL, ROW(account_type) },
    { "condition", NULL, ROW(condition) },
    { "startTimeET", NULL, ROW(start_time_et) },
    { "sourceSystem", NULL, ROW(source_system) },
};

static const struct money_key money_keys[] = {
    { "executed", NULL, ROW(executed), ROW(has_executed) },
    { "leavesQuantity", "lvsQty", ROW(leaves), ROW(has_leaves) },
    { "canceledQuantity", "cancelledQuantity", ROW(canceled), ROW(has_canceled) },
    { "orderQuantity", NULL, ROW(quantity), ROW(has_quantity) },
    { "priceAvg", NULL, ROW(price_avg), ROW(has_price_avg) },
    { "lastPrice", NULL, ROW(last_price), 0 },
    { "lastQuantity", "lastQty", ROW(last_quantity), 0 },
    { "limitPrice", NULL, ROW(limit_price), 0 },
    { "priceStop", NULL, ROW(price_stop), 0 },
    { "maxDisplayQuantity", "maxDisplayQty", ROW(max_display), 0 },
    { "pegDifference", NULL, ROW(peg_difference), 0 },
    { "maintenanceRequirement", NULL, ROW(maintenance_requirement), 0 },
    { "marginRequirement", NULL, ROW(margin_requirement), 0 },
    { "strikePrice", NULL, ROW(strike_price), 0 },
};

static void read_leg(const cJSON *object, struct og_leg_row *leg)
{
    int64_t index;

    if (og_doc_int(object, "index", &index) && index >= 0 && index < OG_ROW_LEGS)
        leg->index = (int)index;
    (void)og_doc_str(object, "symbol", &leg->symbol);
    (void)og_doc_str(object, "side", &leg->side);
    (void)og_doc_str(object, "openClose", &leg->open_close);
    (void)og_doc_money(object, "qty", &leg->qty);
    (void)og_doc_money(object, "lvsQty", &leg->leaves);
    (void)og_doc_money(object, "lastQty", &leg->last_qty);
    (void)og_doc_money(object, "lastPx", &leg->last_px);
    (void)og_doc_money(object, "avgPx", &leg->avg_px);
    (void)og_doc_money(object, "cxlQty", &leg->canceled);
}

static void read_legs(const cJSON *object, struct og_order_row *row)
{
    const cJSON *legs = og_doc_get(object, "legs"), *leg;
    int64_t n;

    if (og_doc_int(object, "legCount", &n) && n >= 0 && n <= 1000)
        row->leg_count = (int)n;
    if (!cJSON_IsArray(legs))
        return;
    cJSON_ArrayForEach (leg, legs) {
        if (row->legs == OG_ROW_LEGS)
            return;
        row->leg[row->legs].index = row->legs;
        read_leg(leg, &row->leg[row->legs++]);
    }
}

bool og_wire_same_account(struct og_str a, struct og_str b)
{
    return a.len == b.len && (a.len == 0 || strncasecmp(a.s, b.s, a.len) == 0);
}

/* userOrderId is <account>:<id>, split at its first colon, since an id may contain colons; without a colon it is all
 * id. */
static void read_id(const cJSON *object, struct og_order_row *row)
{
    struct og_str user;
    const char *colon;

    row->websocket_shape = og_doc_id(object, "userOrderId", &user);
    if (row->websocket_shape) {
        colon = memchr(user.s, ':', user.len);
        row->client_order_id = user;
        if (colon) {
            size_t head = (size_t)(colon - user.s);
            struct og_str named = { user.s, head };

            row->client_order_id = (struct og_str){ colon + 1, user.len - head - 1 };
            row->of_two_accounts = row->account_id.len > 0 && !og_wire_same_account(row->account_id, named);
            row->account_id = named;
        }
    }
    (void)og_doc_id(object, "clientOrderId", &row->client_order_id);
}

static void read_texts(const cJSON *object, struct og_order_row *row)
{
    for (size_t i = 0; i < sizeof text_keys / sizeof text_keys[0]; i++) {
        const struct text_key *k = &text_keys[i];
        struct og_str *to = (struct og_str *)(void *)((char *)row + k->at);

        if (!og_doc_str(object, k->key, to) && k->other)
            (void)og_doc_str(object, k->other, to);
    }
}

static void read_figures(const cJSON *object, struct og_order_row *row)
{
    for (size_t i = 0; i < sizeof money_keys / sizeof money_keys[0]; i++) {
        const struct money_key *k = &money_keys[i];
        struct og_money *to = (struct og_money *)(void *)((char *)row + k->at);
        bool has = og_doc_money(object, k->key, to) || (k->other && og_doc_money(object, k->other, to));

        if (k->has_at != 0)
            *(bool *)((char *)row + k->has_at) = has;
    }
}

bool og_order_row_read(const cJSON *object, struct og_order_row *row)
{
    int64_t n;

    memset(row, 0, sizeof *row);
    if (!cJSON_IsObject(object))
        return false;
    read_texts(object, row);
    read_figures(object, row);
    read_id(object, row);
    read_legs(object, row);
    row->status = og_order_status_of(row->status_text);
    row->has_text = og_doc_get(object, "text") != NULL;
    (void)og_doc_str(object, "text", &row->text);
    (void)og_doc_id(object, "mlegID", &row->mleg_id);
    if (og_doc_int(object, "legIndex", &n) && n >= 0 && n <= 1000)
        row->leg_index = (int)n;
    return row->client_order_id.len > 0 || row->status_text.len > 0;
}

const cJSON *og_wire_list(const cJSON *doc, const char *key)
{
    const cJSON *list = cJSON_IsObject(doc) ? og_doc_get(doc, key) : doc;

    return cJSON_IsArray(list) ? list : NULL;
}

bool og_wire_order(const cJSON *doc, struct og_order_row *row)
{
    const cJSON *member;

    if (og_order_row_read(doc, row) && row->status_text.len > 0)
        return true;
    cJSON_ArrayForEach (member, doc) {
        if (cJSON_IsObject(member) && og_order_row_read(member, row) && row->status_text.len > 0)
            return true;
    }
    memset(row, 0, sizeof *row);
    return false;
}

bool og_wire_borrow(const cJSON *doc, bool *easy)
{
    return og_doc_bool(doc, "isEasyToBorrow", easy);
}

static void put_line(struct og_buf *to, struct og_str s)
{
    size_t start = to->len;

    for (size_t i = 0; i < s.len && to->len - start < ERROR_TEXT_MOST; i++) {
        unsigned char c = (unsigned char)s.s[i];

        if (c == '\n') {
            if (i + 1 < s.len)
                og_buf_text(to, "; ");
        } else if (c != '\r') {
            og_buf_char(to, c < 0x20 || c == 0x7f ? ' ' : (char)c);
        }
    }
    while (to->len > start && to->s[to->len - 1] == ' ')
        to->s[--to->len] = '\0';
}

bool og_wire_is_json(const char *content_type)
{
    return content_type && strcasestr(content_type, "json");
}

/* The errors of problem details: what is wrong with which field. */
static void put_errors(struct og_buf *to, const cJSON *errors)
{
    const cJSON *field, *text;

    cJSON_ArrayForEach (field, errors) {
        cJSON_ArrayForEach (text, field) {
            if (!cJSON_IsString(text))
                continue;
            og_buf_text(to, "; ");
            put_line(to, og_str_of(field->string));
            og_buf_text(to, ": ");
            put_line(to, og_str_of(text->valuestring));
        }
    }
}

void og_wire_error_text(const char *content_type, const char *bytes, size_t len, struct og_buf *to)
{
    struct og_str message = { NULL, 0 }, detail = { NULL, 0 };
    cJSON *doc = NULL;

    if (!og_wire_is_json(content_type)) {
        put_line(to, (struct og_str){ bytes, len });
        return;
    }
    if (og_doc_read(bytes, len, "error body", &doc, NULL) == OG_OK) {
        if (!og_doc_str(doc, "message", &message))
            (void)og_doc_str(doc, "title", &message);
        (void)og_doc_str(doc, "detail", &detail);
    }
    if (message.len > 0)
        put_line(to, message);
    if (message.len > 0 && detail.len > 0)
        og_buf_text(to, ": ");
    if (detail.len > 0)
        put_line(to, detail);
    if (message.len > 0)
        put_errors(to, og_doc_get(doc, "errors"));
    if (message.len == 0 && detail.len == 0)
        put_line(to, (struct og_str){ bytes, len });
    cJSON_Delete(doc);
}
