/*
 * Builds a facts document of an account, for deciding offline. If account, positions or orders cannot be read, there is
 * no document, since every decision needs them. Other parts that cannot be read are left out, and policies then treat
 * them as unknown.
 */
#include "base/error.h"
#include "broker/client.h"
#include "wire/read.h"

static const struct {
    enum og_endpoint call;
    const char *key;
    bool needed;
} parts[] = {
    { OG_ENDPOINT_ACCOUNTS, "accountList", false },
    /* orders first: one that fills while the others are read then counts twice, and not at all the other way round */
    { OG_ENDPOINT_ORDERS, "orders", true },
    { OG_ENDPOINT_ACCOUNT, "account", true },
    { OG_ENDPOINT_POSITIONS, "positions", true },
    { OG_ENDPOINT_ROUTES, "routes", false },
    { OG_ENDPOINT_PNL, "pnl", false },
    { OG_ENDPOINT_INVENTORY, "locateInventory", false },
    { OG_ENDPOINT_LOCATES, "locateHistory", false },
};

struct making {
    struct og_client *client;
    const char *account;
    struct og_buf body, ages, used;
    int64_t oldest;
};

/* Returns the time at which an answer was true, by the clock that decisions based on it will use. */
static int64_t instant_of(const struct og_client *c, const struct og_answer *a)
{
    return c->settings.broker_clock && a->date != OG_TIME_UNKNOWN ? a->date : a->asked_at;
}

static void put_age(struct making *m, const char *key, int64_t at)
{
    og_buf_format(&m->ages, "%s\"%s\":\"%s\"", m->ages.len > 0 ? "," : "", key, og_time_text(at).s);
    m->oldest = at < m->oldest ? at : m->oldest;
}

/* Add the ids of orders that the broker has seen: these ids can never be used again. */
static void put_used(struct making *m, const cJSON *doc)
{
    const cJSON *row;
    struct og_order_row order;

    cJSON_ArrayForEach (row, og_wire_list(doc, "orders")) {
        if (!og_order_row_read(row, &order) || order.client_order_id.len == 0)
            continue;
        if (m->used.len > 0)
            og_buf_char(&m->used, ',');
        og_buf_json_str(&m->used, order.client_order_id);
    }
}

static enum og_status put_part(struct making *m, size_t i, struct og_error *err)
{
    const char *account = parts[i].call == OG_ENDPOINT_ACCOUNTS ? "" : m->account;
    struct og_answer a = { 0 };
    struct og_error why = { 0 };
    const cJSON *doc;
    enum og_status status = og_client_read(
        m->client, &(struct og_client_call){ .call = parts[i].call, .account = account }, &a, &doc, &why);

    if (status == OG_OK) {
        og_buf_format(&m->body, ",\"%s\":", parts[i].key);
        og_buf_bytes(&m->body, a.body, a.len);
        put_age(m, parts[i].key, instant_of(m->client, &a));
        if (parts[i].call == OG_ENDPOINT_ORDERS)
            put_used(m, doc);
    } else if (parts[i].needed && err && err->status == OG_OK) {
        *err = why;
    }
    og_answer_clear(&a);
    return parts[i].needed ? status : OG_OK;
}

static enum og_status put_borrow(struct making *m, const char *const *symbols, size_t count, struct og_error *err)
{
    struct og_borrow_detail b = { 0 };
    enum og_status status = OG_OK;

    for (size_t i = 0; i < count && status == OG_OK; i++) {
        if ((status = og_client_borrow(m->client, m->account, symbols[i], &b, err)) != OG_OK)
            break;
        og_buf_text(&m->body, i == 0 ? ",\"borrow\":{" : ",");
        og_buf_json_str(&m->body, og_str_of(symbols[i]));
        og_buf_format(&m->body, ":{\"easy\":%s,\"asOf\":\"%s\"}", b.easy ? "true" : "false",
                      og_time_text(instant_of(m->client, &b.answer)).s);
    }
    if (count > 0)
        og_buf_char(&m->body, '}');
    og_answer_clear(&b.answer);
    return status;
}

/* Write the parts as one document into the answer. */
static enum og_status assemble(struct making *m, struct og_answer *to, struct og_error *err)
{
    struct og_answer_memory *memory = og_answer_memory(to);
    struct og_buf *b = &memory->body;

    if (!memory)
        return og_fail(err, OG_ENOMEM, "out of memory");
    og_buf_format(b, "{\"asOf\":\"%s\",\"accountId\":", og_time_text(m->oldest).s);
    og_buf_json_str(b, og_str_of(m->account));
    og_buf_bytes(b, m->body.s, m->body.len);
    og_buf_text(b, ",\"usedClientOrderIds\":[");
    og_buf_bytes(b, m->used.s, m->used.len);
    og_buf_text(b, "],\"ages\":{");
    og_buf_bytes(b, m->ages.s, m->ages.len);
    og_buf_text(b, "}}");
    if (m->body.bad || m->ages.bad || m->used.bad)
        return og_fail(err, OG_ENOMEM, "out of memory");
    return og_answer_made(to, m->oldest, err);
}

enum og_status og_client_facts(struct og_client *c, const char *account, const char *const *symbols, size_t count,
                               struct og_answer *to, struct og_error *err)
{
    struct making m = { .client = c, .account = account, .oldest = INT64_MAX };
    enum og_status status;

    if (!c || !to || (count && !symbols))
        return og_missing(err);
    status = og_client_default_account(c, &m.account, err);
    og_answer_clear(to);
    og_buf_init(&m.body, 0);
    og_buf_init(&m.ages, 0);
    og_buf_init(&m.used, 0);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == OG_OK; i++)
        status = put_part(&m, i, err);
    if (status == OG_OK)
        status = put_borrow(&m, symbols, count, err);
    if (status == OG_OK)
        status = assemble(&m, to, err);
    og_buf_clear(&m.body);
    og_buf_clear(&m.ages);
    og_buf_clear(&m.used);
    return status;
}
