/*
 * The report of a day: one JSON object, from which the words and the page are made, so that all have the same figures.
 */
#pragma once

#include "ledger/list.h"

/* Write the report in words, or as a page of HTML with its plots. */
void og_report_words(const cJSON *report, const struct og_sheet *sheet);
void og_report_page(const cJSON *report, struct og_buf *to);

/* Members of the report; what is missing, as in a report that was not written here, is "", 0 or false. */
struct og_str og_report_text(const cJSON *object, const char *key);
int64_t og_report_int(const cJSON *object, const char *key);
