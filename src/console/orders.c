/*
 * The pages of orders and positions. The ledger is opened for each page, and closed again: the sender and people's
 * programs write it meanwhile, and an archive may replace it.
 */
#include "console/orders.h"

#include <stdio.h>

#include "base/error.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "base/utf8.h"
#include "console/page.h"
#include "console/table.h"
#include "ordergate/time.h"
#include "serve/page.h"

#define NEWEST       200
#define SHOWN_MOST   2000 /* lines of one page */
#define STORY_COLUMN 100
#define REST         10 /* a list that took t to make is made again after REST * t at the earliest */

/* A page that is being written, one line of the ledger after another. */
struct writing {
    struct og_buf *b;
    int lines;
};

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* Write a table's row. Returns the document of the line, which the caller deletes. */
static cJSON *begin_row(struct writing *w, const char *json, size_t len)
{
    cJSON *doc = NULL;

    if (og_doc_read(json, len, "ledger", &doc, NULL) != OG_OK)
        return NULL;
    w->lines++;
    og_buf_text(w->b, "<tr>");
    return doc;
}

static int put_order(void *with, const char *json, size_t len)
{
    static const char *const before[] = { "accountId", "state", "side", NULL }, *const numbers[] = { "executed",
                                                                                                     "priceAvg", NULL };
    struct writing *w = with;
    cJSON *doc = begin_row(w, json, len);
    const struct og_str id = og_doc_str_or_empty(doc, "clientOrderId"), text = og_doc_str_or_empty(doc, "text");

    if (!doc)
        return 0;
    og_console_cell(w->b, og_doc_str_or_empty(doc, "at"));
    og_console_cell_order(w->b, id);
    for (const char *const *key = before; *key; key++)
        og_console_cell(w->b, og_doc_str_or_empty(doc, *key));
    og_console_cell_number(w->b, doc, "orderQuantity");
    og_console_cell(w->b, og_doc_str_or_empty(doc, "symbol"));
    for (const char *const *key = numbers; *key; key++)
        og_console_cell_number(w->b, doc, *key);
    og_console_cell(w->b, text.len ? text : og_doc_str_or_empty(doc, "code"));
    og_buf_text(w->b, "</tr>");
    cJSON_Delete(doc);
    return 0;
}

static int put_position(void *with, const char *json, size_t len)
{
    static const char *const texts[] = { "accountId", "tag", "symbol", NULL }, *const numbers[] = {
        "quantity", "priceAvg", "cost", "realizedPnl", NULL
    };
    struct writing *w = with;
    cJSON *doc;

    if (w->lines >= SHOWN_MOST) {
        w->lines++;
        return 0;
    }
    if (!(doc = begin_row(w, json, len)))
        return 0;
    for (const char *const *key = texts; *key; key++)
        og_console_cell(w->b, og_doc_str_or_empty(doc, *key));
    for (const char *const *key = numbers; *key; key++)
        og_console_cell_number(w->b, doc, *key);
    og_console_cell(w->b, og_doc_str_or_empty(doc, "lastDay"));
    og_console_cell_number(w->b, doc, "realizedLastDay");
    og_buf_text(w->b, "</tr>");
    cJSON_Delete(doc);
    return 0;
}

static int put_story(void *with, const char *line, size_t len)
{
    struct writing *w = with;

    /* the library may tell several lines at a time; og_serve_page_text() writes one */
    while (w->lines < SHOWN_MOST && len) {
        const char *end = memchr(line, '\n', len);
        const size_t here = end ? (size_t)(end - line) : len;

        og_serve_page_text(w->b, (struct og_str){ line, here });
        og_buf_char(w->b, '\n');
        w->lines++;
        line += here + (end != NULL);
        len -= here + (end != NULL);
    }
    return 0;
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

static void put_fault(struct og_buf *b, const char *text)
{
    og_buf_text(b, "<p class=\"sum bad\">✖ ");
    og_serve_page_text(b, og_str_of(text));
    og_buf_text(b, "</p>");
}

/* Open the ledger of the sender. */
static enum og_status open_ledger(const struct og_console_view *v, const struct og_console_reads *reads,
                                  struct og_ledger **l, struct og_error *err)
{
    const struct og_str path = og_doc_str_or_empty(v->ledger, "path");
    char text[4096];

    *l = NULL;
    if (!path.len || path.len >= sizeof text)
        return og_fail(err, OG_ENOENT, "the sender does not tell its ledger now");
    snprintf(text, sizeof text, "%.*s", (int)path.len, path.s);
    return reads->peek(text, l, err);
}

static enum og_status put_list(const struct og_console_reads *reads, struct og_ledger *l, enum og_console_list which,
                               struct writing *w, struct og_error *err)
{
    const struct og_ledger_filter filter = { .newest = NEWEST };
    enum og_status status;

    if (which == OG_CONSOLE_ORDERS) {
        og_console_table(w->b, "Newest first", "Last record|Order|Account|State|Side|#Quantity|Symbol|#Filled|#At|Why");
        status = reads->list(l, &filter, NULL, put_order, w, err);
    } else {
        og_console_table(w->b, "From the fills on record",
                         "Account|Strategy|Symbol|#Quantity|#Average|#Cost|#Realized|Last day|#Realized that day");
        status = reads->positions(l, NULL, put_position, w, err);
    }
    og_console_table_end(w->b);
    return status;
}

static void make(const struct og_console_view *v, const struct og_console_reads *reads, enum og_console_list which,
                 struct og_buf *b)
{
    struct writing w = { .b = b };
    struct og_error err = { 0 };
    struct og_ledger *l;

    og_console_page_begin(b, which == OG_CONSOLE_ORDERS ? "Orders" : "Positions", false);
    og_buf_format(b, "<p>As of <time>%s</time>; read the page again for newer.</p>", og_time_text(og_time_now()).s);
    if (which == OG_CONSOLE_ORDERS)
        og_buf_text(b, "<form action=\"/order\"><p class=\"text\"><label for=\"id\">Its clientOrderId, or the broker's "
                       "id</label><input id=\"id\" name=\"id\" required autocomplete=\"off\"></p><p><button>Show the "
                       "order</button></p></form>");
    else
        og_buf_text(b, "<p>What orders of this gate filled, by average cost. What others traded, expiries, assignments "
                       "and splits are not here: the broker has the account.</p>");
    if (open_ledger(v, reads, &l, &err) != OG_OK || put_list(reads, l, which, &w, &err) != OG_OK)
        put_fault(b, err.text);
    else if (which == OG_CONSOLE_ORDERS ? w.lines == NEWEST : w.lines > SHOWN_MOST)
        og_buf_text(b, "<p>There are more: <code>ordergate ledger</code> lists all.</p>");
    else if (!w.lines)
        og_buf_text(b, "<p>There are none.</p>");
    if (l)
        reads->close(l);
    og_console_page_end(b);
}

void og_console_list(const struct og_console_view *v, const struct og_console_reads *reads, enum og_console_list which,
                     struct og_console_kept *kept, struct og_buf *b)
{
    const uint64_t began = og_time_up();

    if (!kept->until || began >= kept->until) {
        if (!kept->until)
            og_buf_init(&kept->page, 0);
        og_buf_reset(&kept->page);
        make(v, reads, which, &kept->page);
        kept->until = og_time_up() + OG_CONSOLE_LOOK_NS + REST * (og_time_up() - began);
    }
    og_buf_bytes(b, kept->page.s, kept->page.len);
    b->bad |= kept->page.bad;
}

/* Returns false if no order has this id, since it is not a text. */
static bool is_id(struct og_str id)
{
    for (size_t i = 0, n; i < id.len; i += n)
        if (!id.s[i] || !(n = og_utf8_len(id.s + i, id.s + id.len)))
            return false;
    return id.len > 0;
}

int og_console_order(const struct og_console_view *v, const struct og_console_reads *reads, struct og_str id,
                     struct og_buf *b)
{
    const struct og_ledger_look look = { .columns = STORY_COLUMN };
    struct writing w = { .b = b };
    struct og_error err = { 0 };
    char text[256];
    enum og_status status;
    struct og_ledger *l;

    og_console_page_begin(b, "Order", false);
    if (!is_id(id) || id.len >= sizeof text) {
        put_fault(b, "the address names no order: /order?id=CLIENTORDERID");
        og_console_page_end(b);
        return 404;
    }
    snprintf(text, sizeof text, "%.*s", (int)id.len, id.s);
    status = open_ledger(v, reads, &l, &err);
    og_buf_text(b, "<pre>");
    if (status == OG_OK)
        status = reads->story(l, NULL, text, &look, put_story, &w, &err);
    og_buf_text(b, "</pre>");
    if (status != OG_OK)
        put_fault(b, err.text);
    if (w.lines >= SHOWN_MOST)
        og_buf_text(b, "<p>There is more: <code>ordergate ledger show</code> tells all.</p>");
    if (l)
        reads->close(l);
    og_console_page_end(b);
    return status == OG_OK ? 200 : status == OG_ENOENT ? 404 : 503;
}
