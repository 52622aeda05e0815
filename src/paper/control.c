/*
 * The control calls that change something: market, clock, symbols, settings, limits, keys and faults; the log of
 * requests; and the table of all control calls. A call with a value that is not allowed is rejected with a reason, and
 * changes nothing. The calls need no keys, so they exist only with --control and on loopback.
 */
#include "paper/control.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/time.h"
#include "paper/db.h"
#include "paper/fault.h"
#include "paper/history.h"
#include "paper/hub.h"
#include "paper/log.h"
#include "paper/match.h"
#include "paper/scenario_settings.h"

bool og_control_dec(const cJSON *doc, const char *key, int64_t *to)
{
    struct og_money m;
    int64_t value;

    if (!og_doc_get(doc, key))
        return true;
    if (!og_doc_money(doc, key, &m) || !og_dec_from(m, &value))
        return false;
    *to = value;
    return true;
}

static bool read_size(const cJSON *doc, const char *key, int64_t *to)
{
    *to = OG_NO_SIZE;
    if (!og_doc_get(doc, key) || cJSON_IsNull(og_doc_get(doc, key)))
        return true;
    return og_doc_int(doc, key, to) && *to >= 0;
}

/* --- quotes and symbols ------------------------------------------------------------------------------------------- */

static bool read_quote(const cJSON *doc, const struct og_paper_quote *before, struct og_paper_quote *quote)
{
    struct og_paper_quote given = { .bid = OG_UNSET, .ask = OG_UNSET, .last = OG_UNSET };

    return og_control_dec(doc, "bid", &given.bid) && og_control_dec(doc, "ask", &given.ask) &&
           og_control_dec(doc, "last", &given.last) && read_size(doc, "bidSize", &given.bid_size) &&
           read_size(doc, "askSize", &given.ask_size) && og_paper_quote_next(before, &given, quote);
}

static const char *put_quote(struct og_control_call *c)
{
    struct og_paper_symbol *s = og_paper_market_add(&c->p->market, c->item);
    struct og_paper_quote quote;
    bool computed = false;

    if (!s)
        return "out of memory";
    if (cJSON_IsObject(c->doc) && og_doc_bool(c->doc, "computed", &computed) && computed) {
        if (!s->option)
            return "only the quote of a contract is computed";
        og_paper_match_computed(c->p, s);
        return NULL;
    }
    if (cJSON_IsNull(c->doc)) {
        s->state = OG_QUOTE_REMOVED;
        s->quote = (struct og_paper_quote){ .bid_size = OG_NO_SIZE, .ask_size = OG_NO_SIZE };
        og_paper_hub_prices(c->p, s->root);
        og_paper_db_put(c->p, OG_TABLE_SYMBOLS, s, NULL);
        return NULL;
    }
    if (!cJSON_IsObject(c->doc) || !read_quote(c->doc, &s->quote, &quote))
        return "a quote is null or {\"bid\",\"ask\",\"last\",\"bidSize\",\"askSize\"}: numbers, 0 <= bid <= ask, whole "
               "sizes";
    og_paper_match_quote(c->p, s, &quote);
    return NULL;
}

/* Read a whole number of at least 0; the key may be absent. */
static bool read_count(const cJSON *doc, const char *key, int64_t *to)
{
    return !og_doc_get(doc, key) || (og_doc_int(doc, key, to) && *to >= 0);
}

static const char *read_symbol(const cJSON *doc, struct og_paper_symbol *s)
{
    struct og_str borrow;
    size_t i = 0;

    if (og_doc_get(doc, "borrow")) {
        while (og_paper_borrow_words[i] &&
               !(og_doc_str(doc, "borrow", &borrow) && og_str_is(borrow, og_paper_borrow_words[i])))
            i++;
        if (!og_paper_borrow_words[i])
            return "'borrow' must be easy, hard, threshold or restricted";
        s->borrow = (enum og_paper_borrow)i;
    }
    if (!read_count(doc, "available", &s->available) || !read_count(doc, "availableSingleUse", &s->available_single))
        return "'available' and 'availableSingleUse' must be whole numbers from 0";
    if (!og_control_dec(doc, "locatePrice", &s->locate_price) ||
        !og_control_dec(doc, "singleUsePrice", &s->single_price) || s->locate_price < 0 || s->single_price < 0)
        return "'locatePrice' and 'singleUsePrice' must be numbers from 0";
    return NULL;
}

static const char *put_symbol(struct og_control_call *c)
{
    struct og_paper_symbol *s = og_paper_market_add(&c->p->market, c->item), next;
    const char *wrong;

    if (!s || !cJSON_IsObject(c->doc))
        return "an object is needed";
    next = *s;
    wrong = read_symbol(c->doc, &next);
    if (wrong)
        return wrong;
    *s = next;
    og_paper_db_put(c->p, OG_TABLE_SYMBOLS, s, NULL);
    return NULL;
}

/* --- clock -------------------------------------------------------------------------------------------------------- */

/* Read to where the clock is to be stepped. Returns false if the call does not say that, or not in a valid way. */
static bool read_step(const struct og_control_call *c, int64_t now, int64_t *to)
{
    struct og_str text;

    if (og_doc_str(c->doc, "now", &text))
        return og_time_read(text.s, text.len, to);
    if (!og_doc_str(c->doc, "advance", &text) || !og_duration_read(text.s, text.len, to) || *to < 0)
        return false;
    *to += now;
    return true;
}

static const char *put_clock(struct og_control_call *c)
{
    static const char wrong[] =
        "one of {\"now\":\"2026-01-15T15:00:00Z\"}, {\"advance\":\"30s\"}, {\"real\":true} is needed, or "
        "{\"speed\":2} beside now or advance or alone: 0 to 10000, 0 stands still";
    struct og_paper_clock *clock = &c->p->clock;
    /* read the running clock only once: a second reading would be later, so that the smallest step from the first
     * reading would go backwards */
    int64_t now = og_paper_clock_now(clock), to = now, speed = 0;
    struct og_str text;
    bool real, moved;

    if (og_doc_bool(c->doc, "real", &real) && real) {
        moved = og_paper_clock_go_real(clock);
    } else {
        const bool steps = og_doc_get(c->doc, "now") || og_doc_get(c->doc, "advance"),
                   paces = og_doc_get(c->doc, "speed") != NULL;

        if ((!steps && !paces) || (steps && !read_step(c, now, &to)) ||
            (paces && (!og_doc_id(c->doc, "speed", &text) || !og_paper_clock_speed_read(text, &speed))))
            return wrong;
        moved = !steps || og_paper_clock_step(clock, to);
        if (moved && paces)
            og_paper_clock_set_speed(clock, speed);
    }
    if (!moved)
        return "the clock never goes backwards";
    og_buf_char(c->reply->body, '{');
    og_member_text(c->reply->body, "now", og_time_text(og_paper_clock_now(clock)).s);
    og_buf_char(c->reply->body, '}');
    return NULL;
}

/* --- rates, faults, requests, orders ------------------------------------------------------------------------------ */

static const char *post_bust(struct og_control_call *c)
{
    int64_t id;

    return og_doc_int(c->doc, "tradeId", &id) && og_paper_history_bust(c->p, id)
               ? NULL
               : "'tradeId' must be the number of a fill in a live account's history that is not busted yet";
}

/* Read settings (rates, delays, switches, surface), which are spelled as in a scenario, into base. */
static const char *read_settings(struct og_control_call *c, const struct og_paper_section *section, void *base)
{
    const struct og_paper_setting *s;
    const cJSON *member;
    char allowed[200];

    cJSON_ArrayForEach (member, c->doc) {
        struct og_str text =
            og_str_of(cJSON_IsBool(member) ? (cJSON_IsTrue(member) ? "on" : "off") : member->valuestring);

        s = og_paper_setting_get(section->table, section->count, og_str_of(member->string));
        if (s && text.s && og_paper_setting_parse(s, text, &c->p->arena, base, allowed, sizeof allowed))
            continue;
        snprintf(c->reason, sizeof c->reason, "'%.60s' is %s%s", member->string, s ? "" : "not one of the ",
                 s ? allowed : section->path);
        return s && !text.s ? "a setting must be a text, a number, true or false" : c->reason;
    }
    return NULL;
}

static const char *put_settings(struct og_control_call *c)
{
    const struct og_paper_section *section = og_control_section(c);
    const char *wrong;
    union {
        struct og_paper_delays delays;
        struct og_paper_rates rates;
        struct og_paper_switches switches;
        struct og_paper_surface surface;
    } trial;

    if (!cJSON_IsObject(c->doc))
        return "an object of settings is needed";
    wrong = read_settings(c, section, &trial);
    if (!wrong)
        wrong = read_settings(c, section, (char *)c->p + section->at);
    if (c->p->accounts)
        c->p->accounts->changed = true; /* rates are stored together with accounts, so mark an account as changed */
    return wrong;
}

/* Read the limit of one endpoint: null, or an object whose absent members keep their values. */
static const char *read_limit(struct og_control_call *c, const cJSON *doc, struct og_paper_limit *limit)
{
    const struct og_paper_section *section = &og_paper_sections[OG_SECTION_LIMIT];
    const struct og_paper_setting *s;
    const enum og_endpoint e = og_endpoint_find(og_str_of(doc->string));
    const cJSON *member;
    char allowed[200];

    if (e == OG_ENDPOINTS || !(cJSON_IsNull(doc) || (cJSON_IsObject(doc) && doc->child)))
        return "an object of limits by the names of requests is needed, each null or {\"rate\",\"burst\"}";
    if (cJSON_IsNull(doc)) {
        limit[e] = (struct og_paper_limit){ 0, 0 };
        return NULL;
    }
    if (!limit[e].burst)
        limit[e] = (struct og_paper_limit){ og_endpoints[e].rate, og_endpoints[e].burst };
    cJSON_ArrayForEach (member, doc) {
        s = og_paper_setting_get(section->table, section->count, og_str_of(member->string));
        if (s && og_item_is_number(member) &&
            og_paper_setting_parse(s, og_str_of(member->valuestring), NULL, &limit[e], allowed, sizeof allowed))
            continue;
        og_paper_setting_allowed(section->table, allowed, sizeof allowed);
        snprintf(c->reason, sizeof c->reason, "'rate' and 'burst' of '%s' are each %s", og_endpoints[e].name, allowed);
        return c->reason;
    }
    return NULL;
}

static const char *put_limits(struct og_control_call *c)
{
    struct og_paper_limit limits[OG_ENDPOINTS];
    const char *wrong = NULL;
    const cJSON *member;

    if (!cJSON_IsObject(c->doc))
        return "an object is needed";
    memcpy(limits, c->p->limits, sizeof limits);
    cJSON_ArrayForEach (member, c->doc) {
        if (!wrong)
            wrong = read_limit(c, member, limits);
    }
    if (!wrong)
        memcpy(c->p->limits, limits, sizeof limits);
    return wrong;
}

/* Returns the accounts in the list, for a key pair; NULL if a name is wrong or memory ran out. */
static struct og_paper_account **key_accounts(struct og_control_call *c, const cJSON *list, size_t *count)
{
    struct og_paper_account **accounts =
        og_arena_take(&c->p->arena, ((size_t)cJSON_GetArraySize(list) + 1) * sizeof *accounts);
    const cJSON *item;

    cJSON_ArrayForEach (item, list) {
        if (accounts && (!cJSON_IsString(item) ||
                         !(accounts[(*count)++] = og_paper_account_get(c->p, og_str_of(item->valuestring)))))
            return NULL;
    }
    return accounts;
}

/* Create a key pair; or, if it exists, change its secret, its accounts, or whether it is disabled. Open streams stay
 * open. */
static const char *put_key(struct og_control_call *c)
{
    struct og_paper_key *key = c->p->keys;
    struct og_paper_account **accounts;
    const cJSON *list = og_doc_get(c->doc, "accounts");
    struct og_str secret = { NULL, 0 };
    size_t count = 0;

    while (key && !og_str_eq(key->id, c->item))
        key = key->next;
    accounts = key ? key->accounts : NULL;
    count = key ? key->count : 0;
    if (list) {
        count = 0;
        accounts = cJSON_IsArray(list) ? key_accounts(c, list, &count) : NULL;
    }
    if (!og_doc_str(c->doc, "secret", &secret) && key)
        secret = key->secret;
    if (!accounts || !secret.len || !(key = og_paper_key_add(c->p, c->item, secret, accounts, count)))
        return "a key pair is {\"secret\",\"accounts\",\"disabled\"}: a text, ids of accounts, true or false; a new "
               "one "
               "has both";
    og_doc_bool(c->doc, "disabled", &key->disabled);
    return NULL;
}

static const char *post_fault(struct og_control_call *c)
{
    return cJSON_IsObject(c->doc) ? og_paper_fault_add(c->p, c->doc) : "an object is needed";
}

static const char *put_faults(struct og_control_call *c)
{
    return cJSON_IsArray(c->doc) ? og_paper_fault_replace(c->p, c->doc) : "an array of faults is needed";
}

static const char *delete_faults(struct og_control_call *c)
{
    og_paper_fault_clear(c->p);
    return NULL;
}

static const char *get_requests(struct og_control_call *c)
{
    struct og_str q = c->request->query;
    struct og_money m;
    int64_t since = 0;

    if (q.len > 6 && memcmp(q.s, "since=", 6) == 0) {
        if (!og_money_read(q.s + 6, q.len - 6, &m) || m.scale)
            return "'since' must be a whole number";
        since = m.coef;
    }
    og_paper_log_write(c->p, since, c->reply->body);
    return NULL;
}

static void write_history(struct og_buf *b, const struct og_paper_event *newest)
{
    const struct og_paper_event *e, *upto = NULL;

    og_member_key(b, "history");
    og_buf_char(b, '[');
    while (upto != newest) { /* the list begins with the newest event, but the output with the oldest */
        for (e = newest; e->older != upto; e = e->older)
            ;
        og_member_key(b, NULL);
        og_buf_char(b, '{');
        og_member_text(b, "at", og_time_text(e->at).s);
        og_member_text(b, "orderStatus", og_order_status_name(e->status));
        og_member_text(b, "text", e->text);
        og_buf_char(b, '}');
        upto = e;
    }
    og_buf_char(b, ']');
}

static const char *get_orders(struct og_control_call *c)
{
    struct og_buf *b = c->reply->body;
    struct og_paper_order_room room;
    struct og_order_row row;
    struct og_paper_account *a;
    struct og_paper_order *o;

    og_buf_text(b, "{\"orders\":[");
    for (a = c->p->accounts; a; a = a->next)
        for (o = a->orders; o; o = o->older) {
            og_paper_order_row(o, OG_VIEW_ORDER, &room, &row);
            og_member_key(b, NULL);
            og_order_row_write_clean(b, &row);
            if (b->bad)
                return "out of memory";
            b->len--; /* remove the closing brace, since the history is written into the same object */
            write_history(b, o->history);
            og_buf_char(b, '}');
        }
    og_buf_text(b, "]}");
    return NULL;
}

/* --- dispatch ----------------------------------------------------------------------------------------------------- */

const struct og_control_spec og_control_calls[] = {
    { OG_METHOD_GET, "quotes", false, og_control_get_quotes, "the quotes that were set, by symbol" },
    { OG_METHOD_GET, "quotes/{symbol}", false, og_control_get_quote,
      "the quote of a symbol, or the computed one of a contract" },
    { OG_METHOD_PUT, "quotes/{symbol}", true, put_quote,
      "move the market, and fill the orders that it crosses; null removes the quote" },
    { OG_METHOD_GET, "clock", false, og_control_get_clock, "the time of the service, and how it runs" },
    { OG_METHOD_PUT, "clock", true, put_clock, "step the clock, or change how it runs" },
    { OG_METHOD_GET, "accounts", false, og_control_get_accounts, "the figures of every account, by id" },
    { OG_METHOD_GET, "accounts/{account}", false, og_control_get_account, "the figures of an account; null: computed" },
    { OG_METHOD_PUT, "accounts/{account}", true, og_control_put_account, "set figures of an account" },
    { OG_METHOD_GET, "positions", false, og_control_get_all_positions, "the positions of every account, by id" },
    { OG_METHOD_GET, "positions/{account}", false, og_control_get_positions, "the positions of an account" },
    { OG_METHOD_PUT, "positions/{account}", true, og_control_put_positions, "replace the positions of an account" },
    { OG_METHOD_GET, "symbols", false, og_control_get_symbols, "what can be borrowed of every stock, by symbol" },
    { OG_METHOD_GET, "symbols/{symbol}", false, og_control_get_symbol, "what can be borrowed of a stock" },
    { OG_METHOD_PUT, "symbols/{symbol}", true, put_symbol, "set what can be borrowed of a stock" },
    { OG_METHOD_PUT, "keys/{key}", true, put_key, "make or change a key pair" },
    { OG_METHOD_GET, "delays", false, og_control_get_settings, "how long the service takes for each step" },
    { OG_METHOD_PUT, "delays", true, put_settings, "set some of them" },
    { OG_METHOD_GET, "switches", false, og_control_get_settings, "what the service's document leaves open" },
    { OG_METHOD_PUT, "switches", true, put_settings, "set some of them" },
    { OG_METHOD_GET, "surface", false, og_control_get_settings, "how contracts without a quote are priced" },
    { OG_METHOD_PUT, "surface", true, put_settings, "set some of them" },
    { OG_METHOD_GET, "rates", false, og_control_get_settings, "what a fill costs" },
    { OG_METHOD_PUT, "rates", true, put_settings, "set some of them" },
    { OG_METHOD_GET, "limits", false, og_control_get_limits, "the request rate of each endpoint; null: none" },
    { OG_METHOD_PUT, "limits", true, put_limits, "set some of them" },
    { OG_METHOD_POST, "reset/{account}", false, og_control_post_reset, "reset a paper account as the portal does" },
    { OG_METHOD_POST, "bust", true, post_bust, "bust a fill of the history" },
    { OG_METHOD_GET, "faults", false, og_control_get_faults, "the faults that are still to come" },
    { OG_METHOD_POST, "faults", true, post_fault, "inject one more fault" },
    { OG_METHOD_PUT, "faults", true, put_faults, "replace all faults" },
    { OG_METHOD_DELETE, "faults", false, delete_faults, "remove all faults" },
    { OG_METHOD_GET, "requests", false, get_requests,
      "the requests so far, after number since, and whether each had an effect" },
    { OG_METHOD_GET, "orders", false, get_orders, "every order with its history" },
    { OG_METHOD_GET, "streams", false, og_control_get_streams, "the connected clients of the streams" },
};
const size_t og_control_call_count = sizeof og_control_calls / sizeof og_control_calls[0];

static bool matches_call(struct og_control_call *c, size_t i)
{
    struct og_str path = { c->request->path.s + sizeof(OG_PAPER_CONTROL) - 1,
                           c->request->path.len - (sizeof(OG_PAPER_CONTROL) - 1) };
    const char *of = og_control_calls[i].path;
    size_t len = strcspn(of, "{");

    if (og_control_calls[i].method != c->request->method || path.len < len || memcmp(path.s, of, len) != 0)
        return false;
    c->name = (struct og_str){ path.s, len };
    c->item = (struct og_str){ path.s + len, path.len - len };
    return of[len] ? c->item.len > 0 && !memchr(c->item.s, '/', c->item.len) : c->item.len == 0;
}

/* Returns true if a Host header names this machine, with or without a port. */
static bool is_loopback(struct og_str host)
{
    const char *port = memrchr(host.s, ':', host.len);
    bool has_port = port && !memchr(port, ']', (size_t)(host.s + host.len - port));
    struct og_str name = { host.s, has_port ? (size_t)(port - host.s) : host.len };

    return (name.len == 9 && strncasecmp(name.s, "localhost", 9) == 0) || og_str_is(name, "[::1]") ||
           (name.len > 4 && memcmp(name.s, "127.", 4) == 0 && strspn(name.s, "0123456789.") >= name.len);
}

static bool is_json(struct og_str type)
{
    static const char json[] = "application/json";
    size_t len = sizeof json - 1;

    return type.len >= len && strncasecmp(type.s, json, len) == 0 &&
           (type.len == len || type.s[len] == ';' || type.s[len] == ' ');
}

/* Returns why the request is rejected if it may come from a web page; NULL if it cannot. A web page that is open in a
 * browser on this machine could send requests here. For such a page the browser (a) adds an Origin header to every
 * request that changes something; (b) sends only form and plain text bodies without asking the server first; (c) sends
 * the page's own host name, which is not ours even if DNS resolves it to this machine. */
static const char *foreign_request(const struct og_paper_request *r)
{
    if (r->host.s && !is_loopback(r->host))
        return "Host must be a name of this machine: localhost, 127.0.0.1 or [::1]";
    if (r->origin.s)
        return "the request has an Origin header: web pages may not control the brokerage";
    if (r->body.len && r->content_type.len && !is_json(r->content_type))
        return "Content-Type must be application/json";
    return NULL;
}

void og_paper_control(struct og_paper *p, const struct og_paper_request *request, struct og_paper_reply *reply)
{
    struct og_control_call c = { .p = p, .request = request, .reply = reply };
    struct og_error err = { .status = OG_OK };
    const char *wrong = foreign_request(request);
    cJSON *doc = NULL;
    size_t i = 0;

    while (i < og_control_call_count && !matches_call(&c, i))
        i++;
    if (i == og_control_call_count) {
        og_reply_text(reply, 404, "404 page not found");
        return;
    }
    if (!wrong && og_control_calls[i].body &&
        og_doc_read(request->body.s, request->body.len, "body", &doc, &err) != OG_OK)
        wrong = err.text;
    c.doc = doc;
    if (!wrong)
        wrong = og_control_calls[i].handler(&c);
    if (wrong) {
        og_buf_reset(reply->body);
        og_buf_char(reply->body, '{');
        og_member_text(reply->body, "error", wrong);
        og_buf_char(reply->body, '}');
    } else if (!reply->body->len) {
        og_buf_text(reply->body, "{\"ok\":true}");
    }
    og_reply_json(reply, wrong ? 400 : 200);
    cJSON_Delete(doc);
}
