/*
 * Which part of a long history a read asks for: the day in its path, and numberOfDays, offset and limit in its query.
 */
#ifndef OG_PAPER_PAGINATION_H
#define OG_PAPER_PAGINATION_H

#include "base/buf.h"
#include "base/str.h"

#include <stdint.h>

/* A page after clamping: what is too much becomes the most allowed, what is too little or no number the default. */
struct og_paper_page {
    int64_t days, offset, limit;
};
/* days at most 365, limit 100 unless told. */
void og_paper_page_read(struct og_str query, int64_t usual_days, int64_t most_limit, struct og_paper_page *page);
/* The member "pagination". */
void og_paper_page_write(struct og_buf *b, const struct og_paper_page *page, int64_t total);

/* The value of a query parameter, the first of its name; s NULL when there is none.  Not decoded. */
struct og_str og_paper_page_parameter(struct og_str query, const char *name);

/* YYYY-MM-DD and nothing else, of a day that exists; days since 1970-01-01. */
bool og_paper_page_day(struct og_str text, int64_t *day);

#endif
