/*
 * The synchronous client: makes one call at a time on its own loop.  It returns OG_OK only for an answer as documented.
 * For a call that may have changed something although its answer is lost or not as documented, it returns OG_EUNKNOWN.
 */
#include "broker/client.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/account_id.h"
#include "base/error.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "wire/read.h"

#define TEXT_MOST 512

static const char *const kind_names[] = {
    [OG_ANSWER_NONE] = "none",
    [OG_ANSWER_OK] = "ok",
    [OG_ANSWER_INVALID] = "invalid",
    [OG_ANSWER_DENIED] = "denied",
    [OG_ANSWER_PROBLEM] = "problem",
    [OG_ANSWER_NO_KEYS] = "no-keys",
    [OG_ANSWER_NOT_FOUND] = "not-found",
    [OG_ANSWER_METHOD] = "method-not-allowed",
    [OG_ANSWER_MEDIA_TYPE] = "media-type",
    [OG_ANSWER_BUSY] = "busy",
    [OG_ANSWER_FAULT] = "fault",
    [OG_ANSWER_STRANGE] = "strange",
    [OG_ANSWER_UNREADABLE] = "unreadable",
    [OG_ANSWER_UNSENT] = "unsent",
    [OG_ANSWER_LOST] = "lost",
};

const char *og_answer_kind_name(enum og_answer_kind kind)
{
    size_t i = (size_t)kind;

    return i < sizeof kind_names / sizeof kind_names[0] ? kind_names[i] : "unknown";
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

void og_answer_clear(struct og_answer *a)
{
    struct og_answer_memory *m = a ? a->memory : NULL;

    if (m) {
        og_arena_clear(&m->arena);
        og_buf_clear(&m->body);
        cJSON_Delete(m->doc);
        free(m);
    }
    if (a)
        *a = (struct og_answer){
            .type = "", .body = "", .text = "", .asked_at = OG_TIME_UNKNOWN, .date = OG_TIME_UNKNOWN
        };
}

struct og_answer_memory *og_answer_memory(struct og_answer *a)
{
    struct og_answer_memory *m = calloc(1, sizeof *m);

    og_answer_clear(a);
    if (!m)
        return NULL;
    og_arena_init(&m->arena, 0);
    og_buf_init(&m->body, 0);
    a->memory = m;
    return m;
}

enum og_status og_answer_made(struct og_answer *a, int64_t asked_at, struct og_error *err)
{
    const struct og_answer_memory *m = a->memory;

    if (m->body.bad)
        return og_fail(err, OG_ENOMEM, "out of memory");
    a->kind = OG_ANSWER_OK;
    a->http = 200;
    a->type = "application/json";
    a->body = m->body.s;
    a->len = m->body.len;
    a->asked_at = asked_at;
    return OG_OK;
}

static enum og_answer_kind kind_of_400(const struct og_answer *a)
{
    if (!og_wire_is_json(a->type))
        return OG_ANSWER_INVALID;
    return strstr(a->type, "problem") || strstr(a->body, "\"errors\"") ? OG_ANSWER_PROBLEM : OG_ANSWER_DENIED;
}

static enum og_answer_kind kind_of(const struct og_answer *a, enum og_call_end end)
{
    if (end != OG_CALL_ANSWERED)
        return end == OG_CALL_UNSENT ? OG_ANSWER_UNSENT : OG_ANSWER_LOST;
    switch (a->http) {
    case 200: return OG_ANSWER_OK;
    case 400: return kind_of_400(a);
    case 401: return OG_ANSWER_NO_KEYS;
    case 404: return OG_ANSWER_NOT_FOUND;
    case 405: return OG_ANSWER_METHOD;
    case 415: return OG_ANSWER_MEDIA_TYPE;
    case 429: return OG_ANSWER_BUSY;
    default: return a->http >= 500 ? OG_ANSWER_FAULT : OG_ANSWER_STRANGE;
    }
}

static enum og_status status_of(enum og_endpoint call, enum og_answer_kind kind)
{
    switch (kind) {
    case OG_ANSWER_OK: return OG_OK;
    case OG_ANSWER_INVALID:
    case OG_ANSWER_DENIED:
    case OG_ANSWER_PROBLEM:
    case OG_ANSWER_METHOD:
    case OG_ANSWER_MEDIA_TYPE: return OG_EREJECTED;
    case OG_ANSWER_NO_KEYS: return OG_EAUTH;
    case OG_ANSWER_NOT_FOUND: return call == OG_ENDPOINT_ACCOUNTS ? OG_EAUTH : OG_ENOENT;
    case OG_ANSWER_BUSY: return OG_EBUSY;
    case OG_ANSWER_NONE:
    case OG_ANSWER_UNSENT: return OG_ENET;
    case OG_ANSWER_FAULT:
    case OG_ANSWER_STRANGE:
    case OG_ANSWER_UNREADABLE:
    case OG_ANSWER_LOST: break;
    }
    return strcmp(og_endpoints[call].method, "GET") == 0 ? OG_ENET : OG_EUNKNOWN;
}

static const char *own_words(enum og_answer_kind kind)
{
    switch (kind) {
    case OG_ANSWER_NO_KEYS: return "the keys were rejected";
    case OG_ANSWER_NOT_FOUND: return "not found";
    case OG_ANSWER_BUSY: return "still too many requests after the wait";
    case OG_ANSWER_FAULT: return "the service failed";
    case OG_ANSWER_STRANGE: return "an undocumented status";
    default: return "no text";
    }
}

/* Set the text of an answer that is not OK; *why: what HTTP reported. */
static void set_text(struct og_answer *a, struct og_answer_memory *m, const char *why)
{
    struct og_buf text;

    og_buf_init(&text, 0);
    if (a->http == 0 || (a->len == 0 && why[0] != '\0'))
        og_buf_text(&text, why);
    else if (a->len > 0)
        og_wire_error_text(a->type, a->body, a->len, &text);
    if (text.len == 0)
        og_buf_text(&text, own_words(a->kind));
    a->text = og_arena_copy(&m->arena, (struct og_str){ text.s, text.len }).s;
    if (!a->text)
        a->text = own_words(a->kind);
    og_buf_clear(&text);
}

/* --- one call ----------------------------------------------------------------------------------------------------- */

struct waiting {
    struct og_answer *to;
    uv_loop_t *loop;
    bool done;
};

static void on_answer(void *with, const struct og_call_reply *r)
{
    struct waiting *w = with;
    struct og_answer *a = w->to;
    struct og_answer_memory *m = a->memory;

    w->done = true;
    uv_stop(w->loop); /* this may run before the loop polls: uv_stop() then keeps the poll from blocking */
    og_buf_bytes(&m->body, r->body, r->len);
    a->http = r->status;
    a->attempts = r->attempts;
    a->type = og_arena_copy(&m->arena, og_str_of(r->content_type)).s;
    a->type = a->type ? a->type : "";
    a->body = m->body.s && !m->body.bad ? m->body.s : "";
    a->len = m->body.bad ? 0 : m->body.len;
    a->date = r->date_ns;
    a->asked_at = og_time_now() - (int64_t)(og_time_up() - r->began_ns);
    a->kind = m->body.bad ? OG_ANSWER_UNREADABLE : kind_of(a, r->end);
    if (a->kind != OG_ANSWER_OK)
        set_text(a, m, r->error);
}

/* Returns true if the answer may be due to a wrong path in base_url. A 404 about an order or locate is not: it means
 * that the order or locate does not exist. */
static bool is_of_path(const struct og_client_call *call, int http)
{
    return http == 401 || http == 403 || (http == 404 && !(call->other && *call->other));
}

static enum og_status fail_with_answer(const struct og_client *c, const struct og_client_call *of,
                                       const struct og_answer *a, struct og_error *err)
{
    const enum og_endpoint call = of->call;
    enum og_status status = status_of(call, a->kind);
    const char *name = og_endpoints[call].name, *base = c->settings.base_url;
    const int base_len = og_settings_base_len(&c->settings);

    if (status == OG_OK)
        return OG_OK;
    if (is_of_path(of, a->http) && base[base_len])
        return og_fail_because(err, status, a->http,
                               "%s: %d: %s (asked at base_url '%s', which must not end in /v1/api: write '%.*s')", name,
                               a->http, a->text, base, base_len, base);
    if (is_of_path(of, a->http))
        return og_fail_because(err, status, a->http, "%s: %d: %s (asked at base_url '%s': is its path right?)", name,
                               a->http, a->text, base);
    if (a->http != 0)
        return og_fail_because(err, status, a->http, "%s: %d: %s", name, a->http, a->text);
    return og_fail(err, status, "%s: %s", name, a->text);
}

enum og_status og_client_ask(struct og_client *c, const struct og_client_call *call, struct og_answer *a,
                             struct og_error *err)
{
    const char *account = call->account;
    struct waiting w = { .to = a, .loop = &c->loop };
    enum og_status status;

    if (!og_answer_memory(a))
        return og_fail(err, OG_ENOMEM, "out of memory");
    if (!account && (status = og_client_default_account(c, &account, err)) != OG_OK)
        return status;
    status = og_broker_start(c->broker,
                             &(struct og_broker_request){ .call = call->call,
                                                          .account = og_str_of(account),
                                                          .other = og_str_of(call->other ? call->other : ""),
                                                          .query = og_str_of(call->query ? call->query : ""),
                                                          .kind = call->kind,
                                                          .body = call->body ? call->body->s : NULL,
                                                          .len = call->body ? call->body->len : 0,
                                                          .wait_ms = c->wait_ns / OG_NS_PER_MS,
                                                          .urgent = c->urgent },
                             on_answer, &w, err);
    while (status == OG_OK && !w.done)
        uv_run(&c->loop, UV_RUN_ONCE);
    return status == OG_OK ? fail_with_answer(c, call, a, err) : status;
}

enum og_status og_client_unreadable(enum og_endpoint call, struct og_answer *a, struct og_error *err,
                                    const char *format, ...)
{
    struct og_answer_memory *m = a->memory;
    char text[TEXT_MOST];
    va_list args;

    va_start(args, format);
    og_text_format(text, sizeof text, format, args);
    va_end(args);
    a->kind = OG_ANSWER_UNREADABLE;
    a->text = og_arena_copy(&m->arena, og_str_of(text)).s;
    a->text = a->text ? a->text : "unreadable";
    return og_fail(err, status_of(call, a->kind), "%s: the answer cannot be read: %s", og_endpoints[call].name,
                   a->text);
}

enum og_status og_client_read(struct og_client *c, const struct og_client_call *call, struct og_answer *a,
                              const cJSON **doc, struct og_error *err)
{
    enum og_status status = og_client_ask(c, call, a, err);
    struct og_answer_memory *m = a->memory;
    struct og_error why = { 0 };

    *doc = NULL;
    if (status != OG_OK)
        return status;
    if (!og_wire_is_json(a->type))
        return og_client_unreadable(call->call, a, err, "its Content-Type is '%s', not JSON", a->type);
    status = og_doc_read(a->body, a->len, "answer", &m->doc, &why);
    if (status == OG_ENOMEM)
        return og_fail(err, OG_ENOMEM, "out of memory");
    if (status != OG_OK)
        return og_client_unreadable(call->call, a, err, "line %d, column %d: %s", why.line, why.col, why.text);
    *doc = m->doc;
    return OG_OK;
}

/* --- the client --------------------------------------------------------------------------------------------------- */

static void on_stop(uv_async_t *async)
{
    ((struct og_client *)async->data)->stopped = true;
    uv_stop(async->loop);
}

static enum og_status start_client(struct og_client *c, const struct og_client_options *o,
                                   const struct og_settings *known, struct og_error *err)
{
    int64_t timeout = o->timeout_ns != 0 ? o->timeout_ns : OG_REQUEST_TIMEOUT_NS;
    enum og_status status =
        known ? og_settings_copy(&c->settings, known, err) : og_settings_read(&c->settings, o->broker, err);
    const char *account = o->account ? o->account : c->settings.account;

    c->urgent = o->urgent;
    c->unchecked = o->unchecked;
    c->wait_ns = o->wait_ns != 0 ? o->wait_ns : OG_REQUEST_WAIT_NS;
    if (status != OG_OK)
        return status;
    if (timeout < OG_NS_PER_MS || c->wait_ns < 0)
        return og_fail(err, OG_EINVAL, "the timeout is below 1ms, or the wait below 0");
    if (account && !(c->account = strdup(account)))
        return og_fail(err, OG_ENOMEM, "out of memory");
    if (uv_async_init(&c->loop, &c->stop, on_stop) != 0)
        return og_fail(err, OG_ENET, "libuv cannot be started");
    c->stop_made = true;
    c->stop.data = c;
    return og_broker_new(&c->loop, &c->settings, (long)(timeout / OG_NS_PER_MS), &c->broker, err);
}

enum og_status og_client_open_as(const struct og_client_options *options, const struct og_settings *settings,
                                 struct og_client **client, struct og_error *err)
{
    struct og_client *c;
    enum og_status status;

    if (!options || !client)
        return og_missing(err);
    c = calloc(1, sizeof *c);
    *client = NULL;
    if (!c || uv_loop_init(&c->loop) != 0) {
        free(c);
        return og_fail(err, OG_ENOMEM, "libuv cannot be started: out of memory");
    }
    if ((status = start_client(c, options, settings, err)) != OG_OK) {
        og_client_close(c);
        return status;
    }
    *client = c;
    return OG_OK;
}

enum og_status og_client_open(const struct og_client_options *options, struct og_client **client, struct og_error *err)
{
    return og_client_open_as(options, NULL, client, err);
}

void og_client_close(struct og_client *c)
{
    if (!c)
        return;
    og_broker_free(c->broker);
    if (c->stop_made)
        uv_close((uv_handle_t *)&c->stop, NULL);
    uv_run(&c->loop, UV_RUN_DEFAULT);
    uv_loop_close(&c->loop);
    og_settings_clear(&c->settings);
    free(c->account);
    free(c->checked_account);
    free(c);
}

void og_client_stop(struct og_client *c)
{
    if (!c)
        return;
    uv_async_send(&c->stop);
}

static enum og_status only_account(struct og_client *c, const struct og_accounts *list, struct og_error *err)
{
    char names[160] = "";
    size_t len = 0;

    if (list->count == 1)
        return (c->account = strdup(list->row[0].account)) ? OG_OK : og_fail(err, OG_ENOMEM, "out of memory");
    for (size_t i = 0; i < list->count && len < sizeof names - 1; i++)
        len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", i > 0 ? ", " : "", list->row[i].account);
    if (list->count == 0)
        return og_fail(err, OG_ENOENT, "the keys reach no account; overnight the platform sleeps: try again later");
    return og_fail(err, OG_ENOENT, "the keys reach several accounts (%s): name one with --account", names);
}

enum og_status og_client_account_id(struct og_client *c, const char **account, struct og_error *err)
{
    struct og_accounts list = { 0 };
    enum og_status status = OG_OK;

    if (!c || !account)
        return og_missing(err);
    *account = NULL;
    if (!c->account && (status = og_client_accounts(c, &list, err)) == OG_OK)
        status = only_account(c, &list, err);
    og_answer_clear(&list.answer);
    *account = c->account;
    return status;
}

enum og_status og_client_default_account(struct og_client *c, const char **account, struct og_error *err)
{
    if (!*account)
        return og_client_account_id(c, account, err);
    return (*account)[0] != '\0' ? OG_OK : og_fail(err, OG_EINVAL, "the account's name is empty");
}

static enum og_status match_environment(const struct og_client *c, const char *account, const char *type,
                                        struct og_error *err)
{
    bool live = strcmp(type, "Paper") != 0;

    if (live && c->settings.environment != OG_ENVIRONMENT_LIVE)
        return og_fail(
            err, OG_EINVAL,
            "account '%s' is of type '%s', which counts as live: set environment: live, or ORDERGATE_ENVIRONMENT=live",
            account, type);
    if (!live && c->settings.environment == OG_ENVIRONMENT_LIVE)
        return og_fail(err, OG_EINVAL, "environment is live, and account '%s' is of type 'Paper'", account);
    return OG_OK;
}

enum og_status og_client_check_environment(struct og_client *c, const char *account, bool strict, struct og_error *err)
{
    struct og_account_detail detail = { 0 };
    enum og_status status;

    if ((!strict && c->settings.environment == OG_ENVIRONMENT_UNSET) ||
        (c->checked_account && og_same_account(og_str_of(c->checked_account), og_str_of(account))))
        return OG_OK;
    status = og_client_account(c, account, &detail, err);
    if (status == OG_OK)
        status = match_environment(c, account, detail.row.type ? detail.row.type : "", err);
    og_answer_clear(&detail.answer);
    if (status == OG_OK) {
        free(c->checked_account);
        c->checked_account = strdup(account);
    }
    return status;
}

static void on_pause(uv_timer_t *timer)
{
    *(bool *)timer->data = true;
    uv_stop(timer->loop);
}

static void on_closed(uv_handle_t *handle)
{
    *(bool *)handle->data = false;
}

void og_client_run_for(struct og_client *c, int64_t ns, bool stoppable)
{
    bool over = false;
    uv_timer_t timer;

    if (uv_timer_init(&c->loop, &timer) != 0)
        return;
    timer.data = &over;
    uv_update_time(&c->loop);
    uv_timer_start(&timer, on_pause, ns > 0 ? (uint64_t)(ns / OG_NS_PER_MS) + 1 : 0, 0);
    while (!over && !(stoppable && c->stopped))
        uv_run(&c->loop, UV_RUN_ONCE);
    over = true;
    uv_close((uv_handle_t *)&timer, on_closed);
    while (over)
        uv_run(&c->loop, UV_RUN_ONCE);
}
