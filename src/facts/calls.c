/*
 * Reads the locate history, and the times of the sender's own API calls, locate quotes and posted orders.  A time that
 * cannot be read is rejected: if it were ignored, a cooldown would be missed.
 */
#include "facts/documents.h"

static const char *const type_names[] = { "", "Locate", "IntraDay", "PreBorrow", "SingleUse" };

int64_t og_facts_locate_type(const cJSON *row)
{
    struct og_str name;
    int64_t type;

    if (og_doc_int(row, "locateType", &type))
        return type >= 1 && type <= 4 ? type : 0;
    if (og_doc_str(row, "locateType", &name))
        for (int i = 1; i <= 4; i++)
            if (og_str_is(name, type_names[i]))
                return i;
    return 0;
}

/* Read a text of the row, and copy it into the arena of the part (struct og_part) that the row belongs to; empty if
 * absent or null. */
static bool read_copy(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                      struct og_part *p, struct og_str *out)
{
    struct og_str text;

    if (!og_facts_read_text(r, row, key, need, &text))
        return false;
    *out = text.len ? og_arena_copy(&p->arena, text) : (struct og_str){ NULL, 0 };
    return out->s || !text.len || og_facts_no_memory(r);
}

/* Read the time at which the row reached its status: the row's last change, or its creation if the row has no last
 * change. */
static bool read_updated(struct og_facts_reader *r, const cJSON *item, int64_t *updated)
{
    if (!og_facts_read_time(r, item, "updatedDate", updated))
        return false;
    return *updated != OG_TIME_UNKNOWN || og_facts_read_time(r, item, "createdDate", updated);
}

bool og_facts_read_locate_history(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    struct og_locate *row = og_arena_take(&p->arena, sizeof *row);
    struct og_locate **end = &p->is.locates;

    if (!row)
        return og_facts_no_memory(r);
    row->status = -1;
    if (!og_facts_read_object(r, item) || !og_facts_read_own_row(r, item) ||
        !read_copy(r, item, "quoteReqID", OG_MUST, p, &row->id) ||
        !read_copy(r, item, "symbol", OG_MAY_BE_NULL, p, &row->symbol) ||
        !og_facts_read_money(r, item, "locateShares", OG_MAY_BE_NULL, &row->has_shares, &row->shares) ||
        !og_facts_read_money(r, item, "locatePrice", OG_MAY_BE_NULL, &row->has_price, &row->price) ||
        !read_updated(r, item, &row->updated))
        return false;
    if (!og_doc_int(item, "locateStatus", &row->status))
        return og_facts_refuse(r, "locateStatus", "a status such as 65", og_doc_get(item, "locateStatus"));
    row->type = og_facts_locate_type(item);
    while (*end)
        end = (struct og_locate **)&(*end)->next;
    *end = row;
    return true;
}

static bool read_at(struct og_facts_reader *r, const cJSON *item, int64_t *at)
{
    if (cJSON_IsString(item) && og_time_read(item->valuestring, strlen(item->valuestring), at))
        return true;
    return og_facts_refuse(r, NULL, "a time with offset such as \"2026-01-15T14:31:00Z\"", item);
}

/* Add an API call to the front of the list: queries read the newest call first. */
static struct og_call *push(struct og_facts_reader *r, struct og_part *p, const struct og_call **list)
{
    struct og_call *call = og_arena_take(&p->arena, sizeof *call);

    if (!call) {
        og_facts_no_memory(r);
        return NULL;
    }
    call->next = *list;
    *list = call;
    return call;
}

/* Read "calls": {"GET orders":["2026-01-15T14:31:00Z",...],...} */
static bool read_call_log(struct og_facts_reader *r, const cJSON *log, struct og_part *p)
{
    const cJSON *endpoint, *at;
    struct og_call *call;

    if (!og_facts_read_object(r, log))
        return false;
    p->is.calls->has_calls = true;
    cJSON_ArrayForEach (endpoint, log) {
        struct og_str name = og_arena_copy(&p->arena, og_str_of(endpoint->string));
        size_t mark = og_facts_enter(r, endpoint->string);

        if (!name.s)
            return og_facts_no_memory(r);
        if (!cJSON_IsArray(endpoint))
            return og_facts_refuse(r, NULL, "an array of times", endpoint);
        cJSON_ArrayForEach (at, endpoint) {
            if (!(call = push(r, p, &p->is.calls->calls)) || !read_at(r, at, &call->at))
                return false;
            call->what = name;
        }
        og_facts_leave(r, mark);
    }
    return true;
}

/* Read "locateQuotes": [{"symbol","quoteReqID","at"}] or "posted": [{"clientOrderId","at"}] */
static bool read_rows(struct og_facts_reader *r, const cJSON *rows, const char *what, const char *id, struct og_part *p,
                      const struct og_call **list)
{
    const cJSON *row;
    struct og_call *call;
    int i = 0;

    if (!cJSON_IsArray(rows))
        return og_facts_refuse(r, NULL, "an array", rows);
    cJSON_ArrayForEach (row, rows) {
        size_t mark = og_facts_enter_row(r, i++);

        if (!(call = push(r, p, list)) || !og_facts_read_object(r, row) || !og_facts_read_own_row(r, row) ||
            !read_copy(r, row, what, OG_MUST, p, &call->what) ||
            (id && !read_copy(r, row, id, OG_MAY_BE_NULL, p, &call->id)) ||
            !og_facts_read_time(r, row, "at", &call->at))
            return false;
        if (call->at == OG_TIME_UNKNOWN)
            return og_facts_refuse(r, "at", "a time with offset", NULL);
        og_facts_leave(r, mark);
    }
    return true;
}

bool og_facts_read_calls(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    const cJSON *log = og_doc_get(item, "calls"), *quotes = og_doc_get(item, "locateQuotes");
    const cJSON *posted = og_doc_get(item, "posted");
    size_t mark = og_facts_enter(r, "calls");
    struct og_calls *c;

    p->is.calls = c = og_arena_take(&p->arena, sizeof *c);
    if (!c)
        return og_facts_no_memory(r);
    if (log && !read_call_log(r, log, p))
        return false;
    og_facts_leave(r, mark);
    (void)og_facts_enter(r, "locateQuotes");
    c->has_quotes = quotes != NULL;
    if (quotes && !read_rows(r, quotes, "symbol", "quoteReqID", p, &c->quotes))
        return false;
    og_facts_leave(r, mark);
    (void)og_facts_enter(r, "posted");
    c->has_posts = posted != NULL;
    if (posted && !read_rows(r, posted, "clientOrderId", NULL, p, &c->posts))
        return false;
    og_facts_leave(r, mark);
    return og_facts_read_gate_counters(r, item, p);
}
