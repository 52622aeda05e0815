/*
 * The endpoints of locates. Only a wrong body or account is answered with an error: problem details for a quantity,
 * plain lines for a missing field, JSON for an account. Every other request is answered "true", and its result is in
 * the history.
 */
#include <stdlib.h>

#include "paper/call.h"
#include "paper/fields.h"
#include "paper/locate.h"
#include "paper/ticket.h"

#define LEAST_SHARES 100
#define MOST_SHARES  INT64_C(2147483647)
#define MOST_TEXT    512
#define PROBLEM_TYPE "application/problem+json; charset=utf-8"

enum { F_ACCOUNT, F_SYMBOL, F_QUANTITY, F_ID, F_TYPE, F_COUNT };
static const char *const quote_names[] = { "account", "symbol", "quantity", "quoteReqID", "locateType" };
static const char *const accept_names[] = { "accountId", "symbol", "quantity", "quoteReqID", "locateType" };

/* IntraDay is an old word for Locate. */
static const char *const type_words[] = { "", "Unknown", "Locate", "PreBorrow", "SingleUse", "IntraDay", NULL };
static const enum og_paper_locate_type types[] = { OG_PAPER_LOCATE_NONE,       OG_PAPER_LOCATE_NONE,
                                                   OG_PAPER_LOCATE_STANDARD,   OG_PAPER_LOCATE_PRE_BORROW,
                                                   OG_PAPER_LOCATE_SINGLE_USE, OG_PAPER_LOCATE_STANDARD };

struct request {
    struct og_paper_field field[F_COUNT];
    int64_t shares;
};
typedef void handler(struct og_paper_call *call, struct request *request);

/* --- answers ------------------------------------------------------------------------------------------------------ */

static void reply_sent(struct og_paper_call *call, const char *key, bool ok)
{
    if (!ok) {
        og_reply_text(call->reply, 500, "out of memory");
        return;
    }
    og_buf_char(call->reply->body, '{');
    og_member_text(call->reply->body, key, "true"); /* a string, as the service writes it */
    og_buf_char(call->reply->body, '}');
}

static bool find_account(struct og_paper_call *call, struct og_str id)
{
    if (id.len)
        call->account = og_paper_key_account(call->key, id);
    if (!call->account)
        og_reply_refusal(call->reply, 400, "BadRequest", "Account was not found or lacks entitlements", NULL);
    return call->account != NULL;
}

/* --- problem details ---------------------------------------------------------------------------------------------- */

static void problem(struct og_buf *errors, const char *field, const char *text)
{
    og_member_key(errors, field);
    og_buf_char(errors, '[');
    og_member_text(errors, NULL, text);
    og_buf_char(errors, ']');
}

/* Answer with problem details. The trace id comes from a counter, so that the same calls get the same bytes. */
static void reply_problems(struct og_paper_call *call, const struct og_buf *errors)
{
    struct og_buf *b = call->reply->body;
    long long n = (long long)++call->p->traces;

    og_buf_char(b, '{');
    og_member_text(b, "type", "https://tools.ietf.org/html/rfc9110#section-15.5.1");
    og_member_text(b, "title", "One or more validation errors occurred.");
    og_member_int(b, "status", 400);
    og_member_key(b, "errors");
    og_buf_bytes(b, errors->s, errors->len);
    og_buf_char(b, '}');
    og_buf_format(b, ",\"traceId\":\"00-%032llx-%016llx-00\"}", n, n);
    call->reply->status = 400;
    call->reply->content_type = PROBLEM_TYPE;
}

static void read_shares(struct request *request, struct og_buf *errors)
{
    const struct og_paper_field *f = &request->field[F_QUANTITY];
    struct og_money m;
    int64_t dec = 0;
    bool whole = f->kind == OG_JSON_NUMBER && strcmp(og_json_type_name(f->kind, f->text), "integer") == 0 &&
                 og_money_read(f->text.s, f->text.len, &m) && og_dec_from(m, &dec);

    request->shares = dec / OG_DEC_ONE;
    if (!whole || request->shares < LEAST_SHARES || request->shares > MOST_SHARES)
        problem(errors, "Quantity", "The field Quantity must be between 100 and 2147483647.");
}

static void need_text(const struct og_paper_field *f, const char *name, struct og_buf *errors)
{
    char text[100];
    struct og_buf b;

    if (f->kind == OG_JSON_STRING && f->text.len && f->text.len <= MOST_TEXT)
        return;
    og_buf_init_fixed(&b, text, sizeof text);
    if (f->kind == OG_JSON_STRING && f->text.len)
        og_buf_format(&b, "The field %s must be a string with a maximum length of %d.", name, MOST_TEXT);
    else
        og_buf_format(&b, "The %s field is required.", name);
    problem(errors, name, text);
}

/* Returns true if there are no problems; otherwise answers with the error and returns false. */
static bool check_problems(struct og_paper_call *call, struct request *request, bool texts)
{
    struct og_buf errors;
    bool none;

    og_buf_init(&errors, 0);
    og_buf_char(&errors, '{');
    if (texts)
        need_text(&request->field[F_SYMBOL], "Symbol", &errors);
    read_shares(request, &errors);
    if (texts)
        need_text(&request->field[F_ID], "QuoteReqID", &errors);
    none = errors.len == 1;
    if (!none)
        reply_problems(call, &errors);
    og_buf_clear(&errors);
    return none;
}

/* --- plain lines -------------------------------------------------------------------------------------------------- */

/* Returns true if all required fields are present and, except for the quantity, strings; otherwise answers with the
 * error and returns false. */
static bool check_required(struct og_paper_call *call, const struct request *request, const char *const *names,
                           const int *fields, int count)
{
    struct og_buf errors;
    bool good;
    int i;

    og_buf_init(&errors, 0);
    for (i = 0; i < count; i++)
        if (!request->field[fields[i]].kind)
            og_paper_fields_line(&errors, "- (root): %s is required", names[fields[i]]);
    for (i = 0; i < count; i++)
        if (request->field[fields[i]].kind && fields[i] == F_TYPE)
            og_paper_field_word(&request->field[F_TYPE], names[F_TYPE], type_words, &errors);
        else if (request->field[fields[i]].kind && fields[i] == F_QUANTITY)
            og_paper_field_is(&request->field[F_QUANTITY], names[F_QUANTITY], "integer", &errors);
        else if (request->field[fields[i]].kind &&
                 og_paper_field_is(&request->field[fields[i]], names[fields[i]], "string", &errors) &&
                 request->field[fields[i]].text.len > MOST_TEXT)
            og_paper_fields_line(&errors, "- %s: String length must be less than or equal to %d", names[fields[i]],
                                 MOST_TEXT);
    good = !errors.len && !errors.bad;
    if (!good)
        og_reply_text(call->reply, 400, errors.s ? errors.s : "");
    og_buf_clear(&errors);
    return good;
}

static void read_body(struct og_paper_call *call, const char *const *names, handler *handle)
{
    struct og_str body = call->request->body;
    char *spill = malloc(body.len + 1);
    struct og_buf errors;
    struct request request = { .shares = 0 };

    og_buf_init(&errors, 0);
    if (!spill)
        og_reply_text(call->reply, 500, "out of memory");
    else if (!og_paper_fields_read(body, spill, names, F_COUNT, request.field, &errors))
        og_reply_text(call->reply, 400, errors.s ? errors.s : "");
    else
        handle(call, &request);
    og_buf_clear(&errors);
    free(spill);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static struct og_str text_of(const struct request *request, int field)
{
    return request->field[field].kind == OG_JSON_STRING ? request->field[field].text : (struct og_str){ NULL, 0 };
}

static void quote(struct og_paper_call *call, struct request *request)
{
    if (check_problems(call, request, true) && find_account(call, text_of(request, F_ACCOUNT)))
        reply_sent(call, "locateQuoteSent",
                   og_paper_locate_quote(call->p, call->account, text_of(request, F_SYMBOL), request->shares,
                                         text_of(request, F_ID)));
}

static void accept_offer(struct og_paper_call *call, struct request *request)
{
    static const int needed[] = { F_ACCOUNT, F_ID };

    if (check_required(call, request, accept_names, needed, 2) && find_account(call, text_of(request, F_ACCOUNT)))
        reply_sent(call, "locateAcceptSent", og_paper_locate_accept(call->p, call->account, text_of(request, F_ID)));
}

/* The documented body has no symbol. If a symbol is sent nevertheless, it is used; otherwise, the symbol of the filled
 * quote with the id. */
static void sell(struct og_paper_call *call, struct request *request)
{
    static const int needed[] = { F_ACCOUNT, F_ID, F_TYPE, F_QUANTITY };
    enum og_paper_locate_type type;
    struct og_str name = text_of(request, F_SYMBOL);

    if (!check_required(call, request, quote_names, needed, 4) || !check_problems(call, request, false) ||
        !find_account(call, text_of(request, F_ACCOUNT)))
        return;
    type = types[og_paper_word(type_words, text_of(request, F_TYPE))];
    name.len = name.len > MOST_TEXT ? MOST_TEXT : name.len;
    reply_sent(call, "locateSellSent",
               og_paper_locate_sell(call->p, call->account, name.len ? name : (struct og_str){ NULL, 0 }, type,
                                    request->shares, text_of(request, F_ID)));
}

void og_paper_post_locate_quote(struct og_paper_call *call)
{
    read_body(call, quote_names, quote);
}

void og_paper_post_locate_accept(struct og_paper_call *call)
{
    read_body(call, accept_names, accept_offer);
}

void og_paper_post_locate_sell(struct og_paper_call *call)
{
    read_body(call, quote_names, sell);
}

void og_paper_delete_locate(struct og_paper_call *call)
{
    if (!find_account(call, (struct og_str){ NULL, 0 }))
        return;
    og_paper_locate_cancel(call->p, call->account, call->item);
    reply_sent(call, "locateCancelSent", true);
}

void og_paper_get_inventory(struct og_paper_call *call)
{
    bool bare = call->account->paper && call->p->switches.bare_inventory;

    og_buf_text(call->reply->body, bare ? "[" : "{\"locateInventory\":[");
    og_paper_inventory_write(call->p, call->account, call->reply->body);
    og_buf_text(call->reply->body, bare ? "]" : "]}");
}

void og_paper_get_locates(struct og_paper_call *call)
{
    og_buf_text(call->reply->body, "{\"locateHistory\":[");
    og_paper_locate_write(call->account, call->reply->body);
    og_buf_text(call->reply->body, "]}");
}
