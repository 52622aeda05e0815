/*
 * Paths as they are spelled in the index and in the OpenAPI document. The table of endpoints has {a} and {i}; what {i}
 * is follows from the segment before it.
 */
#include "paper/describe.h"

#include <stdio.h>

#include "paper/control.h"

/* Returns the name of the variable {i} after this segment. */
static struct og_str variable_after(struct og_str segment)
{
    if (og_str_is(segment, "order") || og_str_is(segment, "orders"))
        return OG_STR("clientOrderId");
    if (og_str_is(segment, "start-date"))
        return OG_STR("startDate");
    return segment; /* "symbol", "quoteReqID" */
}

struct og_paper_path og_paper_path_of(enum og_endpoint e)
{
    struct og_paper_path path;
    struct og_str segment = { "", 0 };
    const char *at = og_endpoints[e].path;
    struct og_buf b;

    og_buf_init_fixed(&b, path.s, sizeof path.s);
    og_buf_text(&b, OG_API_PREFIX);
    while (*at) {
        const struct og_str before = segment;

        segment = (struct og_str){ at, strcspn(at, "/") };
        if (og_str_is(segment, "{a}"))
            og_buf_text(&b, "{account}");
        else if (og_str_is(segment, "{i}"))
            og_buf_format(&b, "{%.*s}", (int)variable_after(before).len, variable_after(before).s);
        else
            og_buf_str(&b, segment);
        at += segment.len;
        if (*at == '/')
            og_buf_char(&b, *at++);
    }
    return path;
}

struct og_paper_path og_paper_control_path(size_t call)
{
    struct og_paper_path path;

    snprintf(path.s, sizeof path.s, "%s%s", OG_PAPER_CONTROL, og_control_calls[call].path);
    return path;
}
