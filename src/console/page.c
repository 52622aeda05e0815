/*
 * The HTML page. It is complete without a script: it is then loaded again every five seconds. With a script, the state
 * on the page is replaced by the state in each event, which the same functions write. Values from outside are text:
 * everything that is not a literal is written by og_serve_page_text().
 */
#include "console/page.h"

#include "base/time.h"
#include "console/table.h"
#include "ordergate/status.h"
#include "serve/page.h"

static void put_member(struct og_buf *b, const cJSON *object, const char *key)
{
    og_serve_page_text(b, og_doc_str_or_empty(object, key));
}

static void put_ms(struct og_buf *b, const cJSON *object, const char *key)
{
    int64_t ms;

    if (!og_doc_int(object, key, &ms))
        og_buf_text(b, "–");
    else if (ms < 10000)
        og_buf_format(b, "%lld.%lld s", (long long)(ms / 1000), (long long)(ms % 1000 / 100));
    else if (ms < 600000)
        og_buf_format(b, "%lld s", (long long)(ms / 1000));
    else
        og_buf_format(b, "%lld min", (long long)(ms / 60000));
}

/* --- what needs somebody ------------------------------------------------------------------------------------------ */

static void put_needs(const struct og_console_view *v, struct og_buf *b)
{
    const cJSON *needs = og_doc_get(v->doc, "needs"), *need;
    int urgent = 0, soon = 0;

    cJSON_ArrayForEach (need, needs)
        ++*(og_console_flag(need, "urgent") ? &urgent : &soon);
    if (urgent)
        og_buf_format(b, "<p class=\"sum bad\">✖ Needs somebody: %d</p>", urgent);
    else if (soon)
        og_buf_format(b, "<p class=\"sum soon\">▲ Healthy; near a limit: %d</p>", soon);
    else
        og_buf_text(b, "<p class=\"sum good\">✔ Healthy</p>");
    if (!urgent && !soon)
        return;
    og_buf_text(b, "<h2>Needs somebody, or soon</h2><ul class=\"needs\">");
    cJSON_ArrayForEach (need, needs) {
        const struct og_str account = og_doc_str_or_empty(need, "accountId");

        og_buf_text(b,
                    og_console_flag(need, "urgent") ? "<li class=\"bad\">✖ <strong>" : "<li class=\"soon\">▲ <strong>");
        put_member(b, need, "what");
        og_buf_text(b, "</strong> ");
        if (account.len) {
            og_serve_page_text(b, account);
            og_buf_text(b, ": ");
        }
        put_member(b, need, "text");
        og_buf_text(b, "</li>");
    }
    og_buf_text(b, "</ul>");
}

/* --- the sender --------------------------------------------------------------------------------------------------- */

static void put_row(struct og_buf *b, const char *name, struct og_str text)
{
    og_buf_format(b, "<dt>%s</dt><dd>", name);
    og_serve_page_text(b, text.len ? text : OG_STR("–"));
    og_buf_text(b, "</dd>");
}

static void put_halt(const cJSON *halt, struct og_buf *b)
{
    static const struct {
        const char *key, *before;
    } parts[] = { { "at", " since " }, { "by", " by " }, { "reason", ": " } };

    og_buf_text(b, "<dt>Trading</dt><dd>");
    put_member(b, halt, "trading");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (og_doc_str_or_empty(halt, parts[i].key).len) {
            og_buf_text(b, parts[i].before);
            put_member(b, halt, parts[i].key);
        }
    og_buf_text(b, "</dd>");
}

static void put_sender(const struct og_console_view *v, const cJSON *s, struct og_buf *b)
{

    og_buf_format(b, "<h2>Sender</h2><dl><dt>Process</dt><dd>%ld</dd>", v->sender);
    put_row(b, "Since", og_doc_str_or_empty(s, "since"));
    put_halt(og_doc_get(s, "halt"), b);
    put_row(b, "Keys", og_doc_str_or_empty(s, "keys"));
    put_row(b, "Policy", og_doc_str_or_empty(s, "policy"));
    if (og_console_flag(s, "reloadFailed"))
        put_row(b, "Reload", OG_STR("the newest policy does not load; the one above stays in force"));
    put_row(b, "Ledger", og_doc_str_or_empty(s, "ledger"));
    og_buf_format(b, "<dt>Lines that wait</dt><dd>%lld</dd></dl>", (long long)og_doc_int_or_0(s, "linesWaiting"));
}

static void put_accounts(const cJSON *accounts, struct og_buf *b)
{
    const cJSON *a, *orders;

    og_console_table(b, "Accounts", "Account|Environment|State|Stream|#Age|#Unknown|#Working|#Waiting|#Posting");
    cJSON_ArrayForEach (a, accounts) {
        orders = og_doc_get(a, "orders");
        og_buf_text(b, "<tr>");
        og_console_cell(b, og_doc_str_or_empty(a, "accountId"));
        og_console_cell(b, og_doc_str_or_empty(a, "environment"));
        og_console_cell(b, og_console_flag(a, "readingFails") ? OG_STR("cannot be read")
                                                              : og_doc_str_or_empty(a, "state"));
        og_console_cell(b, og_doc_str_or_empty(a, "stream"));
        og_buf_text(b, "<td class=\"n\">");
        put_ms(b, og_doc_get(a, "ages"), "readingMs");
        og_buf_text(b, "</td>");
        og_console_cell_number(b, orders, "unknown");
        og_console_cell_number(b, orders, "working");
        og_console_cell_number(b, orders, "waiting");
        og_console_cell_number(b, orders, "posting");
        og_buf_text(b, "</tr>");
    }
    og_console_table_end(b);
}

/* Write how much of a limit is used, as a bar with the number and a sign beside it, so that the meaning never depends
 * on colour alone. */
static void put_bar(const cJSON *limit, struct og_buf *b)
{
    const int64_t percent = og_doc_int_or_0(limit, "percent");
    const struct og_str rule = og_doc_str_or_empty(limit, "rule");

    if (og_doc_get(limit, "least") || !og_item_is_number(og_doc_get(limit, "used"))) {
        og_buf_text(b, "<td></td><td class=\"n\">–</td>");
        return;
    }
    og_buf_format(b, "<td><meter min=\"0\" max=\"100\" high=\"%d\" value=\"%lld\" aria-label=\"", OG_CONSOLE_NEAR - 1,
                  (long long)(percent > 100 ? 100 : percent));
    og_serve_page_text(b, rule);
    og_buf_char(b, ' ');
    put_member(b, limit, "setting");
    og_buf_format(b, "\">%lld %%</meter></td><td class=\"n\">%s%lld %%%s</td>", (long long)percent,
                  percent >= OG_CONSOLE_NEAR ? "▲ " : "", (long long)percent,
                  og_console_flag(limit, "sure") ? "" : " ?");
}

static void put_limits(const cJSON *accounts, struct og_buf *b)
{
    const cJSON *a, *limit;

    og_console_table(b, "Limits", "Account|Limit|Of|#Used|#Allowed|Use|#Percent|Unit|Only for");
    cJSON_ArrayForEach (a, accounts)
        cJSON_ArrayForEach (limit, og_doc_get(a, "limits")) {
            const struct og_str name = og_doc_str_or_empty(limit, "name"),
                                measure = og_doc_str_or_empty(limit, "measure");

            og_buf_text(b, "<tr>");
            og_console_cell(b, og_doc_str_or_empty(a, "accountId"));
            og_buf_text(b, "<td>");
            put_member(b, limit, "rule");
            og_buf_char(b, ' ');
            put_member(b, limit, "setting");
            if (measure.len) {
                og_buf_char(b, ' ');
                og_serve_page_text(b, measure);
            }
            og_buf_text(b, og_console_flag(limit, "refuses") ? "</td>" : " (only warns)</td>");
            og_console_cell(b, name.len ? name : og_doc_str_or_empty(limit, "of"));
            og_console_cell_number(b, limit, "used");
            og_console_cell_number(b, limit, og_doc_get(limit, "least") ? "least" : "allowed");
            put_bar(limit, b);
            og_console_cell(b, og_doc_str_or_empty(limit, "unit"));
            og_console_cell(b, og_doc_str_or_empty(limit, "only"));
            og_buf_text(b, "</tr>");
        }
    og_console_table_end(b);
}

static void put_rows(const cJSON *rows, const char *heading, const char *columns, const char *const *keys,
                     struct og_buf *b)
{
    const cJSON *row;

    if (!rows || !rows->child)
        return;
    og_console_table(b, heading, columns);
    cJSON_ArrayForEach (row, rows) {
        og_buf_text(b, "<tr>");
        for (const char *const *key = keys; *key; key++)
            if (og_item_is_number(og_doc_get(row, *key)))
                og_console_cell_number(b, row, *key);
            else if (strcmp(*key, "clientOrderId") == 0)
                og_console_cell_order(b, og_doc_str_or_empty(row, *key));
            else
                og_console_cell(b, og_doc_str_or_empty(row, *key));
        og_buf_text(b, "</tr>");
    }
    og_console_table_end(b);
}

static void put_counts(const cJSON *counts, struct og_buf *b)
{
    const cJSON *row;

    og_buf_format(b, "<h2>This run</h2><dl><dt>Decisions</dt><dd>%lld accepted, %lld refused</dd><dt>Outcomes</dt><dd>",
                  (long long)og_doc_int_or_0(counts, "accepted"), (long long)og_doc_int_or_0(counts, "refused"));
    cJSON_ArrayForEach (row, og_doc_get(counts, "outcomes")) {
        og_buf_format(b, "%lld ", (long long)og_doc_int_or_0(row, "count"));
        put_member(b, row, "outcome");
        og_buf_text(b, row->next ? ", " : "");
    }
    og_buf_text(b, "</dd></dl>");
}

/* --- the state, the page, the event ------------------------------------------------------------------------------- */

static void put_snapshot(const struct og_console_view *v, const cJSON *snapshot, struct og_buf *b)
{
    static const char *const budgets[] = { "endpoint", "waitMs", "queued", NULL };
    const cJSON *accounts = og_doc_get(snapshot, "accounts");

    put_sender(v, snapshot, b);
    put_accounts(accounts, b);
    put_limits(accounts, b);
    put_counts(og_doc_get(snapshot, "counts"), b);
    put_rows(og_doc_get(snapshot, "budgets"), "Request budgets", "Endpoint|#Wait, ms|#Queued", budgets, b);
}

/* Write what the sender answered last, marked as old, while it does not answer. */
static void put_last(const struct og_console_view *v, struct og_buf *b)
{
    const long long age_s = (long long)((og_time_up() - v->last_at) / OG_NS_PER_S);

    if (!v->last) {
        og_buf_text(b, "<p id=\"stale\" class=\"bad\">✖ The sender does not answer, and has not answered yet.</p>");
        return;
    }
    og_buf_format(b,
                  "<p id=\"stale\" class=\"bad\" data-age=\"%lld\">✖ The sender does not answer. What is shown "
                  "of it is old: as of <time>",
                  age_s);
    put_member(b, v->last, "at");
    og_buf_format(b, "</time>, %lld s ago.</p><div class=\"stale\">", age_s);
    put_snapshot(v, v->last_snapshot, b);
    og_buf_text(b, "</div>");
}

static void put_state(const struct og_console_view *v, struct og_buf *b)
{
    static const char *const unknown[] = { "at", "accountId", "clientOrderId", NULL },
                             *const latches[] = { "at", "accountId", "latch", NULL },
                             *const refusals[] = { "count",     "rule",          "reason",  "at",
                                                   "accountId", "clientOrderId", "message", NULL };

    if (v->done[0]) {
        og_buf_text(b, v->failed ? "<p class=\"bad\">✖ Last done here: " : "<p>Last done here: ");
        og_serve_page_text(b, og_str_of(v->done));
        og_buf_text(b, "</p>");
    }
    if (!v->doc) {
        og_buf_text(b, "<p class=\"sum bad\">✖ The status cannot be read: ");
        og_serve_page_text(b, og_str_of(v->err.text));
        og_buf_text(b, "</p>");
        put_last(v, b);
        return;
    }
    og_buf_text(b, "<p>As of <time>");
    put_member(b, v->doc, "at");
    og_buf_text(b, "</time></p>");
    put_needs(v, b);
    put_rows(og_doc_get(v->ledger, "unknown"), "Orders of unknown outcome", "Since|Account|Order", unknown, b);
    if (v->snapshot)
        put_snapshot(v, v->snapshot, b);
    else
        put_last(v, b);
    put_rows(og_doc_get(v->ledger, "latches"), "Tripped latches", "Since|Account|Latch", latches, b);
    put_rows(og_doc_get(v->ledger, "refusals"), "Refused lately", "#Count|Rule|Reason|Last|Account|Order|Message",
             refusals, b);
}

void og_console_page_begin(struct og_buf *b, const char *title, bool live)
{
    og_buf_format(b,
                  "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">%s"
                  "<link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"/console.css\">%s</head><body>"
                  "<header><h1>%s</h1><nav>%s<a href=\"/orders\">Orders</a> <a href=\"/positions\">Positions</a> <a "
                  "href=\"/halt\">Halt…</a> <a href=\"/resume\">Resume…</a></nav>",
                  title, live ? "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>" : "",
                  live ? "<script src=\"/console.js\" defer></script>" : "", title,
                  live ? "" : "<a href=\"/\">State</a> ");
    og_buf_text(b, live ? "<p id=\"link\" role=\"status\">This page shows one moment.</p><p "
                          "id=\"age\"></p></header><main id=\"state\">"
                        : "</header><main>");
}

void og_console_page_end(struct og_buf *b)
{
    og_buf_text(b,
                "</main><footer><p>For machines: <a href=\"/metrics\">metrics</a>, <a href=\"/readyz\">readiness</a>, "
                "<a href=\"/status\">status</a>.</p></footer></body></html>\n");
}

void og_console_page(const struct og_console_view *v, struct og_buf *b)
{
    og_console_page_begin(b, "ordergate", true);
    put_state(v, b);
    og_console_page_end(b);
}

void og_console_event(const struct og_console_view *v, struct og_buf *b)
{
    og_buf_text(b, "event: state\ndata: ");
    put_state(v, b);
    og_buf_text(b, "\n\n");
}

const char og_console_script[] =
    "'use strict';\n"
    "(function () {\n"
    "  var state = document.getElementById('state'), link = document.getElementById('link');\n"
    "  var age = document.getElementById('age'), last = Date.now(), before = 0, old = null;\n"
    "  function show(isOld, text) {\n"
    "    if (text === old) return;\n"
    "    old = text;\n"
    "    document.body.className = isOld ? 'old' : '';\n"
    "    link.textContent = text;\n"
    "  }\n"
    "  function tellAge() {\n"
    "    age.textContent = 'Age of what is shown: ' + Math.round((Date.now() - last + before) / 1000) + ' s';\n"
    "  }\n"
    "  new EventSource('/events').addEventListener('state', function (e) {\n"
    "    var at = state.scrollTop;\n"
    "    state.innerHTML = e.data;\n"
    "    state.scrollTop = at;\n"
    "    last = Date.now();\n"
    "    var stale = document.getElementById('stale');\n"
    "    before = stale ? 1000 * (stale.dataset.age || 0) : 0;\n"
    "    show(!!stale, stale ? '\\u2716 The sender does not answer. What is shown of it is old.' : 'Live.');\n"
    "    tellAge();\n"
    "  });\n"
    "  setInterval(function () {\n"
    "    tellAge();\n"
    "    if (Date.now() - last > 4000)\n"
    "      show(true, '\\u2716 The gate does not answer since ' + new Date(last).toISOString() +\n"
    "           '. What is shown is old.');\n"
    "  }, 500);\n"
    "}());\n";
