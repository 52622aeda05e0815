/*
 * Query parameters of history reads: the day in the path, and numberOfDays, offset and limit.
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/* A page after its values were corrected: a value that is too large becomes the maximum; one that is too small, or not
 * a number, becomes the default. */
struct og_paper_page {
    int64_t days, offset, limit;
};
/* Read a page. Its days are at most 365; its limit is 100 by default. */
void og_paper_page_read(struct og_str query, int64_t usual_days, int64_t most_limit, struct og_paper_page *page);
/* Write the member "pagination". */
void og_paper_page_write(struct og_buf *b, const struct og_paper_page *page, int64_t total);

/* Returns the value of the first query parameter of this name, not decoded; .s is NULL if there is none. */
struct og_str og_paper_page_parameter(struct og_str query, const char *name);

/* Read exactly YYYY-MM-DD, for a day that exists, as days since 1970-01-01. Returns false for any other text. */
bool og_paper_page_day(struct og_str text, int64_t *day);
