/*
 * Pages of a history. Wrong query values are not rejected: the service uses other values, and its answer shows those
 * values. Only a wrong day is rejected.
 */
#include "paper/pagination.h"

#include "base/time.h"
#include "wire/write.h"

#define MOST_DAYS   365
#define USUAL_LIMIT 100

struct og_str og_paper_page_parameter(struct og_str query, const char *name)
{
    const char *at = query.s, *end = at + query.len, *stop;
    size_t len = strlen(name);

    for (; at && at < end; at = stop + 1) {
        stop = memchr(at, '&', (size_t)(end - at));
        stop = stop ? stop : end;
        if ((size_t)(stop - at) > len && memcmp(at, name, len) == 0 && at[len] == '=')
            return (struct og_str){ at + len + 1, (size_t)(stop - at) - len - 1 };
    }
    return (struct og_str){ NULL, 0 };
}

/* Returns the number in the parameter. A number above `most` becomes `most`; if it is below `least`, or if the text is
 * not a whole number, returns `usual`. */
static int64_t read_number(struct og_str query, const char *name, int64_t least, int64_t most, int64_t usual)
{
    struct og_str text = og_paper_page_parameter(query, name);
    int64_t n = 0;
    size_t i;

    for (i = 0; i < text.len; i++) {
        if (text.s[i] < '0' || text.s[i] > '9')
            return usual;
        n = n > most / 10 ? most : n * 10 + (text.s[i] - '0');
        n = n > most ? most : n;
    }
    return i == 0 || n < least ? usual : n;
}

void og_paper_page_read(struct og_str query, int64_t usual_days, int64_t most_limit, struct og_paper_page *page)
{
    page->days = read_number(query, "numberOfDays", 1, MOST_DAYS, usual_days);
    page->offset = read_number(query, "offset", 0, INT64_MAX / 16, 0);
    page->limit = read_number(query, "limit", 1, most_limit, USUAL_LIMIT);
}

void og_paper_page_write(struct og_buf *b, const struct og_paper_page *page, int64_t total)
{
    og_member_key(b, "pagination");
    og_buf_char(b, '{');
    og_member_int(b, "currentLimit", page->limit);
    og_member_int(b, "currentOffset", page->offset);
    og_member_int(b, "totalRecords", total);
    og_buf_char(b, '}');
}

bool og_paper_page_day(struct og_str text, int64_t *day)
{
    int part[3] = { 0, 0, 0 }, k = 0;
    size_t i;

    if (text.len != 10 || text.s[4] != '-' || text.s[7] != '-')
        return false;
    for (i = 0; i < text.len; i++) {
        if (i == 4 || i == 7) {
            k++;
            continue;
        }
        if (text.s[i] < '0' || text.s[i] > '9')
            return false;
        part[k] = part[k] * 10 + (text.s[i] - '0');
    }
    if (!og_date_exists(part[0], part[1], part[2]))
        return false;
    *day = og_days_from_civil(part[0], part[1], part[2]);
    return true;
}
