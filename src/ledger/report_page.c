/*
 * The report of a day as a self-contained HTML page: no script, no other file, plots as SVG. Every text is escaped, so
 * that an order's id or a text of the broker is never markup.
 */
#include <stdio.h>

#include "base/time.h"
#include "ledger/report.h"

#define WIDTH  720 /* width of a plot, in SVG units */
#define HEIGHT 160 /* height of the bars of a plot */
#define BAR    22  /* height of a horizontal bar, with the gap after it */
#define NAMED  250 /* width of the names beside horizontal bars */
#define LYING  20  /* maximum number of horizontal bars */

static const char head[] =
    "<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<style>\n"
    ":root{color-scheme:light "
    "dark;--ink:#1b1f24;--paper:#fff;--rule:#d0d7de;--good:#1a7f37;--bad:#b42318;--more:#0550ae}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--rule:#30363d;--good:#3fb950;--bad:#ff7b72;"
    "--more:#79c0ff}}\n"
    "body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem "
    "auto;"
    "padding:0 1rem}\n"
    "h1{font-size:1.5rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.5rem;margin:0}dd{margin:0}\n"
    "div.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}\n"
    "th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--rule);vertical-align:top;"
    "overflow-wrap:anywhere}th{white-space:nowrap}td.n,th.n{text-align:right;white-space:nowrap}\n"
    "svg{width:100%;height:auto;display:block}svg text{fill:var(--ink);font-size:12px}\n"
    ".good{fill:var(--good)}.bad{fill:var(--bad)}.more{fill:var(--more)}\n"
    "</style>\n";

/* --- text --------------------------------------------------------------------------------------------------------- */

static void put(struct og_buf *b, struct og_str text)
{
    struct og_buf plain;

    og_buf_init(&plain, 0);
    og_plain(&plain, text);
    for (size_t i = 0; i < plain.len; i++) {
        switch (plain.s[i]) {
        case '&': og_buf_text(b, "&amp;"); break;
        case '<': og_buf_text(b, "&lt;"); break;
        case '>': og_buf_text(b, "&gt;"); break;
        case '"': og_buf_text(b, "&quot;"); break;
        case '\'': og_buf_text(b, "&#39;"); break;
        default: og_buf_char(b, plain.s[i]);
        }
    }
    b->bad |= plain.bad;
    og_buf_clear(&plain);
}

static void put_member(struct og_buf *b, const cJSON *of, const char *key)
{
    const struct og_str text = og_doc_str_or_empty(of, key);
    struct og_money amount;

    if (text.len > 0)
        put(b, text);
    else if (og_doc_money(of, key, &amount))
        og_buf_money(b, amount);
    else
        og_buf_text(b, "&ndash;");
}

/* Write the member `at`, a time, as the time in New York. */
static void put_time(struct og_buf *b, const cJSON *of)
{
    const struct og_str text = og_doc_str_or_empty(of, "at");
    int64_t at;

    og_buf_text(b, og_time_read(text.s, text.len, &at) ? og_eastern_text(at).s : "unknown");
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* A column: its name; the key of the member, where "at" is shown as a time; whether its cells are numbers; whether the
 * member belongs to the newest example. */
struct column {
    const char *name, *key;
    bool number, newest;
};

static void put_table(struct og_buf *b, const char *heading, const cJSON *rows, const struct column *column,
                      size_t columns)
{
    const cJSON *row;

    if (cJSON_GetArraySize(rows) == 0)
        return;
    og_buf_format(b, "<h2>%s</h2>\n<div class=\"wide\"><table><thead><tr>", heading);
    for (size_t i = 0; i < columns; i++)
        og_buf_format(b, "<th scope=\"col\"%s>%s</th>", column[i].number ? " class=\"n\"" : "", column[i].name);
    og_buf_text(b, "</tr></thead><tbody>\n");
    cJSON_ArrayForEach (row, rows) {
        og_buf_text(b, "<tr>");
        for (size_t i = 0; i < columns; i++) {
            const cJSON *of = column[i].newest ? og_doc_get(row, "newest") : row;

            og_buf_text(b, column[i].number ? "<td class=\"n\">" : "<td>");
            if (strcmp(column[i].key, "at") == 0)
                put_time(b, of);
            else
                put_member(b, of, column[i].key);
            og_buf_text(b, "</td>");
        }
        og_buf_text(b, "</tr>\n");
    }
    og_buf_text(b, "</tbody></table></div>\n");
}
#define PUT_TABLE(b, heading, rows, ...)                                      \
    put_table((b), (heading), (rows), (const struct column[]){ __VA_ARGS__ }, \
              sizeof((const struct column[]){ __VA_ARGS__ }) / sizeof(struct column))

/* --- plots -------------------------------------------------------------------------------------------------------- */

static void put_bar(struct og_buf *b, const char *class, int64_t x, int64_t y, int64_t width, int64_t height)
{
    if (width > 0 && height > 0)
        og_buf_format(b, "<rect class=\"%s\" x=\"%lld\" y=\"%lld\" width=\"%lld\" height=\"%lld\"/>\n", class,
                      (long long)x, (long long)y, (long long)width, (long long)height);
}

static void put_label(struct og_buf *b, const char *anchor, int64_t x, int64_t y, const char *text)
{
    og_buf_format(b, "<text x=\"%lld\" y=\"%lld\" text-anchor=\"%s\">%s</text>\n", (long long)x, (long long)y, anchor,
                  text);
}

static void begin_plot(struct og_buf *b, const char *heading, const char *about, int64_t height)
{
    og_buf_format(b, "<h2>%s</h2>\n<svg viewBox=\"0 0 %d %lld\" role=\"img\" aria-label=\"%s\">\n", heading, WIDTH,
                  (long long)height, about);
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Returns the height or length of a bar; at least 1 for a value above 0, so that the bar is visible. */
static int64_t scaled(int64_t value, int64_t most, int64_t room)
{
    const int64_t length = most > 0 && value > 0 ? (int64_t)((__int128)value * room / most) : 0;

    return value > 0 ? greater(length, 1) : 0;
}

static void put_hours(struct og_buf *b, const cJSON *report)
{
    const int64_t step = WIDTH / 24, base = HEIGHT + 20;
    const cJSON *hour;
    int64_t most = 0;
    char text[40];

    cJSON_ArrayForEach (hour, og_doc_get(report, "hours"))
        most = greater(most, greater(og_doc_int_or_0(hour, "fills"),
                                     og_doc_int_or_0(hour, "accepted") + og_doc_int_or_0(hour, "refused")));
    if (most == 0)
        return;
    begin_plot(
        b, "By hour, New York",
        "orders accepted (below) and refused (above), and fills beside them, by hour; the numbers are in the JSON",
        base + 20);
    cJSON_ArrayForEach (hour, og_doc_get(report, "hours")) {
        const int64_t of = og_doc_int_or_0(hour, "hour"), x = of * step,
                      accepted = scaled(og_doc_int_or_0(hour, "accepted"), most, HEIGHT),
                      refused = scaled(og_doc_int_or_0(hour, "refused"), most, HEIGHT),
                      fills = scaled(og_doc_int_or_0(hour, "fills"), most, HEIGHT);

        put_bar(b, "good", x + 3, base - accepted, 12, accepted);
        put_bar(b, "bad", x + 3, base - accepted - refused, 12, refused);
        put_bar(b, "more", x + 16, base - fills, 10, fills);
        snprintf(text, sizeof text, "%lld", (long long)of);
        put_label(b, "middle", x + step / 2, base + 15, text);
    }
    snprintf(text, sizeof text, "most: %lld", (long long)most);
    put_label(b, "start", 0, 12, text);
    og_buf_format(
        b,
        "<text x=\"%d\" y=\"12\" text-anchor=\"end\"><tspan class=\"good\">accepted</tspan> <tspan class=\"bad\">"
        "refused</tspan> <tspan class=\"more\">fills</tspan></text>\n</svg>\n",
        WIDTH);
}

static void put_latency(struct og_buf *b, const cJSON *report)
{
    const cJSON *latency = og_doc_get(report, "latencyUs"), *classes = og_doc_get(latency, "classes"), *c;
    const int64_t count = cJSON_GetArraySize(classes), step = count > 0 ? WIDTH / count : 0, base = HEIGHT + 20;
    int64_t most = 0, at = 0;
    char text[40];

    cJSON_ArrayForEach (c, classes)
        most = greater(most, og_doc_int_or_0(c, "count"));
    if (most == 0)
        return;
    begin_plot(b, "From POST to answer", "answers by class of time; the numbers stand over the bars", base + 20);
    cJSON_ArrayForEach (c, classes) {
        const int64_t n = og_doc_int_or_0(c, "count"), under = og_doc_int_or_0(c, "under"),
                      height = scaled(n, most, HEIGHT - 14);

        put_bar(b, "more", at * step + 4, base - height, step - 8, height);
        snprintf(text, sizeof text, "%lld", (long long)n);
        put_label(b, "middle", at * step + step / 2, base - height - 3, text);
        if (under == 0)
            snprintf(text, sizeof text, "more");
        else if (under < 1000)
            snprintf(text, sizeof text, "&lt;0.%lldms", (long long)(under / 100));
        else if (under < 1000000)
            snprintf(text, sizeof text, "&lt;%lldms", (long long)(under / 1000));
        else
            snprintf(text, sizeof text, "&lt;%llds", (long long)(under / 1000000));
        put_label(b, "middle", at * step + step / 2, base + 15, text);
        at++;
    }
    og_buf_text(b, "</svg>\n<dl>");
    for (size_t i = 0; i < 5; i++) {
        static const char *const keys[] = { "least", "median", "p90", "p99", "most" };
        const int64_t us = og_doc_int_or_0(latency, keys[i]);

        og_buf_format(b, "<dt>%s</dt><dd>%lld.%03lld ms</dd>", keys[i], (long long)(us / 1000), (long long)(us % 1000));
    }
    og_buf_text(b, "</dl>\n");
}

static void put_refusals(struct og_buf *b, const cJSON *report)
{
    const cJSON *rows = og_doc_get(report, "refusals"), *r;
    int64_t most = 0, at = 0;
    char text[40];

    cJSON_ArrayForEach (r, rows)
        most = greater(most, og_doc_int_or_0(r, "count"));
    if (most == 0)
        return;
    begin_plot(b, "Refused, by reason", "refusals by reason, the most frequent first; they are in the table below",
               BAR * (cJSON_GetArraySize(rows) < LYING ? cJSON_GetArraySize(rows) : LYING));
    cJSON_ArrayForEach (r, rows) {
        const int64_t n = og_doc_int_or_0(r, "count"), length = scaled(n, most, WIDTH - NAMED - 60);

        if (at == LYING)
            break;
        og_buf_format(b, "<text x=\"%d\" y=\"%lld\" text-anchor=\"end\">", NAMED - 8, (long long)(at * BAR + 15));
        put(b, og_doc_str_or_empty(r, "reason"));
        og_buf_text(b, "</text>\n");
        put_bar(b, "bad", NAMED, at * BAR + 3, length, BAR - 6);
        snprintf(text, sizeof text, "%lld", (long long)n);
        put_label(b, "start", NAMED + length + 6, at * BAR + 15, text);
        at++;
    }
    og_buf_text(b, "</svg>\n");
}

/* --- the page ----------------------------------------------------------------------------------------------------- */

static void put_sums(struct og_buf *b, const cJSON *report)
{
    static const struct {
        const char *of, *key, *name;
    } sums[] = {
        { "orders", "decided", "Orders decided" },
        { "orders", "accepted", "accepted" },
        { "orders", "refused", "refused" },
        { "orders", "posts", "POSTs" },
        { "fills", "count", "Fills" },
        { "fills", "orders", "orders filled" },
        { "orders", "cancels", "Cancels decided" },
    };
    const cJSON *state;
    int64_t n;

    og_buf_text(b, "<dl>");
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        og_buf_format(b, "<dt>%s</dt><dd>%lld</dd>\n", sums[i].name,
                      (long long)og_doc_int_or_0(og_doc_get(report, sums[i].of), sums[i].key));
    og_buf_format(b, "<dt>Anomalies</dt><dd>%lld</dd>\n<dt>Orders at the day's end</dt><dd>",
                  (long long)og_doc_int_or_0(report, "anomalyCount"));
    cJSON_ArrayForEach (state, og_doc_get(report, "states"))
        if (og_item_int(state, &n)) {
            og_buf_format(b, "%lld ", (long long)n);
            put(b, og_str_of(state->string));
            og_buf_char(b, ' ');
        }
    og_buf_text(b, "</dd></dl>\n");
}

static void put_tables(struct og_buf *b, const cJSON *report)
{
    PUT_TABLE(b, "Anomalies", og_doc_get(report, "anomalies"), { "New York time", "at", false, false },
              { "Account", "accountId", false, false }, { "Order", "clientOrderId", false, false },
              { "Record", "record", false, false }, { "Text", "text", false, false });
    PUT_TABLE(b, "Halts", og_doc_get(report, "halts"), { "New York time", "at", false, false },
              { "Trading", "trading", false, false }, { "By", "by", false, false },
              { "Reason", "reason", false, false }, { "Flag", "flag", false, false });
    PUT_TABLE(b, "Refusals", og_doc_get(report, "refusals"), { "Count", "count", true, false },
              { "Rule", "rule", false, false }, { "Reason", "reason", false, false },
              { "Newest order", "clientOrderId", false, true }, { "Message", "text", false, true });
    PUT_TABLE(b, "Rejected by the broker", og_doc_get(report, "rejections"), { "Count", "count", true, false },
              { "Code", "code", false, false }, { "Newest order", "clientOrderId", false, true },
              { "Text", "text", false, true });
    PUT_TABLE(b, "Fills", og_doc_get(og_doc_get(report, "fills"), "bySymbol"), { "Symbol", "symbol", false, false },
              { "Side", "side", false, false }, { "Fills", "count", true, false }, { "Orders", "orders", true, false },
              { "Quantity", "quantity", true, false }, { "Dollars", "dollars", true, false });
    PUT_TABLE(b, "At its highest", og_doc_get(report, "highest"), { "Account", "accountId", false, false },
              { "Measure", "measure", false, false }, { "Highest", "value", true, false },
              { "New York time", "at", false, false });
    PUT_TABLE(b, "The day's highest P&amp;L", og_doc_get(report, "pnlPeaks"), { "Account", "accountId", false, false },
              { "Dollars", "dayPnlPeak", true, false }, { "New York time", "at", false, false });
    PUT_TABLE(b, "Latches", og_doc_get(report, "latches"), { "Account", "accountId", false, false },
              { "Latch", "latch", false, false }, { "Value", "value", true, false }, { "Limit", "limit", true, false },
              { "New York time", "at", false, false });
    PUT_TABLE(b, "Done by hand", og_doc_get(report, "byHand"), { "New York time", "at", false, false },
              { "Record", "record", false, false }, { "By", "by", false, false },
              { "Account", "accountId", false, false }, { "Order", "clientOrderId", false, false },
              { "Text", "text", false, false });
}

void og_report_page(const cJSON *report, struct og_buf *to)
{
    const struct og_str date = og_doc_str_or_empty(report, "date"), account = og_doc_str_or_empty(report, "accountId");

    og_buf_text(to, "<!doctype html>\n<html lang=\"en\"><head><title>ordergate ");
    put(to, date);
    og_buf_text(to, "</title>\n");
    og_buf_text(to, head);
    og_buf_text(to, "</head><body><main>\n<h1>");
    put(to, date);
    if (account.len > 0) {
        og_buf_text(to, ", account ");
        put(to, account);
    }
    og_buf_format(to, "</h1>\n<p>From midnight to midnight in New York; %lld records of ",
                  (long long)og_doc_int_or_0(report, "records"));
    put(to, og_doc_str_or_empty(report, "ledger"));
    og_buf_text(to, ".</p>\n");
    put_sums(to, report);
    put_hours(to, report);
    put_latency(to, report);
    put_refusals(to, report);
    put_tables(to, report);
    og_buf_text(
        to, "<p>How much of each limit was used is not on record, but for the highest figures, latches and refusals "
            "above.</p>\n</main></body></html>\n");
}
