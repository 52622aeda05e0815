/*
 * Reads announced closures from a facts document.  Rejects dates that do not exist, and an early close outside the
 * session.
 */
#include "facts/closures.h"

#include <stdlib.h>

#include "base/time.h"
#include "facts/calendar.h"

/* Match a text like "2026-12-09" with a pattern in which 0 stands for any digit.  *n is set to the number that all
 * digits together make. */
static bool take_digits(const char *s, const char *pattern, int *n)
{
    *n = 0;
    for (; *pattern; s++, pattern++) {
        if (*pattern != '0' ? *s != *pattern : *s < '0' || *s > '9')
            return false;
        if (*pattern == '0')
            *n = *n * 10 + (*s - '0');
    }
    return *s == '\0';
}

static bool is_date(const char *s, int *date)
{
    return take_digits(s, "0000-00-00", date) && og_date_exists(*date / 10000, *date / 100 % 100, *date % 100);
}

static bool is_close(const char *s, int64_t *ns)
{
    int n;

    if (!take_digits(s, "00:00", &n) || n % 100 > 59)
        return false;
    *ns = OG_DAY_AT(n / 100, n % 100);
    return *ns > OG_DAY_OPENS && *ns < OG_DAY_CLOSES;
}

static bool read_closed(struct og_facts_reader *r, const cJSON *list, struct og_closures *c)
{
    const cJSON *item;
    int i = 0;

    cJSON_ArrayForEach (item, list) {
        struct og_closure *row = &c->row[c->count];
        size_t mark = og_facts_enter_row(r, i++);

        if (!cJSON_IsString(item) || !is_date(item->valuestring, &row->date))
            return og_facts_refuse(r, NULL, "a date written YYYY-MM-DD", item);
        row->day = (struct og_day){ OG_DAY_CLOSED, 0 };
        c->count++;
        og_facts_leave(r, mark);
    }
    return true;
}

static bool read_early(struct og_facts_reader *r, const cJSON *object, struct og_closures *c)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, object) {
        struct og_closure *row = &c->row[c->count];
        size_t mark = og_facts_enter(r, item->string);

        row->day.kind = OG_DAY_EARLY;
        if (!is_date(item->string, &row->date))
            return og_facts_refuse(r, NULL, "a key that is a date written YYYY-MM-DD", item);
        if (!cJSON_IsString(item) || !is_close(item->valuestring, &row->day.closes))
            return og_facts_refuse(r, NULL, "a time from 09:31 to 15:59 written HH:MM, in New York", item);
        c->count++;
        og_facts_leave(r, mark);
    }
    return true;
}

static struct og_closures *room_for(size_t count)
{
    return calloc(1, sizeof(struct og_closures) + count * sizeof(struct og_closure));
}

bool og_facts_read_closures(struct og_facts_reader *r, const cJSON *item, struct og_closures **out)
{
    const cJSON *closed = og_doc_get(item, "closed"), *early = og_doc_get(item, "early"), *key;
    struct og_closures *c;
    size_t mark;
    bool ok;

    *out = NULL;
    if (!og_facts_read_object(r, item))
        return false;
    cJSON_ArrayForEach (key, item)
        if (key != closed && key != early)
            return og_facts_refuse(r, key->string, "no key but \"closed\" and \"early\"", key);
    if (closed && !cJSON_IsArray(closed))
        return og_facts_refuse(r, "closed", "an array of dates", closed);
    if (early && !cJSON_IsObject(early))
        return og_facts_refuse(r, "early", "an object of dates with times", early);
    c = room_for((size_t)cJSON_GetArraySize(closed) + (size_t)cJSON_GetArraySize(early));
    if (!c)
        return og_facts_no_memory(r);
    mark = og_facts_enter(r, "closed");
    ok = read_closed(r, closed, c);
    og_facts_leave(r, mark);
    mark = og_facts_enter(r, "early");
    ok = ok && read_early(r, early, c);
    og_facts_leave(r, mark);
    if (ok)
        *out = c;
    else
        free(c);
    return ok;
}

struct og_closures *og_facts_closures_copy(const struct og_closures *c)
{
    struct og_closures *copy = room_for(c->count);

    if (!copy)
        return NULL;
    copy->count = c->count;
    memcpy(copy->row, c->row, c->count * sizeof c->row[0]);
    return copy;
}
