/*
 * The status of a desk as a table for a terminal: first what needs somebody's attention, then senders, accounts, limits
 * (those that are used most first), and what was refused lately. Nothing is printed that could move the cursor.
 */
#include <stdio.h>
#include <stdlib.h>

#include "send/desk.h"
#include "text/table.h"

void og_desk_age(struct og_buf *to, int64_t ms)
{
    const int64_t s = ms / 1000;

    if (ms < 1000)
        og_buf_format(to, "%lldms", (long long)ms);
    else if (s < 120)
        og_buf_format(to, "%llds", (long long)s);
    else if (s < 7200)
        og_buf_format(to, "%lldm", (long long)(s / 60));
    else if (s < 172800)
        og_buf_format(to, "%lldh", (long long)(s / 3600));
    else
        og_buf_format(to, "%lldd", (long long)(s / 86400));
}

/* --- the sections ------------------------------------------------------------------------------------------------- */

static void put_needs(const struct og_sheet *p, const cJSON *doc)
{
    struct og_table t = { .columns = 3 };
    const cJSON *need;
    bool urgent;

    cJSON_ArrayForEach (need, og_doc_get(doc, "needs")) {
        struct og_cell *row = og_table_add(&t);

        urgent = false;
        (void)og_doc_bool(need, "urgent", &urgent);
        og_table_set(row, 0, og_doc_str_or_empty(need, "what"), false, urgent ? OG_INK_RED : OG_INK_YELLOW);
        og_table_set(row, 1, og_doc_str_or_empty(need, "accountId"), false, OG_INK_NONE);
        og_table_set(row, 2, og_doc_str_or_empty(need, "text"), false, OG_INK_NONE);
    }
    og_table_put(p, "NEEDS SOMEBODY, OR SOON", &t, 0);
}

static void put_senders(const struct og_sheet *p, const cJSON *doc)
{
    struct og_table t = { .whole = 1u << 2 };
    const cJSON *sender;

    OG_TABLE_NAMES(&t, "PID", "USER", "SINCE", "TRADING", "KEYS", "LINES", "POLICY");
    cJSON_ArrayForEach (sender, og_doc_get(doc, "senders")) {
        const cJSON *s = og_doc_get(sender, "snapshot");
        const struct og_str trading = og_doc_str_or_empty(og_doc_get(s, "halt"), "trading"),
                            since = og_doc_str_or_empty(s, "since"), keys = og_doc_str_or_empty(s, "keys");
        struct og_cell *row = og_table_add(&t);

        og_table_set_int(row, 0, og_doc_int_or_0(sender, "pid"), OG_INK_NONE);
        og_table_set(row, 1, og_doc_str_or_empty(sender, "user"), false, OG_INK_NONE);
        og_table_set(row, 2, (struct og_str){ since.s, since.len > 19 ? 19 : since.len }, false, OG_INK_NONE);
        og_table_set(row, 3, trading.len ? trading : OG_STR("no answer"), false,
                     og_str_is(trading, "on") ? OG_INK_NONE : OG_INK_RED);
        og_table_set(row, 4, keys, false, og_str_is(keys, "refused") ? OG_INK_RED : OG_INK_NONE);
        og_table_set_int(row, 5, og_doc_int_or_0(s, "linesWaiting"), OG_INK_NONE);
        og_table_set(row, 6, og_doc_str_or_empty(s, "policy"), false, OG_INK_NONE);
    }
    og_table_put(p, "SENDERS", &t, 1);
}

static void put_account_row(struct og_table *t, const cJSON *sender, const cJSON *a)
{
    const cJSON *orders = og_doc_get(a, "orders"), *ages = og_doc_get(a, "ages");
    const struct og_str state = og_doc_str_or_empty(a, "state"), stream = og_doc_str_or_empty(a, "stream");
    const int64_t unknown = og_doc_int_or_0(orders, "unknown");
    struct og_cell *row = og_table_add(t);
    char age[24];
    struct og_buf b;
    int64_t ms;

    og_buf_init_fixed(&b, age, sizeof age);
    if (og_doc_int(ages, "readingMs", &ms))
        og_desk_age(&b, ms);
    og_table_set(row, 0, og_doc_str_or_empty(a, "accountId"), false, OG_INK_NONE);
    og_table_set_int(row, 1, og_doc_int_or_0(sender, "pid"), OG_INK_NONE);
    og_table_set(row, 2, state, false,
                 og_str_is(state, "blind") || og_str_is(state, "failed") ? OG_INK_RED : OG_INK_NONE);
    og_table_set(row, 3, stream, false, og_str_is(stream, "lost") ? OG_INK_RED : OG_INK_NONE);
    og_table_set(row, 4, (struct og_str){ b.s, b.len }, true, OG_INK_NONE);
    og_table_set_int(row, 5, unknown, unknown ? OG_INK_RED : OG_INK_NONE);
    og_table_set_int(row, 6, og_doc_int_or_0(orders, "working"), OG_INK_NONE);
    og_table_set_int(row, 7, og_doc_int_or_0(orders, "waiting"), OG_INK_NONE);
    og_table_set_int(row, 8, og_doc_int_or_0(orders, "posting"), OG_INK_NONE);
}

static void put_accounts(const struct og_sheet *p, const cJSON *doc)
{
    struct og_table t = { .rows = 0 };
    const cJSON *sender, *a;

    OG_TABLE_NAMES(&t, "ACCOUNT", "SENDER", "STATE", "STREAM", "READ", "UNKNOWN", "WORKING", "WAITING", "POSTING");
    cJSON_ArrayForEach (sender, og_doc_get(doc, "senders"))
        cJSON_ArrayForEach (a, og_doc_get(og_doc_get(sender, "snapshot"), "accounts"))
            put_account_row(&t, sender, a);
    og_table_put(p, "ACCOUNTS", &t, 1);
}

static void put_budgets(const struct og_sheet *p, const cJSON *doc)
{
    struct og_table t = { .rows = 0 };
    const cJSON *sender, *budget;

    OG_TABLE_NAMES(&t, "SENDER", "ENDPOINT", "WAITS", "FOR");
    cJSON_ArrayForEach (sender, og_doc_get(doc, "senders"))
        cJSON_ArrayForEach (budget, og_doc_get(og_doc_get(sender, "snapshot"), "budgets")) {
            struct og_cell *row = og_table_add(&t);
            char wait[24];
            struct og_buf b;

            og_buf_init_fixed(&b, wait, sizeof wait);
            og_desk_age(&b, og_doc_int_or_0(budget, "waitMs"));
            og_table_set_int(row, 0, og_doc_int_or_0(sender, "pid"), OG_INK_NONE);
            og_table_set(row, 1, og_doc_str_or_empty(budget, "endpoint"), false, OG_INK_NONE);
            og_table_set_int(row, 2, og_doc_int_or_0(budget, "queued"), OG_INK_NONE);
            og_table_set(row, 3, (struct og_str){ b.s, b.len }, false, OG_INK_NONE);
        }
    og_table_put(p, "REQUEST BUDGETS IN USE", &t, 1);
}

static void set_money(struct og_cell *row, int column, const cJSON *object, const char *key, enum og_ink ink)
{
    struct og_money m;

    if (og_doc_money(object, key, &m))
        og_table_set(row, column, og_str_of(og_money_text(m).s), true, ink);
    else
        og_table_set(row, column, OG_STR("-"), true, OG_INK_NONE);
}

static void put_limit(struct og_table *t, const cJSON *a, const cJSON *limit)
{
    const int64_t percent = og_doc_int_or_0(limit, "percent");
    const enum og_ink ink = percent >= 100 ? OG_INK_RED : percent >= 80 ? OG_INK_YELLOW : OG_INK_NONE;
    struct og_cell *row = og_table_add(t);
    char text[160], share[32];
    struct og_money used;
    bool sure = true;
    const struct og_str measure = og_doc_str_or_empty(limit, "measure"), rule = og_doc_str_or_empty(limit, "rule"),
                        setting = og_doc_str_or_empty(limit, "setting"), name = og_doc_str_or_empty(limit, "name"),
                        only = og_doc_str_or_empty(limit, "only");

    (void)og_doc_bool(limit, "sure", &sure);
    og_table_set(row, 0, og_doc_str_or_empty(a, "accountId"), false, OG_INK_NONE);
    snprintf(text, sizeof text, "%.*s %.*s%s%.*s", (int)(rule.len < 60 ? rule.len : 60), rule.s,
             (int)(setting.len < 40 ? setting.len : 40), setting.s, measure.len ? " " : "",
             (int)(measure.len < 20 ? measure.len : 20), measure.s);
    og_table_set_text(row, 1, text);
    og_table_set(row, 2, name.len ? name : og_doc_str_or_empty(limit, "of"), false, OG_INK_NONE);
    set_money(row, 3, limit, "used", ink);
    set_money(row, 4, limit, og_doc_get(limit, "least") ? "least" : "allowed", OG_INK_NONE);
    snprintf(share, sizeof share, "%lld%%%s", (long long)percent, sure ? "" : " ?");
    og_table_set(row, 5, og_doc_money(limit, "used", &used) ? og_str_of(share) : OG_STR(""), true, ink);
    og_table_set(row, 6, og_doc_str_or_empty(limit, "unit"), false, OG_INK_NONE);
    snprintf(text, sizeof text, "%s%.*s", only.len ? "only for " : "", (int)(only.len < 120 ? only.len : 120), only.s);
    og_table_set_text(row, 7, text);
}

/* Compare two rows of limits: the one of which a greater share is used comes first. */
static int by_share(const void *a, const void *b)
{
    const struct og_cell *x = a, *y = b;
    const int p = atoi(x[5].text), q = atoi(y[5].text);

    if (p != q)
        return p < q ? 1 : -1;
    return strcmp(x[0].text, y[0].text) ? strcmp(x[0].text, y[0].text) : strcmp(x[1].text, y[1].text);
}

static void put_limits(const struct og_sheet *p, const cJSON *doc)
{
    struct og_table t = { .rows = 0 };
    const cJSON *sender, *a, *limit;

    OG_TABLE_NAMES(&t, "ACCOUNT", "LIMIT", "OF", "USED", "ALLOWED", "%", "UNIT", "");
    cJSON_ArrayForEach (sender, og_doc_get(doc, "senders"))
        cJSON_ArrayForEach (a, og_doc_get(og_doc_get(sender, "snapshot"), "accounts"))
            cJSON_ArrayForEach (limit, og_doc_get(a, "limits"))
                put_limit(&t, a, limit);
    if (t.rows > 2 && !t.failed)
        qsort(t.row + 1, t.rows - 1, sizeof t.row[0], by_share);
    og_table_put(p, "LIMITS", &t, 1);
}

static void put_refusals(const struct og_sheet *p, const cJSON *doc)
{
    struct og_table t = { .whole = 1u << 2 };
    const cJSON *ledger, *r;

    OG_TABLE_NAMES(&t, "COUNT", "REASON", "LAST", "ORDER", "MESSAGE");
    cJSON_ArrayForEach (ledger, og_doc_get(doc, "ledgers"))
        cJSON_ArrayForEach (r, og_doc_get(ledger, "refusals")) {
            const struct og_str at = og_doc_str_or_empty(r, "at");
            struct og_cell *row = og_table_add(&t);

            og_table_set_int(row, 0, og_doc_int_or_0(r, "count"), OG_INK_NONE);
            og_table_set(row, 1, og_doc_str_or_empty(r, "reason"), false, OG_INK_NONE);
            og_table_set(row, 2, (struct og_str){ at.s, at.len > 19 ? 19 : at.len }, false, OG_INK_NONE);
            og_table_set(row, 3, og_doc_str_or_empty(r, "clientOrderId"), false, OG_INK_NONE);
            og_table_set(row, 4, og_doc_str_or_empty(r, "message"), false, OG_INK_NONE);
        }
    og_table_put(p, "REFUSED LATELY", &t, 1);
}

void og_desk_table(const cJSON *doc, int columns, bool colour, struct og_buf *to)
{
    const struct og_sheet p = { .to = to, .columns = columns, .colour = colour };
    bool healthy = false;

    (void)og_doc_bool(doc, "healthy", &healthy);
    og_plain(to, og_doc_str_or_empty(doc, "at"));
    og_buf_text(to, "  ");
    og_sheet_ink(&p, healthy ? OG_INK_NONE : OG_INK_RED, true);
    og_buf_text(to, healthy ? "healthy" : "needs somebody");
    og_sheet_ink(&p, healthy ? OG_INK_NONE : OG_INK_RED, false);
    if (!cJSON_GetArraySize(og_doc_get(doc, "senders")))
        og_buf_text(to, "; no sender is running that could be asked");
    og_buf_char(to, '\n');
    put_needs(&p, doc);
    put_senders(&p, doc);
    put_accounts(&p, doc);
    put_budgets(&p, doc);
    put_limits(&p, doc);
    put_refusals(&p, doc);
}
