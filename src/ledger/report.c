/*
 * Writes the totals of a day as a JSON object, and from that object the report as text or as an HTML page.
 */
#include "ledger/report.h"

#include <stdio.h>

#include "base/error.h"
#include "base/time.h"
#include "ledger/day.h"

/* Upper bounds of the histogram of answer times, in microseconds; the last class has no bound. */
static const int64_t classes[] = { 500,    1000,   2000,   5000,    10000,   20000,   50000,
                                   100000, 200000, 500000, 1000000, 2000000, 5000000, INT64_MAX };
enum { CLASSES = sizeof classes / sizeof *classes };

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static const struct og_str null = { NULL, 0 };

static void write_orders(struct og_buf *b, const struct og_day_sums *d)
{
    bool first = true;

    og_buf_text(b, ",\"orders\":{");
    og_buf_format(b, "\"decided\":%lld,\"accepted\":%lld,\"refused\":%lld,\"posts\":%lld,\"cancels\":%lld}",
                  (long long)d->decided, (long long)d->accepted, (long long)d->refused, (long long)d->posts,
                  (long long)d->cancels);
    og_buf_text(b, ",\"states\":{");
    for (int i = 0; i < OG_STATES; i++) {
        if (d->states[i] == 0)
            continue;
        og_buf_format(b, "%s\"%s\":%lld", first ? "" : ",", og_state_name((enum og_state)i), (long long)d->states[i]);
        first = false;
    }
    og_buf_char(b, '}');
}

static void write_example(struct og_buf *b, const struct og_day_tally *t)
{
    og_member_int(b, "count", t->count);
    og_buf_text(b, ",\"newest\":");
    og_buf_text(b, "{\"at\":");
    og_buf_json_str(b, og_str_of(og_time_text(t->at).s));
    og_member_str(b, "accountId", t->account);
    og_member_str(b, "clientOrderId", t->id);
    og_member_str(b, "text", t->text);
    og_buf_text(b, "}}");
}

static void write_named(struct og_buf *b, const struct og_day_sums *d)
{
    og_buf_text(b, ",\"refusals\":[");
    for (size_t i = 0; i < d->refusals.count; i++) {
        og_buf_text(b, i > 0 ? ",{\"rule\":" : "{\"rule\":");
        og_buf_json_str(b, d->refusals.item[i]->first);
        og_member_str(b, "reason", d->refusals.item[i]->second);
        write_example(b, d->refusals.item[i]);
    }
    og_buf_text(b, "],\"rejections\":[");
    for (size_t i = 0; i < d->rejections.count; i++) {
        const struct og_str code = d->rejections.item[i]->first;

        og_buf_text(b, i > 0 ? ",{" : "{");
        og_member_str(b, "code", code.len > 0 ? code : null);
        write_example(b, d->rejections.item[i]);
    }
    og_buf_char(b, ']');
}

static void write_fills(struct og_buf *b, const struct og_day_sums *d)
{
    og_buf_format(b, ",\"fills\":{\"count\":%lld,\"orders\":%lld,\"bySymbol\":[", (long long)d->fills,
                  (long long)d->filled_orders);
    for (size_t i = 0; i < d->symbols.count; i++) {
        const struct og_day_tally *t = d->symbols.item[i];

        og_buf_text(b, i > 0 ? ",{" : "{");
        og_member_str(b, "symbol", t->first.len > 0 ? t->first : null);
        og_member_str(b, "side", t->second.len > 0 ? t->second : null);
        og_member_int(b, "count", t->count);
        og_member_int(b, "orders", t->orders);
        og_member_money(b, "quantity", t->quantity);
        if (t->unpriced)
            og_member_str(b, "dollars", null);
        else
            og_member_money(b, "dollars", t->dollars);
        og_buf_char(b, '}');
    }
    og_buf_text(b, "]}");
}

static void write_latency(struct og_buf *b, const struct og_day_sums *d)
{
    const size_t n = d->times;
    size_t at = 0;

    og_buf_format(b, ",\"latencyUs\":{\"count\":%zu", n);
    if (n > 0) {
        og_member_int(b, "least", d->us[0]);
        og_member_int(b, "median", d->us[n / 2]);
        og_member_int(b, "p90", d->us[n - 1 - n / 10]);
        og_member_int(b, "p99", d->us[n - 1 - n / 100]);
        og_member_int(b, "most", d->us[n - 1]);
    }
    og_buf_text(b, ",\"classes\":[");
    for (int i = 0; i < CLASSES; i++) {
        const size_t first = at;

        while (at < n && d->us[at] < classes[i])
            at++;
        og_buf_text(b, i > 0 ? ",{\"under\":" : "{\"under\":");
        if (i < CLASSES - 1)
            og_buf_int(b, classes[i]);
        else
            og_buf_text(b, "null");
        og_buf_format(b, ",\"count\":%zu}", at - first);
    }
    og_buf_text(b, "]}");
}

static void write_highest(struct og_buf *b, struct og_str account, const char *measure, int64_t value, int64_t at)
{
    if (value == 0)
        return;
    og_buf_text(b, b->len > 0 && b->s[b->len - 1] == '[' ? "{" : ",{");
    og_member_str(b, "accountId", account);
    og_member_text(b, "measure", measure);
    og_member_int(b, "value", value);
    og_member_text(b, "at", og_time_text(at).s);
    og_buf_char(b, '}');
}

static void write_limits(struct og_buf *b, const struct og_day_sums *d)
{
    int64_t most, at;

    og_buf_text(b, ",\"limits\":null,\"highest\":[");
    for (size_t i = 0; i < d->account_count; i++) {
        const struct og_day_account *a = d->accounts[i];

        og_day_rate(a, OG_NS_PER_S, &most, &at);
        write_highest(b, a->name, "orders in a second", most, at);
        og_day_rate(a, 60 * OG_NS_PER_S, &most, &at);
        write_highest(b, a->name, "orders in a minute", most, at);
        og_day_rate(a, INT64_MAX, &most, &at);
        write_highest(b, a->name, "orders of the day", most, at);
        write_highest(b, a->name, "orders of the day open at once", a->open_most, a->open_most_at);
    }
    og_buf_char(b, ']');
}

static void write_array(struct og_buf *b, const char *key, const struct og_buf *elements)
{
    og_member_key(b, key);
    og_buf_char(b, '[');
    og_buf_bytes(b, elements->s ? elements->s : "", elements->len);
    og_buf_char(b, ']');
    b->bad |= elements->bad;
}

static void write_hours(struct og_buf *b, const struct og_day_sums *d)
{
    og_buf_text(b, ",\"hours\":[");
    for (int i = 0; i < OG_DAY_HOURS; i++)
        og_buf_format(b, "%s{\"hour\":%d,\"accepted\":%lld,\"refused\":%lld,\"fills\":%lld}", i > 0 ? "," : "", i,
                      (long long)d->hour[i].accepted, (long long)d->hour[i].refused, (long long)d->hour[i].fills);
    og_buf_char(b, ']');
}

static void write_report(struct og_buf *b, const struct og_day_sums *d)
{
    struct og_eastern t;

    og_eastern_from(d->begins, &t);
    og_buf_format(b, "{\"date\":\"%04d-%02d-%02d\",\"zone\":\"America/New_York\"", t.year, t.month, t.day);
    og_member_text(b, "begins", og_time_text(d->begins).s);
    og_member_text(b, "ends", og_time_text(d->ends).s);
    og_member_text(b, "ledger", og_ledger_path(d->l));
    og_member_text(b, "accountId", d->account);
    og_member_int(b, "records", d->records);
    write_orders(b, d);
    write_fills(b, d);
    write_named(b, d);
    write_latency(b, d);
    write_limits(b, d);
    og_member_int(b, "haltCount", d->halt_count);
    write_array(b, "halts", &d->halts);
    write_array(b, "latches", &d->latches);
    write_array(b, "pnlPeaks", &d->peaks);
    og_member_int(b, "anomalyCount", d->anomaly_count);
    write_array(b, "anomalies", &d->anomalies);
    og_member_int(b, "byHandCount", d->people_count);
    write_array(b, "byHand", &d->people);
    write_hours(b, d);
    og_buf_char(b, '}');
}

/* --- the report --------------------------------------------------------------------------------------------------- */

static enum og_status render(struct og_buf *b, const struct og_ledger_look *look, struct og_error *err)
{
    struct og_sheet sheet = og_ledger_sheet(look, b);
    cJSON *doc = NULL;
    enum og_status status;

    if (!look || look->format == OG_LEDGER_JSON || b->bad)
        return OG_OK;
    if ((status = og_doc_read(b->s, b->len, "report", &doc, err)) != OG_OK)
        return status;
    og_buf_reset(b);
    if (look->format == OG_LEDGER_TABLE)
        og_report_words(doc, &sheet);
    else
        og_report_page(doc, b);
    if (b->len > 0 && b->s[b->len - 1] == '\n')
        b->len--; /* drop the last newline: the listener gets lines without one */
    cJSON_Delete(doc);
    return OG_OK;
}

static enum og_status report(struct og_day_sums *d, const struct og_ledger_look *look, og_ledger_listener *line,
                             void *with)
{
    enum og_status status;
    struct og_buf b;

    if (sqlite3_exec(d->l->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return og_ledger_failed(d->l, "read", d->err);
    og_buf_init(&b, 0);
    status = og_day_count(d);
    if (status == OG_OK) {
        write_report(&b, d);
        status = render(&b, look, d->err);
    }
    if (status == OG_OK)
        status = og_ledger_tell(&b, line, with, d->err);
    og_buf_clear(&b);
    og_day_clear(d);
    sqlite3_exec(d->l->db, "COMMIT", NULL, NULL, NULL);
    return status;
}

enum og_status og_ledger_report(struct og_ledger *l, const char *day, const char *account,
                                const struct og_ledger_look *look, og_ledger_listener *line, void *with,
                                struct og_error *err)
{
    struct og_day_sums d = { .l = l, .err = err, .account = account };

    if (!l || !day)
        return og_missing(err);
    if (look && look->format != OG_LEDGER_JSON && look->format != OG_LEDGER_TABLE && look->format != OG_LEDGER_HTML)
        return og_fail(err, OG_EINVAL, "%d is not a format of a report", (int)look->format);
    if (!og_time_read_day(day, strlen(day), og_time_now(), &d.begins, &d.ends))
        return og_fail(err, OG_EINVAL, "'%.40s' is not a day: 2026-01-15, today or yesterday", day);
    return report(&d, look, line, with);
}
