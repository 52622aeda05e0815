/*
 * Events of a sender for people: a row for each, with the time in New York, the order, what happened, and figures or
 * reasons in words.
 */
#include <stdio.h>

#include "base/time.h"
#include "show/view.h"
#include "text/csv.h"
#include "text/terms.h"

#define INDENT      12 /* of the paragraphs below a row */
#define HANG        14
#define WIDTH_LEAST 8 /* of the columns of ids and of events, whose longest words have so many characters */

/* --- words of an event -------------------------------------------------------------------------------------------- */

/* What is told of an event: a word, its colour, and the rest. */
struct telling {
    struct og_str word;
    enum og_ink ink;
    struct og_buf rest;
};

static enum og_ink ink_of(struct og_str state)
{
    static const char *const bad[] = { "rejected", "unknown", "not-sent", "Rejected" };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (og_str_is(state, bad[i]))
            return OG_INK_RED;
    return og_str_is(state, "filled") || og_str_is(state, "Filled") ? OG_INK_GREEN
           : og_str_is(state, "refused")                            ? OG_INK_YELLOW
                                                                    : OG_INK_NONE;
}

static void add(struct telling *t, const char *before, struct og_str text)
{
    if (text.len == 0)
        return;
    og_buf_text(&t->rest, t->rest.len > 0 ? before : "");
    og_buf_str(&t->rest, text);
}

static void add_member(struct telling *t, const cJSON *event, const char *key, const char *before)
{
    og_terms_member(&t->rest, event, key, t->rest.len > 0 ? before : "");
}

/* Add what has filled, and why. */
static void add_execution(struct telling *t, const cJSON *event)
{
    struct og_money filled;

    if (og_doc_money(event, "executed", &filled) && filled.coef != 0) {
        add_member(t, event, "executed", ", ");
        og_terms_member(&t->rest, event, "priceAvg", " at ");
        og_terms_member(&t->rest, event, "leavesQuantity", ", open ");
    }
    add_member(t, event, "code", ", ");
    add_member(t, event, "text", ": ");
}

static void tell_decision(struct og_show *v, struct telling *t, const cJSON *event)
{
    const struct og_str id = og_doc_str_or_empty(event, "clientOrderId");
    const bool accepted = og_str_is(og_doc_str_or_empty(event, "verdict"), "accept");
    const char *terms = id.len > 0 ? og_map_get(&v->terms, id) : NULL;

    t->word = accepted ? OG_STR("accepted") : OG_STR("refused");
    t->ink = accepted ? OG_INK_NONE : OG_INK_YELLOW;
    add(t, "", og_doc_str_or_empty(event, "op"));
    add(t, " ", og_str_of(terms ? terms : ""));
    add_member(t, event, "text", ": ");
}

static void tell_external(struct telling *t, const cJSON *event)
{
    t->word = OG_STR("external");
    add_member(t, event, "side", "");
    add_member(t, event, "symbol", " ");
    add_member(t, event, "orderStatus", ", ");
    add_member(t, event, "before", ", from ");
    add_member(t, event, "after", " to ");
    add_execution(t, event);
}

static void tell_posted(struct telling *t, const cJSON *event)
{
    const struct og_str error = og_doc_str_or_empty(event, "error");
    const int64_t http = og_doc_int_or_0(event, "http");

    t->ink = http == 200 ? OG_INK_NONE : OG_INK_YELLOW;
    add_member(t, event, "orderStatus", "");
    if (http != 200)
        add_member(t, event, "http", ", http ");
    add(t, ": ", error);
    add_member(t, event, "text", ": ");
}

/* Events that have no words of their own above: their members, each after some words. */
static const struct {
    const char *event;
    enum og_ink ink;
    const char *members[5][2];
} others[] = {
    { "held", OG_INK_YELLOW, { { "text", "" } } },
    { "cancel", OG_INK_NONE, { { "orderStatus", "" }, { "error", ": " } } },
    { "stream", OG_INK_NONE, { { "state", "" }, { "text", ": " } } },
    { "policy", OG_INK_BOLD, { { "new", "" }, { "old", ", in place of " }, { "why", ", " } } },
    { "latched", OG_INK_RED, { { "latch", "" }, { "value", " " }, { "limit", ", limit " }, { "until", ", until " } } },
    { "resumed", OG_INK_BOLD, { { "latch", "" }, { "by", " by " }, { "reason", ": " } } },
    { "clock", OG_INK_YELLOW, { { "brokerAheadMs", "the broker's is ahead of this machine's by ms " } } },
    { "trading", OG_INK_BOLD, { { "trading", "" }, { "by", " by " }, { "reason", ": " } } },
    { "anomaly", OG_INK_RED, { { "text", "" } } },
    { "writer", OG_INK_YELLOW, { { "state", "" }, { "text", ": " } } },
    { "dead-man", OG_INK_RED, { { "canceling", "no line came in time; orders that are canceled: " } } },
};

static void tell_other(struct telling *t, const cJSON *event)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!og_str_is(t->word, others[i].event))
            continue;
        t->ink = og_str_is(og_doc_str_or_empty(event, "state"), "down") ? OG_INK_RED : others[i].ink;
        for (int k = 0; k < 5 && others[i].members[k][0]; k++)
            og_terms_member(&t->rest, event, others[i].members[k][0], others[i].members[k][1]);
    }
}

static void tell(struct og_show *v, struct telling *t, const cJSON *event)
{
    const struct og_str kind = t->word;

    if (og_str_is(kind, "decision")) {
        tell_decision(v, t, event);
    } else if (og_str_is(kind, "posted")) {
        tell_posted(t, event);
    } else if (og_str_is(kind, "external")) {
        tell_external(t, event);
    } else if (og_str_is(kind, "update") || og_str_is(kind, "outcome")) {
        const bool ends = og_str_is(kind, "outcome");

        if (ends)
            t->word = og_doc_str_or_empty(event, "outcome");
        else
            add_member(t, event, "orderStatus", "");
        t->ink = ink_of(ends ? t->word : og_doc_str_or_empty(event, "orderStatus"));
        if (og_doc_get(event, "op"))
            add_member(t, event, "op", "");
        add_execution(t, event);
    } else {
        tell_other(t, event);
    }
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Keep the terms of an order for the events about it. */
static void learn(struct og_show *v, const cJSON *event)
{
    const cJSON *order = og_doc_get(event, "order");
    const struct og_str id = og_doc_str_or_empty(order, "clientOrderId");
    const int legs = cJSON_GetArraySize(og_doc_get(order, "legs"));
    struct og_str key, words;
    struct og_buf b;

    if (id.len == 0)
        return;
    og_buf_init(&b, 0);
    og_terms(&b, order);
    if (legs > 0)
        og_buf_format(&b, ", %d leg%s", legs, legs == 1 ? "" : "s");
    key = og_arena_copy(&v->arena, id);
    words = og_arena_copy(&v->arena, og_show_str(&b));
    v->text.bad |= b.bad || !key.s || !words.s || !og_map_put(&v->terms, NULL, key, words.s);
    og_buf_clear(&b);
}

static void count(struct og_show *v, struct og_str outcome)
{
    struct og_show_count *c = og_map_get(&v->outcome, outcome), **last = &v->first;

    if (!c && (c = og_arena_take(&v->arena, sizeof *c))) {
        *c = (struct og_show_count){ .name = og_arena_copy(&v->arena, outcome) };
        if (!c->name.s || !og_map_put(&v->outcome, NULL, c->name, c))
            c = NULL;
        while (c && *last)
            last = &(*last)->next;
        if (c)
            *last = c;
    }
    v->text.bad |= !c;
    if (c)
        c->orders++;
}

/* Append the account if it is another than that of the first event that had one. */
static void add_account(struct og_show *v, struct telling *t, struct og_str account)
{
    if (v->account.len == 0) {
        og_buf_str(&v->account, account);
        v->text.bad |= v->account.bad;
    } else if (account.len > 0 && !og_str_eq(account, og_show_str(&v->account))) {
        og_buf_text(&t->rest, t->rest.len > 0 ? "; account " : "account ");
        og_buf_str(&t->rest, account);
    }
}

static void add_row(struct og_show *v, const cJSON *event)
{
    struct telling t = { .word = og_doc_str_or_empty(event, "event") };
    const struct og_str id = og_doc_str_or_empty(event, "clientOrderId"), time = og_doc_str_or_empty(event, "at");
    const bool decides = og_str_is(t.word, "decision");
    struct og_cell *row;
    int64_t at;

    og_buf_init(&t.rest, 0);
    if (!v->named) {
        OG_TABLE_NAMES(&v->table, "NEW YORK", "ORDER", "EVENT", "");
        v->table.whole = 1u << 0 | 1u << 2;
        v->table.wraps = true;
        v->table.width[1] = WIDTH_LEAST; /* events come one by one: columns that grew later would not be aligned */
        v->table.width[2] = WIDTH_LEAST;
        v->named = true;
        v->names = 1;
    }
    tell(v, &t, event);
    add_account(v, &t, og_doc_str_or_empty(event, "accountId"));
    row = og_table_add(&v->table);
    og_table_set_text(row, 0, og_time_read(time.s, time.len, &at) ? og_eastern_text(at).s + 11 : "");
    og_table_set(row, 1, id.len > 0 ? id : OG_STR("-"), false, OG_INK_NONE);
    og_table_set(row, 2, t.word, false, t.ink);
    og_table_set(row, 3, og_show_str(&t.rest), false, OG_INK_NONE);
    v->text.bad |= t.rest.bad;
    og_buf_clear(&t.rest);
    if (decides)
        og_show_findings(v, event, INDENT, HANG);
}

/* --- CSV ---------------------------------------------------------------------------------------------------------- */

static void put_csv(struct og_show *v, const cJSON *event)
{
    static const char *const keys[] = { "seq",           "at",      "event",  "line",     "file",     "clientOrderId",
                                        "accountId",     "tag",     "op",     "verdict",  "http",     "source",
                                        "orderStatus",   "outcome", "code",   "executed", "priceAvg", "leavesQuantity",
                                        "brokerOrderId", "state",   "reason", "text" };
    const size_t count = sizeof keys / sizeof *keys;
    struct og_money amount;
    struct og_str text;

    for (size_t i = 0; i < count && !v->named; i++)
        og_buf_format(&v->text, "%s%s", i > 0 ? "," : "", keys[i]);
    og_buf_text(&v->text, v->named ? "" : "\n");
    v->named = true;
    for (size_t i = 0; i < count; i++) {
        og_buf_text(&v->text, i > 0 ? "," : "");
        if (og_doc_str(event, keys[i], &text))
            og_csv_text(&v->text, text);
        else if (og_doc_money(event, keys[i], &amount))
            og_buf_money(&v->text, amount);
    }
    og_buf_char(&v->text, '\n');
}

/* --- the functions of the header ---------------------------------------------------------------------------------- */

enum og_status og_show_event(struct og_show *v, const char *json, size_t len)
{
    cJSON *event = NULL;
    enum og_status status;
    struct og_str kind;

    if (!v || !json)
        return OG_EINVAL;
    og_show_begin(v, false);
    status = og_doc_read(json, len, "event", &event, NULL);
    if (status != OG_OK)
        return status;
    kind = og_doc_str_or_empty(event, "event");
    if (og_str_is(kind, "outcome") && !og_doc_get(event, "op"))
        count(v, og_doc_str_or_empty(event, "outcome"));
    learn(v, event);
    if (v->format == OG_SHOW_TABLE)
        add_row(v, event);
    else
        put_csv(v, event);
    cJSON_Delete(event);
    return OG_OK;
}

enum og_status og_show_sent(struct og_show *v)
{
    const char *before = ": ";
    long long all = 0;
    struct og_buf b;

    if (!v)
        return OG_EINVAL;
    og_show_begin(v, true);
    for (const struct og_show_count *c = v->first; c; c = c->next)
        all += c->orders;
    if (v->format != OG_SHOW_TABLE || all == 0)
        return OG_OK;
    og_buf_init(&b, 0);
    og_buf_format(&b, "%lld order%s", all, all == 1 ? "" : "s");
    for (const struct og_show_count *c = v->first; c; c = c->next, before = ", ") {
        og_buf_format(&b, "%s%lld ", before, c->orders);
        og_buf_str(&b, c->name);
    }
    og_buf_char(&v->text, '\n');
    og_sheet_words(&v->sheet, 0, 2, OG_INK_BOLD, og_show_str(&b));
    v->text.bad |= b.bad;
    og_buf_clear(&b);
    return OG_OK;
}

/* Add the limit of which the greatest share is used. */
static void add_limit(struct og_buf *b, const cJSON *accounts)
{
    const cJSON *a, *limit, *most = NULL;

    cJSON_ArrayForEach (a, accounts)
        cJSON_ArrayForEach (limit, og_doc_get(a, "limits"))
            if (og_doc_int_or_0(limit, "percent") > og_doc_int_or_0(most, "percent"))
                most = limit;
    if (!most)
        return;
    og_terms_member(b, most, "rule", "; ");
    og_terms_member(b, most, "setting", " ");
    og_buf_format(b, " %lld%%", (long long)og_doc_int_or_0(most, "percent"));
}

enum og_status og_show_now(struct og_show *v, const char *snapshot, size_t len)
{
    static const char *const states[] = { "posting", "working", "unknown", "waiting" };
    cJSON *doc = NULL;
    const cJSON *accounts, *a;
    enum og_status status;
    int64_t lines;
    char room[400];
    struct og_buf b;

    if (!v || !snapshot)
        return OG_EINVAL;
    og_show_begin(v, true);
    status = og_doc_read(snapshot, len, "snapshot", &doc, NULL);
    if (status != OG_OK)
        return status;
    og_buf_init_fixed(&b, room, sizeof room);
    accounts = og_doc_get(doc, "accounts");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        int64_t orders = 0;

        cJSON_ArrayForEach (a, accounts)
            orders += og_doc_int_or_0(og_doc_get(a, "orders"), states[i]);
        og_buf_format(&b, "%s%lld %s", i > 0 ? ", " : "", (long long)orders, states[i]);
    }
    lines = og_doc_int_or_0(doc, "linesWaiting");
    if (lines > 0)
        og_buf_format(&b, "; %lld line%s to decide", (long long)lines, lines == 1 ? "" : "s");
    if (!og_str_is(og_doc_str_or_empty(og_doc_get(doc, "halt"), "trading"), "on"))
        og_buf_text(&b, "; trading is halted");
    add_limit(&b, accounts);
    og_buf_bytes(&v->text, room, b.len < (size_t)v->sheet.columns - 1 ? b.len : (size_t)v->sheet.columns - 1);
    cJSON_Delete(doc);
    return OG_OK;
}
