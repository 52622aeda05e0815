/*
 * Orders as rows for spreadsheets and columnar files. In JSON every text is unchanged.
 */
#include "ledger/flat.h"

#include "ordergate/time.h"
#include "text/csv.h"

struct writing {
    struct og_buf *b;
    bool csv, first;
};

static const char *const names[] = {
    "seq",       "at",          "run",     "accountId",     "clientOrderId", "brokerOrderId", "tag",
    "record",    "state",       "outcome", "symbol",        "securityType",  "side",          "openClose",
    "orderType", "timeInForce", "route",   "orderQuantity", "limitPrice",    "stopPrice",     "legs",
    "executed",  "priceAvg",    "code",    "text",          "rule",          "reason",
};

static void begin(struct writing *w, int column)
{
    if (!w->first)
        og_buf_char(w->b, ',');
    w->first = false;
    if (!w->csv)
        og_buf_format(w->b, "\"%s\":", names[column]);
}

/* Write a text; if text.s is NULL, an empty cell or null. */
static void put(struct writing *w, int column, struct og_str text)
{
    begin(w, column);
    if (text.s && w->csv)
        og_csv_text(w->b, text);
    else if (text.s)
        og_buf_json_str(w->b, text);
    else if (!w->csv)
        og_buf_text(w->b, "null");
}

static void put_money(struct writing *w, int column, bool known, struct og_money amount)
{
    begin(w, column);
    if (known)
        og_buf_money(w->b, amount);
    else if (!w->csv)
        og_buf_text(w->b, "null");
}

static void put_int(struct writing *w, int column, int64_t n)
{
    begin(w, column);
    og_buf_int(w->b, n);
}

/* Write those members of the body that have a column, from `column` on. */
static int put_body(struct writing *w, int column, const cJSON *body)
{
    static const char *const texts[] = { "symbol",    "securityType", "side", "openClose",
                                         "orderType", "timeInForce",  "route" };
    static const char *const amounts[] = { "orderQuantity", "limitPrice", "stopPrice" };
    struct og_money amount = { 0, 0 };
    struct og_str text;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        put(w, column++, og_doc_str(body, texts[i], &text) ? text : (struct og_str){ NULL, 0 });
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
        const bool known = og_doc_money(body, amounts[i], &amount);

        put_money(w, column++, known, amount);
    }
    put_int(w, column++, cJSON_GetArraySize(og_doc_get(body, "legs")));
    return column;
}

/* Write the rule and the reason of the first finding that refused the order. */
static void put_refusal(struct writing *w, int column, const struct og_ledger_row *row)
{
    struct og_str rule = { NULL, 0 }, reason = { NULL, 0 }, level;
    cJSON *doc = NULL;
    const cJSON *f;

    if (row->state == OG_REFUSED && row->detail.len > 0 &&
        og_doc_read(row->detail.s, row->detail.len, "detail", &doc, NULL) == OG_OK)
        cJSON_ArrayForEach (f, og_doc_get(doc, "findings"))
            if (!rule.s && og_doc_str(f, "level", &level) && og_str_is(level, "refuse")) {
                (void)og_doc_str(f, "rule", &rule);
                (void)og_doc_str(f, "reason", &reason);
            }
    put(w, column, rule);
    put(w, column + 1, reason);
    cJSON_Delete(doc);
}

void og_flat_names(struct og_buf *b)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        og_buf_format(b, "%s%s", i > 0 ? "," : "", names[i]);
}

void og_flat_row(struct og_buf *b, bool csv, const struct og_ledger_seen_row *seen, const cJSON *body)
{
    struct writing w = { .b = b, .csv = csv, .first = true };
    const struct og_ledger_row *row = &seen->row;
    const struct og_str none = { NULL, 0 };
    int column = 0;

    if (!csv)
        og_buf_char(b, '{');
    put_int(&w, column++, row->seq);
    put(&w, column++, og_str_of(og_time_text(row->at).s));
    put(&w, column++, row->run);
    put(&w, column++, row->account);
    put(&w, column++, row->id);
    put(&w, column++, row->broker_id);
    put(&w, column++, row->tag.len > 0 ? row->tag : none);
    put(&w, column++, og_str_of(row->record));
    put(&w, column++, og_str_of(og_state_name(seen->state)));
    put(&w, column++, row->outcome);
    column = put_body(&w, column, body);
    put_money(&w, column++, true, row->executed);
    put_money(&w, column++, true, row->price_avg);
    put(&w, column++, row->code);
    put(&w, column++, row->text);
    put_refusal(&w, column, row);
    if (!csv)
        og_buf_char(b, '}');
}
