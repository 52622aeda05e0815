/*
 * The status of a desk as a table for a terminal: what needs somebody first, then senders, accounts, limits by how much
 * of them is used, and what was refused lately.  Nothing is printed that could move the cursor.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "send/desk.h"

#define COLUMNS_MOST 10
#define GAP          2

/* Colours, by meaning; each also has words, so that nothing depends on colour. */
enum ink { PLAIN, BOLD, RED, YELLOW };

struct cell {
    char text[200];
    bool right; /* aligned to the right */
    enum ink ink;
};
struct table {
    struct cell (*row)[COLUMNS_MOST];
    size_t rows, room;
    int columns; /* of each row; the last is cut where the line ends */
    bool failed;
};

struct page {
    struct og_buf *to;
    int columns;
    bool colour;
};

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Returns the bytes of the character at s; 1 for a byte that begins none. */
static size_t character(const char *s, size_t len)
{
    const unsigned char c = (unsigned char)*s;
    const size_t want = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    size_t n = 1;

    while (n < want && n < len && ((unsigned char)s[n] & 0xc0) == 0x80)
        n++;
    return n;
}

static bool is_control(const char *s, size_t len)
{
    const unsigned char c = (unsigned char)*s;

    return c < 0x20 || c == 0x7f || (len == 1 && c >= 0x80) || (len == 2 && c == 0xc2 && (unsigned char)s[1] < 0xa0) ||
           (len == 3 && c == 0xe2 && (unsigned char)s[1] == 0x80 && ((unsigned char)s[2] & 0xf0) >= 0xa0 &&
            ((unsigned char)s[2] >= 0xa8 && (unsigned char)s[2] <= 0xae)) ||
           (len == 3 && c == 0xe2 && (unsigned char)s[1] == 0x81 && (unsigned char)s[2] >= 0xa6);
}

void og_desk_plain(struct og_buf *to, struct og_str text)
{
    for (size_t i = 0, n; i < text.len; i += n) {
        n = character(text.s + i, text.len - i);
        if (is_control(text.s + i, n))
            og_buf_char(to, '?');
        else
            og_buf_bytes(to, text.s + i, n);
    }
}

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

static int width_of(const char *text)
{
    const size_t len = strlen(text);
    int width = 0;

    for (size_t i = 0; i < len; i += character(text + i, len - i))
        width++;
    return width;
}

/* Write at most so many characters of the text; "..." stands for what is cut. */
static void put_cut(struct og_buf *to, const char *text, int most)
{
    const size_t len = strlen(text);
    const bool cut = width_of(text) > most;
    int left = cut && most > 3 ? most - 3 : most;

    for (size_t i = 0, n; i < len && left > 0; i += n, left--) {
        n = character(text + i, len - i);
        og_buf_bytes(to, text + i, n);
    }
    if (cut && most > 3)
        og_buf_text(to, "...");
}

static void put_ink(const struct page *p, enum ink ink, bool on)
{
    static const char *const codes[] = { "", "\033[1m", "\033[31m", "\033[33m" };

    if (p->colour && ink != PLAIN)
        og_buf_text(p->to, on ? codes[ink] : "\033[0m");
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static struct cell *add_row(struct table *t)
{
    if (t->failed || !OG_GROW(t->row, t->rows, t->room, 16)) {
        t->failed = true;
        return NULL;
    }
    memset(t->row[t->rows], 0, sizeof t->row[0]);
    return t->row[t->rows++];
}

static void set(struct cell *row, int column, struct og_str text, bool right, enum ink ink)
{
    struct og_buf b;

    if (!row)
        return;
    og_buf_init_fixed(&b, row[column].text, sizeof row[column].text - 1);
    for (size_t i = 0, n; i < text.len && b.len + 8 < sizeof row[column].text; i += n) {
        n = character(text.s + i, text.len - i);
        og_desk_plain(&b, (struct og_str){ text.s + i, n });
    }
    row[column].text[b.len] = '\0';
    row[column].right = right;
    row[column].ink = ink;
}

static void set_text(struct cell *row, int column, const char *text)
{
    set(row, column, og_str_of(text), false, PLAIN);
}

static void set_int(struct cell *row, int column, int64_t n, enum ink ink)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", (long long)n);
    set(row, column, og_str_of(text), true, ink);
}

static void put_line(const struct page *p, const struct table *t, const struct cell *row, const int *width)
{
    int left = p->columns - 2;

    og_buf_text(p->to, "  ");
    for (int i = 0; i < t->columns && left > 0; i++) {
        const bool last = i == t->columns - 1;
        const int has = width_of(row[i].text), room = (last && !row[i].right) || width[i] > left ? left : width[i];
        const int pad = has < room ? room - has : 0;

        for (int k = 0; row[i].right && k < pad; k++)
            og_buf_char(p->to, ' ');
        put_ink(p, row[i].ink, true);
        put_cut(p->to, row[i].text, room);
        put_ink(p, row[i].ink, false);
        left -= room;
        for (int k = 0; !last && k < GAP + (row[i].right ? 0 : pad) && (left > 0 || k < pad); k++)
            og_buf_char(p->to, ' ');
        left -= GAP;
    }
    while (p->to->len && p->to->s[p->to->len - 1] == ' ')
        p->to->len--;
    og_buf_char(p->to, '\n');
}

/* Write a table under its heading, and free it; nothing if it has no row but that of its column names. */
static void put_table(const struct page *p, const char *heading, struct table *t, size_t names)
{
    int width[COLUMNS_MOST] = { 0 };

    for (size_t r = 0; r < t->rows; r++)
        for (int i = 0; i < t->columns; i++) {
            const int has = width_of(t->row[r][i].text);

            if (r == 0 && names && t->rows > 1) /* a column's name stands as the column does */
                t->row[0][i].right = t->row[1][i].right;

            width[i] = has > width[i] ? has : width[i];
        }
    if (t->rows > names) {
        og_buf_char(p->to, '\n');
        put_ink(p, BOLD, true);
        og_buf_text(p->to, heading);
        put_ink(p, BOLD, false);
        og_buf_char(p->to, '\n');
    }
    for (size_t r = 0; r < t->rows && t->rows > names; r++)
        put_line(p, t, t->row[r], width);
    p->to->bad |= t->failed;
    free(t->row);
}

static void name_columns(struct table *t, int columns, const char *const *names)
{
    struct cell *row = add_row(t);

    t->columns = columns;
    for (int i = 0; i < columns; i++)
        set_text(row, i, names[i]);
}
#define NAME_COLUMNS(t, ...)                                                           \
    name_columns((t), (int)(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)), \
                 (const char *const[]){ __VA_ARGS__ })

/* --- the parts of the page ---------------------------------------------------------------------------------------- */

static struct og_str text_of(const cJSON *object, const char *key)
{
    struct og_str s = { "", 0 };

    (void)og_doc_str(object, key, &s);
    return s;
}

static int64_t int_of(const cJSON *object, const char *key)
{
    int64_t n = 0;

    (void)og_doc_int(object, key, &n);
    return n;
}

static void put_needs(const struct page *p, const cJSON *doc)
{
    struct table t = { .columns = 3 };
    const cJSON *need;
    bool urgent;

    cJSON_ArrayForEach (need, og_doc_get(doc, "needs")) {
        struct cell *row = add_row(&t);

        urgent = false;
        (void)og_doc_bool(need, "urgent", &urgent);
        set(row, 0, text_of(need, "what"), false, urgent ? RED : YELLOW);
        set(row, 1, text_of(need, "accountId"), false, PLAIN);
        set(row, 2, text_of(need, "text"), false, PLAIN);
    }
    put_table(p, "NEEDS SOMEBODY, OR SOON", &t, 0);
}

static void put_senders(const struct page *p, const cJSON *doc)
{
    struct table t = { .rows = 0 };
    const cJSON *sender;

    NAME_COLUMNS(&t, "PID", "USER", "SINCE", "TRADING", "KEYS", "LINES", "POLICY");
    cJSON_ArrayForEach (sender, og_doc_get(doc, "senders")) {
        const cJSON *s = og_doc_get(sender, "snapshot");
        const struct og_str trading = text_of(og_doc_get(s, "halt"), "trading"), since = text_of(s, "since"),
                            keys = text_of(s, "keys");
        struct cell *row = add_row(&t);

        set_int(row, 0, int_of(sender, "pid"), PLAIN);
        set(row, 1, text_of(sender, "user"), false, PLAIN);
        set(row, 2, (struct og_str){ since.s, since.len > 19 ? 19 : since.len }, false, PLAIN);
        set(row, 3, trading.len ? trading : OG_STR("no answer"), false, og_str_is(trading, "on") ? PLAIN : RED);
        set(row, 4, keys, false, og_str_is(keys, "refused") ? RED : PLAIN);
        set_int(row, 5, int_of(s, "linesWaiting"), PLAIN);
        set(row, 6, text_of(s, "policy"), false, PLAIN);
    }
    put_table(p, "SENDERS", &t, 1);
}

static void put_account_row(struct table *t, const cJSON *sender, const cJSON *a)
{
    const cJSON *orders = og_doc_get(a, "orders"), *ages = og_doc_get(a, "ages");
    const struct og_str state = text_of(a, "state"), stream = text_of(a, "stream");
    const int64_t unknown = int_of(orders, "unknown");
    struct cell *row = add_row(t);
    char age[24];
    struct og_buf b;
    int64_t ms;

    og_buf_init_fixed(&b, age, sizeof age);
    if (og_doc_int(ages, "readingMs", &ms))
        og_desk_age(&b, ms);
    set(row, 0, text_of(a, "accountId"), false, PLAIN);
    set_int(row, 1, int_of(sender, "pid"), PLAIN);
    set(row, 2, state, false, og_str_is(state, "blind") || og_str_is(state, "failed") ? RED : PLAIN);
    set(row, 3, stream, false, og_str_is(stream, "lost") ? RED : PLAIN);
    set(row, 4, (struct og_str){ b.s, b.len }, true, PLAIN);
    set_int(row, 5, unknown, unknown ? RED : PLAIN);
    set_int(row, 6, int_of(orders, "working"), PLAIN);
    set_int(row, 7, int_of(orders, "waiting"), PLAIN);
    set_int(row, 8, int_of(orders, "posting"), PLAIN);
}

static void put_accounts(const struct page *p, const cJSON *doc)
{
    struct table t = { .rows = 0 };
    const cJSON *sender, *a;

    NAME_COLUMNS(&t, "ACCOUNT", "SENDER", "STATE", "STREAM", "READ", "UNKNOWN", "WORKING", "WAITING", "POSTING");
    cJSON_ArrayForEach (sender, og_doc_get(doc, "senders"))
        cJSON_ArrayForEach (a, og_doc_get(og_doc_get(sender, "snapshot"), "accounts"))
            put_account_row(&t, sender, a);
    put_table(p, "ACCOUNTS", &t, 1);
}

static void put_budgets(const struct page *p, const cJSON *doc)
{
    struct table t = { .rows = 0 };
    const cJSON *sender, *budget;

    NAME_COLUMNS(&t, "SENDER", "ENDPOINT", "WAITS", "FOR");
    cJSON_ArrayForEach (sender, og_doc_get(doc, "senders"))
        cJSON_ArrayForEach (budget, og_doc_get(og_doc_get(sender, "snapshot"), "budgets")) {
            struct cell *row = add_row(&t);
            char wait[24];
            struct og_buf b;

            og_buf_init_fixed(&b, wait, sizeof wait);
            og_desk_age(&b, int_of(budget, "waitMs"));
            set_int(row, 0, int_of(sender, "pid"), PLAIN);
            set(row, 1, text_of(budget, "endpoint"), false, PLAIN);
            set_int(row, 2, int_of(budget, "queued"), PLAIN);
            set(row, 3, (struct og_str){ b.s, b.len }, false, PLAIN);
        }
    put_table(p, "REQUEST BUDGETS IN USE", &t, 1);
}

static void set_money(struct cell *row, int column, const cJSON *object, const char *key, enum ink ink)
{
    struct og_money m;

    if (og_doc_money(object, key, &m))
        set(row, column, og_str_of(og_money_text(m).s), true, ink);
    else
        set(row, column, OG_STR("-"), true, PLAIN);
}

static void put_limit(struct table *t, const cJSON *a, const cJSON *limit)
{
    const int64_t percent = int_of(limit, "percent");
    const enum ink ink = percent >= 100 ? RED : percent >= 80 ? YELLOW : PLAIN;
    struct cell *row = add_row(t);
    char text[160], share[32];
    struct og_money used;
    bool sure = true;
    const struct og_str measure = text_of(limit, "measure"), rule = text_of(limit, "rule"),
                        setting = text_of(limit, "setting"), name = text_of(limit, "name"),
                        only = text_of(limit, "only");

    (void)og_doc_bool(limit, "sure", &sure);
    set(row, 0, text_of(a, "accountId"), false, PLAIN);
    snprintf(text, sizeof text, "%.*s %.*s%s%.*s", (int)(rule.len < 60 ? rule.len : 60), rule.s,
             (int)(setting.len < 40 ? setting.len : 40), setting.s, measure.len ? " " : "",
             (int)(measure.len < 20 ? measure.len : 20), measure.s);
    set_text(row, 1, text);
    set(row, 2, name.len ? name : text_of(limit, "of"), false, PLAIN);
    set_money(row, 3, limit, "used", ink);
    set_money(row, 4, limit, og_doc_get(limit, "least") ? "least" : "allowed", PLAIN);
    snprintf(share, sizeof share, "%lld%%%s", (long long)percent, sure ? "" : " ?");
    set(row, 5, og_doc_money(limit, "used", &used) ? og_str_of(share) : OG_STR(""), true, ink);
    set(row, 6, text_of(limit, "unit"), false, PLAIN);
    snprintf(text, sizeof text, "%s%.*s", only.len ? "only for " : "", (int)(only.len < 120 ? only.len : 120), only.s);
    set_text(row, 7, text);
}

/* Write the limits that orders use up together first, those that are used most at the top. */
static int by_share(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    const int p = atoi(x[5].text), q = atoi(y[5].text);

    if (p != q)
        return p < q ? 1 : -1;
    return strcmp(x[0].text, y[0].text) ? strcmp(x[0].text, y[0].text) : strcmp(x[1].text, y[1].text);
}

static void put_limits(const struct page *p, const cJSON *doc)
{
    struct table t = { .rows = 0 };
    const cJSON *sender, *a, *limit;

    NAME_COLUMNS(&t, "ACCOUNT", "LIMIT", "OF", "USED", "ALLOWED", "%", "UNIT", "");
    cJSON_ArrayForEach (sender, og_doc_get(doc, "senders"))
        cJSON_ArrayForEach (a, og_doc_get(og_doc_get(sender, "snapshot"), "accounts"))
            cJSON_ArrayForEach (limit, og_doc_get(a, "limits"))
                put_limit(&t, a, limit);
    if (t.rows > 2 && !t.failed)
        qsort(t.row + 1, t.rows - 1, sizeof t.row[0], by_share);
    put_table(p, "LIMITS", &t, 1);
}

static void put_refusals(const struct page *p, const cJSON *doc)
{
    struct table t = { .rows = 0 };
    const cJSON *ledger, *r;

    NAME_COLUMNS(&t, "COUNT", "REASON", "LAST", "ORDER", "MESSAGE");
    cJSON_ArrayForEach (ledger, og_doc_get(doc, "ledgers"))
        cJSON_ArrayForEach (r, og_doc_get(ledger, "refusals")) {
            const struct og_str at = text_of(r, "at");
            struct cell *row = add_row(&t);

            set_int(row, 0, int_of(r, "count"), PLAIN);
            set(row, 1, text_of(r, "reason"), false, PLAIN);
            set(row, 2, (struct og_str){ at.s, at.len > 19 ? 19 : at.len }, false, PLAIN);
            set(row, 3, text_of(r, "clientOrderId"), false, PLAIN);
            set(row, 4, text_of(r, "message"), false, PLAIN);
        }
    put_table(p, "REFUSED LATELY", &t, 1);
}

void og_desk_table(const cJSON *doc, int columns, bool colour, struct og_buf *to)
{
    const struct page p = { .to = to, .columns = columns, .colour = colour };
    bool healthy = false;

    (void)og_doc_bool(doc, "healthy", &healthy);
    og_desk_plain(to, text_of(doc, "at"));
    og_buf_text(to, "  ");
    put_ink(&p, healthy ? PLAIN : RED, true);
    og_buf_text(to, healthy ? "healthy" : "needs somebody");
    put_ink(&p, healthy ? PLAIN : RED, false);
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
