/*
 * Parses a request other than an order: a cancel, a locate or a read, every field kept as given.
 * The order's parser reads the line first, and finds whether it is a JSON object without duplicate keys.
 */
#include "order/request.h"

#include <stdlib.h>

#include "text/json.h"

/* One row for each kind of request. subject: OG_SUBJECT_* of rules/rule.h. */
static const struct {
    const char *op;
    unsigned subject;
    enum og_endpoint endpoint;
} kinds[] = {
    [OG_REQUEST_CANCEL] = { "cancel", 2, OG_ENDPOINT_CANCEL },
    [OG_REQUEST_LOCATE_QUOTE] = { "locate-quote", 4, OG_ENDPOINT_LOCATE_QUOTE },
    [OG_REQUEST_LOCATE_ACCEPT] = { "locate-accept", 4, OG_ENDPOINT_LOCATE_ACCEPT },
    [OG_REQUEST_LOCATE_SELL] = { "locate-sell", 4, OG_ENDPOINT_LOCATE_SELL },
    [OG_REQUEST_LOCATE_CANCEL] = { "locate-cancel", 4, OG_ENDPOINT_LOCATE_CANCEL },
    [OG_REQUEST_READ] = { "read", 8, OG_ENDPOINTS /* the line's key `endpoint` says what is read */ },
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static const struct {
    struct og_str name;
    bool number;
} keys[OG_REQUEST_KEYS] = {
#define KEY(name, number)                  \
    {                                      \
        { name, sizeof(name) - 1 }, number \
    }
    [OG_REQUEST_ORDER_ID] = KEY("clientOrderId", false),
    [OG_REQUEST_ACCOUNT] = KEY("account", false),
    [OG_REQUEST_ACCOUNT_ID] = KEY("accountId", false),
    [OG_REQUEST_SYMBOL] = KEY("symbol", false),
    [OG_REQUEST_QUANTITY] = KEY("quantity", true),
    [OG_REQUEST_QUOTE_ID] = KEY("quoteReqID", false),
    [OG_REQUEST_LOCATE_TYPE] = KEY("locateType", false),
    [OG_REQUEST_ENDPOINT] = KEY("endpoint", false),
    [OG_REQUEST_START_DATE] = KEY("startDate", false),
    [OG_REQUEST_DAYS] = KEY("numberOfDays", true),
    [OG_REQUEST_LIMIT] = KEY("limit", true),
#undef KEY
};

enum og_request_kind og_request_op(struct og_str op, const char **spelled)
{
    for (size_t i = 1; i < KINDS; i++)
        if (og_str_is(op, kinds[i].op)) {
            if (spelled)
                *spelled = kinds[i].op;
            return (enum og_request_kind)i;
        }
    return OG_REQUEST_NONE;
}

struct og_request *og_request_new(void)
{
    struct og_request *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    og_arena_init(&r->texts, 0);
    r->order = og_order_new();
    if (r->order)
        return r;
    free(r);
    return NULL;
}

void og_request_free(struct og_request *r)
{
    if (!r)
        return;
    og_order_free(r->order);
    og_arena_clear(&r->texts);
    free(r);
}

static void clear_request(struct og_request *r)
{
    og_arena_clear(&r->texts);
    *r = (struct og_request){ .order = r->order, .texts = r->texts };
}

static int key_of(struct og_str name)
{
    for (int i = 0; i < OG_REQUEST_KEYS; i++)
        if (og_str_eq(keys[i].name, name))
            return i;
    return -1;
}

static bool store_field(struct og_request *r, int key, enum og_json_kind kind, struct og_str text)
{
    struct og_field *field = &r->field[key];

    field->json_type = og_json_type_name(kind, text);
    field->status = kind == (keys[key].number ? OG_JSON_NUMBER : OG_JSON_STRING) ? OG_VALID : OG_WRONG_TYPE;
    if (kind != OG_JSON_STRING && kind != OG_JSON_NUMBER)
        return true;
    field->text = og_arena_copy(&r->texts, text);
    if (field->status == OG_VALID && keys[key].number && !og_money_read(text.s, text.len, &r->number[key]))
        field->status = OG_TOO_LARGE;
    return field->text.s != NULL;
}

/* Read the members of an object in which the order's parser has found no fault.  Returns false if out of memory. */
static bool read_members(struct og_request *r, const char *bytes, size_t len)
{
    char *spill = malloc(len + 1);
    struct og_json json;
    bool ok = spill != NULL;

    og_json_init(&json, bytes, len, spill, ok ? len + 1 : 0);
    (void)og_json_next(&json); /* skip the opening brace */
    while (ok && og_json_next(&json) == OG_JSON_KEY) {
        int key = key_of(json.text);
        enum og_json_kind kind = og_json_next(&json);

        ok = (key < 0 || store_field(r, key, kind, json.text)) && og_json_skip(&json, kind);
    }
    free(spill);
    return ok;
}

enum og_status og_request_read(struct og_request *r, const char *bytes, size_t len)
{
    enum og_request_kind kind;
    struct og_str account;

    if (!r || !bytes)
        return OG_EINVAL;
    clear_request(r);
    if (og_order_read(r->order, bytes, len))
        return OG_ENOMEM;
    kind = r->order->fault ? OG_REQUEST_NONE : og_request_op(r->order->field[OG_KEY_OP].text, &r->op);
    if (kind == OG_REQUEST_NONE) {
        if (!r->order->fault && r->order->op == OG_OP_ORDER)
            r->order->op = OG_OP_OTHER; /* the line is an order, not a request */
        return OG_OK;
    }
    if (!read_members(r, bytes, len)) {
        clear_request(r);
        og_order_clear(r->order);
        return OG_ENOMEM;
    }
    r->kind = kind;
    r->subject = kinds[kind].subject;
    r->endpoint = kinds[kind].endpoint;
    if (kind == OG_REQUEST_READ)
        r->endpoint = og_endpoint_find(og_request_text(r, OG_REQUEST_ENDPOINT));
    account = og_request_text(r, OG_REQUEST_ACCOUNT);
    if (account.len) /* the key of the account is "account" in locate-quote and locate-sell, accountId in other
                      * requests */
        r->order->account = account;
    return OG_OK;
}

void og_request_list_is_older(struct og_request *r)
{
    if (r)
        r->list = OG_LIST_BEFORE;
}

enum og_request_kind og_request_what(const struct og_request *r)
{
    return r ? r->kind : OG_REQUEST_NONE;
}
