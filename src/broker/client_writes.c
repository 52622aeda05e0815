/*
 * Calls with side effects: orders, cancels, locates. A call that creates something is never repeated. Ids and symbols
 * with which the result could not be looked up afterwards are rejected.
 */
#include "base/error.h"
#include "base/json_write.h"
#include "broker/client.h"
#include "broker/decode.h"
#include "order/order.h"
#include "order/symbol.h"
#include "wire/read.h"

#define QUANTITY_LEAST 100
#define QUANTITY_MOST  INT64_C(2147483647)
#define ID_MOST        512

static enum og_status need_id(const char *name, const char *id, struct og_error *err)
{
    if (!id || id[0] == '\0')
        return og_fail(err, OG_EINVAL, "%s is missing", name);
    return strlen(id) <= ID_MOST
               ? OG_OK
               : og_fail(err, OG_EINVAL, "%s has %zu bytes, allowed are %d", name, strlen(id), ID_MOST);
}

static enum og_status need_symbol(const struct og_client *c, const char *symbol, struct og_error *err)
{
    if (symbol && (c->unchecked || og_symbol_fits(og_str_of(symbol))))
        return OG_OK;
    return og_fail(err, OG_EINVAL, "symbol '%s' does not fit %s", symbol ? symbol : "", OG_SYMBOL_PATTERN);
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

/* Find the order in an answer, which is the order itself or an envelope; the order's account and id may be missing. */
static bool find_order(const cJSON *doc, struct og_answer *a, struct og_order_info *row)
{
    struct og_answer_memory *m = a->memory;
    struct og_decode_error fault = { 0 };
    const cJSON *member;

    if (og_decode_row(OG_DOCUMENT_ORDER, doc, &m->arena, row, &fault))
        return true;
    cJSON_ArrayForEach (member, doc) {
        if (og_decode_row(OG_DOCUMENT_ORDER, member, &m->arena, row, &fault))
            return true;
    }
    return false;
}

static enum og_status write_body(const struct og_order *order, struct og_buf *b, struct og_error *err)
{
    bool written = og_order_write(order, false, b);

    if (b->bad)
        return og_fail(err, OG_ENOMEM, "out of memory");
    return written ? OG_OK
                   : og_fail(err, OG_EINVAL,
                             "the order cannot be written: a field has a type or value the service does not know");
}

enum og_status og_client_place(struct og_client *c, const char *account, const struct og_order *order,
                               struct og_order_detail *to, struct og_error *err)
{
    const cJSON *doc;
    struct og_buf body;
    enum og_status status;

    if (!c || !to)
        return og_missing(err);
    status = need_id("the order's clientOrderId", og_order_client_id(order), err);
    to->has_row = false;
    og_answer_clear(&to->answer);
    if (status != OG_OK || (status = og_client_default_account(c, &account, err)) != OG_OK ||
        (status = og_client_check_environment(c, account, true, err)) != OG_OK)
        return status;
    og_buf_init(&body, 0);
    status = write_body(order, &body, err);
    if (status == OG_OK)
        status =
            og_client_read(c, &(struct og_client_call){ .call = OG_ENDPOINT_POST, .account = account, .body = &body },
                           &to->answer, &doc, err);
    og_buf_clear(&body);
    if (status != OG_OK)
        return status;
    to->has_row = find_order(doc, &to->answer, &to->row);
    return to->has_row ? OG_OK : og_client_unreadable(OG_ENDPOINT_POST, &to->answer, err, "it contains no order");
}

enum og_status og_client_cancel(struct og_client *c, const char *account, const char *id, struct og_order_detail *to,
                                struct og_error *err)
{
    struct og_answer_memory *m;
    enum og_status status;

    if (!c || !to)
        return og_missing(err);
    status = need_id("the clientOrderId", id, err);
    to->has_row = false;
    og_answer_clear(&to->answer);
    if (status == OG_OK)
        status =
            og_client_ask(c, &(struct og_client_call){ .call = OG_ENDPOINT_CANCEL, .account = account, .other = id },
                          &to->answer, err);
    if (status != OG_OK)
        return status;
    m = to->answer.memory; /* the status 200 is enough: the body of the answer to a cancel is not documented */
    if (og_wire_is_json(to->answer.type) &&
        og_doc_read(to->answer.body, to->answer.len, "answer", &m->doc, NULL) == OG_OK)
        to->has_row = find_order(m->doc, &to->answer, &to->row);
    return OG_OK;
}

static bool is_line(const char *s)
{
    return !strpbrk(s, "\r\n");
}

static void put_part(struct og_buf *b, const char *name, const char *value)
{
    og_buf_format(b, "--" OG_HTTP_BOUNDARY "\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n", name);
    og_buf_text(b, value);
    og_buf_text(b, "\r\n");
}

enum og_status og_client_cancel_all(struct og_client *c, const char *account, const char *symbol, struct og_answer *to,
                                    struct og_error *err)
{
    struct og_buf form;
    enum og_status status;

    if (!c || !to)
        return og_missing(err);
    status = symbol ? need_symbol(c, symbol, err) : OG_OK;
    og_answer_clear(to);
    if (status != OG_OK || (status = og_client_default_account(c, &account, err)) != OG_OK)
        return status;
    if (!is_line(account) || (symbol && !is_line(symbol)))
        return og_fail(err, OG_EINVAL, "account and symbol must not contain a line break");
    og_buf_init(&form, 0);
    put_part(&form, "account", account);
    if (symbol)
        put_part(&form, "symbol", symbol);
    og_buf_text(&form, "--" OG_HTTP_BOUNDARY "--\r\n");
    status = form.bad
                 ? og_fail(err, OG_ENOMEM, "out of memory")
                 : og_client_ask(
                       c,
                       &(struct og_client_call){
                           .call = OG_ENDPOINT_CANCEL_ALL, .account = account, .kind = OG_HTTP_FORM, .body = &form },
                       to, err);
    og_buf_clear(&form);
    return status;
}

/* --- locates ------------------------------------------------------------------------------------------------------ */

struct locate {
    enum og_endpoint call; /* which call: quote, accept or sell */
    const char *account, *symbol, *type;
    int64_t quantity;
    const char *quote_id;
};

static enum og_status need_type(const struct og_client *c, const char *type, struct og_error *err)
{
    static const char *const types[] = { "Locate", "PreBorrow", "SingleUse", "Unknown", "IntraDay", NULL };

    if (type && (c->unchecked || og_str_is_one_of(og_str_of(type), types)))
        return OG_OK;
    return og_fail(err, OG_EINVAL, "locateType '%s': allowed are Locate, PreBorrow and SingleUse", type ? type : "");
}

static enum og_status need_quantity(const struct og_client *c, int64_t quantity, struct og_error *err)
{
    if (c->unchecked)
        return OG_OK;
    if (quantity >= QUANTITY_LEAST && quantity <= QUANTITY_MOST)
        return OG_OK;
    return og_fail(err, OG_EINVAL, "quantity is %lld, allowed are multiples of 100 from %d to %lld",
                   (long long)quantity, QUANTITY_LEAST, (long long)QUANTITY_MOST);
}

/* Check the arguments of the call, and choose an account for which the settings allow it. */
static enum og_status prepare(struct og_client *c, struct locate *l, struct og_error *err)
{
    enum og_status status = OG_OK;

    if (l->symbol || l->call == OG_ENDPOINT_LOCATE_QUOTE)
        status = need_symbol(c, l->symbol, err);
    if (status == OG_OK && l->call == OG_ENDPOINT_LOCATE_SELL)
        status = need_type(c, l->type, err);
    if (status == OG_OK && l->call != OG_ENDPOINT_LOCATE_ACCEPT)
        status = need_quantity(c, l->quantity, err);
    if (status == OG_OK)
        status = need_id("the quoteReqID", l->quote_id, err);
    if (status == OG_OK)
        status = og_client_default_account(c, &l->account, err);
    return status == OG_OK ? og_client_check_environment(c, l->account, false, err) : status;
}

static void write_locate(const struct locate *l, struct og_buf *b)
{
    og_buf_char(b, '{');
    og_member_text(b, l->call == OG_ENDPOINT_LOCATE_ACCEPT ? "accountId" : "account", l->account);
    if (l->call == OG_ENDPOINT_LOCATE_QUOTE) {
        og_member_text(b, "symbol", l->symbol);
        og_member_int(b, "quantity", l->quantity);
    }
    og_member_text(b, "quoteReqID", l->quote_id);
    if (l->call == OG_ENDPOINT_LOCATE_SELL) {
        og_member_text(b, "locateType", l->type);
        og_member_int(b, "quantity", l->quantity);
        if (l->symbol)
            og_member_text(b, "symbol", l->symbol);
    }
    og_buf_char(b, '}');
}

static enum og_status post(struct og_client *c, struct locate l, struct og_answer *to, struct og_error *err)
{
    struct og_buf b;
    enum og_status status;

    if (!c || !to)
        return og_missing(err);
    status = prepare(c, &l, err);
    og_answer_clear(to);
    if (status != OG_OK)
        return status;
    og_buf_init(&b, 0);
    write_locate(&l, &b);
    status = b.bad ? og_fail(err, OG_ENOMEM, "out of memory")
                   : og_client_ask(c, &(struct og_client_call){ .call = l.call, .account = "", .body = &b }, to, err);
    og_buf_clear(&b);
    return status;
}

enum og_status og_client_locate_quote(struct og_client *c, const char *account, const char *symbol, int64_t quantity,
                                      const char *quote_id, struct og_answer *to, struct og_error *err)
{
    return post(c, (struct locate){ OG_ENDPOINT_LOCATE_QUOTE, account, symbol, NULL, quantity, quote_id }, to, err);
}

enum og_status og_client_locate_accept(struct og_client *c, const char *account, const char *quote_id,
                                       struct og_answer *to, struct og_error *err)
{
    return post(c, (struct locate){ OG_ENDPOINT_LOCATE_ACCEPT, account, NULL, NULL, 0, quote_id }, to, err);
}

enum og_status og_client_locate_sell(struct og_client *c, const char *account, const char *symbol, const char *type,
                                     int64_t quantity, const char *quote_id, struct og_answer *to, struct og_error *err)
{
    return post(c, (struct locate){ OG_ENDPOINT_LOCATE_SELL, account, symbol, type, quantity, quote_id }, to, err);
}

enum og_status og_client_locate_cancel(struct og_client *c, const char *account, const char *quote_id,
                                       struct og_answer *to, struct og_error *err)
{
    enum og_status status;

    if (!c || !to)
        return og_missing(err);
    status = need_id("the quoteReqID", quote_id, err);
    og_answer_clear(to);
    if (status != OG_OK)
        return status;
    return og_client_ask(
        c, &(struct og_client_call){ .call = OG_ENDPOINT_LOCATE_CANCEL, .account = account, .other = quote_id }, to,
        err);
}
