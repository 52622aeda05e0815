/*
 * Dispatch of a request: path, method, key pair, rate limit, faults, log.  The checks come in the documented order:
 * path and method, key pair, rate, then the handler.
 */
#include "paper/call.h"

#include <stdio.h>
#include <strings.h>
#include <time.h>

#include "base/crypto.h"
#include "paper/fault.h"
#include "paper/request_head.h"
#include "paper/log.h"
#include "paper/serve.h"

#include "base/banned.h"

#define PREFIX        "/v1/api/"
#define MOST_SEGMENTS 12

const char *const og_paper_methods[OG_METHOD_COUNT] = { "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS" };

/* for an account the key may not use: OWNER_READS answers 404, OWNER_CALLS leaves the answer to the handler */
enum owner { ANYONE, OWNER_READS, OWNER_CALLS };

struct endpoint {
    enum og_paper_method method;
    const char *path; /* {a} account, {i} item */
    const char *name; /* used by faults and limits */
    og_paper_handler *handler;
    enum owner owner;
    /* requests a second; docs/readings.md Z2 to Z19, our choice where the service's document is silent */
    int rate, burst;
    /* slash: a final slash is accepted; no_store: an account document, which must not be cached */
    bool slash, no_store;
};

static const struct endpoint endpoints[] = {
    { OG_METHOD_GET, "accounts", "GET accounts", og_paper_get_accounts, ANYONE, 3, 3, true, true },
    { OG_METHOD_GET, "account/{a}", "GET account", og_paper_get_account, OWNER_READS, 3, 3, true, true },
    { OG_METHOD_GET, "accounts/{a}/pnl", "GET pnl", og_paper_get_pnl, OWNER_READS, 3, 3, true, true },
    { OG_METHOD_GET, "accounts/{a}/positions", "GET positions", og_paper_get_positions, OWNER_READS, 3, 3, true,
      false },
    { OG_METHOD_GET, "accounts/{a}/positions/closed", "GET positions/closed", og_paper_get_closed, OWNER_READS, 3, 3,
      true, false },
    { OG_METHOD_GET, "accounts/{a}/routes", "GET routes", og_paper_get_routes, OWNER_READS, 1, 1, false, false },
    { OG_METHOD_GET, "accounts/{a}/orders", "GET orders", og_paper_get_orders, OWNER_READS, 2, 2, false, false },
    { OG_METHOD_GET, "accounts/{a}/orders/start-date/{i}", "GET orders/start-date", og_paper_get_fills, OWNER_READS, 1,
      1, false, false },
    { OG_METHOD_GET, "accounts/{a}/orders-with-pagination/start-date/{i}", "GET orders-with-pagination",
      og_paper_get_history, OWNER_READS, 1, 1, false, false },
    { OG_METHOD_GET, "accounts/{a}/order/{i}", "GET order", og_paper_get_order, OWNER_READS, 2, 2, false, false },
    { OG_METHOD_GET, "accounts/{a}/is-easy-to-borrow/symbol/{i}", "GET is-easy-to-borrow", og_paper_get_borrow,
      OWNER_READS, 2, 2, false, false },
    { OG_METHOD_GET, "accounts/{a}/locates/inventory", "GET locates/inventory", og_paper_get_inventory, OWNER_READS, 2,
      2, false, false },
    { OG_METHOD_GET, "accounts/{a}/locates/history", "GET locates/history", og_paper_get_locates, OWNER_READS, 2, 2,
      false, false },
    { OG_METHOD_GET, "accounts/{a}/cash-transactions/start-date/{i}", "GET cash-transactions", og_paper_get_cash,
      OWNER_CALLS, 1, 1, true, false },
    { OG_METHOD_POST, "accounts/locates/quote", "POST locates/quote", og_paper_post_locate_quote, OWNER_CALLS, 1, 1,
      false, false },
    { OG_METHOD_POST, "accounts/locates/accept", "POST locates/accept", og_paper_post_locate_accept, OWNER_CALLS, 10,
      10, false, false },
    { OG_METHOD_POST, "accounts/locates/sell", "POST locates/sell", og_paper_post_locate_sell, OWNER_CALLS, 10, 10,
      false, false },
    { OG_METHOD_DELETE, "accounts/locates/cancel/accounts/{a}/quoteReqID/{i}", "DELETE locates/cancel",
      og_paper_delete_locate, OWNER_CALLS, 2, 2, false, false },
    { OG_METHOD_POST, "accounts/{a}/order", "POST order", og_paper_post_order, OWNER_CALLS, 10, 10, false, false },
    { OG_METHOD_DELETE, "accounts/orders", "DELETE orders", og_paper_delete_orders, OWNER_CALLS, 3, 1, false, false },
    { OG_METHOD_DELETE, "accounts/{a}/orders/{i}", "DELETE order", og_paper_delete_order, OWNER_CALLS, 15, 15, false,
      false },
};
#define ENDPOINTS (sizeof(endpoints) / sizeof(endpoints[0]))

_Static_assert(ENDPOINTS <= OG_PAPER_ENDPOINTS, "a key has a bucket for each endpoint");

const char *og_paper_endpoint_name(size_t i)
{
    return i < ENDPOINTS ? endpoints[i].name : NULL;
}

/* ---- answers ---- */

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
    og_write_text(reply->body, "statusCode", code);
    og_write_text(reply->body, "message", message);
    og_write_text(reply->body, "detail", detail);
    og_buf_char(reply->body, '}');
    og_reply_json(reply, status);
}

/* ---- paths ---- */

/* Match a path against a pattern; a final slash may remain.  A variable matches one segment that is not empty. */
static bool path_matches(const struct endpoint *e, struct og_str path, struct og_paper_call *call)
{
    const char *at = path.s, *end = path.s + path.len, *pattern = e->path;
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

/* Answer a known path requested with another method. */
static void wrong_method(struct og_paper_call *call, const struct endpoint *e)
{
    enum og_paper_method method = call->request->method;

    if (method == OG_METHOD_OPTIONS) {
        og_reply_text(call->reply, 200, "");
        call->reply->allow = e->method == OG_METHOD_POST ? "POST" : NULL;
    } else if (method == OG_METHOD_HEAD) {
        og_reply_text(call->reply, 405, "");
    } else if (method == OG_METHOD_POST && (strcmp(e->name, "GET pnl") == 0 || strcmp(e->name, "GET orders") == 0)) {
        og_reply_text(call->reply, 404, "Not found");
    } else {
        og_reply_text(call->reply, 405, "405 method not allowed");
    }
}

/* Returns false if one is longer than any id. */
static bool decode_variables(struct og_paper_call *call)
{
    return og_paper_request_head_segment(&call->account_id, call->room[0], sizeof(call->room[0])) &&
           og_paper_request_head_segment(&call->item, call->room[1], sizeof(call->room[1]));
}

static const struct endpoint *find_endpoint(struct og_paper_call *call)
{
    struct og_str path = call->request->path;
    const struct endpoint *known = NULL;
    bool slash;
    size_t i;

    if (path.len < sizeof(PREFIX) - 1 || memcmp(path.s, PREFIX, sizeof(PREFIX) - 1) != 0) {
        og_reply_text(call->reply, 404, "404 page not found");
        return NULL;
    }
    path.s += sizeof(PREFIX) - 1;
    path.len -= sizeof(PREFIX) - 1;
    slash = path.len && path.s[path.len - 1] == '/';
    for (i = 0; i < ENDPOINTS; i++) {
        if (!path_matches(&endpoints[i], path, call))
            continue;
        if (slash && !endpoints[i].slash) {
            og_reply_text(call->reply, 404, "Not found");
            return NULL;
        }
        known = &endpoints[i];
        if (known->method != call->request->method)
            continue;
        if (decode_variables(call))
            return known;
        og_reply_text(call->reply, 404, "Not found");
        return NULL;
    }
    if (known)
        wrong_method(call, known);
    else
        og_reply_text(call->reply, 404, "404 page not found");
    return NULL;
}

/* ---- key pairs ---- */

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
        if (key->accounts[i]->id.len == id.len && strncasecmp(key->accounts[i]->id.s, id.s, id.len) == 0)
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

/* ---- request rates ---- */

/* A token bucket on real time; a rejected request takes no token. */
static bool take_token(struct og_paper_bucket *bucket, const struct og_paper_limit *limit)
{
    struct timespec t;
    int64_t now, gained, full = limit->burst * OG_NS_PER_S;

    clock_gettime(CLOCK_MONOTONIC, &t);
    now = t.tv_sec * OG_NS_PER_S + t.tv_nsec;
    gained = bucket->filled && now - bucket->filled < full / limit->rate ? (now - bucket->filled) * limit->rate : full;
    bucket->tokens = bucket->tokens + gained < full ? bucket->tokens + gained : full;
    bucket->filled = now;
    if (bucket->tokens < OG_NS_PER_S)
        return false;
    bucket->tokens -= OG_NS_PER_S;
    return true;
}

/* Apply the scenario's limit, else the endpoint's. */
static bool in_rate(struct og_paper_call *call, const struct endpoint *e)
{
    size_t i = (size_t)(e - endpoints);
    struct og_paper_limit limit = call->p->limits[i];

    if (!limit.burst)
        limit = (struct og_paper_limit){ e->rate, e->burst };
    return call->p->options.no_rate_limits || take_token(&call->key->buckets[i], &limit);
}

/* ---- serving a request ---- */

/* Returns true if the handler ran. */
static bool run_handler(struct og_paper_call *call, const struct endpoint *e)
{
    if (!sign_in(call))
        return false;
    if (!in_rate(call, e)) {
        og_reply_text(call->reply, 429, "");
        return false;
    }
    call->account = og_paper_key_account(call->key, call->account_id);
    if (e->owner == OWNER_READS && !call->account) {
        og_reply_text(call->reply, 404, "Not found");
        return false;
    }
    e->handler(call);
    call->reply->no_store = e->no_store;
    return call->reply->status < 400;
}

static const char *fault_reason(int status)
{
    return status == 429 ? "" : status >= 500 ? "server error" : "refused";
}

static bool serve_endpoint(struct og_paper_call *call, const struct endpoint *e)
{
    struct og_paper_fault fault;

    call->late_ns = og_paper_fault_registration_delay(call->p, e->name);
    if (!og_paper_fault_next(call->p, e->name, &fault))
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
    const struct endpoint *e;
    bool effect;

    og_paper_clock_run(&p->clock);
    if (p->options.control && request->path.len >= 7 && memcmp(request->path.s, "/paper/", 7) == 0) {
        og_paper_control(p, request, reply);
        og_paper_log_line(p, request, reply, request->method != OG_METHOD_GET && reply->status == 200);
        return og_paper_store(p);
    }
    e = find_endpoint(&call);
    effect = e && serve_endpoint(&call, e);
    og_paper_log_add(p, request, reply, effect);
    return og_paper_store(p);
}
