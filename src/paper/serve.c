/*
 * Dispatch of a request: path, method, key pair, rate limit, faults, log. The checks are made in the documented
 * sequence: path and method, key pair, rate, then those of the handler.
 */
#include "base/account_id.h"
#include "base/crypto.h"
#include "paper/call.h"
#include "paper/fault.h"
#include "paper/log.h"
#include "serve/head.h"

/* What happens if the key is not allowed to use the account. ANYONE: there is no such check; OWNER_READS: the answer is
 * 404; OWNER_CALLS: the handler answers. */
enum owner { ANYONE, OWNER_READS, OWNER_CALLS };

/* What this service does at each endpoint. */
static const struct endpoint {
    og_paper_handler *handler;
    enum owner owner;
    /* slash: the path may end with a slash; no_store: the answer is an account document, which must not be cached */
    bool slash, no_store;
} endpoints[OG_ENDPOINTS] = {
    [OG_ENDPOINT_ACCOUNTS] = { og_paper_get_accounts, ANYONE, true, true },
    [OG_ENDPOINT_ACCOUNT] = { og_paper_get_account, OWNER_READS, true, true },
    [OG_ENDPOINT_PNL] = { og_paper_get_pnl, OWNER_READS, true, true },
    [OG_ENDPOINT_POSITIONS] = { og_paper_get_positions, OWNER_READS, true, false },
    [OG_ENDPOINT_CLOSED] = { og_paper_get_closed, OWNER_READS, true, false },
    [OG_ENDPOINT_CASH] = { og_paper_get_cash, OWNER_CALLS, true, false },
    [OG_ENDPOINT_ROUTES] = { og_paper_get_routes, OWNER_READS, false, false },
    [OG_ENDPOINT_ORDERS] = { og_paper_get_orders, OWNER_READS, false, false },
    [OG_ENDPOINT_ORDER] = { og_paper_get_order, OWNER_READS, false, false },
    [OG_ENDPOINT_HISTORY] = { og_paper_get_fills, OWNER_READS, false, false },
    [OG_ENDPOINT_HISTORY_PAGES] = { og_paper_get_history, OWNER_READS, false, false },
    [OG_ENDPOINT_POST] = { og_paper_post_order, OWNER_CALLS, false, false },
    [OG_ENDPOINT_CANCEL] = { og_paper_delete_order, OWNER_CALLS, false, false },
    [OG_ENDPOINT_CANCEL_ALL] = { og_paper_delete_orders, OWNER_CALLS, false, false },
    [OG_ENDPOINT_BORROW] = { og_paper_get_borrow, OWNER_READS, false, false },
    [OG_ENDPOINT_LOCATE_QUOTE] = { og_paper_post_locate_quote, OWNER_CALLS, false, false },
    [OG_ENDPOINT_LOCATE_ACCEPT] = { og_paper_post_locate_accept, OWNER_CALLS, false, false },
    [OG_ENDPOINT_LOCATE_SELL] = { og_paper_post_locate_sell, OWNER_CALLS, false, false },
    [OG_ENDPOINT_LOCATE_CANCEL] = { og_paper_delete_locate, OWNER_CALLS, false, false },
    [OG_ENDPOINT_LOCATES] = { og_paper_get_locates, OWNER_READS, false, false },
    [OG_ENDPOINT_INVENTORY] = { og_paper_get_inventory, OWNER_READS, false, false },
};

/* --- answers ------------------------------------------------------------------------------------------------------ */

void og_reply_text(struct og_paper_reply *reply, int status, const char *text)
{
    reply->status = status;
    reply->content_type = *text ? OG_TEXT_TYPE : NULL;
    og_buf_reset(reply->body);
    og_buf_text(reply->body, text);
}

void og_reply_json(struct og_paper_reply *reply, int status)
{
    reply->status = status;
    reply->content_type = OG_JSON_TYPE;
}

void og_reply_refusal(struct og_paper_reply *reply, int status, const char *code, const char *message,
                      const char *detail)
{
    og_buf_reset(reply->body);
    og_buf_char(reply->body, '{');
    og_member_text(reply->body, "statusCode", code);
    og_member_text(reply->body, "message", message);
    og_member_text(reply->body, "detail", detail);
    og_buf_char(reply->body, '}');
    og_reply_json(reply, status);
}

/* --- paths -------------------------------------------------------------------------------------------------------- */

/* Match a path against a pattern; a final slash may be left over. A variable of the pattern matches one segment that is
 * not empty. */
static bool path_matches(enum og_endpoint e, struct og_str path, struct og_paper_call *call)
{
    const char *at = path.s, *end = path.s + path.len, *pattern = og_endpoints[e].path;
    struct og_str segment;
    size_t len;

    for (;;) {
        segment.s = at;
        while (at < end && *at != '/')
            at++;
        segment.len = (size_t)(at - segment.s);
        len = strcspn(pattern, "/");
        if (pattern[0] == '{') {
            if (!segment.len)
                return false;
            *(pattern[1] == 'a' ? &call->account_id : &call->item) = segment;
        } else if (segment.len != len || memcmp(segment.s, pattern, len) != 0) {
            return false;
        }
        pattern += len;
        if (!*pattern)
            return at == end || at + 1 == end;
        if (at == end)
            return false;
        pattern++;
        at++;
    }
}

/* Answer a request whose path is known, but does not have this method. */
static void wrong_method(struct og_paper_call *call, enum og_endpoint e)
{
    enum og_serve_method method = call->request->method;

    if (method == OG_METHOD_OPTIONS) {
        og_reply_text(call->reply, 200, "");
        call->reply->allow = strcmp(og_endpoints[e].method, "POST") == 0 ? "POST" : NULL;
    } else if (method == OG_METHOD_HEAD) {
        og_reply_text(call->reply, 405, "");
    } else if (method == OG_METHOD_POST && (e == OG_ENDPOINT_PNL || e == OG_ENDPOINT_ORDERS)) {
        og_reply_text(call->reply, 404, "Not found");
    } else {
        og_reply_text(call->reply, 405, "405 method not allowed");
    }
}

/* Decode the account id and the item in the path.  Returns false if one of them is longer than any id can be. */
static bool decode_variables(struct og_paper_call *call)
{
    return og_serve_head_segment(&call->account_id, call->room[0], sizeof call->room[0]) &&
           og_serve_head_segment(&call->item, call->room[1], sizeof call->room[1]);
}

/* Returns the endpoint of a request; OG_ENDPOINTS if there is none, in which case the request was answered. */
static enum og_endpoint find_endpoint(struct og_paper_call *call)
{
    struct og_str path = call->request->path;
    enum og_endpoint known = OG_ENDPOINTS;
    bool slash;

    if (path.len < sizeof(OG_API_PREFIX) - 1 || memcmp(path.s, OG_API_PREFIX, sizeof(OG_API_PREFIX) - 1) != 0) {
        og_reply_text(call->reply, 404, "404 page not found");
        return OG_ENDPOINTS;
    }
    path.s += sizeof(OG_API_PREFIX) - 1;
    path.len -= sizeof(OG_API_PREFIX) - 1;
    slash = path.len && path.s[path.len - 1] == '/';
    for (enum og_endpoint e = 0; e < OG_ENDPOINTS; e++) {
        if (!path_matches(e, path, call))
            continue;
        if (slash && !endpoints[e].slash) {
            og_reply_text(call->reply, 404, "Not found");
            return OG_ENDPOINTS;
        }
        known = e;
        if (strcmp(og_endpoints[e].method, og_serve_methods[call->request->method]) != 0)
            continue;
        if (decode_variables(call))
            return known;
        og_reply_text(call->reply, 404, "Not found");
        return OG_ENDPOINTS;
    }
    if (known != OG_ENDPOINTS)
        wrong_method(call, known);
    else
        og_reply_text(call->reply, 404, "404 page not found");
    return OG_ENDPOINTS;
}

/* --- key pairs ---------------------------------------------------------------------------------------------------- */

struct og_paper_key *og_paper_key_get(const struct og_paper *p, struct og_str id, struct og_str secret)
{
    struct og_paper_key *key, *found = NULL;

    for (key = p->keys; key; key = key->next) {
        bool same_id = og_same_secret(id.s, id.len, key->id.s, key->id.len);
        bool same_secret = og_same_secret(secret.s, secret.len, key->secret.s, key->secret.len);

        if (same_id && same_secret && !key->disabled)
            found = key;
    }
    return found;
}

struct og_paper_account *og_paper_key_account(const struct og_paper_key *key, struct og_str id)
{
    size_t i, count = key->service->switches.asleep ? 0 : key->count;

    for (i = 0; i < count; i++)
        if (og_same_account(key->accounts[i]->id, id))
            return key->accounts[i];
    return NULL;
}

static bool sign_in(struct og_paper_call *call)
{
    const struct og_paper_request *r = call->request;

    if (r->key.s && r->secret.s)
        call->key = og_paper_key_get(call->p, r->key, r->secret);
    if (call->key)
        return true;
    if (r->method == OG_METHOD_DELETE)
        og_reply_refusal(call->reply, 401, "Unauthorized", "Token not provided", NULL);
    else
        og_reply_text(call->reply, 404, "Not found");
    return false;
}

/* --- request rates ------------------------------------------------------------------------------------------------ */

/* Take a token from a bucket, which is refilled as the service's clock goes on. Returns false if the bucket has none,
 * so that a rejected request takes none. */
static bool take_token(struct og_paper_bucket *bucket, const struct og_paper_limit *limit, int64_t now)
{
    const int64_t full = limit->burst * OG_NS_PER_S;
    int64_t gained = full;

    if (bucket->filled && now - bucket->filled < full / limit->rate)
        gained = (now - bucket->filled) * limit->rate;
    bucket->tokens = bucket->tokens + gained < full ? bucket->tokens + gained : full;
    bucket->filled = now;
    if (bucket->tokens < OG_NS_PER_S)
        return false;
    bucket->tokens -= OG_NS_PER_S;
    return true;
}

/* Returns true if the rate limit allows the request. */
static bool in_rate(struct og_paper_call *call, enum og_endpoint e)
{
    const struct og_paper_limit *limit = &call->p->limits[e];

    return !limit->burst || take_token(&call->key->buckets[e], limit, og_paper_clock_now(&call->p->clock));
}

/* --- serving a request -------------------------------------------------------------------------------------------- */

/* Serve the endpoint.  Returns true if the handler ran. */
static bool run_handler(struct og_paper_call *call, enum og_endpoint e)
{
    if (!sign_in(call))
        return false;
    if (!in_rate(call, e)) {
        og_reply_text(call->reply, 429, "");
        return false;
    }
    call->account = og_paper_key_account(call->key, call->account_id);
    if (endpoints[e].owner == OWNER_READS && !call->account) {
        og_reply_text(call->reply, 404, "Not found");
        return false;
    }
    og_reply_json(call->reply, 200); /* the answer is 200 unless the handler sets another */
    endpoints[e].handler(call);
    call->reply->no_store = endpoints[e].no_store;
    return call->reply->status < 400;
}

static const char *fault_reason(int status)
{
    return status == 429 ? "" : status >= 500 ? "server error" : "refused";
}

static bool serve_endpoint(struct og_paper_call *call, enum og_endpoint e)
{
    const char *name = og_endpoints[e].name;
    struct og_paper_fault fault;

    call->late_ns = og_paper_fault_registration_delay(call->p, name);
    if (!og_paper_fault_next(call->p, name, &fault))
        return run_handler(call, e);
    call->reply->action = fault.action;
    call->reply->delay_ns = fault.delay_ns;
    if (fault.effect)
        return run_handler(call, e);
    og_reply_text(call->reply, fault.status, fault_reason(fault.status));
    return false;
}

bool og_paper_serve(struct og_paper *p, const struct og_paper_request *request, struct og_paper_reply *reply)
{
    struct og_paper_call call = { .p = p, .request = request, .reply = reply };
    enum og_endpoint e;
    bool effect;

    og_paper_clock_run(&p->clock);
    if (p->options.control && request->path.len >= sizeof(OG_PAPER_CONTROL) - 1 &&
        memcmp(request->path.s, OG_PAPER_CONTROL, sizeof(OG_PAPER_CONTROL) - 1) == 0) {
        og_paper_control(p, request, reply);
        og_paper_log_line(p, request, reply, request->method != OG_METHOD_GET && reply->status == 200);
        return og_paper_store(p);
    }
    if (og_paper_index(p, request, reply)) {
        og_paper_log_line(p, request, reply, false);
        return true;
    }
    e = find_endpoint(&call);
    effect = e != OG_ENDPOINTS && serve_endpoint(&call, e);
    og_paper_log_add(p, request, reply, effect);
    return og_paper_store(p);
}
