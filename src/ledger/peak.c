/*
 * Records of the day's highest P&L of an account. A run writes one when it sees a higher P&L than the recorded one, so
 * that later runs, and the other senders of the ledger, measure a drawdown from the same peak. The record's text is the
 * session day. The P&L is in the detail, because the columns for amounts hold those of an order.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/money.h"
#include "ledger/inside.h"
#include "text/doc.h"

/* Write a day as "2026-01-15". */
static struct og_str day_text(int day, char room[24])
{
    int n = snprintf(room, 24, "%04d-%02d-%02d", day / 10000, day / 100 % 100, day % 100);

    return (struct og_str){ room, n > 0 ? (size_t)n : 0 };
}

static bool read_day(struct og_str text, int *day)
{
    char room[24];
    int year, month, of_month;

    if (text.len != 10 || sscanf(text.s, "%4d-%2d-%2d", &year, &month, &of_month) != 3)
        return false;
    *day = year * 10000 + month * 100 + of_month;
    return og_str_eq(day_text(*day, room), text);
}

static bool read_figure(struct og_str detail, struct og_money *peak)
{
    cJSON *doc = NULL;
    bool ok = detail.len > 0 && og_doc_read(detail.s, detail.len, "detail", &doc, NULL) == OG_OK &&
              og_doc_money(doc, "dayPnlPeak", peak) && peak->coef >= 0;

    cJSON_Delete(doc);
    return ok;
}

bool og_ledger_read_peak(const struct og_ledger_row *row, struct og_pnl_peak *peak)
{
    return strcmp(row->record, OG_LEDGER_PEAK) == 0 && read_day(row->text, &peak->day) &&
           read_figure(row->detail, &peak->peak);
}

enum og_status og_ledger_append_peak(struct og_ledger *l, struct og_str account, int64_t at,
                                     const struct og_pnl_peak *peak, struct og_error *err)
{
    char day[24], detail[24 + sizeof(struct og_money_text)];
    int n = snprintf(detail, sizeof detail, "{\"dayPnlPeak\":%s}", og_money_text(peak->peak).s);
    struct og_ledger_row row = { .at = at,
                                 .account = account,
                                 .record = OG_LEDGER_PEAK,
                                 .state = OG_DONE,
                                 .text = day_text(peak->day, day),
                                 .detail = { detail, n > 0 ? (size_t)n : 0 } };

    return og_ledger_append(l, &row, err);
}

enum og_status og_ledger_peak(struct og_ledger *l, struct og_str account, int day, struct og_money *peak,
                              struct og_error *err)
{
    /* the index by account and id is fast enough: few records of an account have no id */
    sqlite3_stmt *s = og_ledger_query(l,
                                      "SELECT detail FROM rows WHERE account = ? AND id IS NULL AND text = ?"
                                      " AND record = '" OG_LEDGER_PEAK "'",
                                      err);
    enum og_status status = OG_OK;
    struct og_money one;
    char room[24];

    *peak = og_money_from(0);
    og_ledger_bind(s, 1, account);
    og_ledger_bind(s, 2, day_text(day, room));
    while (og_ledger_next(l, s, &status, err))
        if (read_figure(og_ledger_column(s, 0), &one) && og_money_cmp(one, *peak) > 0)
            *peak = one;
    sqlite3_finalize(s);
    return status;
}
