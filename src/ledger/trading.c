/*
 * Records that trading was halted, or went on. Each run writes one when it obeys a flag of `ordergate halt`, or the end
 * of a halt, so that it is known later who halted trading and why, and which runs obeyed. The record is about the whole
 * run: it has no account. Its text says the same in words.
 */
#include <stdio.h>

#include "ledger/inside.h"
#include "text/doc.h"

static struct og_str or_null(const char *s)
{
    return s && s[0] != '\0' ? og_str_of(s) : (struct og_str){ NULL, 0 };
}

bool og_ledger_trading_row(struct og_ledger_row *row, struct og_buf *detail, const struct og_ledger_trading *t)
{
    og_buf_text(detail, "{\"of\":\"trading\"");
    og_member_text(detail, "trading", t->trading);
    og_member_text(detail, "was", t->was);
    og_member_str(detail, "since", or_null(t->since));
    og_member_str(detail, "by", or_null(t->by));
    og_member_str(detail, "reason", or_null(t->reason));
    og_member_str(detail, "flag", or_null(t->flag));
    og_buf_char(detail, '}');
    row->account = OG_STR("");
    row->record = OG_LEDGER_TRADING;
    row->state = OG_DONE;
    row->text = or_null(t->text);
    row->detail = (struct og_str){ detail->s, detail->len };
    return !detail->bad;
}

enum og_status og_ledger_trading_of(struct og_ledger *l, char *trading, size_t trading_size, char *flag,
                                    size_t flag_size, struct og_error *err)
{
    /* the index by account and id is fast enough: few records have neither */
    sqlite3_stmt *s = og_ledger_query(l,
                                      "SELECT detail FROM rows WHERE account = '' AND id IS NULL AND"
                                      " record = '" OG_LEDGER_TRADING "' ORDER BY seq DESC LIMIT 1",
                                      err);
    enum og_status status = OG_OK;
    cJSON *doc = NULL;

    trading[0] = flag[0] = '\0';
    if (og_ledger_next(l, s, &status, err)) {
        const struct og_str detail = og_ledger_column(s, 0);

        if (detail.len > 0 && og_doc_read(detail.s, detail.len, "detail", &doc, NULL) == OG_OK) {
            const struct og_str word = og_doc_str_or_empty(doc, "trading"), path = og_doc_str_or_empty(doc, "flag");

            snprintf(trading, trading_size, "%.*s", (int)word.len, word.s ? word.s : "");
            if (path.len < flag_size)
                snprintf(flag, flag_size, "%.*s", (int)path.len, path.s ? path.s : "");
        }
        cJSON_Delete(doc);
    }
    sqlite3_finalize(s);
    return status;
}
