/*
 * The report of a day as text and tables, for a terminal.
 */
#include <stdio.h>

#include "base/time.h"
#include "ledger/report.h"

static void put_text(const struct og_sheet *p, const char *before, struct og_str text)
{
    og_buf_text(p->to, before);
    og_plain(p->to, text);
}

static void set_text(struct og_cell *row, int column, const cJSON *of, const char *key)
{
    const struct og_str text = og_doc_str_or_empty(of, key);

    og_table_set(row, column, text.len > 0 ? text : OG_STR("-"), false, OG_INK_NONE);
}

static void set_money(struct og_cell *row, int column, const cJSON *of, const char *key)
{
    struct og_money amount;

    og_table_set(row, column, og_doc_money(of, key, &amount) ? og_str_of(og_money_text(amount).s) : OG_STR("-"), true,
                 OG_INK_NONE);
}

/* Write the member `at`, a time, as the time in New York. */
static void set_time(struct og_cell *row, int column, const cJSON *of)
{
    const struct og_str text = og_doc_str_or_empty(of, "at");
    int64_t at;

    og_table_set_text(row, column, og_time_read(text.s, text.len, &at) ? og_eastern_text(at).s : "unknown");
}

static void put_states(const struct og_sheet *p, const cJSON *report)
{
    const cJSON *state;
    int64_t n;

    og_buf_text(p->to, "  at its end:");
    cJSON_ArrayForEach (state, og_doc_get(report, "states"))
        if (og_item_int(state, &n))
            og_buf_format(p->to, " %lld %s", (long long)n, state->string);
    og_buf_char(p->to, '\n');
}

static void put_sums(const struct og_sheet *p, const cJSON *report)
{
    const cJSON *orders = og_doc_get(report, "orders"), *fills = og_doc_get(report, "fills");

    og_sheet_ink(p, OG_INK_BOLD, true);
    put_text(p, "", og_doc_str_or_empty(report, "date"));
    og_sheet_ink(p, OG_INK_BOLD, false);
    og_buf_text(p->to, ", New York, midnight to midnight");
    if (og_doc_str_or_empty(report, "accountId").len > 0)
        put_text(p, ", account ", og_doc_str_or_empty(report, "accountId"));
    og_buf_format(p->to, "; %lld records\n\n", (long long)og_doc_int_or_0(report, "records"));
    og_buf_format(p->to, "  %lld orders decided: %lld accepted, %lld refused; %lld POSTs; %lld cancels decided\n",
                  (long long)og_doc_int_or_0(orders, "decided"), (long long)og_doc_int_or_0(orders, "accepted"),
                  (long long)og_doc_int_or_0(orders, "refused"), (long long)og_doc_int_or_0(orders, "posts"),
                  (long long)og_doc_int_or_0(orders, "cancels"));
    put_states(p, report);
    og_buf_format(p->to, "  %lld fills of %lld orders\n", (long long)og_doc_int_or_0(fills, "count"),
                  (long long)og_doc_int_or_0(fills, "orders"));
}

static void put_fills(const struct og_sheet *p, const cJSON *report)
{
    struct og_table t = { .rows = 0 };
    const cJSON *f;

    OG_TABLE_NAMES(&t, "SYMBOL", "SIDE", "FILLS", "ORDERS", "QUANTITY", "DOLLARS");
    cJSON_ArrayForEach (f, og_doc_get(og_doc_get(report, "fills"), "bySymbol")) {
        struct og_cell *row = og_table_add(&t);

        set_text(row, 0, f, "symbol");
        set_text(row, 1, f, "side");
        og_table_set_int(row, 2, og_doc_int_or_0(f, "count"), OG_INK_NONE);
        og_table_set_int(row, 3, og_doc_int_or_0(f, "orders"), OG_INK_NONE);
        set_money(row, 4, f, "quantity");
        set_money(row, 5, f, "dollars");
    }
    og_table_put(p, "FILLS", &t, 1);
}

/* Set the text of the last column, which is never cut: it stands below its row if the line is too short for it, or if
 * it is too long for a cell. */
static void set_message(struct og_table *t, struct og_cell *row, int column, const cJSON *of)
{
    const struct og_str text = og_doc_str_or_empty(of, "text");

    t->below = column;
    if (row && text.len >= sizeof row->text)
        og_table_note(t, OG_TABLE_INDENT, OG_TABLE_INDENT, OG_INK_NONE, text);
    else
        set_text(row, column, of, "text");
}

static void put_counted(const struct og_sheet *p, const cJSON *report, const char *key, const char *first,
                        const char *second, const char *heading)
{
    struct og_table t = { .rows = 0 };
    const cJSON *r;

    if (second)
        OG_TABLE_NAMES(&t, "COUNT", "RULE", "REASON", "NEWEST", "MESSAGE");
    else
        OG_TABLE_NAMES(&t, "COUNT", "CODE", "NEWEST", "TEXT");
    cJSON_ArrayForEach (r, og_doc_get(report, key)) {
        const cJSON *newest = og_doc_get(r, "newest");
        struct og_cell *row = og_table_add(&t);
        int column = 0;

        og_table_set_int(row, column++, og_doc_int_or_0(r, "count"), OG_INK_NONE);
        set_text(row, column++, r, first);
        if (second)
            set_text(row, column++, r, second);
        set_text(row, column++, newest, "clientOrderId");
        set_message(&t, row, column, newest);
    }
    og_table_put(p, heading, &t, 1);
}

static void put_latency(const struct og_sheet *p, const cJSON *report)
{
    static const char *const keys[] = { "least", "median", "p90", "p99", "most" };
    const cJSON *latency = og_doc_get(report, "latencyUs");

    if (og_doc_int_or_0(latency, "count") == 0)
        return;
    og_sheet_heading(p, "FROM POST TO ANSWER");
    og_buf_format(p->to, "  %lld answers, ms:", (long long)og_doc_int_or_0(latency, "count"));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const int64_t us = og_doc_int_or_0(latency, keys[i]);

        og_buf_format(p->to, "%s %s %lld.%lld", i > 0 ? "," : "", keys[i], (long long)(us / 1000),
                      (long long)(us % 1000 / 100));
    }
    og_buf_char(p->to, '\n');
}

static void put_highest(const struct og_sheet *p, const cJSON *report)
{
    struct og_table t = { .rows = 0 };
    const cJSON *h;
    char text[80];

    OG_TABLE_NAMES(&t, "ACCOUNT", "MEASURE", "HIGHEST", "NEW YORK TIME");
    cJSON_ArrayForEach (h, og_doc_get(report, "highest")) {
        struct og_cell *row = og_table_add(&t);

        set_text(row, 0, h, "accountId");
        set_text(row, 1, h, "measure");
        og_table_set_int(row, 2, og_doc_int_or_0(h, "value"), OG_INK_NONE);
        set_time(row, 3, h);
    }
    cJSON_ArrayForEach (h, og_doc_get(report, "pnlPeaks")) {
        struct og_cell *row = og_table_add(&t);

        set_text(row, 0, h, "accountId");
        og_table_set_text(row, 1, "the day's P&L, dollars");
        set_money(row, 2, h, "dayPnlPeak");
        set_time(row, 3, h);
    }
    cJSON_ArrayForEach (h, og_doc_get(report, "latches")) {
        struct og_cell *row = og_table_add(&t);
        struct og_money limit = { 0, 0 };
        const struct og_str latch = og_doc_str_or_empty(h, "latch");

        (void)og_doc_money(h, "limit", &limit);
        snprintf(text, sizeof text, "latch %.*s, limit %s", (int)(latch.len < 40 ? latch.len : 40), latch.s,
                 og_money_text(limit).s);
        set_text(row, 0, h, "accountId");
        og_table_set(row, 1, og_str_of(text), false, OG_INK_RED);
        set_money(row, 2, h, "value");
        set_time(row, 3, h);
    }
    og_table_put(p, "AT ITS HIGHEST", &t, 1);
    og_buf_text(p->to, "\n  How much of each limit was used is not on record, but for these figures,"
                       "\n  latches and refusals; ordergate status has it while a sender runs.\n");
}

static void put_events(const struct og_sheet *p, const cJSON *report, const char *key, const char *heading)
{
    struct og_table t = { .whole = 1u };
    const cJSON *e;

    OG_TABLE_NAMES(&t, "NEW YORK TIME", "RECORD", "ACCOUNT", "ORDER", "BY", "TEXT");
    cJSON_ArrayForEach (e, og_doc_get(report, key)) {
        struct og_cell *row = og_table_add(&t);

        set_time(row, 0, e);
        set_text(row, 1, e, "record");
        set_text(row, 2, e, "accountId");
        set_text(row, 3, e, "clientOrderId");
        set_text(row, 4, e, "by");
        set_message(&t, row, 5, e);
    }
    og_table_put(p, heading, &t, 1);
}

static void put_halts(const struct og_sheet *p, const cJSON *report)
{
    struct og_table t = { .rows = 0 };
    const cJSON *h;

    OG_TABLE_NAMES(&t, "NEW YORK TIME", "TRADING", "BY", "REASON");
    cJSON_ArrayForEach (h, og_doc_get(report, "halts")) {
        struct og_cell *row = og_table_add(&t);

        set_time(row, 0, h);
        set_text(row, 1, h, "trading");
        set_text(row, 2, h, "by");
        set_text(row, 3, h, "reason");
    }
    og_table_put(p, "HALTS", &t, 1);
}

void og_report_words(const cJSON *report, const struct og_sheet *sheet)
{
    put_sums(sheet, report);
    put_events(sheet, report, "anomalies", "ANOMALIES");
    put_halts(sheet, report);
    put_counted(sheet, report, "refusals", "rule", "reason", "REFUSED");
    put_counted(sheet, report, "rejections", "code", NULL, "REJECTED BY THE BROKER");
    put_fills(sheet, report);
    put_latency(sheet, report);
    put_highest(sheet, report);
    put_events(sheet, report, "byHand", "DONE BY HAND");
}
