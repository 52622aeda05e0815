/*
 * Reading: one function for each endpoint; lists with pages are read to the last page. Dates and numbers that the
 * service would not accept are rejected before anything is sent. It is an error if the pages have fewer rows than the
 * service's total.
 */
#include "base/error.h"
#include "base/time.h"
#include "broker/client.h"
#include "broker/decode.h"
#include "order/symbol.h"
#include "wire/read.h"

#define DAYS_MOST        365
#define CASH_LIMIT_MOST  10000
#define FILLS_LIMIT_MOST 100
#define PAGES_MOST       100000 /* maximum number of pages of one read, even if the service's total is not reached */

/* --- shared by all reads ------------------------------------------------------------------------------------------ */

static enum og_status bad_row(enum og_endpoint call, struct og_answer *a, const struct og_decode_error *fault,
                              struct og_error *err)
{
    if (!fault->key)
        return og_fail(err, OG_ENOMEM, "out of memory");
    if (fault->row == 0)
        return og_client_unreadable(call, a, err, "'%s' is missing, or not of the documented type", fault->key);
    return og_client_unreadable(call, a, err, "'%s' of row %zu is missing, or not of the documented type", fault->key,
                                fault->row);
}

static struct og_arena *arena_of(struct og_answer *a)
{
    return &((struct og_answer_memory *)a->memory)->arena;
}

/* Find the list of routes.  The service's document does not show the envelope's key, so take the list under the
 * usual key, or the only list if no list has that key. */
static const cJSON *find_routes(const cJSON *doc)
{
    const cJSON *list = og_wire_list(doc, "routes"), *member;

    if (list)
        return list;
    cJSON_ArrayForEach (member, doc) {
        if (cJSON_IsArray(member))
            return member;
    }
    return NULL;
}

/* Request a document that is one object, and decode it. */
static enum og_status read_object(struct og_client *c, const struct og_client_call *call, enum og_document what,
                                  struct og_answer *a, void *row, struct og_error *err)
{
    struct og_decode_error fault = { 0 };
    const cJSON *doc;
    enum og_status status = og_client_read(c, call, a, &doc, err);

    if (status != OG_OK)
        return status;
    return og_decode_row(what, doc, arena_of(a), row, &fault) ? OG_OK : bad_row(call->call, a, &fault, err);
}

/* Request a document and decode the rows of its list. */
static enum og_status read_rows(struct og_client *c, const struct og_client_call *call, const char *key,
                                enum og_document what, struct og_answer *a, const void **rows, size_t *count,
                                struct og_error *err)
{
    struct og_decode_error fault = { 0 };
    const cJSON *doc, *list;
    enum og_status status = og_client_read(c, call, a, &doc, err);

    *rows = NULL;
    *count = 0;
    if (status != OG_OK)
        return status;
    if (what == OG_DOCUMENT_ROUTE && !(list = find_routes(doc)))
        return og_client_unreadable(call->call, a, err, "there is no list of routes");
    if (what != OG_DOCUMENT_ROUTE && !(list = og_wire_list(doc, key)))
        return og_client_unreadable(call->call, a, err, "there is no list '%s'", key);
    return og_decode_rows(what, list, arena_of(a), rows, count, &fault) ? OG_OK : bad_row(call->call, a, &fault, err);
}

/* The body of a function that reads one list of an account. */
#define READ_ROWS(call_, key, what)                                                                              \
    const void *rows;                                                                                            \
    enum og_status status;                                                                                       \
                                                                                                                 \
    if (!c || !to)                                                                                               \
        return og_missing(err);                                                                                  \
    status = read_rows(c, &(struct og_client_call){ .call = call_, .account = account }, key, what, &to->answer, \
                       &rows, &to->count, err);                                                                  \
    to->row = rows;                                                                                              \
    return status

/* --- accounts ----------------------------------------------------------------------------------------------------- */

enum og_status og_client_accounts(struct og_client *c, struct og_accounts *to, struct og_error *err)
{
    const char *account = "";

    READ_ROWS(OG_ENDPOINT_ACCOUNTS, "accounts", OG_DOCUMENT_ACCOUNT);
}

enum og_status og_client_account(struct og_client *c, const char *account, struct og_account_detail *to,
                                 struct og_error *err)
{
    if (!c || !to)
        return og_missing(err);
    to->row = (struct og_account_info){ 0 };
    return read_object(c, &(struct og_client_call){ .call = OG_ENDPOINT_ACCOUNT, .account = account },
                       OG_DOCUMENT_ACCOUNT, &to->answer, &to->row, err);
}

enum og_status og_client_pnl(struct og_client *c, const char *account, struct og_pnl_detail *to, struct og_error *err)
{
    struct og_answer a;
    struct og_decode_error fault = { 0 };
    const cJSON *doc;
    const void *rows;
    enum og_status status;

    if (!c || !to)
        return og_missing(err);
    a = to->answer;
    status = og_client_read(c, &(struct og_client_call){ .call = OG_ENDPOINT_PNL, .account = account }, &a, &doc, err);
    *to = (struct og_pnl_detail){ .answer = a };
    if (status != OG_OK)
        return status;
    if (!cJSON_IsArray(og_doc_get(doc, "pnl")))
        return og_client_unreadable(OG_ENDPOINT_PNL, &to->answer, err, "there is no list 'pnl'");
    if (!og_decode_row(OG_DOCUMENT_PNL, doc, arena_of(&to->answer), to, &fault) ||
        !og_decode_rows(OG_DOCUMENT_LOT, og_doc_get(doc, "pnl"), arena_of(&to->answer), &rows, &to->count, &fault))
        return bad_row(OG_ENDPOINT_PNL, &to->answer, &fault, err);
    to->row = rows;
    return OG_OK;
}

enum og_status og_client_positions(struct og_client *c, const char *account, struct og_positions *to,
                                   struct og_error *err)
{
    READ_ROWS(OG_ENDPOINT_POSITIONS, "positions", OG_DOCUMENT_POSITION);
}

enum og_status og_client_closed(struct og_client *c, const char *account, struct og_positions *to, struct og_error *err)
{
    READ_ROWS(OG_ENDPOINT_CLOSED, "closedPositions", OG_DOCUMENT_CLOSED);
}

enum og_status og_client_locate_history(struct og_client *c, const char *account, struct og_locates *to,
                                        struct og_error *err)
{
    READ_ROWS(OG_ENDPOINT_LOCATES, "locateHistory", OG_DOCUMENT_LOCATE);
}

enum og_status og_client_locate_inventory(struct og_client *c, const char *account, struct og_locate_inventory *to,
                                          struct og_error *err)
{
    READ_ROWS(OG_ENDPOINT_INVENTORY, "locateInventory", OG_DOCUMENT_INVENTORY);
}

/* --- orders, routes, borrow --------------------------------------------------------------------------------------- */

enum og_status og_client_orders(struct og_client *c, const char *account, struct og_orders_today *to,
                                struct og_error *err)
{
    READ_ROWS(OG_ENDPOINT_ORDERS, "orders", OG_DOCUMENT_ORDER);
}

enum og_status og_client_order(struct og_client *c, const char *account, const char *id, struct og_order_detail *to,
                               struct og_error *err)
{
    enum og_status status;

    if (!c || !to)
        return og_missing(err);
    to->has_row = false;
    if (!id || id[0] == '\0')
        return og_fail(err, OG_EINVAL, "the clientOrderId is missing");
    status = read_object(c, &(struct og_client_call){ .call = OG_ENDPOINT_ORDER, .account = account, .other = id },
                         OG_DOCUMENT_ORDER, &to->answer, &to->row, err);
    to->has_row = status == OG_OK;
    return status;
}

enum og_status og_client_routes(struct og_client *c, const char *account, struct og_routes *to, struct og_error *err)
{
    READ_ROWS(OG_ENDPOINT_ROUTES, "routes", OG_DOCUMENT_ROUTE);
}

enum og_status og_client_borrow(struct og_client *c, const char *account, const char *symbol,
                                struct og_borrow_detail *to, struct og_error *err)
{
    const cJSON *doc;
    enum og_status status;

    if (!c || !to)
        return og_missing(err);
    to->easy = false;
    if (!symbol || (!c->unchecked && !og_symbol_fits(og_str_of(symbol))))
        return og_fail(err, OG_EINVAL, "symbol '%s' does not fit %s", symbol ? symbol : "", OG_SYMBOL_PATTERN);
    status =
        og_client_read(c, &(struct og_client_call){ .call = OG_ENDPOINT_BORROW, .account = account, .other = symbol },
                       &to->answer, &doc, err);
    if (status == OG_OK && !og_wire_borrow(doc, &to->easy))
        return og_client_unreadable(OG_ENDPOINT_BORROW, &to->answer, err,
                                    "'isEasyToBorrow' is missing, or not a boolean");
    return status;
}

/* --- histories ---------------------------------------------------------------------------------------------------- */

static bool digits(const char **at, int least, int most, int *n)
{
    int count = 0;

    for (*n = 0; count < most && **at >= '0' && **at <= '9'; (*at)++, count++)
        *n = *n * 10 + (**at - '0');
    return count >= least;
}

/* Returns true if the text is a date with the year first, such as "2026-1-5", or an instant with Z or an offset.
 * padded_only: only a date whose month and day have two digits. */
static bool is_year_first(const char *text, bool padded_only)
{
    const char *at = text;
    int year, month, day, least = padded_only ? 2 : 1;
    int64_t ns;

    if (strchr(text, 'T'))
        return !padded_only && og_time_read(text, strlen(text), &ns);
    return digits(&at, 4, 4, &year) && *at++ == '-' && digits(&at, least, 2, &month) && *at++ == '-' &&
           digits(&at, least, 2, &day) && *at == '\0' && og_date_exists(year, month, day);
}

static bool is_month_first(const char *text)
{
    const char *at = text;
    int year, month, day;

    return digits(&at, 2, 2, &month) && *at++ == '-' && digits(&at, 2, 2, &day) && *at++ == '-' &&
           digits(&at, 4, 4, &year) && *at == '\0' && og_date_exists(year, month, day);
}

static enum og_status check_start(const struct og_client *c, const char *start, bool cash, struct og_error *err)
{
    if (start && start[0] != '\0' && c->unchecked)
        return OG_OK;
    if (start && (is_year_first(start, cash) || (!cash && is_month_first(start))))
        return OG_OK;
    return og_fail(err, OG_EINVAL, "start date '%s' is not allowed: give an existing day as YYYY-MM-DD%s",
                   start ? start : "", cash ? "" : ", an instant with Z or offset, or MM-DD-YYYY");
}

static enum og_status check_window(const struct og_client *c, const struct og_window *w, bool cash,
                                   struct og_error *err)
{
    int most = cash ? CASH_LIMIT_MOST : FILLS_LIMIT_MOST;
    enum og_status status = check_start(c, w->start, cash, err);

    if (status != OG_OK || c->unchecked)
        return status;
    if (w->days < 0 || w->days > DAYS_MOST)
        return og_fail(err, OG_EINVAL, "days is %d, allowed are 1 to %d", w->days, DAYS_MOST);
    if (w->limit < 0 || w->limit > most)
        return og_fail(err, OG_EINVAL, "limit is %d rows a page, allowed are 1 to %d", w->limit, most);
    if (w->offset < 0)
        return og_fail(err, OG_EINVAL, "offset is %lld, allowed are 0 and more", (long long)w->offset);
    if (w->symbol && (cash || !og_symbol_fits(og_str_of(w->symbol))))
        return og_fail(err, OG_EINVAL,
                       cash ? "a read of cash takes no symbol, seen '%s'"
                            : "symbol '%s' does not fit " OG_SYMBOL_PATTERN,
                       w->symbol);
    return OG_OK;
}

static void put_parameter(struct og_buf *b, const char *name, int64_t n)
{
    og_buf_format(b, "%s%s=%lld", b->len > 0 ? "&" : "?", name, (long long)n);
}

/* Parameters that are not set are left out: the service's defaults then apply. */
static void put_query(struct og_buf *b, const struct og_window *w, int64_t offset, int64_t limit)
{
    if (w->days > 0)
        put_parameter(b, "numberOfDays", w->days);
    if (offset > 0)
        put_parameter(b, "offset", offset);
    if (limit > 0)
        put_parameter(b, "limit", limit);
    if (w->symbol) {
        og_buf_text(b, b->len > 0 ? "&symbol=" : "?symbol=");
        og_endpoint_segment(og_str_of(w->symbol), b);
    }
}

static struct og_page page_of(const cJSON *doc)
{
    const cJSON *p = og_doc_get(doc, "pagination");
    struct og_page page = { 0 };

    page.known = og_doc_int(p, "totalRecords", &page.total);
    (void)og_doc_int(p, "currentLimit", &page.limit);
    (void)og_doc_int(p, "currentOffset", &page.offset);
    return page;
}

struct paging {
    struct og_client *client;
    enum og_endpoint call;
    const char *account, *key;
    const struct og_window *window;
    struct og_answer *answer; /* the answer to the first page; the rows of all other pages are added to it */
    struct og_page page;
};

static enum og_status read_page(const struct paging *p, int64_t offset, struct og_answer *a, cJSON **list,
                                struct og_page *page, struct og_error *err)
{
    struct og_client_call call = { .call = p->call, .account = p->account, .other = p->window->start };
    struct og_buf query;
    const cJSON *doc;
    enum og_status status;

    og_buf_init(&query, 0);
    put_query(&query, p->window, offset,
              p->window->limit > 0 || !p->window->all ? p->window->limit
              : p->call == OG_ENDPOINT_CASH           ? CASH_LIMIT_MOST
                                                      : FILLS_LIMIT_MOST);
    call.query = query.s;
    status = query.bad ? og_fail(err, OG_ENOMEM, "out of memory") : og_client_read(p->client, &call, a, &doc, err);
    og_buf_clear(&query);
    if (status != OG_OK)
        return status;
    *page = page_of(doc);
    /* cast to non-const: rows are moved out of the list, and the list belongs to the answer */
    *list = (cJSON *)(uintptr_t)og_wire_list(doc, p->key);
    return *list ? OG_OK : og_client_unreadable(p->call, a, err, "there is no list '%s'", p->key);
}

static int64_t move_rows(cJSON *from, cJSON *to)
{
    int64_t n = 0;

    for (cJSON *item; (item = from->child); n++)
        cJSON_AddItemToArray(to, cJSON_DetachItemViaPointer(from, item));
    return n;
}

/* Change body and pagination of the answer to those of a single page with all rows. */
static enum og_status merge_pages(struct paging *p, cJSON *list, struct og_error *err)
{
    struct og_answer_memory *m = p->answer->memory;
    cJSON *pagination = og_doc_object();

    p->page.limit = p->page.limit > cJSON_GetArraySize(list) ? p->page.limit : cJSON_GetArraySize(list);
    og_doc_put_int(pagination, "currentLimit", p->page.limit);
    og_doc_put_int(pagination, "currentOffset", p->window->offset);
    og_doc_put_int(pagination, "totalRecords", p->page.total);
    cJSON_DeleteItemFromObjectCaseSensitive(m->doc, "pagination");
    og_doc_put(m->doc, "pagination", pagination);
    og_buf_reset(&m->body);
    if (!og_doc_text(m->doc, &m->body))
        return og_fail(err, OG_ENOMEM, "out of memory");
    p->answer->body = m->body.s;
    p->answer->len = m->body.len;
    return OG_OK;
}

/* Read the pages after the first and append their rows. */
static enum og_status read_remaining_pages(struct paging *p, cJSON *list, struct og_error *err)
{
    int64_t at = p->window->offset + cJSON_GetArraySize(list), more = 1;
    enum og_status status = OG_OK;
    struct og_answer a = { 0 };
    struct og_page page;
    cJSON *rows;

    for (int n = 0; status == OG_OK && more > 0 && n < PAGES_MOST && p->page.known && at < p->page.total; n++) {
        if ((status = read_page(p, at, &a, &rows, &page, err)) != OG_OK)
            break;
        more = move_rows(rows, list);
        at += more;
        if (page.known)
            p->page.total = page.total;
    }
    og_answer_clear(&a);
    if (status == OG_OK && p->page.known && at < p->page.total)
        status = og_client_unreadable(p->call, p->answer, err, "its pages end at row %lld of %lld", (long long)at,
                                      (long long)p->page.total);
    return status == OG_OK ? merge_pages(p, list, err) : status;
}

static enum og_status read_pages(struct paging *p, enum og_document what, const void **rows, size_t *count,
                                 struct og_error *err)
{
    struct og_decode_error fault = { 0 };
    cJSON *list = NULL;
    enum og_status status = check_window(p->client, p->window, p->call == OG_ENDPOINT_CASH, err);

    *rows = NULL;
    *count = 0;
    og_answer_clear(p->answer);
    if (status == OG_OK)
        status = read_page(p, p->window->offset, p->answer, &list, &p->page, err);
    if (status == OG_OK && p->window->all)
        status = read_remaining_pages(p, list, err);
    if (status != OG_OK)
        return status;
    return og_decode_rows(what, list, arena_of(p->answer), rows, count, &fault)
               ? OG_OK
               : bad_row(p->call, p->answer, &fault, err);
}

/* The body of a function that reads a list page by page. */
#define READ_PAGES(call, key, what)                                           \
    struct paging p;                                                          \
    const void *rows;                                                         \
    enum og_status status;                                                    \
                                                                              \
    if (!c || !window || !to)                                                 \
        return og_missing(err);                                               \
    p = (struct paging){ c, call, account, key, window, &to->answer, { 0 } }; \
    status = read_pages(&p, what, &rows, &to->count, err);                    \
    to->page = p.page;                                                        \
    to->row = rows;                                                           \
    return status

enum og_status og_client_cash(struct og_client *c, const char *account, const struct og_window *window,
                              struct og_cash *to, struct og_error *err)
{
    READ_PAGES(OG_ENDPOINT_CASH, "cashHistory", OG_DOCUMENT_CASH);
}

enum og_status og_client_history(struct og_client *c, const char *account, const struct og_window *window,
                                 struct og_fills *to, struct og_error *err)
{
    READ_PAGES(OG_ENDPOINT_HISTORY_PAGES, "tradingHistory", OG_DOCUMENT_FILL);
}

enum og_status og_client_week(struct og_client *c, const char *account, const char *start, struct og_fills *to,
                              struct og_error *err)
{
    const void *rows = NULL;
    enum og_status status;

    if (!c || !to)
        return og_missing(err);
    status = check_start(c, start, false, err);
    to->page = (struct og_page){ 0 };
    to->count = 0;
    if (status == OG_OK)
        status =
            read_rows(c, &(struct og_client_call){ .call = OG_ENDPOINT_HISTORY, .account = account, .other = start },
                      "orders", OG_DOCUMENT_FILL, &to->answer, &rows, &to->count, err);
    to->row = rows;
    return status;
}
